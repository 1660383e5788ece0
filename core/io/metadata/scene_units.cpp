#include "io/metadata/scene_units.hpp"

#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace pollard {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSquare = 1e-3;   ///< relative difference below which sides count as equal
constexpr int kStatedDigits = 15;  ///< decimal numbers with this many digits map to different doubles
constexpr int kWrittenDigits = 12; ///< of a strict bound; with more digits, any double is next to such a number
constexpr int kPixelDigits = 13;   ///< further digits are rounding errors of a product
constexpr double kSamePixels = 1e-12;
constexpr double kReadable = 1e4;  ///< limit on units per side, and sides per unit, for readable numbers
constexpr int kReadableWidth = 10; ///< assumed width of an object, px

double rounded(double value, int digits) noexcept {
    std::array<char, 40> text{};
    const auto [end, problem] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
    double result = value;
    std::from_chars(text.data(), end, result);
    return result;
}

double powerOfTen(int exponent) noexcept {
    static constexpr std::array kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                        1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27};
    return kPowers[static_cast<std::size_t>(exponent)];
}

/// Exponent of a unit of length in micrometres, base 10.
int exponentOf(LengthUnit unit) noexcept {
    switch (unit) {
    case LengthUnit::nanometre:
        return -3;
    case LengthUnit::millimetre:
        return 3;
    case LengthUnit::centimetre:
        return 4;
    case LengthUnit::metre:
        return 6;
    case LengthUnit::kilometre:
        return 9;
    case LengthUnit::hectare: // 100 m x 100 m
        return 8;
    case LengthUnit::pixel:
    case LengthUnit::micrometre:
        break;
    }
    return 0;
}

/// A value times factor / divisor is in pixels.
struct Scale {
    double factor = 1;
    double divisor = 1;
};

Scale scaleOf(LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept {
    if (unit == LengthUnit::pixel || dimension == Dimension::none) {
        return {};
    }
    const double micrometres = micrometresOf(size.unit).value_or(1);
    const double x = rounded(size.x * micrometres, kStatedDigits);
    const double y = rounded(size.y * micrometres, kStatedDigits);
    const int exponent = exponentOf(unit) * powerOf(dimension);
    const double pixel = dimension == Dimension::volume ? x * y * rounded(size.z * micrometres, kStatedDigits)
                         : dimension == Dimension::area ? x * y
                         : x == y                       ? x
                                                        : std::sqrt(x * y);
    return exponent >= 0 ? Scale{powerOfTen(exponent), pixel} : Scale{1, pixel * powerOfTen(-exponent)};
}

double readableSide(LengthUnit unit, const PixelSize& size) noexcept {
    return size.x * micrometresOf(size.unit).value_or(1) / std::pow(10.0, exponentOf(unit));
}

bool isPositive(double value) noexcept { return value > 0 && std::isfinite(value); }

} // namespace

WrittenBound WrittenBound::of(double bound) noexcept {
    if (!std::isfinite(bound) || bound == 0) {
        return {bound, 0};
    }
    const bool next = std::abs(bound) <= std::numeric_limits<double>::denorm_min();
    const double written = next ? 0 : rounded(bound, kWrittenDigits);
    if (bound == std::nextafter(written, kInfinity)) {
        return {written, 1};
    }
    if (bound == std::nextafter(written, -kInfinity)) {
        return {written, -1};
    }
    return {bound, 0};
}

std::string whyNoScene(const std::optional<PixelSize>& size, Dimension dimension) {
    if (!size || !isPositive(size->x) || !isPositive(size->y)) {
        return "the image has no pixel size: give --pixel-size or enter it in the Image panel";
    }
    if (size->print) {
        return "the image's pixel size is one for printing: give --pixel-size or enter it in the Image panel";
    }
    if (!micrometresOf(size->unit)) {
        const bool angle = size->unit == "°" || size->unit == "arcsec" || size->unit == "arcmin" ||
                           size->unit == "mas" || size->unit.starts_with("deg");
        return angle ? "the pixel size of the image is an angle (" + size->unit +
                           "): lengths and areas in degrees are not offered"
                     : "the pixel size of the image is in '" + size->unit + "', which is no unit of length";
    }
    if (!size->whyNoUnit.empty()) {
        return size->whyNoUnit;
    }
    if (dimension == Dimension::volume && !isPositive(size->z)) {
        return "the distance between the slices is unknown";
    }
    if (dimension == Dimension::length && std::abs(size->x - size->y) > kSquare * std::min(size->x, size->y)) {
        return "the pixels of the image are not square: lengths have no unit there";
    }
    return {};
}

double pixelsOf(double value, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept {
    if (unit == LengthUnit::pixel || !std::isfinite(value)) {
        return value;
    }
    const WrittenBound written = WrittenBound::of(value);
    const Scale scale = scaleOf(unit, dimension, size);
    const double pixels = rounded(written.value * scale.factor / scale.divisor, kPixelDigits);
    return written.beyond == 0 ? pixels : std::nextafter(pixels, written.beyond > 0 ? kInfinity : -kInfinity);
}

double inUnit(double pixels, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept {
    const Scale scale = scaleOf(unit, dimension, size);
    return pixels * scale.divisor / scale.factor;
}

double shortestInUnit(double pixels, LengthUnit unit, Dimension dimension, const PixelSize& size) noexcept {
    if (unit == LengthUnit::pixel || !std::isfinite(pixels)) {
        return pixels;
    }
    const double exact = inUnit(pixels, unit, dimension, size);
    const double slack = pixels == std::round(pixels) ? 0 : kSamePixels * std::abs(pixels);
    for (int digits = 1; digits < kStatedDigits; ++digits) {
        const double candidate = rounded(exact, digits);
        if (std::abs(pixelsOf(candidate, unit, dimension, size) - pixels) <= slack) {
            return candidate;
        }
    }
    return rounded(exact, kStatedDigits);
}

LengthUnit readableUnit(const std::optional<PixelSize>& size) {
    if (!whyNoScene(size, Dimension::length).empty()) {
        return LengthUnit::pixel;
    }
    LengthUnit best = LengthUnit::nanometre;
    for (const LengthUnit unit :
         {LengthUnit::micrometre, LengthUnit::millimetre, LengthUnit::metre, LengthUnit::kilometre}) {
        best = rounded(readableSide(unit, *size) * kReadableWidth, kPixelDigits) >= 1 ? unit : best;
    }
    return best;
}

std::vector<LengthUnit> readableUnits(const std::optional<PixelSize>& size, Dimension dimension) {
    std::vector<LengthUnit> units{LengthUnit::pixel};
    if (dimension == Dimension::none || !whyNoScene(size, dimension).empty()) {
        return units;
    }
    for (const LengthUnit unit : kLengthUnits) {
        const bool fits = unit != LengthUnit::hectare || dimension == Dimension::area;
        const double side = readableSide(unit, *size);
        if (unit != LengthUnit::pixel && fits && side < kReadable && side * kReadable > 1) {
            units.push_back(unit);
        }
    }
    return units;
}

} // namespace pollard
