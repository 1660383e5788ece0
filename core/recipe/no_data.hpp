#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/region_source.hpp"
#include "io/samples/value_image.hpp"
#include "io/write/planes.hpp"
#include "recipe/results/result_tags.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The level of the no-data value that a file states, if it is a level.
[[nodiscard]] std::optional<std::uint16_t> noDataLevel(PixelType type, const ImageInfo& info);

/// Levels of the pixels with data of a source, or of several sources that are written with one mark and type.
class UsedLevels {
public:
    UsedLevels() = default;
    /// Every level from the smallest to the largest.
    UsedLevels(const ValidLevels& range, PixelType type, const ImageInfo& info);

    void add(const LoadedImage& source);
    /// Adds a source by its facts; any of its levels may be used.
    void addAll(PixelType type, const ImageInfo& info);
    /// Reads all pixels, after RegionSource::prepare().
    void add(RegionSource& source, const JobControl& control);
    /// Marks a level of the last source as used by pixels with data.
    void add(std::uint16_t level);
    /// Notes that the result has further pixels without data.
    void addInvalidPixels();

    /// The samples of a result. Their type is the type of the sources, or the next wider type of its kind for
    /// differences and if pixels without data need a free sample. The mark of stored levels is the no-data value of the
    /// file if no pixel with data has this level, else there is none. The mark of other samples is the no-data value if
    /// no pixel with data has it; else NaN, or the sample of a pixel without data, or a sample that no pixel with data
    /// has. There is no mark without pixels to mark, and for differences of stored levels.
    [[nodiscard]] ResultSamples samplesFor(ResultValues values) const { return samplesFor({&values, 1}); }
    /// The samples of several results.
    [[nodiscard]] ResultSamples samplesFor(std::span<const ResultValues> values) const;
    /// Whether the samples of a result with levels of the source depend on its range alone.
    [[nodiscard]] bool isFinal(const ResultSamples& samples) const noexcept;

private:
    struct Source {
        PixelType type = PixelType::u8;
        std::optional<ValueMapping> mapping = {};
        std::optional<double> stated = {};     ///< number of the no-data sample
        std::vector<bool> used = {};           ///< per level of the type: whether a pixel with data has it
        ValidLevels range = {};                ///< of these levels
        std::optional<std::uint16_t> gap = {}; ///< smallest level of a pixel without data that has its own sample
    };

    void begin(PixelType type, const ImageInfo& info);
    void addPixels(const LoadedImage& part);
    [[nodiscard]] bool isMapped() const noexcept;
    [[nodiscard]] std::optional<std::uint64_t> markOfLevels(std::span<const ResultValues> values) const;
    /// Sets the mark. Changes the type if pixels with data use all its samples.
    void setMark(std::span<const ResultValues> values, ResultSamples& samples) const;

    std::vector<Source> sources_;
};

/// The samples of a result of an image or volume in memory.
[[nodiscard]] ResultSamples resultSamples(const LoadedImage& source, ResultValues values);
/// The samples of a result of an image or volume that is read in boxes, after RegionSource::prepare(). They equal the
/// samples for the whole image in memory. Reads all pixels if the samples depend on each level.
[[nodiscard]] ResultSamples resultSamples(RegionSource& source, ResultValues values, const JobControl& control = {});

/// Makes a source for the functions below from a result with its own mapping, see Session::filterRanks().
[[nodiscard]] LoadedImage withOwnLevels(const LoadedImage& source, std::shared_ptr<const Image> result,
                                        ValueMapping mapping);

/// Rows of a result in samples. A pixel with the level of its source has the sample of its source, if the source holds
/// samples. A pixel without data keeps NaN; otherwise it gets the mark, if there is one. Differences of ranks
/// have their own mapping, see withOwnLevels().
/// @param image levels on the scale of the source, or as @p values says; must outlive the result
/// @param source of the same size; its image may be null for values of other kinds
[[nodiscard]] PixelRows resultRows(const Image& image, const LoadedImage& source, ResultValues values,
                                   const ResultSamples& samples);

/// As resultRows(); the rows keep the image.
[[nodiscard]] PixelRows ownedRows(std::shared_ptr<const Image> image, const LoadedImage& source, ResultValues values,
                                  const ResultSamples& samples);

} // namespace pollard
