#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <vector>

namespace pollard {

/// What the values of a written image are, compared with those of its source.
enum class ResultValues {
    levels,      ///< levels of the source, e.g. a filtered picture
    differences, ///< differences of two of them, e.g. a residue
    others,      ///< anything else: masks, labels, pixel numbers
};

/// What a filter's output holds.
[[nodiscard]] ResultValues resultValuesOf(Output output) noexcept;

/// What the values are after one more filter, compared with those of the first source.
[[nodiscard]] ResultValues resultValuesAfter(ResultValues before, Output output) noexcept;

/// The tags of the source that stay true for a result of its size. Where the levels are not the values of the file
/// (ImageInfo::mapping), GDAL_METADATA gets the scale and offset that lead back to them; differences get the scale
/// alone. A no-data value stays only beside the file's own levels, which alone can still hold it.
[[nodiscard]] std::vector<CarriedTag> resultTags(const ImageInfo& source, ResultValues values);

} // namespace pollard
