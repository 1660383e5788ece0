#pragma once

#include "io/image_file.hpp"
#include "io/page_selection.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

/// How the pages along z of a file are opened.
enum class Slices : std::uint8_t {
    automatic, ///< as a volume if the file states that they are slices and memory suffices, else as pages
    pages,     ///< each page is an image
    volume,    ///< all pages as one volume
};

/// The image to read: file, page and conversion of samples to the grey levels of an image.
struct OpenRequest {
    QString path; ///< absolute
    int page = 0; ///< 0-based; of a volume the page of its first slice, or of the slice to show
    ChannelChoice channel;
    MappingChoice mapping;
    int level = 0;                        ///< of ImageInfo::levels, 0 = full resolution
    std::optional<PixelRegion> region;    ///< in px of the level; the whole page if empty
    std::optional<SliceRange> sliceRange; ///< of a volume; all slices if empty
    int shrink = 1;                       ///< blocks of shrink x shrink px, of a volume shrink slices too, are averaged
    std::optional<RawLayout> raw;         ///< for a file without a header
    /// Size of a pixel at full resolution; overrides the size stated by the file.
    std::optional<PixelSize> pixelSize;
    Slices slices = Slices::automatic;
    /// Makes one image of the slices that contain the page, or of `sliceRange`; only of Slices::pages.
    std::optional<Projection> projection = {};
    std::string axes = {}; ///< of the pages of a file that states none, see ReadOptions
    /// A page that does not fit the memory comfortably is opened in a reduced version, see MemoryPlan::overview(). Of
    /// an opened image false.
    bool mayReduce = false;

    /// Less than the page at full resolution is read.
    [[nodiscard]] bool isReduced() const noexcept { return level != 0 || region || sliceRange || shrink > 1; }
    /// The reduction for the user: "shrunk by 4, region 200 × 100 px at 10, 20"; empty if there is none.
    [[nodiscard]] QString reductionText() const;
    [[nodiscard]] ReadOptions options(const ReadLimits& limits) const;
    /// Reads this part of the file. @param info of any page
    void take(const SelectedPart& part, const ImageInfo& info);
    /// The same pixels: all fields except the pixel size and mayReduce are equal.
    [[nodiscard]] bool sameImage(const OpenRequest& other) const;
    /// The same image except for the page.
    [[nodiscard]] bool sameStack(const OpenRequest& other) const;
    /// The same image except for the page and the channel.
    [[nodiscard]] bool sameExtent(const OpenRequest& other) const;

    bool operator==(const OpenRequest&) const = default;
};

/// "maximum", for the user.
[[nodiscard]] QString projectionName(Projection projection);

/// The axes with several positions, fastest first; the pages as 'p' if the file does not state clear axes.
[[nodiscard]] std::vector<StackAxis> axesOf(const ImageInfo& info);

/// Whether red, green and blue are light that passes stains.
[[nodiscard]] bool hasStains(const ImageInfo& info);

/// Index of an image's channel in channelsOf(); empty if its values are computed.
[[nodiscard]] std::optional<std::size_t> storedChannel(const OpenRequest& request, const ImageInfo& info);

/// The image with all of its channels: the request without a channel, at the page of the first one.
[[nodiscard]] OpenRequest allChannels(const OpenRequest& request, const ImageInfo& info);

/// The channel of an image: its index in channelsOf(), "luminance" of colours, or the expression of a derived one.
/// Empty for an image of one channel.
[[nodiscard]] std::string channelKey(const OpenRequest& request, const ImageInfo& info);

/// The name of an image for the user: the name of its file; in a hierarchy of Zarr with the place there, "screen.zarr
/// · A/1 · field 0" for a field of a plate, "cells.zarr · 2" for others.
[[nodiscard]] QString imageName(const QString& path);

} // namespace pollard::vm
