#pragma once

#include "overlays/overlay.hpp"

#include <QImage>
#include <QWidget>

#include <memory>
#include <vector>

namespace pollard::app {

class BrushOverlay;
class Canvas;
class ChainTool;
class ComponentOverlay;
class ContourOverlay;
class CrossHairOverlay;
class ContourTool;
class ForbiddenOverlay;
class ForbiddenTool;
class MinimapOverlay;
class PickTool;
class ObjectsOverlay;
class RegionOverlay;
class RegionTool;
class ScaleLineOverlay;
class ScaleLineTool;
class SelectionOverlay;
class TrackOverlay;
struct Models;

/// Paints all overlays: objects, contours, regions, pixel grid, rulers, scale bar, minimap, magnifier. Covers the
/// canvas, is transparent for the mouse, and repaints only changed areas. Adds the tools that draw regions, move nodes
/// of contours, and move the view with the minimap.
class OverlayLayer : public QWidget {
    Q_OBJECT

public:
    /// @param canvas covered by this; like @p models it must outlive this
    OverlayLayer(Models& models, Canvas& canvas);
    ~OverlayLayer() override;

    /// The current state of the canvas.
    [[nodiscard]] OverlayScene scene() const;
    /// Paints the annotations of a picture onto a surface; with @p all also navigation aids.
    void paintOnto(QPainter& painter, const OverlayScene& scene, bool all);
    /// Space of the rulers at the left and at the top of the canvas, logical px.
    [[nodiscard]] double rulerSpace() const;

    [[nodiscard]] ContourOverlay& contours() noexcept { return *contours_; }
    [[nodiscard]] const MinimapOverlay& minimap() const noexcept { return *minimap_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Item {
        std::unique_ptr<Overlay> overlay;
        QRegion painted; ///< area on the screen
    };
    [[nodiscard]] Item& itemOf(const Overlay* overlay);
    template <class Type, class... Arguments> Type* add(Arguments&&... arguments);
    void connectModels();
    void connectObjects();
    void connectChain();
    void connectCrossHair();
    void connectContours();
    /// The area of an item on the screen.
    [[nodiscard]] QRegion areaOf(const Item& item, const OverlayScene& scene) const;
    /// Whether any overlay lies between the picture and the selection or the current component.
    [[nodiscard]] bool isBelowSelection(const OverlayScene& scene) const;
    [[nodiscard]] bool isBelowComponent(const OverlayScene& scene) const;
    /// Whether the canvas highlights it, so that it is not painted here.
    [[nodiscard]] bool isLitByCanvas(const Overlay* overlay, const OverlayScene& scene) const;
    /// Passes the tree with highlighted nodes, and these nodes, to the canvas.
    /// The chain follows the pointer; while picking, from the component that a click removes.
    void hover(const QPointF& image);
    void hoverAgain();
    void chooseTree();
    void lightNodes(const OverlayScene& scene);
    void showNodes();
    void refresh();
    void movePointer(std::optional<QPointF> pointer);
    /// Repaints the previous and current area. @returns whether any of it is visible
    bool refreshItem(Item& item, const OverlayScene& scene);

    Models& models_;
    Canvas& canvas_;
    std::vector<Item> items_; ///< from bottom to top
    ObjectsOverlay* objects_ = nullptr;
    TrackOverlay* track_ = nullptr;
    SelectionOverlay* selection_ = nullptr;
    ComponentOverlay* component_ = nullptr;
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
    std::optional<QPointF> pointer_;
};

} // namespace pollard::app
