#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "io/samples/row_sink.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// How the samples of a page are converted to pixels: directly to grey levels, or to values that are mapped to levels.
struct TiffPlan {
    std::optional<GreyPlan> levels; ///< exactly one of levels and values is set
    std::optional<ValuePlan> values;
    std::optional<NoData> noData;           ///< from GDAL_NODATA, if it is a number, or from the options
    std::optional<Calibration> calibration; ///< of the samples
    std::vector<std::string> notes;         ///< for the user

    [[nodiscard]] std::span<const int> samples() const noexcept { return levels ? levels->samples : values->samples; }
    /// ImageInfo::band of a page with @p count samples.
    [[nodiscard]] std::optional<int> band(int count) const noexcept {
        return count < 2               ? std::nullopt
               : samples().size() == 1 ? std::optional(samples().front())
                                       : std::optional(kSeveralBands);
    }
    /// The sample with transparency; -1 if there is none.
    [[nodiscard]] int alpha() const noexcept { return levels ? levels->alpha : values->alpha; }
    [[nodiscard]] std::size_t pixelBytes() const; ///< of the result and the values before the mapping
    [[nodiscard]] bool mayHaveGaps() const;       ///< whether samples can mark pixels without data
};

/// Plans the conversion for a choice of channel. @param options only transparency and the no-data value are used
/// @throws Error(invalidArgument) if the chosen channel does not exist, Error(fileDamaged) without a palette
TiffPlan planTiffPixels(const SourceFile& source, const ReadOptions& options, const ChannelChoice& choice,
                        const TiffPage& page);

/// Pixels of a stored region, in stored orientation.
struct TiffPixels {
    std::shared_ptr<Image> image;
    std::shared_ptr<const Mask> valid; ///< null if all pixels have data
    std::optional<ValueMapping> mapping;
};
/// Checks that the strips or tiles of a region lie in the file and that compressed data do not expand beyond the limit.
/// @throws Error(fileDamaged), Error(limitExceeded)
TiffStorage checkTiffStorage(const SourceFile& source, const ReadOptions& options, const TiffPage& page,
                             const PixelRegion& region);

/// Checks the claims of the file, decodes, and maps values to levels: one result per plan. Decodes interleaved samples
/// once for all plans, and separate planes once for each plan that needs them.
/// @throws Error, Cancelled
std::vector<TiffPixels> readTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                                       std::span<const TiffPlan> plans, const PixelRegion& region,
                                       const JobControl& control);

/// The number of the object that each pixel belongs to, row by row; 0: background.
struct StoredLabels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Buffer<std::uint32_t> labels;
};

/// Checks that a file has labels, without reading pixels. @throws Error as readTiffLabels()
void requireTiffLabels(const std::filesystem::path& path);

/// Reads a page, numbered from 0, of a TIFF with unsigned integers of at most 32 bits, such as labels written by
/// writeTiff(). Unlike readImage(), it keeps numbers beyond 65,535.
/// @throws as readImage(); Error(formatUnsupported) for other files
[[nodiscard]] StoredLabels readTiffLabels(const std::filesystem::path& path, const JobControl& control = {},
                                          int number = 0);

} // namespace pollard
