#include "attributes/grey_values.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

namespace {

/// A bound moved outwards by some roundings of the numbers that it came from.
double widened(double bound, double size, bool isLower) {
    constexpr double kRoundings = 4 * std::numeric_limits<double>::epsilon();
    const double slack = kRoundings * std::max(std::abs(bound), size);
    const double whole = std::round(bound);
    if (std::abs(bound - whole) <= slack) {
        return whole; // levels and their differences are whole numbers
    }
    return isLower ? bound - slack : bound + slack;
}

/// Bound of a column in values: a value that reads like the bound in the precision of the samples is within it.
double boundInValues(double value, bool isLower, const ValueMapping& mapping) {
    if (mapping.ranks == nullptr) {
        return widened(value, std::abs(value), isLower);
    }
    constexpr double kOfFloat = std::numeric_limits<float>::epsilon();
    constexpr double kOfDouble = 4 * std::numeric_limits<double>::epsilon();
    const FileSamples& file = mapping.file;
    const bool isExact = file.type != ValueType::f32 && file.type != ValueType::f64 && file.slope == 1;
    if (isExact) {
        return value;
    }
    const std::vector<double>& values = mapping.ranks->values;
    const double size = std::max({std::abs(value), std::abs(values.front()), std::abs(values.back())});
    const double slack = size * (file.type == ValueType::f32 ? kOfFloat : kOfDouble);
    return isLower ? value - slack : value + slack;
}

/// Bound of a level: exact, by the values of the levels.
double levelBound(double value, bool isLower, const ValueMapping& mapping) {
    constexpr auto kLast = std::numeric_limits<std::uint16_t>::max();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto levels =
        isLower ? mapping.levelsWithin(value, kInfinity, kLast) : mapping.levelsWithin(-kInfinity, value, kLast);
    if (!levels) {
        return isLower ? kInfinity : -kInfinity;
    }
    return static_cast<double>(isLower ? levels->first : levels->second);
}

} // namespace

bool isColumnInValues(AttributeId id, const ValueMapping& mapping) noexcept {
    const Grey grey = attributeInfo(id).grey;
    if (mapping.ranks == nullptr) {
        return grey == Grey::sum && mapping.offset != 0;
    }
    return grey != Grey::none || id == AttributeId::entropy || id == AttributeId::stability;
}

double columnValue(AttributeId id, double number, const std::optional<ValueMapping>& mapping) noexcept {
    if (!mapping || isColumnInValues(id, *mapping)) {
        return number;
    }
    switch (attributeInfo(id).grey) {
    case Grey::none:
        break;
    case Grey::position:
        return mapping->offset + mapping->step * number;
    case Grey::difference:
    case Grey::integral:
    case Grey::sum:
        return mapping->step * number;
    case Grey::square:
        return mapping->step * mapping->step * number;
    }
    return number;
}

double columnBound(AttributeId id, double value, bool isLower, const std::optional<ValueMapping>& mapping) noexcept {
    const Grey grey = attributeInfo(id).grey;
    if (grey == Grey::none || !mapping || std::isinf(value)) {
        return value;
    }
    if (isColumnInValues(id, *mapping)) {
        if (id != AttributeId::level) {
            return boundInValues(value, isLower, *mapping);
        }
        const double level = levelBound(value, isLower, *mapping);
        return std::isinf(level) ? level : mapping->valueOf(level);
    }
    const double step = mapping->step;
    if (id == AttributeId::level) {
        return levelBound(value, isLower, *mapping);
    }
    if (grey == Grey::position) {
        return widened((value - mapping->offset) / step, std::max(std::abs(value), std::abs(mapping->offset)) / step,
                       isLower);
    }
    const double bound = grey == Grey::square ? value / (step * step) : value / step;
    return widened(bound, std::abs(bound), isLower);
}

std::string columnUnit(AttributeId id, const std::optional<ValueMapping>& mapping) {
    const AttributeInfo& info = attributeInfo(id);
    const std::string unit = unitOf(mapping);
    constexpr std::string_view kGrey = "grey";
    if (info.grey == Grey::none || unit.empty() || !info.unit.starts_with(kGrey)) {
        return std::string(info.unit);
    }
    return unit + std::string(info.unit.substr(kGrey.size()));
}

void requireProportional(const std::optional<ValueMapping>& mapping, std::string_view what) {
    if (mapping && !mapping->isProportional()) {
        throw Error(ErrorCode::invalidArgument,
                    std::string(what) +
                        ": the levels of this image are ranks of its values: --range minmax maps the values evenly");
    }
}

} // namespace pollard
