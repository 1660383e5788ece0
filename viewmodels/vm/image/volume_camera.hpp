#pragma once

#include "image/extent.hpp"
#include "image/volume_blocks.hpp"
#include "image/volume_plane.hpp"

#include <QPointF>
#include <QQuaternion>
#include <QSizeF>
#include <QVector3D>

namespace pollard::vm {

/// Parallel projection of the box of a volume onto a view, from any direction. Space has its origin in the middle of
/// the box and the width of a voxel as unit: x to the right, y down, z from the first slice to the last. Pure
/// arithmetic.
struct VolumeCamera {
    Extent extent{1, 1, 1};
    VoxelSides sides;
    QQuaternion rotation; ///< of the view's right, down and forward in space
    double zoom = 1;      ///< 1: the box fits from every direction
    QPointF centre;       ///< of the view, right and down from the middle of the box

    static constexpr double kLeastZoom = 0.25;
    static constexpr double kMostZoom = 64;

    bool operator==(const VolumeCamera&) const = default;

    /// A half line into the view; a voxel (x, y, z) covers [x, x + 1) x [y, y + 1) x [z, z + 1).
    struct Ray {
        QVector3D origin;    ///< voxels
        QVector3D direction; ///< voxels per unit of space
    };
    /// Where a ray is in the box, in units of space from its origin; nothing in it if @p first >= @p last.
    struct Inside {
        float first = 0;
        float last = 0;
    };

    [[nodiscard]] QVector3D boxSides() const; ///< in space
    /// Distance of the samples on a ray: the smallest side of a block.
    [[nodiscard]] double step(const BlockSides& blocks) const;
    /// Units of space for each unit of the view.
    [[nodiscard]] double unitsPerPixel(const QSizeF& view) const;
    [[nodiscard]] Ray rayAt(const QPointF& at, const QSizeF& view) const;
    [[nodiscard]] Inside insideOf(const Ray& ray) const;
    /// Place of a point, in voxels, in the view.
    [[nodiscard]] QPointF toView(const QVector3D& voxels, const QSizeF& view) const;
    /// The corner of the box that it hides from the view: 0 or 1 for each axis.
    [[nodiscard]] QVector3D farCorner() const;

    /// The near side of the box follows a drag, in units of the view.
    [[nodiscard]] VolumeCamera turned(const QPointF& drag, const QSizeF& view) const;
    /// The box follows a drag.
    [[nodiscard]] VolumeCamera moved(const QPointF& drag, const QSizeF& view) const;
    /// A point of the view stays.
    [[nodiscard]] VolumeCamera zoomedAbout(const QPointF& at, double factor, const QSizeF& view) const;
    /// Zoomed so that the box fills a square view from this direction, in its middle.
    [[nodiscard]] VolumeCamera fitted() const;
    /// The whole box along an axis, with the axes of the image of a plane across it to the right and down.
    [[nodiscard]] VolumeCamera along(VolumeAxis axis, const PlaneTurn& turn = {}) const;
    /// The same, turned so that three sides are seen.
    [[nodiscard]] VolumeCamera slanted(VolumeAxis axis = VolumeAxis::z, const PlaneTurn& turn = {}) const;
};

} // namespace pollard::vm
