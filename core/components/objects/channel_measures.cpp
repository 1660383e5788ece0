#include "components/objects/channel_measures.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/object_parents.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <string>

namespace pollard {

namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMeasuredPerTask = 256;
constexpr std::uint64_t kLargeObject = std::uint64_t{1} << 20; ///< px; its channels are measured in parallel

/// Variance of n levels, times n^2: n * (sum of squares) - sum^2.
Int128 spreadOf(std::uint64_t n, std::uint64_t sum, std::uint64_t squares) noexcept {
    return static_cast<Int128>(n) * static_cast<Int128>(squares) - static_cast<Int128>(sum) * static_cast<Int128>(sum);
}

/// Finds the pixels around an object that belong to no object. Keep one per thread: it reuses its memory.
class RingFinder {
public:
    RingFinder(const Components& components, std::uint32_t distance) : components_(components), distance_(distance) {}

    /// Calls `function(run)` for the runs of pixels with label 0 within @p distance rows and columns of a pixel of the
    /// object, in raster order.
    /// @param runs of the object, in raster order
    template <class Function> void forEachRun(std::span<const ObjectRun> runs, const Function& function) {
        if (runs.empty()) {
            return;
        }
        widen(runs);
        const std::uint64_t last = std::min<std::uint64_t>(components_.height - 1, wide_.back().y + distance_);
        std::size_t begin = 0; // the parts [begin, end) are of rows within the distance of y
        std::size_t end = 0;
        for (std::uint64_t y = wide_.front().y - std::min<std::uint64_t>(wide_.front().y, distance_); y <= last; ++y) {
            while (begin < wide_.size() && wide_[begin].y + distance_ < y) {
                ++begin;
            }
            while (end < wide_.size() && wide_[end].y <= y + distance_) {
                ++end;
            }
            row_.assign(wide_.begin() + static_cast<std::ptrdiff_t>(begin),
                        wide_.begin() + static_cast<std::ptrdiff_t>(end));
            std::ranges::sort(row_, {}, &Part::first);
            std::uint64_t x = 0;
            for (const Part& part : row_) {
                x = std::max(x, part.first);
                x = backgroundIn(y, x, part.last, function);
            }
        }
    }

private:
    /// Columns [first, last) of a row.
    struct Part {
        std::uint64_t y;
        std::uint64_t first;
        std::uint64_t last;
    };

    /// Extends the runs to both sides, and joins runs of a row that then meet.
    void widen(std::span<const ObjectRun> runs) {
        wide_.clear();
        for (const ObjectRun& run : runs) {
            const std::uint64_t y = run.first / components_.width;
            const std::uint64_t x = run.first % components_.width;
            const std::uint64_t first = x - std::min<std::uint64_t>(x, distance_);
            const std::uint64_t last = std::min<std::uint64_t>(components_.width, x + run.length + distance_);
            if (!wide_.empty() && wide_.back().y == y && first <= wide_.back().last) {
                wide_.back().last = last;
            } else {
                wide_.push_back({y, first, last});
            }
        }
    }

    /// Reports the background in columns [x, last). @return the column after it
    template <class Function>
    std::uint64_t backgroundIn(std::uint64_t y, std::uint64_t x, std::uint64_t last, const Function& function) const {
        const std::uint64_t start = y * components_.width;
        const std::uint32_t* const row = components_.labels.data() + start;
        while (x < last) {
            const std::uint64_t first = x;
            while (x < last && row[x] == 0) {
                ++x;
            }
            if (x > first) {
                function(ObjectRun{static_cast<std::uint32_t>(start + first), static_cast<std::uint32_t>(x - first)});
            }
            while (x < last && row[x] != 0) {
                ++x;
            }
        }
        return x;
    }

    const Components& components_;
    std::uint64_t distance_;
    std::vector<Part> wide_;
    std::vector<Part> row_;
};

/// Calls `function(first, length)` for the parts of a run whose pixels have data in both masks.
/// @param a, b null: all pixels have data
template <class Function> void forEachValidPart(const ObjectRun& run, std::uint32_t width, const Mask* a, const Mask* b,
                                                const Function& function) {
    if (a == nullptr && b == nullptr) {
        function(run.first, run.length);
        return;
    }
    const std::uint32_t y = run.first / width;
    const std::uint32_t x = run.first % width;
    const auto hasData = [&](std::uint32_t i) {
        return (a == nullptr || a->test(x + i, y)) && (b == nullptr || b->test(x + i, y));
    };
    for (std::uint32_t i = 0; i < run.length;) {
        const std::uint32_t first = i;
        while (i < run.length && hasData(i)) {
            ++i;
        }
        if (i > first) {
            function(run.first + first, i - first);
        } else {
            ++i;
        }
    }
}

/// Levels in ascending order: sorted if there are few, else counted.
class SortedLevels {
public:
    /// Removes all levels. @param record of the next levels
    void expect(const ChannelRecord& record) {
        const std::size_t range = std::size_t{record.max} - record.min + 1;
        lowest_ = record.min;
        counting_ = record.pixels > kFew && record.pixels > range / 4;
        levels_.clear();
        counts_.assign(counting_ ? range : 0, 0);
    }
    template <class T> void add(const T* levels, std::uint32_t length) {
        if (counting_) {
            for (std::uint32_t i = 0; i < length; ++i) {
                ++counts_[levels[i] - std::size_t{lowest_}];
            }
        } else {
            levels_.insert(levels_.end(), levels, levels + length);
        }
    }
    void sort() { std::ranges::sort(levels_); }

    /// Linear interpolation between the two nearest ranks, with the roundings of NumPy.
    [[nodiscard]] double percentile(double percent, std::uint32_t pixels) const noexcept {
        const double rank = (static_cast<double>(pixels) - 1) * (percent / 100);
        const double below = std::floor(rank);
        const double weight = rank - below;
        const auto index = static_cast<std::uint32_t>(below);
        const double low = at(index);
        const double high = at(std::min(index + 1, pixels - 1));
        return weight < 0.5 ? low + (high - low) * weight : high - (high - low) * (1 - weight);
    }

private:
    static constexpr std::uint32_t kFew = 64;

    [[nodiscard]] std::uint16_t at(std::uint32_t rank) const noexcept {
        if (!counting_) {
            return levels_[rank];
        }
        std::size_t level = 0;
        for (std::uint32_t below = 0; level + 1 < counts_.size() && below + counts_[level] <= rank; ++level) {
            below += counts_[level];
        }
        return static_cast<std::uint16_t>(lowest_ + level);
    }

    bool counting_ = false;
    std::uint16_t lowest_ = 0;
    std::vector<std::uint16_t> levels_;
    std::vector<std::uint32_t> counts_; ///< per level from the lowest on
};

/// Smallest level whose value is above @p threshold; 65536 if there is none.
std::uint32_t signalLevel(const ChannelPlane& plane, double threshold) noexcept {
    std::uint32_t first = 0;
    std::uint32_t last = 0x10000;
    while (first < last) {
        const std::uint32_t middle = (first + last) / 2;
        const double value = plane.mapping ? plane.mapping->valueOf(middle) : middle;
        if (value > threshold) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

/// Exact sums over the pixels of an object in two channels, in levels.
struct PairSums {
    std::uint64_t pixels = 0;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t firstSquares = 0;
    std::uint64_t secondSquares = 0;
    std::uint64_t products = 0;
    std::uint64_t secondSignal = 0; ///< pixels with signal in the second channel
    std::uint64_t firstThere = 0;   ///< sum of the first channel over the pixels with signal in the second
    std::uint64_t firstSignal = 0;
    std::uint64_t secondThere = 0;

    [[nodiscard]] double pearson() const noexcept {
        const Int128 spreads[] = {spreadOf(pixels, first, firstSquares), spreadOf(pixels, second, secondSquares)};
        if (spreads[0] == 0 || spreads[1] == 0) {
            return kNotMeasured;
        }
        const Int128 common = static_cast<Int128>(pixels) * static_cast<Int128>(products) -
                              static_cast<Int128>(first) * static_cast<Int128>(second);
        return std::clamp(toDouble(common) / std::sqrt(toDouble(spreads[0]) * toDouble(spreads[1])), -1.0, 1.0);
    }
};

double sumInValues(const std::optional<ValueMapping>& mapping, std::uint64_t pixels, std::uint64_t sum) noexcept {
    const auto levels = static_cast<double>(sum);
    return mapping ? mapping->offset * static_cast<double>(pixels) + mapping->step * levels : levels;
}

double shareOf(double part, double whole) noexcept { return whole == 0 ? kNotMeasured : part / whole; }

} // namespace

/// Fills a ChannelMeasures.
class ChannelMeasurer {
public:
    ChannelMeasurer(const Components& components, std::span<const ChannelPlane> planes, const ChannelMeasuresSpec& spec,
                    const JobControl& control)
        : components_(components), planes_(planes), control_(control) {
        result_.spec_ = spec;
        requireDomain();
        for (const ChannelPlane& plane : planes) {
            result_.mappings_.push_back(plane.mapping);
        }
        for (const ChannelPair& pair : spec.pairs) {
            signal_.push_back({signalLevel(planes[pair.first], pair.firstThreshold),
                               signalLevel(planes[pair.second], pair.secondThreshold)});
        }
    }

    ChannelMeasures measure() {
        const std::size_t places = std::size_t{components_.count} * planes_.size();
        result_.records_.resize(places);
        result_.percentiles_.resize(places * result_.spec_.percentiles.size());
        result_.rings_.resize(result_.spec_.ring > 0 ? places : 0);
        result_.pairs_.resize(components_.count * result_.spec_.pairs.size());
        const ObjectRuns runs(components_, control_);
        const auto measureObjects = [&](std::size_t begin, std::size_t end) {
            RingFinder rings(components_, result_.spec_.ring);
            SortedLevels levels;
            for (std::size_t object = begin; object != end; ++object) {
                measureObject(static_cast<std::uint32_t>(object + 1), runs, levels);
                if (result_.spec_.ring > 0) {
                    measureRing(static_cast<std::uint32_t>(object + 1), runs, rings);
                }
            }
        };
        forEachRange(components_.count, control_, measureObjects, kMeasuredPerTask);
        return std::move(result_);
    }

private:
    void requireDomain() const {
        const auto require = [](bool holds, const std::string& why) {
            if (!holds) {
                throw Error(ErrorCode::invalidArgument, "measure channels: " + why);
            }
        };
        for (const ChannelPlane& plane : planes_) {
            require(plane.image->extent() == components_.extent(),
                    "channel " + plane.channel.name + " differs in size from the label image");
        }
        const ChannelMeasuresSpec& spec = result_.spec_;
        for (const double percent : spec.percentiles) {
            require(percent >= 0 && percent <= 100, "percentiles are from 0 to 100");
        }
        require(spec.ring <= ChannelMeasuresSpec::kMostRing,
                "a ring is at most " + std::to_string(ChannelMeasuresSpec::kMostRing) + " px wide");
        require(spec.ring == 0 || !components_.isVolume(), "a ring is in an image, not in a volume");
        for (const ChannelPair& pair : spec.pairs) {
            require(pair.first < planes_.size() && pair.second < planes_.size(), "a pair names no channel");
        }
        if (channelMeasuresBytes(components_, planes_.size(), spec) > availableMemory()) {
            throw Error(ErrorCode::outOfMemory, "measure channels: not enough memory for " +
                                                    std::to_string(components_.count) + " objects in " +
                                                    std::to_string(planes_.size()) + " channels");
        }
    }

    void measureObject(std::uint32_t label, const ObjectRuns& all, SortedLevels& levels) {
        const std::span<const ObjectRun> runs = all.of(label);
        std::uint64_t area = 0;
        for (const ObjectRun& run : runs) {
            area += run.length;
        }
        if (area < kLargeObject) {
            for (std::size_t channel = 0; channel < planes_.size(); ++channel) {
                measureChannel(label, channel, runs, levels);
            }
            for (std::size_t pair = 0; pair < signal_.size(); ++pair) {
                measurePair(label, pair, runs);
            }
            return;
        }
        const auto measureOne = [&](std::size_t channel) {
            SortedLevels own; // local: this thread may measure another object while it waits
            measureChannel(label, channel, runs, own);
        };
        forEachIndex(planes_.size(), control_, measureOne, 1);
        forEachIndex(
            signal_.size(), control_, [&](std::size_t pair) { measurePair(label, pair, runs); }, 1);
    }

    void measureChannel(std::uint32_t label, std::size_t channel, std::span<const ObjectRun> runs,
                        SortedLevels& levels) {
        const std::size_t place = result_.placeOf(label, channel);
        const std::vector<double>& percents = result_.spec_.percentiles;
        dispatch(planes_[channel].image->type(), [&]<class T>(T) {
            ChannelRecord record;
            forEachPart<T>(channel, runs, [&](const T* part, std::uint32_t length) {
                record.pixels += length;
                for (std::uint32_t i = 0; i < length; ++i) {
                    const std::uint64_t level = part[i];
                    record.sum += level;
                    record.squares += level * level;
                    record.min = std::min<std::uint16_t>(record.min, part[i]);
                    record.max = std::max<std::uint16_t>(record.max, part[i]);
                }
            });
            result_.records_[place] = record;
            if (percents.empty() || record.pixels == 0) {
                return;
            }
            levels.expect(record);
            forEachPart<T>(channel, runs, [&](const T* part, std::uint32_t length) { levels.add(part, length); });
            levels.sort();
            for (std::size_t i = 0; i < percents.size(); ++i) {
                result_.percentiles_[place * percents.size() + i] = levels.percentile(percents[i], record.pixels);
            }
        });
    }

    void measurePair(std::uint32_t label, std::size_t index, std::span<const ObjectRun> runs) {
        const ChannelPair& pair = result_.spec_.pairs[index];
        const ChannelPlane& a = planes_[pair.first];
        const ChannelPlane& b = planes_[pair.second];
        const Signal signal = signal_[index];
        PairSums sums;
        const auto addAll = [&](const auto levelsA, const auto levelsB) {
            for (const ObjectRun& run : runs) {
                const auto add = [&](std::uint32_t first, std::uint32_t length) {
                    sums.pixels += length;
                    for (std::size_t i = first; i < std::size_t{first} + length; ++i) {
                        const std::uint64_t levelA = levelsA[i];
                        const std::uint64_t levelB = levelsB[i];
                        sums.first += levelA;
                        sums.second += levelB;
                        sums.firstSquares += levelA * levelA;
                        sums.secondSquares += levelB * levelB;
                        sums.products += levelA * levelB;
                        sums.secondSignal += levelB >= signal.second ? 1 : 0;
                        sums.firstThere += levelB >= signal.second ? levelA : 0;
                        sums.firstSignal += levelA >= signal.first ? 1 : 0;
                        sums.secondThere += levelA >= signal.first ? levelB : 0;
                    }
                };
                forEachValidPart(run, components_.width, a.valid.get(), b.valid.get(), add);
            }
        };
        dispatch(a.image->type(), [&]<class A>(A) {
            dispatch(b.image->type(), [&]<class B>(B) { addAll(a.image->pixels<A>(), b.image->pixels<B>()); });
        });
        PairRecord& record = result_.pairs_[(label - 1) * signal_.size() + index];
        record.pearson = sums.pearson();
        record.manders1 = shareOf(sumInValues(a.mapping, sums.secondSignal, sums.firstThere),
                                  sumInValues(a.mapping, sums.pixels, sums.first));
        record.manders2 = shareOf(sumInValues(b.mapping, sums.firstSignal, sums.secondThere),
                                  sumInValues(b.mapping, sums.pixels, sums.second));
    }

    void measureRing(std::uint32_t label, const ObjectRuns& all, RingFinder& finder) {
        finder.forEachRun(all.of(label), [&](const ObjectRun& run) {
            for (std::size_t channel = 0; channel < planes_.size(); ++channel) {
                RingRecord& record = result_.rings_[result_.placeOf(label, channel)];
                dispatch(planes_[channel].image->type(), [&]<class T>(T) {
                    forEachPart<T>(channel, std::span(&run, 1), [&](const T* part, std::uint32_t length) {
                        record.pixels += length;
                        for (std::uint32_t i = 0; i < length; ++i) {
                            record.sum += part[i];
                        }
                    });
                });
            }
        });
    }

    /// Calls `function(levels, length)` for the pixels with data of these runs.
    template <class T, class Function>
    void forEachPart(std::size_t channel, std::span<const ObjectRun> runs, const Function& function) const {
        const T* const levels = planes_[channel].image->pixels<T>().data();
        for (const ObjectRun& run : runs) {
            forEachValidPart(run, components_.width, planes_[channel].valid.get(), nullptr,
                             [&](std::uint32_t first, std::uint32_t length) { function(levels + first, length); });
        }
    }

    /// Smallest levels with signal in the channels of a pair.
    struct Signal {
        std::uint32_t first;
        std::uint32_t second;
    };

    const Components& components_;
    std::span<const ChannelPlane> planes_;
    const JobControl& control_;
    std::vector<Signal> signal_; ///< per pair
    ChannelMeasures result_;
};

double ChannelMeasures::valueOf(double level, std::size_t channel) const noexcept {
    return mappings_[channel] ? mappings_[channel]->valueOf(level) : level;
}

double ChannelMeasures::sum(std::uint32_t label, std::size_t channel) const noexcept {
    const ChannelRecord& found = record(label, channel);
    return found.pixels == 0 ? kNotMeasured : sumInValues(mappings_[channel], found.pixels, found.sum);
}

double ChannelMeasures::mean(std::uint32_t label, std::size_t channel) const noexcept {
    const ChannelRecord& found = record(label, channel);
    return valueOf(static_cast<double>(found.sum) / found.pixels, channel); // 0 / 0 is NaN
}

double ChannelMeasures::min(std::uint32_t label, std::size_t channel) const noexcept {
    return pixels(label, channel) == 0 ? kNotMeasured : valueOf(record(label, channel).min, channel);
}

double ChannelMeasures::max(std::uint32_t label, std::size_t channel) const noexcept {
    return pixels(label, channel) == 0 ? kNotMeasured : valueOf(record(label, channel).max, channel);
}

double ChannelMeasures::deviation(std::uint32_t label, std::size_t channel) const noexcept {
    const ChannelRecord& found = record(label, channel);
    const double levels = std::sqrt(toDouble(spreadOf(found.pixels, found.sum, found.squares))) / found.pixels;
    return mappings_[channel] ? levels * std::abs(mappings_[channel]->step) : levels;
}

double ChannelMeasures::percentile(std::uint32_t label, std::size_t channel, std::size_t index) const noexcept {
    return pixels(label, channel) == 0
               ? kNotMeasured
               : valueOf(percentiles_[placeOf(label, channel) * spec_.percentiles.size() + index], channel);
}

double ChannelMeasures::ring(std::uint32_t label, std::size_t channel) const noexcept {
    const RingRecord& found = ringRecord(label, channel);
    return valueOf(static_cast<double>(found.sum) / found.pixels, channel);
}

std::uint64_t channelMeasuresBytes(const Components& components, std::size_t channels,
                                   const ChannelMeasuresSpec& spec) noexcept {
    const std::uint64_t perChannel =
        sizeof(ChannelRecord) + spec.percentiles.size() * sizeof(double) + (spec.ring > 0 ? sizeof(RingRecord) : 0);
    const std::uint64_t perObject =
        sizeof(std::uint32_t) + channels * perChannel + spec.pairs.size() * sizeof(PairRecord);
    return components.count * perObject + components.foreground * sizeof(ObjectRun);
}

ChannelMeasures measureChannels(const Components& components, std::span<const ChannelPlane> planes,
                                const ChannelMeasuresSpec& spec, const JobControl& control) {
    try {
        return ChannelMeasurer(components, planes, spec, control).measure();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "measure channels: not enough memory");
    }
}

namespace {

const std::array kMeasures{NamedMeasure{"pixels", ChannelMeasure::pixels},
                           NamedMeasure{"sum", ChannelMeasure::sum},
                           NamedMeasure{"mean", ChannelMeasure::mean},
                           NamedMeasure{"min", ChannelMeasure::min},
                           NamedMeasure{"max", ChannelMeasure::max},
                           NamedMeasure{"stddev", ChannelMeasure::stddev},
                           NamedMeasure{"median", ChannelMeasure::percentile, 50}};

constexpr std::array<std::string_view, 3> kPairMeasures{"pearson", "manders1", "manders2"};
constexpr std::string_view kRing = "ring";

std::string nameOfColumn(std::string_view measure, const std::string& channel) {
    return std::string(measure) + '[' + channel + ']';
}

std::string nameOfPair(const ChannelPair& pair, std::span<const std::string> channels) {
    return channels[pair.first] + "," + channels[pair.second];
}

} // namespace

std::optional<NamedMeasure> channelMeasureNamed(std::string_view name) {
    if (const auto* const found = std::ranges::find(kMeasures, name, &NamedMeasure::name); found != kMeasures.end()) {
        return *found;
    }
    double percent = 0;
    const char* const end = name.data() + name.size();
    if (name.starts_with('p')) {
        const auto [last, problem] = std::from_chars(name.data() + 1, end, percent, std::chars_format::fixed);
        if (problem == std::errc{} && last == end && percent >= 0 && percent <= 100) {
            return NamedMeasure{std::string(name), ChannelMeasure::percentile, percent};
        }
    }
    return std::nullopt;
}

namespace {

/// Mapping of a column of levels to values; null for other measurements, and if levels are values.
std::shared_ptr<const ValueMapping> valuesOf(const std::shared_ptr<const ChannelMeasures>& measured,
                                             ChannelMeasure measure, std::size_t channel) {
    const bool isOfLevels = measure == ChannelMeasure::mean || measure == ChannelMeasure::min ||
                            measure == ChannelMeasure::max || measure == ChannelMeasure::percentile;
    return {measured, isOfLevels ? measured->mapping(channel) : nullptr};
}

double columnValue(const ChannelMeasures& measured, ChannelMeasure measure, std::uint32_t label, std::size_t channel,
                   std::size_t percentile) {
    switch (measure) {
    case ChannelMeasure::pixels:
        return measured.pixels(label, channel);
    case ChannelMeasure::sum:
        return measured.sum(label, channel);
    case ChannelMeasure::mean:
        return measured.mean(label, channel);
    case ChannelMeasure::min:
        return measured.min(label, channel);
    case ChannelMeasure::max:
        return measured.max(label, channel);
    case ChannelMeasure::stddev:
        return measured.deviation(label, channel);
    case ChannelMeasure::percentile:
        return measured.percentile(label, channel, percentile);
    }
    return 0;
}

} // namespace

std::vector<NamedMeasure> parseChannelMeasures(std::string_view text) {
    std::vector<NamedMeasure> measures;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string name(text.substr(from, to - from));
        const std::optional<NamedMeasure> measure = channelMeasureNamed(name);
        if (!measure) {
            throw Error(ErrorCode::invalidArgument,
                        "measures: '" + name +
                            "' is unknown; there are pixels, sum, mean, min, max, stddev, median, "
                            "and percentiles such as p95");
        }
        if (std::ranges::find(measures, name, &NamedMeasure::name) != measures.end()) {
            throw Error(ErrorCode::invalidArgument, "measures: '" + name + "' stands twice");
        }
        measures.push_back(*measure);
        from = to + 1;
    }
    return measures;
}

ColumnParts partsOfColumn(std::string_view name) noexcept {
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos || !name.ends_with(']')) {
        return {};
    }
    return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
}

bool isPairMeasure(std::string_view measure) noexcept {
    return std::ranges::find(kPairMeasures, measure) != kPairMeasures.end();
}

bool isColumnMeasure(std::string_view measure) {
    return measure == kRing || measure == kCountMeasure || isPairMeasure(measure) ||
           channelMeasureNamed(measure).has_value();
}

std::vector<std::string> channelColumnNames(std::span<const NamedMeasure> measures,
                                            std::span<const std::string> channels, const ChannelMeasuresSpec& spec) {
    std::vector<std::string> names;
    for (const std::string& channel : channels) {
        for (const NamedMeasure& measure : measures) {
            names.push_back(nameOfColumn(measure.name, channel));
        }
        if (spec.ring > 0) {
            names.push_back(nameOfColumn(kRing, channel));
        }
    }
    for (const ChannelPair& pair : spec.pairs) {
        for (const std::string_view measure : kPairMeasures) {
            names.push_back(nameOfColumn(measure, nameOfPair(pair, channels)));
        }
    }
    return names;
}

std::vector<double> percentilesOf(std::span<const NamedMeasure> measures) {
    std::vector<double> percentiles;
    for (const NamedMeasure& measure : measures) {
        if (measure.measure == ChannelMeasure::percentile) {
            percentiles.push_back(measure.percent);
        }
    }
    return percentiles;
}

std::vector<ObjectColumn> channelColumns(const std::shared_ptr<const ChannelMeasures>& measured,
                                         std::span<const NamedMeasure> measures,
                                         std::span<const std::string> channels) {
    std::vector<ObjectColumn> columns;
    for (std::size_t channel = 0; channel < channels.size(); ++channel) {
        std::size_t percentile = 0;
        for (const NamedMeasure& named : measures) {
            columns.push_back({nameOfColumn(named.name, channels[channel]),
                               [measured, measure = named.measure, channel, percentile](std::uint32_t label) {
                                   return columnValue(*measured, measure, label, channel, percentile);
                               },
                               {},
                               valuesOf(measured, named.measure, channel)});
            percentile += named.measure == ChannelMeasure::percentile ? 1 : 0;
        }
        if (measured->spec().ring > 0) {
            columns.push_back({nameOfColumn(kRing, channels[channel]),
                               [measured, channel](std::uint32_t label) { return measured->ring(label, channel); },
                               {},
                               valuesOf(measured, ChannelMeasure::mean, channel)});
        }
    }
    for (std::size_t i = 0; i < measured->spec().pairs.size(); ++i) {
        const ChannelPair& pair = measured->spec().pairs[i];
        const std::string both = nameOfPair(pair, channels);
        constexpr std::array kValues{&PairRecord::pearson, &PairRecord::manders1, &PairRecord::manders2};
        for (std::size_t kind = 0; kind < kValues.size(); ++kind) {
            columns.push_back(
                {nameOfColumn(kPairMeasures[kind], both), [measured, i, value = kValues[kind]](std::uint32_t label) {
                     return measured->pair(label, i).*value;
                 }});
        }
    }
    return columns;
}

} // namespace pollard
