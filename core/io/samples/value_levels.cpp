#include "io/samples/value_levels.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/level_choice.hpp"
#include "io/samples/value_rank.hpp"
#include "io/samples/value_statistics.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Pixels between checks for a stop request.
constexpr std::size_t kPixelsAtOnce = std::size_t{1} << 16;

/// Reads the values of one image or part: maps them to levels, or collects facts about them.
template <class T> class Mapper {
public:
    Mapper(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps, const JobControl& control,
           const ValueStatistics* statistics)
        : grid_(values), values_(static_cast<const T*>(values.data)), width_(values.width), height_(values.height),
          choice_(choice), gaps_(gaps), control_(control), statistics_(statistics), levels_(values, choice) {
        if (gaps.noData) {
            noData_ = sampleOf<T>(*gaps.noData);
        }
    }

    MappedLevels run(PixelType type) {
        const bool isKnown = statistics_ != nullptr && statistics_->isKnown();
        const bool countsAll = isKnown && !statistics_->countsParts();
        summary_ = countsAll ? ofAll(statistics_->summary<T>()) : summarise();
        levels_.use(isKnown ? ofAll(statistics_->plan<T>()) : choosePlan());
        MappedLevels result;
        result.image = std::make_shared<Image>(type, width_, height_);
        Mask mask(width_, height_, true);
        std::atomic<std::uint64_t> clipped{0};
        std::atomic<std::uint64_t> invalid{0};
        const bool countsPixels = summary_.invalid != 0 || levels_.mayBeExceeded(summary_);
        const auto map = [&](const auto& levelOfSample) {
            dispatch(type, [&]<class L>(L) {
                L* const pixels = result.image->pixels<L>().data();
                forRows([&](std::uint32_t y) {
                    const T* row = values_ + std::size_t{y} * width_;
                    L* out = pixels + std::size_t{y} * width_;
                    for (std::uint32_t x = 0; x < width_; ++x) {
                        out[x] = static_cast<L>(levelOfSample(row[x]));
                    }
                    std::uint64_t beyond = 0;
                    std::uint64_t gaps = 0;
                    for (std::uint32_t x = 0; countsPixels && x < width_; ++x) {
                        if (summary_.invalid != 0 && !isValid(row[x], x, y)) {
                            mask.set(x, y, false);
                            ++gaps;
                        } else if (levels_.isBeyond(row[x])) {
                            ++beyond;
                        }
                    }
                    clipped.fetch_add(beyond, std::memory_order_relaxed);
                    invalid.fetch_add(gaps, std::memory_order_relaxed);
                });
            });
        };
        if (levels_.hasWholeNumbers() && !levels_.descends() && std::is_integral_v<T> && summary_.invalid == 0) {
            // NOLINTBEGIN(bugprone-signed-char-misuse): the difference of both with their signs
            const auto low = static_cast<std::uint64_t>(levels_.low());
            map([low](T sample) { return static_cast<std::uint64_t>(sample) - low; });
            // NOLINTEND(bugprone-signed-char-misuse)
        } else if (levels_.ranks() != nullptr && summary_.invalid == 0) {
            map([ranks = levels_.ranks()](T sample) { return ranks->levelOf(sample); });
        } else if (!levels_.hasWholeNumbers() && summary_.invalid == 0) {
            map([this](T sample) { return levels_.levelInRange(sample); });
        } else {
            map([this](T sample) { return levels_.levelOf(sample); });
        }
        result.mapping = levels_.mapping(summary_, countsAll ? summary_.clipped : clipped.load());
        result.invalidPixels = invalid.load();
        if (result.invalidPixels != 0) {
            result.valid = std::make_shared<const Mask>(std::move(mask));
        }
        return result;
    }

    /// Adds the values to the statistics. @returns levels of 0
    MappedLevels collect(PixelType type, ValueStatistics& statistics) {
        if (statistics.addsFacts()) {
            if (choice_.range == MappingChoice::Range::fixed) {
                levels_.setFixedRange();
                hasFixedRange_ = true;
            }
            DistinctValues<T> distinct;
            if (mayBeRanked() && !statistics.hasMany<T>()) {
                distinct = distinctValues(true);
            } else {
                distinct.setMany();
            }
            statistics.add<T>(grid_, choice_, summarise(), distinct);
        }
        if (const auto* visitor = statistics.visitor<T>(); visitor != nullptr && *visitor) {
            visitRows(*visitor);
        }
        MappedLevels result;
        result.image = std::make_shared<Image>(type, width_, height_);
        std::fill_n(result.image->data(), result.image->bytes(), std::byte{0});
        result.mapping.exact = true;
        return result;
    }

    /// Levels of the smallest and the largest of all valid values.
    std::optional<LevelEnds> levelEnds() {
        summary_ = ofAll(statistics_->summary<T>());
        if (summary_.finite + summary_.infinite == 0) {
            return std::nullopt;
        }
        levels_.use(ofAll(statistics_->plan<T>()));
        const bool finite = summary_.finite != 0;
        T lowest = summary_.lowest;
        T highest = summary_.highest;
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kInfinity = std::numeric_limits<T>::infinity();
            lowest = summary_.negativeInfinity ? -kInfinity : finite ? lowest : kInfinity;
            highest = summary_.positiveInfinity ? kInfinity : finite ? highest : -kInfinity;
        }
        const auto [smallest, largest] = std::minmax({levels_.levelOf(lowest), levels_.levelOf(highest)});
        return LevelEnds{static_cast<std::uint16_t>(smallest), static_cast<std::uint16_t>(largest)};
    }

private:
    template <class Fact> static const Fact& ofAll(const Fact* fact) {
        if (fact == nullptr) {
            throw std::logic_error("the type of values differs between parts of an image");
        }
        return *fact;
    }

    [[nodiscard]] bool mayBeRanked() const {
        return choice_.range == MappingChoice::Range::automatic && !choice_.proportional &&
               !keepsType(choice_, grid_.storedType());
    }

    [[nodiscard]] LevelPlan<T> choosePlan() const {
        return chooseLevels<T>(
            choice_, grid_.storedType(), grid_.scale, summary_,
            [&] { return distinctValues(summary_.invalid != 0).values(); },
            [&]() -> std::optional<std::array<T, 2>> {
                if (choice_.range == MappingChoice::Range::automatic) {
                    std::vector<T> some = somePixels();
                    if (stayNear(some)) {
                        return std::nullopt;
                    }
                    if (const auto ends = usualQuantiles(std::move(some))) {
                        return ends;
                    }
                }
                return quantilesOf<T>([&](auto&& take) { visitParts(take); }, wantedQuantiles(choice_, grid_.scale),
                                      static_cast<std::array<QuantileCounts, 2>*>(nullptr),
                                      [&](const auto& smallest, const auto& largest) {
                                          return choice_.range == MappingChoice::Range::automatic &&
                                                 pollard::stayNear(summary_, smallest, largest);
                                      });
            });
    }

    /// Finite valid values of pixels at equal distances.
    [[nodiscard]] std::vector<T> somePixels() const {
        constexpr std::size_t kFewest = std::size_t{1} << 16;
        constexpr std::size_t kShare = 256;
        const std::size_t pixels = std::size_t{width_} * height_;
        const std::size_t stride = std::max<std::size_t>(1, pixels / std::max(kFewest, pixels / kShare));
        std::vector<T> some;
        for (std::size_t i = 0; i < pixels; i += stride) {
            if (isFiniteValue(values_[i]) &&
                isValid(values_[i], static_cast<std::uint32_t>(i % width_), static_cast<std::uint32_t>(i / width_))) {
                some.push_back(values_[i]);
            }
        }
        return some;
    }

    /// Ranks of kUsualQuantiles among the finite valid values: the first from the smallest on, the second from the
    /// largest on.
    [[nodiscard]] std::array<std::uint64_t, 2> usualRanks() const {
        return {rankOfQuantile(kUsualQuantiles[0], summary_.finite),
                summary_.finite - 1 - rankOfQuantile(kUsualQuantiles[1], summary_.finite)};
    }

    /// Whether some of the pixels show that stayNear() is true: there are enough at or beyond the usual quantiles.
    [[nodiscard]] bool stayNear(std::vector<T>& some) const {
        const auto [below, above] = usualRanks();
        if (below + above >= some.size()) {
            return false;
        }
        const T low = valueAt(some, below, std::less<>());
        const T high = valueAt(some, above, std::greater<>());
        return pollard::stayNear(summary_, {summary_.lowest, high}, {low, summary_.highest});
    }

    /// The value with a rank in this order.
    template <class Less> static T valueAt(std::vector<T>& values, std::uint64_t rank, Less isBefore) {
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
        std::nth_element(values.begin(), place, values.end(), isBefore);
        return *place == T{} ? T{} : *place;
    }

    /// Finds kUsualQuantiles in one pass over the pixels, which collects the values beyond the quantiles of a sample of
    /// the pixels. Nothing if the sample misleads.
    [[nodiscard]] std::optional<std::array<T, 2>> usualQuantiles(std::vector<T> some) const {
        struct Tails {
            std::array<std::vector<T>, 2> beyond;
            std::array<std::uint64_t, 2> equal{}; ///< to the inner end of the tail
        };
        if (some.empty()) {
            return std::nullopt;
        }
        const std::array<std::uint64_t, 2> ranks = usualRanks();
        const auto inner = [&](std::uint64_t rank) { // farther in than the quantile, almost surely
            constexpr double kDeviations = 8;
            const double share = static_cast<double>(rank) / static_cast<double>(summary_.finite);
            const double expected = share * static_cast<double>(some.size());
            return std::min<std::uint64_t>(
                some.size() - 1, static_cast<std::uint64_t>(expected + kDeviations * (std::sqrt(expected) + 2)));
        };
        const T low = valueAt(some, inner(ranks[0]), std::less<>());
        const T high = valueAt(some, inner(ranks[1]), std::greater<>());
        const std::size_t most = some.size();
        tbb::enumerable_thread_specific<Tails> parts;
        std::atomic<bool> isMany{false};
        forRows([&](std::uint32_t y) {
            Tails& part = parts.local();
            if (isMany.load(std::memory_order_relaxed) || part.beyond[0].size() + part.beyond[1].size() > most) {
                isMany.store(true, std::memory_order_relaxed);
                return;
            }
            const T* row = values_ + std::size_t{y} * width_;
            for (std::uint32_t x = 0; x < width_; ++x) {
                const T value = row[x];
                if ((value > low && value < high) || !isFiniteValue(value) || !isValid(value, x, y)) {
                    continue;
                }
                part.equal[0] += value == low ? 1 : 0;
                part.equal[1] += value == high ? 1 : 0;
                if (value < low) {
                    part.beyond[0].push_back(value);
                }
                if (value > high) {
                    part.beyond[1].push_back(value);
                }
            }
        });
        Tails all;
        for (const Tails& part : parts) {
            for (const std::size_t end : {0U, 1U}) {
                all.beyond[end].insert(all.beyond[end].end(), part.beyond[end].begin(), part.beyond[end].end());
                all.equal[end] += part.equal[end];
            }
        }
        const auto isWithin = [&](std::size_t end) { return ranks[end] < all.beyond[end].size() + all.equal[end]; };
        if (isMany.load() || !isWithin(0) || !isWithin(1)) {
            return std::nullopt;
        }
        return std::array{ranks[0] < all.beyond[0].size() ? valueAt(all.beyond[0], ranks[0], std::less<>()) : low,
                          ranks[1] < all.beyond[1].size() ? valueAt(all.beyond[1], ranks[1], std::greater<>()) : high};
    }

    /// The different values of the valid pixels. @param mayHaveGaps whether pixels may be invalid
    [[nodiscard]] DistinctValues<T> distinctValues(bool mayHaveGaps) const {
        tbb::enumerable_thread_specific<DistinctValues<T>> parts;
        std::atomic<bool> isMany{false};
        forRows([&](std::uint32_t y) {
            if (isMany.load(std::memory_order_relaxed)) {
                return;
            }
            DistinctValues<T>& part = parts.local();
            const T* row = values_ + std::size_t{y} * width_;
            for (std::uint32_t x = 0; x < width_; ++x) {
                if ((x == 0 || row[x] != row[x - 1] || gaps_.valid) && (!mayHaveGaps || isValid(row[x], x, y))) {
                    part.add(row[x]);
                }
            }
            if (part.isMany()) {
                isMany.store(true, std::memory_order_relaxed);
            }
        });
        DistinctValues<T> all;
        for (const DistinctValues<T>& part : parts) {
            all.add(part);
        }
        return all;
    }

    /// Passes on the finite valid values; zeros without their sign, because a range does not tell them apart.
    void visitRows(const std::function<void(std::span<const T>)>& visitor) const {
        visitParts([&](const auto& forEach) {
            std::vector<T> found;
            forEach([&](T value) { found.push_back(value == T{} ? T{} : value); });
            visitor(found);
        });
    }

    /// Visits the finite valid values as quantilesOf() needs it.
    template <class Take> void visitParts(const Take& take) const {
        const std::size_t grain = std::max<std::size_t>(1, 16 * kPixelsAtOnce / width_);
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, height_, grain), [&](const auto& rows) {
            control_.throwIfStopped();
            take([&](auto&& each) {
                for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                    const T* row = values_ + std::size_t{y} * width_;
                    for (std::uint32_t x = 0; x < width_; ++x) {
                        if (isFiniteValue(row[x]) && isValid(row[x], x, y)) {
                            each(row[x]);
                        }
                    }
                }
            });
        });
    }

    template <class Work> void forRows(const Work& work) const {
        const std::size_t grain = std::max<std::size_t>(1, kPixelsAtOnce / width_);
        forEachRange(
            height_, control_,
            [&](std::size_t begin, std::size_t end) {
                for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                    work(y);
                }
            },
            grain);
    }

    /// Whether a finite value is a whole number; floats beyond 2^53 do not count.
    [[nodiscard]] static bool isWhole(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T kMost = static_cast<T>(1LL << 53);
            return value >= -kMost && value <= kMost && static_cast<T>(static_cast<std::int64_t>(value)) == value;
        } else {
            return true;
        }
    }

    [[nodiscard]] bool isValid(T value, std::uint32_t x, std::uint32_t y) const {
        return !isNotANumber(value) && !(noData_ && isNoData(value, *noData_)) &&
               (!gaps_.valid || gaps_.valid->test(x, y));
    }

    ValueSummary<T> summarise() const {
        const std::size_t grain = std::max<std::size_t>(1, kPixelsAtOnce / width_);
        return tbb::parallel_reduce(
            tbb::blocked_range<std::uint32_t>(0, height_, grain), ValueSummary<T>{},
            [&](const auto& rows, ValueSummary<T> sum) {
                control_.throwIfStopped();
                for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                    addRow(y, sum);
                }
                return sum;
            },
            [](ValueSummary<T> a, const ValueSummary<T>& b) {
                a.add(b);
                return a;
            });
    }

    void addRow(std::uint32_t y, ValueSummary<T>& sum) const {
        const T* row = values_ + std::size_t{y} * width_;
        for (std::uint32_t x = 0; x < width_; ++x) {
            const T value = row[x];
            if (!isValid(value, x, y)) {
                ++sum.invalid;
                sum.nan += isNotANumber(value) ? 1 : 0;
            } else if (isFiniteValue(value)) {
                ++sum.finite;
                sum.lowest = std::min(sum.lowest, value);
                sum.highest = std::max(sum.highest, value);
                sum.clipped += hasFixedRange_ && levels_.isBeyond(value) ? 1 : 0;
                sum.whole = sum.whole && isWhole(value);
            } else {
                ++sum.infinite;
                sum.negativeInfinity = sum.negativeInfinity || value < T{};
                sum.positiveInfinity = sum.positiveInfinity || value > T{};
            }
        }
    }

    ValueGrid grid_;
    const T* values_;
    std::uint32_t width_;
    std::uint32_t height_;
    MappingChoice choice_;
    const ValueGaps& gaps_;
    const JobControl& control_;
    const ValueStatistics* statistics_; ///< null if there are none
    std::optional<T> noData_;
    ValueSummary<T> summary_;
    LevelMap<T> levels_;
    bool hasFixedRange_ = false; ///< levels_ has the range of a fixed choice, beyond which summarise() counts values
};

/// Converts samples to values.
struct ScaledValues {
    explicit ScaledValues(const ValueGrid& samples)
        : values(std::size_t{samples.width} * samples.height), grid{ValueType::f64, values.data(), samples.width,
                                                                    samples.height} {
        dispatch(samples.type, [&]<class T>(T) {
            const T* const from = static_cast<const T*>(samples.data);
            std::transform(from, from + values.size(), values.begin(),
                           [&](T sample) { return samples.scale.valueOf(static_cast<double>(sample)); });
        });
    }

    Buffer<double> values;
    ValueGrid grid;
};

} // namespace

std::size_t bytesOf(ValueType type) noexcept {
    return dispatch(type, []<class T>(T) { return sizeof(T); });
}

PixelType levelTypeOf(ValueType type) noexcept { return bytesOf(type) == 1 ? PixelType::u8 : PixelType::u16; }

MappedLevels levelsOfValues(const ValueGrid& values, const MappingChoice& choice, const ValueGaps& gaps,
                            const JobControl& control, ValueStatistics* statistics) {
    checkMapping(choice);
    control.throwIfStopped();
    if (statistics != nullptr && statistics->usesValues() &&
        !(values.type == ValueType::f64 && values.scale.isIdentity())) {
        ValueGaps ofValues = gaps;
        if (gaps.noData) {
            ofValues.noData = values.scale.valueOf(gaps.noData->number);
        }
        return levelsOfValues(ScaledValues(values).grid, choice, ofValues, control, statistics);
    }
    MappedLevels mapped = dispatch(values.type, [&]<class T>(T) {
        Mapper<T> mapper(values, choice, gaps, control, statistics);
        const PixelType type = levelTypeOf(values.type);
        return statistics != nullptr && statistics->isCollecting() ? mapper.collect(type, *statistics)
                                                                   : mapper.run(type);
    });
    if (statistics == nullptr || !statistics->isCollecting()) {
        KeptValues::keep(mapped.image, values, mapped.mapping);
    }
    return mapped;
}

std::optional<LevelEnds> levelEndsOf(const ValueStatistics& statistics) {
    const ValueType type = statistics.type().value();
    return dispatch(type, [&]<class T>(T) {
        return Mapper<T>({type, nullptr, 1, 1, statistics.scale(), statistics.stored()}, statistics.choice(), {}, {},
                         &statistics)
            .levelEnds();
    });
}

void checkMapping(const MappingChoice& choice) {
    const std::string range = std::to_string(choice.low) + " to " + std::to_string(choice.high);
    if (choice.range == MappingChoice::Range::percentile &&
        !(choice.low >= 0 && choice.low < choice.high && choice.high <= 1)) {
        throw Error(ErrorCode::invalidArgument,
                    "range of values: quantiles " + range + ": must ascend and lie from 0 to 1");
    }
    if (choice.range == MappingChoice::Range::fixed &&
        !(std::isfinite(choice.low) && std::isfinite(choice.high) && choice.low <= choice.high)) {
        throw Error(ErrorCode::invalidArgument, "range of values: " + range + ": must be finite and not descend");
    }
}

} // namespace pollard
