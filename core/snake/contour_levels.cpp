#include "snake/contour_levels.hpp"

#include "snake/contour/contour_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace pollard {

std::vector<std::uint64_t> levelsInside(const Image& image, const Contour& contour, const Mask* valid,
                                        const JobControl& control) {
    std::vector<std::uint64_t> counts(std::size_t{maxLevelOf(image.type())} + 1, 0);
    const ContourRows inside(contour);
    dispatch(image.type(), [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::int32_t y = inside.top(); y < inside.bottom(); ++y) {
            control.throwIfStopped();
            const auto row = static_cast<std::uint32_t>(y);
            const std::size_t start = std::size_t{row} * image.width();
            inside.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
                for (std::uint32_t x = first; x < last; ++x) {
                    if (valid == nullptr || valid->test(x, row)) {
                        ++counts[pixels[start + x]];
                    }
                }
            });
        }
    });
    return counts;
}

namespace {

constexpr double kLeast = 1.0 / 12;

} // namespace

FittedLaw::FittedLaw(RegionLaw law, const RegionSums& sums) noexcept
    : law_(law), mean_(law == RegionLaw::gaussian ? meanOf(sums) : std::max(kLeast, meanOf(sums))),
      variance_(std::max(kLeast, varianceOf(sums))),
      meanSquare_(std::max(kLeast, static_cast<double>(sums.squares) / static_cast<double>(sums.pixels))) {}

double FittedLaw::density(double level) const noexcept {
    if (law_ == RegionLaw::gaussian) {
        const double away = level - mean_;
        return std::exp(-away * away / (2 * variance_)) / std::sqrt(2 * std::numbers::pi * variance_);
    }
    if (level < 0) {
        return 0;
    }
    switch (law_) {
    case RegionLaw::poisson:
        return std::exp(level * std::log(mean_) - mean_ - std::lgamma(level + 1));
    case RegionLaw::gamma: {
        const double order = mean_ * mean_ / variance_;
        const double x = std::max(level, 1e-9); // an order below 1 has a pole at 0
        return std::exp(order * std::log(order / mean_) + (order - 1) * std::log(x) - order * x / mean_ -
                        std::lgamma(order));
    }
    case RegionLaw::rayleigh:
        return 2 * level / meanSquare_ * std::exp(-level * level / meanSquare_);
    case RegionLaw::gaussian:
        break;
    }
    return 0;
}

} // namespace pollard
