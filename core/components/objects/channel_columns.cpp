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

/// The values of a column of levels; null for other measurements and if levels are values.
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
