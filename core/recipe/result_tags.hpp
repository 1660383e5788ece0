#pragma once

#include "engine/profile.hpp"
#include "filter/filter_spec.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pollard {

/// How the values of the pixels with data of a result relate to those of its source.
enum class ResultValues {
    levels,      ///< levels that such pixels of the source have, e.g. a filtered image
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

/// The samples of a result.
struct ResultSamples {
    ValueType type = ValueType::u8;
    /// Bits of the sample of pixels without data, which no pixel with data has; none: no pixel is marked.
    std::optional<std::uint64_t> mark = {};

    bool operator==(const ResultSamples&) const = default;
};

/// The values of a result.
struct WrittenValues {
    WrittenValues(ResultValues kind, std::optional<ResultSamples> how = {}) // NOLINT(google-explicit-constructor)
        : values(kind), samples(how) {}

    ResultValues values;
    std::optional<ResultSamples> samples; ///< none: as the source, no pixel is marked
};

/// Which pages of its source a result has.
enum class ResultPages {
    one, ///< a single one; or several that no axis of the source counts, e.g. a profile's
    all, ///< every one, in the order of the source
};

/// Facts about a result of the source's size: all that remains true of it, so that the file has the pixel size, map,
/// place of voxels and channels of the source.
///
/// The samples are those of the source, so that its slope, intercept, unit and calibration remain true. A TIFF states
/// them by the tags of its source, as ImageJ does if that did, else by scale and offset in GDAL_METADATA; differences
/// have no intercept. The no-data value is the mark of the samples; without one, that of the source stays beside the
/// file's own levels, which alone can hold it.
///
/// The size of a pixel in the scene takes the place of resolution tags, which may be those of a printer, and stands in
/// the description of the file unless geo tags state it. A resolution for printing is handed on where no size is known,
/// unless a smaller version of the image has made it one that no printer has.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values,
                                     ResultPages pages = ResultPages::one);

/// As resultFacts() for a result of this extent: the pages of a volume are its slices.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, const Extent& extent);

/// As resultFacts() for the channels of a page or, if the axis 'c' counts pages, of all its positions. The names of
/// samples that are no channels of the source become descriptions of bands in GDAL_METADATA.
/// @param source of the first of them
/// @param samples of a page; all or none have names @param written types and mark of all samples
[[nodiscard]] PlaneFacts pageFacts(const ImageInfo& source, std::span<const SampleValues> samples,
                                   const std::optional<ResultSamples>& written = {});

/// One line about samples of another type than those of the source; empty if the type is the same.
[[nodiscard]] std::string noteOnType(const ImageInfo& source, ResultValues values, ValueType written);

} // namespace pollard
