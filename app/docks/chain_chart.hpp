#pragma once

#include <QChartView>

class QLineSeries;
class QLogValueAxis;
class QScatterSeries;
class QValueAxis;

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// Area of the components of a chain against their level: flat stretches are components that stay the same over many
/// levels. A click or a drag makes the component nearest in level the current one.
class ChainChart : public QChartView {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainChart(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Place of a row in px of this widget.
    [[nodiscard]] QPointF placeOf(int row) const;
    [[nodiscard]] QSize sizeHint() const override { return {360, 170}; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showChain();
    void showCurrent();
    void dress();
    void chooseAt(QPointF position);

    vm::ChainViewModel& chain_;
    QLineSeries* line_;
    QScatterSeries* mark_;
    QValueAxis* levels_;
    QLogValueAxis* areas_;
};

} // namespace pollard::app
