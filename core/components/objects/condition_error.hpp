#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>

namespace pollard {

/// Kind of a mistake in a condition.
enum class ConditionFault {
    number,            ///< a number that cannot be read
    noOperand,         ///< a feature, a number or ( is expected
    noClosing,         ///< ) is expected
    noComparison,      ///< a comparison is expected
    noJoin,            ///< && or || is expected
    noFeature,         ///< a name that is no feature
    noMeasure,         ///< a name before [ that is no measurement of channels
    noChannel,         ///< a channel that does not exist
    notMeasured,       ///< a measurement of channels that was not made
    valueNotCondition, ///< a value where a condition is expected
    conditionNotValue, ///< a condition where a value is expected
    nesting,           ///< nested too deeply
    dimension,         ///< values of different dimensions, or a number whose unit does not fit
    pixelSize,         ///< a unit that cannot be converted at this pixel size
};

/// A mistake in a condition, with its place. The message is "condition: column N: why", N from 1.
class ConditionError : public Error {
public:
    /// @param column of the wrong word, 0-based, in bytes
    /// @param length of the word in bytes; 0 at the end of the text
    ConditionError(ConditionFault fault, std::size_t column, std::size_t length, const std::string& why)
        : Error(ErrorCode::invalidArgument, "condition: column " + std::to_string(column + 1) + ": " + why),
          fault_(fault), column_(column), length_(length) {}

    [[nodiscard]] ConditionFault fault() const noexcept { return fault_; }
    [[nodiscard]] std::size_t column() const noexcept { return column_; }
    [[nodiscard]] std::size_t length() const noexcept { return length_; }

private:
    ConditionFault fault_;
    std::size_t column_;
    std::size_t length_;
};

} // namespace pollard
