#pragma once

#include "widgets/fixed_height_text.hpp"
#include "widgets/panel_parts.hpp"

#include <QTimer>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
class FilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Results of the filter: nodes kept and removed, pixels changed, time. Dimmed while new results are computed.
class CounterTable : public QWidget {
    Q_OBJECT

public:
    static constexpr int kDimDelay = 150; ///< ms

    /// @param filter,document must outlive this
    CounterTable(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    void refresh();
    void showCurrency();
    void dim(bool dimmed);

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    Steady<CaptionLabel>* keptName_;
    Steady<QLabel>* kept_;
    Steady<CaptionLabel>* keptShare_;
    Steady<QLabel>* removed_;
    Steady<CaptionLabel>* removedShare_;
    Steady<CaptionLabel>* changedName_;
    Steady<QLabel>* changed_;
    Steady<CaptionLabel>* changedShare_;
    Steady<QLabel>* time_;
    QTimer rest_; ///< delays dimming, so that short updates do not flicker
};

/// "0.24 ms", "12 ms", "1.3 s".
[[nodiscard]] QString durationText(double milliseconds);

} // namespace pollard::app
