#include "shell/notices.hpp"

#include "widgets/folder_button.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStatusBar>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString noticesText(const char* source) { return QCoreApplication::translate("Notices", source); }

} // namespace

void showNotice(QMainWindow& window, const QString& notice) { window.statusBar()->showMessage(notice, kNoticeTime); }

void showSaved(QMainWindow& window, const QString& path, const Models& models) {
    const QFileInfo file(path);
    QString notice = noticesText("Saved %1 in %2").arg(file.fileName(), QDir::toNativeSeparators(file.absolutePath()));
    if (path.endsWith(QLatin1String(".geojson")) && !models.map.problem().isEmpty()) {
        notice += QStringLiteral(" · ") + noticesText("in pixels: %1").arg(models.map.problem());
    }
    if (auto* button = window.statusBar()->findChild<FolderButton*>()) {
        button->offer(file.absolutePath(), notice);
    }
    showNotice(window, notice);
}

} // namespace pollard::app
