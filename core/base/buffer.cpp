#include "base/buffer.hpp"

#include "base/sanitizers.hpp"

#include <cstdlib>

// Sanitizers check the bounds of malloc()'s blocks, not those of mapped pages.
#if defined(__linux__) && !defined(POLLARD_ASAN)
#define POLLARD_MAPS_LARGE_BLOCKS 1
#include <cstdint>
#include <sys/mman.h>
#endif

namespace pollard {

#ifdef POLLARD_MAPS_LARGE_BLOCKS

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr bool isLarge(std::size_t bytes) noexcept { return bytes >= 4 * kHugePage; }

constexpr std::size_t roundUp(std::size_t bytes) noexcept { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

} // namespace

void* allocateBytes(std::size_t bytes) {
    if (!isLarge(bytes)) {
        void* block = std::malloc(bytes);
        if (block == nullptr) {
            throw std::bad_alloc();
        }
        return block;
    }
    // One huge page more than needed, so that an aligned block fits; the remainder is unmapped.
    const std::size_t wanted = roundUp(bytes);
    void* mapped = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
    // A hint: without huge pages the memory works too, only slower.
    madvise(block, wanted, MADV_HUGEPAGE);
    return block;
}

void freeBytes(void* block, std::size_t bytes) noexcept {
    if (isLarge(bytes)) {
        munmap(block, roundUp(bytes));
    } else {
        std::free(block);
    }
}

#else

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
