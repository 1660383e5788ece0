#pragma once

#include "formats/tiff/sample_layout.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <tiffio.h>
#include <vector>

namespace pollard {

/// Carried tags of the current directory: resolution and GeoTIFF (with GDAL's metadata and no-data value).
[[nodiscard]] std::vector<CopiedTag> readCopiedTags(TIFF* tiff);

/// Sets tags in the directory being written, except those whose count or type contradicts their data. @returns false if
/// libtiff rejects one
bool writeCopiedTags(TIFF* tiff, const std::vector<CopiedTag>& tags);

/// Value of SampleFormat.
[[nodiscard]] int sampleFormatOf(ValueType type) noexcept;

/// Sets size, type and layout of the samples in the directory being written.
void setSampleTags(TIFF* tiff, std::uint32_t width, std::uint32_t height, ValueType type,
                   const SampleLayout& stored = {});

} // namespace pollard
