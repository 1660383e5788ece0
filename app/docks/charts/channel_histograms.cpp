#include "docks/charts/channel_histograms.hpp"

#include "vm/base/value_text.hpp"
#include "vm/display/composite_view_model.hpp"

#include <QChart>
#include <QGuiApplication>
#include <QLineSeries>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

using Composite = vm::CompositeViewModel;

constexpr int kBins = 256;
constexpr int kLightest = 105; ///< lightness of a line on a light background
constexpr int kDarkest = 90;   ///< and on a dark one

/// Heights 0..1 over the levels [start, end), by the logarithm of the number of pixels.
QList<QPointF> outlineOf(const vm::LevelHistogram& histogram, int start, int end) {
    const int width = std::max(1, (end - start + kBins - 1) / kBins);
    std::vector<double> bins(static_cast<std::size_t>((end - start + width - 1) / width));
    for (int level = start; level < std::min(end, int{histogram.maxLevel()} + 1); ++level) {
        bins[static_cast<std::size_t>((level - start) / width)] +=
            static_cast<double>(histogram.counts[static_cast<std::size_t>(level)]);
    }
    const double most = std::max(std::log1p(*std::ranges::max_element(bins)), 1.0);
    QList<QPointF> points;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        points << QPointF(start + (static_cast<double>(i) + 0.5) * width, std::log1p(bins[i]) / most);
    }
    return points;
}

/// A colour that is legible on the background.
QColor lineColour(const QColor& colour, const QPalette& palette) {
    const bool isDark = palette.color(QPalette::Window).lightness() < 128;
    const int lightness = isDark ? std::max(colour.lightness(), kDarkest) : std::min(colour.lightness(), kLightest);
    return QColor::fromHsl(colour.hslHue(), colour.hslSaturation(), lightness);
}

} // namespace

ChannelHistograms::ChannelHistograms(Composite& composite, QWidget* parent)
    : LevelChart("channelHistograms", {0, 112}, parent), composite_(composite) {
    setAccessibleName(tr("Histograms of the channels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the channel's window, with Shift the upper "
                                "one; the numbers below hold the same values."));
    setToolTip(tr("Levels of all shown channels. Drag an edge of the selected channel's window, or the range between "
                  "the edges; double-click sets it automatically."));
    connect(&composite_, &Composite::channelsChanged, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::stateChanged, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::rowsMoved, this, &ChannelHistograms::showChannels);
    connect(&composite_, &Composite::looksChanged, this, [this] { dressSeries(QGuiApplication::palette()); });
    showChannels();
}

void ChannelHistograms::setRow(int row) {
    row_ = row;
    showChannels();
}

void ChannelHistograms::showChannels() {
    for (QLineSeries* series : std::exchange(series_, {})) {
        chart()->removeSeries(series);
        delete series;
    }
    const bool isByte = composite_.maxLevel() < 256;
    vm::LevelWindow levels{static_cast<double>(composite_.maxLevel()), 1};
    const auto eachRead = [this](auto visit) {
        for (int row = 0; row < composite_.count(); ++row) {
            if (const Composite::Plane* plane = composite_.plane(row)) {
                visit(row, *plane);
            }
        }
    };
    eachRead([&](int, const Composite::Plane& plane) {
        levels = {std::min<double>(levels.low, plane.histogram->minimum),
                  std::max<double>(levels.high, plane.histogram->maximum + 1.0)};
    });
    levels = {isByte || levels.high <= levels.low ? 0 : levels.low, isByte ? 256 : levels.high};
    eachRead([&](int row, const Composite::Plane& plane) {
        auto* series = new QLineSeries(this);
        series->setProperty("row", row);
        series->replace(outlineOf(*plane.histogram, static_cast<int>(levels.low), static_cast<int>(levels.high)));
        plot(series);
        series_ << series;
    });
    const Composite::Plane* plane = hasWindow() ? composite_.plane(row_) : nullptr;
    const auto values = vm::valuesOf(levels, plane != nullptr ? plane->mapping : std::nullopt);
    setEnds(levels, {values.low, values.high},
            values.low == std::floor(values.low) && values.high == std::floor(values.high), plane != nullptr,
            plane != nullptr ? vm::greyUnit(plane->mapping) : QString());
    dress();
}

void ChannelHistograms::dressSeries(const QPalette& palette) {
    for (QLineSeries* series : series_) {
        const int row = series->property("row").toInt();
        if (row < composite_.count()) {
            series->setVisible(row == row_ || composite_.isDrawn(row));
            series->setPen(QPen(lineColour(composite_.look(row).colour, palette), row == row_ ? 2.0 : 1.2));
        }
    }
    viewport()->update();
}

bool ChannelHistograms::hasWindow() const {
    return row_ >= 0 && row_ < composite_.count() && composite_.plane(row_) != nullptr;
}

vm::LevelWindow ChannelHistograms::window() const { return composite_.window(row_); }

int ChannelHistograms::maxLevel() const { return composite_.maxLevel(); }

void ChannelHistograms::setWindow(const vm::LevelWindow& window) { composite_.setWindow(row_, window); }

void ChannelHistograms::autoWindow() { composite_.autoWindow(row_); }

} // namespace pollard::app
