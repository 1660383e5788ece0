#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unistd.h>

namespace pollard {

/// Writes bytes at a place of an open file.
/// @return their number; if it is less than asked for, the reason is in errno
[[nodiscard]] inline std::size_t writeAt(int descriptor, const void* data, std::size_t bytes,
                                         std::uint64_t offset) noexcept {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t written = ::pwrite(descriptor, static_cast<const std::byte*>(data) + done, bytes - done,
                                         static_cast<off_t>(offset + done));
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (written == 0 || errno != EINTR) {
            break;
        }
    }
    return done;
}

/// Reads bytes at a place of an open file.
/// @return their number, less than asked for at the end of the file; nothing after a failure, whose reason is in errno
[[nodiscard]] inline std::optional<std::size_t> readAt(int descriptor, void* data, std::size_t bytes,
                                                       std::uint64_t offset) noexcept {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got =
            ::pread(descriptor, static_cast<std::byte*>(data) + done, bytes - done, static_cast<off_t>(offset + done));
        if (got > 0) {
            done += static_cast<std::size_t>(got);
        } else if (got == 0) {
            break;
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
    return done;
}

} // namespace pollard
