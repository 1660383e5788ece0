#include "components/objects/channel_columns.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace pollard {

namespace {

const std::array kMeasures{NamedMeasure{"pixels", ChannelMeasure::pixels},
                           NamedMeasure{"sum", ChannelMeasure::sum},
                           NamedMeasure{"mean", ChannelMeasure::mean},
                           NamedMeasure{"min", ChannelMeasure::min},
                           NamedMeasure{"max", ChannelMeasure::max},
                           NamedMeasure{"stddev", ChannelMeasure::stddev},
                           NamedMeasure{"median", ChannelMeasure::percentile, 50}};

std::optional<NamedMeasure> measureNamed(std::string_view name) {
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

double valueOf(const ChannelMeasures& measured, ChannelMeasure measure, std::uint32_t label, std::size_t channel,
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
        const std::optional<NamedMeasure> measure = measureNamed(name);
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
        const std::string of = "[" + channels[channel] + "]";
        std::size_t percentile = 0;
        for (const NamedMeasure& named : measures) {
            columns.push_back(
                {named.name + of, [measured, measure = named.measure, channel, percentile](std::uint32_t label) {
                     return valueOf(*measured, measure, label, channel, percentile);
                 }});
            percentile += named.measure == ChannelMeasure::percentile ? 1 : 0;
        }
        if (measured->spec().ring > 0) {
            columns.push_back(
                {"ring" + of, [measured, channel](std::uint32_t label) { return measured->ring(label, channel); }});
        }
    }
    for (std::size_t i = 0; i < measured->spec().pairs.size(); ++i) {
        const ChannelPair& pair = measured->spec().pairs[i];
        const std::string of = "[" + channels[pair.first] + "," + channels[pair.second] + "]";
        columns.push_back(
            {"pearson" + of, [measured, i](std::uint32_t label) { return measured->pair(label, i).pearson; }});
        columns.push_back(
            {"manders1" + of, [measured, i](std::uint32_t label) { return measured->pair(label, i).manders1; }});
        columns.push_back(
            {"manders2" + of, [measured, i](std::uint32_t label) { return measured->pair(label, i).manders2; }});
    }
    return columns;
}

} // namespace pollard
