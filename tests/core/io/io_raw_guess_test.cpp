#include "formats/images/raw_reader.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>

namespace pollard::test {

namespace {

using SampleType = RawLayout::SampleType;

TEST(RawGuess, ProposesTheUsualLayoutFirst) {
    EXPECT_EQ(describe(guessRawLayouts(2048ULL * 2048 * 2).at(0)), describe(RawLayout{2048, 2048, SampleType::u16}));
    EXPECT_EQ(describe(guessRawLayouts(640ULL * 480).at(0)), describe(RawLayout{640, 480, SampleType::u8}));
    EXPECT_EQ(describe(guessRawLayouts(1392ULL * 1040 * 2).at(0)), describe(RawLayout{1392, 1040, SampleType::u16}));
    EXPECT_EQ(describe(guessRawLayouts(1000ULL * 1000 * 2).at(0)), describe(RawLayout{1000, 1000, SampleType::u16}));
    EXPECT_EQ(describe(guessRawLayouts(512ULL * 512 * 2 * 37).at(0)),
              describe(RawLayout{512, 512, SampleType::u16, false, 1, 0, 37}));
    EXPECT_EQ(describe(guessRawLayouts(512ULL + 1024 * 1024 * 2).at(0)),
              describe(RawLayout{1024, 1024, SampleType::u16, false, 1, 512, 1}));
}

TEST(RawGuess, FitsTheFileExactlyAndNamesNoneTwice) {
    for (const std::uint64_t bytes : std::initializer_list<std::uint64_t>{
             1ULL, 2ULL, 513ULL, 4096ULL, 307200ULL, 921600ULL, 8388608ULL, 12582912ULL, 33554432ULL + 1024, 1ULL << 40,
             std::numeric_limits<std::uint64_t>::max()}) {
        const auto guesses = guessRawLayouts(bytes, 50);
        for (const RawLayout& guess : guesses) {
            EXPECT_EQ(rawBytes(guess), bytes) << describe(guess);
            EXPECT_EQ(std::count(guesses.begin(), guesses.end(), guess), 1) << describe(guess);
        }
    }
    EXPECT_LE(guessRawLayouts(1 << 24, 3).size(), 3U);
    EXPECT_TRUE(guessRawLayouts(0).empty());
}

TEST(RawGuess, ThinksOfColourAndFloats) {
    EXPECT_THAT(guessRawLayouts(640ULL * 480 * 3), ::testing::Contains(RawLayout{640, 480, SampleType::u8, false, 3}));
    EXPECT_THAT(guessRawLayouts(500ULL * 500 * 4), ::testing::Contains(RawLayout{500, 500, SampleType::f32}));
}

TEST(RawLayout, CountsItsBytesWithoutOverflow) {
    EXPECT_EQ(rawBytes({3, 2, SampleType::f64, false, 2, 10, 5}), 10U + 3 * 2 * 8 * 2 * 5);
    RawLayout huge{0xffffffffU, 0xffffffffU, SampleType::f64, false, 1000};
    EXPECT_EQ(rawBytes(huge), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(rawBytes({1, 1, SampleType::u8, false, 1, std::numeric_limits<std::uint64_t>::max(), 1}),
              std::numeric_limits<std::uint64_t>::max());
}

TEST(RawLayout, DescribesItself) {
    EXPECT_EQ(describe({1024, 768, SampleType::u16, true, 1, 512, 3}),
              "1024 x 768 px, 16-bit unsigned, big-endian, 3 pages after 512 bytes");
    EXPECT_EQ(describe({5, 4, SampleType::u8, false, 3}), "5 x 4 px, 8-bit unsigned, 3 samples a pixel");
}

} // namespace

} // namespace pollard::test
