#include "overlays/overlay_layer.hpp"

#include "canvas/canvas.hpp"
#include "overlays/contour_overlay.hpp"
#include "overlays/cross_hair_overlay.hpp"
#include "overlays/forbidden_overlay.hpp"
#include "overlays/magnifier_overlay.hpp"
#include "overlays/measure_overlays.hpp"
#include "overlays/minimap_overlay.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/region_overlay.hpp"
#include "overlays/stain_overlay.hpp"
#include "overlays/tools/contour_tools.hpp"
#include "overlays/tools/picture_tools.hpp"
#include "overlays/tools/region_tool.hpp"
#include "overlays/track_overlay.hpp"
#include "overlays/tree_overlays.hpp"
#include "shell/models.hpp"
#include "vm/picture/world_scale.hpp"

#include <QEvent>
#include <QMouseEvent>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace pollard::app {

OverlayLayer::OverlayLayer(Models& models, Canvas& canvas) : QWidget(&canvas), models_(models), canvas_(canvas) {
    setObjectName(QStringLiteral("overlayLayer"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    const auto present = [this] { return scene(); };
    objects_ = add<ObjectsOverlay>(models_.objects, models_.objectTable);
    selection_ = add<SelectionOverlay>(models_.document, models_.selection);
    component_ = add<ComponentOverlay>(models_.document, models_.chain);
    track_ = add<TrackOverlay>(models_.document, models_.objects, models_.objectTracks);
    regions_ = add<RegionOverlay>(models_.region);
    forbidden_ = add<ForbiddenOverlay>(models_.contours);
    contours_ = add<ContourOverlay>(models_.contours);
    crossHair_ = add<CrossHairOverlay>(models_.orthogonal);
    add<PixelGridOverlay>(models_.overlays);
    add<RulerOverlay>(models_.overlays);
    add<ScaleBarOverlay>(models_.overlays);
    minimap_ = add<MinimapOverlay>(models_.overlays, models_.display, models_.document, present);
    brush_ = add<BrushOverlay>(models_.contours);
    scaleLine_ = add<ScaleLineOverlay>(models_.pixelSize);
    auto* const stains = add<StainOverlay>(models_.stains, present);
    connect(&models_.stains, &vm::StainPicks::areasChanged, this,
            [this, stains] { refreshItem(itemOf(stains), scene()); });
    add<MagnifierOverlay>(models_.overlays, models_.display, models_.document);
    tool_ = new RegionTool(models_.region, present, this);
    picker_ = std::make_unique<PickTool>(models_.filter.picks(), present);
    canvas_.input().addToolAboveSplit(*minimap_);
    scaleLiner_ = std::make_unique<ScaleLineTool>(models_.pixelSize, present);
    canvas_.input().addTool(*scaleLiner_);
    canvas_.input().addTool(*stains);
    canvas_.input().addTool(*picker_);
    forbidder_ = std::make_unique<ForbiddenTool>(models_.contours, present);
    canvas_.input().addTool(*forbidder_);
    nodeMover_ = std::make_unique<ContourTool>(models_.contours, present);
    canvas_.input().addTool(*tool_);
    canvas_.input().addTool(*nodeMover_);
    walker_ = std::make_unique<ChainTool>(models_.chain);
    canvas_.input().addTool(*walker_);
    connectModels();
    connectObjects();
    connectChain();
    connectContours();
    connectCrossHair();
    canvas_.installEventFilter(this);
    setGeometry(canvas_.rect());
}

OverlayLayer::~OverlayLayer() = default;

template <class Type, class... Arguments> Type* OverlayLayer::add(Arguments&&... arguments) {
    auto overlay = std::make_unique<Type>(std::forward<Arguments>(arguments)...);
    Type* made = overlay.get();
    items_.push_back({std::move(overlay), {}});
    return made;
}

void OverlayLayer::connectModels() {
    using Display = vm::DisplayViewModel;
    using Document = vm::DocumentViewModel;
    connect(&models_.display, &Display::viewChanged, this, &OverlayLayer::refresh);
    connect(&models_.overlays, &vm::OverlaysViewModel::changed, this, &OverlayLayer::refresh);
    const auto otherColours = [this] {
        minimap_->forgetPicture();
        refresh();
    };
    connect(&models_.document, &Document::imageChanged, this, otherColours);
    connect(&models_.document, &Document::sliceChanged, this, otherColours);
    connect(&models_.document, &Document::sliceChanged, this, [this] {
        selection_->forgetPicture();
        objects_->forgetPicture();
        showNodes();
        if (pointer_) {
            hover(scene().toImage(*pointer_));
        }
    });
    connect(&models_.document.pixelSizes(), &vm::DocumentPixelSizes::changed, this, &OverlayLayer::refresh);
    connect(&models_.map, &vm::PictureMap::changed, this, &OverlayLayer::refresh);
    connect(&models_.pixelSize, &vm::PixelSizeViewModel::lineChanged, this,
            [this] { refreshItem(itemOf(scaleLine_), scene()); });
    connect(&models_.display, &Display::windowChanged, this, otherColours);
    connect(&models_.display, &Display::colourMapChanged, this, otherColours);
    connect(&models_.display, &Display::toneCurveChanged, this, otherColours);
    connect(&models_.display, &Display::marksChanged, this, otherColours);
    using Composite = vm::CompositeViewModel;
    for (const auto signal : {&Composite::onChanged, &Composite::stateChanged, &Composite::looksChanged}) {
        connect(&models_.display.composite(), signal, this, otherColours);
    }
    // The minimap shows only the original: a comparison changes only the magnifier.
    using Compare = vm::CompareViewModel;
    for (const auto signal : {&Compare::differenceChanged, &Compare::modeChanged, &Compare::turnChanged}) {
        connect(&models_.display.compare(), signal, this, [this] { movePointer(pointer_); });
    }
    for (const auto signal : {&Display::splitChanged, &Display::pictureChanged}) {
        connect(&models_.display, signal, this, [this] { movePointer(pointer_); });
    }
    for (const auto signal : {&Document::frameReady, &Document::resultFetched}) {
        connect(&models_.document, signal, this, [this] { movePointer(pointer_); });
    }
    using Region = vm::RegionViewModel;
    const auto otherShapes = [this] {
        regions_->forgetShapes();
        regions_->setKeyPoint(tool_->keyPoint());
        refreshItem(itemOf(regions_), scene());
    };
    connect(&models_.region, &Region::changed, this, otherShapes);
    connect(&models_.region, &Region::toolChanged, this, otherShapes);
    connect(tool_, &RegionTool::keyPointMoved, this, otherShapes);
}

void OverlayLayer::connectObjects() {
    const auto otherObjects = [this] {
        objects_->forgetPicture();
        refreshItem(itemOf(objects_), scene());
        showNodes();
    };
    connect(&models_.objectTable, &vm::ObjectTableModel::listingChanged, this, otherObjects);
    connect(&models_.objectTable.marks(), &vm::ObjectMarks::selectionChanged, this, otherObjects);
    connect(&models_.objects, &vm::ObjectsViewModel::opacityChanged, this, otherObjects);
    connect(&models_.objectTable, &vm::ObjectTableModel::tracksChanged, this, otherObjects);
    const auto otherTrack = [this] { refreshItem(itemOf(track_), scene()); };
    connect(&models_.objectTracks, &vm::ObjectTracksViewModel::currentChanged, this, otherTrack);
    connect(&models_.objects, &vm::ObjectsViewModel::activeChanged, this, otherTrack);
    connect(&canvas_.input(), &CanvasInput::clicked, this,
            [this](const QPointF& image, Qt::KeyboardModifiers modifiers) {
                if (!models_.objectTable.listing()) {
                    return;
                }
                const std::uint32_t label = models_.objectTable.labelAt(image);
                vm::ObjectMarks& marks = models_.objectTable.marks();
                if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
                    marks.toggle(label);
                } else {
                    marks.select(std::span(&label, label != 0 ? 1U : 0U));
                }
            });
}

void OverlayLayer::connectContours() {
    using Contours = vm::ContourViewModel;
    connect(&models_.contours.runs(), &vm::ContourRuns::shownChanged, this, [this] {
        if (!refreshItem(itemOf(contours_), scene())) {
            models_.contours.playback().tellDrawn(); // no frame follows, because it is outside of the visible part
        }
    });
    const auto refresh = [this] { refreshItem(itemOf(contours_), scene()); };
    connect(&models_.contours.runs(), &vm::ContourRuns::changed, this, refresh);
    connect(&models_.contours, &Contours::activeChanged, this, refresh);
    connect(&models_.contours, &Contours::tintedChanged, this, refresh);
    const auto otherArea = [this] {
        forbidden_->forgetPicture();
        refreshItem(itemOf(forbidden_), scene());
        refreshItem(itemOf(brush_), scene());
    };
    const vm::ForbiddenArea& area = models_.contours.settings().forbidden();
    connect(&area, &vm::ForbiddenArea::shownChanged, this, otherArea);
    connect(&area, &vm::ForbiddenArea::brushChanged, this, otherArea);
    connect(&models_.contours, &Contours::activeChanged, this, otherArea);
}

void OverlayLayer::connectCrossHair() {
    const auto refresh = [this] { refreshItem(itemOf(crossHair_), scene()); };
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::positionChanged, this, refresh);
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::changed, this, refresh);
    connect(&canvas_.input(), &CanvasInput::clicked, this, [this](const QPointF& image) {
        if (models_.orthogonal.isActive()) {
            models_.orthogonal.moveInPlane(VolumeAxis::z, image);
        }
    });
}

void OverlayLayer::connectChain() {
    const auto otherTree = [this] {
        chooseTree();
        showNodes();
    };
    connect(&models_.chain, &vm::ChainViewModel::activeChanged, this, otherTree);
    connect(&models_.document, &vm::DocumentViewModel::treeChanged, this, otherTree);
    connect(&models_.chain, &vm::ChainViewModel::currentChanged, this, &OverlayLayer::showNodes);
    connect(&canvas_, &Canvas::lightsChanged, this, &OverlayLayer::showNodes);
    connect(&models_.selection, &vm::NodeSelection::extentChanged, this, [this, otherTree] {
        selection_->forgetPicture();
        otherTree();
    });
    connect(&canvas_.input(), &CanvasInput::pointerMoved, this, &OverlayLayer::hover);
    connect(&models_.document, &vm::DocumentViewModel::frameReady, this, &OverlayLayer::hoverAgain);
    connect(&models_.filter.picks(), &vm::PicksModel::minimumAreaChanged, this, &OverlayLayer::hoverAgain);
    connect(&models_.filter.picks(), &vm::PicksModel::pickingChanged, this, [this] {
        const vm::PicksModel& picks = models_.filter.picks();
        models_.chain.letGo();
        models_.chain.setWatched(&picks, picks.isPicking());
    });
    connect(&canvas_.input(), &CanvasInput::pointerLeft, &models_.chain, &vm::ChainViewModel::leave);
    connect(&canvas_.input(), &CanvasInput::clicked, &models_.chain, &vm::ChainViewModel::hold);
}

void OverlayLayer::hover(const QPointF& image) {
    const vm::PicksModel& picks = models_.filter.picks();
    if (picks.isPicking()) {
        models_.chain.hoverNode(picks.nodeAt(image, vm::PicksModel::Fate::removed));
    } else {
        models_.chain.hover(image);
    }
}

void OverlayLayer::hoverAgain() {
    if (models_.filter.picks().isPicking() && pointer_) {
        hover(scene().toImage(*pointer_));
    }
}

void OverlayLayer::chooseTree() {
    const bool wanted = models_.chain.isActive() || models_.selection.count() != 0;
    canvas_.setTree(wanted ? models_.document.tree() : nullptr);
}

bool OverlayLayer::isBelowSelection(const OverlayScene& scene) const { return !objects_->area(scene).isEmpty(); }

bool OverlayLayer::isBelowComponent(const OverlayScene& scene) const {
    return isBelowSelection(scene) || (!selection_->area(scene).isEmpty() && !isLitByCanvas(selection_, scene));
}

bool OverlayLayer::isLitByCanvas(const Overlay* overlay, const OverlayScene& scene) const {
    return (overlay == selection_ && canvas_.selects() && !isBelowSelection(scene)) ||
           (overlay == component_ && canvas_.lights() && !isBelowComponent(scene));
}

void OverlayLayer::showNodes() {
    component_->forgetPicture();
    const OverlayScene present = scene();
    lightNodes(present);
    refreshItem(itemOf(selection_), present);
    refreshItem(itemOf(component_), present);
}

void OverlayLayer::lightNodes(const OverlayScene& scene) {
    const vm::NodeSelection& selection = models_.selection;
    if (selection.count() == 0 || isBelowSelection(scene)) {
        canvas_.select(nullptr, {});
    } else if (const auto extent = selection.extent()) { // otherwise the extent is being computed, and the previous
                                                         // selection stays until then
        const QRgb colour = selectionColour();
        canvas_.select(NodeBitsTexture::Bits(extent, &extent->bits),
                       {qPremultiply(qRgba(qRed(colour), qGreen(colour), qBlue(colour), kSelectionOpacity)), colour});
    }
    canvas_.light(isBelowComponent(scene) ? std::nullopt : models_.chain.node());
}

QRegion OverlayLayer::areaOf(const Item& item, const OverlayScene& scene) const {
    return isLitByCanvas(item.overlay.get(), scene) ? QRegion() : item.overlay->area(scene);
}

OverlayLayer::Item& OverlayLayer::itemOf(const Overlay* overlay) {
    return *std::find_if(items_.begin(), items_.end(),
                         [overlay](const Item& item) { return item.overlay.get() == overlay; });
}

OverlayScene OverlayLayer::scene() const {
    OverlayScene scene;
    const vm::ViewTransform& view = models_.display.view();
    scene.ratio = canvas_.devicePixelRatioF();
    scene.size = QSizeF(canvas_.size());
    scene.scale = view.zoom / scene.ratio;
    const QPointF corner = view.toView({0, 0});
    scene.origin = QPointF(std::round(corner.x()), std::round(corner.y())) / scene.ratio; // rounded like on the canvas
    scene.picture = view.imageSize;
    scene.pointer = pointer_;
    scene.pixelSize = vm::sceneSize(models_.document.imageInfo().get());
    scene.map = models_.map.axes();
    scene.palette = palette();
    scene.font = font();
    return scene;
}

double OverlayLayer::rulerSpace() const {
    return models_.overlays.hasRulers() && models_.document.hasImage() ? kRulerWidth : 0;
}

void OverlayLayer::refresh() {
    const OverlayScene present = scene();
    lightNodes(present);
    for (Item& item : items_) {
        refreshItem(item, present);
    }
}

bool OverlayLayer::refreshItem(Item& item, const OverlayScene& scene) {
    const QRegion area = areaOf(item, scene);
    const QRegion both = area + std::exchange(item.painted, area);
    if (!both.isEmpty()) {
        update(both);
    }
    return both.intersects(rect());
}

void OverlayLayer::movePointer(std::optional<QPointF> pointer) {
    pointer_ = pointer;
    const OverlayScene present = scene();
    for (Item& item : items_) {
        if (item.overlay->followsPointer()) {
            refreshItem(item, present);
        }
    }
}

void OverlayLayer::paintOnto(QPainter& painter, const OverlayScene& scene, bool all) {
    for (const Item& item : items_) {
        // All overlays are painted over the canvas, which may have highlighted nodes already.
        if (all ? !areaOf(item, scene).isEmpty() : item.overlay->isAnnotation()) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            item.overlay->paint(painter, scene);
            painter.restore();
        }
    }
}

void OverlayLayer::paintEvent(QPaintEvent* event) {
    const OverlayScene present = scene();
    QPainter painter(this);
    for (const Item& item : items_) {
        if (!areaOf(item, present).intersects(event->region())) {
            continue;
        }
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        item.overlay->paint(painter, present);
        painter.restore();
    }
}

void OverlayLayer::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        update();
    }
}

bool OverlayLayer::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        setGeometry(canvas_.rect());
        refresh();
        break;
    case QEvent::MouseMove:
        movePointer(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::Leave:
        movePointer(std::nullopt);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pollard::app
