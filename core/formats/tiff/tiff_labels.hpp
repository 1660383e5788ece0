#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"

#include <cstdint>
#include <filesystem>

namespace pollard {

/// Numbers of the objects that pixels belong to, row by row; 0 = background.
struct StoredLabels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Buffer<std::uint32_t> labels;
};

/// Reads only the facts of the file. @throws Error as readTiffLabels()
void requireTiffLabels(const std::filesystem::path& path);

/// Reads the first page of a TIFF with unsigned numbers of at most 32 bits, such as writeTiff() writes of labels.
/// Unlike readImage(), it keeps numbers beyond 65,535.
/// @throws as readImage(); Error(formatUnsupported) for other files
[[nodiscard]] StoredLabels readTiffLabels(const std::filesystem::path& path, const JobControl& control = {});

} // namespace pollard
