#pragma once

#include "overlays/overlay.hpp"

#include <QList>
#include <QString>

namespace pollard::vm {
class DocumentViewModel;
class OverlaysViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Letters of the ends of the patient at the edges of a view: right, left, anterior, posterior, superior, inferior; two
/// letters where the voxels are oblique. Nothing for images that do not state the axes of a patient.
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
