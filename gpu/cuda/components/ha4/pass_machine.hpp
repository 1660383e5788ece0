#pragma once

#include "base/job_control.hpp"
#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/kernels/node_scans.hpp"
#include "cuda/kernels/read_back.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace pollard::cuda {

/// Runs the passes of Ha4Build and TmkBuild on the GPU. All members throw Error(outOfMemory), Error(deviceFailed) and
/// Cancelled.
class PassMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    /// @param operation for error messages: "objects of 6000 x 4000 px (ha4-32)"
    PassMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, const JobControl& control,
                std::string operation)
        : memory_(std::move(memory)), clock_(clock), control_(control), operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        require(cudaMemsetAsync(data, byte, count * sizeof(T), stream()));
    }
    template <class Step> void each(const Step& step, std::size_t count) { require(launchEach(step, count, stream())); }
    template <class Step> void sum(const Step& step, std::size_t count, unsigned long long* total) {
        require(launchSum(step, count, total, stream()));
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        control_.throwIfStopped();
        require(launchPass(pass, count, stream()));
    }
    void earlierSums(DeviceBuffer<std::uint32_t>& data) { exclusiveSum(data, memory_); }
    template <class T> void readBack(T* to, const T* from) {
        cuda::readBack(to, from, 1, *memory_, control_, operation_);
    }
    /// Used by PredictedCopy.
    template <class T> void copyOut(T* to, const T* from, std::size_t count) {
        require(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()));
    }
    void wait() { waitFor(*memory_, control_, operation_); }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    void require(cudaError_t status) const { check(status, operation_); }

    std::shared_ptr<DeviceMemory> memory_;
    StageClock& clock_;
    const JobControl& control_;
    std::string operation_;
};

} // namespace pollard::cuda
