#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Builds no tree before the gate is open.
class GatedEngine final : public Engine {
public:
    explicit GatedEngine(std::shared_future<void> gate) : gate_(std::move(gate)), cpu_(makeCpuEngine()) {}
    [[nodiscard]] std::string name() const override { return "gated"; }
    [[nodiscard]] std::string device() const override { return "a gate"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return cpu_->algorithms(); }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        gate_.wait();
        return cpu_->openSession(options);
    }

private:
    std::shared_future<void> gate_;
    std::unique_ptr<Engine> cpu_;
};

} // namespace pollard::testing
