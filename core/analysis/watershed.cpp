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

/// State of a place while the image is flooded, in one word, so that a neighbour takes one access to memory: the level
/// of the neighbour that offers a label (16 bits), whether the place waits for its round (1), the label (31), the own
/// level (16). The smaller of two words has the better offer, and no offer is smaller than a word that does not wait.
class Cell {
public:
    Cell() = default;
    /// A place with a label, or with label 0 one that no neighbour labels: outside the mask, and seeds before their
    /// level.
    Cell(std::uint32_t label, std::uint16_t level) noexcept : word_(std::uint64_t{label} << kLabelAt | level) {}
    /// A place that no neighbour has offered a label.
    static Cell open(std::uint16_t level) noexcept {
        Cell cell;
        cell.word_ = ~kLevel | level;
        return cell;
    }

    [[nodiscard]] std::uint16_t level() const noexcept { return static_cast<std::uint16_t>(word_); }
    [[nodiscard]] bool isOpen() const noexcept { return word_ >= ~kLevel; }
    /// 0 unless the place has one.
    [[nodiscard]] std::uint32_t label() const noexcept {
        return (word_ & kWaits) != 0 ? 0 : static_cast<std::uint32_t>(word_ >> kLabelAt);
    }

    /// Takes the label that a place with a label offers, if it is better.
    void consider(Cell from) noexcept {
        word_ = std::min(word_, from.word_ << kOfferAt | kWaits | (from.word_ & ~kLevel) | (word_ & kLevel));
    }
    /// Makes the label that was offered known.
    void settle() noexcept { word_ &= kWaits - 1; }

private:
    static constexpr int kLabelAt = 16;
    static constexpr int kOfferAt = 48;
    static constexpr std::uint64_t kLevel = 0xffff;
    static constexpr std::uint64_t kWaits = std::uint64_t{1} << 47;

    std::uint64_t word_;
};

template <class Level, int Neighbours> class Flood {
public:
    Flood(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside, bool descending,
          const JobControl& control)
        : grid_(image.extent()), steps_(grid_.steps<Neighbours>()), rows_(grid_.rowSteps<Neighbours>()),
          control_(control), seeds_(seeds), cells_(grid_.size()), late_(image.pixelCount()),
          places_(image.pixelCount()), starts_(kLevels), seedsAt_(kLevels) {
        fill(image.pixels<Level>(), inside, descending ? maxLevelOf(image.type()) : 0);
        placeSeeds(inside);
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
        Buffer<std::uint32_t> result = std::move(places_);
        const std::size_t width = grid_.extent().width;
        forEachIndex(
            grid_.extent().rows(), control_,
            [&](std::size_t y) {
                const std::size_t place = grid_.row(y);
                for (std::size_t x = 0; x != width; ++x) {
                    const std::uint32_t label = cells_[place + x].label();
                    result[y * width + x] = lines && hasSmallerAround(place + x) ? 0 : label;
                }
            },
            kRowsAtOnce);
        return result;
    }

private:
    static constexpr std::size_t kLevels = std::size_t{1} << (8 * sizeof(Level));
    /// Places of a round between two looks at the stop request.
    static constexpr std::size_t kPlaces = 1U << 16;
    /// Places between a place and the one whose cells are fetched into the cache.
    static constexpr std::size_t kAhead = 12;
    static constexpr std::size_t kRowsAtOnce = 64;

    void fill(std::span<const Level> pixels, const Mask* inside, std::uint32_t flip) {
        const std::size_t width = grid_.extent().width;
        const std::size_t rows = grid_.extent().rows();
        std::fill_n(cells_.begin(), grid_.row(0), Cell(0, 0));
        forEachIndex(
            rows, control_,
            [&](std::size_t y) {
                Cell* cell = cells_.begin() + grid_.row(y);
                for (std::size_t x = 0; x != width; ++x) {
                    const bool isOpen = seeds_[y * width + x] == 0 &&
                                        (inside == nullptr ||
                                         inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
                    const auto level = static_cast<Level>(pixels[y * width + x] ^ flip);
                    *cell++ = isOpen ? Cell::open(level) : Cell(0, level);
                }
                std::fill(cell, y + 1 == rows ? cells_.end() : cells_.begin() + grid_.row(y + 1), Cell(0, 0));
            },
            kRowsAtOnce);
        for (std::size_t y = 0; y != rows; ++y) {
            control_.throwIfStopped();
            for (std::size_t x = 0; x != width; ++x) {
                const std::size_t pixel = y * width + x;
                if (inside != nullptr && !inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
                    continue;
                }
                const auto level = static_cast<Level>(pixels[pixel] ^ flip);
                const std::uint32_t seed = seeds_[pixel];
                ++starts_[level];
                if (seed != 0) {
                    requireSeed(seed);
                    ++seedsAt_[level];
                }
            }
        }
    }

    /// Divides `places_` among the levels, the seeds of a level first.
    void placeSeeds(const Mask* inside) {
        toOffsets(starts_);
        ends_ = starts_;
        const std::size_t width = grid_.extent().width;
        for (std::size_t y = 0; y != grid_.extent().rows(); ++y) {
            const std::size_t place = grid_.row(y);
            for (std::size_t x = 0; x != width; ++x) {
                if (seeds_[y * width + x] != 0 &&
                    (inside == nullptr || inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)))) {
                    places_[ends_[cells_[place + x].level()]++] = static_cast<std::uint32_t>(place + x);
                }
            }
        }
    }

    /// A round is a part of `places_` and one of `late_`.
    void floodLevel(Level level) {
        std::uint32_t first = starts_[level];
        std::uint32_t end = first + seedsAt_[level];
        last_ = 0;
        forPlaces(places_, first, end,
                  [&](std::uint32_t place) { cells_[place] = Cell(seeds_[grid_.pixelAt(place)], level); });
        spreadFrom(places_, first, end, level);
        for (std::uint32_t firstLate = 0, endLate = 0;; first = end, firstLate = endLate) {
            first = end;
            end = ends_[level];
            endLate = last_;
            if (first == end && firstLate == endLate) {
                return;
            }
            const auto settle = [&](std::uint32_t place) { cells_[place].settle(); };
            forPlaces(places_, first, end, settle);
            forPlaces(late_, firstLate, endLate, settle);
            spreadFrom(places_, first, end, level);
            spreadFrom(late_, firstLate, endLate, level);
        }
    }

    /// Calls @p function for places, whose cells it will find in the cache.
    template <class Function>
    void forPlaces(const Buffer<std::uint32_t>& places, std::size_t first, std::size_t end, const Function& function) {
        for (std::size_t i = first; i != end; ++i) {
            if ((i - first) % kPlaces == kPlaces - 1) {
                control_.throwIfStopped();
            }
            if (end - i > kAhead) {
                __builtin_prefetch(&cells_[places[i + kAhead]], 1);
            }
            function(places[i]);
        }
    }

    /// Offers the labels of places to their neighbours, which get into the next round or wait for their level.
    void spreadFrom(const Buffer<std::uint32_t>& places, std::size_t first, std::size_t end, Level level) {
        for (std::size_t i = first; i != end; ++i) {
            if ((i - first) % kPlaces == kPlaces - 1) {
                control_.throwIfStopped();
            }
            if (end - i > kAhead) {
                const Cell* const ahead = &cells_[places[i + kAhead]];
                __builtin_prefetch(ahead, 1);
                for (const std::ptrdiff_t row : rows_) {
                    __builtin_prefetch(ahead + row, 1);
                }
            }
            spread(places[i], level);
        }
    }

    void spread(std::size_t place, Level level) {
        const Cell from = cells_[place];
        for (const std::ptrdiff_t step : steps_) {
            const std::size_t other = place + static_cast<std::size_t>(step);
            Cell& cell = cells_[other];
            if (cell.isOpen()) {
                const auto own = static_cast<Level>(cell.level());
                if (own < level) {
                    late_[last_++] = static_cast<std::uint32_t>(other);
                } else {
                    places_[ends_[own]++] = static_cast<std::uint32_t>(other);
                }
            }
            cell.consider(from);
        }
    }

    [[nodiscard]] bool hasSmallerAround(std::size_t place) const {
        return std::ranges::any_of(steps_, [&](std::ptrdiff_t step) {
            return cells_[place + static_cast<std::size_t>(step)].label() - 1 < cells_[place].label() - 1;
        });
    }

    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    std::array<std::ptrdiff_t, PaddedGrid::kRowsAround<Neighbours>> rows_;
    const JobControl& control_;
    std::span<const std::uint32_t> seeds_;
    Buffer<Cell> cells_;
    Buffer<std::uint32_t> late_;         ///< places of the rounds of a level whose own level was flooded before
    Buffer<std::uint32_t> places_;       ///< by level: its seeds, the places that wait for it, the places of its rounds
    std::uint32_t last_ = 0;             ///< one past the last of `late_`
    std::vector<std::uint32_t> starts_;  ///< per level, in `places_`
    std::vector<std::uint32_t> seedsAt_; ///< number of seeds per level
    std::vector<std::uint32_t> ends_;
};

/// Upper bound of the memory of watershed(), including the result, without image and seeds.
std::uint64_t bytesOfFlood(PixelType type, const Extent& extent) noexcept {
    constexpr std::uint64_t kPerLevel = 3 * sizeof(std::uint32_t);
    const std::uint64_t levels = std::uint64_t{1} << bitsOf(type);
    return PaddedGrid(extent).size() * sizeof(Cell) + extent.pixelCount() * 2 * sizeof(std::uint32_t) +
           levels * kPerLevel;
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
