#include "analysis/watershed.hpp"

#include "analysis/padded_grid.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <tbb/task_arena.h>
#include <utility>
#include <vector>

namespace pollard {
namespace {

/// State of a place while the image is flooded, in one word, so that a neighbour takes one access to memory.
/// - While the place has no label: 1 (1 bit), the level of the neighbour that offers a label (16), its label (31), the
///   own level (16). The smaller of two words has the better offer.
/// - While the place passes its label on: 0 (17), the label (31), the own level (16).
/// - After that: 0 (1), the time (32), the label (31).
/// - 0 for a place that no neighbour labels: outside the mask, and seeds before their level.
class Cell {
public:
    Cell() = default;
    /// A place that no neighbour has offered a label.
    static Cell open(std::uint16_t level) noexcept { return Cell(~kLevel | level); }
    static Cell closed() noexcept { return Cell(0); }
    static Cell seed(std::uint32_t label, std::uint16_t level) noexcept {
        return Cell(std::uint64_t{label} << kLabelAt | level);
    }
    static Cell done(std::uint32_t time, std::uint32_t label) noexcept {
        return Cell(std::uint64_t{time} << kTimeAt | label);
    }
    static Cell offered(std::uint64_t offer, std::uint16_t level) noexcept {
        return Cell(kWaits | offer << kLabelAt | level);
    }

    /// What a place with a level and a label offers: the smaller of two is better.
    static std::uint64_t offerOf(std::uint16_t level, std::uint32_t label) noexcept {
        return std::uint64_t{level} << (kOfferAt - kLabelAt) | label;
    }
    static std::uint32_t labelOf(std::uint64_t offer) noexcept { return static_cast<std::uint32_t>(offer & kLabel); }

    [[nodiscard]] bool isClosed() const noexcept { return word_ == 0; }
    [[nodiscard]] bool isDone() const noexcept { return word_ - 1 < kWaits - 1; }
    /// Whether no neighbour has offered a label to a place of this level or of one before.
    [[nodiscard]] bool isOpenUpTo(std::uint16_t level) const noexcept { return word_ - ~kLevel <= level; }
    /// Whether the place has no label, but an offer of a neighbour whose level comes before this one.
    [[nodiscard]] bool hasOfferBefore(std::uint16_t level) const noexcept {
        return (word_ & kWaits) != 0 && (word_ & ~kWaits) >> kOfferAt < level;
    }
    /// Of a place that is done.
    [[nodiscard]] std::uint32_t time() const noexcept { return static_cast<std::uint32_t>(word_ >> kTimeAt); }
    /// Of a place that does not pass its label on. 0 if it has none.
    [[nodiscard]] std::uint32_t label() const noexcept {
        return (word_ & kWaits) != 0 ? 0 : static_cast<std::uint32_t>(word_ & kLabel);
    }
    bool operator==(const Cell&) const = default;

    /// Takes the label that a place offers that passes its label on, if it is better.
    void consider(Cell from) noexcept {
        word_ = std::min(word_, kWaits | from.word_ << kOfferAt | (from.word_ & ~kLevel) | (word_ & kLevel));
    }
    /// Makes the label that was offered known. The place may pass it on.
    void settle() noexcept { word_ &= (std::uint64_t{1} << kOfferAt) - 1; }
    /// After it has passed its label on.
    [[nodiscard]] Cell done(std::uint32_t time) const noexcept {
        return done(time, static_cast<std::uint32_t>(word_ >> kLabelAt));
    }

    /// Reads and writes of places that another thread may write.
    [[nodiscard]] Cell load() const noexcept {
        return Cell(std::atomic_ref(const_cast<std::uint64_t&>(word_)).load(std::memory_order_relaxed));
    }
    void store(Cell cell) noexcept { std::atomic_ref(word_).store(cell.word_, std::memory_order_relaxed); }

private:
    explicit Cell(std::uint64_t word) noexcept : word_(word) {}

    static constexpr int kLabelAt = 16;
    static constexpr int kTimeAt = 31;
    static constexpr int kOfferAt = 47;
    static constexpr std::uint64_t kLevel = 0xffff;
    static constexpr std::uint64_t kLabel = 0x7fff'ffff;
    static constexpr std::uint64_t kWaits = std::uint64_t{1} << 63;

    std::uint64_t word_;
};

/// Rows of an image or slices of a volume.
std::size_t unitsOf(const Extent& extent) { return extent.isVolume() ? extent.slices : extent.height; }

/// Places between a band and the next one, so that no place has neighbours in both.
std::size_t gapOf(const PaddedGrid& grid) { return 2 * grid.row(0); }

/// Most bands of rows or slices that are flooded side by side. The lists of a band have more places than the image has
/// levels.
std::size_t floodBands(const Extent& extent, std::uint64_t levels) {
    constexpr std::size_t kLeastUnits = 4;
    const PaddedGrid grid(extent);
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t indexed = (Image::kMaxPixels - grid.size()) / gapOf(grid) + 1; // places have 32 bits
    const std::size_t most = std::min({threads, unitsOf(extent) / kLeastUnits, indexed});
    return std::clamp<std::size_t>(extent.pixelCount() / (4 * levels), 1, std::max<std::size_t>(most, 1));
}

/// When a place gets its label: the level and the round, in the order of flooding.
template <class Level> struct FloodTime {
    static constexpr int kRoundBits = 32 - 8 * static_cast<int>(sizeof(Level));
    static constexpr std::uint32_t kLastRound = (1U << kRoundBits) - 1;
    static constexpr std::uint32_t kNever = ~0U;

    static std::uint32_t at(std::size_t level, std::uint32_t round) noexcept {
        return static_cast<std::uint32_t>(level) << kRoundBits | std::min(round, kLastRound);
    }
    /// When a place of a level gets a label whose first neighbour has had one since @p first.
    static std::uint32_t after(std::uint32_t first, std::size_t level) noexcept {
        return std::max(first, at(level, 0)) + 1;
    }
    static bool isLast(std::uint32_t time) noexcept { return (time & kLastRound) == kLastRound; }
    static bool isSeeds(std::uint32_t time) noexcept { return (time & kLastRound) == 0; }
};

/// Bands are no way to flood an image: a level has more rounds than times can tell apart, or the bands depend on each
/// other too much.
struct NotInBands {};

/// Most places in the queue of a seam. It evaluates no more than four times as many.
std::size_t mostInQueue(const Extent& extent, std::size_t bands) {
    return std::max<std::size_t>(extent.pixelCount() / bands / 16, 4096);
}

/// Places in the order of their times.
class TimeQueue {
public:
    [[nodiscard]] std::size_t size() const noexcept { return later_.size() + next_.size(); }

    void push(std::uint32_t time, std::uint32_t place) {
        if (time == now_ + 1) {
            next_.push_back(place);
        } else {
            later_.push_back(std::uint64_t{time} << 32 | place);
            std::ranges::push_heap(later_, std::greater{});
        }
    }

    /// The places of the first time, valid until the next call.
    const std::vector<std::uint32_t>& pop() {
        first_.clear();
        const std::uint32_t next = now_ + 1;
        if (!next_.empty() && (later_.empty() || next <= firstLater())) {
            std::swap(first_, next_);
            now_ = next;
        } else {
            now_ = firstLater();
            for (const std::uint32_t place : std::exchange(next_, {})) {
                push(next, place);
            }
        }
        while (!later_.empty() && firstLater() == now_) {
            first_.push_back(static_cast<std::uint32_t>(later_.front()));
            std::ranges::pop_heap(later_, std::greater{});
            later_.pop_back();
        }
        return first_;
    }

private:
    [[nodiscard]] std::uint32_t firstLater() const noexcept { return static_cast<std::uint32_t>(later_.front() >> 32); }

    std::uint32_t now_ = 0;
    std::vector<std::uint32_t> next_;  ///< at `now_` + 1
    std::vector<std::uint64_t> later_; ///< heap of times and places
    std::vector<std::uint32_t> first_;
};

/// Floods bands of rows or slices side by side, each as if it were alone. Levels are flooded in stretches. After a
/// stretch the seams between bands are mended: a place beside a place of the other band that has its label earlier is
/// evaluated from all its neighbours, and so are the neighbours of places that change, in the order of their times.
/// A band alone gives upper bounds of the times. A place depends on earlier places only, so times and labels that agree
/// with all neighbours are the ones of the definition.
template <class Level, int Neighbours> class Flood {
public:
    /// @param most parts that are sorted side by side, at least as many as bands
    Flood(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside, bool descending,
          std::size_t bands, std::size_t most, const JobControl& control)
        : grid_(image.extent()), steps_(grid_.steps<Neighbours>()), pixelSteps_(grid_.pixelSteps<Neighbours>()),
          rows_(grid_.rowSteps<Neighbours>()), control_(control), levels_(image.pixels<Level>()),
          flip_(static_cast<Level>(descending ? maxLevelOf(image.type()) : 0)), seeds_(seeds),
          cells_(grid_.size() + (bands - 1) * gapOf(grid_)), round_(image.pixelCount()), places_(image.pixelCount()),
          seams_(bands - 1) {
        const Extent& extent = grid_.extent();
        const std::size_t rowsOfUnit = extent.rows() / unitsOf(extent);
        for (std::size_t band = 0; band <= bands; ++band) {
            firstRows_.push_back(band * unitsOf(extent) / bands * rowsOfUnit);
        }
        for (std::size_t band = 0; band != bands; ++band) {
            bands_.push_back({band, places_.data() + firstRows_[band] * extent.width,
                              round_.data() + firstRows_[band] * extent.width, 0,
                              std::vector<std::uint32_t>(kKeys + 1)});
        }
        forBands([&](Band& band) {
            if (inside == nullptr) {
                sort(band, most / bands, [](std::size_t, std::size_t) { return true; });
            } else {
                sort(band, most / bands, [inside](std::size_t x, std::size_t y) {
                    return inside->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
                });
            }
        });
    }

    /// @throws NotInBands
    void run() {
        const std::uint64_t least = std::max<std::uint64_t>(placesBefore(kLevels) / stretches(), 1);
        for (std::size_t first = 0, end = 0; first != kLevels; first = end) {
            const std::uint64_t until = placesBefore(first) + least;
            do {
                ++end;
            } while (end != kLevels && placesBefore(end + 1) <= until);
            forBands([&](Band& band) { floodLevels(band, first, end); });
            mend(first, end);
        }
    }

    /// The labels without the border. The flood ends.
    Buffer<std::uint32_t> take(bool lines) {
        Buffer<std::uint32_t> result = std::move(places_);
        const std::size_t width = grid_.extent().width;
        forBands([&](const Band& band) {
            const std::size_t begin = firstRows_[band.index];
            forEachIndex(
                firstRows_[band.index + 1] - begin, control_,
                [&](std::size_t row) {
                    const std::size_t pixel = (begin + row) * width;
                    const std::size_t place = placeOfRow(band, begin + row);
                    const Shifts shifts = shiftsAt(band.index, pixel);
                    for (std::size_t x = 0; x != width; ++x) {
                        const std::uint32_t label = cells_[place + x].label();
                        result[pixel + x] = lines && hasSmallerAround(place + x, shifts) ? 0 : label;
                    }
                },
                kRowsAtOnce);
        });
        return result;
    }

private:
    using Time = FloodTime<Level>;
    static constexpr std::size_t kLevels = std::size_t{1} << (8 * sizeof(Level));
    /// Two lists of places per level: its seeds, and the others.
    static constexpr std::size_t kKeys = 2 * kLevels;
    /// Places of a round between two looks at the stop request.
    static constexpr std::size_t kPlaces = 1U << 16;
    /// Places between a place and the one whose cells are fetched into the cache.
    static constexpr std::size_t kAhead = 12;
    static constexpr std::size_t kRowsAtOnce = 64;
    /// Neighbours in the row or slice before: the first of the steps. As many lie in the one after: the last.
    static constexpr std::size_t kBefore = Neighbours == 4 || Neighbours == 6 ? 1
                                           : Neighbours == 8                  ? 3
                                           : Neighbours == 18                 ? 5
                                                                              : 9;

    /// The places of a band lie behind the band before and a gap of closed places.
    struct Band {
        std::size_t index;
        std::uint32_t* places;             ///< by level, its seeds first
        std::uint32_t* round;              ///< places of the rounds of a level, one round after another
        std::uint32_t last;                ///< one past the last of `round`
        std::vector<std::uint32_t> starts; ///< per level of its seeds and of its other places, in `places`
    };

    /// Between a band and the next one.
    struct Seam {
        TimeQueue queue;
        std::size_t evaluated = 0; ///< places
        /// Times and places that the seams before and after this one have changed.
        std::array<std::vector<std::pair<std::uint32_t, std::uint32_t>>, 2> changed;
    };

    /// What is added to a step that leads to the row or slice before or after, to cross a gap.
    struct Shifts {
        std::ptrdiff_t before;
        std::ptrdiff_t after;

        [[nodiscard]] std::ptrdiff_t of(std::size_t direction) const noexcept {
            return direction < kBefore ? before : direction >= Neighbours - kBefore ? after : 0;
        }
    };

    [[nodiscard]] std::size_t placeOfRow(const Band& band, std::size_t y) const noexcept {
        return grid_.row(y) + band.index * gapOf(grid_);
    }
    [[nodiscard]] std::size_t pixelAt(std::size_t band, std::size_t place) const noexcept {
        return grid_.pixelAt(place - band * gapOf(grid_));
    }
    [[nodiscard]] Level levelAt(std::size_t pixel) const noexcept { return static_cast<Level>(levels_[pixel] ^ flip_); }
    [[nodiscard]] Shifts shiftsAt(std::size_t band, std::size_t pixel) const noexcept {
        const std::size_t unit = grid_.extent().pixelCount() / unitsOf(grid_.extent());
        const std::size_t begin = firstRows_[band] * grid_.extent().width;
        const std::size_t end = firstRows_[band + 1] * grid_.extent().width;
        const auto gap = static_cast<std::ptrdiff_t>(gapOf(grid_));
        return {band != 0 && pixel < begin + unit ? -gap : 0,
                band + 1 != bands_.size() && pixel >= end - unit ? gap : 0};
    }

    template <class Function> void forBands(const Function& function) {
        forEachIndex(
            bands_.size(), control_, [&](std::size_t band) { function(bands_[band]); }, 1);
    }

    /// Of all bands.
    [[nodiscard]] std::uint64_t placesBefore(std::size_t level) const {
        std::uint64_t sum = 0;
        for (const Band& band : bands_) {
            sum += band.starts[2 * level];
        }
        return sum;
    }

    /// Stretches of levels, with about as many places each: the fewer seeds, the farther labels spread across seams.
    [[nodiscard]] std::uint64_t stretches() const {
        constexpr double kRows = Neighbours <= 8 ? 8 : 1; // more ways lead across the seams of volumes
        std::uint64_t seeds = 1;
        for (const Band& band : bands_) {
            for (std::size_t level = 0; level != kLevels; ++level) {
                seeds += band.starts[2 * level + 1] - band.starts[2 * level];
            }
        }
        const double apart = std::sqrt(static_cast<double>(grid_.extent().pixelCount()) / static_cast<double>(seeds));
        return bands_.size() == 1 ? 1 : static_cast<std::uint64_t>(std::clamp(apart / kRows, 1.0, 64.0));
    }

    /// Fills the cells of a band, and sorts its places by level, the seeds of a level first: a counting sort of parts
    /// of its rows.
    template <class IsInside> void sort(Band& band, std::size_t parts, const IsInside& isInside) {
        const std::size_t begin = firstRows_[band.index];
        const std::size_t end = firstRows_[band.index + 1];
        Buffer<std::uint32_t> ends(parts * kKeys); // per part, of its places in each list
        // Calls visit(place, level, seed, isInside) for the pixels of a part, and endRow(y, place) after each row.
        const auto forPixels = [&](std::size_t part, const auto& visit, const auto& endRow) {
            const std::size_t width = grid_.extent().width;
            const std::size_t endPart = begin + (part + 1) * (end - begin) / parts;
            for (std::size_t y = begin + part * (end - begin) / parts; y != endPart; ++y) {
                control_.throwIfStopped();
                const std::size_t place = placeOfRow(band, y);
                const Level* const levels = levels_.data() + y * width;
                const std::uint32_t* const seeds = seeds_.data() + y * width;
                for (std::size_t x = 0; x != width; ++x) {
                    visit(place + x, static_cast<Level>(levels[x] ^ flip_), seeds[x], isInside(x, y));
                }
                endRow(y, place + width);
            }
        };
        const auto keyOf = [](Level level, std::uint32_t seed) { return 2 * std::size_t{level} + (seed != 0 ? 0 : 1); };
        if (band.index == 0) {
            std::fill_n(cells_.begin(), grid_.row(0), Cell::closed());
        }
        const auto fillPart = [&](std::size_t part) {
            std::uint32_t* const counts = &ends[part * kKeys];
            std::fill_n(counts, kKeys, 0U);
            std::uint32_t largest = 0;
            forPixels(
                part,
                [&](std::size_t place, Level level, std::uint32_t seed, bool within) {
                    cells_[place] = within && seed == 0 ? Cell::open(level) : Cell::closed();
                    counts[keyOf(level, seed)] += within ? 1 : 0;
                    largest = std::max(largest, within ? seed : 0);
                },
                [&](std::size_t y, std::size_t place) {
                    const std::size_t next = y + 1 == grid_.extent().rows() ? cells_.size()
                                             : y + 1 == end                 ? placeOfRow(bands_[band.index + 1], end)
                                                                            : placeOfRow(band, y + 1);
                    std::fill(cells_.begin() + place, cells_.begin() + next, Cell::closed());
                });
            requireSeed(largest);
        };
        forEachIndex(parts, control_, fillPart, 1);
        std::uint32_t sum = 0;
        for (std::size_t key = 0; key != kKeys; ++key) {
            band.starts[key] = sum;
            for (std::size_t part = 0; part != parts; ++part) {
                sum += std::exchange(ends[part * kKeys + key], sum);
            }
        }
        band.starts[kKeys] = sum;
        const auto placePart = [&](std::size_t part) {
            std::uint32_t* const next = &ends[part * kKeys];
            forPixels(
                part,
                [&](std::size_t place, Level level, std::uint32_t seed, bool within) {
                    if (within) {
                        band.places[next[keyOf(level, seed)]++] = static_cast<std::uint32_t>(place);
                    }
                },
                [](std::size_t, std::size_t) {});
        };
        forEachIndex(parts, control_, placePart, 1);
    }

    void floodLevels(Band& band, std::size_t first, std::size_t end) {
        for (std::size_t level = first; level != end; ++level) {
            if (band.starts[2 * level] != band.starts[2 * level + 2]) {
                floodLevel(band, static_cast<Level>(level));
            }
            if (band.index == 0 && level % (kLevels / 64) == 0) {
                control_.report(static_cast<double>(level) / kLevels, "watershed");
            }
        }
    }

    /// The first round has two kinds of places. Places of this level with an offer from a level before get their labels
    /// and pass them on at once: offers of this level are not better. Places with offers of seeds of this level alone,
    /// and all places of later rounds, get their labels before a place of the round passes its label on.
    void floodLevel(Band& band, Level level) {
        control_.throwIfStopped();
        const std::uint32_t first = band.starts[2 * level];
        const std::uint32_t firstOther = band.starts[2 * level + 1];
        const std::uint32_t end = band.starts[2 * level + 2];
        const std::uint32_t last = band.starts[kKeys]; // the places of the next levels can be fetched, too
        std::uint32_t time = Time::at(level, 0);
        band.last = 0;
        forPlaces(band.places, first, firstOther, last,
                  [&](std::uint32_t place) { cells_[place] = Cell::seed(seeds_[pixelAt(band.index, place)], level); });
        forPlaces(band.places, first, firstOther, last, [&](std::uint32_t place) { spread(band, place, level, time); });
        ++time;
        std::uint32_t endRound = band.last;
        const auto settle = [&](std::uint32_t place) { cells_[place].settle(); };
        forPlaces(band.round, 0, endRound, endRound, settle);
        forPlaces(band.places, firstOther, end, last, [&](std::uint32_t place) {
            if (cells_[place].hasOfferBefore(level)) {
                cells_[place].settle();
                spread(band, place, level, time);
            }
        });
        forPlaces(band.round, 0, endRound, endRound, [&](std::uint32_t place) { spread(band, place, level, time); });
        for (std::uint32_t begin = endRound, round = 2; begin != band.last; begin = endRound, ++round) {
            if (round == Time::kLastRound && bands_.size() != 1) {
                throw NotInBands{};
            }
            time = Time::at(level, round);
            endRound = band.last;
            forPlaces(band.round, begin, endRound, endRound, settle);
            forPlaces(band.round, begin, endRound, endRound,
                      [&](std::uint32_t place) { spread(band, place, level, time); });
        }
    }

    /// Calls @p function for places, whose cells and neighbours it will find in the cache.
    template <class Function> void forPlaces(const std::uint32_t* places, std::size_t first, std::size_t end,
                                             std::size_t last, const Function& function) {
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

    /// Offers the label of a place to its neighbours in the band. Open neighbours of this level or of one before wait
    /// for the next round, the others for their level.
    void spread(Band& band, std::size_t place, Level level, std::uint32_t time) {
        const Cell from = std::exchange(cells_[place], cells_[place].done(time));
        for (const std::ptrdiff_t step : steps_) {
            const std::size_t other = place + static_cast<std::size_t>(step);
            Cell& cell = cells_[other];
            if (cell.isOpenUpTo(level)) {
                band.round[band.last++] = static_cast<std::uint32_t>(other);
            }
            cell.consider(from);
        }
    }

    /// Mends the seams after the levels from @p first to before @p end. Seams with no band in common are mended side by
    /// side.
    void mend(std::size_t first, std::size_t end) {
        const auto mendEach = [&](std::size_t from, bool isFirst) {
            forEachIndex((seams_.size() + 1 - from) / 2, control_,
                         [&](std::size_t i) {
                             if (isFirst) {
                                 compareBands(2 * i + from, Time::at(first, 0));
                             }
                             mendSeam(2 * i + from, end);
                         },
                         1);
        };
        bool isFirst = true;
        do {
            mendEach(0, isFirst);
            mendEach(1, isFirst);
            isFirst = false;
        } while (std::ranges::any_of(
            seams_, [](const Seam& seam) { return !seam.changed[0].empty() || !seam.changed[1].empty(); }));
    }

    /// Puts the places beside a seam into its queue that depend on places of the other band that are done since a time.
    void compareBands(std::size_t seam, std::uint32_t since) {
        const std::size_t width = grid_.extent().width;
        const std::size_t middle = firstRows_[seam + 1];
        const std::size_t unit = grid_.extent().rows() / unitsOf(grid_.extent());
        for (std::size_t y = middle - unit; y != middle + unit; ++y) {
            const std::size_t band = y < middle ? seam : seam + 1;
            const std::size_t place = placeOfRow(bands_[band], y);
            const std::ptrdiff_t shift =
                y < middle ? shiftsAt(band, y * width).after : shiftsAt(band, y * width).before;
            const std::size_t begin = y < middle ? Neighbours - kBefore : 0;
            for (std::size_t x = 0; x != width; ++x) {
                const Cell from = cells_[place + x].load();
                if (!from.isDone() || from.time() < since) {
                    continue;
                }
                for (std::size_t i = begin; i != begin + kBefore; ++i) {
                    const std::size_t other = place + x + static_cast<std::size_t>(steps_[i] + shift);
                    const std::size_t pixel = y * width + x + static_cast<std::size_t>(pixelSteps_[i]);
                    if (const std::uint32_t time = timeOfChange(from.time(), other, pixel); time != Time::kNever) {
                        seams_[seam].queue.push(time, static_cast<std::uint32_t>(other));
                    }
                }
            }
        }
    }

    void mendSeam(std::size_t index, std::size_t end) {
        Seam& seam = seams_[index];
        for (auto& changed : seam.changed) {
            for (const auto& [time, place] : changed) {
                seam.queue.push(time, place);
            }
            changed.clear();
        }
        const std::size_t middle = placeOfRow(bands_[index + 1], firstRows_[index + 1]);
        const std::size_t most = mostInQueue(grid_.extent(), bands_.size());
        while (seam.queue.size() != 0) {
            for (const std::uint32_t place : seam.queue.pop()) {
                if (++seam.evaluated % kPlaces == 0) {
                    control_.throwIfStopped();
                }
                if (seam.queue.size() > most || seam.evaluated > 4 * most) {
                    throw NotInBands{};
                }
                evaluate(index, place < middle ? index : index + 1, place, end);
            }
        }
    }

    /// When a place may change beside one with a label since @p from. kNever: the place had its label before.
    [[nodiscard]] std::uint32_t timeOfChange(std::uint32_t from, std::size_t place, std::size_t pixel) const {
        const Cell cell = cells_[place].load();
        if (cell.isClosed() || (cell.isDone() && cell.time() <= from)) {
            return Time::kNever;
        }
        return Time::after(from, levelAt(pixel));
    }

    /// Makes a place agree with its neighbours, and puts those into the queue that its change concerns.
    /// @param end the level before which all is flooded
    void evaluate(std::size_t seam, std::size_t band, std::size_t place, std::size_t end) {
        const Cell before = cells_[place].load();
        if (before.isDone() && Time::isSeeds(before.time())) {
            return;
        }
        const std::size_t pixel = pixelAt(band, place);
        const Shifts shifts = shiftsAt(band, pixel);
        const Cell after = agreed(place, pixel, shifts, end);
        if (after == before) {
            return;
        }
        cells_[place].store(after);
        for (std::size_t i = 0; after.isDone() && i != Neighbours; ++i) {
            const std::ptrdiff_t shift = shifts.of(i);
            const auto other = static_cast<std::uint32_t>(place + static_cast<std::size_t>(steps_[i] + shift));
            const std::uint32_t time =
                timeOfChange(after.time(), other, pixel + static_cast<std::size_t>(pixelSteps_[i]));
            if (time == Time::kNever) {
                continue;
            }
            if (shift < 0 && band == seam) {
                seams_[seam - 1].changed[1].emplace_back(time, other);
            } else if (shift > 0 && band != seam) {
                seams_[seam + 1].changed[0].emplace_back(time, other);
            } else {
                seams_[seam].queue.push(time, other);
            }
        }
    }

    /// What a place without a seed is after its neighbours, of which one has a label: done before @p end, else offered
    /// a label.
    [[nodiscard]] Cell agreed(std::size_t place, std::size_t pixel, const Shifts& shifts, std::size_t end) const {
        const Level level = levelAt(pixel);
        std::array<Cell, Neighbours> around;
        std::uint32_t first = Time::kNever;
        for (std::size_t i = 0; i != Neighbours; ++i) {
            around[i] = cells_[place + static_cast<std::size_t>(steps_[i] + shifts.of(i))].load();
            first = std::min(first, around[i].isDone() ? around[i].time() : Time::kNever);
        }
        const std::uint32_t time = level < end ? Time::after(first, level) : Time::kNever;
        if (level < end && Time::isLast(time)) {
            throw NotInBands{};
        }
        std::uint64_t best = ~std::uint64_t{0};
        for (std::size_t i = 0; i != Neighbours; ++i) {
            if (around[i].isDone() && around[i].time() < time) {
                const Level other = levelAt(pixel + static_cast<std::size_t>(pixelSteps_[i]));
                best = std::min(best, Cell::offerOf(other, around[i].label()));
            }
        }
        return level < end ? Cell::done(time, Cell::labelOf(best)) : Cell::offered(best, level);
    }

    [[nodiscard]] bool hasSmallerAround(std::size_t place, const Shifts& shifts) const {
        for (std::size_t i = 0; i != Neighbours; ++i) {
            const std::size_t other = place + static_cast<std::size_t>(steps_[i] + shifts.of(i));
            if (cells_[other].label() - 1 < cells_[place].label() - 1) {
                return true;
            }
        }
        return false;
    }

    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    std::array<std::ptrdiff_t, Neighbours> pixelSteps_;
    std::array<std::ptrdiff_t, PaddedGrid::kRowsAround<Neighbours>> rows_;
    const JobControl& control_;
    std::span<const Level> levels_;
    Level flip_;
    std::span<const std::uint32_t> seeds_;
    Buffer<Cell> cells_;
    Buffer<std::uint32_t> round_;
    Buffer<std::uint32_t> places_;
    std::vector<std::size_t> firstRows_; ///< of each band, and the number of rows
    std::vector<Band> bands_;
    std::vector<Seam> seams_;
};

/// Upper bound of the memory of watershed(), including the result, without image and seeds.
std::uint64_t bytesOfFlood(PixelType type, const Extent& extent) {
    constexpr std::uint64_t kPerLevel = 2 * sizeof(std::uint32_t);
    const std::uint64_t levels = std::uint64_t{1} << bitsOf(type);
    const std::uint64_t bands = floodBands(extent, levels);
    const PaddedGrid grid(extent);
    return (grid.size() + (bands - 1) * gapOf(grid)) * sizeof(Cell) + extent.pixelCount() * 2 * sizeof(std::uint32_t) +
           2 * levels * kPerLevel * bands + (bands - 1) * mostInQueue(extent, bands) * 2 * sizeof(std::uint64_t);
}

/// Bands of which each has a few seeds, as many as possible.
std::size_t bandsWithSeeds(std::span<const std::uint32_t> seeds, const Extent& extent, std::size_t most,
                           const JobControl& control) {
    constexpr std::size_t kLeastSeeds = 64;
    if (most == 1) {
        return 1;
    }
    const std::size_t units = unitsOf(extent);
    const std::size_t pixels = seeds.size() / units;
    std::vector<std::size_t> before(units + 1); // seeds before a unit
    forEachIndex(
        units, control,
        [&](std::size_t unit) {
            const auto ofUnit = seeds.subspan(unit * pixels, pixels);
            before[unit + 1] = pixels - static_cast<std::size_t>(std::ranges::count(ofUnit, 0U));
        },
        1 + kGrain / pixels);
    std::partial_sum(before.begin(), before.end(), before.begin());
    const auto haveSeeds = [&](std::size_t bands) {
        for (std::size_t band = 0; band != bands; ++band) {
            if (before[(band + 1) * units / bands] - before[band * units / bands] < kLeastSeeds) {
                return false;
            }
        }
        return true;
    };
    std::size_t bands = most;
    while (bands != 1 && !haveSeeds(bands)) {
        bands /= 2;
    }
    return bands;
}

template <class Level, int Neighbours>
Buffer<std::uint32_t> flooded(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                              const WatershedSpec& spec, const JobControl& control) {
    const std::size_t most = floodBands(image.extent(), std::uint64_t{1} << bitsOf(image.type()));
    const auto inBands = [&](std::size_t bands) {
        Flood<Level, Neighbours> flood(image, seeds, inside, spec.descending, bands, most, control);
        flood.run();
        return flood.take(spec.lines);
    };
    try {
        return inBands(bandsWithSeeds(seeds, image.extent(), most, control));
    } catch (const NotInBands&) {
        return inBands(1);
    }
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
                return flooded<Level, Neighbours>(image, seeds, inside, spec, control);
            });
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "watershed: not enough memory for " + text(image.extent()));
    }
}

} // namespace pollard
