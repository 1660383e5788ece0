#pragma once

#include "io/image_reader.hpp"
#include "io/samples/value_rows.hpp"
#include "io/tiff/tiff_directories.hpp"
#include "io/tiff/tiff_handle.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pollard {

/// What the tags of one directory say about its pixels, as far as decoding needs it.
struct TiffFacts {
    std::uint64_t directory = 0;                   ///< offset in the file
    std::uint32_t width = 0;                       ///< px, as stored
    std::uint32_t height = 0;                      ///< px, as stored
    int bits = 0;                                  ///< per sample, as stored
    int decodedBits = 0;                           ///< per sample as libtiff gives it: 32 for LogLuv, 8 through RGBA
    int samples = 0;                               ///< per pixel
    int decodedSamples = 0;                        ///< the same, 4 through RGBA
    SampleKind kind = SampleKind::unsignedInteger; ///< of decoded samples
    std::uint16_t photometric = 0;
    std::uint16_t compression = 0;
    int orientation = 1;
    bool separate = false; ///< one plane per sample
    bool viaRgba = false;  ///< decoded by libtiff's RGBA interface: YCbCr that no codec turns into RGB
    bool alpha = false;    ///< one of the further samples is transparency
    int alphaSample = -1;  ///< which one
    bool tiled = false;
    std::uint32_t blockWidth = 0;   ///< px of a tile, or the width
    std::uint32_t blockHeight = 0;  ///< rows of a tile or strip
    std::uint64_t placedBlocks = 0; ///< strips or tiles that the file gives a place to; libtiff adds empty ones

    [[nodiscard]] int samplesPerBlock() const noexcept { return separate ? 1 : decodedSamples; }
    /// Packed bytes of one row of a block.
    [[nodiscard]] std::uint64_t blockRowBytes() const noexcept {
        return (std::uint64_t{blockWidth} * static_cast<unsigned>(decodedBits * samplesPerBlock()) + 7) / 8;
    }
    [[nodiscard]] std::uint32_t blocksAcross() const noexcept { return (width - 1) / blockWidth + 1; }
    [[nodiscard]] std::uint32_t blocksDown() const noexcept { return (height - 1) / blockHeight + 1; }
    /// Whether the samples are grey levels or colours of them, and not values that need a mapping.
    [[nodiscard]] bool hasLevels() const noexcept { return kind == SampleKind::unsignedInteger && decodedBits <= 16; }
};

/// Rectangle of strips or tiles.
struct TiffBlocks {
    std::uint32_t left = 0; ///< columns [left, right)
    std::uint32_t top = 0;  ///< rows [top, bottom)
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;

    /// Those that hold a pixel of the stored @p region.
    static TiffBlocks of(const TiffFacts& facts, const PixelRegion& region) noexcept;
    /// Decoded bytes of the blocks in all planes; the last strip counts for the rows it has, tiles count in full.
    [[nodiscard]] std::uint64_t decodedBytes(const TiffFacts& facts) const noexcept;
};

/// One directory, open and checked: everything in the facts is handled by the decoder.
struct TiffPage {
    TiffHandle handle;
    TiffFacts facts;
    ImageInfo info;                   ///< of the upright picture
    std::vector<TiffDirectory> masks; ///< transparency masks of the page
};
/// The directory of options.page and options.level.
/// @throws Error(formatUnsupported) for pixels that have no meaning here, Error(fileDamaged), Error(limitExceeded),
///         Error(invalidArgument) for a page or level that is not there
[[nodiscard]] TiffPage openTiffPage(const SourceFile& source, const ReadOptions& options);
/// A directory that is no page. @throws Error
[[nodiscard]] TiffPage openTiffMask(const SourceFile& source, const TiffDirectory& mask);

/// A further handle on the same directory, set up in the same way; for another thread. @throws Error
[[nodiscard]] TiffHandle reopenTiff(const SourceFile& source, const TiffFacts& facts);

/// Where the pixels of some blocks lie in the file.
struct TiffStorage {
    std::uint64_t bytes = 0;      ///< that hold pixels
    std::uint32_t lastInFile = 0; ///< number of the strip or tile that ends last
    std::uint64_t missing = 0;    ///< strips and tiles without data, which count as no-data value or 0
};
/// @throws Error(fileDamaged) if strips or tiles lie outside the file or hold nothing at all
[[nodiscard]] TiffStorage locatePixels(const SourceFile& source, const TiffPage& page, const TiffBlocks& blocks);

/// Compares what the tags claim with the length of the file, without decoding: places of all strips or tiles, and of
/// uncompressed ones their bytes, which are only looked at one by one where all of them are more than the file.
/// @throws Error(fileDamaged) if the pixels of the page cannot be in the file
void requirePixelsInFile(const SourceFile& source, const TiffPage& page);

/// Colours of a palette, of 8 bits if all of them fit (plain, times 257 or shifted), else of 16.
struct TiffPalette {
    PixelType type = PixelType::u8;
    std::vector<std::array<std::uint16_t, 3>> colours;
};
/// @throws Error(fileDamaged) if there is none
[[nodiscard]] TiffPalette readTiffPalette(const SourceFile& source, const TiffPage& page);

} // namespace pollard
