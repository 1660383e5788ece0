#include "window/files/region_files.hpp"

#include "shell/canvas_actions.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/region/region_view_model.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QInputDialog>
#include <QMainWindow>

namespace pollard::app {
namespace {

QString regionFilesText(const char* source) { return QCoreApplication::translate("RegionFiles", source); }

void askForLayer(QMainWindow& window, Models& models, const QString& path, const QStringList& layers) {
    bool isChosen = false;
    const QString layer =
        QInputDialog::getItem(&window, regionFilesText("Load region"), regionFilesText("Layer with the polygons"),
                              layers, 0, false, &isChosen);
    if (isChosen) {
        models.region.load(path, models.map.map(), GeoJsonIn::pixels, layer);
    }
}

} // namespace

void connectRegionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, const CanvasActions& actions) {
    QObject::connect(actions.loadRegion, &QAction::triggered, &window, [&window, &models] {
        const GeoJsonChoice choice = askForRegion(window, models);
        if (!choice.path.isEmpty()) {
            models.region.load(choice.path, models.map.map(), choice.positions);
        }
    });
    QObject::connect(&models.region, &vm::RegionViewModel::loadFailed, &window, [&](const QString& problem) {
        errors.present(&window, regionFilesText("The region was not loaded"), problem);
    });
    QObject::connect(
        &models.region, &vm::RegionViewModel::layerNeeded, &window,
        [&](const QString& path, const QStringList& layers) { askForLayer(window, models, path, layers); });
    QObject::connect(actions.saveRegion, &QAction::triggered, &window, [&] {
        const GeoJsonChoice choice = askWhereToSaveRegion(window, models);
        if (choice.path.isEmpty()) {
            return;
        }
        const auto map = choice.positions == GeoJsonIn::degrees ? models.map.map() : nullptr;
        const QString problem = models.region.save(choice.path, map.get());
        if (problem.isEmpty()) {
            showSaved(window, choice.path, models);
        } else {
            errors.present(&window, regionFilesText("The region was not saved"), problem);
        }
    });
    showNotices(window, models.region);
}

} // namespace pollard::app
