#pragma once

#include "filter_view_model.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class CounterTable;
class RangeSlider;

/// The criterion: attribute, range, rule and output, and what they did to the picture.
class FilterPanel : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    FilterPanel(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    QWidget* makeCriterion();
    QWidget* makeRule();
    QWidget* makeApply();
    QDoubleSpinBox* makeBound(const QString& name, const QString& objectName);
    void connectModel();
    void showAttribute();
    void showDomain();
    void showRange();
    void showRule();
    void showOutput();
    void showAvailability();
    void stepMinimum(int steps);
    void stepMaximum(int steps);

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    QCheckBox* enabled_ = nullptr;
    QComboBox* attribute_ = nullptr;
    RangeSlider* range_ = nullptr;
    QLabel* domainStart_ = nullptr;
    QLabel* domainEnd_ = nullptr;
    QDoubleSpinBox* minimum_ = nullptr;
    QDoubleSpinBox* maximum_ = nullptr;
    QToolButton* reset_ = nullptr;
    QComboBox* rule_ = nullptr;
    QComboBox* output_ = nullptr;
    QCheckBox* live_ = nullptr;
    QPushButton* apply_ = nullptr;
    CounterTable* counters_ = nullptr;
};

} // namespace pollard::app
