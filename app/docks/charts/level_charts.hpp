#pragma once

#include "plot/chart.hpp"
#include "plot/interval_handles.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/image/rendering_look.hpp"

#include <QList>
#include <QPointF>

#include <cstddef>
#include <optional>

class QAbstractSeries;
class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class CompositeViewModel;
class DisplayViewModel;
class HistogramViewModel;
class RenderingViewModel;
} // namespace pollard::vm

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

    /// Whether there is a window to change; the chart shows it only then.
    [[nodiscard]] virtual bool hasWindow() const = 0;
    [[nodiscard]] virtual vm::LevelWindow window() const = 0; ///< called only with a window
    [[nodiscard]] virtual int maxLevel() const = 0;
    virtual void setWindow(const vm::LevelWindow& window) = 0;
    virtual void autoWindow() = 0;

    /// Sets the range of levels and the numbers below it. @param values of the file at both ends @param unit of @p
    /// values
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

/// The histogram of the image over the grey levels of the display.
class HistogramChart : public LevelChart {
    Q_OBJECT

protected:
    /// @param strength opacity of the bars @param histogram,display must outlive this
    HistogramChart(const char* name, QSize least, float strength, vm::HistogramViewModel& histogram,
                   vm::DisplayViewModel& display, QWidget* parent);

    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] vm::DisplayViewModel& display() const noexcept { return display_; }
    [[nodiscard]] int maxLevel() const override;
    void styleSeries(const QPalette& palette) override;

private:
    void showBins();

    vm::HistogramViewModel& histogram_;
    vm::DisplayViewModel& display_;
    QAreaSeries* area_;
    float strength_;
};

/// Histogram of the grey levels with window and tone curve of the display.
class HistogramView : public HistogramChart {
    Q_OBJECT

public:
    /// @param histogram,display must outlive this
    HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {260, 168}; }

protected:
    [[nodiscard]] bool hasWindow() const override;
    [[nodiscard]] vm::LevelWindow window() const override;
    void setWindow(const vm::LevelWindow& window) override;
    void autoWindow() override;
    void drawCurve(QPainter& painter) override;

private:
    [[nodiscard]] QPolygonF toneCurve(const QRectF& plot) const;
};

/// The curve of opacity of a rendering over the histogram of the volume. Points can be dragged, added by a click and
/// removed by a double click; keys do the same with the current point.
class OpacityCurveView : public HistogramChart {
    Q_OBJECT

public:
    /// All must outlive this.
    OpacityCurveView(vm::RenderingViewModel& rendering, vm::HistogramViewModel& histogram,
                     vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {220, 120}; }
    /// The current point, which keys move.
    [[nodiscard]] std::optional<std::size_t> current() const noexcept { return current_; }
    /// Place of a point in this widget.
    [[nodiscard]] QPointF placeOf(const vm::OpacityPoint& point) const;
    /// Value with its unit, and opacity: "300 HU · 50 %". Shown for the point under the pointer, else for the current
    /// point.
    [[nodiscard]] QString textOf(const vm::OpacityPoint& point) const;

protected:
    [[nodiscard]] bool hasWindow() const override { return false; }
    [[nodiscard]] vm::LevelWindow window() const override { return ends(); }
    void setWindow(const vm::LevelWindow&) override {}
    void autoWindow() override {}
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showCurve();
    void setHovered(std::optional<std::size_t> index);
    [[nodiscard]] vm::OpacityPoint pointAt(const QPointF& place) const;
    [[nodiscard]] std::optional<std::size_t> indexAt(const QPointF& place) const;
    void add(const vm::OpacityPoint& point);
    void remove(std::size_t index);
    /// Moves the current point. @param across fraction of the values shown @param up of the opacity
    void move(double across, double up);

    vm::RenderingViewModel& rendering_;
    std::optional<std::size_t> current_;
    std::optional<std::size_t> hovered_; ///< the point under the pointer
    bool isDragging_ = false;
};

/// The histograms of all drawn channels and of the selected one in their colours, with logarithmic heights, and the
/// window of one channel.
class ChannelHistograms : public LevelChart {
    Q_OBJECT

public:
    /// @param composite must outlive this
    explicit ChannelHistograms(vm::CompositeViewModel& composite, QWidget* parent = nullptr);

    /// Sets the row with the window; -1 for none.
    void setRow(int row);

protected:
    [[nodiscard]] bool hasWindow() const override;
    [[nodiscard]] vm::LevelWindow window() const override;
    [[nodiscard]] int maxLevel() const override;
    void setWindow(const vm::LevelWindow& window) override;
    void autoWindow() override;
    void styleSeries(const QPalette& palette) override;

private:
    void showChannels();

    vm::CompositeViewModel& composite_;
    QList<QLineSeries*> series_; ///< one per row
    int row_ = -1;
};

} // namespace pollard::app
