#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace pollard {

/// The engine on the first NVIDIA GPU. Always returns one: whether it can be used, and if not why, is asked of the
/// engine itself. The device is looked at on the first question about it, not here.
[[nodiscard]] std::unique_ptr<Engine> makeCudaEngine();

} // namespace pollard
