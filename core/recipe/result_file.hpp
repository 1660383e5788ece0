#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_list.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "recipe/result_tags.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// Whether writeResult() writes a folder of OME-Zarr of this name: it ends in .zarr, and the build has the libraries.
[[nodiscard]] bool isZarrResult(const std::filesystem::path& path);

/// Endings of the names of files that writeResult() writes of any values, in small letters; see imageEndings(), too.
[[nodiscard]] std::vector<std::string_view> resultEndings();

/// A result of an image or volume in samples as resultSamples() says, see resultRows().
/// @param image must outlive the plane @param source its samples are used if they are there
[[nodiscard]] Plane resultPlane(const Image& image, const LoadedImage& source, ResultValues values);
/// The same, which keeps the image, with facts about these pages.
[[nodiscard]] Plane resultPlane(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                                ResultPages pages);
/// Labels or pixel indices of shape (slices, height, width), which must outlive the plane.
/// @param properties of the labels, for OME-Zarr; null: none
/// @throws Error(invalidArgument) if there is not one value a pixel
[[nodiscard]] Plane resultPlane(std::span<const std::uint32_t> values, const Extent& extent, const ImageInfo& source,
                                const LabelProperties* properties = nullptr);

/// Writes an image or volume, or channels, in the format of the name: NIfTI-1, NRRD or MetaImage, see isVoxelFile(),
/// FITS, see isFitsFile(), PNG or JPEG, see isImageFile(), a NumPy array for .npy, OME-Zarr if isZarrResult(), else
/// TIFF. The first four hold one plane; several become a TIFF.
/// @param how for TIFF
/// @throws Error(invalidArgument) for a source with pixels without data as NIfTI-1, NRRD, MetaImage, PNG or JPEG, which
/// cannot mark them but by NaN, and as OME-Zarr if no sample is free to mark them; as writeTiff(), writeVoxels(),
/// writeFits(), writeImage(), writeNpy() and writeZarr()
void writeResult(const std::filesystem::path& path, const Planes& planes, const JobControl& control,
                 const TiffWriteOptions& how = {});

/// Writes the labels of the listed objects of a volume, and 0 elsewhere. @throws as writeResult()
void writeVolumeLabels(const std::filesystem::path& path, const Components& components, const ObjectList& list,
                       const ImageInfo& source, const JobControl& control);

/// Checks before the work that a file of this name can hold a result of the source. @param written its samples
/// @throws Error(invalidArgument) as writeResult()
void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source, const ResultSamples& written);

} // namespace pollard
