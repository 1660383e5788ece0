#pragma once

#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <memory>

namespace pollard {

/// The pixels that are in both masks; null stands for all pixels, as an argument and as the result. Where only one
/// is given, it is the result, without a copy.
/// @throws Error(invalidArgument) if the masks differ in size
[[nodiscard]] std::shared_ptr<const Mask> intersection(const std::shared_ptr<const Mask>& a,
                                                       const std::shared_ptr<const Mask>& b);

/// An image whose tree is that of the pixels inside a mask: the pixels outside get the level of the root of the
/// inside, i.e. its smallest level for a max-tree and its largest for a min-tree.
///
/// So every component other than the root lies inside, none reaches another one through the outside, and the root's
/// level is that of the inside. The root alone holds the outside, too: its area is that of the image. Where the
/// inside has several parts that do not touch, the root joins them.
///
/// @param inside null for all pixels: the image itself is the result then. A mask without a pixel gives a constant
///        image.
/// @throws Error(invalidArgument) if the mask has another size, Error(outOfMemory); Cancelled
[[nodiscard]] std::shared_ptr<const Image> analysisImage(const std::shared_ptr<const Image>& image, const Mask* inside,
                                                         TreeKind kind, const JobControl& control = {});

/// Writes the pixels outside the mask into what a filter made of an analysisImage(): as in the original for a filtered
/// picture, 0 for a residue or a mask.
/// @param result of the type and size of @p original
/// @throws Error(invalidArgument) if the sizes or types differ; Cancelled
void restoreOutside(const Image& original, const Mask& inside, Output output, Image& result,
                    const JobControl& control = {});

} // namespace pollard
