#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
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

/// Levels of the pixels with data of a source, or of several that are written with one mark and type.
class LevelsInUse {
public:
    LevelsInUse() = default;
    /// Every level from the smallest to the largest.
    LevelsInUse(const ValidLevels& range, PixelType type, const ImageInfo& info);

    void add(const LoadedImage& source);
    /// Adds the facts alone of a source, any level of which may be used.
    void addAll(PixelType type, const ImageInfo& info);
    /// Reads all pixels, after RegionSource::prepare().
    void add(RegionSource& source, const JobControl& control);
    /// Counts a level of the last source as one of pixels with data.
    void add(std::uint16_t level);
    /// Counts pixels without data that the result has in addition.
    void addGaps();

    /// The samples of a result. The type is that of the sources; of differences, and of pixels without data that need
    /// one, the next wider one of its kind. The mark of stored levels is the no-data value of the file if it is a level
    /// that no pixel with data has, else there is none. The mark of other samples is the no-data value if no pixel with
    /// data has it; else NaN, or the sample of a pixel without data, or one that no pixel with data has. Empty without
    /// pixels to mark, and for differences of stored levels.
    [[nodiscard]] ResultSamples samplesFor(ResultValues values) const { return samplesFor({&values, 1}); }
    /// The samples of several results.
    [[nodiscard]] ResultSamples samplesFor(std::span<const ResultValues> values) const;
    /// Whether the samples of a result with levels of the source depend on its range alone.
    [[nodiscard]] bool isSettled(const ResultSamples& samples) const noexcept;

private:
    struct Source {
        PixelType type = PixelType::u8;
        std::optional<ValueMapping> mapping = {};
        std::optional<double> stated = {};     ///< number of the no-data sample
        std::vector<bool> used = {};           ///< of each level of the type
        ValidLevels range = {};                ///< of these levels
        std::optional<std::uint16_t> gap = {}; ///< smallest level of a pixel without data that has its own sample
    };

    void begin(PixelType type, const ImageInfo& info);
    void addPixels(const LoadedImage& part);
    [[nodiscard]] bool isMapped() const noexcept;
    [[nodiscard]] std::optional<std::uint64_t> markOfLevels(std::span<const ResultValues> values) const;
    /// Changes the type if no sample of it is free.
    void setMark(std::span<const ResultValues> values, ResultSamples& samples) const;

    std::vector<Source> sources_;
};

/// The samples of a result of an image or volume in memory.
[[nodiscard]] ResultSamples resultSamples(const LoadedImage& source, ResultValues values);
/// Those of an image or volume that is read in boxes, after RegionSource::prepare(); equal to those of the whole in
/// memory. Reads all pixels if they depend on each level.
[[nodiscard]] ResultSamples resultSamples(RegionSource& source, ResultValues values, const JobControl& control = {});

/// The source of a result whose levels have values of their own, see Session::filterRanks(), for the functions below.
[[nodiscard]] LoadedImage withOwnLevels(const LoadedImage& source, std::shared_ptr<const Image> result,
                                        ValueMapping mapping);

/// Rows of a result in samples. A pixel with the level of its source has the sample of its source, so far as the source
/// holds it; a pixel without data keeps NaN and else has the mark, if there is one.
/// @param image levels of the source's scale, or as @p values says; must outlive the result
/// @param source of the same size; its image may be null for values of other kinds
/// Differences whose levels are ranks have values of their own, see withOwnLevels().
[[nodiscard]] PixelRows resultRows(const Image& image, const LoadedImage& source, ResultValues values,
                                   const ResultSamples& samples);

/// The same rows, which keep the image.
[[nodiscard]] PixelRows ownedRows(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                                  const ResultSamples& samples);

} // namespace pollard
