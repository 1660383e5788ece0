// Flooding against the engine's watershed, the forest against Kruskal's algorithm, and both against the passes between
// pixels and seeds.

#include "players/players.hpp"

#include "analysis/watershed.hpp"
#include "base/buffer.hpp"
#include "base/disjoint_sets.hpp"
#include "player/player.hpp"
#include "teach/tree_lab.hpp"
#include "trace/grid_edges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace pollard::teach {
namespace {

TraceCursor played(const PlayerInfo& player, const LabImage& image, const PlayerSpec& spec) {
    TraceCursor cursor(std::make_shared<const Trace>(player.record(image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor;
}

/// Calls check(image, spec) for many images, both trees and both connectivities.
void forRandomImages(const auto& check) {
    testing::Random random(71);
    for (int i = 0; i < 400; ++i) {
        PlayerSpec spec;
        spec.kind = i % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = i % 4 < 2 ? Connectivity::four : Connectivity::eight;
        check(testing::randomLab(random), spec);
    }
}

TEST(WatershedPlayers, FloodAsTheEngineDoes) {
    forRandomImages([](const LabImage& image, const PlayerSpec& spec) {
        const std::vector<std::int64_t> shown = shownSeeds(image, spec);
        std::vector<std::uint32_t> seeds(shown.size());
        std::ranges::transform(shown, seeds.begin(), [](std::int64_t seed) {
            return static_cast<std::uint32_t>(std::max<std::int64_t>(seed, 0));
        });
        const Buffer<std::uint32_t> labels =
            watershed(imageOf(image), seeds, nullptr, {spec.connectivity, spec.kind == TreeKind::min, false});
        const TraceCursor end = played(watershedPlayer(), image, spec);
        ASSERT_EQ(end.layer(Layer::number), std::vector<std::int64_t>(labels.begin(), labels.end()));
    });
}

/// The lowest pass, its highest level, from each pixel to the seeds with a label.
std::vector<int> passesTo(std::int64_t label, const std::vector<std::int64_t>& seeds,
                          const std::vector<std::uint16_t>& levels, const std::vector<GridEdge>& edges) {
    std::vector<int> passes(levels.size(), 1 << 20U);
    for (std::size_t pixel = 0; pixel < levels.size(); ++pixel) {
        if (seeds[pixel] == label) {
            passes[pixel] = levels[pixel];
        }
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (const auto& [a, b] : edges) {
            for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
                const int pass = std::max<int>(passes[from], levels[to]);
                changes = changes || pass < passes[to];
                passes[to] = std::min(passes[to], pass);
            }
        }
    }
    return passes;
}

TEST(WatershedPlayers, GiveEachPixelASeedBehindItsLowestPass) {
    forRandomImages([](const LabImage& image, const PlayerSpec& spec) {
        if (image.pixelCount() > 60) {
            return;
        }
        const std::vector<std::int64_t> seeds = shownSeeds(image, spec);
        const std::vector<std::uint16_t> levels = orderedLevels(image, spec.kind);
        const std::vector<GridEdge> edges = gridEdges(image.width, image.height, spec.connectivity);
        std::vector<std::vector<int>> passes;
        for (std::int64_t label = 1; label <= std::ranges::max(seeds); ++label) {
            passes.push_back(passesTo(label, seeds, levels, edges));
        }
        for (const PlayerInfo* const player : {&watershedPlayer(), &forestPlayer()}) {
            const TraceCursor end = played(*player, image, spec);
            for (std::size_t pixel = 0; pixel < levels.size(); ++pixel) {
                const std::int64_t label = end.layer(Layer::number)[pixel];
                ASSERT_GE(label, 1);
                const auto lowest = std::ranges::min(passes, {}, [&](const auto& each) { return each[pixel]; });
                ASSERT_EQ(passes[static_cast<std::size_t>(label - 1)][pixel], lowest[pixel]) << player->id;
                ASSERT_TRUE(seeds[pixel] < 0 || label == seeds[pixel]) << "a seed keeps its label";
            }
        }
    });
}

TEST(WatershedPlayers, TheForestHasTheLeastWeight) {
    forRandomImages([](const LabImage& image, const PlayerSpec& spec) {
        const std::vector<std::int64_t> seeds = shownSeeds(image, spec);
        const std::vector<std::uint16_t> levels = orderedLevels(image, spec.kind);
        const std::vector<GridEdge> edges = gridEdges(image.width, image.height, spec.connectivity);
        const auto weightOf = [&](std::size_t edge) {
            return std::max(levels[edges[edge].first], levels[edges[edge].second]);
        };
        const TraceCursor end = played(forestPlayer(), image, spec);
        const std::vector<std::int64_t>& labels = end.layer(Layer::number);
        std::int64_t sum = 0;
        DisjointSets joined(levels.size());
        for (std::size_t edge = 0; edge < edges.size(); ++edge) {
            if (end.layer(Layer::edge)[edge] == static_cast<std::int64_t>(EdgeMark::used)) {
                sum += weightOf(edge);
                ASSERT_NE(joined.find(edges[edge].first), joined.find(edges[edge].second)) << "a circle";
                joined.join(joined.find(edges[edge].first), joined.find(edges[edge].second));
                ASSERT_EQ(labels[edges[edge].first], labels[edges[edge].second]);
            }
        }
        // Kruskal, with all roots as one tree from the start.
        std::vector<std::size_t> order(edges.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, weightOf);
        DisjointSets trees(levels.size() + 1);
        const auto roots = static_cast<std::uint32_t>(levels.size());
        for (std::uint32_t pixel = 0; pixel < roots; ++pixel) {
            if (seeds[pixel] > 0) {
                trees.join(pixel, roots);
            }
        }
        std::int64_t least = 0;
        for (const std::size_t edge : order) {
            const std::uint32_t a = trees.find(edges[edge].first);
            const std::uint32_t b = trees.find(edges[edge].second);
            if (a != b) {
                least += weightOf(edge);
                trees.join(a, b);
            }
        }
        ASSERT_EQ(sum, least);
    });
}

TEST(WatershedPlayers, SeedsAreTheRegionalMinima) {
    const LabImage image{5, 1, {3, 1, 1, 4, 0}};
    EXPECT_EQ(shownSeeds(image, {}), (std::vector<std::int64_t>{-1, 1, 1, -1, 2}));
    PlayerSpec bright;
    bright.kind = TreeKind::min;
    EXPECT_EQ(shownSeeds(image, bright), (std::vector<std::int64_t>{1, -1, -1, 2, -1}));
}

} // namespace
} // namespace pollard::teach
