#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>

namespace pollard {

/// Whether regions of a stored channel of the page are read without the rest of it, so that a shrunk image takes
/// memory for a band. @throws Error
[[nodiscard]] bool readsRegions(const std::filesystem::path& path, const ReadOptions& options);

/// Pixels from which readShrunk() takes the place of reading an image as a whole and shrinking it.
inline constexpr std::uint64_t kShrunkInBandsFrom = std::uint64_t{1} << 26;

/// As readImage() with options.shrink above 1, in bands: memory for about 2^24 px of the page, or a row of its blocks,
/// beside the result, so that the page may have more than Image::kMaxPixels pixels. Values that become levels by the
/// range of all values take a pass over the page before.
/// @param bandPixels of a band, at least; a band has whole rows of blocks where they fit
/// @throws Error as readImage(), formatUnsupported for formats that can only be read as a whole; Cancelled
[[nodiscard]] LoadedImage readShrunk(const std::filesystem::path& path, const ReadOptions& options,
                                     const JobControl& control = {}, std::uint64_t bandPixels = std::uint64_t{1} << 24);

} // namespace pollard
