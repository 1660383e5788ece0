#include "histogram_view_model.hpp"

#include "document_view_model.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::vm {

HistogramViewModel::HistogramViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::documentChanged, this, &HistogramViewModel::rebuild);
    rebuild();
}

double HistogramViewModel::height(int bin) const noexcept {
    if (bin < 0 || static_cast<std::size_t>(bin) >= bins_.size() || highest_ == 0) {
        return 0;
    }
    const auto count = static_cast<double>(bins_[static_cast<std::size_t>(bin)]);
    const auto highest = static_cast<double>(highest_);
    return logarithmic_ ? std::log1p(count) / std::log1p(highest) : count / highest;
}

QList<QPointF> HistogramViewModel::outline() const {
    QList<QPointF> points;
    const int count = static_cast<int>(bins_.size());
    if (count == 0) {
        return points;
    }
    points.reserve(2 * count + 2);
    points << QPointF(binStart(0), 0);
    for (int bin = 0; bin < count; ++bin) {
        points << QPointF(binStart(bin), height(bin)) << QPointF(binStart(bin + 1), height(bin));
    }
    points << QPointF(binStart(count), 0);
    return points;
}

void HistogramViewModel::setLogarithmic(bool logarithmic) {
    if (logarithmic == logarithmic_) {
        return;
    }
    logarithmic_ = logarithmic;
    emit changed();
}

void HistogramViewModel::rebuild() {
    const auto levels = document_.levelHistogram();
    bins_.clear();
    highest_ = 0;
    if (levels) {
        const bool whole = levels->maxLevel() < kMaxBins;
        const int low = whole ? 0 : levels->minimum;
        const int high = whole ? levels->maxLevel() : levels->maximum;
        binWidth_ = (high - low) / kMaxBins + 1;
        domainMinimum_ = low;
        domainMaximum_ = high;
        const int binCount = (high - low) / binWidth_ + 1;
        bins_.assign(static_cast<std::size_t>(binCount), 0);
        for (int level = low; level <= high; ++level) {
            bins_[static_cast<std::size_t>((level - low) / binWidth_)] +=
                levels->counts[static_cast<std::size_t>(level)];
        }
        highest_ = *std::max_element(bins_.begin(), bins_.end());
    }
    emit changed();
}

} // namespace pollard::vm
