#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "io/region_source.hpp"
#include "io/valid_levels.hpp"
#include "io/write/pixel_rows.hpp"
#include "recipe/result_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The level of the no-data value that a file states, if it is one.
[[nodiscard]] std::optional<std::uint16_t> noDataLevel(PixelType type, const ImageInfo& info);

/// Levels of the pixels with data of a source, or of several that are written with one mark.
class LevelsInUse {
public:
    LevelsInUse() = default;
    /// Every level from the smallest to the largest.
    LevelsInUse(const ValidLevels& range, PixelType type, const ImageInfo& info);

    void add(const LoadedImage& source);
    /// Reads all pixels, after RegionSource::prepare().
    void add(RegionSource& source, const JobControl& control);
    /// Counts a level as one of pixels with data.
    void add(std::uint16_t level);
    /// Counts pixels without data that the result has in addition.
    void addGaps() noexcept { ++range_.invalid; }

    /// The mark of a result: the no-data value of the file if it is a level that no pixel with data has. Else, if
    /// levels stand for other values, the smallest level that no pixel with data has, or a wider value if there is
    /// none. Empty without pixels to mark, and for differences of stored values.
    [[nodiscard]] std::optional<NoDataMark> markFor(ResultValues values) const { return markFor({&values, 1}); }
    /// The mark of several results.
    [[nodiscard]] std::optional<NoDataMark> markFor(std::span<const ResultValues> values) const;
    /// Whether the mark of a result with levels of the source depends on its range alone.
    [[nodiscard]] bool isSettled(const std::optional<NoDataMark>& mark) const noexcept {
        return !isMapped_ || (mark && mark->value == stated_.value_or(0));
    }

private:
    void takeFacts(PixelType type, const ImageInfo& info);
    [[nodiscard]] bool isFree(std::size_t level, ResultValues values) const;

    std::vector<bool> used_; ///< of each level of the type
    ValidLevels range_;
    std::optional<std::uint16_t> stated_; ///< level of the no-data value
    bool isMapped_ = false;               ///< levels stand for other values
};

/// The mark of a picture or volume in memory.
[[nodiscard]] std::optional<NoDataMark> noDataMark(const LoadedImage& source, ResultValues values);
/// The mark of a picture or volume that is read in boxes, after RegionSource::prepare(); equal to that of the whole in
/// memory. Reads all pixels if the mark depends on each level.
[[nodiscard]] std::optional<NoDataMark> noDataMark(RegionSource& source, ResultValues values,
                                                   const JobControl& control = {});

/// Rows of a result whose pixels outside @p valid have the value of the mark.
/// @param image must outlive the result, as must @p valid @param valid null: all pixels have data
/// @param mark none: the rows of the image as it is
[[nodiscard]] PixelRows markedRows(const Image& image, const Mask* valid, const std::optional<NoDataMark>& mark);

/// The same rows, which keep image and mask.
[[nodiscard]] PixelRows ownedRows(std::shared_ptr<const Image> image, std::shared_ptr<const Mask> valid,
                                  const std::optional<NoDataMark>& mark);

} // namespace pollard
