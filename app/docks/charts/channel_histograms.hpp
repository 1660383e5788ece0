#pragma once

#include "docks/charts/level_chart.hpp"

#include <QList>

class QLineSeries;

namespace pollard::vm {
class CompositeViewModel;
}

namespace pollard::app {

/// The histograms of all drawn channels and of the selected one in their colours, with logarithmic heights, and the
/// window of one channel.
class ChannelHistograms : public LevelChart {
    Q_OBJECT

public:
    /// @param composite must outlive this
    explicit ChannelHistograms(vm::CompositeViewModel& composite, QWidget* parent = nullptr);

    /// Sets the row with the window; -1 for none.
    void setRow(int row);

protected:
    [[nodiscard]] bool hasWindow() const override;
    [[nodiscard]] vm::LevelWindow window() const override;
    [[nodiscard]] int maxLevel() const override;
    void setWindow(const vm::LevelWindow& window) override;
    void autoWindow() override;
    void dressSeries(const QPalette& palette) override;

private:
    void showChannels();

    vm::CompositeViewModel& composite_;
    QList<QLineSeries*> series_; ///< one a row
    int row_ = -1;
};

} // namespace pollard::app
