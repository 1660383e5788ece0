#pragma once

#include "cuda/device/cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <utility>

namespace pollard::cuda {

/// Move-only owner of a CUDA stream that does not wait for the legacy default stream.
class Stream {
public:
    /// @throws Error(deviceFailed)
    Stream() : Stream(cudaStream_t{}) { // the destructor runs even if the body throws
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a GPU stream");
    }
    ~Stream() {
        if (stream_ != nullptr) {
            cudaStreamDestroy(stream_);
        }
    }
    Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }

    /// Waits for all work queued on the stream and reports its errors.
    /// @throws Error(deviceFailed) naming @p operation
    void synchronize(const std::string& operation) const { check(cudaStreamSynchronize(stream_), operation); }

private:
    explicit Stream(cudaStream_t stream) noexcept : stream_(stream) {}

    cudaStream_t stream_;
};

} // namespace pollard::cuda
