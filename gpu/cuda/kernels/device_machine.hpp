#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/kernels/node_primitives.cuh"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// Scans and sorts that allocate their scratch memory. They wait for nothing.

namespace pollard::cuda {

/// Runs @p run twice: to query its scratch size, and with the memory.
template <class Run>
void runWithScratch(const std::shared_ptr<DeviceMemory>& memory, const char* operation, const Run& run) {
    std::size_t bytes = 0;
    check(run(nullptr, bytes), operation);
    DeviceBuffer<std::byte> scratch(memory, bytes > 0 ? bytes : 1, operation);
    check(run(scratch.data(), bytes), operation);
}

/// Sorts pairs by the lower @p bits of their keys; equal keys keep their order. Takes as much memory again.
/// @throws Error(outOfMemory), Error(deviceFailed)
void sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits,
               const std::shared_ptr<DeviceMemory>& memory);

/// Upper bound of the bytes that these take beside their data, for @p count elements; without the sort's second copy
/// of keys and values.
[[nodiscard]] constexpr std::uint64_t scratchBytes(std::uint64_t count) noexcept {
    return count / 2 + (std::uint64_t{1} << 20);
}

/// Waits for the work queued on the memory's stream and copies some values to the host.
/// @throws Error(deviceFailed) naming @p operation, Cancelled
template <class T> void readBack(T* to, const T* from, std::size_t count, DeviceMemory& memory,
                                 const JobControl& control, const std::string& operation) {
    static_assert(std::is_trivially_copyable_v<T>);
    waitFor(memory, control, operation);
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, memory.stream()), operation);
    check(cudaStreamSynchronize(memory.stream()), operation);
}

/// Base of the machines that run the passes of an algorithm on the GPU, in the order of the calls. Only readBack() and
/// wait() wait. All members of all machines throw Error(outOfMemory), Error(deviceFailed) and Cancelled.
class DeviceMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    /// @param control cancels waits
    /// @param operation for error messages: "tree of 6000 x 4000 px (boruvka)"
    DeviceMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, JobControl control, std::string operation)
        : memory_(std::move(memory)), clock_(clock), control_(std::move(control)), operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    /// Sets every byte.
    template <class T> void fill(T* data, std::size_t count, int byte) {
        require(cudaMemsetAsync(data, byte, count * sizeof(T), stream()));
    }
    /// These launch loops, see device_loop.cuh.
    template <class Step> void each(const Step& step, std::size_t count) { require(launchEach(step, count, stream())); }
    template <class Step> void eachOf(const Step& step, const std::uint32_t* count, std::uint32_t most) {
        require(launchEachOf(step, count, most, stream()));
    }
    template <class Step> void sum(const Step& step, std::size_t count, unsigned long long* total) {
        require(launchSum(step, count, total, stream()));
    }
    template <class Step> void maximum(const Step& step, std::size_t count, unsigned long long* largest) {
        require(launchMaximum(step, count, largest, stream()));
    }
    template <class T> void exclusiveSum(T* data, std::size_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runExclusiveSum(scratch, bytes, data, static_cast<std::uint32_t>(count), stream());
        });
    }
    /// Copies to the host.
    template <class T> void readBack(T* to, const T* from, std::size_t count = 1) {
        cuda::readBack(to, from, count, *memory_, control_, operation_);
    }
    void wait() { waitFor(*memory_, control_, operation_); }
    /// Nonzero: long kernels end early.
    [[nodiscard]] const volatile std::uint32_t* stopFlag() const noexcept { return memory_->stopFlag().view(); }
    void finish(const char* stage) { clock_.finish(stage); }

protected:
    [[nodiscard]] const std::shared_ptr<DeviceMemory>& memory() const noexcept { return memory_; }
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    [[nodiscard]] const JobControl& control() const noexcept { return control_; }
    [[nodiscard]] const std::string& operation() const noexcept { return operation_; }
    void require(cudaError_t status) const { check(status, operation_); }
    template <class Run> void withScratch(const Run& run) { runWithScratch(memory_, operation_.c_str(), run); }

private:
    std::shared_ptr<DeviceMemory> memory_;
    StageClock& clock_;
    JobControl control_;
    std::string operation_;
};

} // namespace pollard::cuda
