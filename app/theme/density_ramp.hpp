#pragma once

#include <QPalette>
#include <QRgb>

#include <array>
#include <cstdint>

namespace pollard::app {

/// Colours of counts per cell, premultiplied: the first is transparent, then from a faint accent over the accent to the
/// colour of text, so that contrast grows with the count on light and dark backgrounds.
using DensityRamp = std::array<QRgb, 256>;
[[nodiscard]] DensityRamp densityRamp(const QPalette& palette);

/// Index into the ramp for a count, logarithmic: 0 for none, 255 for the largest.
[[nodiscard]] std::uint8_t densityStep(std::uint32_t count, std::uint32_t largest) noexcept;

} // namespace pollard::app
