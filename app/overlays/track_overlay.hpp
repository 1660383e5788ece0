#pragma once

#include "overlays/overlay.hpp"

namespace pollard::vm {
class DocumentViewModel;
class ObjectTracksViewModel;
class ObjectsViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The path of the current track: a line along the centroids of all its pages, a dot for each, and a ring around that
/// of the current page. The line after the current page is thinner.
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
