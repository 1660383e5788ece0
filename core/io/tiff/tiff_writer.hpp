#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/metadata/scene_description.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

struct TiffWriteOptions {
    bool deflate = true;             ///< Deflate with horizontal predictor; else uncompressed
    std::vector<CarriedTag> carried; ///< resolution and geo tags, of every page
    SceneDescription scene = {};     ///< becomes the description of the first page
};

/// Writes grey 8/16-bit pixels as TIFF (BigTIFF when the pixels exceed 4 GB minus a margin). Atomic: the data
/// goes to a temporary beside the target, which is renamed over it at the end; on any failure the target is
/// left as it was.
/// @throws Error(writeFailed); Cancelled
void writeTiff(const std::filesystem::path& path, const Image& image, const TiffWriteOptions& options = {},
               const JobControl& control = {});

/// The same for 32-bit unsigned values of shape (height, width): labels, parent images.
/// @throws Error(writeFailed), Error(invalidArgument) if there are not width * height values; Cancelled
void writeTiff32(const std::filesystem::path& path, std::span<const std::uint32_t> values, std::uint32_t width,
                 std::uint32_t height, const TiffWriteOptions& options = {}, const JobControl& control = {});

/// A page of a file with several.
struct WrittenPage {
    std::shared_ptr<const Image> image;
    std::vector<CarriedTag> carried; ///< of this page, beside those of the options
    /// On the first page: instead of that of the options, for writers that learn it with this page.
    std::optional<SceneDescription> scene = {};
};

/// Makes the page of a 0-based number when its turn comes, so that only one is there at a time. May throw.
using WrittenPageSource = std::function<WrittenPage(int page, const JobControl& control)>;

/// Writes @p pages pictures, which may differ in size and type, as the pages of one TIFF, one after the other.
/// BigTIFF if the first page times @p pages exceeds 4 GB minus a margin. Atomic as writeTiff(): whatever @p source or
/// the disk refuses, the target is left as it was.
/// @throws Error(invalidArgument) for less than one page; Error(writeFailed); what @p source throws; Cancelled
void writeTiffPages(const std::filesystem::path& path, int pages, const WrittenPageSource& source,
                    const TiffWriteOptions& options = {}, const JobControl& control = {});

} // namespace pollard
