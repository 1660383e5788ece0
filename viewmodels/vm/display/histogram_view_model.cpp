#include "vm/display/histogram_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/level_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pollard::vm {

namespace {

/// Pixels of the image that are at least partly visible.
PixelRegion visiblePixels(const ViewTransform& view) {
    const QPointF corner = view.toImage({0, 0});
    const QPointF end = view.toImage({view.viewSize.width(), view.viewSize.height()});
    const auto within = [](double value, int side) {
        return static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(side)));
    };
    PixelRegion region;
    region.x = within(std::floor(corner.x()), view.imageSize.width());
    region.y = within(std::floor(corner.y()), view.imageSize.height());
    region.width = within(std::ceil(end.x()), view.imageSize.width()) - region.x;
    region.height = within(std::ceil(end.y()), view.imageSize.height()) - region.y;
    return region;
}

} // namespace

HistogramViewModel::HistogramViewModel(DocumentViewModel& document, DisplayViewModel& display, QObject* parent)
    : QObject(parent), document_(document), display_(display) {
    viewRests_.setSingleShot(true);
    viewRests_.setInterval(kViewDelay);
    connect(&viewRests_, &QTimer::timeout, this, &HistogramViewModel::count);
    connect(&document_, &DocumentViewModel::imageChanged, this, &HistogramViewModel::onImageChanged);
    connect(&document_, &DocumentViewModel::sliceChanged, this, [this] {
        if (source_ != Source::image) {
            count();
        }
    });
    connect(&document_.choices(), &DocumentChoices::domainChanged, this, &HistogramViewModel::onRegionChanged);
    connect(&display_, &DisplayViewModel::viewChanged, this, &HistogramViewModel::onViewChanged);
    onImageChanged();
}

std::optional<ValueMapping> HistogramViewModel::mapping() const {
    const auto image = document_.shown().histogram;
    return image ? evenMappingOf(originalMappingOf(document_), image->maxLevel()) : std::nullopt;
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
    change(this, logarithmic_, logarithmic, &HistogramViewModel::changed);
}

void HistogramViewModel::setSource(Source source) {
    change(this, source_, source, &HistogramViewModel::count, &HistogramViewModel::changed);
}

void HistogramViewModel::onImageChanged() {
    show(document_.shown().histogram); // known already, so the chart never shows another image
    if (source_ != Source::image) {
        count();
    }
}

void HistogramViewModel::onRegionChanged() {
    if (source_ == Source::region) {
        count();
    }
}

void HistogramViewModel::onViewChanged() {
    if (source_ == Source::view) {
        viewRests_.start();
    }
}

void HistogramViewModel::count() {
    viewRests_.stop();
    worker_.stop(Lane::measure);
    counting_ = false;
    const auto image = document_.image();
    const auto region = source_ == Source::region ? document_.choices().domain() : nullptr;
    const bool part = region != nullptr || (source_ == Source::view && display_.view().isValid());
    if (!image || !part) {
        show(document_.shown().histogram);
        return;
    }
    std::optional<PixelRegion> rectangle;
    if (source_ == Source::view) {
        rectangle = visiblePixels(display_.view());
    }
    counting_ = true;
    worker_.post(
        Lane::measure,
        [=, valid = document_.shown().valid, mapping = originalMappingOf(document_)](const std::stop_token& stop) {
            return inEvenLevels(countLevels(*image, {rectangle, region.get(), valid.get()}, JobControl(stop)), mapping);
        },
        [this](const JobOutcome& outcome, LevelHistogram& counted) {
            if (outcome.ok()) {
                counting_ = false;
                show(std::make_shared<const LevelHistogram>(std::move(counted)));
            }
        });
}

void HistogramViewModel::show(std::shared_ptr<const LevelHistogram> counted) {
    counted_ = std::move(counted);
    bins_.clear();
    highest_ = 0;
    const auto image = document_.shown().histogram;
    if (counted_ && image && counted_->counts.size() == image->counts.size()) {
        fillBins(*image);
    }
    emit changed();
}

void HistogramViewModel::fillBins(const LevelHistogram& image) {
    const bool whole = image.maxLevel() < kMaxBins;
    const int low = whole ? 0 : image.minimum;
    const int high = whole ? image.maxLevel() : image.maximum;
    binWidth_ = (high - low) / kMaxBins + 1;
    domainMinimum_ = low;
    domainMaximum_ = high;
    bins_.assign(static_cast<std::size_t>((high - low) / binWidth_) + 1, 0);
    for (int level = low; level <= high; ++level) {
        bins_[static_cast<std::size_t>((level - low) / binWidth_)] += counted_->counts[static_cast<std::size_t>(level)];
    }
    highest_ = *std::max_element(bins_.begin(), bins_.end());
}

} // namespace pollard::vm
