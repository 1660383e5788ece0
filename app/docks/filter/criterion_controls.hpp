#pragma once

#include "plot/interval_handles.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPolygonF>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <optional>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class AttributeButton;
class ElidedLabel;
class RangeSlider;

/// The bound after @p steps key presses (negative: backwards). A press moves the bound by a hundredth of the slider, or
/// by a step of the domain if rounding to integers would undo the move.
[[nodiscard]] inline double steppedBound(const vm::ValueDomain& domain, double value, int steps) {
    constexpr double kKeyStep = 0.01;
    const double wanted = domain.valueAt(domain.positionOf(value) + steps * kKeyStep);
    const bool stuck = steps > 0 ? wanted <= value : wanted >= value;
    return stuck ? domain.snap(value + steps * domain.step()) : wanted;
}

/// Histogram of the attribute edited by the filter, over the positions of the slider above it. Both bounds can be
/// dragged; dragging the interval between them moves both.
class AttributeHistogramView : public QWidget {
    Q_OBJECT

public:
    /// @param histogram,filter must outlive this @param margin px at both sides, as at the slider
    AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter, double margin,
                           QWidget* parent = nullptr);

    [[nodiscard]] const vm::AttributeHistogramViewModel& model() const noexcept { return histogram_; }
    /// Position of the slider, 0..1, as px of this widget from the left.
    [[nodiscard]] double pixelOf(double place) const;
    [[nodiscard]] QSize sizeHint() const override { return {200, 92}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {90, 60}; }

signals:
    /// Value and count under the pointer; empty outside the bars.
    void readoutChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] IntervalHandles::Line line() const;
    void showReadout();
    [[nodiscard]] QPolygonF barsOn(const QRectF& plot) const;
    void paintDecades(QPainter& painter, const QRectF& plot) const;

    vm::AttributeHistogramViewModel& histogram_;
    vm::FilterViewModel& filter_;
    double margin_;
    IntervalHandles bounds_;
    std::optional<double> pointer_; ///< px from the left, while it is over the chart
};

/// Attribute and bounds of the current criterion: slider, histogram and number fields over one domain.
class CriterionControls : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    CriterionControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    QDoubleSpinBox* makeBound(const QString& name, const QString& objectName);
    QWidget* makeBoxes();
    void connectModel();
    void showAttribute();
    void showDomain();
    void showRange();
    void showUnits();
    void showReadout(const QString& text);
    void showAvailability();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    vm::AttributeHistogramViewModel histogram_;
    AttributeButton* attribute_;
    QToolButton* reset_;
    RangeSlider* range_;
    AttributeHistogramView* chart_;
    QLabel* domainStart_;
    QLabel* domainEnd_;
    ElidedLabel* readout_;
    QLabel* problem_; ///< says why criteria are not applied
    QWidget* even_;   ///< reads the image with even levels; visible if levels are ranks
    QComboBox* units_ = nullptr;
    QWidget* unitBox_ = nullptr; ///< with its caption
    QDoubleSpinBox* minimum_ = nullptr;
    QDoubleSpinBox* maximum_ = nullptr;
};

/// A control with a caption above it.
[[nodiscard]] QWidget* captioned(const QString& caption, QWidget* control);

} // namespace pollard::app
