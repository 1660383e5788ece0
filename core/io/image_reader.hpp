#pragma once

#include "io/image_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

/// A regular, non-empty file that was checked, or a folder that is an image (Zarr). A folder has the size and the bytes
/// of its metadata.
struct SourceFile {
    std::filesystem::path path;
    std::uint64_t size = 0;      ///< bytes
    std::vector<std::byte> head; ///< leading bytes, at most kHeadBytes
    /// The content, if it is a part of the file in memory.
    std::span<const std::byte> content = {};

    static constexpr std::size_t kHeadBytes = 64;

    [[nodiscard]] bool startsWith(std::string_view bytes, std::size_t at = 0) const noexcept {
        return head.size() >= at + bytes.size() && std::memcmp(head.data() + at, bytes.data(), bytes.size()) == 0;
    }
};

/// Files whose images are the slices of a volume, in their order.
struct SliceFiles {
    std::vector<std::filesystem::path> files;
    double distance = 0; ///< in mm; 0: the distance in the first file
    /// Facts on the volume; replace facts of the first file with the same names.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;
    bool isSeries = false; ///< the files state that they are the pages of one volume
    /// Step from slice to slice in left-posterior-superior, in mm.
    std::optional<std::array<double, 3>> step = {};
};

/// The blocks of a page that a file stores separately, such as tiles and strips, in px of the page: blocks begin at
/// columns k * width - left and rows k * height - top, for whole k.
struct BlockGrid {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t left = 0; ///< < width
    std::uint32_t top = 0;  ///< < height

    bool operator==(const BlockGrid&) const = default;
};

/// Purpose for which a page is opened.
enum class PageUse {
    facts,   ///< info(), blocks() and mayHaveGaps(); checks that the pixels can lie in the file
    pixels,  ///< one read
    regions, ///< like facts, and several reads if the reader keeps pages open; checks the blocks of the whole page
};

/// A page of a file, open since its construction. Not thread-safe.
class FilePage {
public:
    /// @param source must outlive the page @param options part of the page and channel to read; `shrink` is ignored
    FilePage(const SourceFile& source, const ReadOptions& options) : source_(source), options_(options) {}
    virtual ~FilePage() = default;
    FilePage(const FilePage&) = delete;
    FilePage& operator=(const FilePage&) = delete;

    /// Facts about the page; without notes on the channel if the page is opened for PageUse::pixels.
    [[nodiscard]] const ImageInfo& info() const noexcept { return info_; }
    /// Blocks of the page in the file; rows of about a million pixels if there are none.
    [[nodiscard]] virtual BlockGrid blocks() const;
    /// False only if facts show that all pixels of the page have data.
    [[nodiscard]] virtual bool mayHaveGaps() const { return true; }

    /// Reads facts and pixels of the part, or of the whole page if the reader does not read regions.
    /// @throws Error, Cancelled
    [[nodiscard]] virtual LoadedImage read(const JobControl& control) = 0;
    /// Like read(), for another part.
    [[nodiscard]] LoadedImage readRegion(const PixelRegion& region, const JobControl& control) {
        options_.region = region;
        return read(control);
    }
    /// Reads several channels like read(), but decodes the page once. The first channel is the channel of the options.
    /// Empty for readers that decode the page again for each channel.
    [[nodiscard]] virtual std::vector<LoadedImage> readEach(std::span<const ChannelChoice> channels,
                                                            const JobControl& control);
    /// Receives the slices of a volume in ascending order.
    using TakeSlice = std::function<void(LoadedImage slice)>;
    /// Reads @p count pages from the page of the options on, like read(), but decodes preceding data only once. Returns
    /// false without reading if reading the pages one by one takes no more work.
    virtual bool readSlices(int count, const TakeSlice& take, const JobControl& control);

protected:
    /// The region of the options, checked, or all of the page. @throws Error(invalidArgument)
    [[nodiscard]] PixelRegion part() const;

    const SourceFile& source_;
    ReadOptions options_;
    ImageInfo info_; ///< set by the constructor of the derived class
};

/// A file format. To add one, implement FilePage and the accessor of a reader in one file, and add the accessor to the
/// table in image_file.cpp.
struct ImageReader {
    FormatFilter filter; ///< for an open dialog
    /// Whether the content of a file is of this format; the extension counts only if the content is not distinctive.
    bool (*recognises)(const SourceFile& source) = nullptr;
    /// Opens the page of the options, without decoding pixels. @throws Error
    std::unique_ptr<FilePage> (*open)(const SourceFile& source, const ReadOptions& options, PageUse use) = nullptr;
    bool readsRegions = false; ///< pages read only the requested region; else the whole page, which is then cropped
    bool keepsOpen = false;    ///< pages opened for PageUse::regions are read several times; else opened for each read
    bool isLastResort = false; ///< asked only about files that no other reader recognises
    /// Finds the slices of a volume among files, the first of which is of this format, and sorts them. Null for formats
    /// that state no positions: the caller's order counts. @throws Error
    std::optional<SliceFiles> (*arranged)(std::span<const std::filesystem::path> files) = nullptr;
    /// Finds the slices of the series of a file in its folder; nothing if the file is not a slice of a series. Null for
    /// formats without series. @throws Error
    std::optional<SliceFiles> (*seriesOf)(const SourceFile& source) = nullptr;
};

/// ImageReader::open for a format whose pages have a constructor with file and options, or also with the use.
template <class Page>
std::unique_ptr<FilePage> openAs(const SourceFile& source, const ReadOptions& options, PageUse use) {
    if constexpr (std::is_constructible_v<Page, const SourceFile&, const ReadOptions&, PageUse>) {
        return std::make_unique<Page>(source, options, use);
    } else {
        return std::make_unique<Page>(source, options);
    }
}

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
const ImageReader& npyReader();
const ImageReader& dicomReader();
const ImageReader& fitsReader();  ///< only in builds with cfitsio
const ImageReader& zarrReader();  ///< only in builds with Blosc, Zstandard and LZ4
const ImageReader& slideReader(); ///< only in builds with OpenSlide
const ImageReader& gdalReader();  ///< only in builds with GDAL
const ImageReader& rawReader();

/// A reader of an image and its sidecar files of other programs: world file (.tfw, .jgw ...) with .prj, .aux.xml, .msk
/// and .ovr. Returns @p reader if there are none, or if the format has no sidecar files.
[[nodiscard]] const ImageReader& withSidecarFiles(const ImageReader& reader, const SourceFile& source);

/// Opens a page of a file with everything that the options request: a page of a series, a named or computed channel, a
/// pixel size, a region and shrinking (not for PageUse::regions). The page has no facts for PageUse::pixels.
/// @throws as readImageInfo(); for PageUse::regions Error(formatUnsupported) for formats that can only be read as a
/// whole
[[nodiscard]] std::unique_ptr<FilePage> openPage(const std::filesystem::path& path, const ReadOptions& options,
                                                 PageUse use);

/// Whether transparency marks all pixels as without data.
[[nodiscard]] bool isHidden(const LoadedImage& loaded);
/// Adds a note that a page of which isHidden() is true is read without its transparency.
void noteUnusedAlpha(ImageInfo& info);

/// Calls ImageReader::arranged() of the reader of the first file.
[[nodiscard]] std::optional<SliceFiles> arrangedSlices(std::span<const std::filesystem::path> files,
                                                       const ReadOptions& options);

/// Calls ImageReader::seriesOf() of the reader of the file; nothing without options.series.
[[nodiscard]] std::optional<SliceFiles> seriesOf(const std::filesystem::path& path, const ReadOptions& options);

/// Adds the facts that files state about a volume to the facts about one file, and makes the file page @p page of a
/// series.
/// @param count files of the whole series
void describeSlices(const SliceFiles& files, std::size_t count, int page, const ReadOptions& options, ImageInfo& info);

} // namespace pollard
