#include "window/files/document_files.hpp"

#include "canvas/canvas.hpp"
#include "export/view_image.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/report.hpp"
#include "vm/tree/tree_export.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/tree_table_dialog.hpp"
#include "window/files/data_menu.hpp"

#include <QAction>
#include <QBuffer>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QProgressDialog>

#include <algorithm>

namespace pollard::app {
namespace {

QString documentFilesText(const char* source) { return QCoreApplication::translate("DocumentFiles", source); }

struct Kind {
    vm::TreeFile file;
    ActionText action;
    QString filter;
    QString ending; ///< suffix of the proposed name
};

QList<Kind> treeKinds() {
    return {
        {vm::TreeFile::table,
         {QStringLiteral("exportTreeTable"),
          documentFilesText("&Table of components…"),
          documentFilesText("One line per component: number, parent, level, canonical pixel, chosen attributes"),
          {},
          {}},
         documentFilesText("Table (*.csv)"),
         QStringLiteral("_nodes")},
        {vm::TreeFile::array,
         {QStringLiteral("exportTreeArray"),
          documentFilesText("Components as &NumPy array…"),
          documentFilesText("One row per component: number, parent, level, canonical pixel, chosen attributes"),
          {},
          {}},
         documentFilesText("NumPy array (*.npy)"),
         QStringLiteral("_nodes")},
        {vm::TreeFile::parents,
         {QStringLiteral("exportTreeParents"),
          documentFilesText("&Parent image…"),
          documentFilesText("For every pixel, the index of the canonical pixel of its component or of the parent"),
          {},
          {}},
         documentFilesText("TIFF image (*.tif *.tiff)"),
         QStringLiteral("_parent")},
        {vm::TreeFile::parentArray,
         {QStringLiteral("exportTreeParentArray"),
          documentFilesText("Parent image as N&umPy array…"),
          documentFilesText("The same as an array of rows and columns"),
          {},
          {}},
         documentFilesText("NumPy array (*.npy)"),
         QStringLiteral("_parent")},
        {vm::TreeFile::graph,
         {QStringLiteral("exportTreeGraph"),
          documentFilesText("&Graph for GraphViz…"),
          documentFilesText("The current component, or the root, with up to 500 components in it"),
          {},
          {}},
         documentFilesText("GraphViz (*.dot *.gv)"),
         QStringLiteral("_tree")},
    };
}

QByteArray pngOf(const QImage& image) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "png");
    return png;
}

void saveReport(QMainWindow& window, Models& models, vm::ReportExport& exporter, Canvas* canvas,
                OverlayLayer* overlays) {
    vm::DocumentReport report = vm::reportOf(models.document, QStringLiteral(POLLARD_VERSION),
                                             window.findChild<vm::RecipeViewModel*>()->commandLine());
    report.images = reportImages(window, canvas, overlays); // before a dialog covers them
    report.objects = vm::reportObjects(models.objectTable);
    const QString path =
        askWhereToSave(window, models,
                       {documentFilesText("Save report"), documentFilesText("HTML page (*.html *.htm)"),
                        QStringLiteral("_report"), QStringLiteral("html")});
    if (!path.isEmpty()) {
        exporter.save(report, path);
    }
}

/// Shows the attribute that is being measured, with a button that ends it.
void showMeasuring(QMainWindow& window, vm::TreeTableExport& exporter) {
    auto* progress = new QProgressDialog(&window);
    progress->setObjectName(QStringLiteral("treeTableProgress"));
    progress->setWindowModality(Qt::WindowModal); // the tree must not change
    progress->setAutoReset(false);
    progress->setMinimumDuration(400);
    progress->reset(); // otherwise it would appear by itself
    QObject::connect(progress, &QProgressDialog::canceled, &exporter, &vm::TreeTableExport::cancel);
    QObject::connect(
        &exporter, &vm::TreeTableExport::measuring, progress, [progress](int done, int total, const QString& what) {
            if (total == 0) {
                progress->reset();
                return;
            }
            progress->setLabelText(documentFilesText("Measuring %1, %2 of %3").arg(what).arg(done + 1).arg(total));
            progress->setMaximum(total);
            progress->setValue(done);
        });
}

void saveTreeTable(QMainWindow& window, Models& models, vm::TreeTableExport& exporter, const SaveQuestion& question) {
    TreeTableDialog dialog(models.document, models.selection, models.store, &window);
    if (dialog.exec() != QDialog::Accepted) {
        return;
    }
    const QString path = askWhereToSave(window, models, question);
    if (!path.isEmpty()) {
        exporter.save(path, dialog.choice());
    }
}

QMenu* makeTreeMenu(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* exporter = new vm::TreeExport(models.document, &window);
    auto* tables = new vm::TreeTableExport(models.document, models.selection, &window);
    showMeasuring(window, *tables);
    auto* menu = new QMenu(documentFilesText("Export &tree"), &window);
    menu->setToolTipsVisible(true);
    for (const Kind& kind : treeKinds()) {
        QAction* action = makeAction(kind.action, menu);
        menu->addAction(action);
        QObject::connect(action, &QAction::triggered, exporter, [&window, &models, exporter, tables, kind] {
            const SaveQuestion question{documentFilesText("Export tree"), kind.filter, kind.ending,
                                        vm::suffixOf(kind.file)};
            if (kind.file == vm::TreeFile::table || kind.file == vm::TreeFile::array) {
                saveTreeTable(window, models, *tables, question);
                return;
            }
            const QString path = askWhereToSave(window, models, question);
            if (!path.isEmpty()) {
                exporter->save(kind.file, path, models.chain.node().value_or(0));
            }
        });
    }
    const auto enable = [menu, exporter, tables] {
        for (QAction* action : menu->actions()) {
            action->setEnabled(exporter->isAvailable() && tables->isAvailable());
        }
    };
    QObject::connect(tables, &vm::TreeTableExport::availableChanged, menu, enable);
    QObject::connect(exporter, &vm::TreeExport::availableChanged, menu, enable);
    enable();
    reportFiles(window, models, errors, *exporter);
    reportFiles(window, models, errors, *tables);
    showWriting(window, QStringLiteral("treeWriting"), *exporter);
    return menu;
}

} // namespace

QList<vm::ReportImage> reportImages(const QMainWindow& window, Canvas* canvas, OverlayLayer* overlays) {
    QList<vm::ReportImage> images;
    if (canvas != nullptr && overlays != nullptr) {
        images << vm::ReportImage{documentFilesText("View"), pngOf(imageOfView(*canvas, *overlays))};
    }
    for (const DataMenu* menu : window.findChildren<DataMenu*>()) {
        if (menu->chart() != nullptr && isSeen(*menu->chart())) {
            images << vm::ReportImage{menu->chart()->accessibleName(), menu->image()};
        }
    }
    return images;
}

void addDocumentFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays) {
    QMenu* file = window.menuBar()->actions().constFirst()->menu();
    const QList<QAction*> entries = file->actions();
    const auto preferences = std::find_if(entries.begin(), entries.end(), [](const QAction* action) {
        return action->objectName() == QLatin1String("preferences");
    });
    QAction* report =
        makeAction({QStringLiteral("saveReport"),
                    documentFilesText("Save r&eport…"),
                    documentFilesText("One HTML file with images, parameters, versions, command line and citations"),
                    {},
                    {}},
                   &window);
    QAction* before = *preferences;
    file->insertMenu(before, makeTreeMenu(window, models, errors));
    file->insertAction(before, report);
    file->insertSeparator(before);
    auto* reports = new vm::ReportExport(&window);
    const auto enable = [report, reports, &models] {
        report->setEnabled(models.document.hasImage() && reports->isAvailable());
    };
    QObject::connect(&models.document, &vm::DocumentViewModel::hasImageChanged, report, enable);
    QObject::connect(reports, &vm::ReportExport::availableChanged, report, enable);
    enable();
    QObject::connect(report, &QAction::triggered, &window, [&window, &models, reports, canvas, overlays] {
        saveReport(window, models, *reports, canvas, overlays);
    });
    reportFiles(window, models, errors, *reports);
    showWriting(window, QStringLiteral("reportWriting"), *reports);
}

} // namespace pollard::app
