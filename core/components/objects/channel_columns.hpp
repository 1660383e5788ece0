#pragma once

#include "components/objects/channel_measures.hpp"
#include "components/objects/object_column.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

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
