#include "components/best/brightness.hpp"

#include "base/compiler.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "image/grey_weights.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Gaussian of sigma 0.7 px at 0, 1, 2 and 3 px; the seven weights sum up to 2^16.
constexpr std::array<std::uint64_t, 4> kGaussian{37346, 13461, 630, 4};
constexpr std::uint32_t kReach = 3;
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
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        forEachRun(inside, y, true, [&](std::uint32_t first, std::uint32_t last) {
            for (std::size_t i = std::size_t{y} * image.width() + first; first < last; ++first, ++i) {
                smallest = std::min(smallest, weights[image.level(i)]);
            }
        });
    }
    return smallest == std::numeric_limits<std::uint32_t>::max() ? 0 : smallest;
}

/// Smooths an image row by row.
class Smoothing {
public:
    Smoothing(const Image& image, const Mask* inside, std::span<const std::uint32_t> weights)
        : image_(image), inside_(inside), weights_(weights),
          outside_(inside == nullptr ? 0 : smallestInside(image, *inside, weights)) {}

    /// Writes the rows [first, last).
    void rows(std::uint32_t first, std::uint32_t last, std::span<std::uint32_t> out) const {
        const std::uint32_t width = image_.width();
        std::array<std::vector<std::uint64_t>, 2 * kReach + 1> ring;
        std::vector<std::uint32_t> line(width + std::size_t{2} * kReach);
        const auto sumRow = [&](std::int64_t y) {
            std::vector<std::uint64_t>& sums = ring[static_cast<std::size_t>(y + kReach) % ring.size()];
            sums.resize(width);
            const std::int64_t lastRow = std::int64_t{image_.height()} - 1;
            fill(static_cast<std::uint32_t>(std::clamp<std::int64_t>(y, 0, lastRow)), line);
            for (std::size_t x = 0; x < width; ++x) {
                std::uint64_t sum = kGaussian[0] * line[x + kReach];
                for (std::size_t k = 1; k <= kReach; ++k) {
                    sum += kGaussian[k] * (std::uint64_t{line[x + kReach - k]} + line[x + kReach + k]);
                }
                sums[x] = sum;
            }
        };
        for (std::int64_t y = std::int64_t{first} - kReach; y < std::int64_t{first} + kReach; ++y) {
            sumRow(y);
        }
        for (std::uint32_t y = first; y < last; ++y) {
            sumRow(std::int64_t{y} + kReach);
            const auto row = [&](std::size_t back) -> const std::vector<std::uint64_t>& {
                return ring[(y + back) % ring.size()];
            };
            for (std::size_t x = 0; x < width; ++x) {
                std::uint64_t sum = kGaussian[0] * row(kReach)[x];
                for (std::size_t k = 1; k <= kReach; ++k) {
                    sum += kGaussian[k] * (row(kReach - k)[x] + row(kReach + k)[x]);
                }
                out[std::size_t{y} * width + x] = static_cast<std::uint32_t>(sum >> kDroppedBits);
            }
        }
    }

private:
    /// The weights of a row, continued beyond both ends.
    void fill(std::uint32_t y, std::vector<std::uint32_t>& line) const {
        const std::uint32_t width = image_.width();
        std::uint32_t* const out = line.data() + kReach;
        dispatch(image_.type(), [&]<class T>(T /*pixel*/) {
            const std::span<const T> pixels = image_.pixels<T>().subspan(std::size_t{y} * width, width);
            std::ranges::transform(pixels, out, [&](T level) { return weights_[level]; });
        });
        if (inside_ != nullptr) {
            forEachRun(*inside_, y, false,
                       [&](std::uint32_t first, std::uint32_t last) { std::fill(out + first, out + last, outside_); });
        }
        std::fill_n(line.data(), kReach, out[0]);
        std::fill_n(out + width, kReach, out[width - 1]);
    }

    const Image& image_;
    const Mask* inside_;
    std::span<const std::uint32_t> weights_;
    std::uint32_t outside_;
};

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
    requireImage(image.extent(), "best components");
    if (inside != nullptr && !fits(*inside, image)) {
        throw Error(ErrorCode::invalidArgument, "best components: the mask has another size than the image");
    }
    const std::size_t n = image.pixelCount();
    const std::vector<std::uint32_t> weights = weightsOf(image.type(), mapping, polarity);
    const Smoothing smoothing(image, inside, weights);
    Buffer<std::uint32_t> smooth(n);
    constexpr std::size_t kRows = 64;
    forEachRange(
        image.height(), control,
        [&](std::size_t begin, std::size_t end) {
            smoothing.rows(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), smooth.span());
        },
        kRows);
    const std::vector<std::uint32_t> some =
        inside == nullptr ? std::vector<std::uint32_t>() : valuesInside(smooth.span(), *inside);
    const std::span<const std::uint32_t> counted = inside == nullptr ? std::as_const(smooth).span() : some;
    const std::uint64_t last = counted.empty() ? 0 : counted.size() - 1;
    const std::uint64_t low = counted.empty() ? 0 : valueAtRank(counted, 0, control);
    const std::uint64_t high = counted.empty() ? 0 : valueAtRank(counted, last * 999 / 1000, control);
    const std::uint64_t range = std::max<std::uint64_t>(high - low, 1);
    Brightness result{Image(PixelType::u8, image.width(), image.height()), Buffer<std::uint16_t>(n)};
    const std::span<std::uint8_t> levels = result.levels.pixels<std::uint8_t>();
    forEachIndex(n, control, [&](std::size_t i) {
        const std::uint64_t scaled =
            ((std::max<std::uint64_t>(smooth[i], low) - low) * Brightness::kFull + range / 2) / range;
        const auto number = static_cast<std::uint32_t>(std::min<std::uint64_t>(scaled, Brightness::kMost));
        result.fine[i] = static_cast<std::uint16_t>(number);
        levels[i] = static_cast<std::uint8_t>((number + Brightness::kSteps / 2) / Brightness::kSteps);
    });
    if (inside != nullptr) {
        for (std::uint32_t y = 0; y < image.height(); ++y) {
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
