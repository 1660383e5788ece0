#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

struct TiffWriteOptions {
    bool deflate = true;             ///< Deflate with horizontal predictor; else uncompressed
    std::vector<CarriedTag> carried; ///< resolution and geo tags of the source
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

} // namespace pollard
