#pragma once

#include "io/image_reader.hpp"
#include "io/tiff_handle.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pollard {

/// What the tags of one directory say about its pixels, as far as decoding needs it.
struct TiffFacts {
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
    int bits = 0;             ///< per sample
    int samples = 0;          ///< per pixel
    std::uint16_t photometric = 0;
    std::uint16_t compression = 0;
    bool separate = false; ///< one plane per sample
    bool alpha = false;    ///< one of the further samples is transparency
    bool tiled = false;
    std::uint32_t blockWidth = 0;  ///< px of a tile, or the width
    std::uint32_t blockHeight = 0; ///< rows of a tile or strip

    [[nodiscard]] int samplesPerBlock() const noexcept { return separate ? 1 : samples; }
    /// Packed bytes of one row of a block.
    [[nodiscard]] std::uint64_t blockRowBytes() const noexcept {
        return (std::uint64_t{blockWidth} * static_cast<unsigned>(bits * samplesPerBlock()) + 7) / 8;
    }
    [[nodiscard]] std::uint32_t blocksAcross() const noexcept { return (width - 1) / blockWidth + 1; }
    [[nodiscard]] std::uint32_t blocksDown() const noexcept { return (height - 1) / blockHeight + 1; }
    /// Decoded bytes of all blocks and planes; tiles count in full.
    [[nodiscard]] std::uint64_t decodedBytes() const noexcept;
};

/// The directory of @p page, checked: everything in the result is handled by the decoder.
/// @throws Error(formatUnsupported) for what is not 1 to 16-bit unsigned grey, RGB or palette,
///         Error(fileDamaged), Error(limitExceeded), Error(invalidArgument) for a page that is not there
struct TiffPage {
    TiffHandle handle;
    TiffFacts facts;
    ImageInfo info;
};
[[nodiscard]] TiffPage openTiffPage(const SourceFile& source, int page);

/// Where the pixels of the directory lie in the file.
struct TiffStorage {
    std::uint64_t bytes = 0;      ///< that hold pixels
    std::uint32_t lastInFile = 0; ///< number of the strip or tile that ends last
};
/// @throws Error(fileDamaged) if strips or tiles are missing or lie outside the file
[[nodiscard]] TiffStorage locatePixels(const SourceFile& source, const TiffPage& page);

/// Colours of a palette, of 8 bits if all of them fit (plain, times 257 or shifted), else of 16.
struct TiffPalette {
    PixelType type = PixelType::u8;
    std::vector<std::array<std::uint16_t, 3>> colours;
};
/// @throws Error(fileDamaged) if there is none
[[nodiscard]] TiffPalette readTiffPalette(const SourceFile& source, const TiffPage& page);

} // namespace pollard
