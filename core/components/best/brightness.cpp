#include "components/best/brightness.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/best/smoothing.hpp"
#include "image/grey_weights.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace pollard {

namespace {

constexpr double kSigma = 0.7;            ///< of the Gaussian, in the smallest sides
constexpr std::uint32_t kWeightBits = 24; ///< of the value of a level
constexpr int kDroppedBits = 24;          ///< of the smoothed value, which then has 32 bits

/// Numbers proportional to the values of the levels, below 2^kWeightBits.
std::vector<std::uint32_t> weightsOf(PixelType type, const std::optional<ValueMapping>& mapping, Polarity polarity) {
    constexpr std::uint32_t kLast = (1U << kWeightBits) - 1;
    std::vector<std::uint32_t> weights(std::size_t{maxLevelOf(type)} + 1);
    if (mapping && !mapping->isProportional()) {
        const GreyWeights grey(*mapping);
        const std::uint64_t last = std::max<std::uint64_t>(grey.last(), 1);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = static_cast<std::uint32_t>(UInt128{grey.of(static_cast<std::uint16_t>(i))} * kLast / last);
        }
    } else {
        const int shift = static_cast<int>(kWeightBits) - bitsOf(type);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = static_cast<std::uint32_t>(i) << shift;
        }
    }
    if (polarity == Polarity::dark) {
        const std::uint32_t last = weights.back();
        for (std::uint32_t& each : weights) {
            each = last - each;
        }
    }
    return weights;
}

/// The smallest weight of the pixels of a mask; 0 if it has none.
std::uint32_t smallestInside(const Image& image, const Mask& inside, std::span<const std::uint32_t> weights) {
    std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t y = 0; y < inside.height(); ++y) {
        forEachRun(inside, y, true, [&](std::uint32_t first, std::uint32_t last) {
            for (std::size_t i = std::size_t{y} * image.width() + first; first < last; ++first, ++i) {
                smallest = std::min(smallest, weights[image.level(i)]);
            }
        });
    }
    return smallest == std::numeric_limits<std::uint32_t>::max() ? 0 : smallest;
}

/// Smooths the image; pixels outside the mask have the smallest value inside.
Buffer<std::uint32_t> smoothed(const Image& image, const Mask* inside, std::span<const std::uint32_t> weights,
                               const JobControl& control) {
    const std::uint32_t outside = inside == nullptr ? 0 : smallestInside(image, *inside, weights);
    const auto fill = [&](std::size_t row, std::span<std::uint32_t> line) {
        dispatch(image.type(), [&]<class T>(T /*pixel*/) {
            const std::span<const T> pixels = image.pixels<T>().subspan(row * line.size(), line.size());
            std::ranges::transform(pixels, line.begin(), [&](T level) { return weights[level]; });
        });
        if (inside != nullptr) {
            forEachRun(*inside, static_cast<std::uint32_t>(row), false, [&](std::uint32_t first, std::uint32_t last) {
                std::ranges::fill(line.subspan(first, last - first), outside);
            });
        }
    };
    Buffer<std::uint32_t> smooth(image.pixelCount());
    smoothRows(image.extent(), SmoothingWeights(kSigma, image.sides()), kDroppedBits, fill, smooth.span(), control);
    return smooth;
}

/// The values of the pixels of a mask.
std::vector<std::uint32_t> valuesInside(std::span<const std::uint32_t> values, const Mask& inside) {
    std::vector<std::uint32_t> found;
    found.reserve(inside.count());
    for (std::uint32_t y = 0; y < inside.height(); ++y) {
        const auto row = values.subspan(std::size_t{y} * inside.width(), inside.width());
        forEachRun(inside, y, true, [&](std::uint32_t first, std::uint32_t last) {
            found.insert(found.end(), row.begin() + first, row.begin() + last);
        });
    }
    return found;
}

/// The value at place @p rank (from 0) of the values in ascending order. Counts the upper and then the lower halves.
std::uint32_t valueAtRank(std::span<const std::uint32_t> values, std::uint64_t rank, const JobControl& control) {
    constexpr std::size_t kHalves = 1U << 16U;
    std::uint32_t upper = 0;
    std::size_t found = 0;
    for (const int round : {0, 1}) {
        std::vector<std::atomic<std::uint32_t>> counts(kHalves);
        forEachRange(
            values.size(), control,
            [&](std::size_t begin, std::size_t end) {
                std::vector<std::uint32_t> own(kHalves);
                for (std::size_t i = begin; i < end; ++i) {
                    if (round == 0) {
                        ++own[values[i] >> 16U];
                    } else if (values[i] >> 16U == upper) {
                        ++own[values[i] & 0xffffU];
                    }
                }
                for (std::size_t i = 0; i < kHalves; ++i) {
                    if (own[i] != 0) {
                        counts[i].fetch_add(own[i], std::memory_order_relaxed);
                    }
                }
            },
            std::size_t{1} << 20U);
        for (found = 0; rank >= counts[found]; ++found) {
            rank -= counts[found];
        }
        if (round == 0) {
            upper = static_cast<std::uint32_t>(found);
        }
    }
    return upper << 16U | static_cast<std::uint32_t>(found);
}

} // namespace

Brightness brightnessOf(const Image& image, const Mask* inside, const std::optional<ValueMapping>& mapping,
                        Polarity polarity, const JobControl& control) {
    if (inside != nullptr && !fits(*inside, image)) {
        throw Error(ErrorCode::invalidArgument, "best components: the mask has another size than the image");
    }
    const std::size_t n = image.pixelCount();
    const std::vector<std::uint32_t> weights = weightsOf(image.type(), mapping, polarity);
    const Buffer<std::uint32_t> smooth = smoothed(image, inside, weights, control);
    const std::vector<std::uint32_t> some =
        inside == nullptr ? std::vector<std::uint32_t>() : valuesInside(smooth.span(), *inside);
    const std::span<const std::uint32_t> counted = inside == nullptr ? smooth.span() : some;
    const std::uint64_t last = counted.empty() ? 0 : counted.size() - 1;
    const std::uint64_t low = counted.empty() ? 0 : valueAtRank(counted, 0, control);
    const std::uint64_t high = counted.empty() ? 0 : valueAtRank(counted, last * 999 / 1000, control);
    const std::uint64_t range = std::max<std::uint64_t>(high - low, 1);
    Brightness result{Image(PixelType::u8, image.extent()), Buffer<std::uint16_t>(n)};
    result.levels.setSides(image.sides());
    const std::span<std::uint8_t> levels = result.levels.pixels<std::uint8_t>();
    forEachIndex(n, control, [&](std::size_t i) {
        const std::uint64_t scaled =
            ((std::max<std::uint64_t>(smooth[i], low) - low) * Brightness::kFull + range / 2) / range;
        const auto number = static_cast<std::uint32_t>(std::min<std::uint64_t>(scaled, Brightness::kMost));
        result.fine[i] = static_cast<std::uint16_t>(number);
        levels[i] = static_cast<std::uint8_t>((number + Brightness::kSteps / 2) / Brightness::kSteps);
    });
    if (inside != nullptr) {
        for (std::uint32_t y = 0; y < inside->height(); ++y) {
            forEachRun(*inside, y, false, [&](std::uint32_t first, std::uint32_t end) {
                const std::size_t row = std::size_t{y} * image.width();
                std::fill(result.fine.begin() + row + first, result.fine.begin() + row + end, std::uint16_t{0});
                std::fill(levels.begin() + row + first, levels.begin() + row + end, std::uint8_t{0});
            });
        }
    }
    return result;
}

} // namespace pollard
