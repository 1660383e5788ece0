#include "device/device_memory.hpp"

#include "device/mebibytes.hpp"

#include <algorithm>
#include <string>

namespace pollard::cuda {

namespace {

cudaMemPool_t makePool() noexcept {
    int device = 0;
    int supported = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device) != cudaSuccess || supported == 0) {
        cudaGetLastError();
        return nullptr;
    }
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    if (cudaMemPoolCreate(&pool, &properties) != cudaSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    // Keeps what was freed: giving it back to the driver at every wait would cost more than the work of a filter.
    std::uint64_t keep = UINT64_MAX;
    if (cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) != cudaSuccess) {
        cudaGetLastError();
    }
    return pool;
}

} // namespace

std::shared_ptr<DeviceMemory> DeviceMemory::create() { return std::shared_ptr<DeviceMemory>(new DeviceMemory()); }

DeviceMemory::DeviceMemory() : pool_(makePool()) {}

DeviceMemory::~DeviceMemory() {
    cudaStreamSynchronize(stream_.get());
    if (pool_ != nullptr) {
        cudaMemPoolDestroy(pool_);
    }
    cudaGetLastError(); // a lost device has been reported by the work that lost it
}

cudaError_t DeviceMemory::take(void** memory, std::size_t bytes) const noexcept {
    const cudaError_t status =
        pool_ != nullptr ? cudaMallocFromPoolAsync(memory, bytes, pool_, stream_.get()) : cudaMalloc(memory, bytes);
    if (status != cudaSuccess) {
        cudaGetLastError();
    }
    return status;
}

void* DeviceMemory::allocate(std::size_t bytes, const char* what) {
    if (bytes == 0) {
        return nullptr;
    }
    const std::size_t rounded = blockBytes<std::byte>(bytes);
    const std::lock_guard lock(mutex_);
    void* memory = nullptr;
    cudaError_t status = faults::allocationFails() ? cudaErrorMemoryAllocation : take(&memory, rounded);
    if (status == cudaErrorMemoryAllocation && pool_ != nullptr && !faults::struck) {
        // What was freed on the stream but not yet reached, and what the pool keeps in pieces too small.
        check(cudaStreamSynchronize(stream_.get()), what);
        check(cudaMemPoolTrimTo(pool_, 0), what);
        status = take(&memory, rounded);
    }
    if (status == cudaErrorMemoryAllocation) {
        std::size_t free = 0;
        std::size_t total = 0;
        cudaMemGetInfo(&free, &total);
        cudaGetLastError();
        throw Error(ErrorCode::outOfMemory, std::string("GPU memory for ") + what + ": " + mebibytes(bytes) +
                                                " needed, " + mebibytes(free) + " free");
    }
    if (status != cudaSuccess) {
        fail(status, std::string("GPU memory for ") + what);
    }
    try {
        blocks_.emplace(memory, rounded);
    } catch (...) {
        pool_ != nullptr ? cudaFreeAsync(memory, stream_.get()) : cudaFree(memory);
        throw;
    }
    used_ += rounded;
    peak_ = std::max(peak_, used_);
    return memory;
}

void DeviceMemory::free(void* memory) noexcept {
    if (memory == nullptr) {
        return;
    }
    const std::lock_guard lock(mutex_);
    const auto block = blocks_.find(memory);
    if (block == blocks_.end()) {
        return;
    }
    used_ -= block->second;
    blocks_.erase(block);
    const cudaError_t status = pool_ != nullptr ? cudaFreeAsync(memory, stream_.get()) : cudaFree(memory);
    if (status != cudaSuccess) {
        cudaGetLastError(); // only a lost device refuses to take memory back
    }
}

std::uint64_t DeviceMemory::available() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for free GPU memory");
    if (pool_ == nullptr) {
        return free;
    }
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved), "ask for pooled GPU memory");
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used), "ask for pooled GPU memory");
    return free + (reserved > used ? reserved - used : 0);
}

std::uint64_t DeviceMemory::usedBytes() const noexcept {
    const std::lock_guard lock(mutex_);
    return used_;
}

std::uint64_t DeviceMemory::peakBytes() const noexcept {
    const std::lock_guard lock(mutex_);
    return peak_;
}

void DeviceMemory::resetPeak() noexcept {
    const std::lock_guard lock(mutex_);
    peak_ = used_;
}

} // namespace pollard::cuda
