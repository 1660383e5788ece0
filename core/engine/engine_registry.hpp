#pragma once

#include "engine/engine.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace pollard {

/// The engines of this build. The CPU engine is always there and always last in preference.
/// A composition root (main of app or cli) makes one and adds what else was linked in.
class EngineRegistry {
public:
    /// Holds the CPU engine.
    EngineRegistry();

    /// Adds an engine that is preferred over those before it when it is usable.
    void add(std::unique_ptr<Engine> engine);

    [[nodiscard]] std::vector<Engine*> engines() const;
    [[nodiscard]] Engine* find(std::string_view name) const noexcept;

    /// Engine by name; "auto" is the most preferred usable one.
    /// @throws Error(invalidArgument) for an unknown name, Error(engineUnavailable) with the reason if it cannot run
    [[nodiscard]] Engine& select(std::string_view name) const;

private:
    std::vector<std::unique_ptr<Engine>> engines_;
};

} // namespace pollard
