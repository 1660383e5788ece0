#include "shell/screenshot.hpp"

#include "canvas/canvas.hpp"
#include "window/analysis_docks.hpp"
#include "window/main_window.hpp"

#include <QCoreApplication>
#include <QPixmap>

#include <cstdio>
#include <utility>

namespace pollard::app {
namespace {

/// Time without a change after which layouts and the chart are taken for settled, in ms.
constexpr int kSettleTime = 250;

} // namespace

Screenshot::Screenshot(Models& models, MainWindow& window, QString path, QObject* parent)
    : QObject(parent), models_(models), window_(window), path_(std::move(path)) {
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleTime);
    connect(&settle_, &QTimer::timeout, this, &Screenshot::save);
    using Document = vm::DocumentViewModel;
    for (const auto signal : {&Document::stateChanged, &Document::busyChanged, &Document::filteringChanged,
                              &Document::frameReady, &Document::resultFetched}) {
        connect(&models_.document, signal, this, &Screenshot::lookAgain);
    }
    connect(&models_.filter, &vm::FilterViewModel::domainChanged, this, &Screenshot::lookAgain);
    onAnalysisChange(window_, this, [this] { lookAgain(); });
    connect(&models_.objects, &vm::ObjectsViewModel::changed, this, &Screenshot::lookAgain);
    connect(&models_.objectTable, &vm::ObjectTableModel::listingChanged, this, &Screenshot::lookAgain);
    connect(&models_.contours, &vm::ContourViewModel::transportChanged, this, &Screenshot::lookAgain);
    if (window_.canvas() != nullptr) {
        connect(window_.canvas(), &GlSurface::frameSwapped, this, &Screenshot::lookAgain);
        connect(&window_, &MainWindow::canvasFailed, this, &Screenshot::finished);
        lookAgain(); // everything may be there already
    } else {
        QMetaObject::invokeMethod(
            this, [this] { emit finished(window_.canvasProblem()); }, Qt::QueuedConnection);
    }
}

[[nodiscard]] static bool objectsRest(const Models& models) {
    return models.objects.state() != vm::ObjectsViewModel::State::computing && !models.objectTable.isListing();
}

bool isSettled(const Models& models, const MainWindow& window) {
    const vm::DocumentViewModel& document = models.document;
    return document.state() == vm::DocumentViewModel::State::ready && !document.isBusy() && !document.isFiltering() &&
           document.result() != nullptr && models.filter.isAvailable() && analysesRest(window) && objectsRest(models) &&
           !models.contours.isComputing() && !models.contours.isPlaying() &&
           models.filter.spec() == document.resultSpec() && window.canvas()->isUpToDate();
}

void Screenshot::lookAgain() {
    if (window_.canvas() != nullptr && isSettled(models_, window_)) {
        settle_.start();
    }
}

void Screenshot::save() {
    if (!isSettled(models_, window_)) {
        return; // the signal that completes it starts the timer again
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
