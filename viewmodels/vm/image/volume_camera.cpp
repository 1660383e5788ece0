#include "vm/image/volume_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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

VolumeCamera::Inside VolumeCamera::insideOf(const Ray& ray) const {
    Inside inside{0, boxSides().length()};
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

} // namespace pollard::vm
