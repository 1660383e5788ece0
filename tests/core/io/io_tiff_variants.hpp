#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard::test {

/// A way to store pixels as TIFF.
struct TiffVariant {
    std::uint32_t width = 37;
    std::uint32_t height = 29;
    int bits = 8;
    int samples = 1;
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    std::uint16_t compression = COMPRESSION_NONE;
    std::uint16_t predictor = PREDICTOR_NONE;
    std::uint16_t sampleFormat = SAMPLEFORMAT_UINT;
    bool separate = false;
    std::uint32_t tile = 0; ///< side of square tiles, 0 for strips
    std::uint32_t rowsPerStrip = 8;
    bool bigEndian = false;
    bool bigTiff = false;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    std::vector<std::uint16_t> extraSamples = {};
    std::vector<std::uint16_t> palette = {}; ///< all reds, greens, blues
    std::optional<std::string> noData = {};  ///< text of GDAL_NODATA
    std::string metadata = {};               ///< items of GDAL_METADATA
    std::string description = {};            ///< ImageDescription
    std::uint32_t subfileType = 0;           ///< NewSubfileType
    std::uint16_t subsampling = 1;           ///< of the YCbCr chroma, in both directions
    std::uint16_t subIfds = 0;               ///< number of following pages in SubIFDs of this one
    std::vector<std::uint32_t> skipped = {}; ///< omitted strips or tiles

    [[nodiscard]] std::size_t sampleCount() const { return std::size_t{width} * height * samples; }
    [[nodiscard]] std::string describe() const;
};

/// Writes the variant with libtiff; each element of @p pages holds the interleaved samples of one page.
void writeVariant(const std::filesystem::path& path, const TiffVariant& variant,
                  const std::vector<std::vector<std::uint16_t>>& pages);

/// writeVariant() for samples of 8, 16, 24, 32 or 64 bits, given as bytes in host order.
void writeBytesVariant(const std::filesystem::path& path, const TiffVariant& variant, const std::string& samples);

/// Adds one page to an open file.
void writePage(TIFF* tiff, const TiffVariant& variant, const std::string& samples);

/// The only strip of the first page, as stored.
std::string rawStrip(const std::filesystem::path& path);

/// A handmade little-endian classic TIFF, with the directory before its one strip.
struct HandmadeTiff {
    std::uint32_t width = 16;
    std::uint32_t height = 16;
    std::uint32_t bits = 8;
    std::uint32_t samples = 1;
    std::uint32_t compression = COMPRESSION_NONE;
    std::uint32_t photometric = PHOTOMETRIC_MINISBLACK;
    std::uint32_t sampleFormat = SAMPLEFORMAT_UINT;
    std::uint32_t nextDirectory = 0;
    std::string strip = {};
    std::uint32_t stripBytes = 0; ///< stated size; 0 for the size of @p strip

    [[nodiscard]] std::string bytes() const;
};

} // namespace pollard::test
