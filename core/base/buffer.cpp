#include "base/buffer.hpp"

#include "base/compiler.hpp"

#include <cstdlib>

// Sanitizers check the bounds of malloc()'s blocks, but not of mapped pages.
#if defined(__linux__) && !defined(POLLARD_ASAN)
#define POLLARD_MAPS_LARGE_BLOCKS 1
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#endif

namespace pollard {

#ifdef POLLARD_MAPS_LARGE_BLOCKS

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr bool isLarge(std::size_t bytes) noexcept { return bytes >= 2 * kHugePage; }

constexpr std::size_t roundUp(std::size_t bytes) noexcept { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

/// Freed blocks, kept for the next allocation.
class BlockCache {
public:
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

    void changeLimit(std::size_t more, std::size_t less) noexcept {
        const std::scoped_lock lock(mutex_);
        limit_ += more;
        limit_ -= less;
        while (bytes_ > limit_) {
            const auto last = std::prev(sizeOf_.end());
            bytes_ -= last->second;
            munmap(last->first, last->second);
            sizeOf_.erase(last);
        }
    }

    /// Returns false if there is no room for the block.
    [[nodiscard]] bool put(std::byte* block, std::size_t bytes) noexcept {
        const std::scoped_lock lock(mutex_);
        if (bytes > limit_ - bytes_) {
            return false;
        }
        madvise(block, bytes, MADV_FREE); // the pages stay until the system needs them
        try {
            auto at = sizeOf_.emplace(block, bytes).first;
            bytes_ += bytes;
            if (const auto next = std::next(at); next != sizeOf_.end() && block + bytes == next->first) {
                at->second += next->second;
                sizeOf_.erase(next);
            }
            if (at != sizeOf_.begin()) {
                if (const auto before = std::prev(at); before->first + before->second == block) {
                    before->second += at->second;
                    sizeOf_.erase(at);
                }
            }
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

    /// A block of the size, cut from the smallest sufficient block; null if there is none.
    [[nodiscard]] std::byte* take(std::size_t bytes) noexcept {
        const std::scoped_lock lock(mutex_);
        auto best = sizeOf_.end();
        for (auto each = sizeOf_.begin(); each != sizeOf_.end(); ++each) {
            if (each->second >= bytes && (best == sizeOf_.end() || each->second < best->second)) {
                best = each;
            }
        }
        if (best == sizeOf_.end()) {
            return nullptr;
        }
        std::byte* block = best->first + (best->second - bytes);
        best->second -= bytes;
        bytes_ -= bytes;
        if (best->second == 0) {
            sizeOf_.erase(best);
        }
        return block;
    }

    void clear() noexcept {
        const std::scoped_lock lock(mutex_);
        for (const auto& [block, bytes] : sizeOf_) {
            munmap(block, bytes);
        }
        sizeOf_.clear();
        bytes_ = 0;
    }

private:
    std::mutex mutex_;
    std::size_t limit_ = 0;
    std::size_t bytes_ = 0;
    std::map<std::byte*, std::size_t> sizeOf_; ///< of each block by its address; no two blocks adjoin
};

BlockCache& blockCache() {
    static BlockCache& blocks = []() -> BlockCache& {
        // A forked process must not inherit the lock of a thread that it does not have.
        const auto unlock = [] { blockCache().unlock(); };
        pthread_atfork([] { blockCache().lock(); }, unlock, unlock);
        return *new BlockCache; // outlives all other static objects, which may free memory
    }();
    return blocks;
}

void* map(std::size_t bytes) noexcept {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

} // namespace

BlockReserve::BlockReserve(std::size_t bytes) : bytes_(bytes) { blockCache().changeLimit(bytes_, 0); }

BlockReserve::~BlockReserve() { blockCache().changeLimit(0, bytes_); }

void* allocateBytes(std::size_t bytes) {
    if (!isLarge(bytes)) {
        void* block = std::malloc(bytes);
        if (block == nullptr) {
            throw std::bad_alloc();
        }
        return block;
    }
    const std::size_t wanted = roundUp(bytes);
    if (std::byte* kept = blockCache().take(wanted)) {
        return kept;
    }
    // One huge page more than needed, so that an aligned block fits; the remainder is unmapped.
    void* mapped = map(wanted + kHugePage);
    if (mapped == MAP_FAILED) {
        blockCache().clear();
        mapped = map(wanted + kHugePage);
    }
    if (mapped == MAP_FAILED) {
        throw std::bad_alloc();
    }
    auto* start = static_cast<std::byte*>(mapped);
    const std::size_t before =
        roundUp(reinterpret_cast<std::uintptr_t>(start)) - reinterpret_cast<std::uintptr_t>(start);
    if (before != 0) {
        munmap(start, before);
    }
    std::byte* block = start + before;
    if (before != kHugePage) {
        munmap(block + wanted, kHugePage - before);
    }
    // Only a hint: the memory also works without huge pages, but slower.
    madvise(block, wanted, MADV_HUGEPAGE);
    return block;
}

void freeBytes(void* block, std::size_t bytes) noexcept {
    if (isLarge(bytes)) {
        if (!blockCache().put(static_cast<std::byte*>(block), roundUp(bytes))) {
            munmap(block, roundUp(bytes));
        }
    } else {
        std::free(block);
    }
}

#else

BlockReserve::BlockReserve(std::size_t bytes) : bytes_(bytes) {}

BlockReserve::~BlockReserve() = default;

void* allocateBytes(std::size_t bytes) {
    void* block = std::malloc(bytes);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}

void freeBytes(void* block, std::size_t) noexcept { std::free(block); }

#endif

} // namespace pollard
