#pragma once

#include "image/image.hpp"
#include "io/image_file.hpp"

#include <memory>
#include <optional>

namespace pollard::vm {

/// A volume with sides of its voxels by a size that replaces the size in its file. @throws Error(outOfMemory)
[[nodiscard]] std::shared_ptr<const Image> withSides(const std::shared_ptr<const Image>& volume,
                                                     const std::optional<PixelSize>& size, const ImageInfo& file);

} // namespace pollard::vm
