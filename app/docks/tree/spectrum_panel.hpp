#pragma once

#include <QWidget>

namespace pollard::vm {
class FilterViewModel;
class SpectrumViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;
class SpectrumChart;

/// The spectrum dock: attribute, number of bins, the chart, and a line about the current bar.
class SpectrumPanel : public QWidget {
    Q_OBJECT

public:
    /// @param spectrum,filter must outlive this
    SpectrumPanel(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent = nullptr);

private:
    void showReadout();

    vm::SpectrumViewModel& spectrum_;
    SpectrumChart* chart_ = nullptr;
    ElidedLabel* readout_ = nullptr;
};

} // namespace pollard::app
