#pragma once

#include <cstdint>
#include <string>

namespace pollard {

/// Names for a person; numbers without a name become "compression 12345" and the like.
[[nodiscard]] std::string tiffCompressionName(std::uint16_t compression);
[[nodiscard]] std::string tiffPhotometricName(std::uint16_t photometric);
[[nodiscard]] std::string tiffSampleFormatName(std::uint16_t sampleFormat);

} // namespace pollard
