#include "base/system.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace pollard::testing {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

void writeGroupFile(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
}

TEST(AvailableMemory, OfAControlGroupIsItsRestWithoutFiles) {
    const test::TempDir dir;
    EXPECT_EQ(memoryOfGroups(dir.path(), "0::/\n"), kNoLimit);
    writeGroupFile(dir / "memory.max", "max");
    EXPECT_EQ(memoryOfGroups(dir.path(), "0::/\n"), kNoLimit);
    writeGroupFile(dir / "jobs/memory.max", "1000000");
    writeGroupFile(dir / "jobs/memory.current", "400000");
    writeGroupFile(dir / "jobs/memory.stat", "anon 300000\ninactive_file 90000\nactive_file 10000");
    writeGroupFile(dir / "jobs/one/memory.max", "800000");
    writeGroupFile(dir / "jobs/one/memory.current", "900000");
    EXPECT_EQ(memoryOfGroups(dir.path(), "0::/jobs\n"), 690000U);
    EXPECT_EQ(memoryOfGroups(dir.path(), "0::/jobs/other\n"), 690000U) << "of the group around it";
    EXPECT_EQ(memoryOfGroups(dir.path(), "1:cpu:/\n0::/jobs/one\n"), 0U);
    EXPECT_EQ(memoryOfGroups(dir.path(), "0::/elsewhere"), kNoLimit);
}

TEST(AvailableMemory, OfAControlGroupOfVersionOneIsInItsFolder) {
    const test::TempDir dir;
    writeGroupFile(dir / "memory/jobs/memory.limit_in_bytes", "5000");
    writeGroupFile(dir / "memory/jobs/memory.usage_in_bytes", "3000");
    writeGroupFile(dir / "memory/jobs/memory.stat", "inactive_file 7\ntotal_inactive_file 500");
    EXPECT_EQ(memoryOfGroups(dir.path(), "5:cpu,cpuacct:/jobs\n4:memory:/jobs\n"), 2500U);
    EXPECT_EQ(memoryOfGroups(dir.path(), "4:hugetlb,memory:/jobs"), 2500U);
    EXPECT_EQ(memoryOfGroups(dir.path(), "4:cpu:/jobs"), kNoLimit);
    EXPECT_EQ(memoryOfGroups(dir.path(), "\n:\nmemory\n"), kNoLimit);
}

#ifndef POLLARD_ASAN
TEST(AvailableMemory, IsWithinTheAddressSpaceOfTheProcess) {
    const std::uint64_t free = availableMemory();
    EXPECT_GT(free, 1U);
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    rlimit limited = before;
    constexpr std::uint64_t kRoom = std::uint64_t{64} << 20U;
    limited.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + kRoom;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
    const std::uint64_t less = availableMemory();
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_LE(less, kRoom);
    EXPECT_GT(less, kRoom / 2);
}
#endif

TEST(AvailableMemory, IsWithinTheLimitOfTheProgram) {
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 30U;
    limitMemory(kLimit);
    const std::uint64_t left = availableMemory();
    limitMemory(1);
    EXPECT_EQ(availableMemory(), 1U) << "the program has more already";
    EXPECT_THROW(requireAvailable("work", 2), Error);
    limitMemory(0);
    EXPECT_LT(left, kLimit);
    EXPECT_GT(availableMemory(), 1U);
}

} // namespace
} // namespace pollard::testing
