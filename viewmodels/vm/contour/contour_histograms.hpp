#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <QObject>

#include <memory>
#include <vector>

namespace pollard::vm {

class ContourViewModel;

/// How the levels of a region are distributed, and how its law would have them: shares of the region's pixels, one a
/// bin.
struct RegionLevels {
    std::vector<double> shares;
    std::vector<double> fitted;
};

/// Bins of equal width that hold all but the outermost thousandth of the picture's pixels at either end.
struct ContourLevels {
    double low = 0;  ///< level at which the first bin begins
    double step = 1; ///< whole levels a bin
    RegionLevels inside;
    RegionLevels outside;

    [[nodiscard]] double high() const noexcept { return low + step * static_cast<double>(inside.shares.size()); }
};

/// The levels within and without the contour that is shown, counted on a thread of its own, latest wins.
class ContourHistograms : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostBins = 128;

    /// @param contours must outlive this
    explicit ContourHistograms(ContourViewModel& contours, QObject* parent = nullptr);

    /// What is shown; null if there is nothing.
    [[nodiscard]] std::shared_ptr<const ContourLevels> levels() const noexcept { return shown_; }
    /// Newer ones are on their way.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::measure); }

signals:
    void changed();

private:
    void update();

    ContourViewModel& contours_;
    std::shared_ptr<const ContourLevels> shown_;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
