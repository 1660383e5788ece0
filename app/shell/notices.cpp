#include "shell/notices.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStatusBar>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString text(const char* source) { return QCoreApplication::translate("Notices", source); }

} // namespace

void showNotice(QMainWindow& window, const QString& notice) { window.statusBar()->showMessage(notice, kNoticeTime); }

void showSaved(QMainWindow& window, const QString& path, const Models& models) {
    QString notice = text("Saved %1").arg(QFileInfo(path).fileName());
    if (path.endsWith(QLatin1String(".geojson")) && !models.map.problem().isEmpty()) {
        notice += QStringLiteral(" · ") + text("in pixels: %1").arg(models.map.problem());
    }
    showNotice(window, notice);
}

} // namespace pollard::app
