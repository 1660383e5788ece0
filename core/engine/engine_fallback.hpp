#pragma once

#include "base/error.hpp"
#include "engine/engine_registry.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// The engines that can run here, the most preferred first.
[[nodiscard]] std::vector<Engine*> usableEngines(const EngineRegistry& registry);

/// Whether another engine may succeed after this error: a device failed, is missing or has too little memory.
[[nodiscard]] bool isDeviceTrouble(ErrorCode code) noexcept;

/// Called when an engine fails, with the error and the engine that runs the job next.
using FallbackListener = std::function<void(const Error& error, const Engine& next)>;

/// Runs @p job on the first of @p engines. If its device fails or has too little memory, continues with the next one.
/// @param failed may be empty
/// @throws the error of the last engine, and immediately any error unrelated to a device
void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const FallbackListener& failed = {});

/// A listener that passes "engine NAME takes over: REASON" to @p note, if there is one.
[[nodiscard]] FallbackListener noting(std::function<void(const std::string&)> note);

} // namespace pollard
