#include "headless/settled.hpp"

#include "canvas/canvas.hpp"
#include "window/analysis_docks.hpp"
#include "window/main_window.hpp"

namespace pollard::app {
namespace {

bool objectsRest(const Models& models) {
    return models.objects.state() != vm::ObjectsViewModel::State::computing && !models.objectTable.isListing();
}

} // namespace

bool isSettled(const Models& models, const MainWindow& window) {
    const vm::DocumentViewModel& document = models.document;
    return document.state() == vm::DocumentViewModel::State::ready && !document.isBusy() && !document.isFiltering() &&
           document.result() != nullptr && models.filter.isAvailable() && analysesRest(window) && objectsRest(models) &&
           !models.contours.isComputing() && !models.contours.isPlaying() &&
           models.filter.spec() == document.resultSpec() && window.canvas()->isUpToDate();
}

void whenSettling(const Models& models, const MainWindow& window, QObject* context, const std::function<void()>& look) {
    // Queued, because other receivers of the signals must be called first.
    const auto later = [context, look] { QMetaObject::invokeMethod(context, look, Qt::QueuedConnection); };
    using Document = vm::DocumentViewModel;
    for (const auto signal : {&Document::stateChanged, &Document::busyChanged, &Document::filteringChanged,
                              &Document::frameReady, &Document::resultFetched}) {
        QObject::connect(&models.document, signal, context, later);
    }
    QObject::connect(&models.filter, &vm::FilterViewModel::domainChanged, context, later);
    onAnalysisChange(window, context, later);
    QObject::connect(&models.objects, &vm::ObjectsViewModel::changed, context, later);
    QObject::connect(&models.objectTable, &vm::ObjectTableModel::listingChanged, context, later);
    QObject::connect(&models.contours, &vm::ContourViewModel::transportChanged, context, later);
    QObject::connect(window.canvas(), &GlSurface::frameSwapped, context, later);
    later(); // may already be settled
}

} // namespace pollard::app
