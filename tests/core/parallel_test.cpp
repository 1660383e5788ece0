#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <tbb/task_arena.h>
#include <thread>
#include <vector>

namespace pollard::test {

namespace {

TEST(Parallel, OffsetsAndSumsEqualThoseOfOneThread) {
    tbb::task_arena arena(4);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kGrain, kGrain + 1, 5 * kGrain + 7}) {
        std::vector<std::uint32_t> values(count);
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = static_cast<std::uint32_t>(i * 2654435761U) >> 20U;
        }
        std::vector<std::uint32_t> expected = values;
        const std::uint32_t total = toOffsets(expected);
        arena.execute([&] {
            EXPECT_EQ(sumOfParts(count, {},
                                 [&](std::size_t begin, std::size_t end) {
                                     std::uint64_t sum = 0;
                                     for (std::size_t i = begin; i != end; ++i) {
                                         sum += values[i];
                                     }
                                     return sum;
                                 }),
                      total);
            EXPECT_EQ(toOffsets(values, {}), total);
            EXPECT_EQ(values, expected);
            fillAll(std::span(values), 7U, {});
            EXPECT_EQ(std::ranges::count(values, 7U), static_cast<std::ptrdiff_t>(count));
        });
    }
}

TEST(Parallel, TouchedPagesAreWritten) {
    std::vector<std::byte> memory(3 * 4096 + 1, std::byte{1});
    touchPages(memory, {});
    EXPECT_EQ(std::ranges::count(memory, std::byte{0}), 4);
    touchPages({}, {});
}

TEST(InOrder, TakesAllValuesInOrderFewAtATime) {
    for (const int threads : {1, 2, 4}) {
        tbb::task_arena arena(threads);
        arena.execute([&] {
            std::atomic<int> alive{0};
            int most = 0;
            std::vector<std::uint64_t> taken;
            makeInOrder<std::shared_ptr<std::uint64_t>>(
                200, {},
                [&](std::uint64_t i) {
                    ++alive;
                    std::this_thread::sleep_for(std::chrono::microseconds(i % 7 * 20));
                    return std::shared_ptr<std::uint64_t>(new std::uint64_t(i), [&](const std::uint64_t* value) {
                        --alive;
                        delete value;
                    });
                },
                [&](const std::shared_ptr<std::uint64_t>& value) {
                    most = std::max(most, alive.load());
                    taken.push_back(*value);
                });
            ASSERT_EQ(taken.size(), 200U);
            for (std::size_t i = 0; i < taken.size(); ++i) {
                EXPECT_EQ(taken[i], i);
            }
            EXPECT_LE(most, 2 * threads);
            EXPECT_EQ(alive, 0);
        });
    }
}

TEST(InOrder, EndsWithTheFirstValuesAfterAnExceptionOrAStop) {
    std::uint64_t taken = 0;
    const auto make = [](std::uint64_t i) { return std::vector<int>(i + 1, 1); };
    EXPECT_THROW(makeInOrder<std::vector<int>>(100, {}, make,
                                               [&](const std::vector<int>& value) {
                                                   EXPECT_EQ(value.size(), ++taken);
                                                   if (taken == 30) {
                                                       throw std::runtime_error("full");
                                                   }
                                               }),
                 std::runtime_error);
    EXPECT_EQ(taken, 30U);
    std::stop_source stop;
    taken = 0;
    EXPECT_THROW(makeInOrder<std::vector<int>>(1'000'000, JobControl(stop.get_token()), make,
                                               [&](const std::vector<int>&) {
                                                   if (++taken == 10) {
                                                       stop.request_stop();
                                                   }
                                               }),
                 Cancelled);
    EXPECT_GE(taken, 10U);
    EXPECT_LT(taken, 1000U);
    makeInOrder<int>(
        0, {}, [](std::uint64_t) { return 1; }, [](int) { FAIL(); });
}

} // namespace

} // namespace pollard::test
