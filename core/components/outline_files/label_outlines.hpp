#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/label_file.hpp"

#include <filesystem>
#include <string>

namespace pollard {

/// Whether a file has outlines of objects instead of pixels, by its name: .geojson, .json, .roi, .zip.
[[nodiscard]] bool namesOutlines(const std::filesystem::path& path);

/// The labels of the objects that a file outlines, in px of the image. A pixel is in a polygon if its centre is; later
/// objects of the file cover earlier ones.
/// - GeoJSON: Polygon and MultiPolygon with holes. The number of an object is the property `label` or the id of its
///   feature; `slice` is its slice in a volume.
/// - COCO: polygons and masks as runs, compressed or not, of the annotations of @p image. The number is the id.
/// - ImageJ: a region (.roi) or a set (.zip), limited to a slice if it states one. The number is its name.
/// If an object has no number, the objects are numbered in the order of the file.
/// @param image name of the image file, which chooses among the images of COCO
/// @throws Error(fileNotFound, fileUnreadable), Error(fileDamaged) for other content, Error(formatUnsupported) for
/// positions in longitude and latitude, and for regions without an area, Error(limitExceeded), Error(outOfMemory);
/// Cancelled
[[nodiscard]] StoredLabels readOutlines(const std::filesystem::path& path, const Extent& extent,
                                        const std::string& image = {}, const JobControl& control = {});

/// The name by which labelFileOf() finds a file, and the files beside other images that are named in the same way:
/// relative to the folder of the image, with "{stem}" in place of the name of the image. @param file,image absolute
[[nodiscard]] std::string labelNameOf(const std::filesystem::path& file, const std::filesystem::path& image);

/// labelsBeside(), also of outlines; these are in px of the part.
[[nodiscard]] LabelSource labelsOfImage(const std::filesystem::path& image, const ReadOptions& part);

} // namespace pollard
