#include "vm/region/region_file.hpp"

#include "vm/region/region_geojson.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/vector_polygons.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

constexpr qint64 kMostFileBytes = 64 << 20;
constexpr double kFarthest = 1e7; ///< px, as in GeoJSON

QString regionFileText(const char* source) { return QCoreApplication::translate("RegionFile", source); }

bool isOnMap(const MapCoordinates& map, const RegionShape& shape) {
    return std::ranges::all_of(shape.points, [&map](const RegionPoint& corner) {
        const MapPoint place{corner.x, corner.y};
        return map.showsAll({&place, 1});
    });
}

std::vector<MapRing> ringsOf(std::vector<MapPolygon> polygons) {
    std::vector<MapRing> rings;
    for (MapPolygon& polygon : polygons) {
        if (polygon.size() > 1) {
            throw Error(ErrorCode::formatUnsupported, "a polygon has holes, which regions do not have");
        }
        rings.push_back(std::move(polygon.front()));
    }
    return rings;
}

RegionShape shapeOf(const MapRing& ring) {
    RegionShape shape{RegionShape::Kind::polygon, {}};
    for (const MapPoint& corner : ring) {
        if (!(std::abs(corner.x) <= kFarthest && std::abs(corner.y) <= kFarthest)) {
            throw Error(ErrorCode::formatUnsupported, "a corner lies far beside every picture");
        }
        shape.points.push_back({corner.x, corner.y});
    }
    return shape;
}

ReadRegion failed(const QString& problem) { return {{}, false, {}, problem}; }

} // namespace

ReadRegion readRegionFile(const QString& path, const MapCoordinates* map, GeoJsonIn unmarked) {
    QFile file(path);
    if (file.size() > kMostFileBytes) {
        return failed(regionFileText("read a region: %1: more than %2 MB").arg(path).arg(kMostFileBytes >> 20));
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return failed(regionFileText("read a region: %1: %2").arg(path, file.errorString()));
    }
    try {
        FiledRegion filed = readGeoJson(file.readAll(), map, unmarked);
        const bool ambiguous =
            filed.positions == GeoJsonIn::pixels && map != nullptr && !filed.shapes.empty() &&
            std::ranges::all_of(filed.shapes, [map](const RegionShape& shape) { return isOnMap(*map, shape); });
        return {std::move(filed.shapes), ambiguous, {}, {}};
    } catch (const Error& error) {
        return failed(QStringLiteral("%1: %2").arg(QString::fromUtf8(error.what()), path));
    }
}

ReadRegion readVectorRegion(const QString& path, const QString& layer, const std::vector<CarriedTag>& tags,
                            std::uint32_t width, std::uint32_t height, const JobControl& control) {
    VectorPolygons vector;
    try {
        if (layer.isEmpty()) {
            const std::vector<std::string> layers = vectorLayers(path.toStdString());
            if (layers.size() > 1) {
                ReadRegion choice;
                std::ranges::transform(layers, std::back_inserter(choice.layers), QString::fromStdString);
                return choice;
            }
        }
        vector = readVectorPolygons(path.toStdString(), layer.toStdString(), control);
    } catch (const Error& error) {
        return failed(QString::fromUtf8(error.what()));
    }
    ReadRegion read;
    try {
        std::vector<MapRing> rings = ringsOf(std::move(vector.polygons));
        toPixels(rings, vector.system, tags, width, height);
        std::ranges::transform(rings, std::back_inserter(read.shapes), shapeOf);
    } catch (const Error& error) {
        return failed(regionFileText("read a region: %1: %2").arg(path, QString::fromUtf8(error.what())));
    }
    return read;
}

QString writeRegionFile(const QString& path, const std::vector<RegionShape>& shapes, const MapCoordinates* map) {
    const QString failure = regionFileText("save the region: %1: %2");
    QByteArray json;
    try {
        json = toGeoJson(shapes, map);
    } catch (const Error& error) {
        return failure.arg(path, QString::fromUtf8(error.what()));
    }
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
    return written ? QString() : failure.arg(path, file.errorString());
}

} // namespace pollard::vm
