#pragma once

#include "vm/image/level_histogram.hpp"

#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"
#include "image/volume_plane.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <QPointF>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::vm {

[[nodiscard]] bool hasPlane(const Extent& volume, const VolumePlane& plane) noexcept;

/// An image, or a plane of a volume, as the compute thread prepared it for display; all threads share its data, which
/// is immutable. All null while no document is open.
struct ShownImage {
    std::shared_ptr<const Image> image;        ///< the image, or the plane of the volume
    std::shared_ptr<const Image> volume;       ///< as read; null for an image
    VolumeAxis across = VolumeAxis::z;         ///< axis of the plane
    std::uint32_t slice = 0;                   ///< position of the plane on that axis; 0 in an image
    PlaneTurn turn{};                          ///< of the image of the plane
    std::shared_ptr<const Image> input;        ///< `image` after the earlier filters; null without them
    std::shared_ptr<const Image> volumeInput;  ///< `volume` after the earlier filters; null without them
    std::optional<ValueMapping> mapping;       ///< of the levels of analysed() to values
    bool hasLengths = false;                   ///< the values after the earlier filters are lengths
    std::shared_ptr<const Mask> valid;         ///< pixels of `image` with data; null for all; others are transparent
    std::shared_ptr<const Mask> volumeValid;   ///< voxels with data, in the rows of all slices; null for all
    std::shared_ptr<const ImageInfo> fileInfo; ///< as in the file, of the page of the image or seen slice
    std::shared_ptr<const Pyramid> pyramid;    ///< `image` at decreasing resolutions; null if it is not displayed
    std::shared_ptr<const LevelHistogram> histogram; ///< of the image or volume; null if it is not displayed

    [[nodiscard]] VolumePlane plane() const noexcept { return {across, slice, turn}; }
    /// The index, in an image or volume of this extent, of the px at a point of `image`; nothing outside.
    [[nodiscard]] std::optional<std::uint32_t> voxelAt(const QPointF& point, const Extent& extent) const;
    /// The node at a point; nothing for a px outside the tree.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& point, const ComponentTree& tree) const;
    /// The image or volume as read.
    [[nodiscard]] const std::shared_ptr<const Image>& whole() const noexcept { return volume ? volume : image; }
    /// Pixels or voxels with data; null for all.
    [[nodiscard]] const std::shared_ptr<const Mask>& wholeValid() const noexcept {
        return volume ? volumeValid : valid;
    }
    /// Source of the tree: the image or volume after the earlier filters.
    [[nodiscard]] const std::shared_ptr<const Image>& analysed() const noexcept {
        const auto& filtered = volume ? volumeInput : input;
        return filtered ? filtered : whole();
    }
};

/// Reuses images, so that a drag does not allocate an image per event. An image returns when its last reference is
/// released, and only then is reused: a referenced image is never written. Safe to use from several threads; images
/// may outlive the pool.
class FramePool {
public:
    FramePool();

    /// An image of this type and size with undefined pixels.
    /// @throws Error as Image's constructor does
    [[nodiscard]] std::shared_ptr<Image> acquire(PixelType type, std::uint32_t width, std::uint32_t height);

    /// Images allocated since construction.
    [[nodiscard]] std::uint64_t allocations() const;

    /// Returned images kept for the next acquire(); further ones are freed.
    static constexpr std::size_t kSpareFrames = 2;

private:
    struct FreeFrames;
    std::shared_ptr<FreeFrames> free_;
};

} // namespace pollard::vm
