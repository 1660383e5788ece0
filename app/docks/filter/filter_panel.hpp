#pragma once

#include "vm/filter/filter_view_model.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
class EarlierFilters;
} // namespace pollard::vm

namespace pollard::app {

class CounterTable;
class CriteriaList;

/// The filter dock: criteria, the current criterion, rule and output, and counters of the result.
class FilterPanel : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document,earlier must outlive this
    FilterPanel(vm::FilterViewModel& filter, vm::DocumentViewModel& document, vm::EarlierFilters& earlier,
                QWidget* parent = nullptr);

private:
    QWidget* makeHead();
    QWidget* makeRule();
    QWidget* makeApply();
    void connectModel();
    void showAvailability();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    vm::EarlierFilters& earlier_;
    QCheckBox* enabled_ = nullptr;
    QToolButton* clear_ = nullptr;
    CriteriaList* criteria_ = nullptr;
    QComboBox* rule_ = nullptr;
    QComboBox* output_ = nullptr;
    QCheckBox* live_ = nullptr;
    QPushButton* apply_ = nullptr;
    CounterTable* counters_ = nullptr;
};

} // namespace pollard::app
