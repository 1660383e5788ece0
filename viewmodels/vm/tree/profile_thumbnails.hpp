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

/// A small image of the components above a threshold, or of those removed by the step to it.
struct ProfileThumbnail {
    double threshold = 0;
    std::uint64_t keptNodes = 0;
    std::shared_ptr<const Image> picture; ///< grey levels of the image; differences for a differential profile
};

/// Input of thumbnails; constant while they are made.
struct ProfileSource {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const Image> image;            ///< as displayed
    std::shared_ptr<const Mask> inside;            ///< pixels of the tree; null for all
    std::shared_ptr<const AttributeColumn> column; ///< attribute of the thresholds
    std::size_t firstPixel = 0; ///< of the tree, for the first pixel of the image: of the seen slice of a volume
};

/// Thresholds that remove approximately these shares (0..1, ascending) of a spectrum's grey mass: edges of its bins,
/// rounded up to integers or to four digits. Strictly ascending, so there may be fewer thresholds than shares.
[[nodiscard]] std::vector<double> thresholdsAtShares(const PatternSpectrum& spectrum, std::span<const double> shares);

/// Small images of the filters attribute >= threshold, of at most @p longestSide px. Each pixel is the mean of a few
/// source pixels, so that the cost depends on the nodes and not on the size of the image.
/// @param thresholds strictly ascending
/// @param differential each image is the difference from the one before it, the first from the original
/// @throws Error(invalidArgument) if the column is not of the tree, Cancelled
[[nodiscard]] std::vector<ProfileThumbnail> makeProfileThumbnails(const ProfileSource& source,
                                                                  std::span<const double> thresholds, Rule rule,
                                                                  bool differential, std::uint32_t longestSide,
                                                                  const JobControl& control = {});

/// The original at the same size.
[[nodiscard]] std::shared_ptr<const Image> makeThumbnail(const Image& image, std::uint32_t longestSide);

} // namespace pollard::vm
