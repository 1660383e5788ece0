#include "cuda/device/staging.hpp"

#include "cuda/device/device_memory.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace pollard::cuda {

namespace {

// Large enough to hide the latency of starting a copy, small enough that filling the first chunk delays little.
constexpr std::size_t kChunkBytes = std::size_t{4} << 20U;
// Chunk sizes are multiples of a page.
constexpr std::size_t kSmallestChunk = 4096;

void copyWithAllThreads(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t kGrain = std::size_t{256} << 10U;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, kGrain), [&](const auto& range) {
        std::memcpy(static_cast<std::byte*>(to) + range.begin(), static_cast<const std::byte*>(from) + range.begin(),
                    range.size());
    });
}

} // namespace

Staging::~Staging() {
    if (cudaStreamSynchronize(memory_->stream()) != cudaSuccess) { // an upload may still read a chunk
        cudaGetLastError();                                        // the failed work has reported it
    }
}

void Staging::reserve(std::size_t bytes) {
    const std::size_t size = std::min(kChunkBytes, (bytes + kSmallestChunk - 1) / kSmallestChunk * kSmallestChunk);
    if (chunks_[1].bytes.size() >= size) {
        return;
    }
    PinnedBuffer<std::byte> first(size, "copies to and from the GPU");
    PinnedBuffer<std::byte> second(size, "copies to and from the GPU");
    for (const Chunk& chunk : chunks_) {
        chunk.copied.wait("copies to the GPU");
    }
    chunks_[0].bytes = std::move(first);
    chunks_[1].bytes = std::move(second);
}

template <class Copy> void Staging::guarded(const Copy& copy) {
    try {
        copy();
    } catch (...) {
        if (cudaStreamSynchronize(memory_->stream()) != cudaSuccess) {
            cudaGetLastError(); // the first failure is reported
        }
        throw;
    }
}

void Staging::upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                     const std::string& operation) {
    queueUpload(device, host, bytes, control, operation);
    guarded([&] { waitFor(*memory_, control, operation); });
}

void Staging::queueUpload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                          const std::string& operation) {
    reserve(bytes);
    const std::size_t step = chunks_[0].bytes.size();
    guarded([&] {
        for (std::size_t at = 0, i = 0; at < bytes; at += step, ++i) {
            control.throwIfStopped();
            Chunk& chunk = chunks_[i % chunks_.size()];
            const std::size_t count = std::min(step, bytes - at);
            chunk.copied.wait(operation.c_str());
            copyWithAllThreads(chunk.bytes.data(), static_cast<const std::byte*>(host) + at, count);
            check(cudaMemcpyAsync(static_cast<std::byte*>(device) + at, chunk.bytes.data(), count,
                                  cudaMemcpyHostToDevice, memory_->stream()),
                  operation);
            chunk.copied.record(memory_->stream());
        }
    });
}

void Staging::download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                       const std::string& operation) {
    reserve(bytes);
    const std::size_t step = chunks_[0].bytes.size();
    const auto empty = [&](std::size_t at, std::size_t i) {
        Chunk& chunk = chunks_[i % chunks_.size()];
        chunk.copied.wait(operation.c_str());
        copyWithAllThreads(static_cast<std::byte*>(host) + at, chunk.bytes.data(), std::min(step, bytes - at));
    };
    guarded([&] {
        std::size_t i = 0;
        for (std::size_t at = 0; at < bytes; at += step, ++i) {
            control.throwIfStopped();
            Chunk& chunk = chunks_[i % chunks_.size()];
            check(cudaMemcpyAsync(chunk.bytes.data(), static_cast<const std::byte*>(device) + at,
                                  std::min(step, bytes - at), cudaMemcpyDeviceToHost, memory_->stream()),
                  operation);
            chunk.copied.record(memory_->stream());
            if (i > 0) { // drain the previous chunk while this one is copied
                empty(at - step, i - 1);
            }
        }
        if (i > 0) {
            empty((i - 1) * step, i - 1);
        }
        control.throwIfStopped();
    });
}

} // namespace pollard::cuda
