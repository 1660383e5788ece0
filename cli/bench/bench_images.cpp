#include "bench/bench_images.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace pollard::cli {

namespace {

/// Pseudo-random 32-bit number per pixel (SplitMix64's finaliser), so that rows are independent.
std::uint32_t hash(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15ULL;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return static_cast<std::uint32_t>((value ^ (value >> 31U)) >> 32U);
}

/// Sum of a few waves along one axis, in integer grey levels.
std::vector<std::int32_t> waves(std::uint32_t count, double periods, double phase) {
    std::vector<std::int32_t> table(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * periods * i / count + phase;
        table[i] = static_cast<std::int32_t>(
            std::lround(5500 * std::sin(angle) + 3500 * std::sin(3.1 * angle + 1) + 1500 * std::sin(9.7 * angle + 2)));
    }
    return table;
}

class SmoothNoise {
public:
    SmoothNoise(std::uint32_t width, std::uint32_t height)
        : width_(width), columns_(waves(width, 2.3, 0.4)), rows_(waves(height, 1.9, 1.1)),
          diagonals_(waves(width + height, 5.7, 0.2)) {}

    [[nodiscard]] std::uint16_t operator()(std::uint32_t x, std::uint32_t y) const {
        const auto noise = static_cast<std::int32_t>(hash(std::uint64_t{y} * width_ + x) >> 22U); // 0..1023
        const std::int32_t level = 32768 + columns_[x] + rows_[y] + diagonals_[std::size_t{x} + y] + noise - 512;
        return static_cast<std::uint16_t>(std::clamp(level, 0, 0xffff));
    }

private:
    std::uint32_t width_;
    std::vector<std::int32_t> columns_;
    std::vector<std::int32_t> rows_;
    std::vector<std::int32_t> diagonals_;
};

template <class LevelAt>
std::shared_ptr<const Image> render(PixelType type, std::uint32_t width, std::uint32_t height, const LevelAt& levelAt) {
    auto image = std::make_shared<Image>(type, width, height);
    dispatch(type, [&]<class T>(T) {
        T* pixel = image->pixels<T>().data();
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                *pixel++ = static_cast<T>(levelAt(x, y) >> (16 - bitsOf(type)));
            }
        }
    });
    return image;
}

} // namespace

std::string_view nameOf(TestImage image) noexcept {
    switch (image) {
    case TestImage::smoothNoise:
        return "smooth";
    case TestImage::noise:
        return "noise";
    case TestImage::ramp:
        return "ramp";
    }
    return {};
}

std::shared_ptr<const Image> makeImage(TestImage image, PixelType type, std::uint32_t width, std::uint32_t height) {
    switch (image) {
    case TestImage::smoothNoise:
        return render(type, width, height, SmoothNoise(width, height));
    case TestImage::noise:
        return render(type, width, height, [width](std::uint32_t x, std::uint32_t y) {
            return static_cast<std::uint16_t>(hash(std::uint64_t{y} * width + x) >> 16U);
        });
    case TestImage::ramp:
        break;
    }
    const std::uint64_t last = std::max<std::uint64_t>(1, std::uint64_t{width} + height - 2);
    return render(type, width, height, [last](std::uint32_t x, std::uint32_t y) {
        return static_cast<std::uint16_t>((std::uint64_t{x} + y) * 0xffff / last);
    });
}

std::shared_ptr<const Image> makeSquares(std::uint32_t granularity, std::uint32_t density, std::uint32_t width,
                                         std::uint32_t height) {
    constexpr std::uint64_t kFine = 1'000'000; // different squares for each size and density
    const std::uint64_t seed = (std::uint64_t{granularity} * kFine + density) << 32U;
    const std::uint64_t columns = (width - 1) / granularity + 1;
    return render(PixelType::u16, width, height, [=](std::uint32_t x, std::uint32_t y) {
        const std::uint64_t square = y / granularity * columns + x / granularity;
        const auto level = static_cast<std::uint16_t>(hash(std::uint64_t{y} * width + x) >> 18U); // below 16384
        return static_cast<std::uint16_t>(level + (hash(seed + square) % 100 < density ? 0x8000U : 0U));
    });
}

NoisyDisc makeDisc(std::uint32_t width, std::uint32_t height, std::uint32_t perSide) {
    constexpr int kPairs = 6; // the sum of 12 uniform numbers has a standard deviation of one interval
    constexpr int kIntervalBits = 16;
    constexpr std::int64_t kInterval = 1 << kIntervalBits;
    constexpr std::int64_t kDeviation = 30;
    constexpr double kPart = 0.3;
    NoisyDisc disc{width, height, perSide, 0, nullptr};
    disc.radius = kPart * std::min(disc.cellWidth(), disc.cellHeight());
    disc.image = render(PixelType::u16, width, height, [&](std::uint32_t x, std::uint32_t y) {
        std::int64_t sum = -kPairs * kInterval;
        for (std::uint64_t i = 0; i < kPairs; ++i) {
            const std::uint32_t pair = hash((std::uint64_t{y} * width + x) * kPairs + i);
            sum += (pair & 0xffffU) + (pair >> 16U);
        }
        return static_cast<std::uint16_t>((disc.holds(x, y) ? 1040 : 1000) +
                                          ((kDeviation * sum + kInterval / 2) >> kIntervalBits));
    });
    return disc;
}

std::shared_ptr<const Image> convertDepth(std::shared_ptr<const Image> image, PixelType type) {
    if (image->type() == type) {
        return image;
    }
    auto converted = std::make_shared<Image>(type, image->extent());
    if (type == PixelType::u8) {
        std::ranges::transform(image->pixels<std::uint16_t>(), converted->pixels<std::uint8_t>().begin(),
                               [](std::uint16_t v) { return static_cast<std::uint8_t>(v >> 8U); });
    } else {
        std::ranges::transform(image->pixels<std::uint8_t>(), converted->pixels<std::uint16_t>().begin(),
                               [](std::uint8_t v) { return static_cast<std::uint16_t>(v * 257); });
    }
    return converted;
}

} // namespace pollard::cli
