#pragma once

#include "io/image_reader.hpp"

#include <cstdint>

namespace pollard {

/// Sizes in the SIZ segment of a JPEG 2000 codestream (ISO 15444-1, A.5.1), and facts that OpenJPEG reports only with
/// the pixels.
struct Jp2Siz {
    std::uint64_t width = 0; ///< px of the reference grid covered by the image
    std::uint64_t height = 0;
    std::uint64_t tiles = 0;
    std::uint32_t components = 0; ///< in the codestream
    // From the boxes of a JP2 file:
    int paletteColumns = 0; ///< components that a palette makes of the stored one; 0 without a palette
    int paletteBits = 0;
    int opacity = -1;    ///< component of opacity, -1 if there is none
    double captureX = 0; ///< px per metre of the captured scene; 0 if unknown
    double captureY = 0;
};

/// Finds and reads the segment without the decoder, which allocates memory for every tile and component before it
/// reports them. @throws Error(fileDamaged) if it is missing or its sizes are invalid
[[nodiscard]] Jp2Siz readJp2Siz(const SourceFile& source);

/// Checks the tile-parts of the codestream, because OpenJPEG silently leaves missing tiles black. @throws
/// Error(fileDamaged) if a tile has no part or fewer than it states
void requireJp2Tiles(const SourceFile& source, const Jp2Siz& siz);

/// Whether the leading bytes are those of a codestream without a JP2 container.
[[nodiscard]] bool isJp2Codestream(std::span<const std::byte> head);

} // namespace pollard
