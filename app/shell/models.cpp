#include "shell/models.hpp"

#include "base/system.hpp"
#include "batch/input_files.hpp"
#include "vm/display/look_store.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/recipe/recipe_files.hpp"

#include <QDir>
#include <QFileInfo>

#include <filesystem>
#include <utility>

namespace pollard::app {

namespace {

/// Main memory of the computer; 0 if unknown.
std::uint64_t memoryBytes(const vm::DocumentServices& services) {
    return services.selectEngine ? services.selectEngine("cpu").memoryBytes() : 0;
}

vm::DocumentServices withThreads(vm::DocumentServices services, int threads) {
    services.sessionOptions.threads = threads;
    return services;
}

} // namespace

Models::Models(vm::DocumentServices services, QSettings& settingsStore)
    : store(settingsStore), settings(store), recentFiles(store), limits(store, memoryBytes(services)), looks(&store),
      folderSizes(&store), document(withThreads(std::move(services), settings.threads())), stack(document),
      valueRange(document), display(document, &looks), filter(document), chunkFilter(document, filter),
      overview(document, display, filter), histogram(document, display), probe(document), map(document),
      chain(document, filter), selection(document), nodeExport(document), presentation(document, filter),
      overlays(store), region(document), objects(document), objectTable(objects), objectExport(objectTable),
      objectTracks(document, objects, objectTable), labelEdits(objects, objectTable), score(document, objectTable),
      contours(document), contourExport(contours),
      history({document, filter, selection, region, objects, objectTable, &contours, &labelEdits}),
      pixelSize(document, history), earlier({document, filter, region, history}),
      operators({document, filter, region, history}), orthogonal(document, &store),
      rendering(document, display, &store),
      sessions({document, display, filter, selection, region, objects, objectTable, contours, history, &orthogonal,
                &rendering, &labelEdits, &score}),
      leave(document, sessions, settings), stains(document) {
    document.pixelSizes().keepFolderSizes(folderSizes);
    startFromSettings();
    rememberChanges();
    vm::keepDisplayPreferences(store, display, histogram);
    applyMotion();
}

void Models::openFile(const QString& path) {
    leave.leave(&document, [this, path] {
        if (vm::SessionViewModel::isSession(path)) {
            sessions.open(path);
        } else {
            document.open(QFileInfo(firstOfPlate(QFileInfo(path).filesystemFilePath())).filePath());
        }
    });
}

void Models::startFromSettings() {
    filter.setLive(settings.isLive());
    display.setSmooth(settings.isSmooth());
    histogram.setLogarithmic(settings.isLogarithmicHistogram());
    document.choices().setEngine(settings.engine());
    objectTable.setPhysical(settings.hasSceneUnits());
    applyLimits();
}

void Models::applyMotion() {
    if (settings.hasReducedMotion()) {
        display.compare().setBlinkByItself(false);
    }
}

void Models::applyLimits() {
    limitMemory(limits.memoryBytes());
    document.reading().setReadLimits(limits.readLimits());
    document.reading().setAskAboutMemory(limits.isAsking());
    document.reading().setCacheBudget(limits.cacheBytes());
}

void Models::showFilteredChannels() {
    vm::CompositeViewModel::Images images;
    for (std::size_t channel = 0; channel < display.composite().channels().size(); ++channel) {
        if (const vm::ChannelResult* result = filter.channels().result(channel)) {
            images[channel] = result->pyramid ? result->pyramid : std::make_shared<const Pyramid>(result->image);
        }
    }
    display.composite().setFiltered(std::move(images));
}

void Models::followFolder(const QString& image) {
    // Files are not saved inside a Zarr hierarchy.
    const std::filesystem::path whole = hierarchyOf(QFileInfo(image).filesystemAbsoluteFilePath());
    const QString folder = QString::fromStdString(whole.parent_path().string());
    if (QDir(folder).exists() && QDir(folder) != QDir(vm::PresetViewModel::samplesOnDisk())) {
        settings.setLastDirectory(folder);
    }
}

void Models::rememberChanges() {
    QObject::connect(&filter.channels(), &vm::ChannelFilters::resultsChanged, &display,
                     [this] { showFilteredChannels(); });
    QObject::connect(&filter, &vm::FilterViewModel::liveChanged, &settings,
                     [this] { settings.setLive(filter.isLive()); });
    QObject::connect(&display, &vm::DisplayViewModel::smoothChanged, &settings,
                     [this] { settings.setSmooth(display.isSmooth()); });
    // Clearing the list of recent files also clears the settings stored per file and folder.
    QObject::connect(&recentFiles, &vm::RecentFilesModel::changed, &looks, [this] {
        if (recentFiles.isEmpty()) {
            looks.clear();
            folderSizes.clear();
            document.pixelSizes().adopt();
        }
    });
    QObject::connect(&histogram, &vm::HistogramViewModel::changed, &settings,
                     [this] { settings.setLogarithmicHistogram(histogram.isLogarithmic()); });
    QObject::connect(&settings, &vm::SettingsViewModel::sceneUnitsChanged, &objectTable,
                     [this] { objectTable.setPhysical(settings.hasSceneUnits()); });
    QObject::connect(&settings, &vm::SettingsViewModel::reducedMotionChanged, &display, [this] { applyMotion(); });
    QObject::connect(&limits, &vm::LimitsViewModel::changed, &document, [this] { applyLimits(); });
    QObject::connect(&document, &vm::DocumentViewModel::imageChanged, &recentFiles, [this, last = QString()]() mutable {
        if (document.hasImage()) {
            recentFiles.add(document.path());
            if (std::exchange(last, document.path()) != document.path()) { // no other page
                followFolder(last);
            }
        }
    });
    QObject::connect(&sessions, &vm::SessionViewModel::pathChanged, &recentFiles,
                     [this] { recentFiles.add(sessions.path()); });
}

} // namespace pollard::app
