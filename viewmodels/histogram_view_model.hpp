#pragma once

#include <QList>
#include <QObject>
#include <QPointF>

#include <cstdint>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The image's grey levels in at most 256 bins, for a chart. The bins span the levels that occur (all 256 for an 8-bit
/// image), so that a 16-bit image that uses few levels still fills the chart. The pixels are counted on the compute
/// thread when the image is opened.
class HistogramViewModel : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic NOTIFY changed)
    Q_PROPERTY(double domainMinimum READ domainMinimum NOTIFY changed)
    Q_PROPERTY(double domainMaximum READ domainMaximum NOTIFY changed)

public:
    static constexpr int kMaxBins = 256;

    /// @param document must outlive this
    explicit HistogramViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// Pixels per bin; empty if nothing is open.
    [[nodiscard]] const std::vector<std::uint64_t>& bins() const noexcept { return bins_; }
    [[nodiscard]] bool isEmpty() const noexcept { return bins_.empty(); }
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

signals:
    void changed();

private:
    void rebuild();

    DocumentViewModel& document_;
    std::vector<std::uint64_t> bins_;
    std::uint64_t highest_ = 0;
    double domainMinimum_ = 0;
    double domainMaximum_ = 255;
    int binWidth_ = 1;
    bool logarithmic_ = true;
};

} // namespace pollard::vm
