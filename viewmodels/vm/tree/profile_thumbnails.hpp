#pragma once

#include "analysis/spectrum.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard::vm {

/// A small picture of what a threshold leaves, or of what the step to it takes away.
struct ProfileThumbnail {
    double threshold = 0;
    std::uint64_t keptNodes = 0;
    std::shared_ptr<const Image> picture; ///< grey levels as in the picture; differences of a differential profile
};

/// What thumbnails are made of; all of it stays as it is meanwhile.
struct ProfileSource {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const Image> image;            ///< as it is shown
    std::shared_ptr<const Mask> inside;            ///< pixels of the tree; null for all
    std::shared_ptr<const AttributeColumn> column; ///< that the thresholds are of
};

/// Thresholds that remove about these shares (0..1, ascending) of a spectrum's grey mass: edges of its bins, up to
/// whole numbers or on four digits, strictly ascending, so there may be fewer of them than shares.
[[nodiscard]] std::vector<double> thresholdsAtShares(const PatternSpectrum& spectrum, std::span<const double> shares);

/// Small pictures of the filters attribute >= threshold, of at most @p longestSide px. A pixel of them is the mean of a
/// few pixels in its place, so that the cost is that of the nodes and not of the picture.
/// @param thresholds strictly ascending
/// @param differential each picture is the difference to the one before it, the first to the original
/// @throws Error(invalidArgument) if the column is not of the tree, Cancelled
[[nodiscard]] std::vector<ProfileThumbnail> makeProfileThumbnails(const ProfileSource& source,
                                                                  std::span<const double> thresholds, Rule rule,
                                                                  bool differential, std::uint32_t longestSide,
                                                                  const JobControl& control = {});

/// The original in the same size.
[[nodiscard]] std::shared_ptr<const Image> makeThumbnail(const Image& image, std::uint32_t longestSide);

} // namespace pollard::vm
