#pragma once

#include <QImage>
#include <QWidget>

#include <vector>

namespace pollard::vm {
class DisplayViewModel;
class InspectorViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Thumbnail of the inspected component in the colours of the display, with the component marked.
class ComponentThumbnail : public QWidget {
    Q_OBJECT

public:
    /// @param inspector,display must outlive this
    ComponentThumbnail(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    vm::InspectorViewModel& inspector_;
    vm::DisplayViewModel& display_;
    QImage picture_;
};

/// Slices of the inspected component of a volume, side by side; a click shows a slice. Hidden in images.
class ComponentStrip : public QWidget {
    Q_OBJECT

public:
    /// @param inspector,display must outlive this
    ComponentStrip(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void colour();
    /// Of a slice in the strip.
    [[nodiscard]] QRectF place(int number) const;
    /// Number in the strip at a point; -1 beside them.
    [[nodiscard]] int numberAt(const QPointF& point) const;

    vm::InspectorViewModel& inspector_;
    vm::DisplayViewModel& display_;
    std::vector<QImage> pictures_;
};

} // namespace pollard::app
