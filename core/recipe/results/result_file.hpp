#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "recipe/results/result_tags.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// Whether writeResult() writes a folder of OME-Zarr of this name: it ends in .zarr, and the build has the libraries.
[[nodiscard]] bool isZarrResult(const std::filesystem::path& path);

/// Endings, in lower case, of the formats in which writeResult() writes any values; see imageEndings(), too.
[[nodiscard]] std::vector<std::string_view> resultEndings();

/// A result of an image or volume in the samples of resultSamples(), see resultRows().
/// @param image must outlive the plane @param source its samples are used if it has them
[[nodiscard]] Plane resultPlane(const Image& image, const LoadedImage& source, ResultValues values);
/// As above; the plane keeps the image and has facts about these pages.
[[nodiscard]] Plane resultPlane(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                                ResultPages pages);
/// Labels or pixel indices of shape (slices, height, width), which must outlive the plane.
/// @param properties of the labels, for OME-Zarr; null: none
/// @throws Error(invalidArgument) unless there is one value per pixel
[[nodiscard]] Plane resultPlane(std::span<const std::uint32_t> values, const Extent& extent, const ImageInfo& source,
                                const LabelProperties* properties = nullptr);

/// Writes an image or volume, or channels, in the format of the name: NIfTI-1, NRRD or MetaImage, see isVoxelFile(),
/// FITS, see isFitsFile(), PNG or JPEG, see isImageFile(), a NumPy array for .npy, OME-Zarr if isZarrResult(), else
/// TIFF. NIfTI-1, NRRD, MetaImage, FITS, PNG and JPEG hold one plane; several planes become a TIFF.
/// @param how for TIFF
/// @throws Error(invalidArgument) for pixels without data in NIfTI-1, NRRD, MetaImage, PNG or JPEG, which can only mark
/// them by NaN, and in OME-Zarr if no sample is free to mark them; as writeTiff(), writeVoxels(), writeFits(),
/// writeImage(), writeNpy() and writeZarr()
void writeResult(const std::filesystem::path& path, const Planes& planes, const JobControl& control,
                 const TiffWriteOptions& how = {});

/// Writes the labels of the listed objects of a volume, and 0 elsewhere. @throws as writeResult()
void writeVolumeLabels(const std::filesystem::path& path, const Components& components, const ObjectList& list,
                       const ImageInfo& source, const JobControl& control);

/// Checks before the work that a file of this name can hold a result of the source. @param written samples of the
/// result
/// @throws Error(invalidArgument) as writeResult()
void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source, const ResultSamples& written);

} // namespace pollard
