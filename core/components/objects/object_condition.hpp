#pragma once

#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A condition on the features of an object, e.g. `area >= 50 && circularity > 0.8`.
///
/// Values are numbers, ids of objectFeatures(), + - * / and parentheses; <, <=, >, >=, == (or =) and != compare two
/// values; && (and), || (or) and ! (not) combine conditions; with the usual precedence. A comparison with an undefined
/// value (0/0) is false, except !=.
///
/// Columns of channels are values, too: `mean[GFP] > 100`, see channelColumns(). The name of the channel ends at the
/// bracket that closes the first one.
///
/// A number may have a unit, `area > 15 um2`, see unitAtStart(), if its dimension fits. Numbers without a unit are in
/// the unit of the features, see holds().
class ObjectCondition {
public:
    /// Condition that every object meets.
    ObjectCondition() = default;

    /// @param text empty or blank: every object meets it
    /// @throws Error(invalidArgument) naming the column, the text found there and the text expected
    [[nodiscard]] static ObjectCondition parse(std::string_view text);

    /// Adds a unit to every number without one that stands for a non-zero length or area, which makes the condition
    /// independent of the features' unit. Sums and comparisons have one dimension; a number that multiplies or divides
    /// another value is a factor.
    /// @param unit of the numbers of @p text
    /// @throws Error(invalidArgument) as parse(), and naming a number with ambiguous dimension
    [[nodiscard]] static std::string withUnits(std::string_view text, LengthUnit unit);

    /// Whether any number has a unit, including px.
    [[nodiscard]] bool statesUnits() const noexcept;
    /// Whether any number has a unit other than px, so that inPixels() must precede holds().
    [[nodiscard]] bool hasUnits() const noexcept;
    /// Converts numbers with a unit to px.
    /// @throws Error(invalidArgument) naming the number and why it cannot be converted at this pixel size
    [[nodiscard]] ObjectCondition inPixels(const std::optional<PixelSize>& size) const;

    /// Names of its columns, "mean[GFP]", by their first use.
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
    /// Checks that its columns are some of these, which have names of channels in any case of letters if that is
    /// unambiguous.
    /// @throws ConditionError naming the column and what there is
    void requireColumns(std::span<const std::string> names) const;
    /// The condition with the values of its columns. @throws as requireColumns()
    [[nodiscard]] ObjectCondition withColumns(std::span<const ObjectColumn> columns) const;
    /// Whether it has the values of all its columns, so that holds() may be called.
    [[nodiscard]] bool hasColumns() const noexcept { return values_.size() == columns_.size(); }

    /// Evaluates the condition for an object.
    /// @param side of a pixel in the unit of features and of numbers without a unit, as in featureOf(); numbers with a
    /// unit are in px
    /// @param edge of the object, as in featureOf(); null if edgeMeasure() is none
    [[nodiscard]] bool holds(const ComponentRecord& object, std::uint32_t label, double side = 1,
                             const ObjectEdge* edge = nullptr) const noexcept;

    /// Edge measurements required by its features.
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
    struct Step {
        Operation operation;
        ObjectFeature feature = ObjectFeature::label;
        double number = 0;
        std::size_t columnIndex = 0;           ///< in columns()
        LengthUnit unit = LengthUnit::pixel;   ///< of a number
        Dimension dimension = Dimension::none; ///< of a number with a unit
        std::size_t column = 0;                ///< 0-based column of a number or feature in the text
        std::size_t end = 0;                   ///< end column in the text, unit included
    };
    [[nodiscard]] static double apply(Operation operation, double a, double b) noexcept;

    /// Index in @p names of the column of a step. @throws ConditionError
    [[nodiscard]] static std::size_t placeOf(const Step& step, const std::string& column,
                                             std::span<const std::string> names);
    [[nodiscard]] std::vector<std::size_t> placesIn(std::span<const std::string> names) const;

    std::vector<Step> steps_; ///< in postfix order; the value of a condition is 0 or 1
    std::vector<std::string> columns_;
    std::vector<std::function<double(std::uint32_t)>> values_; ///< of the columns, or empty
};

} // namespace pollard
