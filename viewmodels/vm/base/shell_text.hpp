#pragma once

#include "io/image_file.hpp"

#include <QString>

namespace pollard::vm {

/// An argument for a POSIX shell, in quotes where it needs them.
[[nodiscard]] QString shellQuoted(const QString& argument);

/// Arguments of --pixel-size, to the last digit: "0.325um", "0.325x0.65um".
[[nodiscard]] QString pixelSizeArgument(const PixelSize& size);

} // namespace pollard::vm
