#include "docks/charts/channel_histograms.hpp"

#include "vm/display/composite_view_model.hpp"

#include <QChart>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

using Composite = vm::CompositeViewModel;

constexpr double kReach = 7;      ///< px around an edge within which a press grabs it
constexpr double kKeyStep = 0.01; ///< fraction of the levels shown
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
    : Chart("channelHistograms", {2, 6, 2, 0}, {0, 112}, parent), composite_(composite), levels_(new QValueAxis),
      values_(new QValueAxis), heights_(new QValueAxis), edges_(kReach) {
    setAccessibleName(tr("Histograms of the channels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the channel's window, with Shift the upper "
                                "one; the numbers below hold the same values."));
    setToolTip(tr("Levels of all shown channels. Drag an edge of the selected channel's window, or the range between "
                  "the edges; double-click sets it automatically."));
    addAxis(levels_, Qt::AlignBottom);
    addAxis(values_, Qt::AlignBottom);
    levels_->setVisible(false);
    addAxis(heights_, Qt::AlignLeft);
    heights_->setRange(0, 1.04);
    heights_->setVisible(false);
    values_->setTickCount(3);
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
    start_ = composite_.maxLevel();
    end_ = 1;
    const auto eachRead = [this](auto visit) {
        for (int row = 0; row < composite_.count(); ++row) {
            if (const Composite::Plane* plane = composite_.plane(row)) {
                visit(row, *plane);
            }
        }
    };
    eachRead([this](int, const Composite::Plane& plane) {
        start_ = std::min<double>(start_, plane.histogram->minimum);
        end_ = std::max<double>(end_, plane.histogram->maximum + 1.0);
    });
    start_ = composite_.maxLevel() < 256 || end_ <= start_ ? 0 : start_;
    end_ = composite_.maxLevel() < 256 ? 256 : end_;
    eachRead([this](int row, const Composite::Plane& plane) {
        auto* series = new QLineSeries(this);
        series->setProperty("row", row);
        series->replace(outlineOf(*plane.histogram, static_cast<int>(start_), static_cast<int>(end_)));
        addSeries(series, levels_, heights_);
        series_ << series;
    });
    levels_->setRange(start_, end_);
    const Composite::Plane* plane = hasWindow() ? composite_.plane(row_) : nullptr;
    const auto ends = vm::valuesOf({start_, end_}, plane != nullptr ? plane->mapping : std::nullopt);
    values_->setLabelFormat(ends.low == std::floor(ends.low) && ends.high == std::floor(ends.high)
                                ? QStringLiteral("%.0f")
                                : QStringLiteral("%.4g"));
    values_->setRange(ends.low, ends.high);
    values_->setLabelsVisible(plane != nullptr);
    dress();
}

void ChannelHistograms::dressSeries(const QPalette& palette) {
    for (QLineSeries* series : series_) {
        const int row = series->property("row").toInt();
        if (row < composite_.count()) {
            series->setVisible(composite_.isDrawn(row));
            series->setPen(QPen(lineColour(composite_.look(row).colour, palette), row == row_ ? 2.0 : 1.2));
        }
    }
    viewport()->update();
}

bool ChannelHistograms::hasWindow() const {
    return row_ >= 0 && row_ < composite_.count() && composite_.plane(row_) != nullptr;
}

IntervalHandles::Line ChannelHistograms::line() const {
    const QRectF plot = chart()->plotArea();
    const vm::LevelWindow window = hasWindow() ? composite_.window(row_) : vm::LevelWindow{start_, end_};
    return {.left = plot.left(),
            .length = std::max(plot.width(), 1.0),
            .ends = {start_, end_},
            .value = {window.low, window.high},
            .limits = {0, static_cast<double>(composite_.maxLevel())},
            .step = 1,
            .movable = hasWindow(),
            .slidesWhenFull = true};
}

void ChannelHistograms::drawForeground(QPainter* painter, const QRectF&) {
    if (hasWindow()) {
        const vm::LevelWindow window = composite_.window(row_);
        paintShade(*painter, pixelOf(window.low), pixelOf(window.high));
        painter->setRenderHint(QPainter::Antialiasing);
        IntervalHandles::paint(*painter, line(), chart()->plotArea(), *this);
    }
}

void ChannelHistograms::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        edges_.press(line(), event->position().x());
    } else {
        Chart::mousePressEvent(event);
    }
}

void ChannelHistograms::mouseMoveEvent(QMouseEvent* event) {
    if (edges_.dragged() == IntervalHandles::Part::none) {
        edges_.showCursor(*viewport(), line(), event->position().x());
        return;
    }
    const auto [low, high] = edges_.drag(line(), event->position().x());
    composite_.setWindow(row_, {low, high});
}

void ChannelHistograms::mouseReleaseEvent(QMouseEvent*) { edges_.release(); }

void ChannelHistograms::mouseDoubleClickEvent(QMouseEvent*) {
    if (hasWindow()) {
        composite_.autoWindow(row_);
    }
}

void ChannelHistograms::keyPressEvent(QKeyEvent* event) {
    const auto [part, steps] = IntervalHandles::keyOf(*event);
    if (!hasWindow() || part == IntervalHandles::Part::none) {
        Chart::keyPressEvent(event);
        return;
    }
    const double step = std::max(1.0, std::round((end_ - start_) * kKeyStep)) * steps;
    vm::LevelWindow window = composite_.window(row_);
    (part == IntervalHandles::Part::high ? window.high : window.low) += step;
    composite_.setWindow(row_, window);
}

} // namespace pollard::app
