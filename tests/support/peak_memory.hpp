#pragma once

#include "base/compiler.hpp"

#include <cstdint>

#ifdef POLLARD_ASAN
#include <algorithm>
#include <mutex>
#include <sanitizer/allocator_interface.h>
#else
#include <fstream>
#include <malloc.h>
#include <string>
#endif

namespace pollard::testing {

/// The most memory that the process takes from the construction on, beyond its memory at that time. One at a time.
/// Counts pages in use; under AddressSanitizer, whose own memory would count, it counts the bytes that are allocated.
class PeakMemory {
#ifdef POLLARD_ASAN
public:
    PeakMemory() {
        static const bool counts = __sanitizer_install_malloc_and_free_hooks(&add, &remove) != 0;
        const std::lock_guard lock(count().mutex);
        isKnown_ = counts;
        count().held = count().most = 0;
    }

    /// Whether the system reports the memory.
    [[nodiscard]] bool isKnown() const { return isKnown_; }
    [[nodiscard]] std::uint64_t bytes() const {
        const std::lock_guard lock(count().mutex);
        return static_cast<std::uint64_t>(count().most);
    }
    /// Memory of threads and of the allocator that bytes() may include.
    static constexpr std::uint64_t kOverhead = std::uint64_t{64} << 10;

private:
    struct Count {
        std::mutex mutex;
        std::int64_t held = 0; ///< beyond the memory at the start
        std::int64_t most = 0;
    };
    [[nodiscard]] static Count& count() {
        static Count all;
        return all;
    }
    static void add(const volatile void* /*block*/, std::size_t bytes) {
        const std::lock_guard lock(count().mutex);
        count().held += static_cast<std::int64_t>(bytes);
        count().most = std::max(count().most, count().held);
    }
    static void remove(const volatile void* block) {
        const std::lock_guard lock(count().mutex);
        count().held -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(block)));
    }

    bool isKnown_ = false;
#else
public:
    PeakMemory() {
        static_cast<void>(malloc_trim(0));
        std::ofstream refs("/proc/self/clear_refs");
        isKnown_ = static_cast<bool>(refs << "5" << std::flush); // sets the peak back
        before_ = statusOf("VmRSS");
    }

    /// Whether the system reports the memory.
    [[nodiscard]] bool isKnown() const { return isKnown_ && before_ != 0; }
    [[nodiscard]] std::uint64_t bytes() const {
        const std::uint64_t peak = statusOf("VmHWM");
        return peak > before_ ? peak - before_ : 0;
    }
    /// Memory of threads and of the allocator that bytes() may include.
    static constexpr std::uint64_t kOverhead = std::uint64_t{8} << 20;

private:
    /// A value of /proc/self/status in bytes; 0 if it is missing.
    [[nodiscard]] static std::uint64_t statusOf(const std::string& name) {
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with(name + ":")) {
                return std::stoull(line.substr(name.size() + 1)) * 1024;
            }
        }
        return 0;
    }

    bool isKnown_ = false;
    std::uint64_t before_ = 0;
#endif
};

} // namespace pollard::testing
