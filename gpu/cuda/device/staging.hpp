#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_event.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/pinned_buffer.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace pollard::cuda {

/// Copies between pageable host memory and the device by way of two pinned chunks: while the device copies one, all
/// threads of the caller's oneTBB arena fill or empty the other. Keeps the chunks.
class Staging {
public:
    /// @param memory its stream carries the copies
    explicit Staging(std::shared_ptr<DeviceMemory> memory) : memory_(std::move(memory)) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Returns when the host's memory is read; work queued later on the stream finds the copy. When it throws, nothing
    /// of it is under way any more.
    /// @param operation for the message: "upload 512 x 512 px"
    /// @throws Error(outOfMemory) for the chunks, Error(deviceFailed), Cancelled
    void queueUpload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                     const std::string& operation);
    /// Both wait until the copy is there; when they throw, nothing of it is under way any more.
    /// @param operation for the message: "upload 512 x 512 px"
    /// @throws Error(outOfMemory) for the chunks, Error(deviceFailed), Cancelled
    void upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                const std::string& operation);
    void download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                  const std::string& operation);

private:
    struct Chunk {
        PinnedBuffer<std::byte> bytes;
        Event copied;
    };

    /// Makes the chunks as large as a copy of @p bytes can use.
    void reserve(std::size_t bytes);
    /// Runs @p copy; if it throws, waits for what it queued.
    template <class Copy> void guarded(const Copy& copy);

    std::shared_ptr<DeviceMemory> memory_;
    std::array<Chunk, 2> chunks_;
};

} // namespace pollard::cuda
