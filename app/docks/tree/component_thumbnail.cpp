#include "docks/tree/component_thumbnail.hpp"

#include "canvas/tone_of.hpp"
#include "overlays/level_colours.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kSide = static_cast<int>(vm::InspectorViewModel::kImageSide) / 2; ///< logical px
constexpr QRgb kComponentMark = qRgb(255, 196, 0);                              // as in the image
constexpr int kFillShare = 25;                                                  ///< %
constexpr int kWhole = 100;
constexpr int kImageHeight = 44; ///< logical px
constexpr double kStripGap = 1;  ///< beside a slice

QRgb blended(QRgb below, QRgb above, int share) {
    const auto part = [share](int a, int b) { return (a * (kWhole - share) + b * share) / kWhole; };
    return qRgb(part(qRed(below), qRed(above)), part(qGreen(below), qGreen(above)), part(qBlue(below), qBlue(above)));
}

QImage coloured(const vm::ComponentCutout& cutout, const LevelColours& colours) {
    const Image& levels = *cutout.levels;
    QImage picture(static_cast<int>(levels.width()), static_cast<int>(levels.height()), QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            const std::size_t pixel = static_cast<std::size_t>(y) * levels.width() + static_cast<std::size_t>(x);
            const QRgb shade = colours.shade(levels.level(pixel), levels.level(pixel), false);
            const std::uint32_t mark = cutout.marks[pixel];
            line[x] = mark == vm::ComponentCutout::kOutline  ? kComponentMark
                      : mark == vm::ComponentCutout::kInside ? blended(shade, kComponentMark, kFillShare)
                                                             : shade;
        }
    }
    return picture;
}

/// Calls @p slot whenever the colours of @p display change.
template <class Receiver>
void followColours(vm::DisplayViewModel& display, Receiver* receiver, void (Receiver::*slot)()) {
    using Display = vm::DisplayViewModel;
    for (const auto signal : {&Display::windowChanged, &Display::colourMapChanged, &Display::toneCurveChanged}) {
        QObject::connect(&display, signal, receiver, slot);
    }
}

/// Draws an image in the middle of @p place. Small images scale by integers, so that all pixels have one size; large
/// ones shrink to fit.
void drawInto(QPainter& painter, const QImage& picture, const QRectF& place) {
    const double fit = std::min(place.width() / picture.width(), place.height() / picture.height());
    const double scale = fit >= 1 ? std::floor(fit) : fit;
    QRectF shown(QPointF(), QSizeF(picture.size()) * scale);
    shown.moveCenter(place.center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    painter.drawImage(shown, picture);
}

} // namespace

ComponentThumbnail::ComponentThumbnail(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display,
                                       QWidget* parent)
    : QWidget(parent), inspector_(inspector), display_(display) {
    setObjectName(QStringLiteral("componentPicture"));
    explain(this, tr("The component"), tr("The component and its surroundings, as displayed"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&inspector_, &vm::InspectorViewModel::cutoutChanged, this, &ComponentThumbnail::colour);
    followColours(display_, this, &ComponentThumbnail::colour);
}

QSize ComponentThumbnail::sizeHint() const { return {kSide, kSide}; }

QSize ComponentThumbnail::minimumSizeHint() const { return {kSide / 3, kSide / 3}; }

void ComponentThumbnail::colour() {
    const auto cutout = inspector_.cutout();
    if (!cutout) {
        if (!inspector_.node()) {
            picture_ = {}; // avoids showing the previous image until the next one is ready
        }
        update();
        return;
    }
    picture_ = coloured(*cutout, {toneOf(display_, Output::filtered, false), display_.colourMap()});
    update();
}

void ComponentThumbnail::paintEvent(QPaintEvent*) {
    if (!picture_.isNull()) {
        QPainter painter(this);
        drawInto(painter, picture_, rect());
    }
}

ComponentStrip::ComponentStrip(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), inspector_(inspector), display_(display) {
    setObjectName(QStringLiteral("componentStrip"));
    explain(this, tr("Slices of the component"),
            tr("The component from its first to its last slice; a click shows one"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    connect(&inspector_, &vm::InspectorViewModel::cutoutChanged, this, &ComponentStrip::colour);
    followColours(display_, this, &ComponentStrip::colour);
    hide();
}

QSize ComponentStrip::sizeHint() const { return {kSide, kImageHeight + fontMetrics().height()}; }

QSize ComponentStrip::minimumSizeHint() const { return sizeHint(); }

void ComponentStrip::colour() {
    if (!inspector_.cutout() && inspector_.node()) {
        return; // the next ones follow
    }
    pictures_.clear();
    const LevelColours colours(toneOf(display_, Output::filtered, false), display_.colourMap());
    for (const vm::ComponentCutout& cutout : inspector_.strip()) {
        pictures_.push_back(coloured(cutout, colours));
    }
    setVisible(pictures_.size() > 1);
    update();
}

QRectF ComponentStrip::place(int number) const {
    const double width =
        static_cast<double>(rect().width()) / static_cast<double>(std::max<std::size_t>(pictures_.size(), 1));
    return {number * width, 0, width, static_cast<double>(kImageHeight)};
}

int ComponentStrip::numberAt(const QPointF& point) const {
    for (int i = 0; i < static_cast<int>(pictures_.size()); ++i) {
        if (place(i).adjusted(0, 0, 0, fontMetrics().height()).contains(point)) {
            return i;
        }
    }
    return -1;
}

void ComponentStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto cutout = inspector_.cutout();
    for (std::size_t i = 0; i < pictures_.size() && i < inspector_.strip().size(); ++i) {
        const QRectF box = place(static_cast<int>(i));
        const std::uint32_t slice = inspector_.strip()[i].slice;
        drawInto(painter, pictures_[i], box.adjusted(kStripGap, 0, -kStripGap, 0));
        const bool isSeen = cutout && cutout->slice == slice;
        painter.setPen(palette().color(isSeen ? QPalette::Highlight : QPalette::WindowText));
        painter.drawText(box.translated(0, kImageHeight).adjusted(0, 0, 0, fontMetrics().height() - kImageHeight),
                         Qt::AlignCenter, QLocale().toString(slice + 1));
    }
}

void ComponentStrip::mousePressEvent(QMouseEvent* event) {
    if (const int number = numberAt(event->position()); number >= 0) {
        inspector_.showSlice(inspector_.strip()[static_cast<std::size_t>(number)].slice);
    }
}

bool ComponentStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<QHelpEvent&>(*event);
        if (const int number = numberAt(help.pos()); number >= 0) {
            const std::uint32_t slice = inspector_.strip()[static_cast<std::size_t>(number)].slice;
            QToolTip::showText(help.globalPos(), tr("Show slice %1").arg(QLocale().toString(slice + 1)), this);
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace pollard::app
