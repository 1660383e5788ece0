#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace pollard {

/// A column of a table of objects beside their features.
struct ObjectColumn {
    std::string name;                                   ///< as displayed; not quoted
    std::function<double(std::uint32_t label)> valueOf; ///< NaN: an empty cell
};

} // namespace pollard
