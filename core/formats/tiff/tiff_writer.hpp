#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/sample_layout.hpp"
#include "formats/tiff/tiff_compression.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/write/pixel_rows.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

struct TiffWriteOptions {
    TiffCompression compression = TiffCompression::deflate;
    std::vector<CarriedTag> carried; ///< resolution and geo tags of every page
    SceneDescription scene = {};     ///< written as the description of the first page, see descriptionKind()
    /// The displayed range of the scene is 0 to the largest value, for masks and labels; known of pixels in memory and
    /// by PixelRows::largest.
    bool showsLargest = false;
};

/// Writes 8- or 16-bit grey pixels as TIFF, the slices of a volume as pages (BigTIFF if the pixels exceed 4 GB minus a
/// margin). Atomic: the data goes to a temporary beside the target, which finally replaces it; on any failure the
/// target is unchanged.
/// @throws Error(writeFailed); Cancelled
void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options = {},
               const JobControl& control = {});

/// Writes 32-bit unsigned values of shape (slices, height, width), such as labels or parent images, as writeTiff().
/// @throws Error(writeFailed), Error(invalidArgument) if there is not one value a pixel; Cancelled
void writeTiff32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                 const TiffWriteOptions& options = {}, const JobControl& control = {});

/// Writes pixels that need not be in memory as writeTiff(), in the memory of a strip.
/// @throws Error(writeFailed); exceptions of rows.read; Cancelled
void writeTiff(const std::filesystem::path& path, const PixelRows& rows, const TiffWriteOptions& options = {},
               const JobControl& control = {});

/// A page of a file with several pages.
struct WrittenPage {
    std::shared_ptr<const Image> image; ///< null: the pixels are those of `rows`
    std::vector<CarriedTag> carried;    ///< of this page, in addition to those of the options
    /// On the first page: replaces that of the options, for sources that determine it with the page.
    std::optional<SceneDescription> scene = {};
    PixelRows rows = {}; ///< of a picture
};

/// Returns the page with a 0-based index when it is written, so that only one is in memory at a time. May throw.
using WrittenPageSource = std::function<WrittenPage(int page, const JobControl& control)>;

/// Writes @p pages pictures, which may differ in size and type, as the pages of a TIFF. BigTIFF if the first page times
/// @p pages exceeds 4 GB minus a margin. Atomic as writeTiff(): on any failure, including those of @p source, the
/// target is unchanged.
/// @throws Error(invalidArgument) for less than one page; Error(writeFailed); exceptions of @p source; Cancelled
void writeTiffPages(const std::filesystem::path& path, int pages, const WrittenPageSource& source,
                    const TiffWriteOptions& options = {}, const JobControl& control = {});

/// Writes channels of one size and type as samples of pages: plane i is sample i % layout.samples of page
/// i / layout.samples. Planes are in memory one at a time, except that those of a page are together if they are
/// interleaved. BigTIFF and atomic as writeTiffPages().
/// @param source returns a plane when it is written; tags and scene count with the first plane of a page
/// @throws Error(invalidArgument) if the planes do not fill the pages or differ in size or type; Error(writeFailed);
/// exceptions of @p source; Cancelled
void writeTiffChannels(const std::filesystem::path& path, int planes, const SampleLayout& layout,
                       const WrittenPageSource& source, const TiffWriteOptions& options = {},
                       const JobControl& control = {});

} // namespace pollard
