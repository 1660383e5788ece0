#pragma once

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_column.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Measurements of a channel if none are named.
inline constexpr std::string_view kUsualMeasures = "mean,sum,min,max,stddev,median";

/// Number of objects of a channel in an object, in names of columns: "count[RFP]". see countColumn().
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

/// The measurement of a name.
[[nodiscard]] std::optional<NamedMeasure> channelMeasureNamed(std::string_view name);

/// A column of channelColumns() by its parts: "pearson", "DAPI,GFP".
struct ColumnParts {
    std::string_view measure;
    std::string_view channels;
};
/// Empty parts if the name has no brackets.
[[nodiscard]] ColumnParts partsOfColumn(std::string_view name) noexcept;
/// Whether the measurement compares two channels: pearson, manders1, manders2.
[[nodiscard]] bool isPairMeasure(std::string_view measure) noexcept;
/// Whether a column of channelColumns() can have this measurement, "ring", "count" and measurements of pairs included.
[[nodiscard]] bool isColumnMeasure(std::string_view measure);

/// Names of channelColumns(). @param spec with ring and pairs, if they are measured
[[nodiscard]] std::vector<std::string> channelColumnNames(std::span<const NamedMeasure> measures,
                                                          std::span<const std::string> channels,
                                                          const ChannelMeasuresSpec& spec = {});

/// Percentiles required by these measurements, for ChannelMeasuresSpec::percentiles.
[[nodiscard]] std::vector<double> percentilesOf(std::span<const NamedMeasure> measures);

/// Columns "mean[DAPI]", by channel and then by measurement, "ring[DAPI]" after those of a channel if the ring is
/// measured, then "pearson[DAPI,GFP]", "manders1[DAPI,GFP]" and "manders2[DAPI,GFP]" of every pair.
/// @param measured with the percentiles of percentilesOf(measures)
/// @param channels names of the planes
[[nodiscard]] std::vector<ObjectColumn> channelColumns(const std::shared_ptr<const ChannelMeasures>& measured,
                                                       std::span<const NamedMeasure> measures,
                                                       std::span<const std::string> channels);

} // namespace pollard
