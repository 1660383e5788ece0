#pragma once

#include <functional>
#include <utility>

namespace pollard::vm {

/// Sets @p member. @return whether the value differs from the previous one
template <class T, class Value> [[nodiscard]] bool change(T& member, Value&& value) {
    if (member == value) {
        return false;
    }
    member = std::forward<Value>(value);
    return true;
}

/// Sets @p member of @p owner. If the value differs from the previous one, calls @p then: signals and slots of the
/// owner, in this order.
template <class Owner, class T, class Value, class... Then>
void change(Owner* owner, T& member, Value&& value, Then... then) {
    if (change(member, std::forward<Value>(value))) {
        (std::invoke(then, owner), ...);
    }
}

} // namespace pollard::vm
