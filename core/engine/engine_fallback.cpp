#include "engine/engine_fallback.hpp"

#include <utility>

namespace pollard {

std::vector<Engine*> usableEngines(const EngineRegistry& registry) {
    std::vector<Engine*> able = registry.engines();
    std::erase_if(able, [](const Engine* engine) { return !engine->unusableReason().empty(); });
    return able;
}

bool isDeviceTrouble(ErrorCode code) noexcept {
    return code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
}

void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const FallbackListener& failed) {
    for (std::size_t i = 0; i + 1 < engines.size(); ++i) {
        try {
            job(*engines[i]);
            return;
        } catch (const Error& error) {
            if (!isDeviceTrouble(error.code())) {
                throw;
            }
            if (failed) {
                failed(error, *engines[i + 1]);
            }
        }
    }
    job(*engines.back());
}

FallbackListener noting(std::function<void(const std::string&)> note) {
    if (!note) {
        return {};
    }
    return [note = std::move(note)](const Error& error, const Engine& next) {
        note("engine " + next.name() + " takes over: " + error.what());
    };
}

} // namespace pollard
