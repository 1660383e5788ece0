#pragma once

#include "filter/filter_spec.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pollard {

/// How the values of a written image relate to those of its source.
enum class ResultValues {
    levels,      ///< levels of the source, e.g. a filtered picture
    differences, ///< differences of two of them, e.g. a residue
    others,      ///< anything else: masks, labels, pixel numbers
};

/// The kind of values in a filter's output.
[[nodiscard]] ResultValues resultValuesOf(Output output) noexcept;

/// How the values after one more filter relate to those of the first source.
[[nodiscard]] ResultValues resultValuesAfter(ResultValues before, Output output) noexcept;

/// The values of a written sample.
struct SampleValues {
    ResultValues values = ResultValues::levels;
    std::optional<ValueMapping> mapping = {}; ///< of its source; unset if the levels are the values of the file
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

/// A sample of a page that is computed from a source.
struct NamedSample {
    std::string name;
    SampleValues values;
};

/// Which pages of its source a result has.
enum class ResultPages {
    one, ///< a single one; or several that no axis of the source counts, e.g. a profile's
    all, ///< every one, in the order of the source
};

/// Options for writing a result of the source's size: with all tags that remain true of it, so that the file has the
/// pixel size, map and channels of the source.
///
/// Where the levels are not the values of the file (ImageInfo::mapping), GDAL_METADATA gets the scale and offset that
/// lead back to them; differences get the scale alone. The no-data value is the mark of the values; without one, that
/// of the source stays beside the file's own levels, which alone can hold it.
///
/// The size of a pixel in the scene takes the place of resolution tags, which may be those of a printer, and stands in
/// the description of the file unless geo tags state it. A resolution for printing is handed on where no size is known,
/// unless a smaller version of the picture has made it one that no printer has.
[[nodiscard]] TiffWriteOptions resultOptions(const ImageInfo& source, const WrittenValues& values,
                                             ResultPages pages = ResultPages::one);

/// As resultOptions() for a result of this extent: the pages of a volume are its slices.
[[nodiscard]] TiffWriteOptions resultOptions(const ImageInfo& source, const WrittenValues& values,
                                             const Extent& extent);

/// As resultOptions() for the channels of a page or, if the axis 'c' counts pages, of all its positions.
/// @param source of the first of them
/// @param samples of a page @param mark of all samples
[[nodiscard]] TiffWriteOptions channelOptions(const ImageInfo& source, std::span<const SampleValues> samples,
                                              const std::optional<NoDataMark>& mark = {});

/// As resultOptions() for a page of samples that are no channels of the source. GDAL_METADATA has their names as
/// descriptions of bands.
[[nodiscard]] TiffWriteOptions sampleOptions(const ImageInfo& source, std::span<const NamedSample> samples,
                                             const std::optional<NoDataMark>& mark = {});

} // namespace pollard
