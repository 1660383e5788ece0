#pragma once

#include <cstdint>
#include <string>

namespace pollard::cuda {

/// A size as text for users, rounded up: "17 MiB".
[[nodiscard]] inline std::string mebibytes(std::uint64_t bytes) {
    constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
    return std::to_string(bytes / kMebibyte + (bytes % kMebibyte != 0 ? 1 : 0)) + " MiB";
}

} // namespace pollard::cuda
