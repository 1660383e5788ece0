#pragma once

#include "overlays/overlay.hpp"

#include <QRgb>

#include <cstdint>
#include <span>

namespace pollard::vm {
class DocumentViewModel;
class ObjectTableModel;
class ObjectTracksViewModel;
class ObjectsViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Colour of an object, a function of its label: hues at golden-section distances, so that neighbouring labels differ,
/// with two alternating brightnesses.
[[nodiscard]] QRgb objectColour(std::uint32_t label);

/// Draws the listed objects in the colours of their classes, tracks or labels; selected objects have white outlines.
class ObjectsOverlay : public Overlay {
public:
    /// @param objects,table must outlive this
    ObjectsOverlay(const vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table)
        : objects_(objects), table_(table) {}

    /// Call when objects, selection or opacity have changed.
    void forgetImage() { picture_.forget(); }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    void fill(const OverlayScene& scene, const SurfaceGrid& grid, std::span<QRgb> out) const;

    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTableModel& table_;
    SurfaceImage picture_;
};

/// Draws the path of the current track: a line along the centroids on all its pages, with a dot for each page and a
/// ring on the current page. The line after the current page is thinner.
class TrackOverlay : public Overlay {
public:
    /// @param document,objects,tracks must outlive this
    TrackOverlay(const vm::DocumentViewModel& document, const vm::ObjectsViewModel& objects,
                 const vm::ObjectTracksViewModel& tracks)
        : document_(document), objects_(objects), tracks_(tracks) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::DocumentViewModel& document_;
    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTracksViewModel& tracks_;
};

} // namespace pollard::app
