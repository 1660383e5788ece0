#include "headless/screenshot.hpp"

#include "headless/settled.hpp"
#include "window/main_window.hpp"

#include <QCoreApplication>
#include <QPixmap>

#include <cstdio>
#include <utility>

namespace pollard::app {
namespace {

/// Time in ms without changes after which layouts and chart count as settled.
constexpr int kSettleTime = 250;

} // namespace

Screenshot::Screenshot(Models& models, MainWindow& window, QString path, QObject* parent)
    : QObject(parent), models_(models), window_(window), path_(std::move(path)) {
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleTime);
    connect(&settle_, &QTimer::timeout, this, &Screenshot::save);
    if (window_.canvas() != nullptr) {
        whenSettling(models_, window_, this, [this] { lookAgain(); });
        connect(&window_, &MainWindow::canvasFailed, this, &Screenshot::finished);
    } else {
        QMetaObject::invokeMethod(
            this, [this] { emit finished(window_.canvasProblem()); }, Qt::QueuedConnection);
    }
}

void Screenshot::lookAgain() {
    if (isSettled(models_, window_)) {
        settle_.start();
    }
}

void Screenshot::save() {
    if (!isSettled(models_, window_)) {
        return; // a later signal restarts the timer
    }
    const bool written = window_.grab().save(path_, "PNG");
    emit finished(written ? QString() : QStringLiteral("save the screenshot: %1: cannot be written").arg(path_));
}

void StderrPresenter::present(QWidget*, const QString& title, const QString& text) {
    printError(QStringLiteral("%1: %2").arg(title, text));
    QCoreApplication::exit(1);
}

void printError(const QString& text) {
    std::fprintf(stderr, "pollard: error: %s\n", text.simplified().toUtf8().constData());
}

} // namespace pollard::app
