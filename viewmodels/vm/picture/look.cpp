#include "vm/picture/look.hpp"

#include <QLatin1String>
#include <QString>

#include <cmath>

namespace pollard::vm {
namespace {

QString text(std::string_view name) { return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())); }

QString nameOf(Look::Window window) {
    switch (window) {
    case Look::Window::opening:
        return QStringLiteral("opening");
    case Look::Window::automatic:
        return QStringLiteral("automatic");
    case Look::Window::shown:
        return QStringLiteral("shown");
    case Look::Window::fixed:
        return QStringLiteral("fixed");
    }
    return {};
}

std::optional<Look::Window> findWindow(const QString& name) {
    for (const Look::Window window :
         {Look::Window::opening, Look::Window::automatic, Look::Window::shown, Look::Window::fixed}) {
        if (nameOf(window) == name) {
            return window;
        }
    }
    return std::nullopt;
}

} // namespace

QJsonObject toJson(const Look& look) {
    QJsonObject json{{"window", nameOf(look.window)},
                     {"curve", text(vm::nameOf(look.curve))},
                     {"gamma", look.gamma},
                     {"map", text(vm::nameOf(look.map))},
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
    const auto window = findWindow(json.value("window").toString());
    const auto curve = findToneCurve(json.value("curve").toString().toStdString());
    const auto map = findColourMap(json.value("map").toString().toStdString());
    const double gamma = json.value("gamma").toDouble(0);
    if (!window || !curve || !map || !(gamma >= kSmallestGamma && gamma <= kLargestGamma)) {
        return std::nullopt;
    }
    Look look;
    look.window = *window;
    look.curve = *curve;
    look.gamma = gamma;
    look.map = *map;
    look.inverted = json.value("inverted").toBool();
    if (look.window == Look::Window::fixed) {
        look.range = {json.value("low").toDouble(std::nan("")), json.value("high").toDouble(std::nan(""))};
        look.inValues = json.value("values").toBool();
        look.maxLevel = json.value("maxLevel").toInt();
        if (!(look.range.low < look.range.high) || (look.maxLevel != 255 && look.maxLevel != 65535)) {
            return std::nullopt;
        }
    }
    return look;
}

} // namespace pollard::vm
