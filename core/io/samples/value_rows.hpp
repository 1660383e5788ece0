#pragma once

#include "base/buffer.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_levels.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

enum class SampleKind : std::uint8_t { unsignedInteger, signedInteger, real };

/// As in ImageInfo::sampleFormat.
[[nodiscard]] constexpr const char* nameOf(SampleKind kind) noexcept {
    return kind == SampleKind::real ? "float" : kind == SampleKind::signedInteger ? "signed" : "unsigned";
}

/// How the samples of a pixel become its value.
struct ValuePlan {
    std::vector<int> samples; ///< 1, or 3 for the luminance 0.2126 R + 0.7152 G + 0.0722 B (integers: rounded half up)
    SampleKind kind = SampleKind::real;
    int bits = 32;                ///< 1 to 64 for integers, 16, 24, 32 or 64 for reals
    int alpha = -1;               ///< sample that is 0 for pixels without data; -1 if there is none
    std::optional<NoData> noData; ///< pixels whose samples all have this value have no data

    /// The type of values.
    [[nodiscard]] ValueType type() const noexcept;
    /// As type(), with the types of unsigned samples of up to 16 bits, which values have wider.
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
