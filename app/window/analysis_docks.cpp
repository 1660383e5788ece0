#include "window/analysis_docks.hpp"

#include "docks/charts/profile_strip.hpp"
#include "docks/contour/contour_panel.hpp"
#include "docks/objects/objects_panel.hpp"
#include "docks/tree/attribute_plane_panel.hpp"
#include "docks/tree/chain_panel.hpp"
#include "docks/tree/icicle_panel.hpp"
#include "docks/tree/spectrum_panel.hpp"
#include "shell/models.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "vm/tree/profile_view_model.hpp"
#include "vm/tree/spectrum_view_model.hpp"
#include "window/help_menu.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard::app {
namespace {

QString text(const char* source) { return QCoreApplication::translate("AnalysisDocks", source); }

} // namespace

void addAnalysisDocks(QMainWindow& window, Models& models) {
    std::vector<QDockWidget*> docks;
    const auto add = [&](const char* objectName, const QString& title, QWidget* panel) {
        docks.push_back(addPanelDock(window, QLatin1String(objectName), title, panel, Qt::BottomDockWidgetArea));
        return docks.back();
    };
    // Uses visibilityChanged of the dock: a widget behind another tab gets no hide event.
    auto* spectrum = new vm::SpectrumViewModel(models.document, models.filter, &window);
    QObject::connect(add("spectrumDock", text("Spectrum"), new SpectrumPanel(*spectrum, models.filter)),
                     &QDockWidget::visibilityChanged, spectrum, &vm::SpectrumViewModel::setActive);
    auto* profile = new vm::ProfileViewModel(models.document, models.filter, &window);
    QObject::connect(add("profileDock", text("Profile"), new ProfileStrip(*profile, models.display)),
                     &QDockWidget::visibilityChanged, profile, &vm::ProfileViewModel::setActive);
    auto* objects = new ObjectsPanel(models.objects, models.objectTable, models.objectExport, models.objectTracks,
                                     models.display, models.history);
    QObject::connect(objects, &ObjectsPanel::refineRequested, &window, [&window, &models](quint32 label) {
        if (const auto listing = models.objectTable.listing()) {
            models.contours.startFromObject(listing->found, label);
            showPanel(window, QStringLiteral("contour"));
        }
    });
    QObject::connect(objects, &ObjectsPanel::helpRequested, &window,
                     [&window, &models](const QString& place) { showHelp(window, models, place); });
    add("objectsDock", text("Objects"), objects);
    add("contourDock", text("Contour"), new ContourPanel(models));
    auto* chain = new ChainPanel(models.chain);
    QObject::connect(chain, &ChainPanel::refineRequested, &window, [&window, &models](quint32 canonical) {
        models.contours.startFromComponent(canonical);
        showPanel(window, QStringLiteral("contour"));
    });
    const auto watchChain = [&models](const QDockWidget* dock) {
        QObject::connect(dock, &QDockWidget::visibilityChanged, &models.chain,
                         [&models, dock](bool visible) { models.chain.setWatched(dock, visible); });
    };
    watchChain(add("chainDock", text("Chain"), chain));
    auto* icicle = new vm::IcicleViewModel(models.document, models.filter, models.chain, &window);
    auto* tree = new IciclePanel(*icicle, models.chain);
    QObject::connect(add("icicleDock", text("Tree"), tree), &QDockWidget::visibilityChanged, icicle,
                     &vm::IcicleViewModel::setActive);
    const auto move = [&models, tree] { tree->setMoving(!models.settings.hasReducedMotion()); };
    QObject::connect(&models.settings, &vm::SettingsViewModel::reducedMotionChanged, tree, move);
    move();
    vm::NodeSelection* selection = &models.selection;
    QObject::connect(selection, &vm::NodeSelection::extentChanged, icicle, [selection, icicle] {
        const auto extent = selection->extent();
        if (extent || selection->count() ==
                          0) { // otherwise the extent is being computed, and the previous selection stays until then
            icicle->setSelected(extent ? vm::NodeFlags(extent, &extent->flags) : nullptr);
        }
    });
    auto* plane = new vm::AttributePlaneViewModel(models.document, models.filter, models.chain, &window);
    QObject::connect(
        plane, &vm::AttributePlaneViewModel::nodesChosen, &models.selection,
        [&models](const std::shared_ptr<const NodeSet>& nodes) { models.selection.select(nodes, SetChange::replace); });
    QObject::connect(selection, &vm::NodeSelection::changed, plane,
                     [selection, plane] { plane->setSelected(selection->nodes()); });
    const QDockWidget* planeDock = add("planeDock", text("Attribute plane"), new AttributePlanePanel(*plane));
    QObject::connect(planeDock, &QDockWidget::visibilityChanged, plane, &vm::AttributePlaneViewModel::setActive);
    watchChain(planeDock);
    for (std::size_t i = 1; i < docks.size(); ++i) {
        window.tabifyDockWidget(docks[i - 1], docks[i]);
    }
    // The bottom docks take their height from the picture; the side docks keep theirs.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

bool analysesRest(const QMainWindow& window) {
    return window.findChild<vm::SpectrumViewModel*>()->state() != vm::SpectrumViewModel::State::computing &&
           window.findChild<vm::ProfileViewModel*>()->state() != vm::ProfileViewModel::State::computing &&
           window.findChild<vm::IcicleViewModel*>()->rests() &&
           window.findChild<vm::AttributePlaneViewModel*>()->state() != vm::AttributePlaneViewModel::State::computing;
}

void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function) {
    QObject::connect(window.findChild<vm::SpectrumViewModel*>(), &vm::SpectrumViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::ProfileViewModel*>(), &vm::ProfileViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::IcicleViewModel*>(), &vm::IcicleViewModel::changed, context, function);
    QObject::connect(window.findChild<vm::AttributePlaneViewModel*>(), &vm::AttributePlaneViewModel::changed, context,
                     function);
}

} // namespace pollard::app
