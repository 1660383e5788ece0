#pragma once

#include "vm/filter/filter_view_model.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
class EarlierFilters;
} // namespace pollard::vm

namespace pollard::app {

class AttributePicker;
class CounterTable;

/// States that the filter works on the result of earlier filters, with a button to go back; hidden without earlier
/// filters.
class EarlierFiltersNote : public QWidget {
    Q_OBJECT

public:
    /// @param earlier must outlive this
    explicit EarlierFiltersNote(vm::EarlierFilters& earlier, QWidget* parent = nullptr);

private:
    void showState();

    vm::EarlierFilters& earlier_;
    QLabel* note_;
    QToolButton* back_;
};

/// Restricts the filter to components that contain one of the most prominent extrema: their number and the measure of
/// prominence.
class ProminenceControls : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    ProminenceControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    void showState();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    QCheckBox* only_;
    QWidget* details_;
    QComboBox* measure_ = nullptr;
};

/// Components removed or kept by clicks on the image: starts the tool and lists the picks; a click on an entry
/// removes it.
class PicksControls : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    PicksControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeTool();
    void makeList();
    void showState();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    vm::PicksModel& picks_;
    QToolButton* pick_;
    QSpinBox* area_;
    QLabel* hint_;
    QWidget* listed_;
    QLabel* summary_;
    QToolButton* clear_;
    QListView* list_;
};

/// The criteria of the filter: a row for each with a check box, its text and the number of components that it keeps
/// alone; buttons that add, duplicate and remove rows; and the choice between all and any criteria. The bounds of the
/// current row are edited in CriterionControls.
class CriteriaList : public QWidget {
    Q_OBJECT

public:
    /// @param filter must outlive this
    explicit CriteriaList(vm::FilterViewModel& filter, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeButtons();
    void showList();
    void fitRows();

    vm::FilterViewModel& filter_;
    QListView* view_;
    AttributePicker* picker_;
    QToolButton* add_ = nullptr;
    QToolButton* duplicate_ = nullptr;
    QToolButton* remove_ = nullptr;
    QComboBox* match_ = nullptr;
};

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
