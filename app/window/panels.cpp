#include "window/panels.hpp"

#include "docks/charts/contour_charts.hpp"
#include "docks/charts/level_charts.hpp"
#include "docks/charts/profile_strip.hpp"
#include "docks/contour/contour_panel.hpp"
#include "docks/display_panel.hpp"
#include "docks/filter/criterion_controls.hpp"
#include "docks/filter/filter_panel.hpp"
#include "docks/filter/learn_controls.hpp"
#include "docks/filter/rule_grid.hpp"
#include "docks/image_panel.hpp"
#include "docks/objects/objects_chart_panel.hpp"
#include "docks/objects/objects_panel.hpp"
#include "docks/orthogonal_panel.hpp"
#include "docks/recipe_panel.hpp"
#include "docks/region_panel.hpp"
#include "docks/rendering_panel.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "docks/tree/chain_panel.hpp"
#include "docks/tree/icicle_panel.hpp"
#include "docks/tree/icicle_view.hpp"
#include "docks/tree/inspector_panel.hpp"
#include "docks/tree/selection_panel.hpp"
#include "docks/tree/spectrum_panel.hpp"
#include "image/image.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "tree/node_set.hpp"
#include "vm/filter/learn_view_model.hpp"
#include "vm/objects/object_regions.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/chart_tables.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/result_steps.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "vm/tree/rules_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/files/data_menu.hpp"
#include "window/menus/help_menu.hpp"
#include "window/panel_dock.hpp"
#include "window/volume_views.hpp"
#include "window/workspaces.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLayout>
#include <QList>
#include <QMainWindow>
#include <QPointF>
#include <QRectF>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

/// The parts that a new panel uses; all must outlive the panel.
struct PanelPlace {
    QMainWindow& window;
    Models& models;
    CanvasActions& actions;
    ErrorPresenter& errors;
    QDockWidget& dock;
};

constexpr std::size_t kMostRemovedPicks = 5000; ///< limit for one operation, which the filter's list can still show

QString panelsText(const char* source) { return QCoreApplication::translate("Panels", source); }

QScrollArea* scrolled(QWidget* panel) {
    auto* scroll = new QScrollArea;
    scroll->setWidget(panel);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

/// Computes an analysis while its dock is visible. Uses visibilityChanged of the dock, because a widget behind another
/// tab gets no hide event.
void computeWhileSeen(const PanelPlace& place, vm::Analysis* analysis) {
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, analysis, &vm::Analysis::setActive);
}

/// Computes an analysis while its dock or the workspace of volumes is visible.
void computeWhileShown(const PanelPlace& place, vm::Analysis& analysis) {
    const auto* views = place.window.findChild<VolumeViews*>();
    const auto isSeen = std::make_shared<bool>(false);
    const auto update = [&analysis, views, isSeen] {
        analysis.setActive(*isSeen || (views != nullptr && views->showsAll()));
    };
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, &analysis, [isSeen, update](bool seen) {
        *isSeen = seen;
        update();
    });
    if (views != nullptr) {
        QObject::connect(views, &VolumeViews::shownChanged, &analysis, update);
    }
}

/// Updates the layouts, which keep the minimum sizes of hidden widgets: the dock would stay as wide as the previous
/// arrangement needs.
void forgetSizes(QWidget& panel, const QDockWidget& dock) {
    QList<QWidget*> all = panel.findChildren<QWidget*>();
    for (QWidget* each = &panel; each != nullptr && each != dock.parentWidget(); each = each->parentWidget()) {
        all << each;
    }
    for (QWidget* each : all) {
        if (QLayout* layout = each->layout()) {
            layout->invalidate();
        }
        each->updateGeometry();
    }
}

/// Stacks the parts of a panel at the sides of the window.
template <class Panel> void followSide(const PanelPlace& place, Panel* panel) {
    QObject::connect(&place.dock, &QDockWidget::dockLocationChanged, panel,
                     [panel, dock = &place.dock](Qt::DockWidgetArea area) {
                         panel->setTall(area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea);
                         forgetSizes(*panel, *dock);
                     });
}

template <class Chart, class Model>
void addDataMenu(const PanelPlace& place, const QWidget& panel, const char* ending, const Model& model) {
    new DataMenu(
        *panel.findChild<Chart*>(), QLatin1String(ending), [&model] { return vm::tableOf(model); }, place.models,
        place.errors);
}

void watchChain(const PanelPlace& place) {
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, &place.models.chain,
                     [&chain = place.models.chain, dock = &place.dock](bool seen) { chain.setWatched(dock, seen); });
}

/// Says above a panel of the tree that regions of a hierarchy are no components, while they are shown.
QWidget* ofTree(const PanelPlace& place, QWidget* panel) {
    auto* content = new QWidget;
    auto* notice = new CaptionLabel(panelsText(
        "The regions of the hierarchy are no components: this panel shows the components of the image's tree."));
    notice->setObjectName(QStringLiteral("treeNotice"));
    notice->setWordWrap(true);
    notice->setMargin(kPanelSpacing);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(notice);
    layout->addWidget(panel, 1);
    const vm::ObjectsViewModel& objects = place.models.objects;
    const auto show = [notice, &objects] {
        notice->setVisible(objects.isActive() && objects.regions().way() == vm::FindBy::hierarchy);
    };
    QObject::connect(&objects, &vm::ObjectsViewModel::settingsChanged, notice, show);
    QObject::connect(&objects, &vm::ObjectsViewModel::activeChanged, notice, show);
    show();
    return content;
}

/// Shows a panel in its workspace.
void goToPanel(QMainWindow& window, const QString& panel) {
    window.findChild<Workspaces*>()->showWorkspaceOf(panel);
    showPanel(window, panel);
}

/// Refines a component, given by its canonical pixel.
auto startContour(const PanelPlace& place) {
    return [&window = place.window, &contours = place.models.contours](quint32 canonical) {
        contours.startFromComponent(canonical);
        goToPanel(window, QStringLiteral("contour"));
    };
}

/// Holds the chain of the pixel in the middle of the view.
auto holdMiddle(const PanelPlace& place) {
    return [&models = place.models] { models.chain.hold(models.display.view().centre); };
}

/// Moves the slice and the view to a pixel if they show another place.
void showPixel(Models& models, const Voxel& at) {
    models.orthogonal.setPosition(at);
    const QPointF pixel(at.x + 0.5, at.y + 0.5);
    const vm::ViewTransform& view = models.display.view();
    if (!QRectF(QPointF(), view.viewSize).contains(view.toView(pixel))) {
        models.display.setCentre(pixel);
    }
}

/// Highlights a component and shows one of its pixels.
auto showComponent(const PanelPlace& place) {
    return [&models = place.models](std::uint32_t node) {
        models.chain.holdNode(node);
        if (const auto tree = models.document.tree()) {
            showPixel(models, voxelAt(tree->canonical[node], tree->extent()));
        }
    };
}

QWidget* makeImage(const PanelPlace& place) { return new ScrolledControls(new ImagePanel(place.models)); }

QWidget* makeDisplay(const PanelPlace& place) {
    Models& models = place.models;
    auto* panel = new DisplayPanel(models.document, models.display, models.histogram);
    addDataMenu<HistogramView>(place, *panel, "_histogram", models.histogram);
    return new ScrolledControls(panel);
}

QWidget* makeFilter(const PanelPlace& place) {
    auto* panel = new FilterPanel(place.models.filter, place.models.document, place.models.earlier);
    addDataMenu<AttributeHistogramView>(place, *panel, "_attribute",
                                        panel->findChild<AttributeHistogramView*>()->model());
    vm::LearnViewModel& learn = panel->findChild<LearnControls*>()->model();
    vm::ChainViewModel& chain = place.models.chain;
    QObject::connect(&learn, &vm::LearnViewModel::changed, &chain,
                     [&learn, &chain] { chain.setWatched(&learn, learn.isActive()); });
    QObject::connect(&learn, &vm::LearnViewModel::askedAbout, &chain, showComponent(place));
    return new ScrolledControls(panel);
}

QWidget* makeRegion(const PanelPlace& place) {
    vm::RegionViewModel& region = place.models.region;
    QObject::connect(&region, &vm::RegionViewModel::toolChanged, &place.dock, [&region, &dock = place.dock] {
        if (region.tool() != vm::RegionViewModel::Tool::hand && !region.isDrawingOnce()) {
            dock.raise();
        }
    });
    return new ScrolledControls(new RegionPanel(region, place.actions));
}

QWidget* makeSpectrum(const PanelPlace& place) {
    auto* spectrum = new vm::SpectrumViewModel(place.models.document, place.models.filter, &place.window);
    computeWhileSeen(place, spectrum);
    auto* panel = new SpectrumPanel(*spectrum, place.models.filter);
    addDataMenu<SpectrumChart>(place, *panel, "_spectrum", *spectrum);
    return panel;
}

QWidget* makeProfile(const PanelPlace& place) {
    auto* profile = new vm::ProfileViewModel(place.models.document, place.models.filter, &place.window);
    computeWhileSeen(place, profile);
    return new ProfileStrip(*profile, place.models.display);
}

QWidget* makeRules(const PanelPlace& place) {
    auto* rules = new vm::RulesViewModel(place.models.document, place.models.filter, &place.window);
    computeWhileSeen(place, rules);
    return new RuleGrid(*rules, place.models.filter, place.models.display);
}

QWidget* makeOrthogonal(const PanelPlace& place) {
    Models& models = place.models;
    computeWhileShown(place, models.orthogonal);
    watchChain(place);
    auto* panel = new OrthogonalPanel(models);
    followSide(place, panel);
    return panel;
}

QWidget* makeRendering(const PanelPlace& place) {
    Models& models = place.models;
    computeWhileShown(place, models.rendering);
    watchChain(place);
    auto* panel = new RenderingPanel(
        {models.document, models.display, models.chain, models.orthogonal, models.rendering}, models.histogram);
    if (const auto* views = place.window.findChild<VolumeViews*>()) {
        QObject::connect(views, &VolumeViews::shownChanged, panel,
                         [views, panel, &models, &errors = place.errors, hasMenu = false]() mutable {
                             panel->setViewElsewhere(views->showsAll());
                             if (!std::exchange(hasMenu, true)) {
                                 new DataMenu(*views->findChild<RenderingView*>(), QStringLiteral("_3d"), nullptr,
                                              models, errors);
                             }
                         });
    }
    new DataMenu(*panel->findChild<RenderingView*>(), QStringLiteral("_3d"), nullptr, models, place.errors);
    return panel;
}

QWidget* makeObjects(const PanelPlace& place) {
    QMainWindow& window = place.window;
    Models& models = place.models;
    auto* panel = new ObjectsPanel(models.objects, models.objectTable, models.objectExport, models.objectTracks,
                                   models.labelEdits, models.score, models.display, models.history);
    followSide(place, panel);
    const auto find = [&models, &window](bool seen) {
        if (seen || !window.isMinimized()) { // a minimised window keeps its objects
            models.objects.setActive(seen || models.overlays.hasObjects());
        }
    };
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, panel, find);
    QObject::connect(&models.overlays, &vm::OverlaysViewModel::changed, panel, [find, panel] { find(isSeen(*panel)); });
    QObject::connect(panel, &ObjectsPanel::refineRequested, &window, [&window, &models] {
        const vm::ChosenObjects chosen = models.objectTable.marks().chosen();
        models.contours.startFromObjects(chosen.found, chosen.labels);
        goToPanel(window, QStringLiteral("contour"));
    });
    QObject::connect(&models.objects.learning(), &vm::BestLearning::askedAbout, panel, [&models](const BestMark& mark) {
        showPixel(models, {mark.x, mark.y, mark.z});
    });
    QObject::connect(panel, &ObjectsPanel::helpRequested, &window,
                     [&window, &models](const QString& page) { showHelp(window, models, page); });
    addDataMenu<ObjectChartView>(place, *panel, "_objects_chart", panel->findChild<ObjectsChartPanel*>()->model());
    return panel;
}

QWidget* makeContour(const PanelPlace& place) {
    auto* panel = new ContourPanel(place.models);
    followSide(place, panel);
    addDataMenu<ContourChart>(place, *panel, "_energy", place.models.contours);
    addDataMenu<ContourSeriesChart>(place, *panel, "_pages", panel->findChild<ContourSeriesChart*>()->model());
    return panel;
}

QWidget* makeChain(const PanelPlace& place) {
    Models& models = place.models;
    auto* panel = new ChainPanel(models.chain);
    followSide(place, panel);
    QObject::connect(panel, &ChainPanel::refineRequested, &place.window, startContour(place));
    QObject::connect(panel, &ChainPanel::middleRequested, &place.models.chain, holdMiddle(place));
    watchChain(place);
    addDataMenu<ChainChart>(place, *panel, "_chain", models.chain);
    return ofTree(place, panel);
}

QWidget* makeTree(const PanelPlace& place) {
    Models& models = place.models;
    auto* icicle = new vm::IcicleViewModel(models.document, models.filter, models.chain, &place.window);
    computeWhileSeen(place, icicle);
    auto* panel = new IciclePanel(*icicle, models.chain);
    new DataMenu(*panel->findChild<IcicleView*>(), QStringLiteral("_icicle"), nullptr, models, place.errors);
    const auto move = [&models, panel] { panel->setMoving(!models.settings.hasReducedMotion()); };
    QObject::connect(&models.settings, &vm::SettingsViewModel::reducedMotionChanged, panel, move);
    move();
    QObject::connect(&models.selection, &vm::NodeSelection::extentChanged, icicle,
                     [selection = &models.selection, icicle] {
                         const auto extent = selection->extent();
                         if (extent || selection->count() == 0) { // else the previous marks stay until it is computed
                             icicle->setSelected(extent ? vm::NodeFlags(extent, &extent->flags) : nullptr);
                         }
                     });
    return ofTree(place, panel);
}

QWidget* makePlane(const PanelPlace& place) {
    Models& models = place.models;
    auto* plane = new vm::AttributePlaneViewModel(models.document, models.filter, models.chain, &place.window);
    QObject::connect(
        plane, &vm::AttributePlaneViewModel::nodesChosen, &models.selection,
        [&models](const std::shared_ptr<const NodeSet>& nodes) { models.selection.select(nodes, SetChange::replace); });
    QObject::connect(&models.selection, &vm::NodeSelection::changed, plane,
                     [&models, plane] { plane->setSelected(models.selection.nodes()); });
    computeWhileSeen(place, plane);
    watchChain(place);
    auto* panel = new AttributePlanePanel(*plane);
    addDataMenu<AttributePlaneView>(place, *panel, "_plane", *plane);
    return ofTree(place, panel);
}

void saveNodes(QMainWindow& window, Models& models, vm::NodeFile file, const NodeSet& nodes) {
    const bool mask = file == vm::NodeFile::mask;
    const QString path = askWhereToSave(window, models,
                                        {panelsText("Save the components"),
                                         mask ? panelsText("Mask (*.tif *.tiff)") : panelsText("Table (*.csv)"),
                                         QStringLiteral("_components"), vm::suffixOf(file)});
    if (!path.isEmpty()) {
        models.nodeExport.save(file, nodes, path);
    }
}

/// Adds the topmost selected components to the components removed by hand.
void removeSelection(QMainWindow& window, Models& models) {
    const auto tree = models.document.tree();
    const auto components = maximalComponents(*tree, *models.selection.nodes());
    vm::PicksModel& picks = models.filter.picks();
    std::vector<std::uint32_t> removed = picks.removed();
    if (removed.size() + components.size() > kMostRemovedPicks) {
        showNotice(window,
                   panelsText("Not removed: at most %1 components can be removed by hand").arg(kMostRemovedPicks));
        return;
    }
    for (const NodeInterval& component : components) {
        if (component.first != 0) {
            removed.push_back(tree->canonical[component.first]);
        }
    }
    picks.assign(makeNodeSet(std::move(removed)), picks.kept(), picks.only());
}

QWidget* makeComponent(const PanelPlace& place) {
    QMainWindow& window = place.window;
    Models& models = place.models;
    auto* inspector = new vm::InspectorViewModel(models.document, models.chain, &window);
    auto* panel = new InspectorPanel(*inspector, models.chain, models.selection, models.display);
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, panel, &InspectorPanel::setFollowing);
    QObject::connect(panel, &InspectorPanel::refineRequested, &window, startContour(place));
    QObject::connect(panel, &InspectorPanel::middleRequested, &models.chain, holdMiddle(place));
    QObject::connect(panel, &InspectorPanel::maskRequested, &window,
                     [&window, &models](quint32 node) { saveNodes(window, models, vm::NodeFile::mask, {node}); });
    return ofTree(place, panel);
}

QWidget* makeSelection(const PanelPlace& place) {
    QMainWindow& window = place.window;
    Models& models = place.models;
    auto* summary = new vm::SelectionSummary(models.document, models.selection, &window);
    auto* panel = new SelectionPanel(models.selection, *summary, models.chain);
    QObject::connect(&place.dock, &QDockWidget::visibilityChanged, panel, &SelectionPanel::setFollowing);
    QObject::connect(panel, &SelectionPanel::removeRequested, &window,
                     [&window, &models] { removeSelection(window, models); });
    QObject::connect(panel, &SelectionPanel::saveRequested, &window, [&window, &models](vm::NodeFile file) {
        saveNodes(window, models, file, *models.selection.nodes());
    });
    reportFiles(window, models, place.errors, models.nodeExport);
    showWriting(window, QStringLiteral("nodesWriting"), models.nodeExport);
    addDataMenu<SelectionChart>(place, *panel, "_selection", *summary);
    return scrolled(panel);
}

void loadRecipe(QMainWindow& window, Models& models, vm::RecipeFiles& files) {
    const QString path = QFileDialog::getOpenFileName(
        &window, panelsText("Load a recipe"), models.settings.lastDirectory(),
        panelsText("Recipe (*.json)") + QStringLiteral(";;") + panelsText("All files (*)"));
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
        files.load(path);
    }
}

void saveRecipe(QMainWindow& window, Models& models, vm::RecipeFiles& files) {
    const QString path = askWhereToSave(window, models,
                                        {panelsText("Save the recipe"), panelsText("Recipe (*.json)"),
                                         QStringLiteral("_recipe"), QStringLiteral("json")});
    if (!path.isEmpty()) {
        files.save(path);
    }
}

/// Copies a script of the recipe and shows a notice, with the work that the script does not have.
void copyScript(QMainWindow& window, const QString& script, const QString& notice, const vm::RecipeViewModel& recipe) {
    QGuiApplication::clipboard()->setText(script);
    const QStringList missing = recipe.missing();
    showNotice(window, missing.isEmpty() ? notice : notice + QStringLiteral(". ") + missing.join(u' '));
}

QWidget* makeRecipe(const PanelPlace& place) {
    QMainWindow& window = place.window;
    Models& models = place.models;
    auto* recipe = new vm::RecipeViewModel({models.document, models.filter, models.region, models.history}, &window);
    auto* results = new vm::ResultSteps(
        {models.document, models.region, models.objects, models.objectTable, models.contours, models.history}, recipe);
    recipe->addResults(*results);
    auto* files = new vm::RecipeFiles(*recipe, recipe);
    auto* panel = new RecipePanel(*recipe);
    QObject::connect(panel, &RecipePanel::loadRequested, &window,
                     [&window, &models, files] { loadRecipe(window, models, *files); });
    QObject::connect(panel, &RecipePanel::saveRequested, &window,
                     [&window, &models, files] { saveRecipe(window, models, *files); });
    reportFiles(window, models, place.errors, *files);
    auto* writing =
        makeWritingIndicator(window, QStringLiteral("recipeWriting"), [files] { return files->isSaving(); });
    QObject::connect(files, &vm::RecipeFiles::savingChanged, writing, &BusyIndicator::look);
    QObject::connect(results, &vm::ResultSteps::objectsWanted, &window,
                     [&window] { goToPanel(window, QStringLiteral("objects")); });
    QObject::connect(results, &vm::ResultSteps::contoursWanted, &window,
                     [&window] { goToPanel(window, QStringLiteral("contour")); });
    QObject::connect(panel, &RecipePanel::copyCommandLineRequested, &window, [&window, recipe] {
        copyScript(window, recipe->commandLine(), panelsText("The command is on the clipboard"), *recipe);
    });
    QObject::connect(panel, &RecipePanel::copyPythonRequested, &window, [&window, recipe] {
        copyScript(window, recipe->pythonScript(), panelsText("The Python script is on the clipboard"), *recipe);
    });
    return scrolled(panel);
}

/// A row of the table of panels.
struct Panel {
    const char* name;        ///< on the command line; its dock is "nameDock"
    const char* title;       ///< of the dock and in the View menu; context "Panels"
    const char* purpose;     ///< a sentence, shown while no image is open; context "Panels"
    Qt::DockWidgetArea area; ///< where the panel opens in workspaces that do not place it
    const char* behind;      ///< name of the panel whose tab precedes its tab; null for a place without tabs
    const char* helpPage;
    QWidget* (*make)(const PanelPlace&); ///< makes the content of the dock
};

constexpr auto kLeft = Qt::LeftDockWidgetArea;
constexpr auto kRight = Qt::RightDockWidgetArea;
constexpr auto kBelow = Qt::BottomDockWidgetArea;

/// In the order of the View menu.
constexpr Panel kPanels[] = {
    {"image", QT_TRANSLATE_NOOP("Panels", "Image"),
     QT_TRANSLATE_NOOP("Panels", "The facts of the image and of its file: size, bits, pixel size, tags."), kLeft,
     nullptr, "window#open", &makeImage},
    {"display", QT_TRANSLATE_NOOP("Panels", "Display"),
     QT_TRANSLATE_NOOP("Panels", "Grey levels of black and white, colours, and the comparison with the original."),
     kLeft, "image", "window#display", &makeDisplay},
    {"region", QT_TRANSLATE_NOOP("Panels", "Region"),
     QT_TRANSLATE_NOOP("Panels", "Draw shapes to analyse only a part of the image."), kLeft, "display", "window#region",
     &makeRegion},
    {"filter", QT_TRANSLATE_NOOP("Panels", "Filter"),
     QT_TRANSLATE_NOOP("Panels", "Remove components by area, contrast and other attributes while the image follows."),
     kRight, nullptr, "window#filter", &makeFilter},
    {"spectrum", QT_TRANSLATE_NOOP("Panels", "Spectrum"),
     QT_TRANSLATE_NOOP("Panels", "How the grey mass of the image spreads over components of all sizes."), kBelow,
     nullptr, "analyses#pattern-spectrum-and-granulometry", &makeSpectrum},
    {"profile", QT_TRANSLATE_NOOP("Panels", "Profile"),
     QT_TRANSLATE_NOOP("Panels", "The results of a series of thresholds beside each other."), kBelow, "spectrum",
     "analyses#attribute-profile", &makeProfile},
    {"rules", QT_TRANSLATE_NOOP("Panels", "Rules"),
     QT_TRANSLATE_NOOP("Panels", "The results of all rules of the filter beside each other."), kBelow, "profile",
     "window#rules", &makeRules},
    {"objects", QT_TRANSLATE_NOOP("Panels", "Objects"),
     QT_TRANSLATE_NOOP("Panels", "Count and measure the objects of the image, and save the table."), kBelow, "rules",
     "objects-window#objects-in-the-window", &makeObjects},
    {"contour", QT_TRANSLATE_NOOP("Panels", "Contour"),
     QT_TRANSLATE_NOOP("Panels", "Let a contour find the border of an object."), kBelow, "objects",
     "contours-window#contour-workspace-in-the-window", &makeContour},
    {"chain", QT_TRANSLATE_NOOP("Panels", "Chain"),
     QT_TRANSLATE_NOOP("Panels", "The components around a pixel, from the smallest to the whole image."), kBelow,
     "contour", "inspect", &makeChain},
    {"icicle", QT_TRANSLATE_NOOP("Panels", "Tree"),
     QT_TRANSLATE_NOOP("Panels", "The whole tree: every component as a box, the whole image on top."), kBelow, "chain",
     "inspect#2-see-everything-the-tree", &makeTree},
    {"component", QT_TRANSLATE_NOOP("Panels", "Component"),
     QT_TRANSLATE_NOOP("Panels", "One component with all its attributes."), kRight, "filter", "inspect",
     &makeComponent},
    {"selection", QT_TRANSLATE_NOOP("Panels", "Selection"),
     QT_TRANSLATE_NOOP("Panels", "A set of components, to remove or to save together."), kRight, "component",
     "inspect#4-keep-a-set-the-selection", &makeSelection},
    {"plane", QT_TRANSLATE_NOOP("Panels", "Attribute plane"),
     QT_TRANSLATE_NOOP("Panels", "All components by two attributes; a rectangle or a lasso separates them."), kBelow,
     "icicle", "inspect#3-separate-by-two-numbers-the-attribute-plane", &makePlane},
    {"orthogonal", QT_TRANSLATE_NOOP("Panels", "Orthogonal views"),
     QT_TRANSLATE_NOOP("Panels", "A volume from the side: the sections XZ and YZ through the cross hair."), kBelow,
     "plane", "volumes-window#orthogonal-views", &makeOrthogonal},
    {"rendering", QT_TRANSLATE_NOOP("Panels", "3D view"),
     QT_TRANSLATE_NOOP("Panels", "A volume from any direction: intensity projections and volume rendering."), kBelow,
     "orthogonal", "volumes-window#3d-view", &makeRendering},
    {"recipe", QT_TRANSLATE_NOOP("Panels", "Recipe"),
     QT_TRANSLATE_NOOP("Panels", "The steps from the file to the result, to repeat them on other images."), kRight,
     "selection", "sessions#recipes", &makeRecipe},
};

/// Shows the content of a panel, or its purpose while no image is open.
QWidget* orPurpose(QWidget* content, const QString& purpose, const vm::DocumentViewModel& document,
                   const QList<QAction*>& ways) {
    auto* pages = new QStackedWidget;
    auto* empty = new EmptyState(QStringLiteral("panelPurpose"), pages);
    empty->setText(purpose);
    for (QAction* way : ways) {
        empty->addButton(*way);
    }
    pages->addWidget(content);
    pages->addWidget(empty);
    const auto show = [pages, &document] { pages->setCurrentIndex(document.hasImage() ? 0 : 1); };
    follow(pages, show, document, &vm::DocumentViewModel::hasImageChanged);
    return pages;
}

QAction* makeSampleAction(QMainWindow& window, Models& models) {
    QAction* action = makeAction({QStringLiteral("trySample"),
                                  panelsText("&Try a sample"),
                                  panelsText("Open an image of coins to try things on"),
                                  {},
                                  {}},
                                 &window);
    QObject::connect(action, &QAction::triggered, &window,
                     [&window, &models] { openSample(window, models, QStringLiteral("coins_384x303_u8.tif")); });
    return action;
}

/// The analyses that the window owns, and the analyses of the views of a volume, which belong to the models.
QList<const vm::Analysis*> analysesOf(const QMainWindow& window) {
    const auto owned = window.findChildren<vm::Analysis*>();
    QList<const vm::Analysis*> all(owned.begin(), owned.end());
    if (const auto* panel = window.findChild<OrthogonalPanel*>()) {
        all << &panel->analysis();
    }
    if (const auto* panel = window.findChild<RenderingPanel*>()) {
        all << &panel->analysis();
    }
    return all;
}

QString dockName(const char* panel) { return QLatin1String(panel) + QStringLiteral("Dock"); }

} // namespace

void addPanels(QMainWindow& window, Models& models, CanvasActions& actions, ErrorPresenter& errors) {
    QAction* open = window.findChild<QAction*>(QStringLiteral("open"));
    QAction* sample = makeSampleAction(window, models);
    for (const Panel& panel : kPanels) {
        auto* dock = new QDockWidget(panelsText(panel.title), &window);
        dock->setObjectName(dockName(panel.name));
        QWidget* content = panel.make({window, models, actions, errors, *dock});
        dock->setWidget(orPurpose(content, panelsText(panel.purpose), models.document, {open, sample}));
        dock->toggleViewAction()->setToolTip(panelsText(panel.purpose));
        raiseWhenAsked(*dock);
    }
    // The bottom docks take their height from the image; the side docks keep theirs.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    closePanels(window);
}

void closePanels(QMainWindow& window) {
    const auto dockNamed = [&window](const char* panel) { return window.findChild<QDockWidget*>(dockName(panel)); };
    for (const Panel& panel : kPanels) {
        QDockWidget* dock = dockNamed(panel.name);
        dock->setFloating(false);
        window.addDockWidget(panel.area, dock);
        if (panel.behind != nullptr) {
            window.tabifyDockWidget(dockNamed(panel.behind), dock);
        }
        dock->hide();
    }
}

QStringList panelNames() {
    QStringList names;
    for (const Panel& panel : kPanels) {
        names << QLatin1String(panel.name);
    }
    return names;
}

QString helpPageOf(const QString& dock) {
    const auto* panel = std::find_if(std::begin(kPanels), std::end(kPanels),
                                     [&dock](const Panel& each) { return dock == dockName(each.name); });
    return QLatin1String(panel != std::end(kPanels) ? panel->helpPage : "window");
}

bool areAnalysesIdle(const QMainWindow& window) {
    const auto all = analysesOf(window);
    return std::all_of(all.begin(), all.end(), [](const vm::Analysis* each) { return each->isIdle(); });
}

void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function) {
    for (const vm::Analysis* each : analysesOf(window)) {
        QObject::connect(each, &vm::Analysis::changed, context, function);
    }
}

} // namespace pollard::app
