#include "players/players.hpp"

#include "base/compiler.hpp"
#include "teach/label_lab.hpp"

#include <map>
#include <set>

namespace pollard::teach {
namespace {

#ifdef POLLARD_ASAN
constexpr std::uint32_t kImages = 200;
#else
constexpr std::uint32_t kImages = 2'000;
#endif

TEST(TmkPlayer, EndsWithTheEnginesObjects) {
    testing::Random random(47);
    std::size_t most = 0;
    for (std::uint32_t i = 0; i < kImages && !HasFailure(); ++i) {
        const LabImage image = testing::randomObjects(random);
        const PlayerSpec spec = testing::specWithOrder(i);
        TraceCursor end(std::make_shared<const Trace>(tmkPlayer().record(image, spec)));
        end.moveTo(end.trace().steps.size());
        most = std::max(most, end.trace().steps.size());
        const Components objects = testing::engineObjects(image, spec);
        const auto& table = end.layer(Layer::table);
        const auto cell = [&](std::size_t node, NodeCell column) {
            return table[node * kNodeCells + static_cast<std::size_t>(column)];
        };
        std::set<std::int64_t> places;
        for (std::size_t node = 0; node < table.size() / kNodeCells; ++node) {
            const std::int64_t label = cell(node, NodeCell::label); // first pixel of the object
            if (label < 0) {
                EXPECT_EQ(cell(node, NodeCell::pixels), -1);
                EXPECT_EQ(cell(node, NodeCell::place), -1);
                continue;
            }
            const std::uint32_t object = objects.labels[static_cast<std::size_t>(label)];
            ASSERT_GT(object, 0U);
            EXPECT_EQ(static_cast<std::uint64_t>(cell(node, NodeCell::pixels)), objects.objects[object - 1].area);
            // The descendants of a node follow it in the list without gaps.
            const std::int64_t place = cell(node, NodeCell::place);
            const std::int64_t left = cell(node, NodeCell::left);
            const std::int64_t right = cell(node, NodeCell::right);
            places.insert(place);
            if (left >= 0) {
                EXPECT_EQ(cell(static_cast<std::size_t>(left), NodeCell::place), place + 1);
            }
            if (right >= 0) {
                EXPECT_EQ(cell(static_cast<std::size_t>(right), NodeCell::place),
                          place + 1 + (left >= 0 ? cell(static_cast<std::size_t>(left), NodeCell::size) : 0));
            }
        }
        EXPECT_EQ(places.size(), objects.count) << "image " << i;
        EXPECT_TRUE(places.empty() || *places.rbegin() == static_cast<std::int64_t>(objects.count) - 1);
    }
    EXPECT_LT(most, 3'000U);
}

TEST(TmkPlayer, AddsWhatHasTheSameLabel) {
    const LabImage bar{16, 2, std::vector<std::uint16_t>(32, 200)};
    const Trace trace = tmkPlayer().record(bar, {});
    std::map<int, int> lines;
    for (const Step& step : trace.steps) {
        ++lines[step.text->line];
    }
    EXPECT_EQ(lines[1], 16); // nodes of two pixels
    EXPECT_EQ(lines[7], 15); // all but one are added to another one
    EXPECT_EQ(lines[6], 0);
    EXPECT_EQ(lines[3], 1); // two blocks
    EXPECT_EQ(lines[9], 1); // one object
}

TEST(TmkPlayer, KeepsDifferentLabelsApart) {
    const LabImage dots{8, 1, {200, 0, 200, 0, 200, 0, 200, 0}};
    const Trace trace = tmkPlayer().record(dots, {});
    std::map<int, int> lines;
    for (const Step& step : trace.steps) {
        ++lines[step.text->line];
    }
    EXPECT_EQ(lines[7], 0);
    EXPECT_GE(lines[6], 3);
    EXPECT_EQ(lines[9], 4);
}

} // namespace
} // namespace pollard::teach
