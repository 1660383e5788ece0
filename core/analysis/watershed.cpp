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
#include <tbb/task_arena.h>
#include <utility>
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
    /// Whether no neighbour has offered a label to a place of this level or of one before.
    [[nodiscard]] bool isOpenUpTo(std::uint16_t level) const noexcept { return word_ - ~kLevel <= level; }
    /// Whether the place waits, with an offer of a neighbour whose level comes before this one.
    [[nodiscard]] bool hasOfferBefore(std::uint16_t level) const noexcept {
        return (word_ & kWaits) != 0 && word_ >> kOfferAt < level;
    }
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

/// Bands of rows that are sorted in parallel: lists of a band have more places than the image has levels.
std::size_t floodBands(const Extent& extent, std::uint64_t levels) {
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    return std::clamp<std::size_t>(extent.pixelCount() / (4 * levels), 1, std::min(threads, extent.rows()));
}

template <class Level, int Neighbours> class Flood {
public:
    Flood(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside, bool descending,
          const JobControl& control)
        : grid_(image.extent()), steps_(grid_.steps<Neighbours>()), rows_(grid_.rowSteps<Neighbours>()),
          control_(control), seeds_(seeds), cells_(grid_.size()), round_(image.pixelCount()),
          places_(image.pixelCount()), starts_(kKeys + 1) {
        const auto flip = static_cast<Level>(descending ? maxLevelOf(image.type()) : 0);
        if (inside == nullptr) {
            sort(image.pixels<Level>(), flip, [](std::size_t, std::size_t) { return true; });
        } else {
            sort(image.pixels<Level>(), flip, [inside](std::size_t x, std::size_t y) {
                return inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            });
        }
    }

    void run() {
        for (std::size_t level = 0; level != kLevels; ++level) {
            if (starts_[2 * level] != starts_[2 * level + 2]) {
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
    /// Two lists of places per level: its seeds, and the others.
    static constexpr std::size_t kKeys = 2 * kLevels;
    /// Places of a round between two looks at the stop request.
    static constexpr std::size_t kPlaces = 1U << 16;
    /// Places between a place and the one whose cells are fetched into the cache.
    static constexpr std::size_t kAhead = 12;
    static constexpr std::size_t kRowsAtOnce = 64;

    /// Fills the cells, and sorts the places by level, the seeds of a level first: a counting sort of bands of rows.
    template <class IsInside> void sort(std::span<const Level> pixels, Level flip, const IsInside& isInside) {
        const std::size_t rows = grid_.extent().rows();
        const std::size_t bands = floodBands(grid_.extent(), kLevels);
        Buffer<std::uint32_t> ends(bands * kKeys); // per band, of its part of each list
        // Calls visit(place, level, seed, isInside) for the pixels of a band, and endRow(y, place) after each row.
        const auto forPixels = [&](std::size_t band, const auto& visit, const auto& endRow) {
            const std::size_t width = grid_.extent().width;
            for (std::size_t y = band * rows / bands; y != (band + 1) * rows / bands; ++y) {
                control_.throwIfStopped();
                const std::size_t place = grid_.row(y);
                const Level* const levels = pixels.data() + y * width;
                const std::uint32_t* const seeds = seeds_.data() + y * width;
                for (std::size_t x = 0; x != width; ++x) {
                    visit(place + x, static_cast<Level>(levels[x] ^ flip), seeds[x], isInside(x, y));
                }
                endRow(y, place + width);
            }
        };
        const auto keyOf = [](Level level, std::uint32_t seed) { return 2 * std::size_t{level} + (seed != 0 ? 0 : 1); };
        std::fill_n(cells_.begin(), grid_.row(0), Cell(0, 0));
        const auto fillBand = [&](std::size_t band) {
            std::uint32_t* const counts = &ends[band * kKeys];
            std::fill_n(counts, kKeys, 0U);
            std::uint32_t largest = 0;
            forPixels(
                band,
                [&](std::size_t place, Level level, std::uint32_t seed, bool within) {
                    cells_[place] = within && seed == 0 ? Cell::open(level) : Cell(0, level);
                    counts[keyOf(level, seed)] += within ? 1 : 0;
                    largest = std::max(largest, within ? seed : 0);
                },
                [&](std::size_t y, std::size_t place) {
                    std::fill(cells_.begin() + place, y + 1 == rows ? cells_.end() : cells_.begin() + grid_.row(y + 1),
                              Cell(0, 0));
                });
            requireSeed(largest);
        };
        forEachIndex(bands, control_, fillBand, 1);
        std::uint32_t sum = 0;
        for (std::size_t key = 0; key != kKeys; ++key) {
            starts_[key] = sum;
            for (std::size_t band = 0; band != bands; ++band) {
                sum += std::exchange(ends[band * kKeys + key], sum);
            }
        }
        starts_[kKeys] = sum;
        const auto placeBand = [&](std::size_t band) {
            std::uint32_t* const next = &ends[band * kKeys];
            forPixels(
                band,
                [&](std::size_t place, Level level, std::uint32_t seed, bool within) {
                    if (within) {
                        places_[next[keyOf(level, seed)]++] = static_cast<std::uint32_t>(place);
                    }
                },
                [](std::size_t, std::size_t) {});
        };
        forEachIndex(bands, control_, placeBand, 1);
    }

    /// The first round has two kinds of places. Places of this level with an offer from a level before get their labels
    /// and pass them on at once: offers of this level are not better. Places with offers of seeds of this level alone,
    /// and all places of later rounds, get their labels before a place of the round passes its label on.
    void floodLevel(Level level) {
        const std::uint32_t first = starts_[2 * level];
        const std::uint32_t firstOther = starts_[2 * level + 1];
        const std::uint32_t end = starts_[2 * level + 2];
        last_ = 0;
        forPlaces(places_, first, firstOther,
                  [&](std::uint32_t place) { cells_[place] = Cell(seeds_[grid_.pixelAt(place)], level); });
        forPlaces(places_, first, firstOther, [&](std::uint32_t place) { spread(place, level); });
        std::uint32_t endRound = last_;
        const auto settle = [&](std::uint32_t place) { cells_[place].settle(); };
        forPlaces(round_, 0, endRound, settle);
        forPlaces(places_, firstOther, end, [&](std::uint32_t place) {
            if (cells_[place].hasOfferBefore(level)) {
                cells_[place].settle();
                spread(place, level);
            }
        });
        forPlaces(round_, 0, endRound, [&](std::uint32_t place) { spread(place, level); });
        for (std::uint32_t begin = endRound; begin != last_; begin = endRound) {
            endRound = last_;
            forPlaces(round_, begin, endRound, settle);
            forPlaces(round_, begin, endRound, [&](std::uint32_t place) { spread(place, level); });
        }
    }

    /// Calls @p function for places, whose cells and neighbours it will find in the cache.
    template <class Function>
    void forPlaces(const Buffer<std::uint32_t>& places, std::size_t first, std::size_t end, const Function& function) {
        // The places of the next levels follow in the array, so they can be fetched, too.
        const std::size_t last = &places == &places_ ? starts_[kKeys] : end;
        for (std::size_t i = first; i != end; ++i) {
            if ((i - first) % kPlaces == kPlaces - 1) {
                control_.throwIfStopped();
            }
            if (last - i > kAhead) {
                const Cell* const ahead = &cells_[places[i + kAhead]];
                __builtin_prefetch(ahead, 1);
                for (const std::ptrdiff_t row : rows_) {
                    __builtin_prefetch(ahead + row, 1);
                }
            }
            function(places[i]);
        }
    }

    /// Offers the label of a place to its neighbours. Open neighbours of this level or of one before wait for the next
    /// round, the others for their level.
    void spread(std::size_t place, Level level) {
        const Cell from = cells_[place];
        for (const std::ptrdiff_t step : steps_) {
            const std::size_t other = place + static_cast<std::size_t>(step);
            Cell& cell = cells_[other];
            if (cell.isOpenUpTo(level)) {
                round_[last_++] = static_cast<std::uint32_t>(other);
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
    Buffer<std::uint32_t> round_;       ///< places of the rounds of a level, one round after another
    Buffer<std::uint32_t> places_;      ///< by level, its seeds first
    std::uint32_t last_ = 0;            ///< one past the last of `round_`
    std::vector<std::uint32_t> starts_; ///< per level of its seeds and of its other places, in `places_`
};

/// Upper bound of the memory of watershed(), including the result, without image and seeds.
std::uint64_t bytesOfFlood(PixelType type, const Extent& extent) {
    constexpr std::uint64_t kPerLevel = 2 * sizeof(std::uint32_t);
    const std::uint64_t levels = std::uint64_t{1} << bitsOf(type);
    return PaddedGrid(extent).size() * sizeof(Cell) + extent.pixelCount() * 2 * sizeof(std::uint32_t) +
           levels * kPerLevel * (1 + floodBands(extent, levels));
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
