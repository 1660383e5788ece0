#include "window/inspect_docks.hpp"

#include "docks/tree/inspector_panel.hpp"
#include "docks/tree/selection_panel.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "tree/node_set.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/selection_summary.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QScrollArea>
#include <QStatusBar>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000;               ///< ms
constexpr std::size_t kMostRemovedPicks = 5000; ///< limit for one operation, which the filter's list can still show

QString text(const char* source) { return QCoreApplication::translate("InspectDocks", source); }

void saveNodes(QMainWindow& window, Models& models, vm::NodeFile file, const NodeSet& nodes) {
    const bool mask = file == vm::NodeFile::mask;
    const QString path =
        askWhereToSave(window, models,
                       {text("Save the components"), mask ? text("Mask (*.tif *.tiff)") : text("Table (*.csv)"),
                        QStringLiteral("_components"), vm::suffixOf(file)});
    if (!path.isEmpty()) {
        models.nodeExport.save(file, nodes, path);
    }
}

/// Adds the topmost selected components to those removed by hand.
void removeSelection(QMainWindow& window, Models& models) {
    const auto tree = models.document.tree();
    const auto components = maximalComponents(*tree, *models.selection.nodes());
    vm::PicksModel& picks = models.filter.picks();
    std::vector<std::uint32_t> removed = picks.removed();
    if (removed.size() + components.size() > kMostRemovedPicks) {
        window.statusBar()->showMessage(
            text("Not removed: at most %1 components can be removed by hand").arg(kMostRemovedPicks), kNoticeTime);
        return;
    }
    for (const NodeInterval& component : components) {
        if (component.first != 0) {
            removed.push_back(tree->canonical[component.first]);
        }
    }
    picks.assign(makeNodeSet(std::move(removed)), picks.kept(), picks.only());
}

} // namespace

void addInspectDocks(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* inspector = new vm::InspectorViewModel(models.document, models.chain, &window);
    auto* summary = new vm::SelectionSummary(models.document, models.selection, &window);
    auto* component = new InspectorPanel(*inspector, models.chain, models.selection, models.display);
    auto* selection = new SelectionPanel(models.selection, *summary, models.chain);
    QDockWidget* first =
        addPanelDock(window, QStringLiteral("componentDock"), text("Component"), component, Qt::RightDockWidgetArea);
    auto* scroll = new QScrollArea;
    scroll->setWidget(selection);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    QDockWidget* second =
        addPanelDock(window, QStringLiteral("selectionDock"), text("Selection"), scroll, Qt::RightDockWidgetArea);
    // Uses visibilityChanged of the dock: a widget behind another tab gets no hide event.
    QObject::connect(first, &QDockWidget::visibilityChanged, component, &InspectorPanel::setLooking);
    QObject::connect(second, &QDockWidget::visibilityChanged, selection, &SelectionPanel::setLooking);
    window.tabifyDockWidget(window.findChild<QDockWidget*>(QStringLiteral("filterDock")), first);
    window.tabifyDockWidget(first, second);

    QObject::connect(component, &InspectorPanel::refineRequested, &window, [&window, &models](quint32 canonical) {
        models.contours.startFromComponent(canonical);
        showPanel(window, QStringLiteral("contour"));
    });
    QObject::connect(component, &InspectorPanel::maskRequested, &window,
                     [&window, &models](quint32 node) { saveNodes(window, models, vm::NodeFile::mask, {node}); });
    QObject::connect(selection, &SelectionPanel::removeRequested, &window,
                     [&window, &models] { removeSelection(window, models); });
    QObject::connect(selection, &SelectionPanel::saveRequested, &window, [&window, &models](vm::NodeFile file) {
        saveNodes(window, models, file, *models.selection.nodes());
    });
    QObject::connect(&models.nodeExport, &vm::NodeExport::saved, &window, [&window](const QString& path) {
        window.statusBar()->showMessage(text("Saved %1").arg(QFileInfo(path).fileName()), kNoticeTime);
    });
    QObject::connect(
        &models.nodeExport, &vm::NodeExport::failed, &window,
        [&window, &errors](const QString& title, const QString& why) { errors.present(&window, title, why); });
}

} // namespace pollard::app
