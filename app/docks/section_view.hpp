#pragma once

#include "canvas/canvas.hpp"
#include "overlays/tools/image_tools.hpp"

#include "image/volume_plane.hpp"

#include <QPointF>

#include <array>
#include <optional>

namespace pollard::app {

class OverlayPane;
struct Models;

/// A section of a volume beside the seen slice, with the proportions of its voxels: it fits its place while the slice
/// does, else it has the zoom of the slice. A drag moves the cross hair, the wheel and the arrow keys move it by a
/// voxel; with the middle button a drag moves the image, and with Ctrl the wheel zooms. While components are picked,
/// a click picks one; else it selects the object there, and holds the chain or releases it. The chain and the probe
/// follow the pointer. Shapes are drawn in the slice, which a sentence says while a tool for them is chosen.
class SectionView : public ImageSurface {
    Q_OBJECT

public:
    /// @param across x or y @param models must outlive this
    SectionView(VolumeAxis across, Models& models, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] ImagePart part() const override;
    /// A point of the view in the image of the section, px.
    [[nodiscard]] QPointF toSection(const QPointF& view) const;
    [[nodiscard]] QPointF toView(const QPointF& section) const;

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeSection();
    void moveTo(const QPointF& view);
    /// Moves the image along the axes that it has in common with the slice.
    void pan(const QPointF& by);
    /// The values under the pointer, if it is over the image.
    void probe();
    void showCursor();
    /// Takes a key of a tool or of a held chain, or only says whether it would. @returns whether it is one
    bool takeKey(const QKeyEvent& event, bool isAsked);

    VolumeAxis across_;
    Models& models_;
    OverlayPane* overlays_;
    SplitTool split_;
    PickTool picker_;
    std::array<CanvasTool*, 2> tools_{&split_, &picker_};
    CanvasTool* activeTool_ = nullptr; ///< handles the movements of the drag
    int wheel_ = 0;                    ///< of less than a step
    QPointF pressed_;
    std::optional<QPointF> clicked_; ///< px of the section at the press, until the pointer moves
    bool movesCrossHair_ = false;    ///< a drag does
    QPointF last_;                   ///< of a drag of the image
    std::optional<QPointF> pointer_; ///< while it is over the view
};

} // namespace pollard::app
