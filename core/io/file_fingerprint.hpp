#pragma once

#include "base/job_control.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace pollard {

/// What tells whether a file is still the same, whatever it is called: not against somebody who forges one.
struct FileFingerprint {
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0; ///< FNV-1a with 64 bits (Fowler, Noll, Vo) of what is looked at

    bool operator==(const FileFingerprint&) const = default;
};

/// Up to so many bytes are looked at one by one.
inline constexpr std::uint64_t kWholeFingerprint = std::uint64_t{64} << 20U;
/// Of a larger file so many at its start, around its middle and at its end.
inline constexpr std::uint64_t kFingerprintPart = std::uint64_t{16} << 20U;

/// @throws Error(fileNotFound, fileUnreadable) naming the file, which has to be a regular one; Cancelled
[[nodiscard]] FileFingerprint fingerprintOf(const std::filesystem::path& path, const JobControl& control = {});

/// "fnv1a64:" and 16 hexadecimal digits.
[[nodiscard]] std::string hashText(const FileFingerprint& fingerprint);

} // namespace pollard
