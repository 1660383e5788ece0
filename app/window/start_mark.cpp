#include "window/start_mark.hpp"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QWidget>

namespace pollard::app {

StartMark::StartMark(const QString& path, QObject* parent) : QObject(parent), file_(path) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    file_.setStaleLockTime(0); // only the end of its process makes a mark stale
    const bool isLeft = QFile::exists(path);
    lastFailed_ = file_.tryLock(0) && isLeft;
}

QString StartMark::standardPath() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/Pollard/pollard.starting");
}

void StartMark::endWith(QWidget& window) { window.installEventFilter(this); }

bool StartMark::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint || event->type() == QEvent::Close) {
        watched->removeEventFilter(this);
        // After this event: painting and the layout before it may be the failure.
        QMetaObject::invokeMethod(
            this, [this] { file_.unlock(); }, Qt::QueuedConnection);
    }
    return false;
}

} // namespace pollard::app
