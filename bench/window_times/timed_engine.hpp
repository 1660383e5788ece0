#pragma once

#include "components/components.hpp"
#include "engine/engine.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pollard::app {

/// Forwards to another engine and records its own times for each evolution of contours.
class TimedEngine final : public Engine {
public:
    /// @param name empty: name of the wrapped engine
    explicit TimedEngine(std::unique_ptr<Engine> engine, std::string name = {});

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::string device() const override { return engine_->device(); }
    [[nodiscard]] std::string unusableReason() const override { return engine_->unusableReason(); }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return engine_->memoryBytes(); }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return engine_->algorithms(); }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return engine_->openSession(options);
    }
    [[nodiscard]] Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                             const JobControl& control) override {
        return engine_->labelComponents(mask, grey, spec, control);
    }
    [[nodiscard]] std::unique_ptr<ObjectStream> streamObjects(const ComponentsSpec& spec, int inFlight,
                                                              const SessionOptions& options) override;
    [[nodiscard]] SnakeResult runSnake(const SnakeJob& job,
                                       const std::function<bool(std::size_t, const SnakeState&)>& listener,
                                       const JobControl& control) override;
    [[nodiscard]] std::unique_ptr<GlTarget> makeGlTarget() override { return engine_->makeGlTarget(); }

    /// Returns and clears the recorded times of the stage "evolution", ms. Thread-safe.
    [[nodiscard]] std::vector<double> takeEvolutions();

private:
    std::unique_ptr<Engine> engine_;
    std::string name_;
    std::mutex mutex_;
    std::vector<double> evolutions_;
};

} // namespace pollard::app
