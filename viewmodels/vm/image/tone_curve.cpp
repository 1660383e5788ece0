#include "vm/image/tone_curve.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace pollard::vm {
namespace {

/// Steepness of the logarithmic curve.
constexpr double kLogScale = 1000;
constexpr double kAsinhScale = 10;

} // namespace

double applyCurve(ToneCurve curve, double gamma, double t) noexcept {
    t = std::clamp(t, 0.0, 1.0);
    switch (curve) {
    case ToneCurve::linear:
        return t;
    case ToneCurve::logarithmic:
        return std::log1p(kLogScale * t) / std::log1p(kLogScale);
    case ToneCurve::squareRoot:
        return std::sqrt(t);
    case ToneCurve::gamma:
        return std::pow(t, gamma);
    case ToneCurve::asinh:
        return std::asinh(kAsinhScale * t) / std::asinh(kAsinhScale);
    }
    return t;
}

std::string_view nameOf(ToneCurve curve) noexcept {
    switch (curve) {
    case ToneCurve::linear:
        return "linear";
    case ToneCurve::logarithmic:
        return "logarithmic";
    case ToneCurve::squareRoot:
        return "square-root";
    case ToneCurve::gamma:
        return "gamma";
    case ToneCurve::asinh:
        return "asinh";
    }
    return "linear";
}

std::optional<ToneCurve> findToneCurve(std::string_view name) noexcept {
    const auto* const found =
        std::find_if(kToneCurves.begin(), kToneCurves.end(), [&](ToneCurve curve) { return nameOf(curve) == name; });
    return found == kToneCurves.end() ? std::nullopt : std::optional(*found);
}

QString titleOf(ToneCurve curve) {
    switch (curve) {
    case ToneCurve::linear:
        return QCoreApplication::translate("ToneCurve", "Linear");
    case ToneCurve::logarithmic:
        return QCoreApplication::translate("ToneCurve", "Logarithmic");
    case ToneCurve::squareRoot:
        return QCoreApplication::translate("ToneCurve", "Square root");
    case ToneCurve::gamma:
        return QCoreApplication::translate("ToneCurve", "Gamma");
    case ToneCurve::asinh:
        return QCoreApplication::translate("ToneCurve", "Asinh");
    }
    return {};
}

} // namespace pollard::vm
