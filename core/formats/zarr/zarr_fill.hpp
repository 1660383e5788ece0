#pragma once

#include "io/samples/value_rows.hpp"
#include "json/json_members.hpp"

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>

namespace pollard {

/// The sample of missing chunks by its JSON form, of Zarr 2 and 3: a number, "NaN", "Infinity", "-Infinity" or the bits
/// of a float, "0x7fc00000". In host byte order, at the front.
/// @param bits 8, 16, 32 or 64
/// @throws Error(invalidArgument) for other values and those that the type does not have
[[nodiscard]] std::array<std::byte, 8> zarrFillIn(const nlohmann::json& value, const JsonPlace& place, SampleKind kind,
                                                  int bits);

} // namespace pollard
