#pragma once

#include "image/mask.hpp"
#include "snake/snake_run.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace pollard::testing {

/// Winding number of a contour around the centre of a pixel, positive if clockwise on the screen. A centre on an
/// edge counts as left of the edge.
inline int windingNumber(const Contour& contour, std::int32_t x, std::int32_t y) {
    int winding = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        ContourNode a = contour[i];
        ContourNode b = contour[(i + 1) % contour.size()];
        const int sign = a.y < b.y ? 1 : -1;
        if (sign < 0) {
            std::swap(a, b);
        }
        if (a.y <= y && y < b.y) { // all times two: the centre is (2x + 1, 2y + 1)
            const std::int64_t turn = std::int64_t{2 * (b.x - a.x)} * (2 * y + 1 - 2 * a.y) -
                                      std::int64_t{2 * (b.y - a.y)} * (2 * x + 1 - 2 * a.x);
            winding += turn > 0 ? sign : 0;
        }
    }
    return winding;
}

/// @param valid pixels that count; null: all
inline RegionSums naiveInside(const Image& image, const Contour& contour, const Mask* valid = nullptr) {
    RegionSums sums;
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            if (valid != nullptr && !valid->test(x, y)) {
                continue;
            }
            const std::int64_t level = image.level(std::size_t{y} * image.width() + x);
            const int winding = windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y));
            sums += {winding, winding * level, winding * level * level};
        }
    }
    return sums;
}

inline ContourNode randomNode(Random& random, const Image& image) {
    return {static_cast<std::int32_t>(random() % (image.width() + 1)),
            static_cast<std::int32_t>(random() % (image.height() + 1))};
}

/// Energy by the formulas, in long double, over all pixels.
/// @param partOf 0-based index of the region of pixel (x, y); negative for ignored pixels
template <class PartOf>
double naiveEnergyOfParts(const Image& image, std::size_t parts, RegionLaw law, const PartOf& partOf) {
    std::vector<long double> n(parts);
    std::vector<long double> z(parts);
    std::vector<long double> q(parts);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            if (const int part = partOf(x, y); part >= 0) {
                const auto r = static_cast<std::size_t>(part);
                const long double level = image.level(std::size_t{y} * image.width() + x);
                n[r] += 1;
                z[r] += level;
                q[r] += level * level;
            }
        }
    }
    long double energy = 0;
    for (std::size_t r = 0; r < parts; ++r) {
        const auto logOf = [](long double value) { return std::log(std::max(value, 1.0L / 12)); };
        switch (law) {
        case RegionLaw::gaussian:
            energy += n[r] / 2 * logOf((q[r] - z[r] * z[r] / n[r]) / n[r]);
            break;
        case RegionLaw::poisson:
            energy -= z[r] == 0 ? 0 : z[r] * logOf(z[r] / n[r]);
            break;
        case RegionLaw::gamma:
            energy += n[r] * logOf(z[r] / n[r]);
            break;
        case RegionLaw::rayleigh:
            energy += n[r] * logOf(q[r] / n[r]);
            break;
        }
    }
    return static_cast<double>(energy);
}

/// @param valid pixels that count; null: all
inline double naiveEnergy(const Image& image, const Contour& contour, RegionLaw law, const Mask* valid = nullptr) {
    return naiveEnergyOfParts(image, 2, law, [&](std::uint32_t x, std::uint32_t y) {
        if (valid != nullptr && !valid->test(x, y)) {
            return -1;
        }
        return windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) != 0 ? 1 : 0;
    });
}

/// Length of a contour, px, by the square roots of its edges, each rounded to 1/65536 px.
inline double naiveLength(const Contour& contour) {
    std::int64_t parts = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[(i + 1) % contour.size()];
        const long double square =
            static_cast<long double>(b.x - a.x) * (b.x - a.x) + static_cast<long double>(b.y - a.y) * (b.y - a.y);
        parts += std::llround(std::sqrt(square) * 65536);
    }
    return static_cast<double>(parts) / 65536;
}

/// No price on length in half of the cases, else one from 0.01 to 1000.
inline double randomLengthPrice(Random& random) {
    return random() % 2 == 0 ? 0 : std::pow(10.0, static_cast<int>(random() % 6) - 2) * (1 + random() % 7 / 7.0);
}

/// A mask in which about one pixel in @p period is set.
inline Mask randomMask(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t period) {
    Mask mask(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, random() % period == 0);
        }
    }
    return mask;
}

/// A simple polygon of 3 to 5 nodes with at least @p least pixels inside and outside.
inline Contour randomStart(Random& random, const Image& image, std::int64_t least) {
    for (;;) {
        Contour start(3 + random() % 3);
        std::ranges::generate(start, [&] { return randomNode(random, image); });
        if (isSimple(start)) {
            const std::int64_t inside = std::abs(naiveInside(image, start).pixels);
            if (inside >= least && static_cast<std::int64_t>(image.pixelCount()) - inside >= least) {
                return start;
            }
        }
    }
}

/// A disc, `contrast` brighter than its surroundings, in Gaussian noise.
inline std::shared_ptr<const Image> noisyDisc(std::uint32_t side, double radius, double contrast, double sigma,
                                              std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, sigma);
    const double middle = side / 2.0;
    return makeImage(PixelType::u16, side, side, [&](auto x, auto y) {
        const bool in = std::hypot(x + 0.5 - middle, y + 0.5 - middle) < radius;
        return static_cast<std::uint32_t>(std::lround(1000 + (in ? contrast : 0) + noise(random)));
    });
}

inline double diceOfDisc(const Contour& contour, std::uint32_t side, double radius) {
    const double middle = side / 2.0;
    double both = 0;
    double all = 0;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const bool in = std::hypot(x + 0.5 - middle, y + 0.5 - middle) < radius;
            const bool found = windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) != 0;
            both += in && found ? 1 : 0;
            all += (in ? 1 : 0) + (found ? 1 : 0);
        }
    }
    return 2 * both / all;
}

inline Contour rectangle(std::int32_t left, std::int32_t top, std::int32_t right, std::int32_t bottom) {
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

} // namespace pollard::testing
