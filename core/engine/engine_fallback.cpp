#include "engine/engine_fallback.hpp"

#include "base/error.hpp"

namespace pollard {

std::vector<Engine*> usableEngines(const EngineRegistry& registry) {
    std::vector<Engine*> able = registry.engines();
    std::erase_if(able, [](const Engine* engine) { return !engine->unusableReason().empty(); });
    return able;
}

void onFirstThatWorks(const std::vector<Engine*>& engines, const std::function<void(Engine&)>& job,
                      const std::function<void(const std::string&)>& note) {
    for (std::size_t i = 0; i + 1 < engines.size(); ++i) {
        try {
            job(*engines[i]);
            return;
        } catch (const Error& error) {
            const ErrorCode code = error.code();
            if (code != ErrorCode::deviceFailed && code != ErrorCode::engineUnavailable &&
                code != ErrorCode::outOfMemory) {
                throw;
            }
            if (note) {
                note("engine " + engines[i + 1]->name() + " takes over: " + error.what());
            }
        }
    }
    job(*engines.back());
}

} // namespace pollard
