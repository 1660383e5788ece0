#pragma once

#include "engine/engine.hpp"

#include <memory>

namespace pollard {

/// The engine that is always there: oneTBB on all cores.
[[nodiscard]] std::unique_ptr<Engine> makeCpuEngine();

} // namespace pollard
