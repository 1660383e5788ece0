#include "overlays/magnifier_overlay.hpp"

#include "gl/tone.hpp"
#include "image/pyramid.hpp"
#include "overlays/level_colours.hpp"
#include "overlays/overlay.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kLongestSide = 168;
constexpr double kMinimapShare = 0.3; ///< fraction of a small view's sides
constexpr double kShortestSide = 12;  ///< for very long images
constexpr double kSmallestView = 48;  ///< logical px; hidden in smaller views
constexpr double kBorder = 4;         ///< margin around the image
constexpr double kSmallestFrame = 6;  ///< of the frame around the visible part
constexpr int kSamples = 3;           ///< per axis, averaged for a pixel of the thumbnail

/// Averages a few samples per pixel of the thumbnail: some 100,000 fetches for an image of any size.
QImage thumbnailOf(const Pyramid& pyramid, const LevelColours& colours, QSize size) {
    QImage thumbnail(size, QImage::Format_RGB32);
    const std::size_t level = pyramid.levels() - 1;
    const Image& image = pyramid.level(level);
    const Coverage* coverage = pyramid.coverage().get();
    const auto at = [](int i, int sample, int count, std::uint32_t whole) {
        const double place = (i + (sample + 0.5) / kSamples) / count * whole;
        return std::min(static_cast<std::uint32_t>(place), whole - 1);
    };
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(thumbnail.scanLine(y));
        for (int x = 0; x < size.width(); ++x) {
            double sum = 0;
            double weight = 0;
            for (int v = 0; v < kSamples; ++v) {
                const std::uint32_t row = at(y, v, size.height(), image.height());
                for (int u = 0; u < kSamples; ++u) {
                    const std::uint32_t column = at(x, u, size.width(), image.width());
                    const double known = coverage != nullptr ? coverage->at(level, column, row) / 255.0 : 1.0;
                    sum += known * image.level(std::size_t{row} * image.width() + column);
                    weight += known;
                }
            }
            const double mean = sum / std::max(weight, 1e-9);
            line[x] = weight < 0.5 * kSamples * kSamples ? colours.nothing(x, y) : colours.shade(mean, mean, false);
        }
    }
    return thumbnail;
}

} // namespace

std::optional<QRectF> MinimapOverlay::frame(const OverlayScene& scene) const {
    if (!overlays_.hasMinimap() || scene.image.isEmpty()) {
        return std::nullopt;
    }
    const QRectF whole = scene.imageArea();
    const QRectF view(QPointF(0, 0), scene.size);
    const bool fits = view.adjusted(-0.5, -0.5, 0.5, 0.5).contains(whole);
    if (fits || std::min(view.width(), view.height()) < kSmallestView) {
        return std::nullopt;
    }
    const double longest =
        std::min({kLongestSide, scene.size.width() * kMinimapShare, scene.size.height() * kMinimapShare});
    const double factor = longest / std::max(scene.image.width(), scene.image.height());
    const double width = std::max(std::round(scene.image.width() * factor), kShortestSide);
    const double height = std::max(std::round(scene.image.height() * factor), kShortestSide);
    return QRectF(std::floor(scene.size.width() - kOverlayMargin - kBorder - width),
                  std::floor(scene.size.height() - kOverlayMargin - kBorder - height), width, height);
}

QRegion MinimapOverlay::area(const OverlayScene& scene) const {
    const auto place = frame(scene);
    return place ? QRegion(place->adjusted(-kBorder, -kBorder, kBorder, kBorder).toAlignedRect()) : QRegion();
}

void MinimapOverlay::takeThumbnail(QSize size) {
    thumbnail_ = QImage(size, QImage::Format_RGB32);
    const vm::CompositeViewModel& composite = display_.composite();
    if (!composite.isShown()) {
        const auto pyramid = document_.shown().pyramid;
        // The minimap shows the original independently of the filter: the tone without a twin.
        Tone tone = toneOf(display_, Output::filtered, false);
        tone.evenBefore.reset(); // the pyramid has displayed levels
        const LevelColours colours(tone, display_.colourMap());
        const Pyramid whole(document_.image());
        thumbnail_ = thumbnailOf(pyramid ? *pyramid : whole, colours, size);
        return;
    }
    thumbnail_.fill(Qt::black);
    QPainter painter(&thumbnail_);
    painter.setCompositionMode(QPainter::CompositionMode_Plus);
    for (const vm::CompositeViewModel::Layer& layer : composite.layers()) {
        painter.drawImage(0, 0, thumbnailOf(*layer.before, LevelColours(layer), size));
    }
}

void MinimapOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto place = frame(scene);
    if (!place || document_.image() == nullptr) {
        return;
    }
    const QSize size = (place->size() * scene.ratio).toSize();
    if (thumbnail_.size() != size) {
        takeThumbnail(size);
    }
    drawPlate(painter, place->adjusted(-kBorder, -kBorder, kBorder, kBorder));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(*place, thumbnail_);

    const QRectF part = scene.visiblePart();
    const double x = place->width() / scene.image.width();
    const double y = place->height() / scene.image.height();
    QRectF seen(place->left() + part.left() * x, place->top() + part.top() * y, part.width() * x, part.height() * y);
    if (seen.width() < kSmallestFrame || seen.height() < kSmallestFrame) {
        const QPointF middle = seen.center();
        seen.setSize(seen.size().expandedTo({kSmallestFrame, kSmallestFrame}));
        seen.moveCenter(middle);
    }
    painter.save();
    painter.setClipRect(*place, Qt::IntersectClip);
    QPainterPath beside;
    beside.addRect(*place);
    beside.addRect(seen);
    painter.fillPath(beside, QColor(0, 0, 0, 90));
    QPainterPath around;
    around.addRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
    strokeWithHalo(painter, around, kPlateInk, 1.5);
    painter.restore();
}

bool MinimapOverlay::contains(QPointF position) const {
    const auto place = frame(scene_());
    return place && place->adjusted(-kBorder, -kBorder, kBorder, kBorder).contains(position);
}

void MinimapOverlay::moveViewTo(QPointF position) {
    const OverlayScene scene = scene_();
    if (const auto place = frame(scene)) {
        const QPointF image((position.x() - place->left()) / place->width() * scene.image.width(),
                            (position.y() - place->top()) / place->height() * scene.image.height());
        display_.setCentre(image - grip_);
    }
}

bool MinimapOverlay::press(const QMouseEvent& event) {
    if (!contains(event.position())) {
        return false;
    }
    const OverlayScene scene = scene_();
    const QRectF place = *frame(scene);
    const QPointF image((event.position().x() - place.left()) / place.width() * scene.image.width(),
                        (event.position().y() - place.top()) / place.height() * scene.image.height());
    // A drag moves the frame; a click outside the frame centres the view there.
    grip_ = scene.visiblePart().contains(image) ? image - display_.centre() : QPointF(0, 0);
    moveViewTo(event.position());
    return true;
}

void MinimapOverlay::drag(const QMouseEvent& event) { moveViewTo(event.position()); }

bool MinimapOverlay::doubleClick(const QMouseEvent& event) { return contains(event.position()); }

std::optional<QCursor> MinimapOverlay::cursorAt(QPointF position) const {
    return contains(position) ? std::optional(QCursor(Qt::PointingHandCursor)) : std::nullopt;
}

namespace {

constexpr double kRadius = 84;      ///< of the lens
constexpr double kDistance = 26;    ///< between the pointer and the lens
constexpr double kSmallestSide = 8; ///< of a magnified pixel
constexpr double kLargestSide = 56; ///< shows at least three pixels
constexpr double kFactor = 4;       ///< zoom of the lens relative to the canvas
constexpr double kEdge = 3;         ///< width of the rim
constexpr double kLabelHeight = 22;

/// An image before and after the filter.
struct Images {
    const Image& before;
    const Image& after;
    const Mask* valid; ///< null for all pixels
    bool showsAfter;
};

/// Colours the pixels of a part of the image, which may exceed its borders.
void paintPixels(QImage& pixels, const QRect& part, const Images& shown, const LevelColours& colours) {
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

/// Changes colours by as much as the luminance, or makes them black outside a mask: the counterpart of CompositeLayers
/// for a part of the image. @param window of the luminance
void apply(vm::CompositeViewModel::ResultUse use, QImage& pixels, const QRect& part, const Images& shown,
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
    return overlays_.hasMagnifier() && scene.pointer && !scene.image.isEmpty() &&
           scene.imageArea().contains(*scene.pointer);
}

QRectF MagnifierOverlay::lens(const OverlayScene& scene) const {
    // Above the pointer; on another side if there is no space.
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
