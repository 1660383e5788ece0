#pragma once

#include "overlays/overlay.hpp"

#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {
class OperatorPreview;
struct ObjectListing;
struct ShownSlice;
} // namespace pollard::vm

namespace pollard::app {

class BrushOverlay;
class Canvas;
class ChainTool;
class ComponentOverlay;
class ContourOverlay;
class ContourTool;
class CrossHairOverlay;
class ForbiddenOverlay;
class ForbiddenTool;
class ChainRing;
class LabelPen;
class MarksOverlay;
class MinimapOverlay;
class ObjectsOverlay;
class PickTool;
class PreviewOverlay;
class ImageSurface;
class RegionOverlay;
class RegionTool;
class ScaleLineOverlay;
class ScaleLineTool;
class SelectionOverlay;
class TrackOverlay;
struct Models;

/// Paints overlays over a surface that shows an image or a plane of a volume: objects, selection, current component and
/// the overlays added by add(). Covers the surface, is transparent for the mouse, and repaints only changed areas.
/// Passes the tree and its highlighted nodes to the surface, which highlights the nodes if it can.
class OverlayPane : public QWidget {
    Q_OBJECT

public:
    /// @param surface covered by this; like @p models it must outlive this
    OverlayPane(Models& models, ImageSurface& surface);
    ~OverlayPane() override;

    /// Adds an overlay above the others.
    template <class Type, class... Arguments> Type* add(Arguments&&... arguments) {
        auto overlay = std::make_unique<Type>(std::forward<Arguments>(arguments)...);
        Type* made = overlay.get();
        items_.push_back({std::move(overlay), {}});
        return made;
    }
    /// The current state of the surface.
    [[nodiscard]] virtual OverlayScene scene() const;
    /// Paints the annotations of an image onto a surface; with @p all also navigation aids.
    void paintOnto(QPainter& painter, const OverlayScene& scene, bool all);
    /// Repaints the overlays that have moved.
    void refresh();
    /// Repaints one overlay if it has moved. @returns whether a part of the overlay is visible
    bool refresh(const Overlay* overlay);
    /// Call when the surface shows another image or plane.
    void takeImage();
    /// Draws a preview in place of the image, below the other overlays, as long as the preview exists.
    void showPreview(const vm::OperatorPreview& preview);
    /// Whether the present state has been painted.
    [[nodiscard]] bool isUpToDate() const;
    /// Makes the chain follow the pointer at a place of @p shown, px; while picking, the chain starts at the component
    /// that a click removes.
    void hover(const QPointF& place, const vm::ShownSlice& shown);
    /// Handles a click: selects the object at that place, and holds the chain or releases it.
    void click(const QPointF& place, Qt::KeyboardModifiers modifiers, const vm::ShownSlice& shown);

signals:
    void caughtUp(); ///< isUpToDate() has become true, and the state is on the screen

protected:
    [[nodiscard]] const std::optional<QPointF>& pointer() const noexcept { return pointer_; }
    void movePointer(std::optional<QPointF> pointer);

    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Item {
        std::unique_ptr<Overlay> overlay;
        QRegion painted; ///< area on the screen
    };
    void connectTone();
    void refreshPreview();
    void connectObjects();
    /// The part of the image in which the listed objects look different than before, px; empty: anywhere. Call once for
    /// each listing.
    [[nodiscard]] std::optional<QRect> changedPart();
    void connectNodes();
    /// The area of an overlay on the screen.
    [[nodiscard]] QRegion areaOf(const Overlay& overlay, const OverlayScene& scene) const;
    /// Whether any overlay lies between the image and the selection or the current component.
    [[nodiscard]] bool isBelowSelection(const OverlayScene& scene) const;
    [[nodiscard]] bool isBelowComponent(const OverlayScene& scene) const;
    /// Whether the surface highlights the nodes of the overlay, which is then not painted here.
    [[nodiscard]] bool isLitBySurface(const Overlay* overlay, const OverlayScene& scene) const;
    void chooseTree();
    void lightNodes(const OverlayScene& scene);
    void showNodes();
    bool refreshItem(Item& item, const OverlayScene& scene);

    Models& models_;
    ImageSurface& surface_;
    std::vector<Item> items_; ///< from bottom to top
    PreviewOverlay* preview_ = nullptr;
    ObjectsOverlay* objects_ = nullptr;
    SelectionOverlay* selection_ = nullptr;
    ComponentOverlay* component_ = nullptr;
    ChainRing* ring_ = nullptr;
    std::optional<QPointF> pointer_;
    const vm::ObjectListing* listed_ = nullptr; ///< the last listing, for comparisons alone
};

/// All overlays of the canvas: contours, regions, pixel grid, rulers, scale bar, minimap, magnifier. Adds the tools
/// that draw regions, move nodes of contours, and move the view with the minimap.
class OverlayLayer : public OverlayPane {
    Q_OBJECT

public:
    /// @param canvas covered by this; like @p models it must outlive this
    OverlayLayer(Models& models, Canvas& canvas);
    ~OverlayLayer() override;

    [[nodiscard]] OverlayScene scene() const override;
    /// Space of the rulers at the left and at the top of the canvas, logical px.
    [[nodiscard]] double rulerSpace() const;

    [[nodiscard]] ContourOverlay& contours() noexcept { return *contours_; }
    [[nodiscard]] const MinimapOverlay& minimap() const noexcept { return *minimap_; }

private:
    void connectModels();
    void connectObjects();
    void connectChain();
    void connectCrossHair();
    void connectContours();
    void hover(const QPointF& image);
    void hoverAgain();

    Models& models_;
    Canvas& canvas_;
    TrackOverlay* track_ = nullptr;
    MarksOverlay* marks_ = nullptr;
    LabelPen* pen_ = nullptr;
    ForbiddenOverlay* forbidden_ = nullptr;
    BrushOverlay* brush_ = nullptr;
    ScaleLineOverlay* scaleLine_ = nullptr;
    ContourOverlay* contours_ = nullptr;
    RegionOverlay* regions_ = nullptr;
    MinimapOverlay* minimap_ = nullptr;
    CrossHairOverlay* crossHair_ = nullptr;
    RegionTool* tool_ = nullptr;
    std::unique_ptr<ScaleLineTool> scaleLiner_;
    std::unique_ptr<PickTool> picker_;
    std::unique_ptr<ChainTool> walker_;
    std::unique_ptr<ForbiddenTool> forbidder_;
    std::unique_ptr<ContourTool> nodeMover_;
};

} // namespace pollard::app
