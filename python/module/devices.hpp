#pragma once

#include "engine/engine.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pollard::python {

/// The engines of the module.
[[nodiscard]] std::vector<Engine*> allEngines();

/// Runs @p job on an engine: that of a name, or with "auto" the first usable one whose device does not fail.
/// @throws Error(invalidArgument) for an unknown name, Error(engineUnavailable); errors of @p job
void onDevice(const std::string& device, const std::function<void(Engine&)>& job);

} // namespace pollard::python
