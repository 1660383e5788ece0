#pragma once

#include "plot/chart.hpp"

namespace pollard::vm {
class RaceViewModel;
}

namespace pollard::app {

/// The times of a race as bars.
class RaceChart : public Chart {
    Q_OBJECT

public:
    /// @param race must outlive this
    explicit RaceChart(vm::RaceViewModel& race, QWidget* parent = nullptr);

protected:
    void dressSeries(const QPalette& palette) override;

private:
    void showTimes();

    vm::RaceViewModel& race_;
};

} // namespace pollard::app
