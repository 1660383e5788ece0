#pragma once

#include "base/buffer.hpp"
#include "image/mask.hpp"
#include "io/image_reader.hpp"
#include "io/samples/no_data.hpp"
#include "io/samples/value_levels.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Pixels [x, x + count) of row y of the resulting image.
struct RowPlace {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::size_t count = 0;
};

/// Packed samples of at least `skip + count` pixels: either one row that interleaves `stride` samples per pixel, or one
/// row per required sample (stride 1).
struct PackedRows {
    std::span<const std::byte* const> rows;
    int stride = 1;
    std::size_t skip = 0; ///< pixels before the first one needed
};

/// Converts rows of samples to pixels, in any order. Several sinks of one image may work concurrently on different
/// pixels.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Required samples of a pixel, and the order of rows if there is one per sample.
    [[nodiscard]] virtual const std::vector<int>& samples() const noexcept = 0;
    /// @throws Error(fileDamaged) for invalid samples
    virtual void put(const RowPlace& place, const PackedRows& packed) = 0;
};

/// Passes rows of interleaved samples to several sinks.
class RowSinkGroup final : public RowSink {
public:
    explicit RowSinkGroup(std::vector<std::unique_ptr<RowSink>> sinks);

    [[nodiscard]] const std::vector<int>& samples() const noexcept override { return samples_; }
    void put(const RowPlace& place, const PackedRows& packed) override;

private:
    std::vector<std::unique_ptr<RowSink>> sinks_;
    std::vector<int> samples_;
};

/// Thread-safe set of pixels without data. Allocates memory with the first pixel.
class GapMap {
public:
    GapMap(std::uint32_t width, std::uint32_t height) : width_(width), height_(height) {}
    /// A copy of @p other, which no thread may change meanwhile.
    GapMap(const GapMap& other)
        : width_(other.width_), height_(other.height_),
          mask_(other.mask_ ? std::make_shared<Mask>(*other.mask_) : nullptr) {}
    GapMap& operator=(const GapMap&) = delete;

    /// Marks pixels [x, x + count) of row y.
    void add(const RowPlace& place);
    /// Marks the pixels whose flag is set.
    void add(const RowPlace& place, std::span<const std::uint8_t> flags);

    /// Pixels with data; null if all have.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const { return mask_; }

private:
    void clear(std::uint32_t first, std::size_t last, std::uint32_t y);

    std::uint32_t width_;
    std::uint32_t height_;
    std::mutex mutex_;
    std::shared_ptr<Mask> mask_;
};

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

/// How the samples of a pixel are converted to its grey level.
struct GreyPlan {
    /// Samples of the file used for the level: 1, or 3 for the luminance of RGB, or 4 for the luminance of CMYK.
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

enum class SampleKind : std::uint8_t { unsignedInteger, signedInteger, real };

/// Name for ImageInfo::sampleFormat.
[[nodiscard]] constexpr const char* nameOf(SampleKind kind) noexcept {
    return kind == SampleKind::real ? "float" : kind == SampleKind::signedInteger ? "signed" : "unsigned";
}

/// How the samples of a pixel are converted to its value.
struct ValuePlan {
    std::vector<int> samples; ///< 1, or 3 for the luminance 0.2126 R + 0.7152 G + 0.0722 B (integers: rounded half up)
    SampleKind kind = SampleKind::real;
    int bits = 32;                ///< 1 to 64 for integers, 16, 24, 32 or 64 for reals
    int alpha = -1;               ///< sample that is 0 for pixels without data; -1 if there is none
    std::optional<NoData> noData; ///< pixels whose samples all have this value have no data

    /// The type of values.
    [[nodiscard]] ValueType type() const noexcept;
    /// Like type(), but keeps the type of unsigned samples of up to 16 bits, which type() widens.
    [[nodiscard]] ValueType stored() const noexcept;
};

/// Values of an image before their mapping to levels.
class ValueBuffer {
public:
    /// @throws std::bad_alloc
    ValueBuffer(ValueType type, std::uint32_t width, std::uint32_t height)
        : bytes_(std::size_t{width} * height * bytesOf(type)), grid_{type, bytes_.data(), width, height} {}

    [[nodiscard]] const ValueGrid& grid() const noexcept { return grid_; }
    template <class T> [[nodiscard]] T* at(std::uint32_t x, std::uint32_t y) noexcept {
        return reinterpret_cast<T*>(bytes_.data()) + std::size_t{y} * grid_.width + x;
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }

private:
    Buffer<std::byte> bytes_;
    ValueGrid grid_;
};

/// Converts packed rows of samples to rows of values. Samples of 8, 16, 24, 32 and 64 bits are in host order; other
/// widths are packed most significant bit first without gaps, as in TIFF.
class ValueRows final : public RowSink {
public:
    /// @p values, of the plan's type, and @p gaps must outlive this object.
    ValueRows(ValuePlan plan, ValueBuffer& values, GapMap& gaps);

    [[nodiscard]] const std::vector<int>& samples() const noexcept override { return needed_; }
    void put(const RowPlace& place, const PackedRows& packed) override;

private:
    template <class T> void putValues(const RowPlace& place, const PackedRows& packed);
    void findTransparent(const RowPlace& place, const PackedRows& packed);

    ValuePlan plan_;
    ValueBuffer& values_;
    GapMap& gaps_;
    std::vector<int> needed_;
    std::vector<std::byte> scratch_;
    std::vector<std::uint8_t> flags_;
};

/// Value of a 16-bit float (IEEE 754 binary16): 1 sign, 5 exponent, 10 fraction bits.
[[nodiscard]] float floatFromHalf(std::uint16_t bits) noexcept;
/// Value of a 24-bit float as in TIFF Technical Note 3: 1 sign, 7 exponent (bias 63), 16 fraction bits.
[[nodiscard]] float floatFrom24Bits(std::uint32_t bits) noexcept;

} // namespace pollard
