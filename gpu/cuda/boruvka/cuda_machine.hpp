#pragma once

#include "base/job_control.hpp"
#include "cuda/boruvka/branch_kernels.cuh"
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

/// Runs the passes of a BranchBuild on the GPU. All members throw Error(outOfMemory) and Error(deviceFailed).
class CudaMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    /// @param operation for error messages: "tree of 6000 x 4000 px (boruvka)"
    CudaMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, const JobControl& control,
                std::string operation)
        : memory_(std::move(memory)), clock_(clock), control_(control), operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        require(cudaMemsetAsync(data, byte, count * sizeof(T), stream()));
    }
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
    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        require(launchTiles(pass, count, stream()));
    }
    void runsUpTo(const StartsRun& starts, std::uint32_t* sums, std::uint32_t count) {
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runRunsUpTo(scratch, bytes, starts, sums, count, stream());
        });
    }
    void earlierSums(DeviceBuffer<std::uint32_t>& data) { exclusiveSum(data, memory_); }
    void earlierMaxima(DeviceBuffer<std::uint32_t>& data) { exclusiveMaximum(data, memory_); }
    void sort(DeviceBuffer<std::uint64_t>& keys, DeviceBuffer<std::uint64_t>& otherKeys, std::uint32_t count,
              SortedBits bits) {
        DeviceBuffer<std::uint32_t> none;
        DeviceBuffer<std::uint32_t> otherNone;
        sort(keys, otherKeys, none, otherNone, count, bits);
    }
    void sort(DeviceBuffer<std::uint64_t>& keys, DeviceBuffer<std::uint64_t>& otherKeys,
              DeviceBuffer<std::uint32_t>& pixels, DeviceBuffer<std::uint32_t>& otherPixels, std::uint32_t count,
              SortedBits bits) {
        SortedKeys sorted{keys.data(), otherKeys.data(), pixels.data(), otherPixels.data(), false};
        withScratch([&](void* scratch, std::size_t& bytes) {
            return runKeySort(scratch, bytes, sorted, count, bits, stream());
        });
        if (sorted.isInOther) {
            std::swap(keys, otherKeys);
            std::swap(pixels, otherPixels);
        }
    }
    template <class T> void readBack(T* to, const T* from) {
        cuda::readBack(to, from, 1, *memory_, control_, operation_);
    }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    void require(cudaError_t status) const { check(status, operation_); }

    /// Runs @p run twice: to query its scratch size, and with the memory.
    template <class Run> void withScratch(const Run& run) {
        std::size_t bytes = 0;
        require(run(nullptr, bytes));
        DeviceBuffer<std::byte> scratch(memory_, bytes > 0 ? bytes : 1, "sorting pixels");
        require(run(scratch.data(), bytes));
    }

    std::shared_ptr<DeviceMemory> memory_;
    StageClock& clock_;
    const JobControl& control_;
    std::string operation_;
};

} // namespace pollard::cuda
