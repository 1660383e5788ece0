#pragma once

#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class AttributeButton;
class AttributeHistogramView;
class ElidedLabel;
class RangeSlider;

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
    QLabel* problem_; ///< reason why criteria are not applied
    QWidget* even_;   ///< removes the reason that levels are ranks
    QComboBox* units_ = nullptr;
    QWidget* unitBox_ = nullptr; ///< with its caption
    QDoubleSpinBox* minimum_ = nullptr;
    QDoubleSpinBox* maximum_ = nullptr;
};

/// A control with a caption above it.
[[nodiscard]] QWidget* captioned(const QString& caption, QWidget* control);

} // namespace pollard::app
