#include "vm/region/region_file.hpp"

#include "vm/base/value_text.hpp"
#include "vm/image/region_edit.hpp"

#include "base/error.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/vector_layer.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using Kind = RegionShape::Kind;

constexpr int kEllipseCorners = 72;
/// More corners than a hand-drawn shape or the segmentation of one object has; each costs time in every row of the
/// mask.
constexpr std::size_t kMostCorners = 1'000'000;
constexpr double kFarthest = 1e7; ///< px, beyond the sides of all images for manual use
constexpr int kDeepest = 16;      ///< nesting of collections

constexpr std::array<std::pair<Kind, const char*>, 3> kNames{
    {{Kind::rectangle, "rectangle"}, {Kind::ellipse, "ellipse"}, {Kind::polygon, "polygon"}}};

std::vector<RegionPoint> cornersOf(const RegionShape& shape) {
    if (shape.kind == Kind::polygon) {
        return shape.points;
    }
    const QRectF box = boxOf(shape);
    if (shape.kind == Kind::rectangle) {
        return {
            {box.left(), box.top()}, {box.right(), box.top()}, {box.right(), box.bottom()}, {box.left(), box.bottom()}};
    }
    std::vector<RegionPoint> corners;
    for (int i = 0; i < kEllipseCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kEllipseCorners;
        corners.push_back({box.center().x() + std::cos(angle) * box.width() / 2,
                           box.center().y() + std::sin(angle) * box.height() / 2});
    }
    return corners;
}

[[noreturn]] void fail(ErrorCode code, const char* why) { throw Error(code, std::string("read a region: ") + why); }

/// Rounds integers converted to degrees and back: else a crop to the region would be a pixel wider.
double settled(double pixel) {
    constexpr double kSlack = 1e-5; // px
    return std::abs(pixel - std::round(pixel)) < kSlack ? std::round(pixel) : pixel;
}

class Reader {
public:
    /// @param map null: corners are px
    explicit Reader(const MapCoordinates* map) : map_(map) {}

    std::vector<RegionShape> shapes;

    void read(const QJsonObject& object, Kind kind, int depth) {
        if (depth > kDeepest) {
            fail(ErrorCode::fileDamaged, "the collections are nested too deeply");
        }
        const QString type = object.value(u"type").toString();
        if (type == QLatin1String("FeatureCollection")) {
            readAll(object.value(u"features").toArray(), depth);
        } else if (type == QLatin1String("GeometryCollection")) {
            readAll(object.value(u"geometries").toArray(), depth);
        } else if (type == QLatin1String("Feature")) {
            read(object.value(u"geometry").toObject(), kindOf(object.value(u"properties").toObject()), depth + 1);
        } else if (type == QLatin1String("Polygon")) {
            readPolygon(object.value(u"coordinates").toArray(), kind);
        } else if (type == QLatin1String("MultiPolygon")) {
            for (const auto& polygon : object.value(u"coordinates").toArray()) {
                readPolygon(polygon.toArray(), Kind::polygon);
            }
        } else {
            fail(ErrorCode::fileDamaged, "the file holds something else than polygons in GeoJSON");
        }
    }

private:
    void readAll(const QJsonArray& members, int depth) {
        for (const auto& member : members) {
            read(member.toObject(), Kind::polygon, depth + 1);
        }
    }

    static Kind kindOf(const QJsonObject& properties) {
        const QString name = properties.value(u"shape").toString();
        for (const auto& [kind, known] : kNames) {
            if (name == QLatin1String(known)) {
                return kind;
            }
        }
        return Kind::polygon;
    }

    void readPolygon(const QJsonArray& rings, Kind kind) {
        if (rings.size() > 1) {
            fail(ErrorCode::formatUnsupported, "a polygon has holes, which regions do not have");
        }
        RegionShape shape{Kind::polygon, {}};
        for (const auto& place : rings.at(0).toArray()) {
            const QJsonArray numbers = place.toArray();
            if (numbers.size() < 2 || !numbers[0].isDouble() || !numbers[1].isDouble()) {
                fail(ErrorCode::fileDamaged, "a corner is no pair of numbers");
            }
            const RegionPoint corner = cornerAt({numbers[0].toDouble(), numbers[1].toDouble()});
            if (!(std::abs(corner.x) <= kFarthest && std::abs(corner.y) <= kFarthest)) {
                fail(ErrorCode::formatUnsupported, "a corner lies far beside every image");
            }
            shape.points.push_back(corner);
            if (++corners_ > kMostCorners) {
                fail(ErrorCode::formatUnsupported, "there are more than 1,000,000 corners");
            }
        }
        if (shape.points.size() > 1 && shape.points.front() == shape.points.back()) {
            shape.points.pop_back(); // the format repeats the first corner
        }
        if (shape.points.size() < 3) {
            fail(ErrorCode::fileDamaged, "a polygon has less than three corners");
        }
        if (kind != Kind::polygon) {
            const QRectF box = boxOf(shape);
            shape = {kind, {{box.left(), box.top()}, {box.right(), box.bottom()}}};
        }
        shapes.push_back(std::move(shape));
    }

    [[nodiscard]] RegionPoint cornerAt(MapPoint place) const {
        if (map_ == nullptr) {
            return {place.x, place.y};
        }
        if (!(std::abs(place.x) <= 180 && std::abs(place.y) <= 90)) {
            fail(ErrorCode::invalidArgument, "a corner is neither longitude nor latitude");
        }
        const MapPoint pixel = map_->pixelAt(place);
        return {settled(pixel.x), settled(pixel.y)};
    }

    const MapCoordinates* map_;
    std::size_t corners_ = 0;
};

QJsonArray ringOf(const MapRing& corners) {
    QJsonArray ring;
    for (const MapPoint& place : corners) {
        ring.append(QJsonArray{place.x, place.y});
    }
    ring.append(ring.first());
    return ring;
}

QJsonObject geometryOf(const MapRing& corners, const MapCoordinates* map) {
    std::vector<MapPolygon> polygons{MapPolygon{corners}};
    if (map != nullptr) {
        polygons = earthPolygons(*map, polygons.front());
        const int decimals = lonLatDecimals(*map);
        for (MapPolygon& polygon : polygons) {
            for (MapPoint& place : polygon.front()) {
                place = {rounded(place.x, decimals), rounded(place.y, decimals)};
            }
        }
    }
    QJsonArray all;
    for (const MapPolygon& polygon : polygons) {
        QJsonArray rings;
        rings.append(ringOf(polygon.front())); // compilers differ in whether QJsonArray{ring} is a copy
        all.append(rings);
    }
    const bool single = all.size() == 1;
    return {{QStringLiteral("type"), single ? QStringLiteral("Polygon") : QStringLiteral("MultiPolygon")},
            {QStringLiteral("coordinates"), single ? all.first() : QJsonValue(all)}};
}

constexpr qint64 kMostFileBytes = 64 << 20;

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
            throw Error(ErrorCode::formatUnsupported, "a corner lies far beside every image");
        }
        shape.points.push_back({corner.x, corner.y});
    }
    return shape;
}

ReadRegion failed(const QString& problem) { return {{}, false, {}, problem}; }

} // namespace

QByteArray toGeoJson(const std::vector<RegionShape>& shapes, const MapCoordinates* map) {
    QJsonArray features;
    for (const RegionShape& shape : shapes) {
        MapRing corners;
        for (const RegionPoint& place : cornersOf(shape)) {
            corners.push_back({place.x, place.y});
        }
        QString name;
        for (const auto& [kind, known] : kNames) {
            if (kind == shape.kind) {
                name = QLatin1String(known);
            }
        }
        features.append(QJsonObject{{QStringLiteral("type"), QStringLiteral("Feature")},
                                    {QStringLiteral("properties"), QJsonObject{{QStringLiteral("shape"), name}}},
                                    {QStringLiteral("geometry"), geometryOf(corners, map)}});
    }
    QJsonObject collection{{QStringLiteral("type"), QStringLiteral("FeatureCollection")},
                           {QStringLiteral("features"), features}};
    if (map != nullptr) {
        collection.insert(fromUtf8(kPositionsMember), fromUtf8(kLonLatPositions));
    }
    return QJsonDocument(collection).toJson(QJsonDocument::Compact);
}

FiledRegion readGeoJson(const QByteArray& json, const MapCoordinates* map, GeoJsonIn unmarked) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (document.isNull()) {
        throw Error(ErrorCode::fileDamaged, "read a region: this is no JSON: " + error.errorString().toStdString());
    }
    FiledRegion filed;
    filed.positions = unmarked;
    if (const QJsonValue mark = document.object().value(fromUtf8(kPositionsMember)); !mark.isUndefined()) {
        if (mark.toString() != fromUtf8(kLonLatPositions)) {
            fail(ErrorCode::formatUnsupported, "its coordinates are of a kind that is not known");
        }
        filed.positions = GeoJsonIn::degrees;
    }
    const bool inDegrees = filed.positions == GeoJsonIn::degrees;
    if (inDegrees && map == nullptr) {
        fail(ErrorCode::invalidArgument, "it is in longitude and latitude, and the image has no map coordinates");
    }
    Reader reader(inDegrees ? map : nullptr);
    reader.read(document.object(), Kind::polygon, 0);
    filed.shapes = std::move(reader.shapes);
    return filed;
}

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

ReadRegion readVectorRegion(const QString& path, const QString& layer, const std::vector<CopiedTag>& tags,
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
