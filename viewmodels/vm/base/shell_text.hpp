#pragma once

#include "io/image_file.hpp"

#include <QString>

namespace pollard::vm {

/// An argument for a POSIX shell, quoted if necessary.
[[nodiscard]] QString shellQuoted(const QString& argument);

/// Exact argument of --pixel-size: "0.325um", "0.325x0.65um".
[[nodiscard]] QString pixelSizeArgument(const PixelSize& size);

} // namespace pollard::vm
