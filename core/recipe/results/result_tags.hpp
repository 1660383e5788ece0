#pragma once

#include "engine/profile.hpp"
#include "filter/filter_spec.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "operators/operator_spec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pollard {

/// Relation of a result's values to its source's values, for pixels with data.
enum class ResultValues {
    levels,      ///< levels of pixels with data of the source, e.g. a filtered image
    between,     ///< any level from the smallest to the largest of these levels
    differences, ///< differences of two such levels, e.g. a residue
    others,      ///< anything else: masks, labels, pixel numbers
};
/// Whether the values are levels on the scale of the source.
[[nodiscard]] constexpr bool areLevels(ResultValues values) noexcept { return values <= ResultValues::between; }

[[nodiscard]] ResultValues resultValuesOf(const FilterSpec& filter) noexcept;
[[nodiscard]] ResultValues resultValuesOf(const ProfileSpec& profile) noexcept;
/// Relation after one more filter.
[[nodiscard]] ResultValues resultValuesAfter(ResultValues before, const FilterSpec& filter) noexcept;
/// Relation after an operator. Lengths are levels of a source with the operator's mapping, see withOwnLevels().
[[nodiscard]] ResultValues resultValuesAfter(ResultValues before, OperatorValues values) noexcept;

/// The values of a written sample.
struct SampleValues {
    ResultValues values = ResultValues::levels;
    std::optional<ValueMapping> mapping = {}; ///< of the source; unset if the levels are the values of the file
    std::string name = {};                    ///< set if the sample is not a channel of the source
};

/// The samples of a result.
struct ResultSamples {
    ValueType type = ValueType::u8;
    /// Bits of the sample that marks pixels without data, which no pixel with data has; unset: no pixel is marked.
    std::optional<std::uint64_t> mark = {};

    bool operator==(const ResultSamples&) const = default;
};

/// The values of a result.
struct WrittenValues {
    WrittenValues(ResultValues kind, std::optional<ResultSamples> how = {}) // NOLINT(google-explicit-constructor)
        : values(kind), samples(how) {}

    ResultValues values;
    std::optional<ResultSamples> samples; ///< unset: samples of the source, no pixel is marked
};

/// Which pages of its source a result has.
enum class ResultPages {
    one, ///< a single page; or several along no axis of the source, e.g. of a profile
    all, ///< all pages, in the order of the source
};

/// Facts about a result of the source's size: all facts that remain true. The file has the pixel size, map, position of
/// voxels and channels of the source.
///
/// The result has the samples of the source, so slope, intercept, unit and calibration remain true. A TIFF states them
/// by the tags of its source: in ImageJ's way if the source did so, else by scale and offset in GDAL_METADATA.
/// Differences have no intercept. The no-data value is the mark of the samples. Without a mark, the no-data value of
/// the source stays if the file has its own levels, because only these can hold it.
///
/// The size of a pixel in the scene replaces resolution tags, which may describe a printer. It is written into the
/// description of the file unless geo tags state it. If no size is known, a resolution for printing is copied, unless a
/// reduced version of the image makes it a resolution that no printer has.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values,
                                     ResultPages pages = ResultPages::one);

/// As resultFacts() for a result of this extent: the pages of a volume are its slices.
[[nodiscard]] PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, const Extent& extent);

/// As resultFacts() for the channels of a page or, if the pages lie along the axis 'c', for the channels of all pages
/// along it. Names of samples that are not channels of the source become descriptions of bands in GDAL_METADATA.
/// @param source of the first channel
/// @param samples of a page; all or none have names @param written types and mark of all samples
[[nodiscard]] PlaneFacts pageFacts(const ImageInfo& source, std::span<const SampleValues> samples,
                                   const std::optional<ResultSamples>& written = {});

/// One line that says that samples have another type than in the source; empty if the type is the same.
[[nodiscard]] std::string noteOnType(const ImageInfo& source, ResultValues values, ValueType written);

} // namespace pollard
