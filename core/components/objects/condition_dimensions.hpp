#pragma once

#include "components/objects/object_condition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// The dimensions of the values in a condition. Sums and comparisons join values of one dimension; a number without a
/// unit takes that of the other side, but as a part of a product with another value it is a factor.
class ConditionDimensions {
public:
    /// @param text that @p condition was read from
    ConditionDimensions(const ObjectCondition& condition, std::string_view text);

    /// @throws Error(invalidArgument) naming a number with a unit that stands where its dimension cannot
    void requireFitting() const;

    /// See ObjectCondition::withUnits(). @throws Error(invalidArgument)
    [[nodiscard]] std::string withUnits(LengthUnit unit) const;

private:
    using Step = ObjectCondition::Step;
    using Operation = ObjectCondition::Operation;

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// A value or a condition, made by the step at the same place.
    struct Node {
        std::size_t first = kNone; ///< operand
        std::size_t second = kNone;
        std::optional<int> power; ///< of a length; nothing: numbers only, which take any
        bool mixed = false;       ///< joins values of several dimensions
        std::size_t unit = kNone; ///< place of a number in it that has a unit
    };

    void join(std::size_t place);
    void multiply(std::size_t place, bool divides);
    /// Whether two values can be added and compared.
    [[nodiscard]] bool fits(const Node& a, const Node& b) const;
    [[nodiscard]] std::vector<int> neededPowers() const;
    /// "area is an area". @param otherwise name of a value of several parts
    [[nodiscard]] std::string described(std::size_t place, const std::string& otherwise) const;
    [[noreturn]] void fail(std::size_t place, const std::string& why) const;
    [[nodiscard]] static bool joins(Operation operation) noexcept;

    std::vector<Step> steps_;
    std::string_view text_;
    std::vector<Node> nodes_;
    std::size_t clash_ = kNone; ///< the first step that joins two dimensions, one of which has a unit
};

} // namespace pollard
