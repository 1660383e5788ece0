#pragma once

#include "plot/chart.hpp"

class QAreaSeries;
class QCategoryAxis;
class QValueAxis;

namespace pollard::vm {
class SelectionSummary;
}

namespace pollard::app {

/// Distribution of an attribute over the selected components, as bars with one outline.
class SelectionChart : public Chart {
    Q_OBJECT

public:
    /// @param summary must outlive this
    explicit SelectionChart(vm::SelectionSummary& summary, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {200, 130}; }

protected:
    void dressSeries(const QPalette& palette) override;

private:
    void showBars();

    vm::SelectionSummary& summary_;
    QAreaSeries* bars_;
    QCategoryAxis* values_; ///< bin edges, labelled with round values
    QValueAxis* counts_;
};

} // namespace pollard::app
