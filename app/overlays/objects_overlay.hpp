#pragma once

#include "overlays/overlay.hpp"
#include "overlays/surface_image.hpp"

#include <QRgb>

#include <cstdint>
#include <span>

namespace pollard::vm {
class ObjectsViewModel;
class ObjectTableModel;
} // namespace pollard::vm

namespace pollard::app {

/// Colour of an object, a function of its label: hues at golden-section distances, so that neighbouring labels differ,
/// with two alternating brightnesses.
[[nodiscard]] QRgb objectColour(std::uint32_t label);

/// The listed objects in the colours of their classes, tracks or labels, with white outlines for the selected ones.
class ObjectsOverlay : public Overlay {
public:
    /// @param objects,table must outlive this
    ObjectsOverlay(const vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table)
        : objects_(objects), table_(table) {}

    /// Objects, selection or opacity changed.
    void forgetImage() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    void fill(const OverlayScene& scene, const SurfaceGrid& grid, std::span<QRgb> out) const;

    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTableModel& table_;
    SurfaceImage picture_;
};

} // namespace pollard::app
