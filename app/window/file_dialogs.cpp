#include "window/file_dialogs.hpp"

#include "io/image_file.hpp"
#include "shell/models.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace pollard::app {
namespace {

QString text(const char* source) { return QCoreApplication::translate("FileDialogs", source); }

QString nameFilters() {
    QStringList all;
    QStringList each;
    for (const FormatFilter& format : readableFormats()) {
        QStringList patterns;
        for (const std::string& extension : format.extensions) {
            patterns << QStringLiteral("*.") + QString::fromStdString(extension);
        }
        all << patterns;
        each << QStringLiteral("%1 (%2)").arg(QString::fromStdString(format.name), patterns.join(QLatin1Char(' ')));
    }
    each.prepend(text("Images (%1)").arg(all.join(QLatin1Char(' '))));
    each.append(text("All files (*)"));
    return each.join(QStringLiteral(";;"));
}

} // namespace

QString askForImage(QWidget& parent, Models& models) {
    QString path =
        QFileDialog::getOpenFileName(&parent, text("Open an image"), models.settings.lastDirectory(), nameFilters());
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    }
    return path;
}

QString askWhereToSave(QWidget& parent, Models& models, const SaveQuestion& question) {
    QFileDialog dialog(&parent, question.title, models.settings.lastDirectory(), question.filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(question.suffix);
    dialog.selectFile(QFileInfo(models.document.path()).completeBaseName() + question.ending + QLatin1Char('.') +
                      question.suffix);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString path = dialog.selectedFiles().constFirst();
    models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    return path;
}

QString askForFolder(QWidget& parent, Models& models, const QString& title) {
    QFileDialog dialog(&parent, title, models.settings.lastDirectory());
    dialog.setFileMode(QFileDialog::Directory);
    dialog.setOption(QFileDialog::ShowDirsOnly);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString folder = dialog.selectedFiles().constFirst();
    models.settings.setLastDirectory(folder);
    return folder;
}

QString askWhereToSaveResult(QWidget& parent, Models& models) {
    const std::string_view kind = nameOf(models.document.resultSpec().output);
    return askWhereToSave(parent, models,
                          {text("Save the result"), text("TIFF image (*.tif *.tiff)"),
                           QLatin1Char('_') + QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
                           QStringLiteral("tif")});
}

QString askForRegion(QWidget& parent, Models& models) {
    QString path = QFileDialog::getOpenFileName(&parent, text("Load region"), models.settings.lastDirectory(),
                                                text("GeoJSON (*.geojson *.json);;All files (*)"));
    if (!path.isEmpty()) {
        models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    }
    return path;
}

QString askWhereToSaveRegion(QWidget& parent, Models& models) {
    return askWhereToSave(parent, models,
                          {text("Save region"), text("GeoJSON (*.geojson)"), {}, QStringLiteral("geojson")});
}

} // namespace pollard::app
