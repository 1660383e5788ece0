#pragma once

#include "components/components.hpp"
#include "components/object_features.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pollard {

/// A condition on the features of an object, e.g. `area >= 50 && circularity > 0.8`.
///
/// Numbers, the ids of objectFeatures(), + - * / and parentheses make values; <, <=, >, >=, == (or =) and != compare
/// two values; && (and), || (or) and ! (not) join conditions; the usual order of precedence. A comparison with an
/// undefined value (0/0) does not hold, but for !=.
class ObjectCondition {
public:
    /// The condition that every object meets.
    ObjectCondition() = default;

    /// @param text empty or blank: every object meets it
    /// @throws Error(invalidArgument) naming the column, what stands there and what was expected
    [[nodiscard]] static ObjectCondition parse(std::string_view text);

    /// @param side of a pixel in the unit that lengths are given in, as in featureOf()
    /// @param edge of the object, as in featureOf(); null if edgeMeasure() is none
    [[nodiscard]] bool holds(const ComponentRecord& object, std::uint32_t label, double side = 1,
                             const ObjectEdge* edge = nullptr) const noexcept;

    /// What its features need to know of the objects' edges.
    [[nodiscard]] EdgeMeasure edgeMeasure() const noexcept;

    /// Whether every object meets it because nothing was asked for.
    [[nodiscard]] bool isEmpty() const noexcept { return steps_.empty(); }

    /// Deepest nesting of parentheses and signs that is read.
    static constexpr int kMostNesting = 100;

private:
    friend class ConditionParser;

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
    };
    [[nodiscard]] static double apply(Operation operation, double a, double b) noexcept;

    std::vector<Step> steps_; ///< in the order they work on a stack of values; a condition's value is 0 or 1
};

} // namespace pollard
