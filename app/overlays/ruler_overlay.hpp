#pragma once

#include "overlays/overlay.hpp"

namespace pollard::vm {
class OverlaysViewModel;
}

namespace pollard::app {

/// Thickness of a ruler, logical px.
inline constexpr double kRulerWidth = 24;

/// Rulers along the top and the left edge, in the unit of the scene or in px, with a mark for the pointer.
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
    /// Unit, and its number per px of the picture.
    struct Unit {
        QString name;
        double x = 1;
        double y = 1;
        bool pixels = true;
    };
    [[nodiscard]] Unit unitFor(const OverlayScene& scene) const;

    const vm::OverlaysViewModel& overlays_;
};

} // namespace pollard::app
