#include "vm/image/rendering_look.hpp"

#include "base/error.hpp"
#include "session/session.hpp"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace pollard::vm {
namespace {

constexpr double kTurn = std::numbers::pi; ///< radians for a drag over the shorter side of the view
constexpr float kDegrees = 180.0F / std::numbers::pi_v<float>;
constexpr QVector3D kRight{1, 0, 0};
constexpr QVector3D kDown{0, 1, 0};
constexpr QVector3D kForward{0, 0, 1};

QVector3D sizeOf(const Extent& extent) {
    return {static_cast<float>(extent.width), static_cast<float>(extent.height), static_cast<float>(extent.slices)};
}

QVector3D vectorOf(const VoxelSides& sides) {
    return {static_cast<float>(sides.x), static_cast<float>(sides.y), static_cast<float>(sides.z)};
}

double shorterSide(const QSizeF& view) { return std::max(1.0, std::min(view.width(), view.height())); }

QQuaternion about(const QVector3D& axis, double radians) {
    return QQuaternion::fromAxisAndAngle(axis, static_cast<float>(radians) * kDegrees);
}

} // namespace

QVector3D VolumeCamera::boxSides() const { return sizeOf(extent) * vectorOf(sides); }

double VolumeCamera::step(const BlockSides& blocks) const {
    return std::min({sides.x * blocks.x, sides.y * blocks.y, sides.z * blocks.z});
}

double VolumeCamera::unitsPerPixel(const QSizeF& view) const {
    return static_cast<double>(boxSides().length()) / shorterSide(view) / zoom;
}

VolumeCamera::Ray VolumeCamera::rayAt(const QPointF& at, const QSizeF& view) const {
    const QPointF place =
        (at - QPointF(view.width() / 2, view.height() / 2)) * unitsPerPixel(view) + centre; // right and down
    const QVector3D forward = rotation.rotatedVector(kForward);
    const QVector3D start = rotation.rotatedVector(
        {static_cast<float>(place.x()), static_cast<float>(place.y()), -boxSides().length() / 2});
    return {(start + boxSides() / 2) / vectorOf(sides), forward / vectorOf(sides)};
}

VolumeCamera::RayInterval VolumeCamera::insideOf(const Ray& ray) const {
    RayInterval inside{0, boxSides().length()};
    const QVector3D size = sizeOf(extent);
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(ray.direction[axis]) < 1e-9F) {
            inside.last = ray.origin[axis] < 0 || ray.origin[axis] >= size[axis] ? -1 : inside.last;
            continue;
        }
        const float a = -ray.origin[axis] / ray.direction[axis];
        const float b = (size[axis] - ray.origin[axis]) / ray.direction[axis];
        inside.first = std::max(inside.first, std::min(a, b));
        inside.last = std::min(inside.last, std::max(a, b));
    }
    return inside;
}

QPointF VolumeCamera::toView(const QVector3D& voxels, const QSizeF& view) const {
    const QVector3D place = rotation.conjugated().rotatedVector(voxels * vectorOf(sides) - boxSides() / 2);
    return (QPointF(place.x(), place.y()) - centre) / unitsPerPixel(view) +
           QPointF(view.width() / 2, view.height() / 2);
}

QVector3D VolumeCamera::farCorner() const {
    const QVector3D forward = rotation.rotatedVector(kForward);
    const auto far = [](float part) { return part > 0 ? 1.0F : 0.0F; };
    return {far(forward.x()), far(forward.y()), far(forward.z())};
}

VolumeCamera VolumeCamera::turned(const QPointF& drag, const QSizeF& view) const {
    VolumeCamera camera = *this;
    const double scale = kTurn / shorterSide(view);
    camera.rotation = (rotation * about(kDown, drag.x() * scale) * about(kRight, -drag.y() * scale)).normalized();
    return camera;
}

VolumeCamera VolumeCamera::moved(const QPointF& drag, const QSizeF& view) const {
    VolumeCamera camera = *this;
    camera.centre -= drag * unitsPerPixel(view);
    return camera;
}

VolumeCamera VolumeCamera::zoomedAbout(const QPointF& at, double factor, const QSizeF& view) const {
    VolumeCamera camera = *this;
    camera.zoom = std::clamp(zoom * factor, kLeastZoom, kMostZoom);
    const QPointF fromMiddle = at - QPointF(view.width() / 2, view.height() / 2);
    camera.centre += fromMiddle * (unitsPerPixel(view) - camera.unitsPerPixel(view));
    return camera;
}

VolumeCamera VolumeCamera::fitted() const {
    constexpr double kMargin = 0.95;
    const QVector3D box = boxSides();
    // Half the width and height of the projection: its corners are sums of the sides, with either sign.
    double side = 0;
    for (const QVector3D& across : {kRight, kDown}) {
        const QVector3D axis = rotation.rotatedVector(across);
        side = std::max(side, std::abs(axis.x()) * box.x() + std::abs(axis.y()) * box.y() +
                                  static_cast<double>(std::abs(axis.z()) * box.z()));
    }
    VolumeCamera camera = *this;
    camera.zoom = std::max(1.0, kMargin * static_cast<double>(box.length()) / side);
    camera.centre = {};
    return camera;
}

VolumeCamera VolumeCamera::along(VolumeAxis axis, const PlaneTurn& turn) const {
    const auto directionOf = [](const ImageAxis& each) {
        QVector3D direction;
        direction[static_cast<int>(each.axis)] = each.isReversed ? -1.0F : 1.0F;
        return direction;
    };
    const auto axes = axesOf(VolumePlane{axis, 0, turn});
    const QVector3D right = directionOf(axes[0]);
    const QVector3D down = directionOf(axes[1]);
    VolumeCamera camera = *this;
    camera.rotation = QQuaternion::fromAxes(right, down, QVector3D::crossProduct(right, down));
    return camera.fitted();
}

VolumeCamera VolumeCamera::slanted(VolumeAxis axis, const PlaneTurn& turn) const {
    constexpr double kAside = 0.5; ///< radians
    constexpr double kAbove = 0.35;
    VolumeCamera camera = along(axis, turn);
    camera.rotation = (camera.rotation * about(kDown, kAside) * about(kRight, -kAbove)).normalized();
    return camera.fitted();
}

namespace {

constexpr std::size_t kPresetPoints = 5;
constexpr double kPercentShare = 0.01;
constexpr std::array kRenderingNames{"maximum", "minimum", "shaded"}; // as Rendering

/// Points in Hounsfield units, or in percentiles of the voxels.
struct PresetRow {
    const char* id;
    const char* name;
    std::array<OpacityPoint, kPresetPoints> points;
};
constexpr std::array kCtPresets{
    PresetRow{"ctBone",
              QT_TRANSLATE_NOOP("RenderingPresets", "CT bone"),
              {{{200, 0}, {300, 0.1}, {500, 0.4}, {1000, 0.8}, {1800, 0.95}}}},
    PresetRow{"ctSoftTissue",
              QT_TRANSLATE_NOOP("RenderingPresets", "CT soft tissue"),
              {{{-150, 0}, {-20, 0.02}, {40, 0.15}, {150, 0.4}, {400, 0.6}}}},
    PresetRow{"ctLung",
              QT_TRANSLATE_NOOP("RenderingPresets", "CT lung"),
              {{{-950, 0}, {-900, 0.02}, {-700, 0.06}, {-500, 0.03}, {-400, 0}}}},
};
constexpr std::array kPercentilePresets{
    PresetRow{"mri",
              QT_TRANSLATE_NOOP("RenderingPresets", "MRI"),
              {{{50, 0}, {75, 0.03}, {90, 0.15}, {99, 0.45}, {99.9, 0.7}}}},
    PresetRow{"fluorescence",
              QT_TRANSLATE_NOOP("RenderingPresets", "Fluorescence"),
              {{{80, 0}, {95, 0.1}, {99, 0.35}, {99.7, 0.65}, {99.9, 0.85}}}},
};

QString presetText(const char* source) { return QCoreApplication::translate("RenderingPresets", source); }

/// "0 % at 200, 10 % at 300"
QString pointsText(const PresetRow& row) {
    const QLocale locale;
    constexpr double kPercent = 100;
    QStringList parts;
    for (const OpacityPoint& point : row.points) {
        parts << presetText("%1 % at %2").arg(locale.toString(point.opacity * kPercent), locale.toString(point.value));
    }
    return parts.join(QStringLiteral(", "));
}

double between(const OpacityPoint& a, const OpacityPoint& b, double value) {
    const double width = b.value - a.value;
    return width > 0 ? a.opacity + (b.opacity - a.opacity) * (value - a.value) / width : b.opacity;
}

} // namespace

OpacityCurve::OpacityCurve(std::vector<OpacityPoint> points) : points_(std::move(points)) {
    std::erase_if(points_,
                  [](const OpacityPoint& each) { return !std::isfinite(each.value) || !std::isfinite(each.opacity); });
    std::ranges::stable_sort(points_, {}, &OpacityPoint::value);
    points_.resize(std::min(points_.size(), kMostPoints));
    if (points_.size() < kFewestPoints) {
        points_.clear();
    }
    for (OpacityPoint& each : points_) {
        each.opacity = std::clamp(each.opacity, 0.0, 1.0);
    }
}

double OpacityCurve::at(double value) const {
    if (points_.empty()) {
        return 0;
    }
    const auto next = std::ranges::upper_bound(points_, value, {}, &OpacityPoint::value);
    if (next == points_.begin()) {
        return points_.front().opacity;
    }
    return next == points_.end() ? points_.back().opacity : between(*(next - 1), *next, value);
}

OpacityCurve::Table OpacityCurve::table() const {
    Table table{};
    if (points_.empty()) {
        return table;
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double place = static_cast<double>(i) / (kTableSize - 1);
        table[i] = static_cast<float>(at(low() + place * (high() - low())));
    }
    return table;
}

OpacityCurve OpacityCurve::moved(std::size_t index, const OpacityPoint& to) const {
    OpacityCurve curve = *this;
    OpacityPoint& point = curve.points_[index];
    const double least = index == 0 ? to.value : points_[index - 1].value;
    const double most = index + 1 == points_.size() ? to.value : points_[index + 1].value;
    point.value = std::clamp(to.value, least, std::max(least, most));
    point.opacity = std::clamp(to.opacity, 0.0, 1.0);
    return curve;
}

OpacityCurve OpacityCurve::with(const OpacityPoint& point) const {
    if (points_.size() >= kMostPoints) {
        return *this;
    }
    std::vector<OpacityPoint> points = points_;
    points.push_back(point);
    return OpacityCurve(std::move(points));
}

OpacityCurve OpacityCurve::without(std::size_t index) const {
    OpacityCurve curve = *this;
    if (points_.size() > kFewestPoints) {
        curve.points_.erase(curve.points_.begin() + static_cast<std::ptrdiff_t>(index));
    }
    return curve;
}

QList<RenderingPreset> renderingPresets(const ImageInfo* info, const LevelHistogram* histogram,
                                        const std::optional<ValueMapping>& mapping) {
    QList<RenderingPreset> presets;
    if (info == nullptr || histogram == nullptr || histogram->pixels == 0) {
        return presets;
    }
    if (unitOf(info->mapping) == "HU") {
        for (const PresetRow& row : kCtPresets) {
            presets << RenderingPreset{QString::fromLatin1(row.id), presetText(row.name),
                                       presetText("Opacity in Hounsfield units: %1").arg(pointsText(row)),
                                       OpacityCurve({row.points.begin(), row.points.end()})};
        }
        return presets;
    }
    for (const PresetRow& row : kPercentilePresets) {
        std::vector<OpacityPoint> points;
        for (const OpacityPoint& point : row.points) {
            const std::uint16_t level = histogram->percentile(point.value * kPercentShare);
            points.push_back({valueOf(mapping, level), point.opacity});
        }
        presets << RenderingPreset{QString::fromLatin1(row.id), presetText(row.name),
                                   presetText("Opacity at percentiles of the voxels' values: %1").arg(pointsText(row)),
                                   OpacityCurve(std::move(points))};
    }
    return presets;
}

SessionRendering sessionOf(const RenderingLook& look) {
    SessionRendering session{kRenderingNames[static_cast<std::size_t>(look.rendering)],
                             look.preset.toStdString(),
                             {},
                             look.opacity,
                             look.hasShading};
    for (const OpacityPoint& point : look.curve.points()) {
        session.curve.push_back(point.value);
        session.curve.push_back(point.opacity);
    }
    return session;
}

RenderingLook lookOf(const SessionRendering& session) {
    std::vector<OpacityPoint> points;
    for (std::size_t i = 0; i + 1 < session.curve.size(); i += 2) {
        points.push_back({session.curve[i], session.curve[i + 1]});
    }
    RenderingLook look;
    if (const auto* const name = std::ranges::find(kRenderingNames, session.rendering); name != kRenderingNames.end()) {
        look.rendering = static_cast<Rendering>(name - kRenderingNames.begin());
    }
    look.curve = OpacityCurve(std::move(points));
    look.preset = look.curve.isEmpty() ? QString() : QString::fromStdString(session.preset);
    look.opacity = std::clamp(session.opacity, 0.0, 1.0);
    look.hasShading = session.shading;
    return look;
}

RenderingLook storedLook(const QString& text) {
    QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
    QJsonArray numbers;
    for (const QJsonValue each : json.value("curve").toArray()) {
        if (each.isArray()) { // settings of older versions have pairs
            for (const QJsonValue number : each.toArray()) {
                numbers.append(number);
            }
        } else {
            numbers.append(each);
        }
    }
    json.insert("curve", numbers);
    try {
        return lookOf(parseRendering(QJsonDocument(json).toJson().toStdString()));
    } catch (const Error&) {
        return {};
    }
}

} // namespace pollard::vm
