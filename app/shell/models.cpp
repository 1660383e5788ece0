#include "shell/models.hpp"

#include <utility>

namespace pollard::app {

Models::Models(vm::DocumentServices services, QSettings& store)
    : settings(store), recentFiles(store), document(std::move(services)), display(document), filter(document),
      histogram(document), probe(document), presentation(document, filter), overlays(store), region(document) {
    startFromSettings();
    rememberChanges();
}

void Models::startFromSettings() {
    filter.setLive(settings.isLive());
    display.setSmooth(settings.isSmooth());
    display.setColourMap(settings.colourMap());
    histogram.setLogarithmic(settings.isLogarithmicHistogram());
    document.setEngine(settings.engine());
}

void Models::rememberChanges() {
    QObject::connect(&filter, &vm::FilterViewModel::liveChanged, &settings,
                     [this] { settings.setLive(filter.isLive()); });
    QObject::connect(&display, &vm::DisplayViewModel::smoothChanged, &settings,
                     [this] { settings.setSmooth(display.isSmooth()); });
    QObject::connect(&display, &vm::DisplayViewModel::colourMapChanged, &settings,
                     [this] { settings.setColourMap(display.colourMap()); });
    QObject::connect(&histogram, &vm::HistogramViewModel::changed, &settings,
                     [this] { settings.setLogarithmicHistogram(histogram.isLogarithmic()); });
    QObject::connect(&document, &vm::DocumentViewModel::documentChanged, &recentFiles, [this] {
        if (document.hasImage()) {
            recentFiles.add(document.path());
        }
    });
}

} // namespace pollard::app
