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

/// Move-only owner of a CUDA event: a mark in a stream that other streams and the host can wait for.
class Event {
public:
    enum class Timing : bool { off, on };

    /// @throws Error(deviceFailed)
    explicit Event(Timing timing = Timing::off) : Event(cudaEvent_t{}) { // the destructor runs even if the body throws
        check(cudaEventCreateWithFlags(&event_, timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
              "make a GPU event");
    }
    ~Event() {
        if (event_ != nullptr) {
            cudaEventDestroy(event_);
        }
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    [[nodiscard]] cudaEvent_t get() const noexcept { return event_; }

    /// Marks the end of the work queued on @p stream.
    /// @throws Error(deviceFailed)
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "mark a GPU stream"); }

    /// Work queued on @p stream after this call starts after the mark; the host does not wait.
    /// @throws Error(deviceFailed)
    void makeWait(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_, 0), "order two GPU streams"); }

    /// Whether the device has passed the mark; true before the first record().
    /// @throws Error(deviceFailed) if the work before it failed
    [[nodiscard]] bool ready() const {
        const cudaError_t status = cudaEventQuery(event_);
        if (status == cudaErrorNotReady) {
            cudaGetLastError(); // not ready is no failure
            return false;
        }
        check(status, "ask for a GPU event");
        return true;
    }

    /// Blocks the host until the device has passed the mark.
    /// @throws Error(deviceFailed) naming @p operation if the work before it failed
    void wait(const char* operation) const { check(cudaEventSynchronize(event_), operation); }

private:
    explicit Event(cudaEvent_t event) noexcept : event_(event) {}

    cudaEvent_t event_;
};

/// Time between two passed events made with Timing::on, ms.
/// @throws Error(deviceFailed)
[[nodiscard]] inline double elapsedMs(const Event& from, const Event& to) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "time GPU work");
    return static_cast<double>(milliseconds);
}

} // namespace pollard::cuda
