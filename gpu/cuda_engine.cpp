#include "cuda_engine.hpp"

#include "base/error.hpp"
#include "device/device_probe.hpp"

#include <mutex>
#include <string>

namespace pollard {

namespace {

class CudaEngine final : public Engine {
public:
    std::string name() const override { return "cuda"; }
    std::string device() const override { return probe().name; }
    std::uint64_t memoryBytes() const override { return probe().memoryBytes; }

    std::string unusableReason() const override {
        if (!probe().problem.empty()) {
            return probe().problem;
        }
        // The device works, but no tree algorithm of this engine runs on it, so "auto" must go on to the CPU engine.
        return "the CUDA engine of this version cannot build trees yet";
    }

    std::vector<AlgorithmInfo> algorithms() const override { return {}; }

    std::unique_ptr<Session> openSession(const SessionOptions&) override {
        throw Error(ErrorCode::engineUnavailable, "engine 'cuda': " + unusableReason());
    }

private:
    const cuda::DeviceProbe& probe() const {
        std::call_once(probed_, [this] { probe_ = cuda::probeDevice(); });
        return probe_;
    }

    mutable std::once_flag probed_;
    mutable cuda::DeviceProbe probe_;
};

} // namespace

std::unique_ptr<Engine> makeCudaEngine() { return std::make_unique<CudaEngine>(); }

} // namespace pollard
