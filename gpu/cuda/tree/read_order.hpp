#pragma once

#include "cuda/device/cuda_event.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

namespace pollard::cuda {

/// Order between a session's stream, which fills and gives back some memory, and another stream that reads it. Declare
/// it behind what owns the memory, so that it goes first.
class ReadOrder {
public:
    /// @param owner what is queued there so far fills the memory
    /// @throws Error(deviceFailed)
    explicit ReadOrder(cudaStream_t owner);
    /// Memory is used again only when those who read it on other streams are done.
    ~ReadOrder();
    ReadOrder(const ReadOrder&) = delete;
    ReadOrder& operator=(const ReadOrder&) = delete;

    [[nodiscard]] bool isMadeOn(cudaStream_t stream) const noexcept { return owner_ == stream; }
    /// Makes work queued on @p reader from now on wait until the memory is filled.
    /// @throws Error(deviceFailed)
    void makeWait(cudaStream_t reader) const;
    /// To be called after each reading queued on another stream than the session's. All readers use one stream, from
    /// one thread at a time.
    /// @throws Error(deviceFailed)
    void markRead(cudaStream_t reader) const;

private:
    cudaStream_t owner_;
    Event ready_;
    mutable Event consumed_;
    mutable std::atomic<bool> read_{false};
};

} // namespace pollard::cuda
