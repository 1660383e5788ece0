#pragma once

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    notMeasured,       ///< a measurement of channels that is missing
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

/// A condition on the features of an object, e.g. `area >= 50 && circularity > 0.8`.
///
/// Values are numbers, ids of objectFeatures(), + - * / and parentheses; <, <=, >, >=, == (or =) and != compare two
/// values; && (and), || (or) and ! (not) combine conditions; with the usual precedence. A comparison with an undefined
/// value (0/0) is false, except !=.
///
/// Columns of channels are values, too: `mean[GFP] > 100`, see channelColumns(). The name of the channel ends at the
/// bracket that closes the first one. So are the columns of placeColumns(): `flux > 10 && dec_deg > 40`.
///
/// A number may have a unit, `area > 15 um2`, see unitAtStart(), if its dimension fits. Numbers without a unit are in
/// the unit of the features, see holds().
///
/// A smallest, largest or mean grey value is equal to a number if both have the same text; so are columns of levels of
/// a channel, see ValueMapping::isBound(). If levels divide a range of values, a number is rounded to a level, as the
/// values are.
class ObjectCondition {
public:
    /// Condition that every object meets.
    ObjectCondition() = default;

    /// @param text empty or blank: every object meets it
    /// @param features that the condition may name
    /// @throws Error(invalidArgument) naming the column, the text found there and the text expected
    [[nodiscard]] static ObjectCondition parse(std::string_view text,
                                               std::span<const ObjectFeatureInfo> features = objectFeatures());

    /// Adds a unit to every number without a unit that is a non-zero length or area. The condition is then independent
    /// of the features' unit. Sums and comparisons have one dimension; a number that multiplies or divides another
    /// value is a factor.
    /// @param unit of the numbers of @p text
    /// @throws Error(invalidArgument) as parse(), and naming a number with ambiguous dimension
    [[nodiscard]] static std::string withUnits(std::string_view text, LengthUnit unit);

    /// Converts numbers that are compared with the smallest, largest or mean grey value from levels to values. Sums and
    /// parts of formulas stay as they are.
    /// @param mapping of the levels of @p text
    /// @throws Error(invalidArgument) as parse()
    [[nodiscard]] static std::string withValues(std::string_view text, const ValueMapping& mapping,
                                                std::span<const ObjectFeatureInfo> features = objectFeatures());

    /// Whether any number has a unit, including px.
    [[nodiscard]] bool statesUnits() const noexcept;
    /// Whether any number has a unit other than px, so that inPixels() must precede holds().
    [[nodiscard]] bool hasUnits() const noexcept;
    /// Converts numbers with a unit to px.
    /// @throws Error(invalidArgument) naming the number and why it cannot be converted at this pixel size
    [[nodiscard]] ObjectCondition inPixels(const std::optional<PixelSize>& size) const;
    /// Converts numbers with a unit to the unit of the features of a volume. In px, numbers of voxels have units only.
    /// @throws as inPixels()
    [[nodiscard]] ObjectCondition inVolume(LengthUnit unit, const std::optional<PixelSize>& size) const;

    /// Whether the condition names a feature of grey values.
    [[nodiscard]] bool namesGrey() const noexcept;

    /// Names of the condition's columns, "mean[GFP]", by first use.
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
    /// Checks that all columns exist. Upper and lower case of the names of channels may differ if the name is
    /// unambiguous.
    /// @throws ConditionError naming the column and the columns that exist
    void requireColumns(std::span<const std::string> names) const;
    /// Returns the condition with the values of its columns. @throws as requireColumns()
    [[nodiscard]] ObjectCondition withColumns(std::span<const ObjectColumn> columns) const;
    /// Whether the condition has the values of all its columns, so that holds() may be called.
    [[nodiscard]] bool hasColumns() const noexcept { return values_.size() == columns_.size(); }

    /// Evaluates the condition for an object; numbers without a unit are in the unit of the object's features.
    /// @param object with the edge if edgeMeasure() is not none
    /// @param side of a pixel in that unit, for numbers with a unit, which are in px
    [[nodiscard]] bool holds(const MeasuredObject& object, double side = 1) const noexcept;

    /// Edge measurements that the condition's features require in images.
    [[nodiscard]] EdgeMeasure edgeMeasure() const noexcept;

    /// Whether the condition is empty, so that every object meets it.
    [[nodiscard]] bool isEmpty() const noexcept { return steps_.empty(); }

    /// Largest nesting depth of parentheses and signs.
    static constexpr int kMostNesting = 100;

private:
    friend class ConditionParser;
    friend class ConditionDimensions;

    enum class Operation : std::uint8_t {
        number,
        feature,
        column,
        negate,
        add,
        subtract,
        multiply,
        divide,
        less,
        lessOrEqual,
        greater,
        greaterOrEqual,
        equal,
        notEqual,
        both,
        either,
        invert
    };
    enum class Bound : std::uint8_t { none, first, second }; ///< the operand that is the number
    static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
    struct Step {
        Operation operation;
        ObjectFeature feature = ObjectFeature::label;
        double number = 0;
        std::size_t columnIndex = kNoColumn;   ///< in columns(), also of a comparison of a column with a number
        Bound bound = Bound::none;             ///< of a comparison of a grey value or a column with a number
        LengthUnit unit = LengthUnit::pixel;   ///< of a number
        Dimension dimension = Dimension::none; ///< of a number with a unit, or of a feature
        std::size_t column = 0;                ///< 0-based column of a number or feature in the text
        std::size_t end = 0;                   ///< end column in the text, unit included
    };
    [[nodiscard]] static double apply(Operation operation, double a, double b) noexcept;
    /// Whether steps are only the smallest, largest or mean grey value or a column, or only a number with its sign.
    [[nodiscard]] static bool isGreyValue(std::span<const Step> steps) noexcept;
    [[nodiscard]] static bool isNumber(std::span<const Step> steps) noexcept;
    /// The value compared by a step, or the bound itself if both read alike.
    [[nodiscard]] double atBound(const Step& comparison, const MeasuredObject& object, double value,
                                 double bound) const noexcept;

    /// Index in @p names of the column of a step. @throws ConditionError
    [[nodiscard]] static std::size_t placeOf(const Step& step, const std::string& column,
                                             std::span<const std::string> names);
    [[nodiscard]] std::vector<std::size_t> placesIn(std::span<const std::string> names) const;

    std::vector<Step> steps_; ///< in postfix order; the value of a condition is 0 or 1
    std::vector<std::string> columns_;
    std::vector<std::function<double(std::uint32_t)>> values_;  ///< of the columns, or empty
    std::vector<std::shared_ptr<const ValueMapping>> mappings_; ///< of the levels of each of values_; null: none
};

} // namespace pollard
