#include "vm/picture/colour_map.hpp"

#include <QCoreApplication>

namespace pollard::vm {

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

} // namespace pollard::vm
