#pragma once

#include "components/object_condition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// What the numbers of a condition stand for. Sums and comparisons join values of one dimension; a number without a
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
        std::size_t first = kNone; ///< what the operation works on
        std::size_t second = kNone;
        std::optional<int> power; ///< of a length; nothing: numbers only, which take any
        bool untold = false;      ///< values of several dimensions were joined
        std::size_t unit = kNone; ///< place of a number in it that has a unit
    };

    void join(std::size_t place);
    void multiply(std::size_t place, bool divides);
    /// Whether two values can be added and compared.
    [[nodiscard]] bool fits(const Node& a, const Node& b) const;
    [[nodiscard]] std::vector<int> neededPowers() const;
    [[nodiscard]] std::string told(std::size_t place) const;
    [[noreturn]] void fail(std::size_t place, const std::string& why) const;
    [[nodiscard]] static bool joins(Operation operation) noexcept;

    std::vector<Step> steps_;
    std::string_view text_;
    std::vector<Node> nodes_;
    std::size_t clash_ = kNone; ///< the first step that joins two dimensions, one of which has a unit
};

} // namespace pollard
