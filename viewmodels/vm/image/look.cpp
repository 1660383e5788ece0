#include "vm/image/look.hpp"

#include "base/error.hpp"
#include "session/session.hpp"

#include <QCoreApplication>
#include <QJsonValue>
#include <QLatin1String>
#include <QString>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

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

namespace {

constexpr std::array<std::string_view, 4> kWindows{"opening", "automatic", "shown", "fixed"}; // as Look::Window

QString lookText(std::string_view name) {
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

void requireInLook(bool holds, const char* key, const std::string& value) {
    if (!holds) {
        throw Error(ErrorCode::invalidArgument, std::string("view: ") + key + ": " + value + ": unknown");
    }
}
std::string quotedInLook(const std::string& name) { return "\"" + name + "\""; }
std::string numberInLook(double value) { return QString::number(value).toStdString(); }

} // namespace

std::string_view nameOf(ColourMap map) noexcept {
    switch (map) {
    case ColourMap::grey:
        return "grey";
    case ColourMap::viridis:
        return "viridis";
    case ColourMap::cividis:
        return "cividis";
    case ColourMap::magma:
        return "magma";
    case ColourMap::inferno:
        return "inferno";
    case ColourMap::turbo:
        return "turbo";
    }
    return "grey";
}

std::optional<ColourMap> findColourMap(std::string_view name) noexcept {
    for (const ColourMap map : kColourMaps) {
        if (nameOf(map) == name) {
            return map;
        }
    }
    return std::nullopt;
}

QString titleOf(ColourMap map) {
    switch (map) {
    case ColourMap::grey:
        return QCoreApplication::translate("ColourMap", "Grey");
    case ColourMap::viridis:
        return QCoreApplication::translate("ColourMap", "Viridis");
    case ColourMap::cividis:
        return QCoreApplication::translate("ColourMap", "Cividis");
    case ColourMap::magma:
        return QCoreApplication::translate("ColourMap", "Magma");
    case ColourMap::inferno:
        return QCoreApplication::translate("ColourMap", "Inferno");
    case ColourMap::turbo:
        return QCoreApplication::translate("ColourMap", "Turbo");
    }
    return {};
}

SessionDisplay sessionOf(const Look& look) {
    SessionDisplay session;
    session.window = kWindows[static_cast<std::size_t>(look.window)];
    if (look.window == Look::Window::fixed) {
        session.low = look.range.low;
        session.high = look.range.high;
        session.inValues = look.inValues;
        session.maxLevel = look.maxLevel;
    }
    session.curve = nameOf(look.curve);
    session.gamma = look.gamma;
    session.map = nameOf(look.map);
    session.inverted = look.inverted;
    return session;
}

Look lookOf(const SessionDisplay& session) {
    const auto* const window = std::ranges::find(kWindows, session.window);
    const auto curve = findToneCurve(session.curve);
    const auto map = findColourMap(session.map);
    requireInLook(window != kWindows.end(), "window", quotedInLook(session.window));
    requireInLook(curve.has_value(), "curve", quotedInLook(session.curve));
    requireInLook(map.has_value(), "map", quotedInLook(session.map));
    requireInLook(session.gamma >= kSmallestGamma && session.gamma <= kLargestGamma, "gamma",
                  numberInLook(session.gamma));
    Look look;
    look.window = static_cast<Look::Window>(window - kWindows.begin());
    look.curve = *curve;
    look.gamma = session.gamma;
    look.map = *map;
    look.inverted = session.inverted;
    if (look.window == Look::Window::fixed) {
        requireInLook(session.low < session.high, "range",
                      numberInLook(session.low) + " to " + numberInLook(session.high));
        requireInLook(session.maxLevel == 255 || session.maxLevel == 65535, "max_level",
                      numberInLook(session.maxLevel));
        look.range = {session.low, session.high};
        look.inValues = session.inValues;
        look.maxLevel = session.maxLevel;
    }
    return look;
}

QJsonObject toJson(const Look& look) {
    const SessionDisplay session = sessionOf(look);
    QJsonObject json{{"window", lookText(session.window)},
                     {"curve", lookText(session.curve)},
                     {"gamma", look.gamma},
                     {"map", lookText(session.map)},
                     {"inverted", look.inverted}};
    if (look.window == Look::Window::fixed) {
        json.insert("low", look.range.low);
        json.insert("high", look.range.high);
        json.insert("values", look.inValues);
        json.insert("maxLevel", look.maxLevel);
    }
    return json;
}

std::optional<Look> lookFromJson(const QJsonObject& json) {
    SessionDisplay session;
    session.window = json.value("window").toString().toStdString();
    session.low = json.value("low").toDouble(std::nan(""));
    session.high = json.value("high").toDouble(std::nan(""));
    session.inValues = json.value("values").toBool();
    session.maxLevel = json.value("maxLevel").toInt();
    session.curve = json.value("curve").toString().toStdString();
    session.gamma = json.value("gamma").toDouble(0);
    session.map = json.value("map").toString().toStdString();
    session.inverted = json.value("inverted").toBool();
    try {
        return lookOf(session);
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace pollard::vm
