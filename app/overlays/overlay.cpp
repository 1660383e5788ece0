#include "overlays/overlay.hpp"

#include <QPen>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <semaphore>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

const QColor kHalo(0, 0, 0, 150);
constexpr double kHaloWidth = 2; ///< logical px, sum of both sides

} // namespace

void drawPlate(QPainter& painter, const QRectF& area, double radius) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlateColour);
    painter.drawRoundedRect(area, radius, radius);
}

void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style) {
    QPen pen(kHalo, width + kHaloWidth);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawPath(path);
    pen.setColor(colour);
    pen.setWidthF(width);
    pen.setStyle(style);
    painter.setPen(pen);
    painter.drawPath(path);
}

namespace {

/// Less than a frame: small layers are drawn at once.
constexpr std::chrono::milliseconds kLayerPatience{2};

/// Column or row of the image under each of @p count device px, starting at @p first.
std::vector<std::size_t> placesUnder(int first, int count, double origin, double step, int limit) {
    std::vector<std::size_t> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double place = std::floor((first + i + 0.5) * step - origin);
        places[static_cast<std::size_t>(i)] = static_cast<std::size_t>(std::clamp(place, 0.0, limit - 1.0));
    }
    return places;
}

/// Successive px of the surface.
struct SurfaceSpan {
    std::size_t first = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t size() const noexcept { return end - first; }
    [[nodiscard]] bool isEmpty() const noexcept { return first == end; }
    [[nodiscard]] SurfaceSpan widened(std::size_t by, std::size_t limit) const noexcept {
        return {first - std::min(first, by), std::min(end + by, limit)};
    }
};

/// The px under which columns or rows from @p low to @p high are.
SurfaceSpan spanOf(const std::vector<std::size_t>& places, int low, int high) {
    const auto isIn = [low, high](std::size_t place) {
        return static_cast<int>(place) >= low && static_cast<int>(place) <= high;
    };
    const auto first = std::ranges::find_if(places, isIn) - places.begin();
    const auto end = std::find_if(places.rbegin(), places.rend(), isIn).base() - places.begin();
    return first < end ? SurfaceSpan{static_cast<std::size_t>(first), static_cast<std::size_t>(end)} : SurfaceSpan{};
}

} // namespace

SurfaceImage::Place SurfaceImage::placeIn(const OverlayScene& scene) {
    const QRectF seen = scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size));
    const auto device = [&](double length) { return static_cast<int>(std::lround(length * scene.ratio)); };
    const QPoint corner(device(seen.left()), device(seen.top()));
    return {QRect(corner, QPoint(device(seen.right()) - 1, device(seen.bottom()) - 1)), scene.origin, scene.scale,
            scene.scaleDown(), scene.ratio};
}

QRegion SurfaceImage::area(const OverlayScene& scene) {
    return scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size)).toAlignedRect();
}

void SurfaceImage::forget() {
    outdate();
    image_ = {};
    taken_ = newest_;
}

void SurfaceImage::outdate(const QRect& part) {
    stale_ = stale_.united(part);
    asked_.reset();
    isUpToDate_ = false;
}

void SurfaceImage::paint(QPainter& painter, const OverlayScene& scene, const Fill& fill) {
    const Place place = placeIn(scene);
    if (scene.image.isEmpty() || place.device.isEmpty()) {
        return;
    }
    if (!shows(place)) {
        asked_.reset();
        take(newest_, taskFor(place, scene.image, fill)(), place);
        stale_ = {};
    }
    draw(painter, place);
}

void SurfaceImage::paintLater(QPainter& painter, const OverlayScene& scene, const std::function<Fill()>& fill,
                              const std::function<void()>& ready) {
    if (!ready || !scene.mayLag) {
        paint(painter, scene, fill());
        return;
    }
    const Place place = placeIn(scene);
    if (scene.image.isEmpty() || place.device.isEmpty()) {
        return;
    }
    if (!shows(place) && asked_ != place) {
        makeLater(place, taskFor(place, scene.image, fill()), ready);
    }
    draw(painter, place);
}

void SurfaceImage::makeLater(const Place& place, Task task, const std::function<void()>& ready) {
    if (worker_ == nullptr) {
        worker_ = std::make_unique<vm::LatestWinsWorker>();
    }
    const bool startsAtOnce = !worker_->isBusy(vm::Lane::measure);
    const auto made = std::make_shared<QImage>();
    const auto end = std::make_shared<std::binary_semaphore>(0);
    asked_ = place;
    newest_ = worker_->post(
        vm::Lane::measure,
        [task = std::move(task), made, end](const std::stop_token&) {
            *made = task();
            end->release();
        },
        [this, place, made, ready](vm::LatestWinsWorker::Generation generation, const vm::JobOutcome& outcome) {
            if (outcome.ok() && generation > taken_) {
                take(generation, *made, place);
                ready();
            }
        });
    if (startsAtOnce && end->try_acquire_for(kLayerPatience)) {
        take(newest_, *made, place);
    }
}

void SurfaceImage::take(vm::LatestWinsWorker::Generation generation, QImage made, const Place& place) {
    taken_ = generation;
    image_ = std::move(made);
    made_ = place;
    if (generation == newest_ && asked_) { // else other colours are out of date since
        stale_ = {};
    }
}

void SurfaceImage::draw(QPainter& painter, const Place& place) {
    isUpToDate_ = shows(place);
    if (image_.isNull()) {
        return;
    }
    const QRect& from = made_.device;
    QRectF target(QPointF(from.topLeft()) / made_.ratio, QSizeF(from.size()) / made_.ratio);
    if (made_ != place) { // the place of this part of the image in the present view
        const double right = place.scale / made_.scale;
        const double down = place.scaleDown / made_.scaleDown;
        target.translate(-made_.origin);
        target = QRectF(target.x() * right, target.y() * down, target.width() * right, target.height() * down);
        target.translate(place.origin);
    }
    painter.drawImage(target, image_, QRectF(QPointF(0, 0), QSizeF(from.size())));
}

SurfaceImage::Task SurfaceImage::taskFor(const Place& place, QSize image, const Fill& fill) const {
    if (!image_.isNull() && made_ == place) {
        return [last = image_, place, image, part = stale_, fill] { return mended(last, place, image, part, fill); };
    }
    return [place, image, fill] { return mended({}, place, image, kAll, fill); };
}

QImage SurfaceImage::mended(QImage last, const Place& place, QSize image, const QRect& part, const Fill& fill) {
    const QSize size = place.device.size();
    const auto columns = placesUnder(place.device.left(), size.width(), place.origin.x() / place.scale,
                                     1 / (place.ratio * place.scale), image.width());
    const auto rows = placesUnder(place.device.top(), size.height(), place.origin.y() / place.scaleDown,
                                  1 / (place.ratio * place.scaleDown), image.height());
    // Colours at the ends of what is filled may be others than in the whole layer; they are not taken.
    const SurfaceSpan across = spanOf(columns, part.left(), part.right()).widened(kReach, columns.size());
    const SurfaceSpan down = spanOf(rows, part.top(), part.bottom()).widened(kReach, rows.size());
    const SurfaceSpan left = across.widened(kReach, columns.size());
    const SurfaceSpan top = down.widened(kReach, rows.size());
    QImage filled(static_cast<int>(left.size()), static_cast<int>(top.size()), QImage::Format_ARGB32_Premultiplied);
    // Rows of 32-bit pixels have no padding.
    fill({std::span(columns).subspan(left.first, left.size()), std::span(rows).subspan(top.first, top.size())},
         {reinterpret_cast<QRgb*>(filled.bits()), left.size() * top.size()});
    if (filled.size() == size) {
        return filled;
    }
    for (std::size_t y = down.first; y < down.end; ++y) {
        const auto* const from = reinterpret_cast<const QRgb*>(filled.constScanLine(static_cast<int>(y - top.first)));
        std::copy_n(from + (across.first - left.first), across.size(),
                    reinterpret_cast<QRgb*>(last.scanLine(static_cast<int>(y))) + across.first);
    }
    return last;
}

} // namespace pollard::app
