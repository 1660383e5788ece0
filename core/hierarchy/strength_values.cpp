#include "hierarchy/strength_values.hpp"

#include "attributes/grey_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard {

namespace {

std::optional<AttributeId> columnOf(Strength strength, EdgeWeight weight) {
    switch (strength) {
    case Strength::altitude:
        return weight == EdgeWeight::maximum ? AttributeId::level : AttributeId::height;
    case Strength::dynamics:
        return AttributeId::height;
    case Strength::volume:
        return AttributeId::volume;
    case Strength::area:
        break;
    }
    return std::nullopt;
}

} // namespace

StrengthValues::StrengthValues(Strength strength, EdgeWeight weight, const std::optional<ValueMapping>& values)
    : column_(columnOf(strength, weight)), values_(values) {}

double StrengthValues::valueOf(std::uint64_t strength) const {
    const auto number = static_cast<double>(strength);
    return column_ ? columnValue(*column_, number, values_) : number;
}

std::uint64_t StrengthValues::strengthOf(double value) const {
    constexpr double kMost = 0x1p63;
    const double number = std::floor(column_ ? columnBound(*column_, value, false, values_) : value);
    return number >= kMost ? std::numeric_limits<std::int64_t>::max()
                           : static_cast<std::uint64_t>(std::max(number, 0.0));
}

std::string StrengthValues::unit() const { return column_ ? columnUnit(*column_, values_) : "px"; }

} // namespace pollard
