#pragma once

#include "formats/tiff/tiff_handle.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard {

/// How the pixels of strips and tiles are compressed. A predictor codes differences between neighbours in a row.
/// Working files contain the numbers.
enum class TiffCompression : std::uint8_t {
    none,
    deflatePredictor, ///< ImageJ undoes a predictor of LZW only, and shows noise
    zstd,             ///< with predictor
    deflate,          ///< all programs can read it
};

/// Whether this build of libtiff has the codec.
[[nodiscard]] bool isAvailable(TiffCompression compression) noexcept;

/// Sets compression, level and predictor of the directory being written.
/// @param effort 1 to 9 for Deflate and 1 to 22 for Zstandard @param areFloats samples are floating-point numbers
/// @returns false if libtiff rejects one
bool setCompression(TIFF* tiff, TiffCompression compression, int effort, bool areFloats = false);

/// How the samples of a page are stored.
struct SampleLayout {
    /// Meaning of the first samples; the value is their number. All others are extra samples.
    enum class Colours { grey = 1, rgb = 3, cmyk = 4 };

    int samples = 1; ///< per pixel
    Colours colours = Colours::grey;
    bool planar = false;        ///< one plane after another; else the samples of a pixel are neighbours
    int alpha = -1;             ///< sample that is transparency; -1 if there is none
    bool premultiplied = false; ///< the colours are multiplied by alpha

    bool operator==(const SampleLayout&) const = default;
};

/// The layout of a page with the samples @p channels and perhaps transparency. A TIFF keeps its stored layout, with RGB
/// for palettes and YCbCr; other formats get interleaved samples.
/// @param options of the page; the channel is ignored
/// @param info from readImageInfo() with @p options
/// @param channels the channels of channelsOf() that lie in the page
/// @throws Error as readImageInfo()
[[nodiscard]] SampleLayout sampleLayoutOf(const std::filesystem::path& path, const ReadOptions& options,
                                          const ImageInfo& info, std::span<const Channel> channels);

/// Tags of the current directory that results keep: resolution and GeoTIFF, with GDAL's metadata and no-data value.
[[nodiscard]] std::vector<CopiedTag> readCopiedTags(TIFF* tiff);

/// Sets tags in the directory being written, except tags whose count or type contradicts their data. @returns false if
/// libtiff rejects one
bool writeCopiedTags(TIFF* tiff, const std::vector<CopiedTag>& tags);

/// Value of SampleFormat.
[[nodiscard]] int sampleFormatOf(ValueType type) noexcept;

/// Sets size, type and layout of the samples in the directory being written.
void setSampleTags(TIFF* tiff, std::uint32_t width, std::uint32_t height, ValueType type,
                   const SampleLayout& stored = {});

/// Operation in error messages.
inline constexpr const char* kWriteTiff = "cannot write TIFF";
/// Bytes of pixels above which a file is a BigTIFF. Classic TIFF is limited to 4 GiB; Deflate can enlarge noise
/// slightly, and the tables need space.
inline constexpr std::uint64_t kClassicTiffBytes = 0xf000'0000ULL;

/// A TIFF being written, which appears under its name when complete, see AtomicFile.
class PendingTiff {
public:
    /// @throws Error(writeFailed)
    PendingTiff(const std::filesystem::path& path, bool bigTiff);

    [[nodiscard]] TIFF* get() const noexcept { return handle_.get(); }

    /// Reserves space at the end of the file for a tile of the current directory; another writer of temporary() fills
    /// it.
    /// @return offset of the tile in the file
    /// @throws Error(writeFailed)
    std::uint64_t reserveTile(std::uint32_t tile, std::uint32_t bytes);

    /// The file under construction.
    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return file_.temporary(); }

    /// Checks a call of libtiff, whose success is @p ok: fails with the system's reason in errno or with libtiff's
    /// message.
    /// @throws Error(writeFailed)
    void require(bool ok) const;

    /// Throws Error(writeFailed) with the reason of @p systemError, or libtiff's message if it is 0.
    [[noreturn]] void fail(int systemError) const;

    /// Writes all tables and gives the file its name.
    /// @throws Error(writeFailed)
    void commit();

private:
    AtomicFile file_;
    TiffHandle handle_;
};

/// Whether a name requests OME-XML: ".ome.tif", ".ome.tiff".
[[nodiscard]] bool isOmeName(const std::filesystem::path& path);

} // namespace pollard
