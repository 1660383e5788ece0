#include "vm/document/volume_sides.hpp"

#include "io/volumes/read_volume.hpp"

#include <cstring>

namespace pollard::vm {

std::shared_ptr<const Image> withSides(const std::shared_ptr<const Image>& volume, const std::optional<PixelSize>& size,
                                       const ImageInfo& file) {
    const VoxelSides sides = voxelSides(size, file.spacing);
    if (size == file.pixelSize || volume->sides() == sides) {
        return volume;
    }
    auto copy = std::make_shared<Image>(volume->type(), volume->extent());
    std::memcpy(copy->data(), volume->data(), copy->bytes());
    copy->setSides(sides);
    return copy;
}

} // namespace pollard::vm
