#pragma once

#include "image/halving.hpp"
#include "image/value_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace pollard {

__extension__ using Wide = __int128; ///< sums of 64-bit samples

/// One row of a reduced version: means of the 2 x 2 pixels with data, rounded half up for integers. NaN has no data. A
/// mean that is the sample of pixels without data becomes the first pixel with data.
/// @param upper,lower rows of @p width px; the same row twice if there is no lower one
/// @param noData bits of the sample of pixels without data @param out receives (width + 1) / 2 samples
template <class T> void reduceRow(const T* upper, const T* lower, std::uint32_t width,
                                  const std::optional<std::uint64_t>& noData, T* out) {
    if constexpr (std::is_unsigned_v<T>) {
        if (!noData) {
            halveRow(upper, lower, width, out);
            return;
        }
    }
    const auto hasData = [&](T sample) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(sample)) {
                return false;
            }
        }
        return !noData || bitsOfSample(sample) != *noData;
    };
    for (std::uint32_t x = 0; x < width; x += 2) {
        using Sum = std::conditional_t<std::is_floating_point_v<T>, double, Wide>;
        Sum sum = 0;
        int count = 0;
        T first = upper[x];
        for (const T* row : {upper, lower}) {
            for (std::uint32_t i = x; i < x + 2; ++i) {
                const T sample = row[std::min(i, width - 1)];
                if (hasData(sample)) {
                    first = count == 0 ? sample : first;
                    sum += static_cast<Sum>(sample);
                    ++count;
                }
            }
        }
        T mean = first;
        if (count > 0) {
            if constexpr (std::is_floating_point_v<T>) {
                mean = static_cast<T>(sum / count);
            } else {
                const Sum twice = 2 * sum + count;
                const Sum half = twice / (2 * count);
                mean = static_cast<T>(half - (twice % (2 * count) < 0 ? 1 : 0));
            }
        }
        *out++ = hasData(mean) ? mean : first;
    }
}

} // namespace pollard
