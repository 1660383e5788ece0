#pragma once

#include "io/samples/grey_rows.hpp"
#include "io/samples/value_rows.hpp"
#include "io/tiff/tiff_facts.hpp"

#include <memory>
#include <optional>

namespace pollard {

/// How the samples of a page become pixels: grey levels, or values that a mapping turns into levels.
struct TiffPlan {
    std::optional<GreyPlan> levels; ///< one of the two is set
    std::optional<ValuePlan> values;
    std::optional<double> noData; ///< GDAL_NODATA, if it is a number
};

/// Adds to page.info.notes what a person should know of it.
/// @throws Error(invalidArgument) if the chosen channel does not exist, Error(fileDamaged) without a palette
TiffPlan planTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page);

/// Pixels of a stored region, as stored.
struct TiffPixels {
    std::shared_ptr<Image> image;
    std::shared_ptr<const Mask> valid; ///< null if all pixels hold data
    std::optional<ValueMapping> mapping;
};
/// Checks the claims of the file, decodes, and maps values to levels.
/// @throws Error, Cancelled
TiffPixels readTiffPixels(const SourceFile& source, const ReadOptions& options, TiffPage& page,
                          const PixelRegion& region, const JobControl& control);

/// Values of a stored region whose plan is not one of levels, before any mapping.
struct TiffValues {
    ValueBuffer values;
    std::shared_ptr<const Mask> valid; ///< without NaN and no-data values of single samples
};
/// @throws Error, Cancelled
TiffValues readTiffValues(const SourceFile& source, const ReadOptions& options, TiffPage& page, const ValuePlan& plan,
                          const PixelRegion& region, const JobControl& control);

} // namespace pollard
