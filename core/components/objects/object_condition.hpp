#pragma once

#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A condition on the features of an object, e.g. `area >= 50 && circularity > 0.8`.
///
/// Numbers, the ids of objectFeatures(), + - * / and parentheses make values; <, <=, >, >=, == (or =) and != compare
/// two values; && (and), || (or) and ! (not) join conditions; the usual order of precedence. A comparison with an
/// undefined value (0/0) does not hold, but for !=.
///
/// A number may have a unit, `area > 15 um2`, see unitAtStart(); it may stand only where a length or an area of its
/// kind can. Numbers without one are in the unit that features have, see holds().
class ObjectCondition {
public:
    /// The condition that every object meets.
    ObjectCondition() = default;

    /// @param text empty or blank: every object meets it
    /// @throws Error(invalidArgument) naming the column, what stands there and what was expected
    [[nodiscard]] static ObjectCondition parse(std::string_view text);

    /// The same text with a unit behind every number without one that stands for a length or an area other than 0; it
    /// then means the same whatever unit features have. Sums and comparisons have one dimension, and a number that
    /// multiplies or divides another value is a factor.
    /// @param unit in which the numbers of @p text are
    /// @throws Error(invalidArgument) as parse(), and naming the number whose dimension is ambiguous
    [[nodiscard]] static std::string withUnits(std::string_view text, LengthUnit unit);

    /// Whether a number has a unit, px among them.
    [[nodiscard]] bool statesUnits() const noexcept;
    /// Whether a number has a unit other than px, so that inPixels() has to come before holds().
    [[nodiscard]] bool hasUnits() const noexcept;
    /// The same condition with numbers that have a unit in px.
    /// @throws Error(invalidArgument) naming the number and why it has no meaning for pixels of this size
    [[nodiscard]] ObjectCondition inPixels(const std::optional<PixelSize>& size) const;

    /// @param side of a pixel in the unit that lengths are given in, as in featureOf(): that of features and of numbers
    ///        without a unit. Numbers that have one are in px.
    /// @param edge of the object, as in featureOf(); null if edgeMeasure() is none
    [[nodiscard]] bool holds(const ComponentRecord& object, std::uint32_t label, double side = 1,
                             const ObjectEdge* edge = nullptr) const noexcept;

    /// The edge measurements that its features need.
    [[nodiscard]] EdgeMeasure edgeMeasure() const noexcept;

    /// Whether every object meets it because nothing was asked for.
    [[nodiscard]] bool isEmpty() const noexcept { return steps_.empty(); }

    /// Deepest nesting of parentheses and signs that is read.
    static constexpr int kMostNesting = 100;

private:
    friend class ConditionParser;
    friend class ConditionDimensions;

    enum class Operation : std::uint8_t {
        number,
        feature,
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
        LengthUnit unit = LengthUnit::pixel;   ///< of a number
        Dimension dimension = Dimension::none; ///< of a number with a unit
        std::size_t column = 0;                ///< of a number or a feature in the text, 0-based
        std::size_t end = 0;                   ///< of the text, unit included
    };
    [[nodiscard]] static double apply(Operation operation, double a, double b) noexcept;

    std::vector<Step> steps_; ///< in the order they work on a stack of values; a condition's value is 0 or 1
};

} // namespace pollard
