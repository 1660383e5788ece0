#pragma once

#include "base/job_control.hpp"
#include "io/write/planes.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace pollard {

/// Endings of the files that writeImage() writes, in small letters: .png, .jpg, .jpeg.
[[nodiscard]] std::vector<std::string_view> imageEndings();
[[nodiscard]] bool isImageFile(const std::filesystem::path& path);

/// Whether writeImage() can write unsigned values of so many bits, of which @p change says whether a changed value
/// does no harm: a JPEG changes them.
[[nodiscard]] bool holdsValues(const std::filesystem::path& path, int bits, bool change);

/// Writes a grey image as PNG of 8 or 16 bits or, without labels and masks, as JPEG of 8 bits. Values are written as
/// they are. Atomic: on any failure the target is unchanged.
/// @param planes one, of one slice
/// @throws Error(invalidArgument) for values of other types, volumes, several channels, and sides above the limits of
/// the format; Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeImage(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
