#include "lab/lab_files.hpp"

#include "lab/lab_export.hpp"
#include "lab/lab_window.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProgressDialog>

#include <functional>

namespace pollard::app {
namespace {

constexpr int kProgressAfter = 400; ///< ms
constexpr double kSecond = 1000;    ///< ms

QString labFilesText(const char* source) { return QCoreApplication::translate("LabFiles", source); }

LabFrames::Order orderOf(LabWindow& window) {
    const vm::LabPlayerViewModel& player = window.player();
    return {player.recording(), window.palette(), window.font(), static_cast<int>(kSecond / player.speed())};
}

/// Shows progress during writing.
void writeFrames(LabWindow& window, ErrorPresenter& errors, const QString& where,
                 const std::function<void(LabFrames&)>& start) {
    auto* progress = new QProgressDialog(labFilesText("Writing steps"), labFilesText("Cancel"), 0,
                                         window.player().stepCount() + 1, &window);
    progress->setObjectName(QStringLiteral("labFramesProgress"));
    progress->setWindowModality(Qt::WindowModal);
    progress->setMinimumDuration(kProgressAfter);
    progress->setAutoReset(false);
    auto* frames = new LabFrames(progress);
    QObject::connect(progress, &QProgressDialog::canceled, frames, &LabFrames::cancel);
    QObject::connect(frames, &LabFrames::progressed, progress, [progress](int number, int all) {
        if (!progress->wasCanceled()) {
            progress->setMaximum(all);
            progress->setValue(number);
        }
    });
    QObject::connect(
        frames, &LabFrames::finished, progress, [progress, &window, &errors, where](int number, const QString& error) {
            progress->deleteLater();
            if (!error.isEmpty()) {
                errors.present(&window, labFilesText("The steps were not all saved"), error);
            } else if (!progress->wasCanceled()) { // a cancelled animation is not written
                showNotice(window, labFilesText("Saved %1 steps to %2").arg(number).arg(QFileInfo(where).fileName()));
            }
        });
    start(*frames);
}

void saveDrawing(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString path = askWhereToSave(window, models,
                                        {labFilesText("Save the state"), labFilesText("SVG drawing (*.svg)"),
                                         QStringLiteral("lab"), QStringLiteral("svg")});
    if (path.isEmpty()) {
        return;
    }
    const QString error = saveStateDrawing(window.scene(), path);
    if (!error.isEmpty()) {
        errors.present(&window, labFilesText("The state was not saved"), error);
    } else {
        showSaved(window, path, models);
    }
}

void saveImages(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString folder = askForFolder(window, models, labFilesText("Folder for the steps"));
    if (!folder.isEmpty() && window.player().recording() != nullptr) {
        writeFrames(window, errors, folder, [&](LabFrames& frames) { frames.startImages(orderOf(window), folder); });
    }
}

void saveAnimation(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString path = askWhereToSave(window, models,
                                        {labFilesText("Save the animation"), labFilesText("Animated WebP (*.webp)"),
                                         QStringLiteral("lab"), QStringLiteral("webp")});
    if (!path.isEmpty() && window.player().recording() != nullptr) {
        writeFrames(window, errors, path, [&](LabFrames& frames) { frames.startAnimation(orderOf(window), path); });
    }
}

} // namespace

QList<QAction*> makeLabFileActions(LabWindow& window, Models& models, ErrorPresenter& errors) {
    QList<QAction*> actions;
    const auto add = [&](const char* name, const QString& title, const QString& tip, auto save) {
        QAction* action = makeAction({QLatin1String(name), title, tip, {}, {}}, &window);
        QObject::connect(action, &QAction::triggered, &window, [&window, &models, &errors, save] {
            window.player().setPlaying(false);
            save(window, models, errors);
        });
        actions << action;
    };
    add("labSaveDrawing", labFilesText("&Save this state as SVG…"), labFilesText("A drawing of all views, for slides"),
        &saveDrawing);
    add("labSavePictures", labFilesText("Save all steps as &PNG…"), labFilesText("A numbered picture of every step"),
        &saveImages);
    add("labSaveAnimation", labFilesText("Save as &animation…"),
        labFilesText("All steps as one animated WebP, at the chosen speed"), &saveAnimation);
    return actions;
}

} // namespace pollard::app
