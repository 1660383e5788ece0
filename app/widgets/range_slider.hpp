#pragma once

#include "plot/interval_handles.hpp"

#include <QAbstractSlider>
#include <QString>
#include <QWidget>

namespace pollard::app {

/// One handle of a RangeSlider: a focusable widget with its own accessible value.
class RangeHandle : public QAbstractSlider {
    Q_OBJECT

public:
    explicit RangeHandle(QWidget* parent);

signals:
    /// A key requests small steps up (negative: down).
    void stepped(int steps);
    void jumpedToStart();
    void jumpedToEnd();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
};

/// A horizontal slider with two handles for an interval. Positions run from 0 to 1. The owner gives them a meaning and
/// sets them after a signal of a movement.
class RangeSlider : public QWidget {
    Q_OBJECT

public:
    explicit RangeSlider(QWidget* parent = nullptr);

    /// Moves the handles without emitting signals.
    void setPositions(double lower, double upper);
    [[nodiscard]] double lower() const noexcept { return lower_; }
    [[nodiscard]] double upper() const noexcept { return upper_; }
    /// Sets accessible names and values.
    void describe(const QString& lowerName, const QString& lowerValue, const QString& upperName,
                  const QString& upperValue);

    [[nodiscard]] RangeHandle* lowerHandle() const noexcept { return lowerHandle_; }
    [[nodiscard]] RangeHandle* upperHandle() const noexcept { return upperHandle_; }
    /// Centre of a handle at a position, px from the left.
    [[nodiscard]] double pixelOf(double position) const;

    [[nodiscard]] QSize sizeHint() const override { return {200, 30}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {90, 30}; }

signals:
    void lowerMoved(double position);
    void upperMoved(double position);
    /// A key requests small steps; the owner defines their size.
    void lowerStepped(int steps);
    void upperStepped(int steps);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void placeHandles();
    [[nodiscard]] IntervalHandles::Line line() const;

    RangeHandle* lowerHandle_;
    RangeHandle* upperHandle_;
    double lower_ = 0;
    double upper_ = 1;
    IntervalHandles handles_;
    double grip_ = 0; ///< px between the pointer and the grabbed handle
};

} // namespace pollard::app
