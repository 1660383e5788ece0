#include "bench/bench_images.hpp"
#include "cli/cli_fixture.hpp"

#include "snake/row_sums.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BenchSnake : public CliTest {};

TEST_F(BenchSnake, TimesEveryAlgorithmOnADisc) {
    const Outcome outcome = call({"bench", "--snake", "--size", "160x128", "--repeat", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> rows;
    const Json told = Json::parse(outcome.out);
    for (const Json& row : told.at("results")) {
        rows.push_back(row.at("algorithm").get<std::string>() + " " + row.at("stage").get<std::string>());
        EXPECT_EQ(row.at("image"), "160x128 disc");
        EXPECT_EQ(row.at("pixels"), 160 * 128);
        EXPECT_GT(row.at("nodes"), 8);
        EXPECT_GT(row.at("dice"), 0.95);
        EXPECT_LE(row.at("dice"), 1);
        EXPECT_GE(row.at("ms").get<double>(), 0);
    }
    EXPECT_THAT(rows, ElementsAre("local-best sums/wall", "local-best evolution/wall", "parity sums/wall",
                                  "parity evolution/wall", "sequential sums/wall", "sequential evolution/wall"));
}

TEST_F(BenchSnake, TimesIndependentContours) {
    const Outcome outcome =
        call({"bench", "--snake", "--apart", "3", "--size", "200x180", "--repeat", "1", "--min-length", "4", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> rows;
    const Json told = Json::parse(outcome.out);
    for (const Json& row : told.at("results")) {
        rows.push_back(row.at("algorithm").get<std::string>() + " " + row.at("stage").get<std::string>());
        EXPECT_EQ(row.at("image"), "200x180 of 9 discs");
        EXPECT_GT(row.at("nodes"), 9 * 6);
        EXPECT_GT(row.at("dice"), 0.9);
    }
    EXPECT_THAT(rows, ElementsAre("local-best evolution/wall", "parity evolution/wall", "sequential evolution/wall"));
}

TEST_F(BenchSnake, TimesWhatItIsAskedFor) {
    const Outcome outcome = call({"bench", "--snake", "--size", "100x80", "--repeat", "1", "--algorithms", "parity",
                                  "--max-step", "8", "--min-length", "4"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("first step 8 px, edges from 4 px on split"));
    EXPECT_THAT(outcome.out, HasSubstr("parity"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("local-best")));
    EXPECT_EQ(call({"bench", "--snake", "--algorithms", "none"}).code, 2);
    EXPECT_EQ(call({"bench", "--snake", "--components"}).code, 2);
    EXPECT_EQ(call({"bench", "--snake", "--min-length", "1"}).code, 2);
}

TEST(NoisyDisc, HasTheLevelsItShould) {
    const NoisyDisc disc = makeDisc(400, 300);
    RegionSums regions[2];
    for (std::uint32_t y = 0; y < 300; ++y) {
        for (std::uint32_t x = 0; x < 400; ++x) {
            const std::int64_t level = disc.image->level(std::size_t{y} * 400 + x);
            regions[disc.holds(x, y) ? 1 : 0] += {1, level, level * level};
        }
    }
    EXPECT_NEAR(static_cast<double>(regions[1].pixels), 3.14159 * 90 * 90, 100);
    EXPECT_NEAR(meanOf(regions[1]), 1040, 1);
    EXPECT_NEAR(meanOf(regions[0]), 1000, 1);
    EXPECT_NEAR(std::sqrt(varianceOf(regions[1])), 30, 0.5);
    EXPECT_NEAR(std::sqrt(varianceOf(regions[0])), 30, 0.5);
}

} // namespace
} // namespace pollard::cli
