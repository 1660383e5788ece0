#include "region_geojson.hpp"

#include "region_edit.hpp"

#include "base/error.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace pollard::vm {

namespace {

using Kind = RegionShape::Kind;

constexpr int kEllipseCorners = 72;
/// More corners than a person or a segmentation of one object has; each costs time in every row of the mask.
constexpr std::size_t kMostCorners = 1'000'000;
constexpr double kFarthest = 1e7; ///< px, beyond every side of a picture that anybody cuts by hand
constexpr int kDeepest = 16;      ///< collections within collections

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

class Reader {
public:
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
            const RegionPoint corner{numbers[0].toDouble(), numbers[1].toDouble()};
            if (std::abs(corner.x) > kFarthest || std::abs(corner.y) > kFarthest) {
                fail(ErrorCode::formatUnsupported, "a corner lies far beside every picture");
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

    std::size_t corners_ = 0;
};

} // namespace

QByteArray toGeoJson(const std::vector<RegionShape>& shapes) {
    QJsonArray features;
    for (const RegionShape& shape : shapes) {
        QJsonArray ring;
        for (const RegionPoint& place : cornersOf(shape)) {
            ring.append(QJsonArray{place.x, place.y});
        }
        ring.append(ring.first());
        QJsonArray rings;
        rings.append(ring); // compilers disagree on whether QJsonArray{ring} is a copy
        QString name;
        for (const auto& [kind, known] : kNames) {
            if (kind == shape.kind) {
                name = QLatin1String(known);
            }
        }
        features.append(
            QJsonObject{{QStringLiteral("type"), QStringLiteral("Feature")},
                        {QStringLiteral("properties"), QJsonObject{{QStringLiteral("shape"), name}}},
                        {QStringLiteral("geometry"), QJsonObject{{QStringLiteral("type"), QStringLiteral("Polygon")},
                                                                 {QStringLiteral("coordinates"), rings}}}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("type"), QStringLiteral("FeatureCollection")},
                                     {QStringLiteral("features"), features}})
        .toJson(QJsonDocument::Compact);
}

std::vector<RegionShape> fromGeoJson(const QByteArray& json) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (document.isNull()) {
        throw Error(ErrorCode::fileDamaged, "read a region: this is no JSON: " + error.errorString().toStdString());
    }
    Reader reader;
    reader.read(document.object(), Kind::polygon, 0);
    return std::move(reader.shapes);
}

} // namespace pollard::vm
