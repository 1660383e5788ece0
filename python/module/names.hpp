#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pollard::python {

/// The value with this name. @param what for messages: "rule"
/// @throws Error(invalidArgument) for an unknown name, with those that there are
template <class Values>
[[nodiscard]] typename Values::value_type named(const Values& values, const std::string& name, std::string_view what) {
    std::string known;
    for (const auto value : values) {
        if (nameOf(value) == name) {
            return value;
        }
        known += (known.empty() ? "" : ", ") + std::string(nameOf(value));
    }
    throw Error(ErrorCode::invalidArgument, std::string(what) + ": '" + name + "': unknown (there are " + known + ")");
}

} // namespace pollard::python
