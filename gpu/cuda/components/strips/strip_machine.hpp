#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "cuda/components/strips/strip_kernels.cuh"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/cuda_event.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/kernels/device_loop.cuh"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace pollard::cuda {

/// Runs the passes of a StripBuild on the GPU. All members throw Error(outOfMemory), Error(deviceFailed) and Cancelled.
class StripMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    /// @param pinned host memory that kernels can write
    /// @param kept LabellingInput::kept
    /// @param operation for error messages: "objects of 6000 x 4000 px (strips)"
    StripMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, const JobControl& control,
                 StripTotals* pinned, DeviceBuffer<ComponentRecord>* kept, std::string operation)
        : memory_(std::move(memory)), clock_(clock), control_(control), pinned_(pinned), kept_(kept),
          operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    [[nodiscard]] DeviceBuffer<ComponentRecord> makeRecords(std::size_t count, const char* what) {
        return kept_ != nullptr && kept_->size() >= count ? std::move(*kept_) : make<ComponentRecord>(count, what);
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchBlocks(pass, count, bytes, stream()));
    }
    template <class Pass> void together(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchTogether(pass, count, bytes, stream()));
    }
    template <class Step> void each(const Step& step, std::size_t count) { require(launchEach(step, count, stream())); }
    [[nodiscard]] StripTotals* totals() const noexcept { return pinned_; }
    void markTotals() { written_.record(stream()); }
    [[nodiscard]] StripTotals takeTotals() {
        written_.wait(operation_.c_str());
        control_.throwIfStopped();
        return *pinned_;
    }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    void require(cudaError_t status) const { check(status, operation_); }

    std::shared_ptr<DeviceMemory> memory_;
    StageClock& clock_;
    const JobControl& control_;
    StripTotals* pinned_;
    DeviceBuffer<ComponentRecord>* kept_;
    std::string operation_;
    Event written_;
};

} // namespace pollard::cuda
