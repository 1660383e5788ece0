#include "overlays/objects_overlay.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/object_paint.hpp"
#include "hierarchy/boundary_map.hpp"
#include "hierarchy/partition.hpp"
#include "image/image.hpp"
#include "image/volume_plane.hpp"
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
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
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

namespace {

/// Where the labels of the displayed plane are: pixel `first + rows[y] + columns[x]` of image or volume.
struct LabelPlaces {
    std::size_t first = 0;
    std::vector<std::size_t> columns;
    std::vector<std::size_t> rows;

    LabelPlaces(const VolumePlane& plane, const SurfaceGrid& grid, const Extent& extent) {
        const PlaneVoxels voxels = voxelsOf(plane, extent);
        const PlaneTurn& turn = plane.turn;
        // Counts from the first voxel, even if the last voxel is on the left or on top.
        const auto fromFirst = [](const auto& places, bool isReversed, std::size_t count, std::size_t step) {
            std::vector<std::size_t> offsets;
            std::ranges::transform(places, std::back_inserter(offsets), [=](std::size_t place) {
                return isReversed ? (count - 1 - place) * (0 - step) : place * step;
            });
            return offsets;
        };
        first = voxels.voxelAt(turn.isMirrored ? voxels.width - 1 : 0, turn.isUpsideDown ? voxels.height - 1 : 0);
        columns = fromFirst(grid.columns, turn.isMirrored, voxels.width, voxels.right);
        rows = fromFirst(grid.rows, turn.isUpsideDown, voxels.height, voxels.down);
    }

    /// Calls @p take(sample, pixel) for all samples, row by row, on all threads.
    template <class Take> void forEach(const Take& take) const {
        forEachIndex(
            rows.size(), {},
            [&](std::size_t y) {
                for (std::size_t x = 0; x < columns.size(); ++x) {
                    take(y * columns.size() + x, first + rows[y] + columns[x]);
                }
            },
            kRowsPerTask);
    }
};

} // namespace

/// The boundaries in a plane of a volume, kept for the next cut. Safe to use from several threads.
class PlaneBoundaries {
public:
    /// Null without memory for them.
    [[nodiscard]] std::shared_ptr<const BoundaryMap> of(const std::shared_ptr<const Hierarchy>& hierarchy,
                                                        const VolumePlane& plane) {
        const std::lock_guard lock(mutex_);
        if (hierarchy_.lock() != hierarchy || plane_ != plane) {
            map_.reset();
            try {
                map_ = std::make_shared<const BoundaryMap>(*hierarchy, plane);
            } catch (const Error&) {
                return nullptr;
            }
            hierarchy_ = hierarchy;
            plane_ = plane;
        }
        return map_;
    }

private:
    std::mutex mutex_;
    std::weak_ptr<const Hierarchy> hierarchy_; ///< of map_
    VolumePlane plane_;
    std::shared_ptr<const BoundaryMap> map_;
};

namespace {

/// What is drawn of objects, at one time: fill() may run on another thread.
struct ObjectsDrawing {
    VolumePlane plane;
    double pixels = 1; ///< of the image, per px of the surface
    ObjectPaint paint; ///< without labels and places
    std::shared_ptr<const vm::ObjectListing> listing;
    std::shared_ptr<const vm::ObjectScore> score; ///< whose outcomes are drawn; null: none
    std::optional<HierarchyDrawing> ofHierarchy;  ///< empty: no regions of a hierarchy
    std::optional<std::uint32_t> ahead;           ///< see cutAhead()
    std::vector<std::uint32_t> below;             ///< of boundaries, see ObjectRegions::mergesBelowColours()
    std::vector<QRgb> colours;                    ///< opaque
    std::uint32_t levelsOfColour = 1;
    double opacity = 1;
    std::vector<std::uint8_t> selected;       ///< see ObjectPaint; empty: none
    std::vector<std::uint32_t> ofTracks;      ///< see trackNumbers(); empty: none
    std::shared_ptr<PlaneBoundaries> ofPlane; ///< of a volume

    void fill(const SurfaceGrid& grid, std::span<QRgb> out) const {
        const LabelPlaces places(plane, grid, listing->found->components.extent());
        if (score) {
            fillSelected(places, out);
            fillOutcomes(places, out);
        } else if (ofHierarchy == HierarchyDrawing::boundaries) {
            fillSelected(places, out);
            fillBoundaries(grid, out);
        } else if (ahead) {
            fillCut(places, out);
        } else {
            fillObjects(places, paint.outlinesOnly ? 1 : opacity, out);
        }
    }

private:
    [[nodiscard]] bool ofMeans() const { return ofHierarchy == HierarchyDrawing::means; }

    [[nodiscard]] std::vector<QRgb> coloursWith(double shade) const {
        std::vector<QRgb> all(colours.size());
        std::ranges::transform(colours, all.begin(), [shade](QRgb colour) { return withOpacity(colour, shade); });
        return all;
    }

    /// Draws selected objects, and clears the rest.
    void fillSelected(const LabelPlaces& places, std::span<QRgb> out) const {
        if (!selected.empty()) {
            fillObjects(places, 0, out);
        } else {
            std::ranges::fill(out, QRgb{0});
        }
    }

    /// Draws outcomes where nothing is drawn yet.
    void fillOutcomes(const LabelPlaces& places, std::span<QRgb> out) const {
        std::array<QRgb, vm::kErrorOutcomes.size() + 2> ofOutcomes{}; // per level of outcomeImage()
        for (std::size_t i = 1; i < ofOutcomes.size(); ++i) {
            ofOutcomes[i] = withOpacity(outcomeColour(static_cast<ObjectOutcome>(i - 1)), opacity);
        }
        const auto outcomes = score->outcomes->pixels<std::uint8_t>();
        places.forEach([&](std::size_t sample, std::size_t pixel) {
            out[sample] = out[sample] == 0 ? ofOutcomes[outcomes[pixel]] : out[sample];
        });
    }

    void fillObjects(const LabelPlaces& places, double shade, std::span<QRgb> out) const {
        const vm::FoundObjects& found = *listing->found;
        const std::vector<QRgb> plain = coloursWith(shade);
        const std::vector<QRgb> strong = coloursWith(std::min(1.0, opacity + kSelectedBoost));
        ObjectPaint all = paint;
        all.labels = found.components.labels.span().subspan(places.first);
        all.width = 1;
        all.list = listing.get();
        all.columns = places.columns;
        all.rows = places.rows;
        all.colours = plain;
        if (ofMeans()) {
            all.colourNumber = [&objects = found.components.objects, levels = levelsOfColour](std::uint32_t label) {
                const ComponentRecord& object = objects[label - 1];
                return static_cast<std::uint32_t>(object.greySum / std::max<std::uint64_t>(object.area, 1) / levels);
            };
        } else if (listing->classified) {
            all.colourNumber = numbersIn(listing->classified->numbers);
        } else if (!ofTracks.empty()) { // objects of a track have the same colour on all pages
            all.colourNumber = numbersIn(ofTracks);
        } else if (!found.regionNumbers.empty()) { // a region has the same colour at all cuts
            all.colourNumber = numbersIn(found.regionNumbers);
        }
        all.selectedColours = strong;
        all.selected = selected;
        paintObjects(all, out);
    }

    void fillCut(const LabelPlaces& places, std::span<QRgb> out) const {
        const vm::FoundObjects& found = *listing->found;
        const std::size_t width = places.columns.size();
        const std::size_t height = places.rows.size();
        Buffer<std::uint32_t> regions =
            regionsAtSamples(*found.hierarchy, *ahead, {places.first, places.columns, places.rows});
        const Buffer<std::uint32_t>& labels = found.components.labels;
        if (found.components.foreground < labels.size()) { // pixels without data have the label 0 at any cut
            places.forEach([&](std::size_t sample, std::size_t pixel) {
                regions[sample] = labels[pixel] != 0 ? regions[sample] : 0;
            });
        }
        std::vector<std::size_t> each(std::max(width, height));
        std::iota(each.begin(), each.end(), std::size_t{0});
        const std::vector<QRgb> plain = coloursWith(paint.outlinesOnly ? 1 : opacity);
        ObjectPaint all = paint;
        all.labels = regions.span();
        all.width = width;
        all.columns = std::span(each).first(width);
        all.rows = std::span(each).first(height);
        all.colours = plain;
        if (ofMeans()) {
            all.colourNumber = [this, &means = *found.means](std::uint32_t region) {
                return means.of(region - 1, *ahead) / levelsOfColour;
            };
        }
        paintObjects(all, out);
    }

    /// Draws the boundaries between all regions at the cut.
    void fillBoundaries(const SurfaceGrid& grid, std::span<QRgb> out) const {
        const vm::FoundObjects& found = *listing->found;
        const auto boundaries = found.hierarchy != nullptr && found.components.isVolume()
                                    ? ofPlane->of(found.hierarchy, plane)
                                    : found.boundaries;
        if (!boundaries || below.empty()) {
            return;
        }
        std::vector<QRgb> ofStrengths;
        for (int i = 0; i < kStrengthColours; ++i) {
            ofStrengths.push_back(qPremultiply(strengthColour((i + 0.5) / kStrengthColours)));
        }
        // The level with a square of pixels for about a px of the surface.
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
};

} // namespace

ObjectsOverlay::ObjectsOverlay(const vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table,
                               const vm::DisplayViewModel& display, const vm::ScoreViewModel* score,
                               std::function<void()> ready)
    : objects_(objects), table_(table), display_(display), score_(score), ready_(std::move(ready)),
      ofPlane_(std::make_shared<PlaneBoundaries>()) {}

void ObjectsOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    image_.paintLater(
        painter, scene, [&] { return drawing(scene); }, ready_);
    if (drawnScore()) {
        drawLegend(painter, scene);
    }
}

SurfaceImage::Fill ObjectsOverlay::drawing(const OverlayScene& scene) const {
    auto all = std::make_shared<ObjectsDrawing>();
    all->plane = scene.plane;
    all->pixels = 1 / (std::max(scene.scale, scene.scaleDown()) * scene.ratio);
    all->paint.outlinesOnly = objects_.showsOutlines();
    all->paint.outline = kOutline;
    all->paint.halo = kOutlineHalo;
    all->paint.line = std::max(1, static_cast<int>(std::lround(kOutlineWidth * scene.ratio)));
    all->listing = table_.listing();
    all->score = drawnScore();
    if (objects_.regions().way() == vm::FindBy::hierarchy) {
        all->ofHierarchy = objects_.drawing();
        all->ahead = cutAhead();
        all->below = objects_.regions().mergesBelowColours(kStrengthColours);
    }
    all->colours = colours();
    all->ofPlane = ofPlane_;
    all->levelsOfColour = levelsOfColour();
    all->opacity = objects_.opacity();
    if (table_.marks().selectedCount() > 0) {
        const auto flags = table_.marks().selectedFlags();
        all->selected.assign(flags.begin(), flags.end());
    }
    if (const auto* const tracks = table_.trackNumbers()) {
        all->ofTracks = *tracks;
    }
    return [all = std::shared_ptr<const ObjectsDrawing>(std::move(all))](const SurfaceGrid& grid, std::span<QRgb> out) {
        all->fill(grid, out);
    };
}

std::shared_ptr<const vm::ObjectScore> ObjectsOverlay::drawnScore() const {
    auto score = score_ != nullptr ? score_->coloured() : nullptr;
    const auto listing = table_.listing();
    return score && listing && score->outcomes->extent() == listing->found->components.extent() ? score : nullptr;
}

std::optional<std::uint32_t> ObjectsOverlay::cutAhead() const {
    const auto listing = table_.listing();
    const bool isKnown = draws(HierarchyDrawing::means) ? listing->found->means != nullptr : !listing->classified;
    const bool areAllListed = listing->labels.size() == listing->found->components.objects.size();
    const bool isShown = objects_.objects() == listing->found;
    return isKnown && areAllListed && isShown ? objects_.regions().mergesAhead() : std::nullopt;
}

bool ObjectsOverlay::draws(HierarchyDrawing drawing) const {
    return objects_.drawing() == drawing && objects_.regions().way() == vm::FindBy::hierarchy;
}

std::uint32_t ObjectsOverlay::levelsOfColour() const {
    const auto image = objects_.document().image();
    const std::uint32_t levels = image ? maxLevelOf(image->type()) + 1U : 1U;
    return std::max(levels / kMostMeanColours, 1U);
}

std::vector<QRgb> ObjectsOverlay::coloursOfMeans() const {
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

std::vector<QRgb> ObjectsOverlay::colours() const {
    if (draws(HierarchyDrawing::means)) {
        return coloursOfMeans();
    }
    std::vector<QRgb> all;
    if (const auto& classified = table_.listing()->classified) {
        all = {kUnclassified};
        std::ranges::transform(classified->classes, std::back_inserter(all), &ObjectClass::colour);
    } else {
        all.assign(objectColours().begin(), objectColours().end());
    }
    return all;
}

namespace {

constexpr double kMarkRadius = 6; ///< logical px
constexpr double kMarkReach = 8;  ///< logical px around a mark within which a click takes it back
constexpr double kMarkLine = 2;
constexpr double kQuestionRadius = 14; ///< logical px
const QColor kObjectMark(64, 220, 120);
const QColor kNoObjectMark(255, 96, 84);
const QColor kQuestion(255, 214, 64);

} // namespace

MarksOverlay::MarksOverlay(vm::ObjectsViewModel& objects, std::function<OverlayScene()> scene)
    : objects_(objects), regions_(objects.regions()), scene_(std::move(scene)) {}

QRegion MarksOverlay::area(const OverlayScene& scene) const {
    QRegion all;
    if (regions_.way() != vm::FindBy::best || !objects_.isActive() || scene.image.isEmpty()) {
        return all;
    }
    const auto add = [&](const BestMark& mark, double radius) {
        const double side = radius + 2;
        if (const auto at = placeOf(mark, scene)) {
            all += QRectF(*at - QPointF(side, side), QSizeF(2 * side, 2 * side)).toAlignedRect();
        }
    };
    for (const BestMark& mark : regions_.best().marks) {
        add(mark, kMarkRadius);
    }
    if (const auto& question = objects_.learning().question()) {
        add(*question, kQuestionRadius);
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
    const auto& question = objects_.learning().question();
    if (const auto at = question ? placeOf(*question, scene) : std::nullopt) {
        painter.setBrush(Qt::NoBrush);
        for (const auto& [colour, line] : {std::pair(kPlateColour, 2 * kMarkLine), {kQuestion, kMarkLine}}) {
            painter.setPen(QPen(colour, line));
            painter.drawEllipse(*at, kQuestionRadius, kQuestionRadius);
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
