#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"
#include "vm/objects/object_regions.hpp"

#include "components/label_scores.hpp"
#include "session/session.hpp"

#include <QRect>
#include <QRgb>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
class ObjectTableModel;
class ObjectTracksViewModel;
class ObjectsViewModel;
class ScoreViewModel;
struct FoundObjects;
struct ObjectScore;
} // namespace pollard::vm

namespace pollard::app {

class PlaneBoundaries;

/// Colour of an object, a function of its label: hues at golden-section distances, so that neighbouring labels differ,
/// with two alternating brightnesses.
[[nodiscard]] QRgb objectColour(std::uint32_t label);

/// Colour of the objects with an outcome.
[[nodiscard]] QRgb outcomeColour(ObjectOutcome outcome);

/// Colour of a boundary between regions, not premultiplied. @param share of the scale of strengths, 0 .. 1
[[nodiscard]] QRgb strengthColour(double share);

/// Draws the listed objects in the colours of their classes, tracks or labels, regions of a hierarchy also in the
/// colours of their means, or their boundaries in the colours of their strengths; selected objects have white outlines.
/// While errors of a score are coloured, objects of result and truth have the colours of their outcomes, with a legend.
class ObjectsOverlay : public Overlay {
public:
    /// All must outlive this. @param score null: none @param ready called when a scene that may lag can be painted anew
    ObjectsOverlay(const vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table,
                   const vm::DisplayViewModel& display, const vm::ScoreViewModel* score = nullptr,
                   std::function<void()> ready = {});

    /// Call when another image or plane is shown.
    void forgetImage() { image_.forget(); }
    /// Call when objects, selection or opacity have changed. @param part see SurfaceImage::outdate()
    void outdate(const QRect& part = SurfaceImage::kAll) { image_.outdate(part); }
    /// Whether nothing is to be drawn, or the present state is drawn.
    [[nodiscard]] bool isUpToDate(const OverlayScene& scene) const {
        return image_.isUpToDate() || area(scene).isEmpty();
    }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    /// What is drawn, for another thread.
    [[nodiscard]] SurfaceImage::Fill drawing(const OverlayScene& scene) const;
    /// The score whose outcomes are drawn; null: none.
    [[nodiscard]] std::shared_ptr<const vm::ObjectScore> drawnScore() const;
    /// Merges up to a cut whose regions are drawn before they are labelled; empty: the labelled ones are drawn.
    [[nodiscard]] std::optional<std::uint32_t> cutAhead() const;
    /// Whether objects are drawn in this way.
    [[nodiscard]] bool draws(HierarchyDrawing drawing) const;
    /// Of labels, classes or means.
    [[nodiscard]] std::vector<QRgb> colours() const;
    [[nodiscard]] std::vector<QRgb> coloursOfMeans() const;
    /// Mean levels that have one colour.
    [[nodiscard]] std::uint32_t levelsOfColour() const;

    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTableModel& table_;
    const vm::DisplayViewModel& display_;
    const vm::ScoreViewModel* score_;
    std::function<void()> ready_;
    std::shared_ptr<PlaneBoundaries> ofPlane_; ///< of a volume
    SurfaceImage image_;
};

/// Draws the marks of best components, plus signs for objects and minus signs for none, and a ring at the candidate in
/// question. Clicks set marks while they are set. Escape ends it.
class MarksOverlay : public Overlay, public CanvasTool {
public:
    /// @param objects must outlive this @param scene returns the current scene
    MarksOverlay(vm::ObjectsViewModel& objects, std::function<OverlayScene()> scene);

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

    bool press(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    /// On the surface; nothing if the mark is not in the plane of the scene.
    [[nodiscard]] std::optional<QPointF> placeOf(const BestMark& mark, const OverlayScene& scene) const;

    vm::ObjectsViewModel& objects_;
    vm::ObjectRegions& regions_;
    std::function<OverlayScene()> scene_;
};

/// Draws the path of the current track: a line along the centroids on all its pages, with a dot for each page and a
/// ring on the current page. The line after the current page is thinner.
class TrackOverlay : public Overlay {
public:
    /// @param document,objects,tracks must outlive this
    TrackOverlay(const vm::DocumentViewModel& document, const vm::ObjectsViewModel& objects,
                 const vm::ObjectTracksViewModel& tracks)
        : document_(document), objects_(objects), tracks_(tracks) {}

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    const vm::DocumentViewModel& document_;
    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTracksViewModel& tracks_;
};

} // namespace pollard::app
