#pragma once

#include "io/image_reader.hpp"
#include "io/samples/no_data.hpp"
#include "io/samples/row_sink.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Extracts every @p stride-th sample of a packed row, starting with sample @p first. Samples of 8 bits are bytes, of
/// 16 bits words in host order; widths of 1 to 15 are packed most significant bit first without gaps, as in TIFF with
/// FillOrder 1.
/// @param row at least ceil((first + (count - 1) * stride + 1) * bits / 8) bytes, of any alignment
/// @param out @p count values
void unpackSamples(const std::byte* row, int bits, std::size_t first, std::size_t stride, std::size_t count,
                   std::uint16_t* out) noexcept;

/// The level of pixels without data, if samples are levels; nothing if none is.
[[nodiscard]] std::optional<std::uint16_t> levelOfNoData(const NoData& noData) noexcept;

/// 0.2126 R + 0.7152 G + 0.0722 B, rounded half up, with exact integers.
[[nodiscard]] constexpr std::uint16_t luminanceOf(std::uint32_t red, std::uint32_t green, std::uint32_t blue) noexcept {
    return static_cast<std::uint16_t>((2126 * red + 7152 * green + 722 * blue + 5000) / 10000);
}

/// How the samples of a pixel become its grey level.
struct GreyPlan {
    /// Samples of the file used for the level: 1, 3 for the luminance of RGB, 4 for that of CMYK.
    std::vector<int> samples;
    int bits = 8;                        ///< per sample in the file
    bool inverted = false;               ///< level = 2^bits - 1 - sample
    std::vector<std::uint16_t> palette;  ///< grey level per index; empty if the samples are levels
    PixelType type = PixelType::u8;      ///< type of the grey image
    int alpha = -1;                      ///< sample that is 0 for pixels without data; -1 if there is none
    std::optional<std::uint16_t> noData; ///< pixels whose samples all have this value have no data

    /// Plan for grey (1 colour sample), RGB (3) or CMYK (4) with any number of further samples. Adds notes for the user
    /// to @p notes.
    /// @param alpha whether one of the further samples is transparency
    /// @param alphaSample its index if zeros mark pixels without data, else -1
    /// @throws Error(invalidArgument) if the chosen sample does not exist
    static GreyPlan forSamples(const SourceFile& source, const ChannelChoice& choice, int bits, int colourSamples,
                               int samples, bool alpha, std::vector<std::string>& notes, int alphaSample = -1);

    /// Plan for indexed colour; colours have the bit depth of @p type. Sample 3 is the index itself.
    /// @throws Error(invalidArgument) if the chosen sample is not red, green, blue or the index
    static GreyPlan forPalette(const SourceFile& source, const ChannelChoice& choice, int bits, PixelType type,
                               const std::vector<std::array<std::uint16_t, 3>>& colours,
                               std::vector<std::string>& notes);
};

/// Luminance of inks: R = (max - C) (max - K) / max and so on, then as luminanceOf(), with a single rounding half up.
[[nodiscard]] constexpr std::uint16_t luminanceOfInks(std::uint32_t cyan, std::uint32_t magenta, std::uint32_t yellow,
                                                      std::uint32_t black, std::uint32_t max) noexcept {
    const std::uint64_t colour = std::uint64_t{2126} * (max - cyan) + std::uint64_t{7152} * (max - magenta) +
                                 std::uint64_t{722} * (max - yellow);
    const std::uint64_t scale = std::uint64_t{10000} * max;
    return static_cast<std::uint16_t>((colour * (max - black) + scale / 2) / scale);
}

/// Converts packed rows of unsigned samples of 1 to 16 bits to rows of a grey image.
class GreyRows final : public RowSink {
public:
    /// @p image must outlive this object and have the plan's type; @p gaps, too, if the plan has pixels without data.
    GreyRows(const SourceFile& source, GreyPlan plan, Image& image, GapMap* gaps = nullptr);

    [[nodiscard]] const GreyPlan& plan() const noexcept { return plan_; }

    [[nodiscard]] const std::vector<int>& samples() const noexcept override { return needed_; }
    void put(const RowPlace& place, const PackedRows& packed) override;

    /// Writes @p count pixels at (x, y) from a row that interleaves @p stride samples per pixel.
    /// @throws Error(fileDamaged) for an index outside the palette
    void putInterleaved(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row, int stride);

private:
    [[nodiscard]] bool copyPlain(const RowPlace& place, const PackedRows& packed) noexcept;
    void findGaps(const RowPlace& place);
    void toLevels(const RowPlace& place);

    const SourceFile& source_;
    GreyPlan plan_;
    Image& image_;
    GapMap* gaps_;
    std::vector<int> needed_; ///< samples of the plan, and alpha
    std::vector<std::vector<std::uint16_t>> channels_;
    std::vector<std::uint8_t> flags_;
};

} // namespace pollard
