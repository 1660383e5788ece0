#pragma once

#include "formats/tiff/tiff_directories.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/stack_places.hpp"

#include <cstdint>
#include <string>
#include <tiffio.h>

namespace pollard {

/// What a file states about all of its pages, and where the pages are.
struct TiffStack {
    /// Pages, axes, channels, pixelSize, spacing, facts and notes from texts and tags of the first directory.
    ImageInfo about;
    StackPlaces places;
    /// Bytes from one plane to the next if all planes belong to the only directory; 0: each page has a directory.
    std::uint64_t planeBytes = 0;
    bool isDescribed = false; ///< the description is read by programs, not a text for people
    bool isImageJ = false;
    bool isZeiss = false;      ///< LSM
    bool isScientific = false; ///< written by a measuring program: colour tables are for display only

    /// Where a page of about.pages lies, with the directory that has its tags.
    [[nodiscard]] PagePlace placeOf(int page) const;
};

/// @param first open at the first directory
[[nodiscard]] TiffStack readTiffStack(const SourceFile& source, const TiffOutline& outline, TIFF* first);

/// Text of a tag of the current directory; empty if it is missing.
[[nodiscard]] std::string tiffText(TIFF* tiff, std::uint32_t tag);

/// Resolution tags of the current directory.
struct TiffResolution {
    double x = 0; ///< px per unit, 0 if absent
    double y = 0;
    std::uint16_t unit = RESUNIT_INCH;
};
[[nodiscard]] TiffResolution readTiffResolution(TIFF* tiff);

} // namespace pollard
