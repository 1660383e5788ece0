#pragma once

#include "canvas/canvas.hpp"
#include "overlays/tools/picture_tools.hpp"

#include "image/volume_plane.hpp"

#include <QPointF>

#include <optional>

namespace pollard::app {

class OverlayPane;
struct Models;

/// A section of a volume beside the seen slice, with the proportions of its voxels: it fits its place while the slice
/// does, else it has the zoom of the slice. A drag moves the cross hair, the wheel and the arrow keys move it by a
/// voxel; with the middle button a drag moves the picture, and with Ctrl the wheel zooms. While components are picked,
/// a click picks one. The chain and the probe follow the pointer.
class SectionView : public PictureSurface {
    Q_OBJECT

public:
    /// @param across x or y @param models must outlive this
    SectionView(VolumeAxis across, Models& models, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] PicturePart part() const override;
    /// A point of the view in the picture of the section, px.
    [[nodiscard]] QPointF toSection(const QPointF& view) const;
    [[nodiscard]] QPointF toView(const QPointF& section) const;

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeSection();
    void moveTo(const QPointF& view);
    /// Moves the picture along the axes that it has in common with the slice.
    void pan(const QPointF& by);
    /// The values under the pointer, if it is over the picture.
    void probe();

    VolumeAxis across_;
    Models& models_;
    OverlayPane* overlays_;
    PickTool picker_;
    int wheel_ = 0;                  ///< of less than a step
    QPointF last_;                   ///< of a drag of the picture
    std::optional<QPointF> pointer_; ///< while it is over the view
};

} // namespace pollard::app
