#pragma once

#include "io/image_file.hpp"

#include <filesystem>
#include <span>

namespace pollard {

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

/// The layout of a page whose samples are @p channels and perhaps transparency: that of a TIFF as stored, with colours
/// as they are read (RGB for palettes and YCbCr); other formats interleave.
/// @param options of the page; the channel is ignored
/// @param info from readImageInfo() with @p options
/// @param channels those of channelsOf() that lie in the page
/// @throws Error as readImageInfo()
[[nodiscard]] SampleLayout sampleLayoutOf(const std::filesystem::path& path, const ReadOptions& options,
                                          const ImageInfo& info, std::span<const Channel> channels);

} // namespace pollard
