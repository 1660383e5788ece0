#pragma once

#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <memory>

namespace pollard {

/// Intersection of two masks; null means all pixels, in arguments and result. If one is null, the result is the other
/// one, without a copy.
/// @throws Error(invalidArgument) if the masks differ in size
[[nodiscard]] std::shared_ptr<const Mask> intersection(const std::shared_ptr<const Mask>& a,
                                                       const std::shared_ptr<const Mask>& b);

/// @throws Error(invalidArgument) if a mask does not have one row for every row of the image's slices
void requireFits(const Mask& mask, const Image& image);

/// Image for building the tree of the pixels inside a mask: pixels outside get the level of that tree's root, i.e. the
/// smallest level inside for a max-tree and the largest for a min-tree. The mask of a volume has the rows of all
/// slices.
///
/// So every component except the root lies inside, and the root has the level of the inside. Only the root contains the
/// outside, too: its area is the area of the image, and it joins disjoint parts of the inside.
///
/// @param inside null for all pixels, which returns @p image; an empty mask gives a constant image
/// @throws Error(invalidArgument) if the mask has another size, Error(outOfMemory); Cancelled
[[nodiscard]] std::shared_ptr<const Image> analysisImage(const std::shared_ptr<const Image>& image, const Mask* inside,
                                                         TreeKind kind, const JobControl& control = {});

/// Overwrites the pixels outside the mask in a filter's result on an analysisImage(): with the original's values for a
/// filtered image, with 0 for a residue or a mask.
/// @param result of the type and size of @p original
/// @throws Error(invalidArgument) if the sizes or types differ; Cancelled
void restoreOutside(const Image& original, const Mask& inside, Output output, Image& result,
                    const JobControl& control = {});

} // namespace pollard
