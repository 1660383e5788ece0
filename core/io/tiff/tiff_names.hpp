#pragma once

#include <cstdint>
#include <string>

namespace pollard {

/// PhotometricInterpretation of DNG that libtiff has no name for.
inline constexpr std::uint16_t kLinearRawPhotometric = 34892;

/// Names for a person; numbers without a name become "compression 12345" and the like.
[[nodiscard]] std::string tiffCompressionName(std::uint16_t compression);
[[nodiscard]] std::string tiffPhotometricName(std::uint16_t photometric);
[[nodiscard]] std::string tiffSampleFormatName(std::uint16_t sampleFormat);

} // namespace pollard
