#include "base/buffer.hpp"
#include "base/compiler.hpp"
#include "base/error.hpp"
#include "image/image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <stop_token>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

#if defined(__linux__) && !defined(POLLARD_ASAN)

std::byte* allocateWritten(std::size_t bytes) {
    void* block = allocateBytes(bytes);
    std::memset(block, 0x5a, bytes);
    return static_cast<std::byte*>(block);
}

bool isMapped(std::byte* block) {
    unsigned char resident = 0;
    return mincore(block, 1, &resident) == 0 || errno != ENOMEM;
}

std::size_t addressSpace() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(BlockReserve, KeepsFreedBlocksForTheNext) {
    std::byte* block = nullptr;
    {
        const BlockReserve reserve(64 * kMiB);
        block = allocateWritten(32 * kMiB);
        freeBytes(block, 32 * kMiB);
        ASSERT_TRUE(isMapped(block));
        std::byte* again = allocateWritten(32 * kMiB);
        EXPECT_EQ(again, block);
        freeBytes(again, 32 * kMiB);
    }
    EXPECT_FALSE(isMapped(block));
}

TEST(BlockReserve, CutsBlocksAndJoinsThemAgain) {
    const BlockReserve reserve(64 * kMiB);
    std::byte* whole = allocateWritten(32 * kMiB);
    freeBytes(whole, 32 * kMiB);
    std::byte* one = allocateWritten(16 * kMiB);
    std::byte* two = allocateWritten(16 * kMiB);
    EXPECT_EQ(std::min(one, two), whole);
    EXPECT_EQ(std::max(one, two), whole + 16 * kMiB);
    freeBytes(one, 16 * kMiB);
    freeBytes(two, 16 * kMiB);
    std::byte* again = allocateWritten(32 * kMiB);
    EXPECT_EQ(again, whole);
    freeBytes(again, 32 * kMiB);
}

TEST(BlockReserve, KeepsNoMoreThanItsBytes) {
    const BlockReserve reserve(24 * kMiB);
    std::byte* one = allocateWritten(16 * kMiB);
    std::byte* two = allocateWritten(16 * kMiB);
    freeBytes(one, 16 * kMiB);
    freeBytes(two, 16 * kMiB);
    EXPECT_TRUE(isMapped(one));
    EXPECT_FALSE(isMapped(two));
}

TEST(BlockReserve, GivesBlocksBackWhereMemoryIsShort) {
    constexpr std::size_t kKept = 256 * kMiB;
    constexpr std::size_t kWanted = 320 * kMiB;
    const BlockReserve reserve(kKept);
    std::byte* kept = static_cast<std::byte*>(allocateBytes(kKept));
    freeBytes(kept, kKept);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    rlimit limited = before;
    limited.rlim_cur = addressSpace() + 128 * kMiB;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
    void* wanted = nullptr;
    EXPECT_NO_THROW(wanted = allocateBytes(kWanted));
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    if (wanted != nullptr) {
        freeBytes(wanted, kWanted);
    }
}

TEST(BlockReserve, ServesForkedProcesses) {
    const BlockReserve reserve(64 * kMiB);
    const auto useBlocks = [] { freeBytes(allocateBytes(16 * kMiB), 16 * kMiB); };
    const std::jthread other([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            useBlocks();
        }
    });
    for (int round = 0; round < 50; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(20); // ends a process that waits for a thread which it does not have
            useBlocks();
            _exit(0);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0);
    }
}

#endif

TEST(Buffer, BytesOfLargeBlocksAreItsOwn) {
    const BlockReserve reserve(64 * kMiB);
    for (int round = 0; round < 3; ++round) {
        Buffer<std::uint32_t> one(3 * kMiB);
        Buffer<std::uint32_t> two(5 * kMiB / 2);
        std::ranges::fill(one, 1U);
        std::ranges::fill(two, 2U);
        EXPECT_TRUE(std::ranges::all_of(one, [](std::uint32_t each) { return each == 1; }));
        EXPECT_TRUE(std::ranges::all_of(two, [](std::uint32_t each) { return each == 2; }));
    }
}

TEST(Buffer, OverMemoryOfAnotherOwnerFreesNothing) {
    std::array<std::uint16_t, 6> memory{1, 2, 3, 4, 5, 6};
    {
        auto buffer = Buffer<std::uint16_t>::over(memory);
        EXPECT_EQ(buffer.data(), memory.data());
        EXPECT_EQ(buffer.bytes(), sizeof memory);
        Buffer<std::uint16_t> moved(3);
        moved = std::move(buffer);
        moved[5] = 9;
        buffer = Buffer<std::uint16_t>::over(memory);
        buffer.reset();
        EXPECT_TRUE(buffer.empty());
    }
    EXPECT_EQ(memory[5], 9);
}

TEST(Buffer, OfAnImageHasItsSize) {
    std::array<std::uint16_t, 6> memory{1, 2, 3, 4, 5, 6};
    const auto bytes = std::as_writable_bytes(std::span(memory));
    const Image image(PixelType::u16, {3, 2}, Buffer<std::byte>::over(bytes));
    EXPECT_EQ(image.pixels<std::uint16_t>().data(), memory.data());
    EXPECT_EQ(image.level(5), 6);
    EXPECT_THROW(Image(PixelType::u8, {3, 2}, Buffer<std::byte>::over(bytes)), Error);
    EXPECT_THROW(Image(PixelType::u16, {0, 2}, Buffer<std::byte>::over({})), Error);
}

} // namespace

} // namespace pollard
