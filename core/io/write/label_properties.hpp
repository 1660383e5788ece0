#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace pollard {

/// A table of properties of the objects in a label image.
struct LabelProperties {
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>; ///< none, or of the column's type

    std::vector<std::string> names;    ///< of the columns, without the label
    std::vector<std::uint32_t> labels; ///< of the rows
    std::function<Value(std::size_t column, std::uint32_t label)> value;
};

} // namespace pollard
