#pragma once

#include "cuda/device/pinned_buffer.hpp"
#include "cuda/device/staging.hpp"
#include "cuda/kernels/device_machine.hpp"
#include "cuda/snake/snake_kernels.cuh"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace pollard::cuda {

/// Runs the passes of snakes on the GPU; see SnakeField. stop() throws nothing.
class SnakeMachine : public DeviceMachine {
public:
    template <class T> using HostBuffer = PinnedBuffer<T>;

    using DeviceMachine::DeviceMachine;

    template <class T> [[nodiscard]] PinnedBuffer<T> makeHost(std::size_t count, const char* what) {
        PinnedBuffer<T> buffer(count, what);
        std::fill_n(buffer.data(), count, T{});
        return buffer;
    }
    template <class T> void upload(T* to, const T* from, std::size_t count) {
        staging_.upload(to, from, count * sizeof(T), control(), operation());
    }
    template <class T> void readBack(T* to, const T* from, std::size_t count) {
        staging_.download(to, from, count * sizeof(T), control(), operation());
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchSnakePass(pass, count, bytes, stream()));
    }
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
    void throwIfStopped() const { control().throwIfStopped(); }
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
    void stop() noexcept {
        memory()->stopFlag().raise();
        if (cudaStreamSynchronize(stream()) != cudaSuccess) {
            cudaGetLastError(); // the first failure is reported
        }
        memory()->stopFlag().lower();
    }

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

    Staging staging_{memory()};
    std::chrono::steady_clock::time_point started_; ///< of the last team
};

} // namespace pollard::cuda
