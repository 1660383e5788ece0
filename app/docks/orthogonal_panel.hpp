#pragma once

#include "canvas/canvas.hpp"
#include "image/volume_plane.hpp"
#include "overlays/tools/image_tools.hpp"

#include <QLabel>
#include <QPointF>
#include <QSplitter>
#include <QStackedWidget>
#include <QString>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace pollard::vm {
class Analysis;
class DocumentViewModel;
class OrthogonalViewModel;
} // namespace pollard::vm

namespace pollard::app {

class OverlayPane;
struct Models;

/// A section of a volume beside the visible slice, with the proportions of its voxels. It fits the view while the slice
/// does, else it has the zoom of the slice. A drag, the wheel and the arrow keys move the cross hair. A drag with the
/// middle button moves the image, and Ctrl with the wheel zooms. While the tool for picks is on, a click picks a
/// component; else it selects an object, and holds the chain or releases it. Chain and probe follow the pointer. Shapes
/// are drawn in the slice only; a note says so while a tool for shapes is chosen.
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
    /// Handles a key of a tool or of a held chain. @param isAsked only tests the key @returns whether it is such a key
    bool takeKey(const QKeyEvent& event, bool isAsked);

    VolumeAxis across_;
    Models& models_;
    OverlayPane* overlays_;
    SplitTool split_;
    PickTool picker_;
    std::array<CanvasTool*, 2> tools_{&split_, &picker_};
    CanvasTool* activeTool_ = nullptr; ///< handles the movements of the drag
    int wheel_ = 0;                    ///< rotation of less than a step, eighths of a degree
    QPointF pressed_;
    std::optional<QPointF> clicked_; ///< px of the section at the press, until the pointer moves
    bool movesCrossHair_ = false;    ///< the drag moves the cross hair
    QPointF last_;                   ///< last position of the pointer during a drag of the image
    std::optional<QPointF> pointer_; ///< while it is over the view
};

/// The sections XZ and YZ of a volume beside the visible slice, with anatomical names if the volume shows a patient.
class OrthogonalPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit OrthogonalPanel(Models& models, QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;
    /// Places the views one above the other instead of side by side.
    void setTall(bool tall);

private:
    void addView(VolumeAxis across, Models& models, const QString& objectName, const QString& toolTip);
    void showNames();
    void showState();

    struct View {
        VolumeAxis across = VolumeAxis::y;
        SectionView* view = nullptr;
        QLabel* name = nullptr;
        QString toolTip;
    };

    const vm::DocumentViewModel& document_;
    const vm::OrthogonalViewModel& orthogonal_;
    std::vector<View> shown_;
    QStackedWidget* pages_ = nullptr; ///< views, and the reason why there are none
    QSplitter* views_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* position_ = nullptr;
    QString failure_; ///< error of OpenGL; empty if there is none
};

} // namespace pollard::app
