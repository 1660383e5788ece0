#pragma once

#include "analysis/watershed.hpp"
#include "base/error.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/watershed/flood_rules.hpp"
#include "cuda/watershed/flood_tile.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace pollard::cuda {

/// Sets the times and labels of seeds, and notes their tiles and their largest label.
template <class Level, class Shape> struct PlaceSeeds {
    using Time = FloodTime<Level>;

    LevelView<Level> levels;
    DeviceMask inside; ///< without words: all pixels
    FloodGrid<Shape> grid;
    std::uint32_t* labels; ///< seeds or 0
    std::uint32_t* times;
    std::uint32_t* seeded; ///< per tile
    std::uint32_t* largest;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto x = static_cast<std::uint32_t>(i % grid.extent.width);
        const auto y = static_cast<std::uint32_t>(i / grid.extent.width);
        const std::uint32_t seed = labels[i];
        const bool isInside = inside.words == nullptr || inside.isSet(x, y);
        if (!isInside || seed == 0) {
            times[i] = isInside ? Time::kNever : Time::kOutside;
            labels[i] = LabelRule<Level, 4>::kUnknown;
            return;
        }
        times[i] = Time::begin(levels[i]);
        storeSame(seeded + grid.tileOf(x, y % grid.extent.height, y / grid.extent.height), 1U);
        if (seed > kMostSeeds) {
            raiseInStep(largest, seed);
        }
    }
};

/// The round of its level in which a pixel gets a label.
template <class Level> struct RoundOfPixel {
    using Time = FloodTime<Level>;

    const std::uint32_t* times;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t i) const {
        return times[i] >= Time::kNever ? 0 : Time::roundOf(times[i]);
    }
};

/// Labels without the mark of unknown labels; 0 on lines, if so specified.
template <int kNeighbours> struct WriteLabels {
    Extent extent;
    const std::uint32_t* labels;
    bool lines;
    std::uint32_t* out;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        constexpr std::uint32_t kUnknown = LabelRule<std::uint8_t, 4>::kUnknown;
        const std::uint32_t label = labels[i];
        out[i] = label == kUnknown || (lines && hasSmallerAround(i, label)) ? 0 : label;
    }

private:
    [[nodiscard]] POLLARD_DEVICE bool hasSmallerAround(std::size_t i, std::uint32_t label) const {
        const auto x = static_cast<std::uint32_t>(i % extent.width);
        const auto row = static_cast<std::uint32_t>(i / extent.width);
        const std::uint32_t y = row % extent.height;
        const std::uint32_t z = row / extent.height;
        bool found = false;
        forNeighbours<kNeighbours>([&](int dx, int dy, int dz) {
            const std::uint32_t toX = x + static_cast<std::uint32_t>(dx);
            const std::uint32_t toY = y + static_cast<std::uint32_t>(dy);
            const std::uint32_t toZ = z + static_cast<std::uint32_t>(dz);
            if (toX < extent.width && toY < extent.height && toZ < extent.slices) {
                found |= labels[(std::size_t{toZ} * extent.height + toY) * extent.width + toX] < label;
            }
        });
        return found;
    }
};

/// The seeded watershed, with the labels of watershed() of core/analysis. The machine is the GPU or an emulator and has
/// Buffer<T>, make(), fill(), blocks(), each(), maximum(), readBack() and finish().
template <class Machine, class Level, class Shape, int kNeighbours> class FloodBuild {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    FloodBuild(Machine& machine, const LevelView<Level>& levels, const Extent& extent)
        : machine_(machine), levels_(levels), grid_{extent}, pixels_(extent.pixelCount()) {}

    /// Runs the stages "seeds", "times" and "labels".
    /// @param labels seeds or 0
    /// @param inside without words: all pixels
    /// @throws Error(invalidArgument) for a label above kMostSeeds, Error(engineUnavailable) if a level has more rounds
    /// than times can tell apart
    [[nodiscard]] Buffer<std::uint32_t> run(Buffer<std::uint32_t> labels, const DeviceMask& inside, bool lines) {
        auto times = machine_.template make<std::uint32_t>(pixels_, "times of the flood");
        lists_ = machine_.template make<std::uint32_t>(std::size_t{grid_.tiles()} * 2, kTiles);
        marks_ = machine_.template make<std::uint32_t>(grid_.tiles(), kTiles);
        seeded_ = machine_.template make<std::uint32_t>(grid_.tiles(), kTiles);
        rounds_ = machine_.template make<FloodRound>(kRounds + 1, kTiles);
        placeSeeds(labels, inside, times);
        machine_.finish("seeds");
        settle(TimeRule<Level, kNeighbours>{levels_, times.data()});
        requireRounds(times);
        machine_.finish("times");
        settle(LabelRule<Level, kNeighbours>{levels_, times.data(), labels.data()});
        machine_.each(WriteLabels<kNeighbours>{grid_.extent, labels.data(), lines, times.data()}, pixels_);
        machine_.finish("labels");
        return times;
    }

private:
    static constexpr const char* kTiles = "tiles of the flood";
    /// Rounds between two looks at the number of tiles that are left.
    static constexpr std::uint32_t kRounds = 8;
    /// Enough blocks to fill an H200.
    static constexpr std::uint32_t kMostBlocks = 132 * 8;

    void placeSeeds(Buffer<std::uint32_t>& labels, const DeviceMask& inside, Buffer<std::uint32_t>& times) {
        auto largest = machine_.template make<std::uint32_t>(1, "seeds");
        machine_.fill(largest.data(), 1, 0);
        machine_.fill(seeded_.data(), grid_.tiles(), 0);
        machine_.each(PlaceSeeds<Level, Shape>{levels_, inside, grid_, labels.data(), times.data(), seeded_.data(),
                                               largest.data()},
                      pixels_);
        std::uint32_t found = 0;
        machine_.readBack(&found, largest.data());
        requireSeed(found);
    }

    /// Settles the tiles with seeds, then those beside which values fell, until none are left.
    template <class Rule> void settle(const Rule& rule) {
        const std::uint32_t tiles = grid_.tiles();
        machine_.fill(marks_.data(), tiles, 0);
        std::uint32_t number = 0;
        for (std::uint32_t left = tiles; left != 0;) {
            machine_.each(StartRounds{rounds_.data(), left}, kRounds + 1);
            for (std::uint32_t i = 0; i != kRounds; ++i, ++number) {
                std::uint32_t* const list = lists_.data() + number % 2 * tiles;
                std::uint32_t* const next = lists_.data() + (number + 1) % 2 * tiles;
                const FloodLists lists{
                    rounds_.data() + i, number == 0 ? nullptr : list, seeded_.data(), next, marks_.data(), number + 1};
                machine_.blocks(SettleTiles<Rule, Shape>{rule, grid_, lists}, std::min(tiles, kMostBlocks));
            }
            FloodRound next{};
            machine_.readBack(&next, rounds_.data() + kRounds);
            left = next.count;
        }
    }

    void requireRounds(Buffer<std::uint32_t>& times) {
        auto last = machine_.template make<unsigned long long>(1, "rounds of the flood");
        machine_.fill(last.data(), 1, 0);
        machine_.maximum(RoundOfPixel<Level>{times.data()}, pixels_, last.data());
        unsigned long long found = 0;
        machine_.readBack(&found, last.data());
        if (found >= FloodTime<Level>::kLastRound) {
            throw Error(ErrorCode::engineUnavailable, "watershed: more than " +
                                                          std::to_string(FloodTime<Level>::kLastRound) +
                                                          " rounds at a level, which only the engine cpu can count");
        }
    }

    Machine& machine_;
    LevelView<Level> levels_;
    FloodGrid<Shape> grid_;
    std::size_t pixels_;
    Buffer<std::uint32_t> lists_;
    Buffer<std::uint32_t> marks_;
    Buffer<std::uint32_t> seeded_;
    Buffer<FloodRound> rounds_;
};

} // namespace pollard::cuda
