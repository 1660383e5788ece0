#pragma once

#include "vm/image/level_histogram.hpp"

#include "image/image.hpp"
#include "image/volume_blocks.hpp"
#include "image/volume_plane.hpp"
#include "io/image_file.hpp"

#include <QList>
#include <QPointF>
#include <QQuaternion>
#include <QSizeF>
#include <QString>
#include <QVector3D>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {
struct SessionRendering;
} // namespace pollard

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
    struct RayInterval {
        float first = 0;
        float last = 0;
    };

    [[nodiscard]] QVector3D boxSides() const; ///< in space
    /// Distance of the samples on a ray: the smallest side of a block.
    [[nodiscard]] double step(const BlockSides& blocks) const;
    /// Units of space for each unit of the view.
    [[nodiscard]] double unitsPerPixel(const QSizeF& view) const;
    [[nodiscard]] Ray rayAt(const QPointF& at, const QSizeF& view) const;
    [[nodiscard]] RayInterval insideOf(const Ray& ray) const;
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

/// Opacity of a voxel with a value.
struct OpacityPoint {
    double value = 0;   ///< of the file
    double opacity = 0; ///< 0..1

    bool operator==(const OpacityPoint&) const = default;
};

/// Opacity of voxels by their value: straight between points, and level beyond the first and the last one.
class OpacityCurve {
public:
    static constexpr std::size_t kFewestPoints = 2;
    static constexpr std::size_t kMostPoints = 32;
    static constexpr std::size_t kTableSize = 256;
    using Table = std::array<float, kTableSize>;

    OpacityCurve() = default;
    /// Sorts the points and limits their opacity; points without a finite value or opacity are left out.
    explicit OpacityCurve(std::vector<OpacityPoint> points);

    /// None, or kFewestPoints to kMostPoints, with ascending values.
    [[nodiscard]] const std::vector<OpacityPoint>& points() const noexcept { return points_; }
    [[nodiscard]] bool isEmpty() const noexcept { return points_.empty(); }
    [[nodiscard]] double low() const noexcept { return points_.front().value; }
    [[nodiscard]] double high() const noexcept { return points_.back().value; }
    /// 0 without points.
    [[nodiscard]] double at(double value) const;
    /// Opacities at evenly spaced values from low() to high(); 0 without points.
    [[nodiscard]] Table table() const;

    /// A point moved, at most to its neighbours.
    [[nodiscard]] OpacityCurve moved(std::size_t index, const OpacityPoint& to) const;
    /// The curve with one more point; unchanged if it has kMostPoints.
    [[nodiscard]] OpacityCurve with(const OpacityPoint& point) const;
    /// The curve with one point less; unchanged if it has kFewestPoints.
    [[nodiscard]] OpacityCurve without(std::size_t index) const;

    bool operator==(const OpacityCurve&) const = default;

private:
    std::vector<OpacityPoint> points_;
};

/// A curve with a name for menus.
struct RenderingPreset {
    QString id;      ///< "ctBone", "ctSoftTissue", "ctLung", "mri" or "fluorescence"
    QString name;    ///< translated
    QString toolTip; ///< how the points are chosen, translated
    OpacityCurve curve;
};

/// The presets for a volume: of computed tomography if its values are in Hounsfield units, else by percentiles of its
/// voxels. @param info,histogram of the volume, in displayed levels; null: none
/// @param mapping of these levels to values
[[nodiscard]] QList<RenderingPreset> renderingPresets(const ImageInfo* info, const LevelHistogram* histogram,
                                                      const std::optional<ValueMapping>& mapping);

/// How the voxels along a ray become a pixel.
enum class Rendering : std::uint8_t {
    maximum, ///< maximum intensity projection
    minimum, ///< minimum intensity projection
    shaded,  ///< volume rendering: levels are opaque by a curve, or by their place in the window
};

/// How a volume is rendered, from any direction.
struct RenderingLook {
    Rendering rendering = Rendering::maximum;
    QString preset;         ///< of the curve: RenderingPreset::id, kOwnCurve, or empty without a curve
    OpacityCurve curve;     ///< of Rendering::shaded; empty: the window of the display
    double opacity = 0.25;  ///< of a voxel at the bright end of the window, 0..1; without a curve
    bool hasShading = true; ///< light by the slope of the values, for Rendering::shaded

    static constexpr auto kOwnCurve = "own"; ///< a curve that the user has changed

    bool operator==(const RenderingLook&) const = default;
};

/// The form of settings and sessions.
[[nodiscard]] SessionRendering sessionOf(const RenderingLook& look);
[[nodiscard]] RenderingLook lookOf(const SessionRendering& session);
/// The look in settings, also of older versions; the default for another text.
[[nodiscard]] RenderingLook storedLook(const QString& text);

} // namespace pollard::vm
