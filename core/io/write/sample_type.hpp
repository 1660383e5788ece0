#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>

namespace pollard {

/// A type of samples in files of values.
struct SampleType {
    std::int16_t nifti; ///< code of the type
    const char* nrrd;
    const char* zarr; ///< of Zarr 2, little-endian
    std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::int32_t, std::uint32_t, float, double>
        sample; ///< of this type

    [[nodiscard]] int bits() const {
        return std::visit([](auto value) { return 8 * static_cast<int>(sizeof value); }, sample);
    }
    [[nodiscard]] bool holds(double low, double high) const {
        return std::visit(
            [=]<class T>(T) {
                return double{std::numeric_limits<T>::lowest()} <= low && high <= double{std::numeric_limits<T>::max()};
            },
            sample);
    }
};

inline constexpr SampleType kUnsigned32{768, "uint32", "<u4", std::uint32_t{}};

/// The first of 8-, 16- and 32-bit integers that holds all values offset + step * level of the levels 0 to @p lastLevel
/// if offset and step are whole numbers, else float or, where that would join levels, double.
[[nodiscard]] inline const SampleType& sampleTypeFor(double offset, double step, double lastLevel) {
    static constexpr std::array<SampleType, 6> kIntegers{{{2, "uint8", "|u1", std::uint8_t{}},
                                                          {256, "int8", "|i1", std::int8_t{}},
                                                          {512, "uint16", "<u2", std::uint16_t{}},
                                                          {4, "int16", "<i2", std::int16_t{}},
                                                          {8, "int32", "<i4", std::int32_t{}},
                                                          kUnsigned32}};
    static constexpr SampleType kFloat{16, "float", "<f4", float{}};
    static constexpr SampleType kDouble{64, "double", "<f8", double{}};
    const auto [low, high] = std::minmax({offset, offset + step * lastLevel});
    if (std::floor(offset) == offset && std::floor(step) == step) {
        for (const SampleType& type : kIntegers) {
            if (type.holds(low, high)) {
                return type;
            }
        }
    }
    constexpr double kFloatSteps = 1 << 24; // between zero and a value
    return std::max(std::abs(low), std::abs(high)) <= std::abs(step) * kFloatSteps ? kFloat : kDouble;
}

/// Calls @p write with a sample of the type and a pixel of @p bits; pixels of 32 bits are labels, written as they are.
template <class Write> void withTypes(const SampleType& type, int bits, Write&& write) {
    if (bits == 32) {
        write(std::uint32_t{}, std::uint32_t{});
        return;
    }
    std::visit([&](auto sample) { bits == 8 ? write(sample, std::uint8_t{}) : write(sample, std::uint16_t{}); },
               type.sample);
}

} // namespace pollard
