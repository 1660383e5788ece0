#pragma once

#include "trace/trace.hpp"

#include <cstdint>

// Values of captions.

namespace pollard::teach {

[[nodiscard]] constexpr Value pixelValue(std::uint32_t pixel) { return {Value::Kind::pixel, pixel}; }
[[nodiscard]] constexpr Value threadValue(std::uint32_t thread) { return {Value::Kind::thread, thread}; }
[[nodiscard]] constexpr Value levelValue(std::uint16_t level) { return {Value::Kind::level, level}; }
[[nodiscard]] constexpr Value numberValue(std::int64_t number) { return {Value::Kind::number, number}; }

} // namespace pollard::teach
