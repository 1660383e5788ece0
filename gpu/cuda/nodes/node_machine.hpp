#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/kernels/read_back.hpp"
#include "cuda/nodes/climb_kernels.cuh"
#include "cuda/nodes/measure_kernels.cuh"
#include "cuda/tree/node_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace pollard::cuda {

/// Runs the steps of NodeMeasures and TreeFilterRun on the device. Waits only in readBack(). All members throw
/// Error(outOfMemory) and Error(deviceFailed).
class NodeMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    /// @param operation for error messages: "measure components"
    /// @param control cancels waits
    NodeMachine(const std::shared_ptr<DeviceMemory>& memory, StageClock& clock, const char* operation,
                JobControl control = {})
        : memory_(memory), clock_(clock), operation_(operation), control_(std::move(control)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    template <class T> void fill(T* data, std::size_t count, int byte) { fillBytes(data, count * sizeof(T), byte); }
    template <class Step> void each(const Step& step, std::size_t count) {
        check(launchEach(step, count, memory_->stream()), operation_);
    }
    /// Adds the results of a step to a number in device memory.
    template <class Step> void addUp(const Step& step, std::size_t count, unsigned long long* sum) {
        check(launchSum(step, count, sum, memory_->stream()), operation_);
    }
    /// Raises a number in device memory to the largest result of a step.
    template <class Step> void raise(const Step& step, std::size_t count, unsigned long long* largest) {
        check(launchMaximum(step, count, largest, memory_->stream()), operation_);
    }
    void exclusiveSum(std::uint32_t* data, std::size_t count);
    void exclusiveSum(std::uint64_t* data, std::size_t count);
    void inclusiveMaximum(std::uint32_t* data, std::size_t count);
    /// Threads per block and largest number of blocks of a ClimbTeam, and its launch.
    static constexpr std::uint32_t kClimbThreads = cuda::kClimbThreads;
    template <class Team> [[nodiscard]] std::uint32_t climbBlocks() {
        std::uint32_t blocks = 0;
        check(mostClimbBlocks<Team>(blocks), operation_);
        return blocks;
    }
    template <class Team> void climb(const Team& team) { check(launchClimb(team, memory_->stream()), operation_); }
    /// Stable sort of pairs by the lower bits of the keys.
    void sortByKey(DeviceBuffer<std::uint32_t>& keys, DeviceBuffer<std::uint32_t>& values, int bits);
    /// Adds to counts[k] the number of keys equal to k.
    void count(const std::uint32_t* keys, std::size_t size, std::uint32_t* counts);
    template <class Terms> void addTiles(const TileSums<Terms>& sums, std::uint32_t tiles) {
        check(launchTileSums(sums, tiles, memory_->stream()), operation_);
    }
    /// See launchAddListed().
    template <class Terms>
    void addListed(const NodePlan& plan, const Terms& terms, const std::uint32_t* nodes, const std::uint32_t* pixels) {
        check(launchAddListed(plan, terms, nodes, pixels, memory_->stream()), operation_);
    }
    /// See launchScatterAdd() and launchFirstPixels().
    void scatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count, std::uint32_t* sums);
    void firstPixels(const NodePlan& plan, const std::uint32_t* owner, std::uint32_t* first);
    template <class T> [[nodiscard]] DeviceBuffer<T> upload(std::span<const T> values, const char* what) {
        DeviceBuffer<T> buffer(memory_, values.size(), what);
        copyIn(buffer.data(), values.data(), buffer.bytes());
        return buffer;
    }
    /// Also throws Cancelled.
    template <class T> void readBack(T* to, const T* from, std::size_t count) {
        cuda::readBack(to, from, count, *memory_, control_, operation_);
    }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    void fillBytes(void* data, std::size_t bytes, int byte);
    void copyIn(void* to, const void* from, std::size_t bytes);

    const std::shared_ptr<DeviceMemory>& memory_;
    StageClock& clock_;
    const char* operation_;
    JobControl control_;
};

} // namespace pollard::cuda
