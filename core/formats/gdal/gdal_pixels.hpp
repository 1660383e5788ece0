#pragma once

#include "formats/gdal/gdal_dataset.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/value_rows.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// How the bands of a page become its pixels: levels, or values that are mapped to levels.
struct GdalPlan {
    std::optional<GreyPlan> levels; ///< or
    std::optional<ValuePlan> values;
    GDALDataType type = GDT_Byte; ///< of the samples as they are read
    bool masked = false;          ///< a mask of the page marks pixels without data
    std::vector<std::string> notes;

    /// @throws Error(invalidArgument) for a sample that does not exist, Error(formatUnsupported) for complex numbers
    static GdalPlan of(const SourceFile& source, const ReadOptions& options, const GdalDataset& dataset);

    [[nodiscard]] const std::vector<int>& samples() const noexcept {
        return levels ? levels->samples : values->samples;
    }
    /// The first sample.
    [[nodiscard]] int sample() const noexcept { return samples()[0]; }
    [[nodiscard]] int alpha() const noexcept { return levels ? levels->alpha : values->alpha; }
    [[nodiscard]] bool isPalette() const noexcept { return levels && !levels->palette.empty(); }
    [[nodiscard]] bool mayHaveGaps() const noexcept;
};

/// The pixels of a region at the level of the options; facts are completed from @p info.
/// @throws Error(fileDamaged), Error(limitExceeded), Error(outOfMemory), Cancelled
[[nodiscard]] LoadedImage readGdalPixels(const SourceFile& source, const ReadOptions& options,
                                         const GdalDataset& dataset, const GdalPlan& plan, ImageInfo info,
                                         const PixelRegion& region, const JobControl& control);

/// Blocks in which the file stores the level of the options.
[[nodiscard]] BlockGrid gdalBlocks(const ReadOptions& options, const GdalDataset& dataset, const GdalPlan& plan);

} // namespace pollard
