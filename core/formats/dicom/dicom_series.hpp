#pragma once

#include "io/image_reader.hpp"

#include <filesystem>
#include <optional>
#include <span>

namespace pollard {

/// The slices of the series with the most slices, sorted by their places along the normal of their planes, or by their
/// numbers if places are not stated. Of several pictures at one place the first is taken. Notes state the pictures that
/// are left out, missing slices and unequal distances. A file of several frames is a series of its own.
/// @throws Error(formatUnsupported) if no file has a picture; Error for damaged files
[[nodiscard]] std::optional<SliceFiles> arrangedDicomSlices(std::span<const std::filesystem::path> files);

/// As ImageReader::seriesOf().
[[nodiscard]] std::optional<SliceFiles> dicomSeriesOf(const SourceFile& source);

} // namespace pollard
