#pragma once

#include "base/job_control.hpp"
#include "labels/label_edit.hpp"
#include "labels/pixel_spans.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace pollard {

/// A label image that is edited. Every edit changes the labels and returns what it has changed; an edit without an
/// effect is empty.
struct EditedLabels {
    std::span<std::uint32_t> labels; ///< (slices, height, width), 0 = background
    Extent extent;
    std::uint32_t count = 0; ///< largest number that was used; a new object gets count + 1
};

/// Pixels that painting changes.
enum class PaintOver : std::uint8_t {
    background, ///< pixels of no object
    everything, ///< pixels of other objects, too
};

/// Gives pixels to an object, or with number 0 to the background. O(pixels of the spans).
/// @param label 0 .. count + 1
/// @throws Error(invalidArgument) for another number
LabelEdit paintLabel(const EditedLabels& image, const PixelSpans& pixels, std::uint32_t label,
                     PaintOver over = PaintOver::everything);

/// Gives the pixels of some objects another number: merges the objects, or deletes them with number 0.
/// O(pixels of the box).
/// @param chosen element i is not 0 if object i + 1 is chosen; objects without an element are not
/// @param to 0 .. count + 1 @param box of the chosen objects
/// @throws Error(invalidArgument) for another number; Cancelled
LabelEdit replaceLabels(const EditedLabels& image, std::span<const std::uint8_t> chosen, std::uint32_t to,
                        const LabelBox& box, const JobControl& control = {});

/// A region of pixels with one number, and what surrounds it.
struct LabelRegion {
    PixelSpans pixels;        ///< empty if the region touches the border of the slice
    std::uint32_t around = 0; ///< object with the most sides in common, the least number of several; 0: none
};

/// The connected pixels of a slice (4 neighbours) that have the number of a pixel, if all are inside the slice.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] LabelRegion regionAt(const EditedLabels& image, const Voxel& at, const JobControl& control = {});

/// Divides an object along a line into its components without the pixels of the line. The largest part keeps the
/// number, the first one of several; the others get new numbers in raster order. A pixel of the line joins the nearest
/// part, the first one of several. Empty if the line does not divide the object. O(pixels of the box).
/// @param line pixels; in a volume throughSlices() repeats the line in all slices
/// @param box of the object @param touching whether pixels that share a corner alone are connected
/// @throws Error(outOfMemory), Cancelled
LabelEdit cutLabel(const EditedLabels& image, std::uint32_t label, const PixelSpans& line, const LabelBox& box,
                   bool touching, const JobControl& control = {});

} // namespace pollard
