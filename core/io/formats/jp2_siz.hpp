#pragma once

#include "io/image_reader.hpp"

#include <cstdint>

namespace pollard {

/// Sizes in the SIZ segment of a JPEG 2000 codestream (ISO 15444-1, A.5.1), and what OpenJPEG tells only with the
/// pixels.
struct Jp2Siz {
    std::uint64_t width = 0; ///< px of the reference grid that the image covers
    std::uint64_t height = 0;
    std::uint64_t tiles = 0;
    std::uint32_t components = 0; ///< of the codestream
    // What the boxes of a JP2 file add:
    int paletteColumns = 0; ///< components that a palette makes of the one that is stored; 0 without one
    int paletteBits = 0;
    int opacity = -1;    ///< component that is opacity, -1 if none is
    double captureX = 0; ///< px per metre of the scene, as it was captured; 0 if the file does not say
    double captureY = 0;
};

/// Finds and reads the segment without the decoder, which takes memory for every tile and component before it can be
/// asked about them. @throws Error(fileDamaged) if there is none or its sizes make no sense
[[nodiscard]] Jp2Siz readJp2Siz(const SourceFile& source);

/// Walks over the tile-parts of the codestream. OpenJPEG leaves tiles black that the file does not have, and says
/// nothing. @throws Error(fileDamaged) if a tile has no part or fewer than it says
void requireJp2Tiles(const SourceFile& source, const Jp2Siz& siz);

/// Whether the leading bytes are those of a bare codestream, and not of a JP2 file.
[[nodiscard]] bool isJp2Codestream(std::span<const std::byte> head);

} // namespace pollard
