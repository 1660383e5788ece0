#include "docks/tree/component_picture.hpp"

#include "canvas/tone_of.hpp"
#include "overlays/level_colours.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kSide = static_cast<int>(vm::InspectorViewModel::kPictureSide) / 2; ///< logical px
constexpr QRgb kMark = qRgb(255, 196, 0);                                         // as in the picture
constexpr int kFillShare = 25;                                                    ///< %
constexpr int kWhole = 100;

QRgb mixed(QRgb below, QRgb above, int share) {
    const auto part = [share](int a, int b) { return (a * (kWhole - share) + b * share) / kWhole; };
    return qRgb(part(qRed(below), qRed(above)), part(qGreen(below), qGreen(above)), part(qBlue(below), qBlue(above)));
}

} // namespace

ComponentPicture::ComponentPicture(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), inspector_(inspector), display_(display) {
    setObjectName(QStringLiteral("componentPicture"));
    explain(this, tr("The component"), tr("The component and its surroundings, as displayed"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    using Display = vm::DisplayViewModel;
    connect(&inspector_, &vm::InspectorViewModel::cutoutChanged, this, &ComponentPicture::colour);
    for (const auto signal : {&Display::windowChanged, &Display::colourMapChanged, &Display::toneCurveChanged}) {
        connect(&display_, signal, this, &ComponentPicture::colour);
    }
}

QSize ComponentPicture::sizeHint() const { return {kSide, kSide}; }

QSize ComponentPicture::minimumSizeHint() const { return {kSide / 3, kSide / 3}; }

void ComponentPicture::colour() {
    const auto cutout = inspector_.cutout();
    if (!cutout) {
        if (!inspector_.node()) {
            picture_ = {}; // avoids showing the previous picture until the next one is ready
        }
        update();
        return;
    }
    const Image& levels = *cutout->levels;
    const LevelColours colours(toneOf(display_, Output::filtered, false), display_.colourMap());
    picture_ = QImage(static_cast<int>(levels.width()), static_cast<int>(levels.height()), QImage::Format_RGB32);
    for (int y = 0; y < picture_.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture_.scanLine(y));
        for (int x = 0; x < picture_.width(); ++x) {
            const std::size_t pixel = static_cast<std::size_t>(y) * levels.width() + static_cast<std::size_t>(x);
            const QRgb shade = colours.shade(levels.level(pixel), levels.level(pixel), false);
            const std::uint32_t mark = cutout->marks[pixel];
            line[x] = mark == vm::ComponentCutout::kOutline  ? kMark
                      : mark == vm::ComponentCutout::kInside ? mixed(shade, kMark, kFillShare)
                                                             : shade;
        }
    }
    update();
}

void ComponentPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (picture_.isNull()) {
        return;
    }
    // Small pictures scale by integers, so that all pixels have one size; large ones shrink to fit.
    const double fit =
        std::min(width() / static_cast<double>(picture_.width()), height() / static_cast<double>(picture_.height()));
    const double scale = fit >= 1 ? std::floor(fit) : fit;
    const QSizeF size = QSizeF(picture_.size()) * scale;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale < 1);
    painter.drawImage(QRectF(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size), picture_);
}

} // namespace pollard::app
