#include "analysis/bins.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <utility>
#include <variant>

namespace pollard {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, "bins: " + why); }

/// First and last edge; if closed, the last bin includes the last edge.
struct Span {
    double low;
    double high;
    bool closed;
};

Span spanOf(const BinSpec& spec, double minimum, double maximum, bool integral) {
    const bool log = spec.scale == BinScale::log;
    // no values, or none above 0 on a log scale
    const bool none = !(minimum <= maximum) || (log && !(maximum > 0));
    double low = spec.low.value_or(none ? 1 : minimum);
    Span span{low, low, false};
    if (spec.high) {
        span.high = *spec.high;
        return span;
    }
    const double last = none ? low : std::max(maximum, low);
    if (last == low) {
        span.high = log ? 2 * low : low + 1;
    } else if (integral && last + 1 > last) {
        span.high = std::floor(last) + 1;
    } else {
        span.high = last;
        span.closed = true;
    }
    return span;
}

} // namespace

Bins makeBins(const BinSpec& spec, double minimum, double maximum, bool integral) {
    const bool log = spec.scale == BinScale::log;
    if (spec.count < 1 || spec.count > BinSpec::kMaxBins) {
        refuse("a count of " + std::to_string(spec.count) + " is not between 1 and " +
               std::to_string(BinSpec::kMaxBins));
    }
    for (const std::optional<double>& bound : {spec.low, spec.high}) {
        if (bound && !std::isfinite(*bound)) {
            refuse("a bound is not a finite number");
        }
    }
    const Span span = spanOf(spec, minimum, maximum, integral);
    if (log && !(span.low > 0)) {
        refuse("a logarithmic scale must start above 0, not at " + std::to_string(span.low));
    }
    if (!(span.low < span.high) || !std::isfinite(span.high - span.low)) {
        refuse("the last edge " + std::to_string(span.high) + " is not above the first one " +
               std::to_string(span.low));
    }
    Bins bins;
    bins.scale = spec.scale;
    bins.lastClosed = span.closed;
    bins.edges.resize(spec.count + std::size_t{1});
    for (std::uint32_t i = 0; i <= spec.count; ++i) {
        const double part = static_cast<double>(i) / spec.count;
        bins.edges[i] =
            log ? span.low * std::pow(span.high / span.low, part) : span.low + (span.high - span.low) * part;
    }
    bins.edges.front() = span.low;
    bins.edges.back() = span.high;
    for (std::size_t i = 0; i + 1 < bins.edges.size(); ++i) {
        if (!(bins.edges[i] < bins.edges[i + 1])) {
            refuse(std::to_string(spec.count) + " of them between " + std::to_string(span.low) + " and " +
                   std::to_string(span.high) + " are narrower than the precision of the numbers");
        }
    }
    return bins;
}

BinFinder::BinFinder(const Bins& bins)
    : edges_(bins.edges.data()), count_(static_cast<std::uint32_t>(bins.count())), log_(bins.scale == BinScale::log),
      lastClosed_(bins.lastClosed) {
    const auto onScale = [this](double value) { return log_ ? std::log(value) : value; };
    offset_ = onScale(bins.edges.front());
    factor_ = static_cast<double>(count_) / (onScale(bins.edges.back()) - offset_);
}

ColumnRange columnRange(const AttributeColumn& column, std::size_t first, bool positive, const JobControl& control) {
    constexpr std::size_t kNodesPerTask = std::size_t{1} << 16;
    return std::visit(
        [&](const auto& values) {
            return tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(std::min(first, values.size()), values.size(), kNodesPerTask),
                ColumnRange{},
                [&](const auto& nodes, ColumnRange range) {
                    control.throwIfStopped();
                    for (std::size_t i = nodes.begin(); i != nodes.end(); ++i) {
                        const auto value = static_cast<double>(values[i]);
                        if (std::isfinite(value) && (!positive || value > 0)) {
                            range.minimum = std::min(range.minimum, value);
                            range.maximum = std::max(range.maximum, value);
                        }
                    }
                    return range;
                },
                [](const ColumnRange& a, const ColumnRange& b) {
                    return ColumnRange{std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
                });
        },
        column.values);
}

double ChartAxis::placeOf(double value) const noexcept {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

double ChartAxis::valueAt(double place) const noexcept {
    if (place <= 0 || place >= 1) {
        return place <= 0 ? low : high; // exact ends
    }
    return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
}

} // namespace pollard
