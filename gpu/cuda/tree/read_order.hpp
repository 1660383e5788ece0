#pragma once

#include "cuda/device/cuda_event.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

namespace pollard::cuda {

/// Order between a session's stream, which fills and frees some memory, and another stream that reads it. Declare it
/// after the owner of the memory, so that it is destroyed first.
class ReadOrder {
public:
    /// @param owner the session's stream; work queued on it before this call fills the memory
    /// @throws Error(deviceFailed)
    explicit ReadOrder(cudaStream_t owner);
    /// Makes the session's stream wait for the last marked read before the memory is reused.
    ~ReadOrder();
    ReadOrder(const ReadOrder&) = delete;
    ReadOrder& operator=(const ReadOrder&) = delete;

    [[nodiscard]] bool isMadeOn(cudaStream_t stream) const noexcept { return owner_ == stream; }
    /// Makes work queued on @p reader after this call wait until the memory is filled.
    /// @throws Error(deviceFailed)
    void makeWait(cudaStream_t reader) const;
    /// Call after each read queued on a stream other than the session's. All readers use one stream, from one thread at
    /// a time.
    /// @throws Error(deviceFailed)
    void markRead(cudaStream_t reader) const;

private:
    cudaStream_t owner_;
    Event ready_;
    mutable Event consumed_;
    mutable std::atomic<bool> read_{false};
};

} // namespace pollard::cuda
