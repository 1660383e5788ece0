#pragma once

#include "vm/lab/race_view_model.hpp"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace pollard::app {

/// The race of the algorithms on the open image: chart and table.
class RaceDialog : public QDialog {
    Q_OBJECT

public:
    /// @param engines,document must outlive this
    RaceDialog(const std::vector<Engine*>& engines, vm::DocumentViewModel& document, QWidget* parent = nullptr);

    [[nodiscard]] vm::RaceViewModel& race() noexcept { return race_; }

private:
    void showState();

    vm::RaceViewModel race_;
    QLabel* subject_;
    QTreeWidget* times_;
    QPushButton* start_;
    QPushButton* cancel_;
};

} // namespace pollard::app
