#include "players/players.hpp"

#include "base/compiler.hpp"
#include "teach/label_lab.hpp"

#include <algorithm>
#include <map>

namespace pollard::teach {
namespace {

#ifdef POLLARD_ASAN
constexpr std::uint32_t kImages = 400;
#else
constexpr std::uint32_t kImages = 4'000;
#endif

std::map<int, int> linesOf(const Trace& trace) {
    std::map<int, int> lines;
    for (const Step& step : trace.steps) {
        ++lines[step.text->line];
    }
    return lines;
}

TEST(StripsPlayer, EndsWithTheEnginesLabels) {
    testing::Random random(67);
    std::map<int, int> lines;
    for (std::uint32_t i = 0; i < kImages && !HasFailure(); ++i) {
        const LabImage image = testing::randomObjects(random);
        PlayerSpec spec = testing::specWithOrder(i);
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        spec.kind = random() % 4 == 0 ? TreeKind::min : TreeKind::max;
        TraceCursor end(std::make_shared<const Trace>(stripsPlayer().record(image, spec)));
        end.moveTo(end.trace().steps.size());
        const bool bright = spec.kind == TreeKind::max;
        const Mask mask = thresholdMask(imageOf(image), bright ? spec.threshold : std::uint16_t{0},
                                        bright ? std::uint16_t{0xffff} : spec.threshold, nullptr);
        ComponentsSpec objects;
        objects.connectivity = spec.connectivity;
        const Components expected = labelComponents(mask, nullptr, objects);
        EXPECT_TRUE(std::ranges::equal(end.layer(Layer::number), expected.labels)) << "image " << i;
        EXPECT_EQ(end.trace().steps.back().values[0].value, expected.count);
        // Parts are labelled as their objects are.
        const auto& table = end.layer(Layer::table);
        std::int64_t most = 0;
        for (std::size_t row = 0; row < table.size(); row += kPartCells) {
            most = std::max(most, table[row + static_cast<std::size_t>(PartCell::label)]);
        }
        EXPECT_EQ(most, expected.count);
        EXPECT_LT(end.trace().steps.size(), 2'000U);
        for (const auto& [line, steps] : linesOf(end.trace())) {
            lines[line] += steps;
        }
    }
    for (int line = 1; line < static_cast<int>(stripsPlayer().lines.size()); ++line) {
        EXPECT_GT(lines[line], 0) << stripsPlayer().lines[static_cast<std::size_t>(line)];
    }
}

TEST(StripsPlayer, NeedsAnAtomicForTheSecondContactAlone) {
    // A bridge: two piers, each joined to it by a first contact; and a bowl with a second contact at its second wall.
    PlayerSpec spec;
    spec.threshold = 9;
    const LabImage bridge{5, 2, {9, 9, 9, 9, 9, 9, 0, 0, 0, 9}};
    auto lines = linesOf(stripsPlayer().record(bridge, spec));
    EXPECT_EQ(lines[2], 2);
    EXPECT_EQ(lines[3], 0);
    const LabImage bowl{5, 2, {9, 0, 0, 0, 9, 9, 9, 9, 9, 9}};
    lines = linesOf(stripsPlayer().record(bowl, spec));
    EXPECT_EQ(lines[2], 1);
    EXPECT_EQ(lines[3], 1);
}

TEST(StripsPlayer, JoinsAcrossTheBorder) {
    PlayerSpec spec;
    spec.threshold = 9;
    const LabImage pole{1, 9, std::vector<std::uint16_t>(9, 9)};
    const auto lines = linesOf(stripsPlayer().record(pole, spec));
    EXPECT_EQ(lines.at(5), 3); // parts, of strips of 4, 4 and 1 rows
    EXPECT_EQ(lines.at(6), 2); // borders
    EXPECT_EQ(lines.at(7), 1);
    EXPECT_EQ(lines.at(8), 2); // the other two parts: the last one was joined to the first at once
}

} // namespace
} // namespace pollard::teach
