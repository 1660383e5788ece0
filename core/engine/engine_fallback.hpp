#pragma once

#include "engine/engine_registry.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// The engines that can run here, the most preferred first.
[[nodiscard]] std::vector<Engine*> usableEngines(const EngineRegistry& registry);

/// Runs @p job on the first of @p engines. If its device fails or has too little memory, continues with the next one.
/// @param note gets the reason, one line; may be empty
/// @throws the error of the last engine, and immediately any error unrelated to a device
void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const std::function<void(const std::string&)>& note = {});

} // namespace pollard
