#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/picture/level_histogram.hpp"

#include <QList>
#include <QObject>
#include <QPointF>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class DisplayViewModel;
class DocumentViewModel;

/// Grey levels of the image, of what is visible of it, or of the region that is analysed, in at most 256 bins, for a
/// chart. The bins span the levels that occur in the image (all 256 for an 8-bit image), so that a 16-bit image that
/// uses few levels still fills the chart, and stay in place while the picture is moved. Every pixel counts, none is
/// guessed from a sample; pixels without data do not. The counting is done on threads of its own.
class HistogramViewModel : public QObject {
    Q_OBJECT

public:
    /// Which pixels are counted.
    enum class Source {
        image,
        view,   ///< those that are visible now
        region, ///< those of the region that is analysed; the image where there is none
    };
    Q_ENUM(Source)

    static constexpr int kMaxBins = 256;
    /// Time in ms without a movement after which the visible pixels are counted.
    static constexpr int kViewDelay = 120;

    /// @param document,display must outlive this
    HistogramViewModel(DocumentViewModel& document, DisplayViewModel& display, QObject* parent = nullptr);

    /// Pixels per bin; empty if nothing is open.
    [[nodiscard]] const std::vector<std::uint64_t>& bins() const noexcept { return bins_; }
    [[nodiscard]] bool isEmpty() const noexcept { return bins_.empty(); }
    [[nodiscard]] Source source() const noexcept { return source_; }
    /// Pixels that were counted.
    [[nodiscard]] std::uint64_t pixels() const noexcept { return counted_ ? counted_->pixels : 0; }
    /// Whether the bins are still those of another source, view or region.
    [[nodiscard]] bool isCounting() const noexcept { return counting_; }
    /// Grey levels that the bins span, [domainMinimum, domainMaximum + 1).
    [[nodiscard]] double domainMinimum() const noexcept { return domainMinimum_; }
    [[nodiscard]] double domainMaximum() const noexcept { return domainMaximum_; }
    /// Grey levels per bin, a whole number.
    [[nodiscard]] int binWidth() const noexcept { return binWidth_; }
    [[nodiscard]] double binStart(int bin) const noexcept { return domainMinimum_ + double(bin) * binWidth_; }
    /// Heights grow with log(1 + pixels).
    [[nodiscard]] bool isLogarithmic() const noexcept { return logarithmic_; }
    /// Height of a bar in 0..1 of the highest.
    [[nodiscard]] double height(int bin) const noexcept;
    /// Outline of all bars as (grey level, height), from the floor to the floor.
    [[nodiscard]] QList<QPointF> outline() const;

public slots:
    void setLogarithmic(bool logarithmic);
    void setSource(pollard::vm::HistogramViewModel::Source source);

signals:
    void changed();

private:
    void onDocumentChanged();
    void onRegionChanged();
    void onViewChanged();
    /// Counts what the source says, at once where it is known.
    void count();
    void show(std::shared_ptr<const LevelHistogram> counted);
    void fillBins(const LevelHistogram& image);

    DocumentViewModel& document_;
    DisplayViewModel& display_;
    std::shared_ptr<const LevelHistogram> counted_; ///< what the bins show; null if nothing is open
    std::vector<std::uint64_t> bins_;
    std::uint64_t highest_ = 0;
    double domainMinimum_ = 0;
    double domainMaximum_ = 255;
    int binWidth_ = 1;
    bool logarithmic_ = true;
    bool counting_ = false;
    Source source_ = Source::image;
    QTimer viewRests_;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
