#pragma once

#include "formats/gdal/gdal_folder.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "io/image_reader.hpp"
#include "io/samples/row_sink.hpp"

#include <cstdint>
#include <filesystem>
#include <gdal.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Type of the samples that GDAL returns for a band.
struct GdalSample {
    GDALDataType type = GDT_Byte;
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8; ///< of the type

    [[nodiscard]] bool hasLevels() const noexcept { return kind == SampleKind::unsignedInteger && bits <= 16; }
    bool operator==(const GdalSample&) const = default;
};

/// A page opened by GDAL: a file, or one part of a file with several parts. The bands are the samples of a pixel.
struct GdalDataset {
    std::unique_ptr<GdalFolder> folder;
    GdalHandle handle;
    std::vector<std::string> pages;      ///< names of the parts; empty if the file is the page
    std::vector<int> overviews;          ///< GDAL's number of the overview for each level from 1 on
    std::vector<ResolutionLevel> levels; ///< from 0 on

    /// @throws Error: not a page, no image, no level, refused content
    static GdalDataset open(const SourceFile& source, const ReadOptions& options);

    [[nodiscard]] int samples() const noexcept { return GDALGetRasterCount(handle.get()); }
    /// The band of an existing sample at full resolution.
    [[nodiscard]] GDALRasterBandH band(int sample) const noexcept {
        return GDALGetRasterBand(handle.get(), sample + 1);
    }
    /// The band of an existing sample at a level; null if it has no such level.
    [[nodiscard]] GDALRasterBandH band(int sample, int level) const noexcept;
    /// @throws Error(formatUnsupported) for complex numbers
    [[nodiscard]] GdalSample sampleOf(const SourceFile& source, int sample) const;
    /// The value of pixels without data; nothing if there is none or it is NaN, because NaN never is data.
    [[nodiscard]] std::optional<NoData> noDataOf(int sample) const noexcept;
    /// Scale, offset and unit of samples; nothing if they differ.
    [[nodiscard]] std::optional<Calibration> calibration(const std::vector<int>& samples) const;
    /// Whether the first three samples are red, green and blue of one type.
    [[nodiscard]] bool isRgb() const noexcept;
    /// Sample with transparency; -1 if there is none.
    [[nodiscard]] int alphaSample() const noexcept;
    /// Colours of the only band; null if it has none.
    [[nodiscard]] GDALColorTableH palette() const noexcept;
};

/// The tags of a GeoTIFF that GDAL would write for the page.
/// @param system coordinate system for a page without one; null: none
[[nodiscard]] std::vector<CopiedTag> gdalTags(const GdalDataset& dataset, OGRSpatialReferenceH system);

/// Facts about the page at the level of the options. Facts about coordinate system and bands are read from the GeoTIFF
/// that GDAL would write.
/// @param sample whose type, scale and unit are described
[[nodiscard]] ImageInfo describeGdal(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset,
                                     int sample);

/// GeoTIFF tags for the position and the no-data value that GDAL finds in an image and in its sidecar files. Empty if
/// GDAL cannot read the image.
/// @param system file with a coordinate system, used if GDAL finds none; empty: none
/// @throws Error if GDAL must not read a sidecar file
[[nodiscard]] std::vector<CopiedTag> gdalPlace(const SourceFile& source, const std::filesystem::path& system);

} // namespace pollard
