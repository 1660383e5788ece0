#include "window/dialogs/document_dialogs.hpp"

#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "window/actions.hpp"
#include "window/dialogs/memory_dialog.hpp"
#include "window/dialogs/raw_dialog.hpp"

#include <QFileDialog>
#include <QFileInfo>

namespace pollard::app {

DocumentDialogs::DocumentDialogs(Models& models, Actions& actions, ErrorPresenter& errors, QWidget& window)
    : QObject(&window), models_(models), errors_(errors), window_(window) {
    using Document = vm::DocumentViewModel;
    Document& document = models_.document;
    connect(&document.activity(), &vm::DocumentActivity::errorOccurred, this, &DocumentDialogs::presentFailure);
    connect(&document, &Document::decisionNeeded, this,
            [this](const vm::MemoryPlan& plan, const vm::OpenRequest& request) {
                auto* dialog = new MemoryDialog(plan, request, &window_);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                connect(dialog, &QDialog::accepted, this, [this, dialog] {
                    if (dialog->wantsCpu()) {
                        models_.document.choices().setEngine(QStringLiteral("cpu"));
                    }
                    models_.document.openAnyway(dialog->choice());
                });
                connect(dialog, &QDialog::rejected, &models_.sessions, &vm::SessionViewModel::forgetPending);
                dialog->open();
            });
    connect(actions.openRaw, &QAction::triggered, this, &DocumentDialogs::chooseRawFile);
    connect(actions.saveAllPages, &QAction::triggered, this, &DocumentDialogs::chooseTarget);
}

void DocumentDialogs::presentFailure(const QString& title, const QString& text) {
    const QString raw = models_.document.activity().unknownFormatPath();
    if (raw.isEmpty()) {
        errors_.present(&window_, title, text);
    } else {
        errors_.presentWithWayOut(&window_, title, text, tr("Open as raw data…"), [this, raw] { openRaw(raw); });
    }
}

void DocumentDialogs::openRaw(const QString& path) {
    auto* raw = new vm::RawViewModel(path, models_.store);
    auto* dialog = new RawDialog(*raw, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    raw->setParent(dialog);
    connect(dialog, &QDialog::accepted, this, [this, raw] {
        vm::OpenRequest request;
        request.path = QFileInfo(raw->path()).absoluteFilePath();
        request.raw = raw->layout();
        models_.leave.leave(this, [this, request] { models_.document.openAs(request); });
    });
    dialog->open();
}

void DocumentDialogs::chooseRawFile() {
    const QString path = QFileDialog::getOpenFileName(&window_, tr("Open raw data"), models_.settings.lastDirectory());
    if (!path.isEmpty()) {
        models_.settings.setLastDirectory(QFileInfo(path).absolutePath());
        openRaw(path);
    }
}

void DocumentDialogs::chooseTarget() {
    const QString path =
        askWhereToSave(window_, models_,
                       {tr("Filter all %1").arg(models_.stack.pagesText()), tr("TIFF image (*.tif *.tiff)"),
                        QStringLiteral("_all_pages"), QStringLiteral("tif")});
    if (!path.isEmpty()) {
        models_.document.saving().saveAllPages(path, models_.document.pageFilter());
    }
}

} // namespace pollard::app
