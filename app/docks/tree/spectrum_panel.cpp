#include "docks/tree/spectrum_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "theme/theme.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

constexpr int kPixelsPerTick = 70;
constexpr double kHeadroom = 1.08; ///< factor above the highest bar
constexpr double kPercent = 100;

} // namespace

SpectrumChart::SpectrumChart(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent)
    : Chart("spectrumChart", {2, 4, 2, 0}, {0, 120}, parent), spectrum_(spectrum), filter_(filter),
      bars_(new QAreaSeries(new QLineSeries(this))), curve_(new QLineSeries), places_(new QValueAxis),
      values_(new QCategoryAxis), shares_(new QValueAxis), sums_(new QValueAxis) {
    setAccessibleName(tr("Pattern spectrum"));
    setToolTip(tr("Bars: share of the grey mass (contrast × area, over all components) in components of this size. "
                  "Line: share of all below. Click a bar, or drag over several, to keep just these components."));
    addAxis(places_, Qt::AlignBottom);
    addAxis(values_, Qt::AlignBottom);
    addAxis(shares_, Qt::AlignLeft, true);
    addAxis(sums_, Qt::AlignRight);
    places_->setVisible(false);
    addSeries(bars_, places_, shares_);
    addSeries(curve_, places_, sums_);
    sums_->setRange(0, kPercent);
    sums_->setTickCount(3);
    sums_->setLabelFormat(QStringLiteral("%.0f %%"));
    shares_->setTickCount(3);

    connect(&spectrum_, &vm::SpectrumViewModel::changed, this, &SpectrumChart::showSpectrum);
    connect(&filter_, &vm::FilterViewModel::rangeChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&filter_, &vm::FilterViewModel::attributeChanged, viewport(), qOverload<>(&QWidget::update));
    applyStyle();
    showSpectrum();
}

void SpectrumChart::styleSeries(const QPalette& palette) {
    QColor fill = palette.color(QPalette::WindowText);
    fill.setAlphaF(0.45F);
    bars_->setBrush(fill);
    bars_->setPen(Qt::NoPen);
    curve_->setPen(QPen(palette.color(QPalette::Highlight), 2));
    sums_->setLabelsColor(palette.color(QPalette::Highlight)); // colour of the line
}

bool SpectrumChart::isLog() const {
    const auto shown = spectrum_.spectrum();
    return shown && shown->bins.scale == BinScale::log;
}

double SpectrumChart::placeOf(double value) const { return isLog() ? std::log10(value) : value; }

double SpectrumChart::pixelOf(double value) const {
    const double start = placeOf(spectrum_.edge(0));
    const double end = placeOf(spectrum_.edge(spectrum_.bins()));
    const double place = isLog() && value <= 0 ? start : placeOf(value);
    return pixelAt((place - start) / (end - start));
}

QPointF SpectrumChart::footOf(int bin) const {
    return {(pixelOf(spectrum_.edge(bin)) + pixelOf(spectrum_.edge(bin + 1))) / 2, chart()->plotArea().bottom() - 2};
}

int SpectrumChart::binAt(double pixel) const {
    const QRectF plot = chart()->plotArea();
    if (spectrum_.bins() == 0 || pixel < plot.left() || pixel > plot.right()) {
        return -1;
    }
    for (int bin = 0; bin < spectrum_.bins(); ++bin) {
        if (pixel <= pixelOf(spectrum_.edge(bin + 1))) {
            return bin;
        }
    }
    return spectrum_.bins() - 1;
}

std::optional<std::pair<int, int>> SpectrumChart::picked() const {
    if (anchor_ < 0 || current_ < 0) {
        return std::nullopt;
    }
    return std::minmax(anchor_, current_);
}

void SpectrumChart::showSpectrum() {
    const int bins = spectrum_.bins();
    if (current_ >= bins || anchor_ >= bins) {
        anchor_ = -1;
        dragging_ = false;
        setCurrent(-1);
    }
    QList<QPointF> outline;
    QList<QPointF> curve;
    if (bins > 0) {
        outline.reserve(2 * bins + 2);
        outline << QPointF(placeOf(spectrum_.edge(0)), 0);
        for (int bin = 0; bin < bins; ++bin) {
            const double height = kPercent * spectrum_.share(bin);
            outline << QPointF(placeOf(spectrum_.edge(bin)), height)
                    << QPointF(placeOf(spectrum_.edge(bin + 1)), height);
        }
        outline << QPointF(placeOf(spectrum_.edge(bins)), 0);
        for (const GranulometryPoint& point : spectrum_.curve()) {
            curve << QPointF(placeOf(point.threshold), kPercent * point.share);
        }
        places_->setRange(outline.front().x(), outline.back().x());
        const double highest = std::max(kPercent * spectrum_.largestShare() * kHeadroom, 0.01);
        const int digits = highest < 2 ? 2 : highest < 20 ? 1 : 0;
        const double step = 2 * std::pow(10, -digits); // a multiple has a half without further digits
        shares_->setRange(0, step * std::ceil(highest / step));
        shares_->setLabelFormat(QStringLiteral("%.%1f %%").arg(digits));
    }
    bars_->upperSeries()->replace(outline);
    curve_->replace(curve);
    showAxes(bins > 0, places_);
    showTicks();
    emit currentBinChanged(); // the bar under the pointer has changed
    viewport()->update();
}

void SpectrumChart::showTicks() {
    if (spectrum_.bins() == 0) {
        return;
    }
    const double low = spectrum_.edge(0);
    const double high = spectrum_.edge(spectrum_.bins());
    const double first = spectrum_.valueAt(low);
    setTicks(*values_, placeOf(low), placeOf(high),
             ticksBetween(first, spectrum_.valueAt(high), isLog() && first > 0, std::max(2, width() / kPixelsPerTick)),
             [this](double value) { return placeOf(spectrum_.edgeAt(value)); });
}

QString SpectrumChart::emptyText() const {
    using State = vm::SpectrumViewModel::State;
    switch (spectrum_.state()) {
    case State::computing:
        return tr("Measuring …");
    case State::failed:
        return spectrum_.problem();
    case State::empty:
    case State::ready:
        break;
    }
    return spectrum_.isFlat() ? tr("The image has one grey level: it has no components to measure.") : QString();
}

void SpectrumChart::drawForeground(QPainter* painter, const QRectF&) {
    const QRectF plot = chart()->plotArea();
    const QString text = spectrum_.bins() == 0 || spectrum_.spectrum()->total == 0 ? emptyText() : QString();
    if (!text.isEmpty()) {
        paintText(*painter, text);
    }
    if (spectrum_.bins() == 0) {
        return;
    }
    const QColor accent = palette().color(QPalette::Highlight);
    if (filter_.isAvailable() && filter_.attribute() == spectrum_.spectrum()->attribute) {
        const bool below = filter_.minimum() > filter_.domainMinimum();
        const bool above = filter_.maximum() < filter_.domainMaximum();
        // An integer fills the interval up to the next one.
        const double step = filter_.domain().integral ? 1 : 0;
        const double low = below ? pixelOf(filter_.minimum()) : plot.left();
        const double high = above ? pixelOf(filter_.maximum() + step) : plot.right();
        paintShade(*painter, low, high);
        painter->setPen(QPen(accent, 1.4));
        if (below) {
            paintLine(*painter, low);
        }
        if (above) {
            paintLine(*painter, high);
        }
    }
    const auto range = picked()        ? picked()
                       : current_ >= 0 ? std::optional(std::pair(current_, current_))
                                       : std::nullopt;
    if (range) {
        QColor glow = accent;
        glow.setAlphaF(0.25F);
        const QRectF band(QPointF(pixelOf(spectrum_.edge(range->first)), plot.top()),
                          QPointF(pixelOf(spectrum_.edge(range->second + 1)), plot.bottom()));
        painter->fillRect(band, glow);
        if (hasFocus()) {
            painter->setPen(QPen(accent, 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(band);
        }
    }
}

void SpectrumChart::setCurrent(int bin) {
    if (bin == current_) {
        return;
    }
    current_ = bin;
    setAccessibleDescription(spectrum_.readout(bin));
    emit currentBinChanged();
    viewport()->update();
}

void SpectrumChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        Chart::mousePressEvent(event);
        return;
    }
    setCurrent(binAt(event->position().x()));
    anchor_ = current_;
    dragging_ = anchor_ >= 0;
    viewport()->update();
}

void SpectrumChart::mouseMoveEvent(QMouseEvent* event) {
    int bin = binAt(event->position().x());
    if (dragging_ && bin < 0) { // outside the bars
        bin = event->position().x() < chart()->plotArea().left() ? 0 : spectrum_.bins() - 1;
    }
    setCurrent(bin);
}

void SpectrumChart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) {
        return;
    }
    dragging_ = false;
    const auto range = picked();
    anchor_ = -1;
    if (range) {
        spectrum_.select(range->first, range->second);
    }
    viewport()->update();
}

void SpectrumChart::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void SpectrumChart::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (spectrum_.bins() > 0 && (left || event->key() == Qt::Key_Right)) {
        const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
        if (!extends) {
            anchor_ = -1;
        } else if (anchor_ < 0) {
            anchor_ = current_;
        }
        setCurrent(std::clamp(current_ + (left ? -1 : 1), 0, spectrum_.bins() - 1));
        return;
    }
    const bool chooses =
        event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (chooses && current_ >= 0) {
        spectrum_.select(anchor_ >= 0 ? anchor_ : current_, current_);
        anchor_ = -1;
        viewport()->update();
        return;
    }
    Chart::keyPressEvent(event);
}

void SpectrumChart::leaveEvent(QEvent* event) {
    Chart::leaveEvent(event);
    if (!dragging_ && !hasFocus()) {
        setCurrent(-1);
    }
}

void SpectrumChart::resizeEvent(QResizeEvent* event) {
    Chart::resizeEvent(event);
    showTicks();
}

SpectrumPanel::SpectrumPanel(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent)
    : QWidget(parent), spectrum_(spectrum) {
    auto* attribute = new AttributeButton(this);
    auto* logarithmic = makeControl<QCheckBox>(
        this, "spectrumLogarithmic", tr("Logarithmic bins"),
        tr("Bins of equal ratios instead of equal widths. Attributes that can be negative have none"),
        tr("&Logarithmic"));
    auto* bins = makeControl<WholeBox>(this, "spectrumBins", tr("Number of bins"),
                                       tr("Number of bars; whole numbers may leave fewer"));
    chart_ = new SpectrumChart(spectrum, filter, this);
    readout_ = new ElidedLabel(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing);
    attribute->setObjectName(QStringLiteral("spectrumAttribute"));
    attribute->setAccessibleName(tr("Attribute of the spectrum"));
    head->addWidget(attribute);
    head->addWidget(logarithmic);
    head->addWidget(captionFor(bins, tr("&Bins")));
    bins->setRange(vm::SpectrumViewModel::kFewestBins, vm::SpectrumViewModel::kMostBins);
    bins->setKeyboardTracking(false);
    head->addWidget(bins);
    readout_->setObjectName(QStringLiteral("spectrumReadout"));
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(readout_, 1);
    layout->addLayout(head);
    layout->addWidget(chart_, 1);

    using Spectrum = vm::SpectrumViewModel;
    connect(attribute, &AttributeButton::chosen, &spectrum_, &Spectrum::setAttribute);
    const auto showAttribute = [&spectrum, attribute] { attribute->setAttributeId(spectrum.attribute()); };
    follow(this, showAttribute, spectrum, &Spectrum::attributeChanged);
    couple(logarithmic, spectrum, &Spectrum::isLogarithmic, &Spectrum::setLogarithmic, &Spectrum::binsChanged);
    couple(bins, spectrum, &Spectrum::binCount, &Spectrum::setBinCount, &Spectrum::binsChanged);
    connect(chart_, &SpectrumChart::currentBinChanged, this, &SpectrumPanel::showReadout);
    follow(this, &SpectrumPanel::showReadout, spectrum, &Spectrum::changed);
}

void SpectrumPanel::showReadout() {
    const QString bar = spectrum_.readout(chart_->currentBin());
    readout_->setFullText(bar.isEmpty() ? spectrum_.leftOutText() : bar);
}

} // namespace pollard::app
