#include "window_times/measurement.hpp"

#include "headless/settled.hpp"
#include "window/main_window.hpp"

#include <utility>

namespace pollard::app {

QString slicesText(const vm::DocumentViewModel& document) {
    return document.isVolume() ? QStringLiteral(" x %1").arg(document.sliceCount()) : QString();
}

Measurement::Measurement(Models& models, MainWindow& window, const QString& what, const QString& missing, int patience,
                         QObject* parent)
    : QObject(parent), models_(models), window_(window) {
    clock_.start();
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    patience_.setSingleShot(true);
    patience_.setInterval(patience);
    connect(&patience_, &QTimer::timeout, this, [this, what, missing, patience] {
        finish(QStringLiteral("measure %1: %2 within %3 s").arg(what, missing).arg(patience / 1000));
    });
    whenSettling(models_, window_, this, [this] { beginWhenReady(); });
    connect(&window_, &MainWindow::canvasFailed, this, &Measurement::finish);
}

void Measurement::beginWhenReady() {
    if (!begun_ && !ended_ && isSettled(models_, window_) && isReady()) {
        begun_ = true;
        begin();
    }
}

void Measurement::finish(const QString& error) {
    if (std::exchange(ended_, true)) {
        return;
    }
    patience_.stop();
    end();
    emit finished(error.isEmpty() ? report() : QString(), error);
}

} // namespace pollard::app
