#include "players/players.hpp"

#include "teach/tree_lab.hpp"

#include <map>

namespace pollard::teach {
namespace {

constexpr std::array kColumns{
    std::pair{AttributeCell::area, AttributeId::area},
    std::pair{AttributeCell::level, AttributeId::level},
    std::pair{AttributeCell::levelSum, AttributeId::sum},
    std::pair{AttributeCell::volume, AttributeId::volume},
};

/// A trace at its end, and the engine's session with the same tree.
struct Finished {
    Finished(const LabImage& image, const PlayerSpec& spec)
        : cursor(std::make_shared<const Trace>(attributePlayer().record(image, spec))),
          session(makeCpuEngine()->openSession({1})) {
        cursor.moveTo(cursor.trace().steps.size());
        session->open(std::make_shared<const Image>(imageOf(image)));
        TreeSpec tree;
        tree.kind = spec.kind;
        tree.connectivity = spec.connectivity;
        session->buildTree(tree);
    }

    [[nodiscard]] std::int64_t cell(std::size_t node, AttributeCell column) const {
        return cursor.layer(Layer::table).at(node * kAttributeCells + static_cast<std::size_t>(column));
    }

    TraceCursor cursor;
    std::unique_ptr<Session> session;
};

TEST(AttributePlayer, EndsWithTheEnginesAttributes) {
    testing::Random random(23);
    for (int i = 0; i < 10'000 && !HasFailure(); ++i) {
        PlayerSpec spec;
        spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const Finished end(testing::randomLab(random), spec);
        const ComponentTree& tree = *end.session->tree();
        ASSERT_EQ(end.cursor.trace().tableColumns.size(), kAttributeCells);
        ASSERT_EQ(end.cursor.layer(Layer::table).size(), tree.nodeCount() * kAttributeCells);
        for (const auto& [column, id] : kColumns) {
            const auto expected = end.session->attribute(id);
            for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
                ASSERT_EQ(static_cast<double>(end.cell(n, column)), expected->at(n))
                    << attributeInfo(id).name << " of node " << n;
            }
        }
        const auto width = end.session->attribute(AttributeId::width);
        const auto height = end.session->attribute(AttributeId::heightPx);
        for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
            ASSERT_EQ(end.cell(n, AttributeCell::canonical), tree.canonical[n]);
            ASSERT_EQ(static_cast<double>(end.cell(n, AttributeCell::right) - end.cell(n, AttributeCell::left) + 1),
                      width->at(n));
            ASSERT_EQ(static_cast<double>(end.cell(n, AttributeCell::bottom) - end.cell(n, AttributeCell::top) + 1),
                      height->at(n));
        }
    }
}

TEST(AttributePlayer, CountsEveryNodeOnceAValue) {
    // A ramp: a chain of 256 nodes, each of one pixel.
    LabImage ramp{16, 16, {}};
    for (std::uint32_t p = 0; p < 256; ++p) {
        ramp.levels.push_back(static_cast<std::uint16_t>(257 * p));
    }
    const Trace trace = attributePlayer().record(ramp, {});
    std::map<std::string, int> steps;
    for (const Step& step : trace.steps) {
        ++steps[step.text->caption];
    }
    // Own pixels, sums, volumes (the root apart) and boxes of 256 nodes; three times a gift to each of 255 parents.
    EXPECT_EQ(trace.steps.size(), 4U * 256 + 3U * 255 + 1);
    EXPECT_EQ(steps.size(), 9U);
}

TEST(AttributePlayer, GivesTheVolumeAboveTheParent) {
    // Levels 1 1 4 6 1: the node at level 6 is 2 above the node at 4, which is 3 + 5 above the background.
    const LabImage image{5, 1, {1, 1, 4, 6, 1}};
    const Finished end(image, {});
    EXPECT_EQ(end.cell(0, AttributeCell::volume), 0 + 3 + 5 + 0 + 0);
    EXPECT_EQ(end.cell(1, AttributeCell::volume), 3 + 5);
    EXPECT_EQ(end.cell(2, AttributeCell::volume), 2);
    EXPECT_EQ(end.cursor.layer(Layer::number), (std::vector<std::int64_t>{-1, -1, 2, 1, 5}));
}

} // namespace
} // namespace pollard::teach
