#pragma once

#include <QChartView>

namespace pollard::vm {
class RaceViewModel;
}

namespace pollard::app {

/// The times of a race as bars.
class RaceChart : public QChartView {
    Q_OBJECT

public:
    /// @param race must outlive this
    explicit RaceChart(vm::RaceViewModel& race, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showTimes();
    void dress();

    vm::RaceViewModel& race_;
};

} // namespace pollard::app
