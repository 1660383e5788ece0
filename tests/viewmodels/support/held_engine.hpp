#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "gate.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

/// The CPU engine with sessions that open behind a gate.
class HeldEngine final : public Engine {
public:
    explicit HeldEngine(std::shared_ptr<Gate> gate) : gate_(std::move(gate)), cpu_(makeCpuEngine()) {}
    [[nodiscard]] std::string name() const override { return "held"; }
    [[nodiscard]] std::string device() const override { return "a gate"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override { return cpu_->algorithms(); }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        gate_->pass(JobControl());
        return cpu_->openSession(options);
    }

private:
    std::shared_ptr<Gate> gate_;
    std::unique_ptr<Engine> cpu_;
};

} // namespace pollard::testing
