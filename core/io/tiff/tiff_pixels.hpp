#pragma once

#include "io/samples/grey_rows.hpp"
#include "io/samples/value_rows.hpp"
#include "io/tiff/tiff_facts.hpp"

#include <memory>
#include <optional>

namespace pollard {

/// How the samples of a page become pixels: grey levels, or values for a mapping.
struct TiffPlan {
    std::optional<GreyPlan> levels; ///< exactly one of levels and values is set
    std::optional<ValuePlan> values;
    std::optional<double> noData; ///< GDAL_NODATA, if it is a number
};

/// Plans the conversion and adds notes for the user to page.info.notes.
/// @throws Error(invalidArgument) if the chosen channel does not exist, Error(fileDamaged) without a palette
TiffPlan planTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page);

/// Pixels of a stored region, in stored orientation.
struct TiffPixels {
    std::shared_ptr<Image> image;
    std::shared_ptr<const Mask> valid; ///< null if all pixels have data
    std::optional<ValueMapping> mapping;
};
/// Checks the claims of the file, decodes, and maps values to levels.
/// @throws Error, Cancelled
TiffPixels readTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                          const PixelRegion& region, const JobControl& control);

/// Values of a stored region before the mapping.
struct TiffValues {
    ValueBuffer values;
    std::shared_ptr<const Mask> valid; ///< without NaN and no-data values of single samples
};
/// Decodes the values of a plan without levels. @throws Error, Cancelled
TiffValues readTiffValues(const SourceFile& source, const ReadOptions& options, TiffPage& page, const ValuePlan& plan,
                          const PixelRegion& region, const JobControl& control);

} // namespace pollard
