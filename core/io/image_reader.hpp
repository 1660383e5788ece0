#pragma once

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// A checked regular, non-empty file, or a folder that is one picture (Zarr), which has size and bytes of its metadata.
struct SourceFile {
    std::filesystem::path path;
    std::uint64_t size = 0;      ///< bytes
    std::vector<std::byte> head; ///< leading bytes, at most kHeadBytes
    /// The content, if it is a part of the file that lies in memory.
    std::span<const std::byte> content = {};

    static constexpr std::size_t kHeadBytes = 64;
};

/// Files whose pictures are the slices of a volume, in their order.
struct SliceFiles {
    std::vector<std::filesystem::path> files;
    double distance = 0; ///< in mm; 0: that of the first file
    /// Facts on the volume in place of those of the first file with the same names.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;
    bool isSeries = false; ///< the files state that they are one volume, of which they are the pages
};

/// The blocks of a page that a file stores each on its own, such as tiles and strips, in px of the page: a block begins
/// at column k * width - left and row k * height - top, for whole k.
struct BlockGrid {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t left = 0; ///< < width
    std::uint32_t top = 0;  ///< < height

    bool operator==(const BlockGrid&) const = default;
};

/// A page whose regions are read one after another, while its file stays open where the format allows. Not for several
/// threads at once.
class RegionReader {
public:
    virtual ~RegionReader() = default;

    /// As ImageReader::info().
    [[nodiscard]] virtual const ImageInfo& info() const noexcept = 0;
    [[nodiscard]] virtual BlockGrid blocks() const noexcept = 0;
    /// False only if no pixel of the page can be without data.
    [[nodiscard]] virtual bool mayHaveGaps() const noexcept = 0;
    /// A region of the page. @throws as ImageReader::read()
    [[nodiscard]] virtual LoadedImage read(const PixelRegion& region, const JobControl& control) = 0;
};

/// A file format. To add one, implement this class in one file and add its accessor to the table in image_file.cpp.
/// Readers are stateless; every call opens the file again.
class ImageReader {
public:
    virtual ~ImageReader() = default;

    /// Name and extensions for an open dialog.
    [[nodiscard]] virtual FormatFilter filter() const = 0;
    /// Whether the leading bytes have the format's signature; extensions are ignored.
    [[nodiscard]] virtual bool recognises(std::span<const std::byte> head) const = 0;
    /// As recognises(), for formats that need more than the leading bytes.
    [[nodiscard]] virtual bool recognisesFile(const SourceFile& source) const { return recognises(source.head); }
    /// Whether the reader is asked only about files that no other one recognises.
    [[nodiscard]] virtual bool isLastResort() const noexcept { return false; }
    /// Whether read() returns only the requested region. Otherwise it ignores the region, and the page is cropped
    /// afterwards. read() always ignores `shrink`.
    [[nodiscard]] virtual bool readsRegions() const { return false; }
    /// Facts about the page of @p options, without decoding pixels. @throws Error
    [[nodiscard]] virtual ImageInfo info(const SourceFile& source, const ReadOptions& options) const = 0;
    /// Facts and pixels. @throws Error, Cancelled
    [[nodiscard]] virtual LoadedImage read(const SourceFile& source, const ReadOptions& options,
                                           const JobControl& control) const = 0;
    /// As read() with each of the choices instead of options.channel. Readers that can decode a page once for all of
    /// them do.
    [[nodiscard]] virtual std::vector<LoadedImage> readEach(const SourceFile& source, const ReadOptions& options,
                                                            std::span<const ChannelChoice> choices,
                                                            const JobControl& control) const;
    /// Opens a page for reading regions with the options; options.region, if set, is the part that they lie in. The
    /// source must outlive the result. Only for readers that read regions. @throws Error
    [[nodiscard]] virtual std::unique_ptr<RegionReader> openRegions(const SourceFile& source,
                                                                    const ReadOptions& options) const;
    /// False only if all pixels of a page have data by the facts about it.
    [[nodiscard]] virtual bool mayHaveGaps(const ImageInfo& info) const;
    /// Takes the slices of a volume in ascending order.
    using TakeSlice = std::function<void(LoadedImage slice)>;
    /// Reads @p count pages, that of the options and those after it, as read() does, but decodes the data before them
    /// once. Returns false, and takes none, for readers to which the pages one by one are not more work.
    virtual bool readSlices(const SourceFile& source, const ReadOptions& options, int count, const TakeSlice& take,
                            const JobControl& control) const;
    /// The slices among files, the first of which is of this format, by the facts in the files. Nothing for formats
    /// that state no places: the order is the caller's. @throws Error
    [[nodiscard]] virtual std::optional<SliceFiles> arranged(std::span<const std::filesystem::path> files) const;
    /// The slices of the series of a file among those in its folder; nothing if it is no slice of a series.
    /// @throws Error
    [[nodiscard]] virtual std::optional<SliceFiles> seriesOf(const SourceFile& source) const;
};

const ImageReader& tiffReader();
const ImageReader& pngReader();
const ImageReader& jpegReader();
const ImageReader& pnmReader();
const ImageReader& pfmReader();
const ImageReader& jp2Reader();
const ImageReader& webpReader();
const ImageReader& niftiReader();
const ImageReader& nrrdReader();
const ImageReader& metaImageReader();
const ImageReader& dicomReader();
const ImageReader& fitsReader();  ///< only in builds with cfitsio
const ImageReader& zarrReader();  ///< only in builds with Blosc, Zstandard and LZ4
const ImageReader& slideReader(); ///< only in builds with OpenSlide
const ImageReader& gdalReader();  ///< only in builds with GDAL
const ImageReader& rawReader();

/// As ImageReader::readSlices() for a file, with slices as those of readImage(). False for computed channels, too.
[[nodiscard]] bool readSlicesAtOnce(const std::filesystem::path& path, const ReadOptions& options, int count,
                                    const ImageReader::TakeSlice& take, const JobControl& control);

/// As ImageReader::arranged() by the reader of the first file.
[[nodiscard]] std::optional<SliceFiles> arrangedSlices(std::span<const std::filesystem::path> files,
                                                       const ReadOptions& options);

/// As ImageReader::seriesOf() by the reader of the file; nothing without options.series.
[[nodiscard]] std::optional<SliceFiles> seriesOf(const std::filesystem::path& path, const ReadOptions& options);

/// Adds the facts that files state about a volume to those about one of them, and makes it page @p page of a series.
/// @param count files of the whole series
void describeSlices(const SliceFiles& files, std::size_t count, int page, const ReadOptions& options, ImageInfo& info);

/// Opens a page for reading regions as readImage() does; options.shrink is ignored.
/// @throws as readImageInfo(); Error(formatUnsupported) for formats that can only be read as a whole
[[nodiscard]] std::unique_ptr<RegionReader> openRegions(const std::filesystem::path& path, const ReadOptions& options);

/// As readImage() for some samples of the page, with one decoding if the reader can.
[[nodiscard]] std::vector<LoadedImage> readSamples(const std::filesystem::path& path, const ReadOptions& options,
                                                   std::span<const int> samples, const JobControl& control);

} // namespace pollard
