#include "io/write/planes.hpp"

#include "io/samples/value_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

namespace {

using enum ValueType;

/// Converts the rows of a plane to another type. @param convert converts one sample
template <class From, class To, class Convert> PixelRows converted(PixelRows rows, ValueType type, Convert convert) {
    PixelRows made{rows.extent, type, {}, rows.largest, rows.areLabels};
    made.read = [from = std::move(rows), convert](std::uint64_t first, std::uint32_t count, std::byte* out) {
        std::vector<From> samples(std::size_t{count} * from.extent.width);
        from.read(first, count, reinterpret_cast<std::byte*>(samples.data()));
        std::ranges::transform(samples, reinterpret_cast<To*>(out), convert);
    };
    return made;
}

} // namespace

const SampleType& sampleTypeOf(ValueType type) noexcept {
    static constexpr std::array<SampleType, 10> kTypes{{{u8, 2, "uint8", "|u1", "MET_UCHAR"},
                                                        {i8, 256, "int8", "|i1", "MET_CHAR"},
                                                        {u16, 512, "uint16", "<u2", "MET_USHORT"},
                                                        {i16, 4, "int16", "<i2", "MET_SHORT"},
                                                        {i32, 8, "int32", "<i4", "MET_INT"},
                                                        {u32, 768, "uint32", "<u4", "MET_UINT"},
                                                        {i64, 1024, "int64", "<i8", "MET_LONG_LONG"},
                                                        {u64, 1280, "uint64", "<u8", "MET_ULONG_LONG"},
                                                        {f32, 16, "float", "<f4", "MET_FLOAT"},
                                                        {f64, 64, "double", "<f8", "MET_DOUBLE"}}};
    return *std::ranges::find(kTypes, type, &SampleType::type);
}

std::pair<double, double> rangeOf(ValueType type) noexcept {
    return dispatch(type, []<class T>(T) {
        return std::pair(static_cast<double>(std::numeric_limits<T>::lowest()),
                         static_cast<double>(std::numeric_limits<T>::max()));
    });
}

std::uint64_t sampleNearest(ValueType type, double number) noexcept {
    ValueMapping mapping;
    mapping.file.type = type;
    return mapping.nearestSample(number);
}

ValueType typeOfValues(double offset, double step, ValueType samples) noexcept {
    if (offset == 0 && step == 1) {
        return samples;
    }
    if (isFloat(samples) || bitsOf(samples) > 32) {
        return f64;
    }
    const auto [first, last] = rangeOf(samples);
    const auto [low, high] = std::minmax({offset + step * first, offset + step * last});
    if (std::floor(offset) == offset && std::floor(step) == step) {
        for (const ValueType type : {u8, i8, u16, i16, i32, u32}) {
            if (rangeOf(type).first <= low && high <= rangeOf(type).second) {
                return type;
            }
        }
    }
    constexpr double kFloatSteps = 1 << 24; // between zero and a value
    return std::max(std::abs(low), std::abs(high)) <= std::abs(step) * kFloatSteps ? f32 : f64;
}

Plane inValues(Plane plane) {
    const Calibration scale = plane.facts.scale;
    if (scale.isIdentity() || plane.rows.areLabels) {
        return plane;
    }
    const ValueType type = typeOfValues(scale.intercept, scale.slope, plane.rows.type);
    plane.rows = dispatch(plane.rows.type, [&]<class From>(From) {
        return dispatch(type, [&]<class To>(To) {
            return converted<From, To>(std::move(plane.rows), type, [scale](From sample) {
                return static_cast<To>(scale.valueOf(static_cast<double>(sample)));
            });
        });
    });
    if (plane.facts.noData) {
        plane.facts.noData = scale.valueOf(*plane.facts.noData);
    }
    plane.facts.scale = {1, 0, scale.unit};
    return plane;
}

bool isMarkedByNan(const Plane& plane) noexcept {
    return !plane.facts.hasGaps || (isFloat(plane.rows.type) && plane.facts.noData);
}

Plane withNan(Plane plane) {
    const std::optional<double> noData = plane.facts.noData;
    if (!isFloat(plane.rows.type) || !noData || std::isnan(*noData)) {
        return plane;
    }
    const auto marked = [&]<class T>(T) {
        return converted<T, T>(std::move(plane.rows), plane.rows.type, [mark = static_cast<T>(*noData)](T sample) {
            return sample == mark ? std::numeric_limits<T>::quiet_NaN() : sample;
        });
    };
    plane.rows = plane.rows.type == f32 ? marked(float{}) : marked(double{});
    plane.facts.noData = std::numeric_limits<double>::quiet_NaN();
    return plane;
}

} // namespace pollard
