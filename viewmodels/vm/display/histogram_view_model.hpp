#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/level_histogram.hpp"

#include "image/value_mapping.hpp"

#include <QList>
#include <QObject>
#include <QPointF>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DisplayViewModel;
class DocumentViewModel;

/// Grey levels of the image, of its visible part, or of the analysed region, in at most 256 bins, for a chart. The bins
/// span the levels in the image (all 256 for an 8-bit image), so that a 16-bit image with few levels fills the chart,
/// and stay in place while the image is moved. All pixels with data are counted, without sampling, on a separate
/// thread.
class HistogramViewModel : public QObject {
    Q_OBJECT

public:
    /// The counted pixels.
    enum class Source {
        image,
        view,   ///< the visible ones
        region, ///< the analysed region; the image without a region
    };
    Q_ENUM(Source)

    static constexpr int kMaxBins = 256;
    /// Time in ms without a movement before the visible pixels are counted.
    static constexpr int kViewDelay = 120;

    /// @param document,display must outlive this
    HistogramViewModel(DocumentViewModel& document, DisplayViewModel& display, QObject* parent = nullptr);

    /// Pixels per bin; empty if no document is open.
    [[nodiscard]] const std::vector<std::uint64_t>& bins() const noexcept { return bins_; }
    [[nodiscard]] bool isEmpty() const noexcept { return bins_.empty(); }
    [[nodiscard]] Source source() const noexcept { return source_; }
    /// How the levels of the bins belong to values; unset if they are values.
    [[nodiscard]] std::optional<ValueMapping> mapping() const;
    /// Number of counted pixels.
    [[nodiscard]] std::uint64_t pixels() const noexcept { return counted_ ? counted_->pixels : 0; }
    /// Whether the bins still belong to another source, view or region.
    [[nodiscard]] bool isCounting() const noexcept { return counting_; }
    /// Range of grey levels of all bins, [domainMinimum, domainMaximum + 1).
    [[nodiscard]] double domainMinimum() const noexcept { return domainMinimum_; }
    [[nodiscard]] double domainMaximum() const noexcept { return domainMaximum_; }
    /// Grey levels per bin, an integer.
    [[nodiscard]] int binWidth() const noexcept { return binWidth_; }
    [[nodiscard]] double binStart(int bin) const noexcept { return domainMinimum_ + double(bin) * binWidth_; }
    /// Heights are proportional to log(1 + pixels).
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    /// Height of a bar in 0..1 of the highest.
    [[nodiscard]] double height(int bin) const noexcept;
    /// Outline of all bars as (grey level, height), starting and ending at height 0.
    [[nodiscard]] QList<QPointF> outline() const;

public slots:
    void setLogarithmic(bool logarithmic);
    void setSource(pollard::vm::HistogramViewModel::Source source);

signals:
    void changed();

private:
    void onImageChanged();
    void onRegionChanged();
    void onViewChanged();
    /// Counts the pixels of the source, at once if the result is known.
    void count();
    void show(std::shared_ptr<const LevelHistogram> counted);
    void fillBins(const LevelHistogram& image);

    DocumentViewModel& document_;
    DisplayViewModel& display_;
    std::shared_ptr<const LevelHistogram> counted_; ///< of the bins; null if no document is open
    std::vector<std::uint64_t> bins_;
    std::uint64_t highest_ = 0;
    double domainMinimum_ = 0;
    double domainMaximum_ = 255;
    int binWidth_ = 1;
    bool logarithmic_ = true;
    bool counting_ = false;
    Source source_ = Source::image;
    QTimer viewRests_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
