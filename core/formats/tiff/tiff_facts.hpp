#pragma once

#include "formats/tiff/tiff_directories.hpp"
#include "formats/tiff/tiff_handle.hpp"
#include "io/image_reader.hpp"
#include "io/samples/row_sink.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Tags of one directory that decoding needs.
struct TiffFacts {
    std::uint64_t directory = 0;                   ///< offset in the file
    std::uint32_t width = 0;                       ///< px, as stored
    std::uint32_t height = 0;                      ///< px, as stored
    int bits = 0;                                  ///< per sample, as stored
    int decodedBits = 0;                           ///< per decoded sample: 32 for LogLuv, 8 through RGBA
    int samples = 0;                               ///< per pixel
    int decodedSamples = 0;                        ///< per decoded pixel: 4 through RGBA
    SampleKind kind = SampleKind::unsignedInteger; ///< of decoded samples
    std::uint16_t photometric = 0;
    std::uint16_t compression = 0;
    int orientation = 1;
    bool separate = false; ///< one plane per sample
    bool viaRgba = false;  ///< decoded by libtiff's RGBA interface: YCbCr that no codec converts to RGB
    bool alpha = false;    ///< an extra sample is transparency
    int alphaSample = -1;  ///< index of the sample with transparency
    bool tiled = false;
    std::uint32_t blockWidth = 0;   ///< px of a tile, or the width
    std::uint32_t blockHeight = 0;  ///< rows of a tile or strip
    std::uint64_t shift = 0;        ///< bytes from the pixels of the directory to the pixels of the page
    std::string numbersNote = {};   ///< why samples are numbers although the tags say colours; else empty
    std::uint64_t placedBlocks = 0; ///< number of strips or tiles with an entry in the file; libtiff adds empty ones

    [[nodiscard]] int samplesPerBlock() const noexcept { return separate ? 1 : decodedSamples; }
    /// Packed bytes of one row of a block.
    [[nodiscard]] std::uint64_t blockRowBytes() const noexcept {
        return (std::uint64_t{blockWidth} * static_cast<unsigned>(decodedBits * samplesPerBlock()) + 7) / 8;
    }
    [[nodiscard]] std::uint32_t blocksAcross() const noexcept { return (width - 1) / blockWidth + 1; }
    [[nodiscard]] std::uint32_t blocksDown() const noexcept { return (height - 1) / blockHeight + 1; }
    /// Whether samples are grey levels or colours, not values that need a mapping.
    [[nodiscard]] bool hasLevels() const noexcept { return kind == SampleKind::unsignedInteger && decodedBits <= 16; }
};

/// Rectangle of strips or tiles.
struct TiffBlocks {
    std::uint32_t left = 0; ///< columns [left, right)
    std::uint32_t top = 0;  ///< rows [top, bottom)
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;

    /// Blocks with pixels in the stored @p region.
    static TiffBlocks of(const TiffFacts& facts, const PixelRegion& region) noexcept;
    /// Decoded bytes of the blocks in all planes; the last strip counts with its actual rows, tiles count in full.
    [[nodiscard]] std::uint64_t decodedBytes(const TiffFacts& facts) const noexcept;
};

/// Keeps open handles on one directory for later reads, because opening one reads the places of all strips or tiles.
/// Thread-safe.
class TiffHandles {
public:
    /// Returns a kept handle, or opens a new one. @throws Error
    [[nodiscard]] TiffHandle take(const SourceFile& source, const TiffFacts& facts);
    void giveBack(TiffHandle handle) noexcept;

private:
    std::mutex mutex_;
    std::vector<TiffHandle> free_;
};

/// One open directory; the decoder supports its facts.
struct TiffPage {
    TiffHandle handle;
    TiffFacts facts;
    ImageInfo info;                                ///< of the upright image
    std::vector<TiffDirectory> masks;              ///< transparency masks of the page
    std::optional<SourceFile> file = std::nullopt; ///< with the page, if it is not in the opened file
    // For several reads of one page:
    std::shared_ptr<TiffHandles> handles = nullptr; ///< null: every read opens its own
    std::shared_ptr<TiffPage> openMask = nullptr;   ///< of maskOf(); null: every read opens it
};
/// The file that holds the page. @param opened the file that was opened
[[nodiscard]] inline const SourceFile& fileOf(const TiffPage& page, const SourceFile& opened) noexcept {
    return page.file ? *page.file : opened;
}
/// The transparency mask that belongs to the pixels of the page; null if there is none.
[[nodiscard]] const TiffDirectory* maskOf(const TiffPage& page);
/// Opens the directory of options.page and options.level, in another file if the description of the stack names one.
/// @throws Error(formatUnsupported) for unsupported pixels, Error(fileDamaged), Error(limitExceeded),
/// Error(invalidArgument) for a missing page or level
[[nodiscard]] TiffPage openTiffPage(const SourceFile& source, const ReadOptions& options);
/// Opens a transparency mask. @throws Error
[[nodiscard]] TiffPage openTiffMask(const SourceFile& source, const TiffDirectory& mask);

/// Opens another handle on a directory with the same settings, for another thread. @throws Error
[[nodiscard]] TiffHandle reopenTiff(const SourceFile& source, const TiffFacts& facts);

/// Location of the pixels of some blocks in the file.
struct TiffStorage {
    std::uint64_t bytes = 0;      ///< number of bytes with pixels
    std::uint32_t lastInFile = 0; ///< index of the strip or tile that ends last
    std::uint64_t missing = 0;    ///< strips and tiles without data, which count as no-data value or 0
};
/// Locates blocks. @throws Error(fileDamaged) if strips or tiles are outside the file or none has data
[[nodiscard]] TiffStorage locatePixels(const SourceFile& source, const TiffPage& page, const TiffBlocks& blocks);

/// Compares the tags with the length of the file, without decoding: entries of all strips or tiles and bytes of
/// uncompressed blocks, block by block only if the total exceeds the file.
/// @throws Error(fileDamaged) if the pixels of the page cannot fit the file
void requirePixelsInFile(const SourceFile& source, const TiffPage& page);

/// Colours of a palette, in 8 bits if all fit (plain, times 257 or shifted), else in 16.
struct TiffPalette {
    PixelType type = PixelType::u8;
    std::vector<std::array<std::uint16_t, 3>> colours;
};
/// @throws Error(fileDamaged) if there is none
[[nodiscard]] TiffPalette readTiffPalette(const SourceFile& source, const TiffPage& page);

} // namespace pollard
