#include "vm/contour/contour_settings.hpp"

#include <utility>

namespace pollard::vm {

void ContourSettings::setSpec(const SnakeSpec& spec) {
    if (std::exchange(spec_, spec) != spec) {
        emit specChanged();
        emit edited();
    }
}

void ContourSettings::setEngine(const ContourEngine& engine) {
    if (engine != engine_) {
        if (engine.apart != engine_.apart) {
            reach_ = engine.apart;
        }
        engine_ = engine;
        emit engineSet();
        emit edited();
    }
}

void ContourSettings::setReach(const std::optional<std::uint32_t>& margin) {
    ContourEngine engine = engine_;
    engine.apart = margin;
    setEngine(engine);
    reach_ = margin;
}

void ContourSettings::adopt(const SnakeSpec& spec, ContourEngine engine, const std::shared_ptr<const Mask>& forbidden) {
    adopting_ = true;
    const bool otherSpec = std::exchange(spec_, spec) != spec;
    const bool otherEngine = engine != engine_;
    engine_ = std::move(engine);
    if (otherSpec) {
        emit specChanged();
    }
    if (otherEngine) {
        emit engineSet();
    }
    forbidden_.set(forbidden);
    adopting_ = false;
}

} // namespace pollard::vm
