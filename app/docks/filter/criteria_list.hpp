#pragma once

#include "vm/filter/filter_view_model.hpp"

#include <QComboBox>
#include <QListView>
#include <QToolButton>
#include <QWidget>

namespace pollard::app {

class AttributePicker;

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

} // namespace pollard::app
