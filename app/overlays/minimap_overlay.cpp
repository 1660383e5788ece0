#include "overlays/minimap_overlay.hpp"

#include "canvas/tone_of.hpp"
#include "overlays/level_colours.hpp"
#include "overlays/plate.hpp"

#include "image/pyramid.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/overlays_view_model.hpp"
#include "vm/document/document_view_model.hpp"

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

/// A few samples per pixel of the coarsest level: some 100,000 fetches for any size of the image.
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
    if (!overlays_.hasMinimap() || scene.picture.isEmpty()) {
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
    const double factor = longest / std::max(scene.picture.width(), scene.picture.height());
    const double width = std::max(std::round(scene.picture.width() * factor), kShortestSide);
    const double height = std::max(std::round(scene.picture.height() * factor), kShortestSide);
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
    const double x = place->width() / scene.picture.width();
    const double y = place->height() / scene.picture.height();
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
        const QPointF image((position.x() - place->left()) / place->width() * scene.picture.width(),
                            (position.y() - place->top()) / place->height() * scene.picture.height());
        display_.setCentre(image - grip_);
    }
}

bool MinimapOverlay::press(const QMouseEvent& event) {
    if (!contains(event.position())) {
        return false;
    }
    const OverlayScene scene = scene_();
    const QRectF place = *frame(scene);
    const QPointF image((event.position().x() - place.left()) / place.width() * scene.picture.width(),
                        (event.position().y() - place.top()) / place.height() * scene.picture.height());
    // A drag moves the frame; a click outside of it centres the view there.
    grip_ = scene.visiblePart().contains(image) ? image - display_.centre() : QPointF(0, 0);
    moveViewTo(event.position());
    return true;
}

void MinimapOverlay::drag(const QMouseEvent& event) { moveViewTo(event.position()); }

bool MinimapOverlay::doubleClick(const QMouseEvent& event) { return contains(event.position()); }

std::optional<QCursor> MinimapOverlay::cursorAt(QPointF position) const {
    return contains(position) ? std::optional(QCursor(Qt::PointingHandCursor)) : std::nullopt;
}

} // namespace pollard::app
