#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace pollard {

/// What the parts of an object are recognised by.
enum class SplitBy : std::uint8_t {
    shape,      ///< parts are thicker than the neck between them
    brightness, ///< parts are brighter (dark objects: darker) than what is between them
};
inline constexpr std::array kAllSplits{SplitBy::shape, SplitBy::brightness};

/// Stable id for options and files: "shape", "brightness".
[[nodiscard]] std::string_view nameOf(SplitBy by) noexcept;

/// How to split objects that touch: a watershed of the distance to the background, or of the grey levels, from each
/// maximum that is high enough. Height is the distance to the background or, by brightness, the difference to the
/// lowest level of the object. A maximum of height m that a path of height s at most connects to a higher one is a part
/// of its own if s <= strength * m. By shape, m - s is .75 px at least too (in volumes, widths of a voxel), because the
/// distances of a digital shape are no smoother. The highest maximum of an object is always a part. (Vincent, Soille,
/// "Watersheds in digital spaces", 1991; Soille, "Morphological image analysis", 2004, section 9.2.)
struct ObjectSplit {
    SplitBy by = SplitBy::shape;
    double strength = .8; ///< 0 to 1: 0 splits nothing, 1 splits at every neck

    bool operator==(const ObjectSplit&) const = default;
};

/// Touching objects.
struct TouchingObjects {
    const Mask& mask;
    Extent extent;
    VoxelSides sides = {};       ///< of a voxel, in units of its width
    const Image* grey = nullptr; ///< needed by brightness
    bool dark = false;           ///< the objects are darker than their surroundings
    Connectivity connectivity = Connectivity::eight;
};

/// Levels per px of distanceLevels().
inline constexpr double kDistanceSteps = 16;
/// The distances of a mask's pixels to the background as 16-bit levels, at most 65535: 4095 px, in volumes in widths of
/// a voxel. @throws Error as distances(); Cancelled
[[nodiscard]] Image distanceLevels(const Mask& mask, const Extent& extent, const VoxelSides& sides,
                                   const JobControl& control = {});

/// The parts of the objects: every pixel of the mask has a label. Parts are numbered in raster order of their maxima.
/// Ties are decided as in
/// watershed().
/// @param lines label 0 for pixels with a neighbour in a part with a smaller label
/// @throws Error(invalidArgument) for another strength, a missing grey image or sizes that differ; Error as
/// distances(), regionalMaxima() and watershed(); Cancelled
[[nodiscard]] Buffer<std::uint32_t> partsOf(const TouchingObjects& objects, const ObjectSplit& split, bool lines,
                                            const JobControl& control = {});

/// The mask without the lines between the parts, so that the parts are its connected components.
/// @throws as partsOf()
[[nodiscard]] Mask splitMask(const TouchingObjects& objects, const ObjectSplit& split, const JobControl& control = {});

} // namespace pollard
