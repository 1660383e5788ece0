#pragma once

#include "plot/chart.hpp"
#include "vm/lab/race_view_model.hpp"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace pollard::vm {
class RaceViewModel;
}

namespace pollard::app {

/// Shows the times of a race as bars.
class RaceChart : public Chart {
    Q_OBJECT

public:
    /// @param race must outlive this
    explicit RaceChart(vm::RaceViewModel& race, QWidget* parent = nullptr);

protected:
    void styleSeries(const QPalette& palette) override;

private:
    void showTimes();

    vm::RaceViewModel& race_;
};

/// Runs the algorithms on the open image and compares their times: chart and table.
class RaceDialog : public QDialog {
    Q_OBJECT

public:
    /// @param engines,document must outlive this
    RaceDialog(const std::vector<Engine*>& engines, vm::DocumentViewModel& document, QWidget* parent = nullptr);

    [[nodiscard]] vm::RaceViewModel& race() noexcept { return race_; }

private:
    void showState();
    void save();

    vm::RaceViewModel race_;
    QLabel* subject_;
    QTreeWidget* times_;
    QPushButton* start_;
    QPushButton* cancel_;
    QPushButton* save_ = nullptr;
};

} // namespace pollard::app
