#pragma once

#include "vm/tree/chain_view_model.hpp"

#include <QPointF>
#include <QRectF>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

#include <vector>

class QPainter;

namespace pollard::app {

class AttributeButton;
class ElidedLabel;
class EmptyState;

/// Area of the components of a chain against their level; where the curve is flat, a component is stable over many
/// levels. A click or a drag selects the component nearest in level, the left and right keys the next component.
///
/// Painted without QtCharts: each movement of the pointer shows another chain, and QtCharts would lay out and paint an
/// extra frame each time.
class ChainChart : public QWidget {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainChart(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Position of a row in px of this widget; the origin while its area is unknown.
    [[nodiscard]] QPointF placeOf(int row) const;
    /// Points of the line; empty while areas are unknown.
    [[nodiscard]] const std::vector<vm::CurvePoint>& curve();
    [[nodiscard]] QSize sizeHint() const override { return {360, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Ranges of the axes.
    struct Range {
        double lowest = 0;  ///< level
        double highest = 1; ///< level
        double decades = 1; ///< of the area, from 1 px on
    };
    void showChain();
    void showCurrent();
    void chooseAt(double pixel);
    [[nodiscard]] bool isKnown() const;
    [[nodiscard]] Range range() const;
    [[nodiscard]] QPointF placeOf(int row, const Range& range) const;
    [[nodiscard]] QRect markAt(QPointF place) const;
    void paintFrame(QPainter& painter) const;

    vm::ChainViewModel& chain_;
    std::vector<vm::CurvePoint> curve_;
    bool isCurveOld_ = true;
    QRect mark_; ///< pixels of the mark of the current component
};

/// The chain dock: the components around the pixel under the pointer as a table and a chart, and actions on the current
/// one.
class ChainPanel : public QWidget {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainPanel(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Places table and chart one above the other instead of side by side.
    void setTall(bool tall);

signals:
    /// Requests a contour that starts from the component with this canonical pixel.
    void refineRequested(quint32 canonical);
    /// Requests the chain of the pixel in the middle of the view.
    void middleRequested();

private:
    void makeTable();
    void connectModel();
    void showState();
    void showCurrent();

    vm::ChainViewModel& chain_;
    ElidedLabel* summary_;
    ElidedLabel* verdict_; ///< kept or removed by the filter, and why
    AttributeButton* attribute_;
    QToolButton* keepFromHere_;
    QToolButton* remove_;
    QToolButton* keep_;
    QToolButton* refine_;
    QToolButton* letGo_;
    QTableView* table_;
    ChainChart* chart_;
    QSplitter* parts_;
    QStackedWidget* pages_;
    EmptyState* hint_;
};

} // namespace pollard::app
