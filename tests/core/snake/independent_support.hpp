#pragma once

#include "core/snake/snake_support.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Noise with a grid of parts of about @p side px, each with a start.
inline SnakeJob randomIndependentJob(std::uint32_t seed, std::uint32_t side) {
    Random random(seed);
    const std::uint32_t columns = 1 + random() % 3;
    const std::uint32_t rows = 1 + random() % 3;
    const auto cell = [&] { return side / 2 + random() % side; };
    std::vector<std::uint32_t> x{static_cast<std::uint32_t>(random() % 5)};
    std::vector<std::uint32_t> y{static_cast<std::uint32_t>(random() % 5)};
    for (std::uint32_t i = 0; i < columns; ++i) {
        x.push_back(x.back() + cell());
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        y.push_back(y.back() + cell());
    }
    const std::uint32_t width = x.back() + random() % 5;
    const std::uint32_t height = y.back() + random() % 5;
    SnakeJob job;
    job.image = makeImage(random() % 2 == 0 ? PixelType::u8 : PixelType::u16, width, height,
                          [&](auto px, auto py) { return (px / 7 + py / 9) % 2 * 60 + random() % (1 + seed % 190); });
    job.spec.law = kRegionLaws[random() % kRegionLaws.size()];
    job.spec.minLength = 2 + random() % 6;
    job.spec.minPixels = random() % 6;
    job.spec.maxStep = random() % 2 == 0 ? 0 : 1U << random() % 4;
    job.spec.maxNodes = random() % 3 == 0 ? 12 + random() % 10 : 4096;
    job.spec.maxRounds = random() % 3 == 0 ? 1 + random() % 20 : 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            const PixelRegion part{x[c], y[r], x[c + 1] - x[c], y[r + 1] - y[r]};
            const Image own(PixelType::u8, part.width, part.height);
            Contour start = randomStart(random, own, 10);
            for (ContourNode& node : start) {
                node = {node.x + static_cast<std::int32_t>(part.x), node.y + static_cast<std::int32_t>(part.y)};
            }
            job.parts.push_back(part);
            job.starts.push_back(std::move(start));
        }
    }
    if (random() % 3 == 0) {
        job.valid = std::make_shared<const Mask>(complementOf(randomMask(random, width, height, 9)));
    }
    if (random() % 3 == 0) {
        RowCounts forbidden(randomMask(random, width, height, 6));
        for (const Contour& start : job.starts) {
            forbidden.fill(start, false);
        }
        job.forbidden = std::make_shared<const Mask>(forbidden.mask());
    }
    job.spec.lengthPrice = randomLengthPrice(random);
    return job;
}

inline void expectSameState(const SnakeState& a, const SnakeState& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.round, b.round);
    EXPECT_EQ(a.reach, b.reach);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.energy), std::bit_cast<std::uint64_t>(b.energy));
    EXPECT_EQ(a.inside, b.inside);
    EXPECT_EQ(a.outside, b.outside);
}

/// All states of all contours.
struct IndependentStates {
    std::vector<std::vector<SnakeState>> of;

    explicit IndependentStates(std::size_t snakes) : of(snakes) {}
    [[nodiscard]] SnakeListener listener() {
        return [this](std::size_t snake, const SnakeState& state) {
            of.at(snake).push_back(state);
            return true;
        };
    }
    void expectSame(const IndependentStates& other) const {
        ASSERT_EQ(of.size(), other.of.size());
        for (std::size_t i = 0; i < of.size(); ++i) {
            ASSERT_EQ(of[i].size(), other.of[i].size()) << "contour " << i;
            for (std::size_t k = 0; k < of[i].size(); ++k) {
                expectSameState(of[i][k], other.of[i][k]);
            }
        }
    }
    /// Compares the final states with the states of a result, which may be trimmed().
    void expectEndsWith(const std::vector<SnakeState>& last, double lengthPrice) const {
        ASSERT_EQ(of.size(), last.size());
        for (std::size_t i = 0; i < of.size(); ++i) {
            ASSERT_FALSE(of[i].empty());
            SnakeState reached = of[i].back();
            SnakeState result = last[i];
            trim(reached, lengthPrice);
            trim(result, lengthPrice);
            expectSameState(reached, result);
        }
    }
};

/// Compares @p run(job, listener) with the CPU: states, with and without a listener, or the error message. @return
/// number of states, 0 on an error
template <class Run> std::size_t compareIndependent(const SnakeJob& job, const Run& run) {
    IndependentStates expected(job.starts.size());
    try {
        expected.expectEndsWith(runSnake(job, expected.listener()).states, job.spec.lengthPrice);
    } catch (const Error& refusal) {
        try {
            static_cast<void>(run(job, SnakeListener()));
            ADD_FAILURE() << "not refused: " << refusal.what();
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), refusal.what());
        }
        return 0;
    }
    IndependentStates told(job.starts.size());
    expected.expectEndsWith(run(job, told.listener()), job.spec.lengthPrice);
    told.expectSame(expected);
    expected.expectEndsWith(run(job, SnakeListener()), job.spec.lengthPrice);
    std::size_t states = 0;
    for (const auto& each : expected.of) {
        states += each.size();
    }
    return states;
}

} // namespace pollard::testing
