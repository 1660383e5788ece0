#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace pollard {

/// The engine on the first NVIDIA GPU, on any machine: the engine itself reports whether and why it cannot be used.
/// The device is probed on the first query, not here.
[[nodiscard]] std::unique_ptr<Engine> makeCudaEngine();

} // namespace pollard
