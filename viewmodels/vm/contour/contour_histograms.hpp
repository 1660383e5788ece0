#pragma once

#include "vm/base/async_result.hpp"

#include <QObject>

#include <memory>
#include <vector>

namespace pollard::vm {

class ContourViewModel;

/// Distribution of the levels of a region, measured and by its law: shares of the region's pixels per bin.
struct RegionLevels {
    std::vector<double> shares;
    std::vector<double> fitted;
};

/// Bins of equal width over all but the outermost thousandth of the image's pixels at either end.
struct ContourLevels {
    double low = 0;  ///< level at the start of the first bin
    double step = 1; ///< integer width of a bin, levels
    RegionLevels inside;
    RegionLevels outside;

    [[nodiscard]] double high() const noexcept { return low + step * static_cast<double>(inside.shares.size()); }
};

/// The levels inside and outside of the displayed contour, counted on another thread; a newer request replaces an older
/// one.
class ContourHistograms : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostBins = 128;

    /// @param contours must outlive this
    explicit ContourHistograms(ContourViewModel& contours, QObject* parent = nullptr);

    /// The displayed histograms; null if there are none.
    [[nodiscard]] std::shared_ptr<const ContourLevels> levels() const noexcept { return levels_.value(); }
    /// The value of the image at a level, and the unit of the values.
    [[nodiscard]] double valueOf(double level) const;
    [[nodiscard]] QString unit() const;
    /// Newer ones are being computed.
    [[nodiscard]] bool isBusy() const { return levels_.isBusy(); }

signals:
    void changed();

private:
    void update();

    ContourViewModel& contours_;
    AsyncResult<ContourLevels> levels_{[this] { emit changed(); }};
};

} // namespace pollard::vm
