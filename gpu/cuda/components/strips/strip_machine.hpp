#pragma once

#include "components/components.hpp"
#include "cuda/components/strips/strip_kernels.cuh"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/device/cuda_event.hpp"
#include "cuda/kernels/device_machine.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Runs the passes of a StripBuild on the GPU.
class StripMachine : public DeviceMachine {
public:
    /// @param pinned host memory that kernels can write
    /// @param kept LabellingInput::kept
    StripMachine(DeviceMachine base, StripTotals* pinned, DeviceBuffer<ComponentRecord>* kept)
        : DeviceMachine(std::move(base)), pinned_(pinned), kept_(kept) {}

    [[nodiscard]] DeviceBuffer<ComponentRecord> makeRecords(std::size_t count, const char* what) {
        return kept_ != nullptr && kept_->size() >= count ? std::move(*kept_) : make<ComponentRecord>(count, what);
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchBlocks(pass, count, bytes, stream()));
    }
    template <class Pass> void together(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchTogether(pass, count, bytes, stream()));
    }
    [[nodiscard]] StripTotals* totals() const noexcept { return pinned_; }
    void markTotals() { written_.record(stream()); }
    [[nodiscard]] StripTotals takeTotals() {
        written_.wait(operation().c_str());
        control().throwIfStopped();
        return *pinned_;
    }

private:
    StripTotals* pinned_;
    DeviceBuffer<ComponentRecord>* kept_;
    Event written_;
};

} // namespace pollard::cuda
