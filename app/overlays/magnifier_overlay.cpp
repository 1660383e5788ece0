#include "overlays/magnifier_overlay.hpp"

#include "canvas/tone_of.hpp"
#include "overlays/level_colours.hpp"
#include "overlays/plate.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/overlays_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kRadius = 84;      ///< of the lens
constexpr double kDistance = 26;    ///< between the pointer and the lens
constexpr double kSmallestSide = 8; ///< of a magnified pixel
constexpr double kLargestSide = 56; ///< shows at least three pixels
constexpr double kFactor = 4;       ///< zoom of the lens relative to the canvas
constexpr double kEdge = 3;         ///< width of the rim
constexpr double kLabelHeight = 22;

/// An image before and after the filter.
struct Pictures {
    const Image& before;
    const Image& after;
    const Mask* valid; ///< null for all pixels
    bool showsAfter;
};

/// Colours the pixels of a part of the image, which may exceed its borders.
void paintPixels(QImage& pixels, const QRect& part, const Pictures& shown, const LevelColours& colours) {
    const Image& image = shown.before;
    const QRect inside = part & QRect(0, 0, static_cast<int>(image.width()), static_cast<int>(image.height()));
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        for (int x = inside.left(); x <= inside.right(); ++x) {
            const auto column = static_cast<std::uint32_t>(x);
            const auto row = static_cast<std::uint32_t>(y);
            const std::size_t pixel = std::size_t{row} * image.width() + column;
            const bool known = shown.valid == nullptr || shown.valid->test(column, row);
            pixels.setPixel(x - part.left(), y - part.top(),
                            known ? colours.shade(image.level(pixel), shown.after.level(pixel), shown.showsAfter)
                                  : colours.nothing(x - part.left(), y - part.top()));
        }
    }
}

/// Changes colours by as much as the luminance, or makes them black outside of a mask: the counterpart of
/// CompositeLayers for a part of the image. @param window of the luminance
void apply(vm::CompositeViewModel::ResultUse use, QImage& pixels, const QRect& part, const Pictures& shown,
           const vm::LevelWindow& window) {
    const QRect inside =
        part & QRect(0, 0, static_cast<int>(shown.before.width()), static_cast<int>(shown.before.height()));
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        for (int x = inside.left(); x <= inside.right(); ++x) {
            const std::size_t pixel = static_cast<std::size_t>(y) * shown.before.width() + static_cast<std::size_t>(x);
            const QPoint place = QPoint(x, y) - part.topLeft();
            const int after = shown.after.level(pixel);
            if (use == vm::CompositeViewModel::ResultUse::cutOut) {
                if (after == 0) {
                    pixels.setPixel(place, qRgb(0, 0, 0));
                }
                continue;
            }
            const int change =
                static_cast<int>(std::lround(255.0 * (after - shown.before.level(pixel)) / (window.high - window.low)));
            const QRgb colour = pixels.pixel(place);
            const auto moved = [change](int value) { return std::clamp(value + change, 0, 255); };
            pixels.setPixel(place, qRgb(moved(qRed(colour)), moved(qGreen(colour)), moved(qBlue(colour))));
        }
    }
}

} // namespace

double MagnifierOverlay::pixelSide(const OverlayScene& scene) {
    return std::clamp(std::round(scene.scale * kFactor), kSmallestSide, kLargestSide);
}

bool MagnifierOverlay::isShown(const OverlayScene& scene) const {
    return overlays_.hasMagnifier() && scene.pointer && !scene.picture.isEmpty() &&
           scene.imageArea().contains(*scene.pointer);
}

QRectF MagnifierOverlay::lens(const OverlayScene& scene) const {
    // Above the pointer, or on another side of it if there is no space.
    const double reach = kDistance + kRadius;
    const double whole = kRadius + kEdge;
    QPointF middle = *scene.pointer + QPointF(reach, -reach) * 0.8;
    if (middle.x() + whole > scene.size.width()) {
        middle.setX(scene.pointer->x() - reach * 0.8);
    }
    if (middle.y() - whole < 0) {
        middle.setY(scene.pointer->y() + reach * 0.8);
    }
    return {middle.x() - kRadius, middle.y() - kRadius, 2 * kRadius, 2 * kRadius};
}

QRegion MagnifierOverlay::area(const OverlayScene& scene) const {
    if (!isShown(scene)) {
        return {};
    }
    return lens(scene).adjusted(-kEdge, -kEdge, kEdge, kEdge + kLabelHeight).toAlignedRect();
}

bool MagnifierOverlay::showsResult(const OverlayScene& scene) const {
    if (document_.result() == nullptr) {
        return false;
    }
    if (display_.isSplitEnabled()) {
        return scene.pointer->x() >= display_.splitPosition() * scene.size.width();
    }
    return display_.wantsResult();
}

QImage MagnifierOverlay::pixelsAt(int left, int top, int side, bool result) const {
    QImage pixels(side, side, QImage::Format_ARGB32_Premultiplied);
    pixels.fill(Qt::transparent);
    const auto image = document_.image();
    if (!image) {
        return pixels;
    }
    const QRect part(left, top, side, side);
    const bool twin = document_.result() != nullptr && display_.wantsResult();
    const auto filtered = twin ? document_.result() : image;
    const Tone tone = toneOf(display_, document_.resultSpec().output, twin);
    const vm::CompositeViewModel& composite = display_.composite();
    using Use = vm::CompositeViewModel::ResultUse;
    const Use use = composite.useOf(document_.resultSpec().output);
    if (!composite.isShown() || tone.difference != Tone::Difference::none || (twin && use == Use::alone)) {
        paintPixels(pixels, part, {*image, *filtered, document_.shown().valid.get(), result},
                    LevelColours(tone, display_.colourMap()));
        return pixels;
    }
    QPainter painter(&pixels);
    painter.setCompositionMode(QPainter::CompositionMode_Plus);
    const auto layers = composite.layers();
    for (const vm::CompositeViewModel::Layer& layer : layers) {
        const Image& before = *layer.before->image();
        const Image& after = layer.isSource && use == Use::channel ? *filtered
                             : layer.after                         ? *layer.after->image()
                                                                   : before;
        const Coverage* coverage = layer.before->coverage().get();
        QImage channel(pixels.size(), pixels.format());
        channel.fill(Qt::transparent);
        paintPixels(channel, part, {before, after, coverage != nullptr ? &coverage->mask() : nullptr, result},
                    LevelColours(layer));
        painter.drawImage(0, 0, channel);
    }
    painter.end();
    if (result && twin && use != Use::channel && !layers.empty()) {
        apply(use, pixels, part, {*image, *filtered, nullptr, true}, layers.front().window);
    }
    return pixels;
}

void MagnifierOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!isShown(scene)) {
        return;
    }
    const QRectF disc = lens(scene);
    const double side = pixelSide(scene);
    const QPointF place = scene.toImage(*scene.pointer);
    const int reach = static_cast<int>(std::ceil(kRadius / side)) + 1;
    const int left = static_cast<int>(std::floor(place.x())) - reach;
    const int top = static_cast<int>(std::floor(place.y())) - reach;
    const int count = 2 * reach + 1;
    const QImage pixels = pixelsAt(left, top, count, showsResult(scene));

    // The centre of the lens is the position under the pointer; pixels start at integer device px.
    const auto sharp = [&](double value) { return std::round(value * scene.ratio) / scene.ratio; };
    const QPointF corner(sharp(disc.center().x() + (left - place.x()) * side),
                         sharp(disc.center().y() + (top - place.y()) * side));
    QPainterPath round;
    round.addEllipse(disc);
    painter.save();
    painter.setClipPath(round, Qt::IntersectClip);
    painter.fillPath(round, kPlateColour);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(QRectF(corner, QSizeF(count, count) * side), pixels);
    painter.setPen(QPen(QColor(128, 128, 128, 110), 0));
    for (int i = 0; i <= count; ++i) {
        painter.drawLine(QPointF(corner.x() + i * side, disc.top()), QPointF(corner.x() + i * side, disc.bottom()));
        painter.drawLine(QPointF(disc.left(), corner.y() + i * side), QPointF(disc.right(), corner.y() + i * side));
    }
    painter.restore();

    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath middle;
    middle.addRect(QRectF(corner + QPointF(reach, reach) * side, QSizeF(side, side)));
    strokeWithHalo(painter, middle, kPlateInk, 1.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 160), kEdge));
    painter.drawEllipse(disc);
    painter.setPen(QPen(kPlateInk, kEdge - 1.5));
    painter.drawEllipse(disc);
    paintLevel(painter, scene, disc);
}

void MagnifierOverlay::paintLevel(QPainter& painter, const OverlayScene& scene, const QRectF& lens) const {
    const QPointF place = scene.toImage(*scene.pointer);
    const auto image = showsResult(scene) ? document_.result() : document_.image();
    const auto x = static_cast<std::int64_t>(std::floor(place.x()));
    const auto y = static_cast<std::int64_t>(std::floor(place.y()));
    if (!image || x < 0 || y < 0 || x >= image->width() || y >= image->height()) {
        return;
    }
    const auto valid = document_.shown().valid;
    const bool known = valid == nullptr || valid->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    const std::uint16_t level =
        image->level(static_cast<std::size_t>(y) * image->width() + static_cast<std::size_t>(x));
    const QString text = known ? QLocale().toString(level) : vm::OverlaysViewModel::tr("no data");
    QFont font = scene.font;
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double width = metrics.horizontalAdvance(text) + 16;
    const QRectF label(lens.center().x() - width / 2, lens.bottom() - kLabelHeight / 2 + kEdge, width, kLabelHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(12, 14, 17, 235));
    painter.drawRoundedRect(label, 6, 6);
    painter.setPen(kPlateInk);
    painter.drawText(label, Qt::AlignCenter, text);
}

} // namespace pollard::app
