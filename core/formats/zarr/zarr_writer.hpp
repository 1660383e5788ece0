#pragma once

#include "base/job_control.hpp"
#include "image/channel.hpp"
#include "image/extent.hpp"
#include "io/image_file.hpp"
#include "io/write/label_properties.hpp"
#include "io/write/pixel_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace pollard {

/// Facts for the metadata of an OME-Zarr picture.
struct ZarrFacts {
    double offset = 0; ///< value = offset + step * level
    double step = 1;
    std::optional<PixelSize> size = {};          ///< of a length; others are left out
    std::optional<Channel> channel = {};         ///< unset: there is no axis of channels
    bool means = true;                           ///< reduced versions have means, else the first of 2 x 2 pixels
    const LabelProperties* properties = nullptr; ///< of labels
};

/// A channel of a picture with the facts about it.
struct ZarrChannel {
    PixelRows pixels;
    ZarrFacts facts;                        ///< with a channel
    std::shared_ptr<const void> owner = {}; ///< of the pixels
};

/// Whether a name ends in .zarr, in small or capital letters.
[[nodiscard]] bool isZarrName(const std::filesystem::path& path);

/// Writes a picture, or the slices of a volume, as a folder of NGFF 0.4 in Zarr 2: axes (z,) y, x, before them c if a
/// channel is given; reduced versions of the slices until both sides are at most 512 px; chunks of 512 x 512 px of one
/// slice, compressed by Blosc with Zstandard. Chunks of zeros are left out. Samples are the values of the levels, of
/// the type of sampleTypeFor().
///
/// Pixels of 32 bits are labels: they get the metadata of a label image, with a table of properties if there is one,
/// and offset, step, channel and means do not count. Memory: 2^24 pixels or, of wide pictures, a row of chunks, and as
/// much for all reduced versions.
///
/// The folder appears when it is complete; it must not exist before. On any failure nothing is left.
/// @throws Error(writeFailed); Error(invalidArgument) for pixels of 64 bits; errors of reading the pixels; Cancelled
void writeZarr(const std::filesystem::path& path, const PixelRows& pixels, const ZarrFacts& facts = {},
               const JobControl& control = {});

/// Writes channels likewise as one picture, one after another.
/// @param make called once for each channel in their order
/// @throws as writeZarr(); errors of @p make; Error(invalidArgument) for labels and for channels that differ in size or
/// in the type of their samples
void writeZarrChannels(const std::filesystem::path& path, std::size_t count,
                       const std::function<ZarrChannel(std::size_t channel)>& make, const JobControl& control = {});

/// Writes labels of shape (slices, height, width) likewise.
/// @throws as writeZarr(); Error(invalidArgument) if there is not one value a pixel
void writeZarr32(const std::filesystem::path& path, std::span<const std::uint32_t> labels, const Extent& extent,
                 const ZarrFacts& facts = {}, const JobControl& control = {});

} // namespace pollard
