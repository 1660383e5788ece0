#pragma once

#include <ctime>

namespace pollard::testing {

/// Processor time of all threads in seconds, independent of other programs.
[[nodiscard]] inline double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace pollard::testing
