#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/contour/contour_follow.hpp"

#include "components/objects/object_features.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
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

/// A measurement of followed contours.
enum class ContourMeasure : std::uint8_t { area, length, mean, outsideMean };
inline constexpr std::array kContourMeasures{ContourMeasure::area, ContourMeasure::length, ContourMeasure::mean,
                                             ContourMeasure::outsideMean};
/// "Area"
[[nodiscard]] QString nameOf(ContourMeasure measure);

/// Measurements of the contours of all pages that the current run was followed over, as in the files of contours. They
/// are taken while setActive(), a few milliseconds at a time.
class ContourSeries : public QObject {
    Q_OBJECT

public:
    /// A contour on a page.
    struct Row {
        int page = 0;                                                      ///< 0-based
        std::size_t contour = 0;                                           ///< 0-based
        std::array<std::optional<double>, kContourMeasures.size()> values; ///< empty until the page was shown

        [[nodiscard]] std::optional<double> value(ContourMeasure measure) const {
            return values[static_cast<std::size_t>(measure)];
        }
    };

    /// @param contours must outlive this
    explicit ContourSeries(ContourViewModel& contours, QObject* parent = nullptr);

    [[nodiscard]] const ContourViewModel& contours() const noexcept { return contours_; }
    /// Page by page.
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
    /// Number of contours in all rows.
    [[nodiscard]] std::size_t contourCount() const noexcept { return contourCount_; }
    [[nodiscard]] ContourMeasure measure() const noexcept { return measure_; }
    /// "µm²"; empty for none.
    [[nodiscard]] QString unitOf(ContourMeasure measure) const;
    /// The place of a page in the series: seconds, if the file has them, else the number of the time or page.
    [[nodiscard]] double placeOf(int page) const;
    /// "Time", "Page"
    [[nodiscard]] QString placeName() const;
    /// "s"; empty for numbers.
    [[nodiscard]] QString placeUnit() const;

public slots:
    void setMeasure(pollard::vm::ContourMeasure measure) { change(this, measure_, measure, &ContourSeries::changed); }
    /// The measurements are displayed.
    void setActive(bool active);
    /// Turns to a page.
    void goTo(int page);

signals:
    void changed();

private:
    /// Page, run, contours and pixels of a page of the series.
    using Key = std::tuple<int, int, int, std::optional<std::uint64_t>>;
    void update();
    [[nodiscard]] std::vector<Row> measured(const ContourFollow::Page& page) const;
    [[nodiscard]] std::optional<double> secondsOf(int page) const;

    ContourViewModel& contours_;
    bool active_ = false;
    ContourMeasure measure_ = ContourMeasure::area;
    ObjectUnit unit_;
    std::map<Key, std::vector<Row>> measured_;
    std::vector<Row> rows_;
    std::size_t contourCount_ = 0;
    QTimer later_; ///< measures further pages
};

} // namespace pollard::vm
