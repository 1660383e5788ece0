#pragma once

#include <cstdint>
#include <string>

namespace pollard {

/// DNG's PhotometricInterpretation, unnamed in libtiff.
inline constexpr std::uint16_t kLinearRawPhotometric = 34892;

/// Names for display; unknown numbers become "compression 12345" and so on.
[[nodiscard]] std::string tiffCompressionName(std::uint16_t compression);
[[nodiscard]] std::string tiffPhotometricName(std::uint16_t photometric);
[[nodiscard]] std::string tiffSampleFormatName(std::uint16_t sampleFormat);

} // namespace pollard
