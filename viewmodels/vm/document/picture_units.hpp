#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Pixel size of the open picture; nothing if it is unknown, and without a picture.
[[nodiscard]] std::optional<PixelSize> pixelSizeOf(const DocumentViewModel& document);

/// The filter as the nodes of the open picture are decided by it: bounds in pixels, and without criteria that have no
/// meaning for this picture.
[[nodiscard]] FilterSpec inPixelsOf(const DocumentViewModel& document, const FilterSpec& spec);

/// "µm", "µm²", "ha", "px", "px²"
[[nodiscard]] QString unitText(LengthUnit unit, Dimension dimension);

} // namespace pollard::vm
