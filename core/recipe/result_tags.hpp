#pragma once

#include "engine/profile.hpp"
#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pollard {

/// How the values of the pixels with data of a result relate to those of its source.
enum class ResultValues {
    levels,      ///< levels that such pixels of the source have, e.g. a filtered picture
    between,     ///< any level from the smallest of these to the largest
    differences, ///< differences of two of them, e.g. a residue
    others,      ///< anything else: masks, labels, pixel numbers
};
/// Whether they are levels of the source's scale.
[[nodiscard]] constexpr bool areLevels(ResultValues values) noexcept { return values <= ResultValues::between; }

[[nodiscard]] ResultValues resultValuesOf(const FilterSpec& filter) noexcept;
[[nodiscard]] ResultValues resultValuesOf(const ProfileSpec& profile) noexcept;
/// After one more filter.
[[nodiscard]] ResultValues resultValuesAfter(ResultValues before, const FilterSpec& filter) noexcept;

/// The values of a written sample.
struct SampleValues {
    ResultValues values = ResultValues::levels;
    std::optional<ValueMapping> mapping = {}; ///< of its source; unset if the levels are the values of the file
    std::string name = {};                    ///< of a sample that is no channel of the source
};

/// Value of the pixels without data in a result: no pixel with data has it.
struct NoDataMark {
    std::uint32_t value = 0;
    bool isWide = false; ///< it is no level: the result has 32 bits

    bool operator==(const NoDataMark&) const = default;
};

/// The values of a result.
struct WrittenValues {
    WrittenValues(ResultValues kind, std::optional<NoDataMark> noData = {}) // NOLINT(google-explicit-constructor)
        : values(kind), mark(noData) {}

    ResultValues values;
    std::optional<NoDataMark> mark; ///< none: no pixel is marked as without data
};

/// Which pages of its source a result has.
enum class ResultPages {
    one, ///< a single one; or several that no axis of the source counts, e.g. a profile's
    all, ///< every one, in the order of the source
};

/// Facts about a result of the source's size: all that remains true of it, so that the file has the pixel size, map,
/// place of voxels and channels of the source.
///
/// Where the levels are not the values of the file (ImageInfo::mapping), GDAL_METADATA gets the scale and offset that
/// lead back to them; differences get the scale alone. The no-data value is the mark of the values; without one, that
/// of the source stays beside the file's own levels, which alone can hold it.
///
/// The size of a pixel in the scene takes the place of resolution tags, which may be those of a printer, and stands in
/// the description of the file unless geo tags state it. A resolution for printing is handed on where no size is known,
/// unless a smaller version of the picture has made it one that no printer has.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values,
                                     ResultPages pages = ResultPages::one);

/// As resultFacts() for a result of this extent: the pages of a volume are its slices.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, const Extent& extent);

/// As resultFacts() for the channels of a page or, if the axis 'c' counts pages, of all its positions. The names of
/// samples that are no channels of the source become descriptions of bands in GDAL_METADATA.
/// @param source of the first of them
/// @param samples of a page; all or none have names @param mark of all samples
[[nodiscard]] PlaneFacts pageFacts(const ImageInfo& source, std::span<const SampleValues> samples,
                                   const std::optional<NoDataMark>& mark = {});

} // namespace pollard
