#pragma once

#include "plot/chart.hpp"
#include "plot/interval_handles.hpp"
#include "vm/image/level_histogram.hpp"

class QAbstractSeries;
class QValueAxis;

namespace pollard::app {

/// A chart over grey levels with a window of the display: both edges can be dragged; dragging the interval between them
/// moves both, a double click sets it automatically, and the arrow keys move an edge.
class LevelChart : public Chart {
    Q_OBJECT

public:
    /// Position of a grey level, px of this widget from the left.
    [[nodiscard]] double pixelOf(double level) const { return line().pixelOf(level); }

protected:
    LevelChart(const char* name, QSize least, QWidget* parent);

    /// Whether there is a window to be changed; the chart shows none otherwise.
    [[nodiscard]] virtual bool hasWindow() const = 0;
    [[nodiscard]] virtual vm::LevelWindow window() const = 0; ///< called only with a window
    [[nodiscard]] virtual int maxLevel() const = 0;
    virtual void setWindow(const vm::LevelWindow& window) = 0;
    virtual void autoWindow() = 0;

    /// Sets the range of levels and the numbers below it. @param values of the file at the ends @param unit of them
    void setEnds(const vm::LevelWindow& levels, const vm::LevelWindow& values, bool areWhole, bool hasNumbers,
                 const QString& unit);
    [[nodiscard]] const vm::LevelWindow& ends() const noexcept { return ends_; }
    /// Adds a series of heights from 0 to 1 over levels.
    void plot(QAbstractSeries* series);
    /// Paints the layer under the edges of the window; the base paints nothing.
    virtual void drawCurve(QPainter& painter);

    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] IntervalHandles::Line line() const;

    QValueAxis* levels_; ///< hidden
    QValueAxis* values_; ///< the same range in values of the file
    QValueAxis* heights_;
    vm::LevelWindow ends_{0, 255};
    IntervalHandles edges_;
};

} // namespace pollard::app
