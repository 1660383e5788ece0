#include "headless/settled.hpp"

#include "canvas/canvas.hpp"
#include "window/main_window.hpp"
#include "window/panels.hpp"

#include <algorithm>

namespace pollard::app {
namespace {

/// Whether the canvas and the seen sections of a volume show the present state.
bool surfacesRest(const MainWindow& window) {
    return std::ranges::all_of(window.findChildren<ImageSurface*>(), [](const ImageSurface* surface) {
        return !surface->isVisible() || surface->isUpToDate();
    });
}

bool objectsRest(const Models& models) {
    return models.objects.state() != vm::ObjectsViewModel::State::computing && !models.objectTable.isListing();
}

} // namespace

bool isSettled(const Models& models, const MainWindow& window) {
    const vm::DocumentViewModel& document = models.document;
    const vm::DocumentActivity& activity = document.activity();
    return activity.state() == vm::DocumentActivity::State::ready && !activity.isBusy() && !activity.isFiltering() &&
           document.result() != nullptr && models.filter.isAvailable() && analysesRest(window) && objectsRest(models) &&
           !models.contours.isComputing() && models.display.composite().state() != vm::AsyncState::computing &&
           !models.display.detail().isReading() && !models.contours.playback().isPlaying() &&
           models.filter.spec() == document.resultSpec() && surfacesRest(window);
}

void whenSettling(const Models& models, const MainWindow& window, QObject* context, const std::function<void()>& look) {
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
    later(); // may already be settled
}

} // namespace pollard::app
