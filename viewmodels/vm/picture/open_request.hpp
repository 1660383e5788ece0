#pragma once

#include "io/image_file.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

/// Which picture to read: the file, the page and how its samples become the grey levels of an image.
struct OpenRequest {
    QString path; ///< absolute
    int page = 0; ///< 0-based
    ChannelChoice channel;
    MappingChoice mapping;
    int level = 0;                     ///< of ImageInfo::levels, 0 = full resolution
    std::optional<PixelRegion> region; ///< in px of the level; the whole page if empty
    int shrink = 1;                    ///< shrink x shrink px become one
    std::optional<RawLayout> raw;      ///< of a file without a header
    /// Of a pixel of the page at full resolution, instead of the size that the file states.
    std::optional<PixelSize> pixelSize;

    /// Less than the page at its full resolution is read.
    [[nodiscard]] bool isReduced() const noexcept { return level != 0 || region || shrink > 1; }
    /// What is left out, for a person: "shrunk by 4, region 200 × 100 px at 10, 20"; empty if nothing is.
    [[nodiscard]] QString reductionText() const;
    [[nodiscard]] ReadOptions options(const ReadLimits& limits) const;
    /// The same pixels: all is equal but for the size of a pixel.
    [[nodiscard]] bool samePicture(const OpenRequest& other) const;
    /// The same picture but for the page.
    [[nodiscard]] bool sameStack(const OpenRequest& other) const;

    bool operator==(const OpenRequest&) const = default;
};

} // namespace pollard::vm
