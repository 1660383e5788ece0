#pragma once

#include "base/job_control.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace pollard {

/// Identifies the content of a file independently of its name. Not a protection against forgery.
struct FileFingerprint {
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0; ///< 64-bit FNV-1a (Fowler, Noll, Vo) of the bytes read

    bool operator==(const FileFingerprint&) const = default;
};

/// Files up to this many bytes are read entirely.
inline constexpr std::uint64_t kWholeFingerprint = std::uint64_t{64} << 20U;
/// Bytes read at the start, around the middle and at the end of a larger file.
inline constexpr std::uint64_t kFingerprintPart = std::uint64_t{16} << 20U;

/// @throws Error(fileNotFound, fileUnreadable) naming the file, which must be a regular one; Cancelled
[[nodiscard]] FileFingerprint fingerprintOf(const std::filesystem::path& path, const JobControl& control = {});

/// "fnv1a64:" followed by 16 hexadecimal digits.
[[nodiscard]] std::string hashText(const FileFingerprint& fingerprint);

} // namespace pollard
