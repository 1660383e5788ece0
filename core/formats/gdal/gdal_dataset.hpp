#pragma once

#include "formats/gdal/gdal_folder.hpp"
#include "formats/gdal/gdal_handles.hpp"
#include "io/image_reader.hpp"
#include "io/samples/value_rows.hpp"

#include <cstdint>
#include <gdal.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// How GDAL's functions give the samples of a band.
struct GdalSample {
    GDALDataType type = GDT_Byte;
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8; ///< of the type

    [[nodiscard]] bool hasLevels() const noexcept { return kind == SampleKind::unsignedInteger && bits <= 16; }
    bool operator==(const GdalSample&) const = default;
};

/// A page that GDAL has open: the file, or the part of a file with several parts. Its bands are the samples.
struct GdalDataset {
    std::unique_ptr<GdalFolder> folder;
    GdalHandle handle;
    std::vector<std::string> pages;      ///< names of the parts; empty if the file is the page
    std::vector<int> overviews;          ///< GDAL's number of the overview for each level from 1 on
    std::vector<ResolutionLevel> levels; ///< from 0 on

    /// @throws Error: not a page, no image, no level, refused content
    static GdalDataset open(const SourceFile& source, const ReadOptions& options);

    [[nodiscard]] int samples() const noexcept { return GDALGetRasterCount(handle.get()); }
    /// Of a sample that exists, at full resolution.
    [[nodiscard]] GDALRasterBandH band(int sample) const noexcept {
        return GDALGetRasterBand(handle.get(), sample + 1);
    }
    /// Of a sample that exists, at a level; null if the band has no such level.
    [[nodiscard]] GDALRasterBandH band(int sample, int level) const noexcept;
    /// @throws Error(formatUnsupported) for complex numbers
    [[nodiscard]] GdalSample sampleOf(const SourceFile& source, int sample) const;
    /// The value of pixels without data; nothing if there is none, or it is NaN, which is without data anyway.
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
/// @param system if the page has none; null: none
[[nodiscard]] std::vector<CopiedTag> gdalTags(const GdalDataset& dataset, OGRSpatialReferenceH system);

/// Facts about the page, those of its CRS and bands as from a GeoTIFF that GDAL would write, at the level of the
/// options.
/// @param sample on whose type, scale and unit facts are given
[[nodiscard]] ImageInfo describeGdal(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset,
                                     int sample);

} // namespace pollard
