#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "image/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Two channels whose levels are compared pixel by pixel.
struct ChannelPair {
    std::size_t first = 0; ///< index of the plane
    std::size_t second = 0;
    double firstThreshold = 0; ///< a pixel has signal in the first channel if its value is above this
    double secondThreshold = 0;

    bool operator==(const ChannelPair&) const = default;
};

/// Measurements in addition to the sums of every object in every channel.
struct ChannelMeasuresSpec {
    static constexpr std::uint32_t kMostRing = 1000;

    std::vector<double> percentiles = {}; ///< 0 .. 100
    std::uint32_t ring = 0;               ///< width of the background ring in an image, in px; 0: none
    std::vector<ChannelPair> pairs = {};

    bool operator==(const ChannelMeasuresSpec&) const = default;
};

/// Exact sums over the pixels with data of an object in a channel, in levels. They fit 64 bits: an image has fewer than
/// 2^32 pixels and squares of levels are below 2^32.
struct ChannelRecord {
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    std::uint32_t pixels = 0; ///< with data
    std::uint16_t min = 0xffff;
    std::uint16_t max = 0;

    bool operator==(const ChannelRecord&) const = default;
};

/// The background ring of an object in a channel: the pixels with data that belong to no object and lie within D rows
/// and D columns of a pixel of the object (Chebyshev distance at most D).
struct RingRecord {
    std::uint64_t sum = 0;
    std::uint32_t pixels = 0;

    bool operator==(const RingRecord&) const = default;
};

/// Coefficients of an object over the pixels with data in both channels of a pair; NaN where a sum to divide by is 0.
struct PairRecord {
    static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

    double pearson = kUndefined;
    double manders1 = kUndefined; ///< sum of the first channel where the second has signal / sum of the first
    double manders2 = kUndefined; ///< sum of the second channel where the first has signal / sum of the second
};

/// Measurements of objects in channels.
class ChannelMeasures {
public:
    /// Pixels with data.
    [[nodiscard]] std::uint32_t pixels(std::uint32_t label, std::size_t channel) const noexcept {
        return record(label, channel).pixels;
    }
    // In values, see ChannelPlane::mapping; NaN without pixels with data.
    [[nodiscard]] double sum(std::uint32_t label, std::size_t channel) const noexcept;
    [[nodiscard]] double mean(std::uint32_t label, std::size_t channel) const noexcept;
    [[nodiscard]] double min(std::uint32_t label, std::size_t channel) const noexcept;
    [[nodiscard]] double max(std::uint32_t label, std::size_t channel) const noexcept;
    /// Standard deviation of the population: the square root of the mean squared distance from the mean.
    [[nodiscard]] double deviation(std::uint32_t label, std::size_t channel) const noexcept;
    /// @param index in ChannelMeasuresSpec::percentiles
    [[nodiscard]] double percentile(std::uint32_t label, std::size_t channel, std::size_t index) const noexcept;
    /// Mean of the background ring.
    [[nodiscard]] double ring(std::uint32_t label, std::size_t channel) const noexcept;

    [[nodiscard]] const ChannelRecord& record(std::uint32_t label, std::size_t channel) const noexcept {
        return records_[placeOf(label, channel)];
    }
    [[nodiscard]] const RingRecord& ringRecord(std::uint32_t label, std::size_t channel) const noexcept {
        return rings_[placeOf(label, channel)];
    }
    /// @param index in ChannelMeasuresSpec::pairs
    [[nodiscard]] const PairRecord& pair(std::uint32_t label, std::size_t index) const noexcept {
        return pairs_[(label - 1) * spec_.pairs.size() + index];
    }
    /// Of the levels of a channel; null if levels are values.
    [[nodiscard]] const ValueMapping* mapping(std::size_t channel) const noexcept {
        return mappings_[channel] ? &*mappings_[channel] : nullptr;
    }
    [[nodiscard]] const ChannelMeasuresSpec& spec() const noexcept { return spec_; }

private:
    friend class ChannelMeasurer;

    [[nodiscard]] std::size_t placeOf(std::uint32_t label, std::size_t channel) const noexcept {
        return (label - 1) * mappings_.size() + channel;
    }
    [[nodiscard]] double valueOf(double level, std::size_t channel) const noexcept;

    ChannelMeasuresSpec spec_;
    std::vector<std::optional<ValueMapping>> mappings_; ///< per channel
    // Per object, the channels (percentiles, pairs) of an object together.
    std::vector<ChannelRecord> records_;
    std::vector<double> percentiles_; ///< levels
    std::vector<RingRecord> rings_;
    std::vector<PairRecord> pairs_;
};

/// Upper bound of the memory of measureChannels(), in bytes.
[[nodiscard]] std::uint64_t channelMeasuresBytes(const Components& components, std::size_t channels,
                                                 const ChannelMeasuresSpec& spec) noexcept;

/// Measures the objects of a label image in channels. All sums are exact integers, so that results do not depend on the
/// number of threads. Percentiles are interpolated linearly between sorted levels, as numpy.percentile() does.
/// @param components with labels
/// @param planes of the size of the label image
/// @throws Error(invalidArgument) for planes of another size, without labels, or for a percentile, ring or pair outside
/// its domain, Error(outOfMemory) if the estimate exceeds the available memory; Cancelled
[[nodiscard]] ChannelMeasures measureChannels(const Components& components, std::span<const ChannelPlane> planes,
                                              const ChannelMeasuresSpec& spec, const JobControl& control = {});

/// Measurements of a channel if none are named.
inline constexpr std::string_view kUsualMeasures = "mean,sum,min,max,stddev,median";

/// Number of objects of a channel in an object, in names of columns: "count[RFP]", see countColumn().
inline constexpr std::string_view kCountMeasure = "count";

/// Measurement of an object in one channel.
enum class ChannelMeasure : std::uint8_t { pixels, sum, mean, min, max, stddev, percentile };

/// A measurement by its name: "mean", "median", "p95".
struct NamedMeasure {
    std::string name;
    ChannelMeasure measure = ChannelMeasure::mean;
    double percent = 0; ///< of ChannelMeasure::percentile

    bool operator==(const NamedMeasure&) const = default;
};

/// Parses a list such as "mean,median,p95": pixels, sum, mean, min, max, stddev, median, and p0 to p100 with decimals.
/// @throws Error(invalidArgument) for an empty list, an unknown name or a repeated one
[[nodiscard]] std::vector<NamedMeasure> parseChannelMeasures(std::string_view text);

/// Finds a measurement by its name.
[[nodiscard]] std::optional<NamedMeasure> channelMeasureNamed(std::string_view name);

/// Parts of the name of a column of channelColumns(): "pearson", "DAPI,GFP".
struct ColumnParts {
    std::string_view measure;
    std::string_view channels;
};
/// Empty parts if the name has no brackets.
[[nodiscard]] ColumnParts partsOfColumn(std::string_view name) noexcept;
/// Whether the measurement compares two channels: pearson, manders1, manders2.
[[nodiscard]] bool isPairMeasure(std::string_view measure) noexcept;
/// Whether a column of channelColumns() can have this measurement; "ring", "count" and measurements of pairs count,
/// too.
[[nodiscard]] bool isColumnMeasure(std::string_view measure);

/// Names of channelColumns(). @param spec with ring and pairs, if they are measured
[[nodiscard]] std::vector<std::string> channelColumnNames(std::span<const NamedMeasure> measures,
                                                          std::span<const std::string> channels,
                                                          const ChannelMeasuresSpec& spec = {});

/// Percentiles required by these measurements, for ChannelMeasuresSpec::percentiles.
[[nodiscard]] std::vector<double> percentilesOf(std::span<const NamedMeasure> measures);

/// Columns "mean[DAPI]", by channel and then by measurement, "ring[DAPI]" after the other columns of its channel if the
/// ring is measured, then "pearson[DAPI,GFP]", "manders1[DAPI,GFP]" and "manders2[DAPI,GFP]" of every pair.
/// @param measured with the percentiles of percentilesOf(measures)
/// @param channels names of the planes
[[nodiscard]] std::vector<ObjectColumn> channelColumns(const std::shared_ptr<const ChannelMeasures>& measured,
                                                       std::span<const NamedMeasure> measures,
                                                       std::span<const std::string> channels);

} // namespace pollard
