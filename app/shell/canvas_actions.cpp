#include "shell/canvas_actions.hpp"

#include "theme/icons.hpp"
#include "widgets/couple.hpp"

namespace pollard::app {

QAction* makeAction(const ActionText& what, QObject* parent) {
    auto* action = new QAction(what.text, parent);
    action->setObjectName(what.objectName);
    if (!what.icon.isEmpty()) {
        action->setIcon(themedIcon(what.icon));
    }
    action->setShortcuts(what.shortcuts);
    const QString key =
        what.shortcuts.isEmpty() ? QString() : what.shortcuts.front().toString(QKeySequence::NativeText);
    action->setToolTip(key.isEmpty() ? what.toolTip : QStringLiteral("%1 (%2)").arg(what.toolTip, key));
    action->setStatusTip(what.toolTip);
    action->setWhatsThis(what.toolTip);
    if (what.checkable) {
        action->setCheckable(true);
        action->setIconVisibleInMenu(false); // the menu shows a check mark instead
    }
    return action;
}

using Document = vm::DocumentViewModel;
using Overlays = vm::OverlaysViewModel;
using Region = vm::RegionViewModel;

CanvasActions::CanvasActions(Models& models, QObject* parent) : QObject(parent), models_(models) {
    copyView = make({QStringLiteral("copyView"),
                     tr("&Copy view"),
                     tr("Copy the visible image with its overlays to the clipboard"),
                     {},
                     {QKeySequence(QKeySequence::Copy)}});
    exportView = make({QStringLiteral("exportView"),
                       tr("E&xport view…"),
                       tr("Save the view or the whole image in its colours as PNG or TIFF"),
                       {},
                       {QKeySequence(Qt::CTRL | Qt::Key_E)}});
    makeOverlays();
    makeTools();
    makeRegion();
    connectModels();
    follow(this, &CanvasActions::showState, models.document, &Document::hasImageChanged);
}

QAction* CanvasActions::make(const ActionText& what) {
    QAction* action = makeAction(what, this);
    all_.push_back(action);
    return action;
}

void CanvasActions::makeOverlays() {
    overlays = new QActionGroup(this);
    overlays->setExclusive(false);
    const auto add = [this](Overlays::Overlay overlay, const ActionText& what) {
        QAction* action = make(what);
        action->setData(static_cast<int>(overlay));
        overlays->addAction(action);
    };
    using Overlay = Overlays::Overlay;
    add(Overlay::scaleBar, {QStringLiteral("scaleBar"),
                            tr("&Scale bar"),
                            tr("Show a bar of a round length in the scene, or in px"),
                            {},
                            {QKeySequence(Qt::SHIFT | Qt::Key_S)},
                            true});
    add(Overlay::rulers, {QStringLiteral("rulers"),
                          tr("&Rulers"),
                          tr("Show rulers at the top and at the left"),
                          {},
                          {QKeySequence(Qt::SHIFT | Qt::Key_R)},
                          true});
    add(Overlay::minimap, {QStringLiteral("minimap"),
                           tr("&Minimap"),
                           tr("Show the whole image in a corner while only a part is visible"),
                           {},
                           {QKeySequence(Qt::SHIFT | Qt::Key_M)},
                           true});
    add(Overlay::magnifier, {QStringLiteral("magnifier"),
                             tr("Ma&gnifier"),
                             tr("Show the pixels around the pointer in a loupe, with the level in the middle"),
                             {},
                             {QKeySequence(Qt::Key_M)},
                             true});
    add(Overlay::pixelGrid, {QStringLiteral("pixelGrid"),
                             tr("&Pixel grid"),
                             tr("Show lines between pixels that are 16 px or larger on the screen"),
                             {},
                             {QKeySequence(Qt::SHIFT | Qt::Key_G)},
                             true});
    add(Overlay::objects,
        {QStringLiteral("objectsEverywhere"),
         tr("&Objects in every workspace"),
         tr("Show the colours of the objects even if the Objects panel is not in front, over contours and components"),
         {},
         {},
         true});
    add(Overlay::patient, {QStringLiteral("patientLetters"),
                           tr("Patient &directions"),
                           tr("Show right, left, anterior, posterior, superior and inferior at the edges of the views, "
                              "where the file states them"),
                           {},
                           {},
                           true});
    connect(overlays, &QActionGroup::triggered, this, [this](QAction* action) {
        models_.overlays.setShown(static_cast<Overlay>(action->data().toInt()), action->isChecked());
    });
    rulersInPixels = make({QStringLiteral("rulersInPixels"),
                           tr("Rulers in p&ixels"),
                           tr("Show px on the rulers even where the size of a pixel is known"),
                           {},
                           {},
                           true});
    couple(rulersInPixels, models_.overlays, &Overlays::areRulersInPixels, &Overlays::setRulersInPixels,
           &Overlays::changed);
}

void CanvasActions::makeTools() {
    tools = new QActionGroup(this);
    const auto add = [this](Region::Tool tool, const ActionText& what) {
        QAction* action = make(what);
        action->setData(static_cast<int>(tool));
        tools->addAction(action);
    };
    add(Region::Tool::hand, {QStringLiteral("handTool"),
                             tr("&Hand"),
                             tr("Move the image by dragging"),
                             QStringLiteral("hand"),
                             {QKeySequence(Qt::Key_V)},
                             true});
    add(Region::Tool::rectangle, {QStringLiteral("rectangleTool"),
                                  tr("Draw a &rectangle"),
                                  tr("Draw a rectangle that the analysis is restricted to; Shift makes a square"),
                                  QStringLiteral("region_rectangle"),
                                  {QKeySequence(Qt::Key_R)},
                                  true});
    add(Region::Tool::ellipse, {QStringLiteral("ellipseTool"),
                                tr("Draw an e&llipse"),
                                tr("Draw an ellipse that the analysis is restricted to; Shift makes a circle"),
                                QStringLiteral("region_ellipse"),
                                {QKeySequence(Qt::Key_E)},
                                true});
    add(Region::Tool::polygon,
        {QStringLiteral("polygonTool"),
         tr("Draw a &polygon"),
         tr("Click the corners of a polygon that the analysis is restricted to; Enter or a double-click closes it"),
         QStringLiteral("region_polygon"),
         {QKeySequence(Qt::Key_P)},
         true});
    pickComponent = make({QStringLiteral("pickComponent"),
                          tr("Pic&k components"),
                          tr("Remove components by clicking on them; with Shift they are kept"),
                          QStringLiteral("pick_component"),
                          {QKeySequence(Qt::Key_C)},
                          true});
    measureScale =
        make({QStringLiteral("measureScale"),
              tr("Pixel si&ze from a scale bar…"),
              tr("Set the size of a pixel by a line over an object of known length; Shift keeps it straight"),
              {},
              {},
              true});
    connect(tools, &QActionGroup::triggered, this, [this](QAction* action) {
        models_.filter.picks().setPicking(false);
        models_.pixelSize.setMeasuring(false);
        models_.region.setTool(static_cast<Region::Tool>(action->data().toInt()));
        showState(); // the tool of the region may be unchanged
    });
    using Picks = vm::PicksModel;
    using Size = vm::PixelSizeViewModel;
    couple(pickComponent, models_.filter.picks(), &Picks::isPicking, &Picks::setPicking, &Picks::pickingChanged);
    couple(measureScale, models_.pixelSize, &Size::isMeasuring, &Size::setMeasuring, &Size::measuringChanged);
}

void CanvasActions::makeRegion() {
    Region& region = models_.region;
    removeShape = make({QStringLiteral("removeShape"),
                        tr("&Delete shape"),
                        tr("Delete the selected shape"),
                        QStringLiteral("delete"),
                        {QKeySequence(Qt::Key_Delete)}});
    clearShapes = make({QStringLiteral("clearShapes"),
                        tr("&Clear region"),
                        tr("Delete all shapes: the whole image is analysed"),
                        {},
                        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}});
    selectAll = make({QStringLiteral("selectAll"),
                      tr("&Whole image"),
                      tr("One rectangle around the whole image, for resizing"),
                      {},
                      {}});
    selectNext = make({QStringLiteral("selectNextShape"),
                       tr("Select &next shape"),
                       tr("Select the next shape of the region"),
                       {},
                       {QKeySequence(Qt::Key_N)}});
    invert = make({QStringLiteral("invertRegion"),
                   tr("Analyse the &outside"),
                   tr("Analyse the pixels outside the shapes"),
                   {},
                   {QKeySequence(Qt::CTRL | Qt::Key_I)},
                   true});
    loadRegion =
        make({QStringLiteral("loadRegion"),
              tr("Load re&gion…"),
              tr("Replace the shapes by the polygons of a GeoJSON or vector file, in px of the image or on the map"),
              {},
              {}});
    saveRegion = make({QStringLiteral("saveRegion"),
                       tr("&Save region…"),
                       tr("Save the shapes as GeoJSON, in longitude and latitude if the image has a map, else in px"),
                       {},
                       {}});
    crop = make({QStringLiteral("crop"),
                 tr("Crop &to region"),
                 tr("Open only the part of the file around the selected shape, or around all shapes"),
                 QStringLiteral("crop"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X)}});
    uncrop = make({QStringLiteral("uncrop"),
                   tr("Open &all of the page again"),
                   tr("Open the whole page again after a crop"),
                   {},
                   {}});
    connect(removeShape, &QAction::triggered, &region, &Region::removeSelected);
    connect(clearShapes, &QAction::triggered, &region, &Region::clear);
    connect(selectAll, &QAction::triggered, &region, &Region::selectAll);
    connect(selectNext, &QAction::triggered, &region, &Region::selectNext);
    couple(invert, region, &Region::isInverted, &Region::setInverted, &Region::changed);
    connect(crop, &QAction::triggered, &region, &Region::cropToBounds);
    connect(uncrop, &QAction::triggered, this, [this] { models_.document.reading().setReadRegion(std::nullopt); });
}

void CanvasActions::connectModels() {
    connect(&models_.overlays, &Overlays::changed, this, &CanvasActions::showState);
    connect(&models_.region, &Region::changed, this, &CanvasActions::showState);
    // One tool at a time.
    connect(&models_.region, &Region::toolChanged, this, [this] {
        if (models_.region.tool() != Region::Tool::hand) {
            models_.filter.picks().setPicking(false);
            models_.pixelSize.setMeasuring(false);
        }
        showState();
    });
    connect(&models_.filter.picks(), &vm::PicksModel::pickingChanged, this, [this] {
        if (models_.filter.picks().isPicking()) {
            models_.region.setTool(Region::Tool::hand);
            models_.pixelSize.setMeasuring(false);
        }
        showState();
    });
    connect(&models_.pixelSize, &vm::PixelSizeViewModel::measuringChanged, this, [this] {
        if (models_.pixelSize.isMeasuring()) {
            models_.region.setTool(Region::Tool::hand);
            models_.filter.picks().setPicking(false);
        }
        showState();
    });
}

void CanvasActions::showState() {
    const Region& region = models_.region;
    const bool image = models_.document.hasImage();
    const bool picking = models_.filter.picks().isPicking();
    const bool measuring = models_.pixelSize.isMeasuring();
    for (QAction* action : all_) {
        action->setEnabled(image);
    }
    for (QAction* action : overlays->actions()) {
        action->setEnabled(true); // available without an open file
        action->setChecked(models_.overlays.isShown(static_cast<Overlays::Overlay>(action->data().toInt())));
    }
    rulersInPixels->setEnabled(true);
    for (QAction* action : tools->actions()) {
        action->setChecked(!picking && !measuring && !region.isDrawingOnce() &&
                           action->data().toInt() == static_cast<int>(region.tool()));
    }
    removeShape->setEnabled(region.selected() >= 0);
    clearShapes->setEnabled(region.count() > 0);
    selectNext->setEnabled(region.count() > 0);
    invert->setEnabled(region.count() > 0);
    saveRegion->setEnabled(region.count() > 0);
    crop->setEnabled(region.bounds().has_value());
    uncrop->setEnabled(image && models_.document.request().region.has_value());
}

} // namespace pollard::app
