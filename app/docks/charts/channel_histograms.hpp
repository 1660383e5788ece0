#pragma once

#include "plot/chart.hpp"
#include "plot/interval_handles.hpp"

#include <QList>

class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class CompositeViewModel;
}

namespace pollard::app {

/// The histograms of all drawn channels in their colours, with logarithmic heights, and the window of one channel,
/// whose edges can be dragged.
class ChannelHistograms : public Chart {
    Q_OBJECT

public:
    /// @param composite must outlive this
    explicit ChannelHistograms(vm::CompositeViewModel& composite, QWidget* parent = nullptr);

    /// Sets the row with the window; -1 for none.
    void setRow(int row);
    /// Position of a level, px of this widget from the left.
    [[nodiscard]] double pixelOf(double level) const { return line().pixelOf(level); }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dressSeries(const QPalette& palette) override;

private:
    void showChannels();
    [[nodiscard]] bool hasWindow() const;
    [[nodiscard]] IntervalHandles::Line line() const;

    vm::CompositeViewModel& composite_;
    QList<QLineSeries*> series_; ///< one a row
    QValueAxis* levels_;         ///< hidden
    QValueAxis* values_;         ///< the same range in values of the row
    QValueAxis* heights_;
    int row_ = -1;
    double start_ = 0; ///< levels at the ends of the chart
    double end_ = 255;
    IntervalHandles edges_;
};

} // namespace pollard::app
