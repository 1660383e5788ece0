#include "overlays/objects_overlay.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"

#include "base/parallel.hpp"
#include "hierarchy/partition.hpp"
#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include <QFontMetricsF>
#include <QLineF>
#include <QList>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

constexpr double kGoldenSection = 0.6180339887498949;
constexpr std::size_t kColours = 1024; ///< number of different colours
constexpr double kOutlineWidth = 1.5;  ///< of the outline, logical px
constexpr QRgb kOutline = qRgba(255, 255, 255, 255);
constexpr QRgb kOutlineHalo = qRgba(0, 0, 0, 190); ///< premultiplied
constexpr double kSelectedBoost = 0.2;
constexpr std::uint32_t kMostMeanColours = 8192;
constexpr int kStrengthColours = 32;
constexpr std::size_t kRowsPerTask = 16;
constexpr QRgb kUnclassified = qRgb(150, 150, 150);

QRgb makeColour(std::size_t label) {
    const double turns = static_cast<double>(label) * kGoldenSection;
    const bool strong = label % 2 == 0;
    return QColor::fromHsvF(static_cast<float>(turns - std::floor(turns)), strong ? 0.85F : 0.62F,
                            strong ? 0.92F : 1.0F)
        .rgb();
}

const std::array<QRgb, kColours>& objectColours() {
    static const auto table = [] {
        std::array<QRgb, kColours> made{};
        for (std::size_t i = 0; i < kColours; ++i) {
            made[i] = makeColour(i);
        }
        return made;
    }();
    return table;
}

/// Number i of label i + 1.
template <class Numbers> auto numbersIn(const Numbers& numbers) {
    return [&numbers](std::uint32_t label) -> std::uint32_t { return numbers[label - 1]; };
}

QRgb withOpacity(QRgb colour, double opacity) {
    const int alpha = static_cast<int>(std::lround(255 * opacity));
    return qPremultiply(qRgba(qRed(colour), qGreen(colour), qBlue(colour), alpha));
}

} // namespace

QRgb strengthColour(double share) {
    const auto between = [share](int weak, int strong) {
        return static_cast<int>(std::lround(weak + share * (strong - weak)));
    };
    return qRgba(between(60, 255), between(140, 110), between(255, 0), between(110, 255));
}

QRgb objectColour(std::uint32_t label) { return objectColours()[label % kColours]; }

QRgb outcomeColour(ObjectOutcome outcome) {
    switch (outcome) { // colours that colour-blind people tell apart (Okabe and Ito 2008)
    case ObjectOutcome::missed:
        return qRgb(213, 94, 0);
    case ObjectOutcome::invented:
        return qRgb(86, 180, 233);
    case ObjectOutcome::split:
        return qRgb(240, 228, 66);
    case ObjectOutcome::merged:
        return qRgb(204, 121, 167);
    case ObjectOutcome::matched:
        break;
    }
    return kUnclassified;
}

namespace {

constexpr double kLegendPadding = 8; ///< logical px, and between swatch and text

QRectF legendPlate(const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    double widest = 0;
    for (const ObjectOutcome outcome : vm::kErrorOutcomes) {
        widest = std::max(widest, metrics.horizontalAdvance(vm::outcomeTitle(outcome)));
    }
    const auto rows = static_cast<double>(vm::kErrorOutcomes.size());
    return {2 * kOverlayMargin, 2 * kOverlayMargin, std::ceil(widest + metrics.ascent() + 3 * kLegendPadding),
            std::ceil(rows * metrics.lineSpacing() + 2 * kLegendPadding)};
}

void drawLegend(QPainter& painter, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QRectF plate = legendPlate(scene);
    drawPlate(painter, plate);
    painter.setFont(scene.font);
    QPointF base = plate.topLeft() + QPointF(kLegendPadding, kLegendPadding + metrics.ascent());
    for (const ObjectOutcome outcome : vm::kErrorOutcomes) {
        const double side = metrics.ascent();
        painter.fillRect(QRectF(base.x(), base.y() - side + 2, side - 2, side - 2), QColor(outcomeColour(outcome)));
        painter.setPen(kPlateInk);
        painter.drawText(base + QPointF(side + kLegendPadding, 0), vm::outcomeTitle(outcome));
        base.ry() += metrics.lineSpacing();
    }
}

} // namespace

QRegion ObjectsOverlay::area(const OverlayScene& scene) const {
    if (!table_.listing() || scene.image.isEmpty()) {
        return {};
    }
    const Components& found = table_.listing()->found->components;
    if (!scene.showsPlaneOf(found.extent()) || found.labels.size() < found.extent().pixelCount()) {
        return {}; // the image has just changed
    }
    return drawnScore() ? SurfaceImage::area(scene) + legendPlate(scene).toAlignedRect() : SurfaceImage::area(scene);
}

void ObjectsOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!area(scene).isEmpty()) {
        image_.paint(painter, scene, [&](const SurfaceGrid& grid, std::span<QRgb> out) { fill(scene, grid, out); });
        if (drawnScore()) {
            drawLegend(painter, scene);
        }
    }
}

bool ObjectsOverlay::draws(vm::HierarchyDrawing drawing) const {
    return objects_.drawing() == drawing && objects_.regions().way() == vm::FindBy::hierarchy;
}

void ObjectsOverlay::drawBoundaries(const OverlayScene& scene, const SurfaceGrid& grid, std::span<QRgb> out) const {
    const auto& boundaries = table_.listing()->found->boundaries;
    const std::vector<std::uint32_t> below = objects_.regions().mergesBelowColours(kStrengthColours);
    if (!boundaries || below.empty()) {
        return;
    }
    std::vector<QRgb> ofStrengths;
    for (int i = 0; i < kStrengthColours; ++i) {
        ofStrengths.push_back(qPremultiply(strengthColour((i + 0.5) / kStrengthColours)));
    }
    // The level with a square of pixels for about a px of the surface.
    const double pixels = 1 / (std::max(scene.scale, scene.scaleDown()) * scene.ratio);
    const auto last = static_cast<int>(boundaries->levels().size()) - 1;
    const int shift = std::clamp(static_cast<int>(std::lround(std::log2(pixels))), 0, last);
    const BoundaryMap::Level& level = boundaries->levels()[static_cast<std::size_t>(shift)];
    const std::size_t width = grid.columns.size();
    forEachIndex(
        grid.rows.size(), {},
        [&](std::size_t y) {
            const std::uint32_t* const row = level.merges.data() + (grid.rows[y] >> shift) * level.width;
            for (std::size_t x = 0; x < width; ++x) {
                const std::uint32_t merge = row[grid.columns[x] >> shift]; // from 1 on
                if (merge > below.front()) {
                    const auto colour = std::ranges::lower_bound(below, merge) - below.begin() - 1;
                    out[y * width + x] = ofStrengths[static_cast<std::size_t>(colour)];
                }
            }
        },
        kRowsPerTask);
}

std::uint32_t ObjectsOverlay::levelsOfColour() const {
    const auto image = objects_.document().image();
    const std::uint32_t levels = image ? maxLevelOf(image->type()) + 1U : 1U;
    return std::max(levels / kMostMeanColours, 1U);
}

std::vector<QRgb> ObjectsOverlay::colourOfMeans() const {
    Tone tone = toneOf(display_, Output::filtered, false);
    tone.difference = Tone::Difference::none;
    const LevelColours shades(tone, display_.colourMap());
    const std::uint32_t levels = levelsOfColour();
    std::vector<QRgb> all(kMostMeanColours);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double level = static_cast<double>(i) * levels + (levels - 1) / 2.;
        all[i] = shades.shade(level, level, false);
    }
    return all;
}

std::vector<QRgb> ObjectsOverlay::colours(double opacity) const {
    const auto& classified = table_.listing()->classified;
    std::vector<QRgb> own;
    if (draws(vm::HierarchyDrawing::means)) {
        own = colourOfMeans();
    } else if (classified) {
        own = {kUnclassified};
        std::ranges::transform(classified->classes, std::back_inserter(own), &ObjectClass::colour);
    } else {
        own.assign(objectColours().begin(), objectColours().end());
    }
    std::ranges::transform(own, own.begin(), [opacity](QRgb colour) { return withOpacity(colour, opacity); });
    return own;
}

ObjectPaint ObjectsOverlay::withLines(ObjectPaint paint, const OverlayScene& scene) const {
    paint.outlinesOnly = objects_.showsOutlines();
    paint.outline = kOutline;
    paint.halo = kOutlineHalo;
    paint.line = std::max(1, static_cast<int>(std::lround(kOutlineWidth * scene.ratio)));
    return paint;
}

ObjectsOverlay::Places ObjectsOverlay::placesOf(const OverlayScene& scene, const SurfaceGrid& grid,
                                                const Extent& extent) {
    const PlaneVoxels voxels = voxelsOf(scene.plane, extent);
    const bool isMirrored = scene.plane.turn.isMirrored;
    const bool isUpsideDown = scene.plane.turn.isUpsideDown;
    // Counts from the first voxel, even if the last voxel is on the left or on top.
    const auto fromFirst = [](const auto& places, bool isReversed, std::size_t count, std::size_t step) {
        std::vector<std::size_t> offsets;
        std::ranges::transform(places, std::back_inserter(offsets), [=](std::size_t place) {
            return isReversed ? (count - 1 - place) * (0 - step) : place * step;
        });
        return offsets;
    };
    return {voxels.voxelAt(isMirrored ? voxels.width - 1 : 0, isUpsideDown ? voxels.height - 1 : 0),
            fromFirst(grid.columns, isMirrored, voxels.width, voxels.right),
            fromFirst(grid.rows, isUpsideDown, voxels.height, voxels.down)};
}

void ObjectsOverlay::fill(const OverlayScene& scene, const SurfaceGrid& grid, std::span<QRgb> out) const {
    const Places places = placesOf(scene, grid, table_.listing()->found->components.extent());
    if (const auto score = drawnScore()) {
        drawSelected(scene, places, out);
        drawOutcomes(*score, places, objects_.opacity(), out);
        return;
    }
    if (draws(vm::HierarchyDrawing::boundaries)) {
        drawSelected(scene, places, out);
        drawBoundaries(scene, grid, out);
        return;
    }
    const double opacity = objects_.showsOutlines() ? 1 : objects_.opacity();
    if (const std::optional<std::uint32_t> merges = cutAhead()) {
        drawCut(*merges, scene, places, opacity, out);
    } else {
        drawObjects(scene, places, opacity, out);
    }
}

std::shared_ptr<const vm::ObjectScore> ObjectsOverlay::drawnScore() const {
    auto score = score_ != nullptr ? score_->coloured() : nullptr;
    const auto listing = table_.listing();
    return score && listing && score->outcomes->extent() == listing->found->components.extent() ? score : nullptr;
}

void ObjectsOverlay::drawSelected(const OverlayScene& scene, const Places& places, std::span<QRgb> out) const {
    if (table_.marks().selectedCount() > 0) {
        drawObjects(scene, places, 0, out);
    } else {
        std::ranges::fill(out, QRgb{0});
    }
}

void ObjectsOverlay::drawOutcomes(const vm::ObjectScore& score, const Places& places, double opacity,
                                  std::span<QRgb> out) {
    std::array<QRgb, vm::kErrorOutcomes.size() + 2> ofOutcomes{}; // per level of outcomeImage()
    for (std::size_t i = 1; i < ofOutcomes.size(); ++i) {
        ofOutcomes[i] = withOpacity(outcomeColour(static_cast<ObjectOutcome>(i - 1)), opacity);
    }
    const auto outcomes = score.outcomes->pixels<std::uint8_t>();
    const std::size_t width = places.columns.size();
    forEachIndex(
        places.rows.size(), {},
        [&](std::size_t y) {
            for (std::size_t x = 0; x < width; ++x) {
                if (QRgb& pixel = out[y * width + x]; pixel == 0) {
                    pixel = ofOutcomes[outcomes[places.first + places.rows[y] + places.columns[x]]];
                }
            }
        },
        kRowsPerTask);
}

void ObjectsOverlay::drawObjects(const OverlayScene& scene, const Places& places, double opacity,
                                 std::span<QRgb> out) const {
    const auto listing = table_.listing();
    const vm::FoundObjects& found = *listing->found;
    const vm::ObjectMarks& marks = table_.marks();
    const std::vector<QRgb> plain = colours(opacity);
    const std::vector<QRgb> strong = colours(std::min(1.0, objects_.opacity() + kSelectedBoost));
    ObjectPaint paint;
    paint.labels = found.components.labels.span().subspan(places.first);
    paint.width = 1;
    paint.list = listing.get();
    paint.columns = places.columns;
    paint.rows = places.rows;
    paint.colours = plain;
    if (draws(vm::HierarchyDrawing::means)) {
        paint.colourNumber = [&objects = found.components.objects, levels = levelsOfColour()](std::uint32_t label) {
            const ComponentRecord& object = objects[label - 1];
            return static_cast<std::uint32_t>(object.greySum / std::max<std::uint64_t>(object.area, 1) / levels);
        };
    } else if (listing->classified) {
        paint.colourNumber = numbersIn(listing->classified->numbers);
    } else if (const auto* tracks = table_.trackNumbers()) { // objects of a track have the same colour on all pages
        paint.colourNumber = numbersIn(*tracks);
    } else if (!found.regionNumbers.empty()) { // a region has the same colour at all cuts
        paint.colourNumber = numbersIn(found.regionNumbers);
    }
    paint.selectedColours = strong;
    if (marks.selectedCount() > 0) {
        paint.selected = marks.selectedFlags();
    }
    paintObjects(withLines(paint, scene), out);
}

std::optional<std::uint32_t> ObjectsOverlay::cutAhead() const {
    const auto listing = table_.listing();
    const bool isKnown = draws(vm::HierarchyDrawing::means) ? listing->found->means != nullptr : !listing->classified;
    const bool areAllListed = listing->labels.size() == listing->found->components.objects.size();
    const bool isShown = objects_.objects() == listing->found;
    return isKnown && areAllListed && isShown ? objects_.regions().mergesAhead() : std::nullopt;
}

void ObjectsOverlay::drawCut(std::uint32_t merges, const OverlayScene& scene, const Places& places, double opacity,
                             std::span<QRgb> out) const {
    const vm::FoundObjects& found = *table_.listing()->found;
    const std::size_t width = places.columns.size();
    const std::size_t height = places.rows.size();
    Buffer<std::uint32_t> regions =
        regionsAtSamples(*found.hierarchy, merges, {places.first, places.columns, places.rows});
    const Buffer<std::uint32_t>& labels = found.components.labels;
    if (found.components.foreground < labels.size()) { // pixels without data have the label 0 at any cut
        forEachIndex(
            height, {},
            [&](std::size_t y) {
                for (std::size_t x = 0; x < width; ++x) {
                    const bool hasData = labels[places.first + places.rows[y] + places.columns[x]] != 0;
                    regions[y * width + x] = hasData ? regions[y * width + x] : 0;
                }
            },
            kRowsPerTask);
    }
    std::vector<std::size_t> each(std::max(width, height));
    std::iota(each.begin(), each.end(), std::size_t{0});
    const std::vector<QRgb> plain = colours(opacity);
    ObjectPaint paint;
    paint.labels = regions.span();
    paint.width = width;
    paint.columns = std::span(each).first(width);
    paint.rows = std::span(each).first(height);
    paint.colours = plain;
    if (draws(vm::HierarchyDrawing::means)) {
        paint.colourNumber = [&means = *found.means, merges, levels = levelsOfColour()](std::uint32_t region) {
            return means.of(region - 1, merges) / levels;
        };
    }
    paintObjects(withLines(paint, scene), out);
}

namespace {

constexpr double kMarkRadius = 6; ///< logical px
constexpr double kMarkReach = 8;  ///< logical px around a mark within which a click takes it back
constexpr double kMarkLine = 2;
const QColor kObjectMark(64, 220, 120);
const QColor kNoObjectMark(255, 96, 84);

} // namespace

MarksOverlay::MarksOverlay(vm::ObjectsViewModel& objects, std::function<OverlayScene()> scene)
    : objects_(objects), regions_(objects.regions()), scene_(std::move(scene)) {}

QRegion MarksOverlay::area(const OverlayScene& scene) const {
    QRegion all;
    if (regions_.way() != vm::FindBy::best || !objects_.isActive() || scene.image.isEmpty()) {
        return all;
    }
    constexpr double kSide = kMarkRadius + 2;
    for (const BestMark& mark : regions_.best().marks) {
        if (const auto at = placeOf(mark, scene)) {
            all += QRectF(*at - QPointF(kSide, kSide), QSizeF(2 * kSide, 2 * kSide)).toAlignedRect();
        }
    }
    return all;
}

std::optional<QPointF> MarksOverlay::placeOf(const BestMark& mark, const OverlayScene& scene) const {
    const auto pixel = regions_.placeOf(mark, scene.plane);
    return pixel ? std::optional(scene.toSurface(*pixel + QPointF(0.5, 0.5))) : std::nullopt;
}

void MarksOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    for (const BestMark& mark : regions_.best().marks) {
        const auto at = placeOf(mark, scene);
        if (!at) {
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(kPlateColour);
        painter.drawEllipse(*at, kMarkRadius + 1, kMarkRadius + 1);
        painter.setPen(QPen(mark.isObject ? kObjectMark : kNoObjectMark, kMarkLine));
        constexpr double kArm = kMarkRadius - 2;
        painter.drawLine(*at - QPointF(kArm, 0), *at + QPointF(kArm, 0));
        if (mark.isObject) {
            painter.drawLine(*at - QPointF(0, kArm), *at + QPointF(0, kArm));
        }
    }
}

bool MarksOverlay::press(const QMouseEvent& event) {
    if (!regions_.isMarking()) {
        return false;
    }
    const OverlayScene scene = scene_();
    regions_.mark(scene.toImage(event.position()), kMarkReach / std::max(scene.scale, scene.scaleDown()));
    return true;
}

std::optional<QCursor> MarksOverlay::cursorAt(QPointF) const {
    return regions_.isMarking() ? std::optional(QCursor(Qt::PointingHandCursor)) : std::nullopt;
}

bool MarksOverlay::wantsKey(const QKeyEvent& event) const {
    return regions_.isMarking() && event.key() == Qt::Key_Escape;
}

void MarksOverlay::key(const QKeyEvent&) { regions_.setMarking(false); }

namespace {

constexpr double kTrackLine = 2;
constexpr double kThinTrackLine = 1;
constexpr double kDot = 2.5;        ///< radius
constexpr double kRing = 6;         ///< radius
constexpr double kTrackMargin = 10; ///< around the path, for lines and ring
const QColor kPathColour(255, 214, 64);
const QColor kTrackHalo(24, 24, 24);

/// Centroids on the surface, in the order of the pages.
QPolygonF placesOf(const Track& track, const OverlayScene& scene) {
    QPolygonF places;
    places.reserve(static_cast<qsizetype>(track.points.size()));
    for (const TrackPoint& point : track.points) {
        places << scene.toSurface(QPointF(point.x + 0.5, point.y + 0.5)); // centre of the pixel
    }
    return places;
}

QList<QLineF> linesOf(const QPolygonF& places, qsizetype first, qsizetype last) {
    QList<QLineF> lines;
    for (qsizetype i = first; i < last; ++i) {
        lines << QLineF(places[i], places[i + 1]);
    }
    return lines;
}

} // namespace

QRegion TrackOverlay::area(const OverlayScene& scene) const {
    const Track* const track = tracks_.currentTrack();
    if (track == nullptr || !objects_.isActive() || scene.image.isEmpty()) {
        return {};
    }
    return placesOf(*track, scene)
        .boundingRect()
        .adjusted(-kTrackMargin, -kTrackMargin, kTrackMargin, kTrackMargin)
        .intersected(QRectF(QPointF(0, 0), scene.size))
        .toAlignedRect();
}

void TrackOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const Track& track = *tracks_.currentTrack();
    const QPolygonF places = placesOf(track, scene);
    const qsizetype last = places.size() - 1;
    const auto frame = tracks_.tracks()->frameOf(document_.page());
    const qsizetype present =
        frame ? static_cast<qsizetype>(*frame) - static_cast<qsizetype>(track.firstFrame) : qsizetype{-1};
    const qsizetype passed = std::clamp<qsizetype>(present, 0, last);
    painter.setPen(QPen(kTrackHalo, kTrackLine + 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, 0, last));
    painter.setPen(QPen(kPathColour, kThinTrackLine, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, passed, last));
    painter.setPen(QPen(kPathColour, kTrackLine, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(linesOf(places, 0, passed));
    painter.setPen(QPen(kTrackHalo, 1));
    painter.setBrush(kPathColour);
    for (const QPointF& place : places) {
        painter.drawEllipse(place, kDot, kDot);
    }
    if (present >= 0 && present <= last) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(kTrackHalo, kTrackLine + 2));
        painter.drawEllipse(places[present], kRing, kRing);
        painter.setPen(QPen(kPathColour, kTrackLine));
        painter.drawEllipse(places[present], kRing, kRing);
    }
}

} // namespace pollard::app
