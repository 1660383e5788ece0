#include "analysis/watershed.hpp"

#include "analysis/padded_grid.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace pollard {
namespace {

/// A place without a label has 0. This bit is set from the time when a place gets into a round until the end of the
/// round, with the label that it gets there, and in seeds until their level.
constexpr std::uint32_t kPending = 0x8000'0000;
constexpr std::uint32_t kOutside = 0xffff'ffff;

template <class Level, int Neighbours> class Flood {
public:
    Flood(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside, bool descending,
          const JobControl& control)
        : grid_(image.extent()), steps_(grid_.steps<Neighbours>()), control_(control), labels_(grid_.size()),
          levels_(grid_.size()), round_(image.pixelCount()), waiting_(image.pixelCount()), counts_(kLevels),
          seeds_(kLevels) {
        std::fill(labels_.begin(), labels_.end(), kOutside);
        fill(image.pixels<Level>(), seeds, inside, descending ? maxLevelOf(image.type()) : 0);
        placeSeeds();
    }

    void run() {
        for (std::size_t level = 0; level != kLevels; ++level) {
            if (starts_[level] != ends_[level]) {
                control_.throwIfStopped();
                floodLevel(static_cast<Level>(level));
            }
            if (level % (kLevels / 64) == 0) {
                control_.report(static_cast<double>(level) / kLevels, "watershed");
            }
        }
    }

    /// The labels without the border. The flood ends.
    Buffer<std::uint32_t> take(bool lines) {
        Buffer<std::uint32_t> result = std::move(round_);
        const std::size_t width = grid_.extent().width;
        forEachIndex(
            grid_.extent().rows(), control_,
            [&](std::size_t y) {
                const std::size_t place = grid_.row(y);
                for (std::size_t x = 0; x != width; ++x) {
                    const std::uint32_t label = labels_[place + x];
                    const bool isLine = lines && label != 0 && label < kPending && hasSmallerAround(place + x);
                    result[y * width + x] = isLine || label >= kPending ? 0 : label;
                }
            },
            64);
        return result;
    }

private:
    static constexpr std::size_t kLevels = std::size_t{1} << (8 * sizeof(Level));
    /// Places of a round between two looks at the stop request.
    static constexpr std::size_t kPlaces = 1U << 16;

    void fill(std::span<const Level> pixels, std::span<const std::uint32_t> seeds, const Mask* inside,
              std::uint32_t flip) {
        const std::size_t width = grid_.extent().width;
        for (std::size_t y = 0; y != grid_.extent().rows(); ++y) {
            control_.throwIfStopped();
            const std::size_t place = grid_.row(y);
            for (std::size_t x = 0; x != width; ++x) {
                if (inside != nullptr && !inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
                    continue;
                }
                const std::uint32_t seed = seeds[y * width + x];
                requireSeed(seed);
                const auto level = static_cast<Level>(pixels[y * width + x] ^ flip);
                levels_[place + x] = level;
                labels_[place + x] = seed == 0 ? 0 : seed | kPending;
                ++counts_[level];
                seeds_[level] += seed == 0 ? 0 : 1;
            }
        }
    }

    /// Divides `waiting_` among the levels, the seeds of a level first.
    void placeSeeds() {
        starts_ = std::move(counts_);
        toOffsets(starts_);
        ends_ = starts_;
        const std::size_t width = grid_.extent().width;
        for (std::size_t y = 0; y != grid_.extent().rows(); ++y) {
            for (std::size_t place = grid_.row(y), end = place + width; place != end; ++place) {
                if (labels_[place] >= kPending && labels_[place] != kOutside) {
                    waiting_[ends_[levels_[place]]++] = static_cast<std::uint32_t>(place);
                }
            }
        }
    }

    void floodLevel(Level level) {
        const std::uint32_t seedsEnd = starts_[level] + seeds_[level];
        last_ = 0;
        const std::uint32_t reachedEnd = ends_[level];
        for (std::uint32_t i = starts_[level]; i != seedsEnd; ++i) {
            settle(waiting_[i], level);
        }
        for (std::uint32_t i = seedsEnd; i != reachedEnd; ++i) {
            round_[last_++] = waiting_[i];
        }
        for (std::size_t first = 0; first != last_;) {
            const std::size_t end = last_;
            forPlaces(first, end, [&](std::size_t place) { labels_[place] = kPending | labelOfFirstAround(place); });
            forPlaces(first, end, [&](std::size_t place) { settle(place, level); });
            first = end;
        }
    }

    template <class Function> void forPlaces(std::size_t first, std::size_t end, const Function& function) const {
        for (std::size_t part = first; part < end; part += kPlaces) {
            control_.throwIfStopped();
            for (std::size_t i = part, last = std::min(end, part + kPlaces); i != last; ++i) {
                function(round_[i]);
            }
        }
    }

    /// The label of the neighbour that is flooded first; of several, the smallest.
    [[nodiscard]] std::uint32_t labelOfFirstAround(std::size_t place) const {
        std::uint64_t first = ~std::uint64_t{0};
        for (const std::ptrdiff_t step : steps_) {
            const std::size_t other = place + static_cast<std::size_t>(step);
            const std::uint32_t label = labels_[other];
            const std::uint64_t isNone = label - 1 < kPending - 1 ? 0 : 1;
            first = std::min(first, isNone << 63 | std::uint64_t{levels_[other]} << 32 | label);
        }
        return static_cast<std::uint32_t>(first);
    }

    [[nodiscard]] bool hasSmallerAround(std::size_t place) const {
        return std::ranges::any_of(steps_, [&](std::ptrdiff_t step) {
            return labels_[place + static_cast<std::size_t>(step)] - 1 < labels_[place] - 1;
        });
    }

    /// Makes the label of a place known to the next rounds, into which its neighbours get.
    void settle(std::size_t place, Level level) {
        labels_[place] &= ~kPending;
        for (const std::ptrdiff_t step : steps_) {
            const std::size_t other = place + static_cast<std::size_t>(step);
            if (labels_[other] != 0) {
                continue;
            }
            labels_[other] = kPending;
            if (const Level own = levels_[other]; own <= level) {
                round_[last_++] = static_cast<std::uint32_t>(other);
            } else {
                waiting_[ends_[own]++] = static_cast<std::uint32_t>(other);
            }
        }
    }

    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    const JobControl& control_;
    Buffer<std::uint32_t> labels_;
    Buffer<Level> levels_;
    Buffer<std::uint32_t> round_;   ///< places of the rounds of a level, one after another
    Buffer<std::uint32_t> waiting_; ///< places that a level takes up, by level
    std::size_t last_ = 0;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> seeds_;  ///< per level
    std::vector<std::uint32_t> starts_; ///< per level, in `waiting_`
    std::vector<std::uint32_t> ends_;
};

/// Upper bound of the memory of watershed(), including the result, without image and seeds.
std::uint64_t bytesOfFlood(PixelType type, const Extent& extent) noexcept {
    constexpr std::uint64_t kPerLevel = 3 * sizeof(std::uint32_t);
    const std::uint64_t levels = std::uint64_t{1} << bitsOf(type);
    return PaddedGrid(extent).size() * (sizeof(std::uint32_t) + bytesOf(type)) +
           extent.pixelCount() * 2 * sizeof(std::uint32_t) + levels * kPerLevel;
}

} // namespace

void requireSeed(std::uint32_t label) {
    if (label > kMostSeeds) {
        throw Error(ErrorCode::invalidArgument, "watershed: seed " + std::to_string(label) +
                                                    ": labels of seeds are at most " + std::to_string(kMostSeeds));
    }
}

Connectivity requireFloodable(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                              const WatershedSpec& spec) {
    if (seeds.size() != image.pixelCount()) {
        throw Error(ErrorCode::invalidArgument,
                    "watershed: the seeds must have the size of the image, " + text(image.extent()));
    }
    requireInGrid("watershed", image, inside);
    return connectivityIn(image.extent(), spec.connectivity);
}

Buffer<std::uint32_t> watershed(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                const WatershedSpec& spec, const JobControl& control) {
    const Connectivity connectivity = requireFloodable(image, seeds, inside, spec);
    requireAvailable("watershed: image of " + text(image.extent()), bytesOfFlood(image.type(), image.extent()));
    try {
        return dispatch(image.type(), [&]<class Level>(Level) {
            return withNeighbours(connectivity, [&]<int Neighbours>() {
                Flood<Level, Neighbours> flood(image, seeds, inside, spec.descending, control);
                flood.run();
                return flood.take(spec.lines);
            });
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "watershed: not enough memory for " + text(image.extent()));
    }
}

} // namespace pollard
