#pragma once

#include "image/image.hpp"
#include "image/volume_plane.hpp"

#include <QLabel>
#include <QPointF>
#include <QRect>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <optional>
#include <vector>

namespace pollard::app {

class Canvas;
struct Models;

/// Shows the image, or in the workspace of volumes the three sections and the 3D view of a volume in two rows of two. A
/// drag of the gaps changes the sizes of the views. A double click enlarges a view, or shows all four again.
class VolumeViews : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this @param canvas becomes a child of this; it shows the slices
    VolumeViews(Models& models, Canvas& canvas, QWidget* parent = nullptr);

    /// Sets whether the workspace of volumes is shown.
    void setOn(bool on);
    /// Whether all views are used: the workspace is shown and a volume is open.
    [[nodiscard]] bool showsAll() const;

signals:
    void shownChanged(); ///< showsAll()
    void placed();       ///< the canvas has another place

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Cell {
        QString id; ///< in settings and sessions
        QWidget* view = nullptr;
        QLabel* name = nullptr;
        QToolButton* enlarge = nullptr;
        std::optional<VolumeAxis> across; ///< of a section; unset: the 3D view
        QString failure;                  ///< of OpenGL; empty without one
    };
    void refresh();
    void makeCells();
    void addCell(const QString& id, QWidget* view, std::optional<VolumeAxis> across);
    void showNames();
    /// The reason why a view is empty.
    [[nodiscard]] QString problemOf(const Cell& cell) const;
    void place();
    void placeCell(const Cell& cell, const QRect& area);
    /// 0 and 1 in the upper row, 2 and 3 in the lower one: axial, coronal, sagittal, 3D; without a patient XY, XZ, YZ.
    [[nodiscard]] int quadrantOf(const Cell& cell) const;
    /// The point at which the gaps cross.
    [[nodiscard]] QPoint crossing() const;
    /// The gaps at a place: bit 1 between columns, bit 2 between rows.
    [[nodiscard]] int gapsAt(const QPointF& place) const;
    void toggle(const QString& id);
    [[nodiscard]] bool takesDoubleClick(const QWidget& view) const;
    /// The state before a single click, which a double click restores.
    struct BeforeClick {
        Voxel position;
        bool isHeld = false; ///< whether the chain is held
    };
    void undoClick();

    Models& models_;
    Canvas& canvas_;
    QLabel* reason_ = nullptr; ///< that the image has no sections
    std::vector<Cell> cells_;  ///< empty until a volume is shown
    std::optional<BeforeClick> beforeClick_;
    bool isOn_ = false;
    bool shown_ = false; ///< showsAll() at the last signal
    int dragged_ = 0;    ///< gaps
};

} // namespace pollard::app
