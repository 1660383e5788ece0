#pragma once

#include "lab/lab_scene.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_view_model.hpp"

#include <QWidget>

namespace pollard::app {

/// One view of the lab. The pixel under the pointer or the cursor is highlighted in all views; the image can be
/// painted, and questions are answered by clicks on the answer. Keys: arrows move the cursor, in the tree to parent,
/// child and siblings; digits, + and - change the level at the cursor; Return paints or answers.
class LabView : public QWidget {
    Q_OBJECT

public:
    /// @param lab,player must outlive this
    LabView(LabPart part, vm::LabViewModel& lab, vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

    [[nodiscard]] LabPart part() const noexcept { return part_; }
    [[nodiscard]] bool showsIndices() const noexcept { return indices_; }
    void setIndices(bool indices);

    [[nodiscard]] LabScene scene() const;
    /// Pixel at a position: a cell of a grid, or the canonical pixel of a node; -1 for none.
    [[nodiscard]] int pixelAt(QPointF place) const;
    /// Position of a pixel.
    [[nodiscard]] QPointF placeOf(int pixel) const;

    /// Whether mouse and keys change the levels of the image.
    void setPaintable(bool paintable) { paintable_ = paintable; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] bool asksForPixel() const;
    void describe();
    void showState();
    bool pressKey(int key);
    bool pressArrow(int key);
    bool changeLevel(int key);
    void walkTree(int key);

    LabPart part_;
    vm::LabViewModel& lab_;
    vm::LabPlayerViewModel& player_;
    bool indices_ = false;
    bool painting_ = false;
    bool paintable_ = true;
};

} // namespace pollard::app
