#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiff_compression.hpp"
#include "image/channel.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "io/write/label_properties.hpp"
#include "io/write/pixel_rows.hpp"
#include "recipe/result_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace pollard {

/// Whether writeResult() writes a folder of OME-Zarr of this name: it ends in .zarr, and the build has the libraries.
[[nodiscard]] bool isZarrResult(const std::filesystem::path& path);

/// Writes a result of a picture or volume: as NIfTI-1 or NRRD if its name is that of such a file, see isVoxelFile(), as
/// OME-Zarr if isZarrResult(), else as TIFF with resultOptions(). Files of voxels and OME-Zarr hold the values that the
/// levels of the source stand for, its voxel size and, if the result has all of its voxels, its orientation.
/// @param source of the first slice
/// @throws Error(invalidArgument) for a picture with pixels without data as another file than TIFF, which cannot mark
/// them; as writeTiff(), writeVoxels() and writeZarr()
void writeResult(const std::filesystem::path& path, const Image& image, const ImageInfo& source, ResultValues values,
                 const JobControl& control);
/// Likewise of a picture whose pixels outside @p valid have no data; null: all have.
/// @param compression of a TIFF
void writeResult(const std::filesystem::path& path, const Image& image, const Mask* valid, const ImageInfo& source,
                 const WrittenValues& values, const JobControl& control,
                 TiffCompression compression = TiffCompression::deflate);

/// Writes pixels that need not be in memory likewise; labels have at least 32 bits.
/// @param values with the mark that the pixels have
void writeResult(const std::filesystem::path& path, const PixelRows& pixels, const ImageInfo& source,
                 const WrittenValues& values, TiffCompression compression, const JobControl& control);

/// Checks before the work that a file of this name can hold a result of the source.
/// @throws Error(invalidArgument) as writeResult()
void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source);

/// Writes labels or pixel indices of shape (slices, height, width) likewise.
/// @param properties of the labels, for OME-Zarr; null: none
void writeResult32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                   const ImageInfo& source, const JobControl& control, const LabelProperties* properties = nullptr,
                   TiffCompression compression = TiffCompression::deflate);

/// A channel of a result.
struct ResultChannel {
    PixelRows pixels;
    std::shared_ptr<const Image> owner; ///< of the pixels; null if they are read elsewhere
    Channel channel;                    ///< of the source
    ImageInfo source;                   ///< of the channel alone
    ResultValues values = ResultValues::levels;
};

/// Writes channels as one picture of OME-Zarr, one after another. @param path for which isZarrResult() holds
/// @param make called once for each channel in their order
/// @throws as writeResult() and writeZarrChannels(); errors of @p make
void writeResultChannels(const std::filesystem::path& path, std::size_t count,
                         const std::function<ResultChannel(std::size_t channel)>& make, const JobControl& control);

} // namespace pollard
