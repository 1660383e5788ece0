#pragma once

#include "plot/chart_frame.hpp"

#include <QChartView>

#include <functional>
#include <utility>

class QAbstractAxis;
class QAbstractSeries;
class QCategoryAxis;
class QPainter;

namespace pollard::app {

/// The font of numbers in a chart.
[[nodiscard]] QFont smallFont(QFont font);

/// A chart that follows colours and fonts of the window. Subclasses add series and axes.
class Chart : public QChartView {
    Q_OBJECT

protected:
    static constexpr int kHead = 18; ///< px above the plot for paintHead()

    /// @param margins px around the axes @param least size, px
    Chart(const char* name, const QMargins& margins, QSize least, QWidget* parent);

    /// Adds an axis with labels at their values.
    void addAxis(QAbstractAxis* axis, Qt::Alignment side, bool grid = false);
    /// Adds a series over two axes of the chart.
    void addSeries(QAbstractSeries* series, QAbstractAxis* across, QAbstractAxis* up);
    /// Shows or hides all axes except @p never, which stays hidden.
    void showAxes(bool shown, const QAbstractAxis* never = nullptr);
    /// Replaces the labels and the range of an axis.
    static void setTicks(QCategoryAxis& axis, double low, double high, const QList<ChartTick>& ticks,
                         const std::function<double(double)>& placeOf = {});

    /// Sets colours and fonts; called at the end of constructors and after changes of palette and font.
    void applyStyle();
    /// The part of applyStyle() for the series.
    virtual void styleSeries(const QPalette& palette) = 0;
    /// Converts a fraction of the plot's width to px and back; both are limited to the plot.
    [[nodiscard]] double pixelAt(double part) const;
    [[nodiscard]] double partOf(double pixel) const;

    /// Paints a vertical line over the height of the plot.
    void paintLine(QPainter& painter, double pixel) const;
    /// Dims the plot on the left of @p low and on the right of @p high.
    void paintShade(QPainter& painter, double low, double high) const;
    /// Paints a text in place of the chart.
    void paintText(QPainter& painter, const QString& text) const;
    using HeadText = std::pair<QString, QColor>;
    /// Paints texts above the plot, the middle one in the colour of secondary text.
    void paintHead(QPainter& painter, int margin, const HeadText& left, const QString& middle,
                   const HeadText& right) const;

    void changeEvent(QEvent* event) override;
};

} // namespace pollard::app
