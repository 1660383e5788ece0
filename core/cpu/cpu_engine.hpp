#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace pollard {

/// The CPU engine: always usable, oneTBB on all cores.
[[nodiscard]] std::unique_ptr<Engine> makeCpuEngine();

} // namespace pollard
