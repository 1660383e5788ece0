#pragma once

#include <cstdint>

namespace pollard::app {

/// Main memory used by this process, bytes; 0 if the system does not report it.
[[nodiscard]] std::uint64_t residentBytes();

/// Peak of residentBytes(); 0 if the system does not report it.
[[nodiscard]] std::uint64_t peakResidentBytes();

} // namespace pollard::app
