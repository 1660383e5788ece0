#pragma once

#include "vm/filter/filter_view_model.hpp"

#include <QLabel>
#include <QListView>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

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

} // namespace pollard::app
