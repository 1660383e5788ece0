#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Pixel size of the open picture; empty if unknown or without a picture.
[[nodiscard]] std::optional<PixelSize> pixelSizeOf(const DocumentViewModel& document);

/// The filter as applied to the nodes of the open picture: bounds in pixels, without criteria that do not apply to this
/// picture.
[[nodiscard]] FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec);

/// "µm", "µm²", "ha", "px", "px²"
[[nodiscard]] QString unitText(LengthUnit unit, Dimension dimension);

} // namespace pollard::vm
