#pragma once

#include "components/objects/object_condition.hpp"
#include "image/length_unit.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Dimensions of the values in a condition. Sums and comparisons need equal dimensions; a number without a unit takes
/// the dimension of the other side, but in a product with another value it is a factor.
class ConditionDimensions {
public:
    /// @param text from which @p condition was parsed
    ConditionDimensions(const ObjectCondition& condition, std::string_view text);

    /// @throws Error(invalidArgument) naming a number whose unit does not fit
    void requireFitting() const;

    /// Implements ObjectCondition::withUnits(). @throws Error(invalidArgument)
    [[nodiscard]] std::string withUnits(LengthUnit unit) const;

private:
    using Step = ObjectCondition::Step;
    using Operation = ObjectCondition::Operation;

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// A value or a condition: the result of the step with the same index.
    struct Node {
        std::size_t first = kNone; ///< index of the operand
        std::size_t second = kNone;
        std::optional<int> power; ///< power of length; unset: plain numbers, which fit any dimension
        bool mixed = false;       ///< combines values of different dimensions
        std::size_t unit = kNone; ///< index of a number with a unit inside it
    };

    void join(std::size_t place);
    void multiply(std::size_t place, bool divides);
    /// Whether two values can be added and compared.
    [[nodiscard]] bool fits(const Node& a, const Node& b) const;
    [[nodiscard]] std::vector<int> neededPowers() const;
    /// Text such as "area is an area". @param otherwise name of a compound value
    [[nodiscard]] std::string described(std::size_t place, const std::string& otherwise) const;
    [[noreturn]] void fail(std::size_t place, const std::string& why) const;
    [[nodiscard]] static bool joins(Operation operation) noexcept;

    std::vector<Step> steps_;
    std::string_view text_;
    std::vector<Node> nodes_;
    std::size_t clash_ = kNone; ///< the first step that combines two dimensions, one with a unit
};

} // namespace pollard
