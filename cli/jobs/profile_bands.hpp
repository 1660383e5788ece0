#pragma once

#include "command.hpp"
#include "engine/profile.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// How bands are stored in a TIFF.
enum class BandLayout {
    pages,  ///< a page each, which ImageJ and libvips read
    pixels, ///< samples of one page, neighbours in memory, which GDAL and libvips read
    planes, ///< samples of one page, one plane after another, in the memory of one plane
};

/// Attribute profiles of several channels, trees and attributes, as bands of one image.
struct BandsRequest {
    ImageOptions image;
    std::vector<std::string> channels; ///< as for --channel; "all" alone: all channels of the file
    TreeOptions tree;                  ///< its kind is ignored
    std::vector<TreeKind> kinds;
    std::vector<ProfileSpec> series;
    std::vector<std::string> means; ///< channels to average over components, as `channels`
    std::string target;             ///< .tif, .tiff or .npy
    TiffCompression compression = TiffCompression::deflate;
    std::optional<BandLayout> layout = {}; ///< of a TIFF; unset: pixels for an image with a place on a map, else pages
};

/// The channels of --channel: "all", or texts with commas between them; commas in parentheses belong to expressions.
[[nodiscard]] std::vector<std::string> channelList(const std::string& text);

/// Writes a band for each channel and behind it one for each tree, attribute and threshold, in this order, after those
/// of an attribute the means of channels over the components that each threshold keeps, see ComponentMeans: an extended
/// multi-attribute profile (Dalla Mura, Benediktsson, Waske & Bruzzone, "Extended profiles with morphological attribute
/// filters for the analysis of hyperspectral data", 2010). A TIFF has them as BandLayout says, with their names, an
/// NPY file an array of shape (bands, height, width). Prints the bands.
/// @throws UsageError; Error as loadImage(), Session::filter() and the writers; Cancelled
void writeProfileBands(const BandsRequest& request, const Context& context);

} // namespace pollard::cli
