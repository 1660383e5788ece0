#pragma once

#include <QPalette>
#include <QRgb>

#include <array>
#include <cstdint>

namespace pollard::app {

/// Colours for how much lies in a cell, premultiplied: the first is transparent, then from a hint of the accent over
/// the accent to the colour of text, so that more stands out more on light and dark ground.
using DensityRamp = std::array<QRgb, 256>;
[[nodiscard]] DensityRamp densityRamp(const QPalette& palette);

/// Step of the ramp for a count, growing with its logarithm: 0 for none, 255 for the largest.
[[nodiscard]] std::uint8_t densityStep(std::uint32_t count, std::uint32_t largest) noexcept;

} // namespace pollard::app
