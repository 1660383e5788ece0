#pragma once

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
    void dimIfStale();
    void dim(bool dimmed);

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    FixedSizeLabel<CaptionLabel>* keptName_;
    FixedSizeLabel<QLabel>* kept_;
    FixedSizeLabel<CaptionLabel>* keptShare_;
    FixedSizeLabel<QLabel>* removed_;
    FixedSizeLabel<CaptionLabel>* removedShare_;
    FixedSizeLabel<CaptionLabel>* changedName_;
    FixedSizeLabel<QLabel>* changed_;
    FixedSizeLabel<CaptionLabel>* changedShare_;
    FixedSizeLabel<QLabel>* time_;
    QTimer dimDelay_; ///< so that short updates do not flicker
};

/// "0.24 ms", "12 ms", "1.3 s".
[[nodiscard]] QString durationText(double milliseconds);

} // namespace pollard::app
