#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "io/image_reader.hpp"
#include "io/samples/row_sink.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Pages that are decoded one by one, in any order.
class PageDecoder {
public:
    virtual ~PageDecoder() = default;

    /// Decodes the samples of a page, in the byte order of the layout, into @p out, which has the size of the samples.
    /// Thread-safe.
    /// @throws Error(fileDamaged, formatUnsupported), Cancelled
    virtual void decode(std::uint64_t page, std::span<std::byte> out, const JobControl& control) const = 0;
};

/// The header of a file of equally large planes of samples. Voxels are stored along x, then
/// y, then the page axes; the samples of a voxel are interleaved.
struct VolumeLayout {
    enum class Coding {
        none,
        deflate, ///< a zlib stream or gzip members, recognised by their first bytes
        text,    ///< numbers with white space or commas between them
        hex,     ///< two digits a byte
        pages,   ///< pages are decoded by VolumeLayout::decoder
    };

    std::string format;      ///< "NIfTI-1", "NRRD", ...
    SourceFile data;         ///< file with the samples; may be the file of the header
    std::uint64_t begin = 0; ///< bytes of the data file before the coded samples
    std::uint64_t skip = 0;  ///< decoded bytes before the first sample
    Coding coding = Coding::none;
    std::shared_ptr<const PageDecoder> decoder = nullptr; ///< for Coding::pages; needed to read samples
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8; ///< 8, 16, 32 or 64
    bool bigEndian = false;
    std::uint64_t samples = 1;    ///< of a voxel
    bool colour = false;          ///< the first samples are red, green and blue
    bool alpha = false;           ///< the fourth sample of a colour is 0 if the voxel has no data
    bool coloursHaveData = false; ///< all voxels with colours have data
    bool oneRange = true;         ///< the mapping of values follows from all pages, not only from pages that are read
    std::uint64_t width = 0;      ///< px
    std::uint64_t height = 0;
    /// Axes of the pages with their lengths, the fastest first.
    std::vector<std::pair<char, std::uint64_t>> axes;
    double timeStep = 0;  ///< distance of times in `timeUnit`; 0: not stated
    std::string timeUnit; ///< as StackAxis::unit
    Calibration scale;
    std::optional<ChannelWindow> window = {}; ///< as in ImageInfo
    /// The smallest and largest sample that marks pixels without data; of pages of one sample.
    std::optional<std::pair<double, double>> padding = {};
    std::optional<PixelSize> pixelSize;
    std::optional<VoxelSides> spacing; ///< as in ImageInfo
    std::optional<VoxelPlace> place;   ///< of the first voxel of the file
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;

    [[nodiscard]] std::size_t sampleBytes() const noexcept { return static_cast<std::size_t>(bits) / 8; }
    [[nodiscard]] std::size_t voxelBytes() const noexcept { return sampleBytes() * samples; }
    /// The plan for the values of a sample.
    [[nodiscard]] ValuePlan planOf(int sample) const { return {{sample}, kind, bits, -1, {}}; }
    /// Values of a sample of columns x rows voxels with their scale.
    [[nodiscard]] ValueGrid gridOf(int sample, const void* values, std::uint32_t columns, std::uint32_t rows) const {
        const ValuePlan plan = planOf(sample);
        return {plan.type(), values, columns, rows, {scale.slope, scale.intercept, {}}, plan.stored()};
    }
};

/// Pixels whose sample is not padding; null if no pixel is padding.
[[nodiscard]] std::shared_ptr<const Mask> maskOfPadding(const VolumeLayout& layout, const ValueGrid& samples);

/// Decoded bytes of all samples; the largest number on overflow.
[[nodiscard]] std::uint64_t bytesOfSamples(const VolumeLayout& layout) noexcept;

/// A page of a volume. Unsigned samples of 8 and 16 bits are levels. Other samples are mapped to levels, with the same
/// mapping for all pages: automatic, minMax and percentile refer to the values of all pages. This takes a pass over the
/// file; the result is kept for the next pages. Slices are read together if their samples can only be read forwards, or
/// if their range has to be found.
class VolumePage : public FilePage {
public:
    /// Checks the sides, and whether the data file can contain the samples.
    /// @throws Error(fileDamaged, limitExceeded, formatUnsupported, invalidArgument)
    VolumePage(const SourceFile& source, VolumeLayout layout, const ReadOptions& options);

    /// False only if all voxels have data: values that cannot be NaN, without transparency.
    [[nodiscard]] bool mayHaveGaps() const override;
    [[nodiscard]] LoadedImage read(const JobControl& control) override;
    bool readSlices(int count, const TakeSlice& take, const JobControl& control) override;

protected:
    VolumeLayout layout_;
};

} // namespace pollard
