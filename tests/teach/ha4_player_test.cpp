#include "players/players.hpp"

#include "base/compiler.hpp"
#include "teach/label_lab.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace pollard::teach {
namespace {

#ifdef POLLARD_ASAN
constexpr std::uint32_t kImages = 300;
#else
constexpr std::uint32_t kImages = 3'000;
#endif

TraceCursor ended(const LabImage& image, const PlayerSpec& spec) {
    TraceCursor cursor(std::make_shared<const Trace>(ha4Player().record(image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor;
}

/// Number of steps at each line of the pseudo-code.
std::map<int, int> linesOf(const Trace& trace) {
    std::map<int, int> lines;
    for (const Step& step : trace.steps) {
        ++lines[step.text->line];
    }
    return lines;
}

TEST(Ha4Player, EndsWithTheEnginesLabels) {
    testing::Random random(41);
    for (std::uint32_t i = 0; i < kImages; ++i) {
        const LabImage image = testing::randomObjects(random);
        const PlayerSpec spec = testing::specWithOrder(i);
        const TraceCursor end = ended(image, spec);
        std::vector<std::int64_t> labels = end.layer(Layer::number);
        std::ranges::replace(labels, -1, 0); // background
        ASSERT_EQ(labels, testing::engineLabels(image, spec)) << "image " << i;
        for (std::uint32_t y = 0; y < image.height; ++y) {
            std::int64_t word = 0;
            for (std::uint32_t x = 0; x < image.width; ++x) {
                word |= std::int64_t{image.levels[image.pixelAt(x, y)] >= spec.threshold} << x;
            }
            ASSERT_EQ(end.layer(Layer::word)[y], word);
        }
        ASSERT_LT(end.trace().steps.size(), 2'000U);
    }
}

TEST(Ha4Player, JoinsEveryTwoRunsThatTouch) {
    // A comb: four teeth, a bar below.
    LabImage comb{7, 2, {9, 0, 9, 0, 9, 0, 9, 9, 9, 9, 9, 9, 9, 9}};
    PlayerSpec spec;
    spec.threshold = 9;
    const TraceCursor end = ended(comb, spec);
    EXPECT_EQ(end.layer(Layer::number), (std::vector<std::int64_t>{1, -1, 1, -1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1}));
    const auto lines = linesOf(end.trace());
    EXPECT_EQ(lines.at(2), 5); // runs
    EXPECT_EQ(lines.at(3), 4); // places where they touch
    EXPECT_EQ(lines.at(6), 4); // each joins two trees
    EXPECT_EQ(lines.count(7), 0U);
}

TEST(Ha4Player, ShowsThatSomebodyWasFaster) {
    testing::Random random(43);
    int retries = 0;
    for (std::uint32_t seed = 1; seed < 200; ++seed) {
        LabImage image{16, 4, {}};
        for (std::uint32_t p = 0; p < 64; ++p) {
            image.levels.push_back(p % 2 == 0 || p / 16 % 2 == 1 ? 200 : 0);
        }
        PlayerSpec spec;
        spec.turns = Turns::random;
        spec.seed = seed;
        const auto lines = linesOf(ha4Player().record(image, spec));
        retries += lines.count(7) != 0 ? lines.at(7) : 0;
    }
    EXPECT_GT(retries, 0);
}

TEST(Ha4Player, HasNoObjectsInADarkImage) {
    const TraceCursor end = ended({3, 5, std::vector<std::uint16_t>(15, 0)}, {});
    EXPECT_EQ(end.layer(Layer::number), std::vector<std::int64_t>(15, -1));
    EXPECT_EQ(end.trace().steps.back().values[0].value, 0);
}

} // namespace
} // namespace pollard::teach
