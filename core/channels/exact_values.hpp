#pragma once

#include "base/buffer.hpp"

#include <memory>
#include <variant>

namespace pollard {

/// Values of a channel's pixels, row by row; null if its levels state them exactly.
using ExactValues = std::shared_ptr<const std::variant<Buffer<float>, Buffer<double>>>;

} // namespace pollard
