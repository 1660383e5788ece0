#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_stream.hpp"
#include "cuda/device/device_memory.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace pollard::cuda {

/// Copies between pageable host memory and the device through two pinned chunks: while the device copies one, the
/// threads of the caller's oneTBB arena fill or drain the other. Keeps the chunks between copies.
class Staging {
public:
    /// @param memory copies are queued on its stream
    explicit Staging(std::shared_ptr<DeviceMemory> memory) : memory_(std::move(memory)) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// Returns once the host memory is read; work queued on the stream later sees the copy. If it throws, no copy
    /// is in progress.
    /// @param operation for the error message: "upload 512 x 512 px"
    /// @throws Error(outOfMemory) for the chunks, Error(deviceFailed), Cancelled
    void queueUpload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                     const std::string& operation);
    /// upload() and download() wait until the copy is complete; if they throw, no copy is in progress either.
    /// @param operation for the error message: "upload 512 x 512 px"
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

    /// Grows the chunks to the size useful for a copy of @p bytes.
    void reserve(std::size_t bytes);
    /// Runs @p copy; on an exception waits for the work it queued.
    template <class Copy> void guarded(const Copy& copy);

    std::shared_ptr<DeviceMemory> memory_;
    std::array<Chunk, 2> chunks_;
};

} // namespace pollard::cuda
