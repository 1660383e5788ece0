#include "window/dialogs/command_words.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace pollard::app {
namespace {

struct Words {
    const char* name;
    const char* words; ///< context "CommandWords"; translations have the synonyms of their language
};

constexpr Words kWords[] = {
    {"workspace-objects",
     QT_TRANSLATE_NOOP("CommandWords",
                       "count, measure, segment, segmentation, cells, particles, blobs, threshold, number of objects, "
                       "statistics, count cells, count nuclei, area, mean intensity, analyse particles, analyze "
                       "particles, binary, connected components")},
    {"objectsDock", QT_TRANSLATE_NOOP("CommandWords",
                                      "count, measure, segment, segmentation, cells, particles, blobs, threshold, "
                                      "number of objects, statistics, count cells, count nuclei, area, mean intensity, "
                                      "analyse particles, analyze particles, binary, connected components")},
    {"objectsThreshold",
     QT_TRANSLATE_NOOP("CommandWords",
                       "binarize, Otsu, segment, automatic threshold, local background, sigma, flux, photometry")},
    {"prominentOnly",
     QT_TRANSLATE_NOOP("CommandWords",
                       "watershed, split touching objects, separate touching cells, peaks, find maxima, local maxima")},
    {"inverted", QT_TRANSLATE_NOOP("CommandWords", "invert, negative")},
    {"objectsShowClasses", QT_TRANSLATE_NOOP("CommandWords", "classify, sort objects into classes")},
    {"objectsCondition", QT_TRANSLATE_NOOP("CommandWords", "select objects, filter the table, criteria, size limit")},
    {"objectsSave", QT_TRANSLATE_NOOP("CommandWords", "export csv, export objects, Excel, spreadsheet, save "
                                                      "measurements, results table, GeoJSON, ROI, labels, mask")},
    {"objectsFillHoles", QT_TRANSLATE_NOOP("CommandWords", "close holes")},
    {"objectsWithoutBorder",
     QT_TRANSLATE_NOOP("CommandWords", "exclude edge, border objects, clear border, remove border")},
    {"objectsShowTracks",
     QT_TRANSLATE_NOOP("CommandWords", "track, time series, follow objects, trajectories, time lapse, follow cells")},
    {"objectsShowChart",
     QT_TRANSLATE_NOOP("CommandWords", "histogram of sizes, size distribution, plot, particle size")},
    {"workspace-contour",
     QT_TRANSLATE_NOOP("CommandWords", "outline, edge, boundary, snake, active contour, segment one object")},
    {"contourDock",
     QT_TRANSLATE_NOOP("CommandWords", "outline, edge, boundary, snake, active contour, segment one object")},
    {"contourFollow", QT_TRANSLATE_NOOP("CommandWords", "track, time series")},
    {"contourSave", QT_TRANSLATE_NOOP("CommandWords", "export outline, export contour, SVG, GeoJSON, mask")},
    {"workspace-compare", QT_TRANSLATE_NOOP("CommandWords", "before after, side by side, compare results")},
    {"workspace-volume",
     QT_TRANSLATE_NOOP("CommandWords", "CT, MRI, four views, 2 x 2, axial, coronal, sagittal, 3D, volume rendering")},
    {"workspace-explore",
     QT_TRANSLATE_NOOP("CommandWords", "inspect, look into the tree, scatter plot, why was it removed")},
    {"workspace-filter",
     QT_TRANSLATE_NOOP("CommandWords",
                       "despeckle, denoise, remove noise, clean, remove small objects, attribute opening, smooth the "
                       "noise, median, Gaussian, blur, morphology, opening, closing")},
    {"filterDock",
     QT_TRANSLATE_NOOP("CommandWords",
                       "despeckle, denoise, remove noise, clean, remove small objects, attribute opening, criteria, "
                       "smooth the noise, median, Gaussian, blur, morphology, opening, closing")},
    {"attribute", QT_TRANSLATE_NOOP("CommandWords", "criterion, feature, property, size, shape")},
    {"rule", QT_TRANSLATE_NOOP("CommandWords", "direct, min, max, subtractive, pruning")},
    {"output", QT_TRANSLATE_NOOP("CommandWords", "residue, top-hat, background, mask, labels")},
    {"preset-uneven-background",
     QT_TRANSLATE_NOOP("CommandWords",
                       "subtract background, illumination, shading, flatten, rolling ball, top-hat, vignetting")},
    {"preset-bright-small-objects",
     QT_TRANSLATE_NOOP("CommandWords", "spots, dots, particles, nuclei, despeckle, count")},
    {"preset-faint-sources", QT_TRANSLATE_NOOP("CommandWords", "stars, galaxies, astronomy, denoise")},
    {"preset-document-text", QT_TRANSLATE_NOOP("CommandWords", "scan, letters, clean a page")},
    {"preset-vessels", QT_TRANSLATE_NOOP("CommandWords", "lines, ridges, fibres, veins")},
    {"imageDock",
     QT_TRANSLATE_NOOP(
         "CommandWords",
         "pixel size, scale, calibration, micrometre, file information, metadata, unit, units, microns, µm, calibrate, "
         "channel, channels, coordinates, georeference, EPSG")},
    {"channel", QT_TRANSLATE_NOOP("CommandWords", "NDVI, spectral index, vegetation, band, stain, luminance")},
    {"pixelWidth",
     QT_TRANSLATE_NOOP("CommandWords", "scale, calibration, micrometre, spatial calibration, microns, calibrate")},
    {"measureScale",
     QT_TRANSLATE_NOOP("CommandWords",
                       "set scale, calibration, micrometre, distance, units, microns, calibrate, known distance")},
    {"displayDock",
     QT_TRANSLATE_NOOP(
         "CommandWords",
         "brightness, contrast, window, level, histogram, gamma, colours, LUT, composite, merge channels")},
    {"autoWindowAction", QT_TRANSLATE_NOOP("CommandWords", "auto contrast, enhance contrast, normalise")},
    {"fullWindowAction", QT_TRANSLATE_NOOP("CommandWords", "reset contrast, reset display")},
    {"regionDock", QT_TRANSLATE_NOOP("CommandWords", "ROI, region of interest, selection, area of interest")},
    {"rectangleTool", QT_TRANSLATE_NOOP("CommandWords", "ROI, region of interest, selection")},
    {"ellipseTool", QT_TRANSLATE_NOOP("CommandWords", "ROI, region of interest, selection, circle")},
    {"polygonTool", QT_TRANSLATE_NOOP("CommandWords", "ROI, region of interest, selection, freehand")},
    {"crop", QT_TRANSLATE_NOOP("CommandWords", "cut out, trim, cut")},
    {"split", QT_TRANSLATE_NOOP("CommandWords", "compare, before after, side by side, slider")},
    {"blink", QT_TRANSLATE_NOOP("CommandWords", "compare, before after, flicker")},
    {"difference", QT_TRANSLATE_NOOP("CommandWords", "compare, before after, subtract")},
    {"showOriginal", QT_TRANSLATE_NOOP("CommandWords", "compare, before after, unfiltered, raw")},
    {"reset", QT_TRANSLATE_NOOP("CommandWords", "remove the bounds, keep everything")},
    {"clearFilter",
     QT_TRANSLATE_NOOP("CommandWords", "reset, reset all, undo all, remove the filter, start again, original")},
    {"resetWorkspace", QT_TRANSLATE_NOOP("CommandWords", "reset layout, restore panels, arrangement")},
    {"undo", QT_TRANSLATE_NOOP("CommandWords", "revert, back, take back")},
    {"redo", QT_TRANSLATE_NOOP("CommandWords", "repeat, again")},
    {"applyToFolder",
     QT_TRANSLATE_NOOP("CommandWords", "batch, many files, several pictures, series, automate, macro")},
    {"openFolder",
     QT_TRANSLATE_NOOP("CommandWords", "zarr, OME-Zarr, plate, wells, directory, DICOM series, CT, MRI, import")},
    {"paste", QT_TRANSLATE_NOOP("CommandWords", "clipboard, insert, new picture from the clipboard")},
    {"print", QT_TRANSLATE_NOOP("CommandWords", "paper, printer, PDF")},
    {"plateMap", QT_TRANSLATE_NOOP("CommandWords", "plate, wells, heat map, screen, microplate")},
    {"saveAllPages", QT_TRANSLATE_NOOP("CommandWords", "stack, all slices, time series, whole file")},
    {"filterWhole",
     QT_TRANSLATE_NOOP("CommandWords", "full resolution, large picture, slide, tiles, larger than memory")},
    {"filterVisible", QT_TRANSLATE_NOOP("CommandWords", "full resolution, exact, part in the view, zoom, crop")},
    {"chooseSize", QT_TRANSLATE_NOOP("CommandWords",
                                     "memory, resolution level, pyramid, shrink, reduce, resize, downsample, binning")},
    {"saveRecipe", QT_TRANSLATE_NOOP("CommandWords", "batch, folder, many files, automate, macro, workflow")},
    {"loadRecipe", QT_TRANSLATE_NOOP("CommandWords", "batch, many files, macro, workflow, same steps")},
    {"copyCommandLine",
     QT_TRANSLATE_NOOP("CommandWords", "batch, folder, script, terminal, pollard-cli, automate, Python")},
    {"recipeDock", QT_TRANSLATE_NOOP("CommandWords", "batch, steps, macro, workflow, history")},
    {"saveReport", QT_TRANSLATE_NOOP("CommandWords", "document, print, protocol, PDF, HTML")},
    {"exportTreeTable", QT_TRANSLATE_NOOP("CommandWords", "csv, all components, nodes, spreadsheet")},
    {"exportView", QT_TRANSLATE_NOOP("CommandWords", "screenshot, figure, PNG, picture for a paper")},
    {"copyView", QT_TRANSLATE_NOOP("CommandWords", "screenshot, clipboard, figure")},
    {"save", QT_TRANSLATE_NOOP("CommandWords", "export, TIFF, filtered picture")},
    {"saveSession", QT_TRANSLATE_NOOP("CommandWords", "project, keep my work")},
    {"openSession", QT_TRANSLATE_NOOP("CommandWords", "project, continue my work")},
    {"pickComponent", QT_TRANSLATE_NOOP("CommandWords", "erase, remove by hand, delete an object, click away")},
    {"depthVolume", QT_TRANSLATE_NOOP("CommandWords", "3D, z-stack, as a volume")},
    {"depthPages", QT_TRANSLATE_NOOP("CommandWords", "z-stack, single slices, as pages")},
    {"depthMaximum", QT_TRANSLATE_NOOP("CommandWords", "MIP, maximum intensity projection, z projection, z-stack")},
    {"depthMinimum", QT_TRANSLATE_NOOP("CommandWords", "minimum intensity projection, z projection")},
    {"depthMean", QT_TRANSLATE_NOOP("CommandWords", "average intensity projection, z projection")},
    {"depthSharpest", QT_TRANSLATE_NOOP("CommandWords", "best focus, focused slice, z projection")},
    {"minTree", QT_TRANSLATE_NOOP("CommandWords", "dark objects, holes, dark on bright")},
    {"maxTree", QT_TRANSLATE_NOOP("CommandWords", "bright objects, bright on dark")},
    {"planeDock", QT_TRANSLATE_NOOP("CommandWords", "scatter plot, gate, two attributes, lasso, compare attributes")},
    {"icicleDock", QT_TRANSLATE_NOOP("CommandWords", "hierarchy, max-tree, nodes, dendrogram, icicle")},
    {"chainDock", QT_TRANSLATE_NOOP("CommandWords", "path to the root, why was it removed, ancestors, nesting")},
    {"componentDock", QT_TRANSLATE_NOOP("CommandWords", "inspect, measure one object, properties, details")},
    {"selectionDock", QT_TRANSLATE_NOOP("CommandWords", "set of components, lasso, chosen components")},
    {"spectrumDock", QT_TRANSLATE_NOOP("CommandWords", "granulometry, size distribution, pattern spectrum")},
    {"profileDock", QT_TRANSLATE_NOOP("CommandWords", "attribute profile, series of filters, multi-scale")},
    {"rulesDock", QT_TRANSLATE_NOOP("CommandWords", "compare rules, side by side, min, max, Viterbi, subtractive")},
    {"scaleBar", QT_TRANSLATE_NOOP("CommandWords", "micrometre, length, calibration bar")},
    {"magnifier", QT_TRANSLATE_NOOP("CommandWords", "loupe, zoom, pixel value")},
    {"preferences",
     QT_TRANSLATE_NOOP("CommandWords", "settings, options, language, theme, memory, dark mode, French, font size")},
    {"firstSteps", QT_TRANSLATE_NOOP("CommandWords", "tutorial, learn, example, getting started")},
    {"tour", QT_TRANSLATE_NOOP("CommandWords", "introduction, getting started, overview")},
    {"help", QT_TRANSLATE_NOOP("CommandWords", "manual, documentation")},
    {"shortcuts", QT_TRANSLATE_NOOP("CommandWords", "keys, hotkeys")},
    {"about", QT_TRANSLATE_NOOP("CommandWords", "version, licence, cite, citation")},
    {"teachRace", QT_TRANSLATE_NOOP("CommandWords", "benchmark, speed, compare algorithms")},
    {"gridLab", QT_TRANSLATE_NOOP("CommandWords", "teach, lesson, algorithm, step by step")},
    {"teachExercises", QT_TRANSLATE_NOOP("CommandWords", "worksheet, exam, homework")},
};

} // namespace

QString commandWords(const QString& name) {
    const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&name](const Words& each) { return name == QLatin1String(each.name); });
    return found == std::end(kWords) ? QString() : QCoreApplication::translate("CommandWords", found->words);
}

QStringList namesWithWords() {
    QStringList names;
    for (const Words& each : kWords) {
        names << QLatin1String(each.name);
    }
    return names;
}

} // namespace pollard::app
