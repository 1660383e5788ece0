#include "bench/bench_samples.hpp"

#include <gtest/gtest.h>

namespace pollard::cli {
namespace {

TEST(Latencies, AreRanksOfTheFrames) {
    Latencies latencies;
    EXPECT_EQ(latencies.median(), 0);
    EXPECT_EQ(latencies.overBound(), 0U);
    for (int i = 100; i > 0; --i) {
        latencies.add(i);
    }
    EXPECT_EQ(latencies.count(), 100U);
    EXPECT_EQ(latencies.median(), 50);
    EXPECT_EQ(latencies.p95(), 95);
    EXPECT_EQ(latencies.longest(), 100);
    EXPECT_EQ(latencies.overBound(), 95U) << "5 ms keep the bound";
}

TEST(Latencies, OfAnOddNumberHaveTheirMiddle) {
    Latencies latencies;
    for (const double milliseconds : {30, 10, 20}) {
        latencies.add(milliseconds);
    }
    EXPECT_EQ(latencies.median(), 20);
    EXPECT_EQ(latencies.p95(), 30);
}

TEST(Latencies, OfOneFrameAreItsOwn) {
    Latencies latencies;
    latencies.add(3.5);
    EXPECT_EQ(latencies.median(), 3.5);
    EXPECT_EQ(latencies.p95(), 3.5);
    EXPECT_EQ(latencies.longest(), 3.5);
}

} // namespace
} // namespace pollard::cli
