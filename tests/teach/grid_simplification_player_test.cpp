#include "players/players.hpp"

#include "teach/tree_lab.hpp"
#include "trace/grid_edges.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace pollard::teach {
namespace {

/// Components of the pixels that are not below a level, joined by the edges that are left: a label a pixel.
std::vector<std::uint32_t> componentsAt(std::uint16_t level, const std::vector<std::uint16_t>& levels,
                                        const std::vector<GridEdge>& edges) {
    std::vector<std::uint32_t> label(levels.size());
    for (std::uint32_t p = 0; p < label.size(); ++p) {
        label[p] = p;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [one, other] : edges) {
            if (levels[one] >= level && levels[other] >= level && label[one] != label[other]) {
                label[one] = label[other] = std::min(label[one], label[other]);
                changed = true;
            }
        }
    }
    return label;
}

std::vector<GridEdge> keptEdges(const TraceCursor& end, const std::vector<GridEdge>& edges) {
    std::vector<GridEdge> kept;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (end.layer(Layer::edge)[e] != static_cast<std::int64_t>(EdgeMark::superfluous)) {
            kept.push_back(edges[e]);
        }
    }
    return kept;
}

PlayerSpec connected(Connectivity connectivity) {
    PlayerSpec spec;
    spec.connectivity = connectivity;
    return spec;
}

TEST(GridSimplificationPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(gridSimplificationPlayer(), 10'000);
}

TEST(GridSimplificationPlayer, LeavesOutNoEdgeThatAnyLevelNeeds) {
    testing::Random random(41);
    std::size_t left = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
        PlayerSpec spec;
        spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const LabImage image = testing::labOf(*testing::randomImage(random, 1 + random() % 7, 1 + random() % 7));
        TraceCursor end(std::make_shared<const Trace>(gridSimplificationPlayer().record(image, spec)));
        end.moveTo(end.trace().steps.size());
        const auto edges = gridEdges(image.width, image.height, spec.connectivity);
        const auto kept = keptEdges(end, edges);
        left += edges.size() - kept.size();
        const auto levels = orderedLevels(image, spec.kind);
        for (const std::uint16_t level : levels) {
            ASSERT_EQ(componentsAt(level, levels, kept), componentsAt(level, levels, edges));
        }
    }
    EXPECT_GT(left, 0U);
}

TEST(GridSimplificationPlayer, KeepsOneEdgeARowAtMost) {
    testing::Random random(43);
    for (std::uint32_t i = 0; i < 100; ++i) {
        const LabImage image = testing::randomLab(random);
        TraceCursor end(
            std::make_shared<const Trace>(gridSimplificationPlayer().record(image, connected(Connectivity::eight))));
        end.moveTo(end.trace().steps.size());
        std::size_t betweenColumns = 0;
        for (const auto& [one, other] : keptEdges(end, gridEdges(image.width, image.height, Connectivity::eight))) {
            betweenColumns += one % image.width != other % image.width ? 1 : 0;
        }
        ASSERT_LE(betweenColumns, std::size_t{image.width - 1} * image.height);
    }
}

TEST(GridSimplificationPlayer, ShowsEveryProposition) {
    testing::Random random(47);
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        std::map<std::string, std::size_t> seen;
        for (std::uint32_t i = 0; i < 20; ++i) {
            const Trace trace = gridSimplificationPlayer().record(testing::randomLab(random), connected(connectivity));
            for (const Step& step : trace.steps) {
                ++seen[std::string(step.text->caption).substr(0, 13)];
            }
        }
        const bool eight = connectivity == Connectivity::eight;
        EXPECT_EQ(seen.count("Proposition 1") != 0, eight);
        EXPECT_EQ(seen.count("Proposition 2") != 0, eight);
        EXPECT_EQ(seen.count("Proposition 3") != 0, !eight);
    }
}

} // namespace
} // namespace pollard::teach
