#pragma once

#include "engine/engine.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace pollard {

/// The engines of a program, the most preferred first. The main functions of window and command line create it with the
/// CPU engine, which is always usable, and add the engines linked in.
class EngineRegistry {
public:
    /// @param last the least preferred engine, which must always be usable
    explicit EngineRegistry(std::unique_ptr<Engine> last);

    /// Adds an engine that is preferred over earlier ones if usable.
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
