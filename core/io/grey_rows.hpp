#pragma once

#include "io/image_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// 0.2126 R + 0.7152 G + 0.0722 B, rounded half up, exact in integers.
[[nodiscard]] constexpr std::uint16_t luminanceOf(std::uint32_t red, std::uint32_t green, std::uint32_t blue) noexcept {
    return static_cast<std::uint16_t>((2126 * red + 7152 * green + 722 * blue + 5000) / 10000);
}

/// How the samples of a pixel become its grey level.
struct GreyPlan {
    std::vector<int> samples;           ///< samples of the file that are needed: 1, or 3 for luminance
    int bits = 8;                       ///< of a sample in the file
    bool inverted = false;              ///< level = 2^bits - 1 - sample
    std::vector<std::uint16_t> palette; ///< grey level of each index; empty if the samples are levels
    PixelType type = PixelType::u8;     ///< of the grey image

    /// Plan for grey (1 colour sample) or RGB (3) with any number of further samples.
    /// Adds to @p notes what a person should know about the choice.
    /// @param alpha whether one of the further samples is transparency
    /// @throws Error(invalidArgument) if the chosen sample does not exist
    static GreyPlan forSamples(const SourceFile& source, const ChannelChoice& choice, int bits, int colourSamples,
                               int samples, bool alpha, std::vector<std::string>& notes);

    /// Plan for indexed colour; the colours have as many bits as @p type.
    /// @throws Error(invalidArgument) if the chosen sample is not red, green or blue
    static GreyPlan forPalette(const SourceFile& source, const ChannelChoice& choice, int bits, PixelType type,
                               const std::vector<std::array<std::uint16_t, 3>>& colours,
                               std::vector<std::string>& notes);
};

/// Turns packed rows of samples into rows of a grey image.
class GreyRows {
public:
    /// @p image must outlive this and be of the plan's type.
    GreyRows(const SourceFile& source, GreyPlan plan, Image& image);

    [[nodiscard]] const GreyPlan& plan() const noexcept { return plan_; }

    /// Writes @p count pixels at (x, y) from a row that interleaves @p stride samples a pixel.
    /// @throws Error(fileDamaged) for an index outside the palette
    void putInterleaved(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row, int stride);

    /// The same from one row of each sample of plan().samples, in that order.
    void putPlanes(std::uint32_t x, std::uint32_t y, std::size_t count, const std::vector<const std::byte*>& rows);

private:
    void put(std::uint32_t x, std::uint32_t y, std::size_t count);
    [[nodiscard]] bool copyPlain(std::uint32_t x, std::uint32_t y, std::size_t count, const std::byte* row) noexcept;

    const SourceFile& source_;
    GreyPlan plan_;
    Image& image_;
    std::array<std::vector<std::uint16_t>, 3> channels_;
};

} // namespace pollard
