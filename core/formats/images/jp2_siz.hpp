#pragma once

#include "io/image_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// Enumerated colour spaces of a JP2 file (ISO 15444-1, I.5.3.3; ISO 15444-2, M.11.7.3.1).
enum class Jp2Colours : std::uint32_t { unstated = 0, cmyk = 12, sRgb = 16, grey = 17, sYcc = 18, eYcc = 24 };

/// Sizes in the SIZ segment of a JPEG 2000 codestream (ISO 15444-1, A.5.1), and facts that OpenJPEG reports only with
/// the pixels, or up to version 2.5.0 (colours).
struct Jp2Siz {
    std::uint64_t width = 0; ///< px of the reference grid covered by the image
    std::uint64_t height = 0;
    std::uint64_t tiles = 0;
    std::uint32_t components = 0; ///< in the codestream
    // From the boxes of a JP2 file:
    int paletteColumns = 0; ///< components of a colour of the palette; 0 without a palette
    int paletteBits = 0;
    Jp2Colours colours = Jp2Colours::unstated; ///< by the first colr box; a profile states none
    int opacity = -1;                          ///< component of opacity, -1 if there is none
    double captureX = 0;                       ///< px per metre of the captured scene; 0 if unknown
    double captureY = 0;
};

/// Finds and reads the segment without the decoder, which allocates memory for every tile and component before it
/// reports them. @throws Error(fileDamaged) if it is missing or its sizes are invalid
[[nodiscard]] Jp2Siz readJp2Siz(const SourceFile& source);

/// Checks the tile-parts of the codestream, because OpenJPEG silently leaves missing tiles black. @throws
/// Error(fileDamaged) if a tile has no part or fewer than it states
void requireJp2Tiles(const SourceFile& source, const Jp2Siz& siz);

/// Whether a file that starts with these bytes is a codestream without a JP2 container.
[[nodiscard]] bool isJp2Codestream(std::span<const std::byte> head);

} // namespace pollard
