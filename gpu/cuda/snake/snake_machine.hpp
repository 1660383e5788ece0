#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/pinned_buffer.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/device/staging.hpp"
#include "cuda/device/wait.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/snake/snake_kernels.cuh"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace pollard::cuda {

/// Runs the passes of snakes on the GPU; see SnakeField. All members but stop() throw Error(outOfMemory),
/// Error(deviceFailed) and Cancelled.
class SnakeMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;
    template <class T> using HostBuffer = PinnedBuffer<T>;

    /// @param operation for error messages: "region snake on 4000 x 4000 px (one-kernel)"
    SnakeMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, const JobControl& control,
                 std::string operation)
        : memory_(std::move(memory)), staging_(memory_), clock_(clock), control_(control),
          operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    template <class T> [[nodiscard]] PinnedBuffer<T> makeHost(std::size_t count, const char* what) {
        PinnedBuffer<T> buffer(count, what);
        std::fill_n(buffer.data(), count, T{});
        return buffer;
    }
    template <class T> void upload(T* to, const T* from, std::size_t count) {
        staging_.upload(to, from, count * sizeof(T), control_, operation_);
    }
    template <class T> void readBack(T* to, const T* from, std::size_t count) {
        staging_.download(to, from, count * sizeof(T), control_, operation_);
    }
    template <class T> void clear(T* data, std::size_t count) {
        require(cudaMemsetAsync(data, 0, count * sizeof(T), stream()));
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchSnakePass(pass, count, bytes, stream()));
    }
    template <class Step> void each(const Step& step, std::size_t count) { require(launchEach(step, count, stream())); }
    template <class Pass> void team(const Pass& pass, std::size_t bytes) {
        require(launchSnakeTeam(pass, bytes, stream()));
        started_ = std::chrono::steady_clock::now();
    }
    [[nodiscard]] std::size_t sharedBytes() const { return static_cast<std::size_t>(attribute(kMostShared)); }
    template <class Pass>
    [[nodiscard]] std::uint32_t teamBlocks(const Pass& pass, std::uint32_t wanted, std::size_t bytes) {
        int blocks = 0;
        require(blocksOfMultiprocessor(pass, bytes, blocks));
        return std::clamp(static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount) * blocks), 1U, wanted);
    }
    void throwIfStopped() const { control_.throwIfStopped(); }
    [[nodiscard]] bool isBusy() {
        throwIfStopped();
        const cudaError_t status = cudaStreamQuery(stream());
        if (status == cudaErrorNotReady) {
            cudaGetLastError(); // not ready is no failure
            if (std::chrono::steady_clock::now() - started_ < kShort) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(kNap);
            }
            return true;
        }
        require(status);
        return false;
    }
    [[nodiscard]] const volatile std::uint32_t* stopFlag() const noexcept { return memory_->stopFlag().view(); }
    void stop() noexcept {
        memory_->stopFlag().raise();
        if (cudaStreamSynchronize(stream()) != cudaSuccess) {
            cudaGetLastError(); // the first failure is reported
        }
        memory_->stopFlag().lower();
    }
    void wait() { waitFor(*memory_, control_, operation_); }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    static constexpr std::chrono::microseconds kNap{50};
    static constexpr std::chrono::milliseconds kShort{5}; ///< a wait this short is polled without sleeping
    static constexpr cudaDeviceAttr kMostShared = cudaDevAttrMaxSharedMemoryPerBlockOptin;

    [[nodiscard]] int attribute(cudaDeviceAttr which) const {
        int device = 0;
        int value = 0;
        require(cudaGetDevice(&device));
        require(cudaDeviceGetAttribute(&value, which, device));
        return value;
    }
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    void require(cudaError_t status) const { check(status, operation_); }

    std::shared_ptr<DeviceMemory> memory_;
    Staging staging_;
    StageClock& clock_;
    const JobControl& control_;
    std::string operation_;
    std::chrono::steady_clock::time_point started_; ///< of the last team
};

} // namespace pollard::cuda
