#include "headless/screenshot.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/main_window.hpp"
#include "window/panels.hpp"

#include <QCoreApplication>
#include <QPixmap>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace pollard::app {
namespace {

/// Whether the canvas and the visible sections of a volume, and their overlays, show the present state.
bool areSurfacesIdle(const MainWindow& window) {
    const auto isIdle = [](const auto* widget) { return !widget->isVisible() || widget->isUpToDate(); };
    return std::ranges::all_of(window.findChildren<ImageSurface*>(), isIdle) &&
           std::ranges::all_of(window.findChildren<OverlayPane*>(), isIdle);
}

bool areObjectsIdle(const Models& models) {
    return models.objects.state() != vm::ObjectsViewModel::State::computing && !models.objectTable.isListing();
}

} // namespace

bool isSettled(const Models& models, const MainWindow& window) {
    const vm::DocumentViewModel& document = models.document;
    const vm::DocumentActivity& activity = document.activity();
    return activity.state() == vm::DocumentActivity::State::ready && !activity.isBusy() && !activity.isFiltering() &&
           document.result() != nullptr && models.filter.isAvailable() && areAnalysesIdle(window) &&
           areObjectsIdle(models) && !models.contours.isComputing() &&
           models.display.composite().state() != vm::AsyncState::computing && !models.display.detail().isReading() &&
           !models.contours.playback().isPlaying() && models.filter.spec() == document.resultSpec() &&
           areSurfacesIdle(window);
}

void watchSettling(const Models& models, const MainWindow& window, QObject* context,
                   const std::function<void()>& look) {
    // Queued, because other receivers of the signals must be called first.
    const auto later = [context, look] { QMetaObject::invokeMethod(context, look, Qt::QueuedConnection); };
    const vm::DocumentActivity& activity = models.document.activity();
    QObject::connect(&activity, &vm::DocumentActivity::stateChanged, context, later);
    QObject::connect(&activity, &vm::DocumentActivity::busyChanged, context, later);
    QObject::connect(&activity, &vm::DocumentActivity::filteringChanged, context, later);
    QObject::connect(&models.document, &vm::DocumentViewModel::frameReady, context, later);
    QObject::connect(&models.document, &vm::DocumentViewModel::resultFetched, context, later);
    QObject::connect(&models.filter, &vm::FilterViewModel::domainChanged, context, later);
    onAnalysisChange(window, context, later);
    QObject::connect(&models.display.composite(), &vm::CompositeViewModel::stateChanged, context, later);
    QObject::connect(&models.display.detail(), &vm::ImageDetail::changed, context, later);
    QObject::connect(&models.objects, &vm::ObjectsViewModel::changed, context, later);
    QObject::connect(&models.objectTable, &vm::ObjectTableModel::listingChanged, context, later);
    QObject::connect(&models.contours.playback(), &vm::ContourPlayback::changed, context, later);
    for (const ImageSurface* surface : window.findChildren<ImageSurface*>()) {
        QObject::connect(surface, &GlSurface::frameSwapped, context, later);
    }
    for (const OverlayPane* overlays : window.findChildren<OverlayPane*>()) {
        QObject::connect(overlays, &OverlayPane::caughtUp, context, later);
    }
    later(); // may already be settled
}

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
        watchSettling(models_, window_, this, [this] { checkAgain(); });
        connect(&window_, &MainWindow::canvasFailed, this, &Screenshot::finished);
    } else {
        QMetaObject::invokeMethod(
            this, [this] { emit finished(window_.canvasProblem()); }, Qt::QueuedConnection);
    }
}

void Screenshot::checkAgain() {
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
