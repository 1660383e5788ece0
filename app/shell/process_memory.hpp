#pragma once

#include <cstdint>

namespace pollard::app {

/// Bytes of main memory that this process occupies; 0 where the system does not say.
[[nodiscard]] std::uint64_t residentBytes();

/// The most that residentBytes() ever was; 0 where the system does not say.
[[nodiscard]] std::uint64_t peakResidentBytes();

} // namespace pollard::app
