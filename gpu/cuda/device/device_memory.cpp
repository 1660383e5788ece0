#include "cuda/device/device_memory.hpp"

#include "cuda/device/cuda_error.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace pollard::cuda {

void* allocatePinned(std::size_t bytes, const char* what) {
    if (bytes == 0) {
        return nullptr;
    }
    void* memory = nullptr;
    const cudaError_t status =
        faults::allocationFails() ? cudaErrorMemoryAllocation : cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::outOfMemory, std::string("page-locked memory for ") + what + ": " + mebibytes(bytes) +
                                                " needed, the system refuses");
    }
    if (status != cudaSuccess) {
        fail(status, std::string("page-locked memory for ") + what);
    }
    return memory;
}

void freePinned(void* memory) noexcept {
    if (memory != nullptr && cudaFreeHost(memory) != cudaSuccess) {
        cudaGetLastError(); // fails only if the device is lost
    }
}

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
    // Keep freed memory in the pool: returning it to the driver at every synchronisation costs more than a filter.
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
    releaseKept();
    cudaStreamSynchronize(stream_.get());
    if (pool_ != nullptr) {
        cudaMemPoolDestroy(pool_);
    }
    cudaGetLastError(); // the work that lost the device has reported it
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
    cudaError_t status = cudaErrorMemoryAllocation;
    if (!faults::allocationFails()) {
        memory = takeKept(rounded);
        status = memory != nullptr ? cudaSuccess : take(&memory, rounded);
    }
    if (status == cudaErrorMemoryAllocation && pool_ != nullptr && !faults::failureOccurred) {
        releaseKept();
        // Reclaim blocks whose free is still queued on the stream, and pool memory in pieces that are too small.
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
        give(memory);
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
    const std::size_t bytes = block->second;
    used_ -= bytes;
    blocks_.erase(block);
    if (!keep(memory, bytes)) {
        give(memory);
    }
}

void DeviceMemory::give(void* memory) const noexcept {
    const cudaError_t status = pool_ != nullptr ? cudaFreeAsync(memory, stream_.get()) : cudaFree(memory);
    if (status != cudaSuccess) {
        cudaGetLastError(); // fails only if the device is lost
    }
}

void* DeviceMemory::takeKept(std::size_t bytes) noexcept {
    const auto found = std::ranges::find(kept_, bytes, &FreedBlock::bytes);
    if (found == kept_.end()) {
        return nullptr;
    }
    void* const memory = found->memory;
    keptBytes_ -= bytes;
    kept_.erase(found);
    return memory;
}

bool DeviceMemory::keep(void* memory, std::size_t bytes) noexcept {
    constexpr std::size_t kMostBlocks = 32;
    constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
    if (pool_ == nullptr || bytes > kMostBytes) {
        return false;
    }
    try {
        kept_.reserve(kMostBlocks);
    } catch (...) {
        return false;
    }
    while (kept_.size() == kMostBlocks || keptBytes_ + bytes > kMostBytes) {
        give(kept_.front().memory);
        keptBytes_ -= kept_.front().bytes;
        kept_.erase(kept_.begin());
    }
    kept_.push_back({memory, bytes});
    keptBytes_ += bytes;
    return true;
}

void DeviceMemory::releaseKept() noexcept {
    for (const FreedBlock& block : kept_) {
        give(block.memory);
    }
    kept_.clear();
    keptBytes_ = 0;
}

std::uint64_t DeviceMemory::available() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for free GPU memory");
    return free + unusedInPool();
}

bool DeviceMemory::has(std::uint64_t bytes) const { return bytes <= unusedInPool() || bytes <= available(); }

std::uint64_t DeviceMemory::unusedInPool() const {
    if (pool_ == nullptr) {
        return 0;
    }
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved), "ask for pooled GPU memory");
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used), "ask for pooled GPU memory");
    const std::lock_guard lock(mutex_);
    return (reserved > used ? reserved - used : 0) + keptBytes_;
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

namespace {

using Clock = std::chrono::steady_clock;

// Filters finish within this time: sleeping would add more latency than polling costs.
constexpr std::chrono::microseconds kLookClosely{2000};
constexpr std::chrono::microseconds kNap{100};

} // namespace

void waitFor(DeviceMemory& memory, const JobControl& control, const std::string& operation) {
    const cudaStream_t stream = memory.stream();
    const auto start = Clock::now();
    cudaError_t status = cudaStreamQuery(stream);
    while (status == cudaErrorNotReady) {
        cudaGetLastError(); // not ready is no failure
        if (control.stopRequested()) {
            memory.stopFlag().raise();
            status = cudaStreamSynchronize(stream);
            memory.stopFlag().lower();
            break;
        }
        if (Clock::now() - start < kLookClosely) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(kNap);
        }
        status = cudaStreamQuery(stream);
    }
    check(status, operation);
    control.throwIfStopped();
}

} // namespace pollard::cuda
