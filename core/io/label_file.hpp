#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace pollard {

/// The number of the object that each pixel belongs to, in raster order; 0: background.
struct StoredLabels {
    Extent extent;
    Buffer<std::uint32_t> labels;
    ImageInfo info;
};

/// Checks that a file may have labels: one whole number for each pixel. Does not decode pixels.
/// @throws Error(formatUnsupported) for other files; as readImageInfo()
void requireLabels(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads an image or a volume of labels, of any readable format. Numbers are the samples of the file. Pixels without
/// data have the label 0.
/// @param options without shrinking and projection
/// @param isVolume reads the slices of the page as one volume
/// @throws Error(formatUnsupported) for several samples per pixel, and for samples that are no whole numbers from 0 to
/// 4,294,967,295; as readImage() and readVolume()
[[nodiscard]] StoredLabels readLabels(const std::filesystem::path& path, ReadOptions options = {},
                                      bool isVolume = false, const JobControl& control = {});

/// The label file that a rule names for an image: "{stem}" stands for the name of the image without its ending, and a
/// relative path begins in the folder of the image.
[[nodiscard]] std::filesystem::path labelFileOf(const std::string& name, const std::filesystem::path& image);

/// Reads the labels that a rule names for an image. @param name see labelFileOf()
/// @throws Error(invalidArgument) for labels of another size; as readLabels()
using LabelSource = std::function<std::shared_ptr<const StoredLabels>(const std::string& name, const Extent& image,
                                                                      bool isVolume, const JobControl& control)>;
/// A source for a part of an image file: the same page of a label file with several pages, the same region and slices.
[[nodiscard]] LabelSource labelsBeside(const std::filesystem::path& image, const ReadOptions& part);

} // namespace pollard
