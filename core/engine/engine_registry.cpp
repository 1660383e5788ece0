#include "engine/engine_registry.hpp"

#include "base/error.hpp"

#include <string>
#include <utility>

namespace pollard {

EngineRegistry::EngineRegistry(std::unique_ptr<Engine> last) { add(std::move(last)); }

void EngineRegistry::add(std::unique_ptr<Engine> engine) { engines_.insert(engines_.begin(), std::move(engine)); }

std::vector<Engine*> EngineRegistry::engines() const {
    std::vector<Engine*> all;
    all.reserve(engines_.size());
    for (const auto& engine : engines_) {
        all.push_back(engine.get());
    }
    return all;
}

Engine* EngineRegistry::find(std::string_view name) const noexcept {
    for (const auto& engine : engines_) {
        if (engine->name() == name) {
            return engine.get();
        }
    }
    return nullptr;
}

Engine& EngineRegistry::select(std::string_view name) const {
    if (name == "auto") {
        for (const auto& engine : engines_) {
            if (engine->unusableReason().empty()) {
                return *engine;
            }
        }
    }
    Engine* engine = find(name);
    if (engine == nullptr) {
        std::string known = "auto";
        for (const auto& each : engines_) {
            known += ", " + each->name();
        }
        throw Error(ErrorCode::invalidArgument,
                    "engine '" + std::string(name) + "': unknown (this build has " + known + ")");
    }
    if (const std::string reason = engine->unusableReason(); !reason.empty()) {
        throw Error(ErrorCode::engineUnavailable, "engine '" + std::string(name) + "': " + reason);
    }
    return *engine;
}

} // namespace pollard
