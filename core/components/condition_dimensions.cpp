#include "components/condition_dimensions.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

namespace {

/// Largest exponent; higher powers have no meaning.
constexpr int kMostPower = 1'000;

} // namespace

ConditionDimensions::ConditionDimensions(const ObjectCondition& condition, std::string_view text)
    : steps_(condition.steps_), text_(text), nodes_(condition.steps_.size()) {
    std::vector<std::size_t> stack;
    for (std::size_t place = 0; place < steps_.size(); ++place) {
        const Step& step = steps_[place];
        Node& node = nodes_[place];
        switch (step.operation) {
        case Operation::number:
            if (step.dimension != Dimension::none) {
                node.power = powerOf(step.dimension);
                node.unit = place;
            }
            break;
        case Operation::feature:
            node.power = powerOf(step.dimension);
            break;
        case Operation::column:
            node.power = 0;
            break;
        case Operation::negate:
        case Operation::invert:
            node = nodes_[stack.back()];
            node.first = stack.back();
            node.second = kNone;
            stack.pop_back();
            break;
        default:
            node.second = stack.back();
            stack.pop_back();
            node.first = stack.back();
            stack.pop_back();
            if (step.operation == Operation::multiply || step.operation == Operation::divide) {
                multiply(place, step.operation == Operation::divide);
            } else if (step.operation != Operation::both && step.operation != Operation::either) {
                join(place);
            }
            break;
        }
        stack.push_back(place);
    }
}

bool ConditionDimensions::fits(const Node& a, const Node& b) const {
    return !a.mixed && !b.mixed && (!a.power || !b.power || *a.power == *b.power);
}

void ConditionDimensions::join(std::size_t place) {
    Node& node = nodes_[place];
    const Node& a = nodes_[node.first];
    const Node& b = nodes_[node.second];
    node.unit = a.unit != kNone ? a.unit : b.unit;
    if (fits(a, b)) {
        node.power = a.power ? a.power : b.power;
        return;
    }
    node.mixed = true;
    if (node.unit != kNone && clash_ == kNone) {
        clash_ = place;
    }
}

void ConditionDimensions::multiply(std::size_t place, bool divides) {
    Node& node = nodes_[place];
    const Node& a = nodes_[node.first];
    const Node& b = nodes_[node.second];
    node.unit = a.unit != kNone ? a.unit : b.unit;
    node.mixed = a.mixed || b.mixed;
    if (a.power || b.power) {
        const int other = b.power.value_or(0);
        node.power = std::clamp(a.power.value_or(0) + (divides ? -other : other), -kMostPower, kMostPower);
    }
}

std::string ConditionDimensions::described(std::size_t place, const std::string& otherwise) const {
    const Node& node = nodes_[place];
    const bool leaf = node.first == kNone;
    const std::string name =
        leaf ? std::string(text_.substr(steps_[place].column, steps_[place].end - steps_[place].column)) : otherwise;
    constexpr std::array kKinds{" is neither a length nor an area", " is a length", " is an area", " is a volume"};
    if (node.mixed || !node.power || *node.power < 0 || *node.power >= static_cast<int>(kKinds.size())) {
        return name + kKinds.front();
    }
    return name + kKinds[static_cast<std::size_t>(*node.power)];
}

void ConditionDimensions::fail(std::size_t place, const std::string& why) const {
    const Step& step = steps_[place];
    throw ConditionError(ConditionFault::dimension, step.column, step.end - step.column, why);
}

void ConditionDimensions::requireFitting() const {
    if (clash_ == kNone) {
        return;
    }
    const Node& node = nodes_[clash_];
    // Reports the side that is a single number with a unit, which is easier to correct.
    const bool second = nodes_[node.first].unit != node.first && nodes_[node.second].unit != kNone &&
                        (nodes_[node.second].unit == node.second || nodes_[node.first].unit == kNone);
    const std::size_t side = second ? node.second : node.first;
    const std::size_t other = second ? node.first : node.second;
    const int power = nodes_[other].power.value_or(0);
    std::string why = described(side, "one side") + ", but " + described(other, "the other side");
    if (!nodes_[other].mixed && power >= powerOf(Dimension::length) && power <= powerOf(Dimension::volume)) {
        why += "; there are " + unitNames(static_cast<Dimension>(power));
    }
    fail(nodes_[side].unit, why);
}

bool ConditionDimensions::joins(Operation operation) noexcept {
    return operation == Operation::add || operation == Operation::subtract ||
           (operation >= Operation::less && operation <= Operation::notEqual);
}

/// Power that every value without a unit must have, derived from the whole expression down to its parts.
std::vector<int> ConditionDimensions::neededPowers() const {
    std::vector<int> needed(nodes_.size(), 0);
    for (std::size_t place = nodes_.size(); place-- > 0;) {
        const Node& node = nodes_[place];
        const Operation operation = steps_[place].operation;
        const int own = node.power.value_or(needed[place]);
        if (joins(operation)) {
            needed[node.first] = needed[node.second] = own;
        } else if (operation == Operation::negate) {
            needed[node.first] = own;
        } else if (operation == Operation::multiply || operation == Operation::divide) {
            // In a product of numbers only, the first number has the unit; in a product with another value, numbers are
            // factors.
            needed[node.first] = node.power ? 0 : own;
            needed[node.second] = 0;
        }
    }
    return needed;
}

std::string ConditionDimensions::withUnits(LengthUnit unit) const {
    const std::vector<int> needed = neededPowers();
    std::string text;
    std::size_t copied = 0;
    for (std::size_t place = 0; place < nodes_.size(); ++place) {
        const Step& step = steps_[place];
        const Node& node = nodes_[place];
        if (node.mixed && joins(step.operation) && fits(nodes_[node.first], {}) && fits(nodes_[node.second], {})) {
            std::size_t first = node.first; // leftmost operand, to name a column
            while (nodes_[first].first != kNone) {
                first = nodes_[first].first;
            }
            fail(first, "values of different dimensions are joined: write units behind the numbers");
        }
        if (step.operation != Operation::number || step.dimension != Dimension::none || needed[place] == 0 ||
            step.number == 0) {
            continue;
        }
        if (needed[place] != 1 && needed[place] != 2) {
            fail(place, std::string(text_.substr(step.column, step.end - step.column)) +
                            " is neither a length nor an area: it has no unit");
        }
        text.append(text_.substr(copied, step.end - copied));
        text += ' ' + unitSymbol(unit, needed[place] == 1 ? Dimension::length : Dimension::area);
        copied = step.end;
    }
    return text.append(text_.substr(copied));
}

} // namespace pollard
