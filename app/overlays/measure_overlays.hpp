#pragma once

#include "overlays/overlay.hpp"
#include "vm/image/world_scale.hpp"

#include <QList>
#include <QString>

namespace pollard::vm {
class DocumentViewModel;
class OrthogonalViewModel;
class OverlaysViewModel;
class PixelSizeViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Draws lines between the pixels if the pixels are large enough on the screen.
class PixelGridOverlay : public Overlay {
public:
    /// Minimum size of a pixel of the image, device px.
    static constexpr double kSmallestPixel = 16;

    /// @param overlays must outlive this
    explicit PixelGridOverlay(const vm::OverlaysViewModel& overlays) : overlays_(overlays) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::OverlaysViewModel& overlays_;
};

/// Thickness of a ruler, logical px.
inline constexpr double kRulerWidth = 24;

/// Draws rulers along the top and the left edge, in map coordinates, in the unit of the scene or in px, with a mark for
/// the pointer.
class RulerOverlay : public Overlay {
public:
    /// @param overlays must outlive this
    explicit RulerOverlay(const vm::OverlaysViewModel& overlays) : overlays_(overlays) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool followsPointer() const override { return true; }

private:
    void paintRuler(QPainter& painter, const OverlayScene& scene, Qt::Orientation orientation) const;
    void paintCorner(QPainter& painter, const OverlayScene& scene) const;
    [[nodiscard]] vm::RulerAxis axisFor(const OverlayScene& scene, Qt::Orientation orientation) const;

    const vm::OverlaysViewModel& overlays_;
};

/// Draws a bar of a round length in the lower left corner.
class ScaleBarOverlay : public Overlay {
public:
    /// @param overlays must outlive this
    explicit ScaleBarOverlay(const vm::OverlaysViewModel& overlays) : overlays_(overlays) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    struct Layout {
        vm::ScaleBar bar;
        QRectF plate;
        QRectF text;
        QPointF start; ///< left end of the bar, on its lower edge
    };
    [[nodiscard]] std::optional<Layout> layout(const OverlayScene& scene) const;

    const vm::OverlaysViewModel& overlays_;
};

/// Draws the line that a person lays over a scale bar, with its length in px.
class ScaleLineOverlay : public Overlay {
public:
    /// @param size must outlive this
    explicit ScaleLineOverlay(const vm::PixelSizeViewModel& size) : size_(size) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    const vm::PixelSizeViewModel& size_;
};

/// Draws the lines along which the other two orthogonal views cross a plane of a volume.
class CrossHairOverlay : public Overlay {
public:
    /// @param orthogonal must outlive this
    explicit CrossHairOverlay(const vm::OrthogonalViewModel& orthogonal) : orthogonal_(orthogonal) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

private:
    const vm::OrthogonalViewModel& orthogonal_;
};

/// Names the directions of the patient at the edges of a view by letters: right, left, anterior, posterior, superior,
/// inferior; by two letters if the voxels are oblique. Draws nothing for images that do not state a patient's axes.
class PatientOverlay : public Overlay {
public:
    /// Both must outlive this.
    PatientOverlay(const vm::OverlaysViewModel& overlays, const vm::DocumentViewModel& document)
        : overlays_(overlays), document_(document) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    struct Mark {
        QString letters;
        QRectF plate;
    };
    [[nodiscard]] QList<Mark> marks(const OverlayScene& scene) const;

    const vm::OverlaysViewModel& overlays_;
    const vm::DocumentViewModel& document_;
};

} // namespace pollard::app
