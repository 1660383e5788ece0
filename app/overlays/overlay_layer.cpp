#include "overlays/overlay_layer.hpp"

#include "canvas/canvas.hpp"
#include "overlays/contour_overlay.hpp"
#include "overlays/magnifier_overlay.hpp"
#include "overlays/measure_overlays.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/preview_overlay.hpp"
#include "overlays/region_overlay.hpp"
#include "overlays/tools/contour_tools.hpp"
#include "overlays/tools/image_tools.hpp"
#include "overlays/tools/label_pen.hpp"
#include "overlays/tools/region_tool.hpp"
#include "overlays/tree_overlays.hpp"
#include "shell/models.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/recipe/operator_preview.hpp"

#include <QEvent>
#include <QMouseEvent>
#include <QPaintEvent>

#include <algorithm>
#include <span>
#include <utility>

namespace pollard::app {
namespace {

void paintOverlay(QPainter& painter, Overlay& overlay, const OverlayScene& scene) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    overlay.paint(painter, scene);
    painter.restore();
}

} // namespace

OverlayPane::OverlayPane(Models& models, ImageSurface& surface)
    : QWidget(&surface), models_(models), surface_(surface) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    preview_ = add<PreviewOverlay>(models_.document, models_.display, [this] { refresh(preview_); });
    objects_ = add<ObjectsOverlay>(models_.objects, models_.objectTable, models_.display, &models_.score,
                                   [this] { refresh(objects_); });
    selection_ = add<SelectionOverlay>(models_.document, models_.selection);
    component_ = add<ComponentOverlay>(models_.document, models_.chain);
    ring_ = add<ChainRing>(models_.document, models_.chain);
    connect(&models_.display, &vm::DisplayViewModel::viewChanged, this, [this] { refresh(); });
    connect(&models_.document.pixelSizes(), &vm::DocumentPixelSizes::changed, this, [this] { refresh(); });
    connectTone();
    connectObjects();
    connectNodes();
    surface_.installEventFilter(this);
    setGeometry(surface_.rect());
    chooseTree();
}

OverlayPane::~OverlayPane() = default;

void OverlayPane::connectObjects() {
    const auto otherObjects = [this] {
        models_.objectTable.listing() ? objects_->outdate() : objects_->forgetImage();
        refresh(objects_);
        showNodes();
    };
    connect(&models_.objectTable, &vm::ObjectTableModel::listingChanged, this, [this, otherObjects] {
        if (const std::optional<QRect> part = changedPart()) {
            objects_->outdate(*part);
            refresh(objects_);
            showNodes();
        } else {
            otherObjects();
        }
    });
    connect(&models_.objectTable.marks(), &vm::ObjectMarks::selectionChanged, this, otherObjects);
    connect(&models_.objects, &vm::ObjectsViewModel::opacityChanged, this, otherObjects);
    connect(&models_.objectTable, &vm::ObjectTableModel::tracksChanged, this, otherObjects);
    connect(&models_.score, &vm::ScoreViewModel::settingsChanged, this, otherObjects);
    connect(&models_.score, &vm::ScoreViewModel::changed, this, [this, otherObjects] {
        if (models_.score.coloursErrors()) {
            otherObjects();
        }
    });
    connect(&models_.objects, &vm::ObjectsViewModel::settingsChanged, this, [this, otherObjects] {
        if (models_.objects.regions().way() == vm::FindBy::hierarchy) {
            otherObjects(); // the cut moves before its regions are labelled
        }
    });
}

void OverlayPane::connectTone() {
    using Display = vm::DisplayViewModel;
    for (const auto signal :
         {&Display::windowChanged, &Display::colourMapChanged, &Display::toneCurveChanged, &Display::marksChanged}) {
        connect(&models_.display, signal, this, &OverlayPane::refreshPreview);
    }
}

void OverlayPane::showPreview(const vm::OperatorPreview& preview) {
    preview_->show(&preview);
    connect(&preview, &vm::OperatorPreview::changed, this, &OverlayPane::refreshPreview);
    connect(&preview, &QObject::destroyed, this, [this] {
        preview_->show(nullptr);
        refreshPreview();
    });
}

void OverlayPane::refreshPreview() {
    preview_->outdate();
    refresh(preview_);
}

std::optional<QRect> OverlayPane::changedPart() {
    const auto listing = models_.objectTable.listing();
    const bool isNext = listing && listing->since == listed_;
    listed_ = listing.get();
    const auto [right, down] = axesOf(scene().plane);
    const bool isAlongXY = right == ImageAxis{VolumeAxis::x} && down == ImageAxis{VolumeAxis::y};
    const bool hasOtherColours =
        models_.objectTable.tracks() != nullptr || models_.objects.regions().way() == vm::FindBy::hierarchy;
    if (!isNext || !listing->changed || !isAlongXY || hasOtherColours) {
        return std::nullopt;
    }
    const auto point = [](const Voxel& at) { return QPoint(static_cast<int>(at.x), static_cast<int>(at.y)); };
    return QRect(point(listing->changed->first), point(listing->changed->last));
}

void OverlayPane::connectNodes() {
    const auto otherTree = [this] {
        chooseTree();
        showNodes();
    };
    connect(&models_.chain, &vm::ChainViewModel::activeChanged, this, otherTree);
    connect(&models_.document, &vm::DocumentViewModel::treeChanged, this, otherTree);
    connect(&models_.chain, &vm::ChainViewModel::currentChanged, this, &OverlayPane::showNodes);
    for (const auto signal : {&vm::ChainViewModel::heldChanged, &vm::ChainViewModel::valuesChanged}) {
        connect(&models_.chain, signal, this, [this] { refresh(ring_); });
    }
    connect(&surface_, &ImageSurface::highlightAbilityChanged, this, &OverlayPane::showNodes);
    connect(&models_.selection, &vm::NodeSelection::extentChanged, this, [this, otherTree] {
        selection_->forgetImage();
        otherTree();
    });
}

void OverlayPane::takeImage() {
    preview_->forgetImage();
    selection_->forgetImage();
    component_->forgetImage();
    objects_->forgetImage();
    refresh();
}

void OverlayPane::hover(const QPointF& place, const vm::ShownSlice& shown) {
    const auto tree = models_.document.tree();
    const vm::PicksModel& picks = models_.filter.picks();
    models_.chain.hoverNode(!tree               ? std::nullopt
                            : picks.isPicking() ? picks.nodeAt(place, vm::PicksModel::PickEffect::removed, shown)
                                                : shown.nodeAt(place, *tree));
}

void OverlayPane::click(const QPointF& place, Qt::KeyboardModifiers modifiers, const vm::ShownSlice& shown) {
    if (models_.objectTable.listing()) {
        const std::uint32_t label = models_.objectTable.labelAt(place, shown);
        vm::ObjectMarks& marks = models_.objectTable.marks();
        if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
            marks.toggle(label);
        } else {
            marks.select(std::span(&label, label != 0 ? 1U : 0U));
        }
    }
    const auto tree = models_.document.tree();
    models_.chain.toggleHold(tree ? shown.nodeAt(place, *tree) : std::nullopt);
}

void OverlayPane::chooseTree() {
    const bool wanted = models_.chain.isActive() || models_.selection.count() != 0;
    surface_.setTree(wanted ? models_.document.tree() : nullptr);
}

bool OverlayPane::isBelowSelection(const OverlayScene& scene) const { return !objects_->area(scene).isEmpty(); }

bool OverlayPane::isBelowComponent(const OverlayScene& scene) const {
    return isBelowSelection(scene) || (!selection_->area(scene).isEmpty() && !isLitBySurface(selection_, scene));
}

bool OverlayPane::isLitBySurface(const Overlay* overlay, const OverlayScene& scene) const {
    return (overlay == selection_ && surface_.highlightsSelection() && !isBelowSelection(scene)) ||
           (overlay == component_ && surface_.highlightsComponent() && !isBelowComponent(scene));
}

void OverlayPane::showNodes() {
    component_->forgetImage();
    lightNodes(scene());
    refresh(selection_);
    refresh(component_);
    refresh(ring_);
}

void OverlayPane::lightNodes(const OverlayScene& scene) {
    const vm::NodeSelection& selection = models_.selection;
    if (selection.count() == 0 || isBelowSelection(scene)) {
        surface_.select(nullptr, {});
    } else if (const auto extent = selection.extent()) { // otherwise the extent is being computed, and the previous
                                                         // selection stays until then
        const QRgb colour = selectionColour();
        surface_.select(NodeBitsTexture::Bits(extent, &extent->bits),
                        {qPremultiply(qRgba(qRed(colour), qGreen(colour), qBlue(colour), kSelectionOpacity)), colour});
    }
    surface_.light(isBelowComponent(scene) ? std::nullopt : models_.chain.node());
}

QRegion OverlayPane::areaOf(const Overlay& overlay, const OverlayScene& scene) const {
    return isLitBySurface(&overlay, scene) ? QRegion() : overlay.area(scene);
}

OverlayScene OverlayPane::scene() const {
    const ImagePart part = surface_.part();
    const vm::ShownSlice& shown = surface_.shown();
    OverlayScene scene;
    scene.ratio = surface_.devicePixelRatioF();
    scene.size = QSizeF(surface_.size());
    scene.scale = part.scale / scene.ratio;
    scene.aspect = part.aspect;
    scene.origin = part.origin / scene.ratio;
    if (shown.image) {
        scene.image = QSize(static_cast<int>(shown.image->width()), static_cast<int>(shown.image->height()));
    }
    scene.plane = shown.plane();
    scene.pixelSize = vm::sceneSize(models_.document.imageInfo().get(), scene.plane);
    scene.pointer = pointer_;
    scene.palette = palette();
    scene.font = font();
    return scene;
}

void OverlayPane::refresh() {
    const OverlayScene present = scene();
    lightNodes(present);
    for (Item& item : items_) {
        refreshItem(item, present);
    }
}

bool OverlayPane::refresh(const Overlay* overlay) {
    const auto item = std::ranges::find(items_, overlay, [](const Item& each) { return each.overlay.get(); });
    return refreshItem(*item, scene());
}

bool OverlayPane::refreshItem(Item& item, const OverlayScene& scene) {
    const QRegion area = areaOf(*item.overlay, scene);
    const QRegion both = area + std::exchange(item.painted, area);
    if (!both.isEmpty()) {
        update(both);
    }
    return both.intersects(rect());
}

void OverlayPane::movePointer(std::optional<QPointF> pointer) {
    pointer_ = pointer;
    const OverlayScene present = scene();
    for (Item& item : items_) {
        if (item.overlay->followsPointer()) {
            refreshItem(item, present);
        }
    }
}

void OverlayPane::paintOnto(QPainter& painter, const OverlayScene& scene, bool all) {
    for (const Item& item : items_) {
        // Overlays are painted over the surface, which may have highlighted nodes already.
        if (all ? !areaOf(*item.overlay, scene).isEmpty() : item.overlay->isAnnotation()) {
            paintOverlay(painter, *item.overlay, scene);
        }
    }
}

bool OverlayPane::isUpToDate() const {
    const OverlayScene present = scene();
    return preview_->isUpToDate(present) && objects_->isUpToDate(present);
}

void OverlayPane::paintEvent(QPaintEvent* event) {
    OverlayScene present = scene();
    present.mayLag = true;
    const bool wasUpToDate = isUpToDate();
    QPainter painter(this);
    for (const Item& item : items_) {
        if (areaOf(*item.overlay, present).intersects(event->region())) {
            paintOverlay(painter, *item.overlay, present);
        }
    }
    if (!wasUpToDate && isUpToDate()) {
        QMetaObject::invokeMethod(this, &OverlayPane::caughtUp, Qt::QueuedConnection);
    }
}

void OverlayPane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        update();
    }
}

bool OverlayPane::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        setGeometry(surface_.rect());
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

OverlayLayer::OverlayLayer(Models& models, Canvas& canvas)
    : OverlayPane(models, canvas), models_(models), canvas_(canvas) {
    setObjectName(QStringLiteral("overlayLayer"));
    const auto present = [this] { return scene(); };
    track_ = add<TrackOverlay>(models_.document, models_.objects, models_.objectTracks);
    marks_ = add<MarksOverlay>(models_.objects, present);
    pen_ = add<LabelPen>(LabelPen::Subjects{models_.labelEdits, models_.objectTable, models_.chain, models_.document},
                         present, [this] { refresh(pen_); });
    regions_ = add<RegionOverlay>(models_.region);
    forbidden_ = add<ForbiddenOverlay>(models_.contours);
    contours_ = add<ContourOverlay>(models_.contours);
    crossHair_ = add<CrossHairOverlay>(models_.orthogonal);
    add<PixelGridOverlay>(models_.overlays);
    add<RulerOverlay>(models_.overlays);
    add<ScaleBarOverlay>(models_.overlays);
    add<PatientOverlay>(models_.overlays, models_.document);
    minimap_ = add<MinimapOverlay>(models_.overlays, models_.display, models_.document, present);
    brush_ = add<BrushOverlay>(models_.contours);
    scaleLine_ = add<ScaleLineOverlay>(models_.pixelSize);
    auto* const stains = add<StainOverlay>(models_.stains, present);
    connect(&models_.stains, &vm::StainPicks::areasChanged, this, [this, stains] { refresh(stains); });
    add<MagnifierOverlay>(models_.overlays, models_.display, models_.document);
    tool_ = new RegionTool(models_.region, present, this);
    picker_ = std::make_unique<PickTool>(models_.filter.picks(), present,
                                         [this]() -> const vm::ShownSlice& { return models_.document.shown(); });
    canvas_.input().addToolAboveSplit(*minimap_);
    scaleLiner_ = std::make_unique<ScaleLineTool>(models_.pixelSize, present);
    canvas_.input().addTool(*scaleLiner_);
    canvas_.input().addTool(*stains);
    canvas_.input().addTool(*marks_);
    canvas_.input().addTool(*pen_);
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
}

OverlayLayer::~OverlayLayer() = default;

void OverlayLayer::connectModels() {
    using Display = vm::DisplayViewModel;
    using Document = vm::DocumentViewModel;
    const auto refreshAll = [this] { refresh(); };
    connect(&models_.overlays, &vm::OverlaysViewModel::changed, this, refreshAll);
    const auto otherColours = [this] {
        minimap_->forgetImage();
        refresh();
    };
    connect(&models_.document, &Document::imageChanged, this, otherColours);
    connect(&models_.document, &Document::sliceChanged, this, otherColours);
    connect(&models_.document, &Document::sliceChanged, this, [this] {
        takeImage();
        if (pointer()) {
            hover(scene().toImage(*pointer()));
        }
    });
    connect(&models_.map, &vm::ImageMap::changed, this, refreshAll);
    connect(&models_.pixelSize, &vm::PixelSizeViewModel::lineChanged, this, [this] { refresh(scaleLine_); });
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
        connect(&models_.display.compare(), signal, this, [this] { movePointer(pointer()); });
    }
    for (const auto signal : {&Display::splitChanged, &Display::imageChanged}) {
        connect(&models_.display, signal, this, [this] { movePointer(pointer()); });
    }
    for (const auto signal : {&Document::frameReady, &Document::resultFetched}) {
        connect(&models_.document, signal, this, [this] { movePointer(pointer()); });
    }
    using Region = vm::RegionViewModel;
    const auto otherShapes = [this] {
        regions_->forgetShapes();
        regions_->setKeyPoint(tool_->keyPoint());
        refresh(regions_);
    };
    connect(&models_.region, &Region::changed, this, otherShapes);
    connect(&models_.region, &Region::toolChanged, this, otherShapes);
    connect(tool_, &RegionTool::keyPointMoved, this, otherShapes);
}

void OverlayLayer::connectObjects() {
    const auto otherTrack = [this] { refresh(track_); };
    connect(&models_.objectTracks, &vm::ObjectTracksViewModel::currentChanged, this, otherTrack);
    connect(&models_.objects, &vm::ObjectsViewModel::activeChanged, this, otherTrack);
    using Edits = vm::LabelEditViewModel;
    for (const auto signal : {&Edits::pathChanged, &Edits::toolChanged}) {
        connect(&models_.labelEdits, signal, this, [this] { refresh(pen_); });
    }
    connect(&models_.labelEdits, &Edits::toolChanged, this, [this] {
        models_.chain.setWatched(&models_.labelEdits, models_.labelEdits.tool() == vm::LabelTool::take);
    });
    for (const auto signal : {&vm::ObjectsViewModel::settingsChanged, &vm::ObjectsViewModel::activeChanged}) {
        connect(&models_.objects, signal, this, [this] { refresh(marks_); });
    }
    connect(&models_.objects.learning(), &vm::BestLearning::changed, this, [this] { refresh(marks_); });
}

void OverlayLayer::connectContours() {
    using Contours = vm::ContourViewModel;
    connect(&models_.contours.runs(), &vm::ContourRuns::shownChanged, this, [this] {
        if (!refresh(contours_)) {
            models_.contours.playback().reportDrawn(); // no frame follows, because it is outside of the visible part
        }
    });
    const auto otherContours = [this] { refresh(contours_); };
    connect(&models_.contours.runs(), &vm::ContourRuns::changed, this, otherContours);
    connect(&models_.contours, &Contours::activeChanged, this, otherContours);
    connect(&models_.contours, &Contours::tintedChanged, this, otherContours);
    const auto otherArea = [this] {
        forbidden_->forgetImage();
        refresh(forbidden_);
        refresh(brush_);
    };
    const vm::ForbiddenArea& area = models_.contours.settings().forbidden();
    connect(&area, &vm::ForbiddenArea::shownChanged, this, otherArea);
    connect(&area, &vm::ForbiddenArea::brushChanged, this, otherArea);
    connect(&models_.contours, &Contours::activeChanged, this, otherArea);
}

void OverlayLayer::connectCrossHair() {
    const auto moveLines = [this] { refresh(crossHair_); };
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::positionChanged, this, moveLines);
    connect(&models_.orthogonal, &vm::OrthogonalViewModel::changed, this, moveLines);
    connect(&canvas_.input(), &CanvasInput::clicked, this, [this](const QPointF& image) {
        if (models_.orthogonal.isActive()) {
            models_.orthogonal.moveInPlane(VolumeAxis::z, image);
        }
    });
}

void OverlayLayer::connectChain() {
    connect(&canvas_.input(), &CanvasInput::pointerMoved, this, &OverlayLayer::hover);
    connect(&models_.document, &vm::DocumentViewModel::frameReady, this, &OverlayLayer::hoverAgain);
    connect(&models_.filter.picks(), &vm::PicksModel::minimumAreaChanged, this, &OverlayLayer::hoverAgain);
    connect(&models_.filter.picks(), &vm::PicksModel::pickingChanged, this, [this] {
        const vm::PicksModel& picks = models_.filter.picks();
        models_.chain.letGo();
        models_.chain.setWatched(&picks, picks.isPicking());
    });
    connect(&canvas_.input(), &CanvasInput::pointerLeft, &models_.chain, &vm::ChainViewModel::leave);
    connect(&canvas_.input(), &CanvasInput::clicked, this,
            [this](const QPointF& image, Qt::KeyboardModifiers modifiers) {
                click(image, modifiers, models_.document.shown());
            });
}

void OverlayLayer::hover(const QPointF& image) { OverlayPane::hover(image, models_.document.shown()); }

void OverlayLayer::hoverAgain() {
    if (models_.filter.picks().isPicking() && pointer()) {
        hover(scene().toImage(*pointer()));
    }
}

OverlayScene OverlayLayer::scene() const {
    OverlayScene scene = OverlayPane::scene();
    scene.image = models_.display.view().imageSize;
    scene.map = models_.map.axes();
    return scene;
}

double OverlayLayer::rulerSpace() const {
    return models_.overlays.hasRulers() && models_.document.hasImage() ? kRulerWidth : 0;
}

} // namespace pollard::app
