#include "overlays/objects_overlay.hpp"

#include "object_table_model.hpp"
#include "objects_view_model.hpp"

#include "components/object_paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pollard::app {
namespace {

constexpr double kGoldenSection = 0.6180339887498949;
constexpr std::size_t kColours = 1024; ///< then they repeat
constexpr double kLine = 1.5;          ///< of the outline, logical px
constexpr QRgb kOutline = qRgba(255, 255, 255, 255);
constexpr QRgb kHalo = qRgba(0, 0, 0, 190); ///< premultiplied
constexpr double kSelectedBoost = 0.2;

QRgb makeColour(std::size_t label) {
    const double turns = static_cast<double>(label) * kGoldenSection;
    const bool strong = label % 2 == 0;
    return QColor::fromHsvF(static_cast<float>(turns - std::floor(turns)), strong ? 0.85F : 0.62F,
                            strong ? 0.92F : 1.0F)
        .rgb();
}

const std::array<QRgb, kColours>& colours() {
    static const auto table = [] {
        std::array<QRgb, kColours> made{};
        for (std::size_t i = 0; i < kColours; ++i) {
            made[i] = makeColour(i);
        }
        return made;
    }();
    return table;
}

QRgb withOpacity(QRgb colour, double opacity) {
    const int alpha = static_cast<int>(std::lround(255 * opacity));
    return qPremultiply(qRgba(qRed(colour), qGreen(colour), qBlue(colour), alpha));
}

/// Column or row of the picture under each of @p count device px from @p first on.
std::vector<std::size_t> placesUnder(int first, int count, double origin, double step, std::uint32_t limit) {
    std::vector<std::size_t> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double place = std::floor((first + i + 0.5) * step - origin);
        places[static_cast<std::size_t>(i)] =
            static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(limit - 1)));
    }
    return places;
}

} // namespace

QRgb objectColour(std::uint32_t label) { return colours()[label % kColours]; }

ObjectsOverlay::Place ObjectsOverlay::placeIn(const OverlayScene& scene) const {
    const QRectF seen = scene.pictureArea().intersected(QRectF(QPointF(0, 0), scene.size));
    const auto device = [&](double length) { return static_cast<int>(std::lround(length * scene.ratio)); };
    const QPoint corner(device(seen.left()), device(seen.top()));
    return {QRect(corner, QPoint(device(seen.right()) - 1, device(seen.bottom()) - 1)), scene.origin, scene.scale,
            scene.ratio};
}

QRegion ObjectsOverlay::area(const OverlayScene& scene) const {
    if (!table_.listing() || scene.picture.isEmpty()) {
        return {};
    }
    const Components& components = table_.listing()->found->components;
    if (QSize(static_cast<int>(components.width), static_cast<int>(components.height)) != scene.picture) {
        return {}; // the picture has just changed
    }
    return scene.pictureArea().intersected(QRectF(QPointF(0, 0), scene.size)).toAlignedRect();
}

void ObjectsOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto listing = table_.listing();
    const Place place = placeIn(scene);
    if (area(scene).isEmpty() || place.device.isEmpty()) {
        return;
    }
    if (picture_.isNull() || made_ != place) {
        picture_ = makePicture(*listing, place);
        made_ = place;
    }
    painter.drawImage(QRectF(QPointF(place.device.topLeft()) / place.ratio, QSizeF(place.device.size()) / place.ratio),
                      picture_, QRectF(QPointF(0, 0), QSizeF(place.device.size())));
}

QImage ObjectsOverlay::makePicture(const vm::ObjectListing& listing, const Place& place) const {
    const Components& components = listing.found->components;
    const vm::ObjectMarks& marks = table_.marks();
    const double opacity = objects_.opacity();
    const double step = 1 / (place.ratio * place.scale);
    const auto columns =
        placesUnder(place.device.left(), place.device.width(), place.origin.x() / place.scale, step, components.width);
    const auto rows =
        placesUnder(place.device.top(), place.device.height(), place.origin.y() / place.scale, step, components.height);
    std::array<QRgb, kColours> plain{};
    std::array<QRgb, kColours> strong{};
    for (std::size_t i = 0; i < kColours; ++i) {
        plain[i] = withOpacity(colours()[i], opacity);
        strong[i] = withOpacity(colours()[i], std::min(1.0, opacity + kSelectedBoost));
    }
    QImage picture(place.device.size(), QImage::Format_ARGB32_Premultiplied);
    ObjectPaint paint;
    paint.components = &components;
    paint.list = &listing;
    paint.columns = columns;
    paint.rows = rows;
    paint.colours = plain;
    paint.selectedColours = strong;
    if (marks.selectedCount() > 0) {
        paint.selected = marks.selectedFlags();
    }
    paint.outline = kOutline;
    paint.halo = kHalo;
    paint.line = std::max(1, static_cast<int>(std::lround(kLine * place.ratio)));
    // Rows of 32-bit pixels have no padding.
    paintObjects(paint, {reinterpret_cast<QRgb*>(picture.bits()), columns.size() * rows.size()});
    return picture;
}

} // namespace pollard::app
