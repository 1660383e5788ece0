#include "window/dialogs/command_palette.hpp"

#include "theme/theme.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QSet>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

struct Synonyms {
    const char* name;
    const char* words; ///< context "CommandWords"; translations have the synonyms of their language
};

constexpr Synonyms kSynonyms[] = {
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
    {"applyToFolder", QT_TRANSLATE_NOOP("CommandWords", "batch, many files, several images, series, automate, macro")},
    {"openFolder",
     QT_TRANSLATE_NOOP("CommandWords", "zarr, OME-Zarr, plate, wells, directory, DICOM series, CT, MRI, import")},
    {"paste", QT_TRANSLATE_NOOP("CommandWords", "clipboard, insert, new image from the clipboard")},
    {"print", QT_TRANSLATE_NOOP("CommandWords", "paper, printer, PDF")},
    {"plateMap", QT_TRANSLATE_NOOP("CommandWords", "plate, wells, heat map, screen, microplate")},
    {"saveAllPages", QT_TRANSLATE_NOOP("CommandWords", "stack, all slices, time series, whole file")},
    {"filterWhole",
     QT_TRANSLATE_NOOP("CommandWords", "full resolution, large image, slide, tiles, larger than memory")},
    {"filterVisible", QT_TRANSLATE_NOOP("CommandWords", "full resolution, exact, part in the view, zoom, crop")},
    {"chooseSize", QT_TRANSLATE_NOOP("CommandWords",
                                     "memory, resolution level, pyramid, shrink, reduce, resize, downsample, binning")},
    {"saveRecipe", QT_TRANSLATE_NOOP("CommandWords", "batch, folder, many files, automate, macro, workflow")},
    {"loadRecipe", QT_TRANSLATE_NOOP("CommandWords", "batch, many files, macro, workflow, same steps")},
    {"copyCommandLine", QT_TRANSLATE_NOOP("CommandWords", "batch, folder, script, terminal, pollard-cli, automate")},
    {"copyPython", QT_TRANSLATE_NOOP("CommandWords", "script, notebook, Jupyter, code, automate, reproduce")},
    {"recipeDock", QT_TRANSLATE_NOOP("CommandWords", "batch, steps, macro, workflow, history")},
    {"saveReport", QT_TRANSLATE_NOOP("CommandWords", "document, print, protocol, PDF, HTML")},
    {"exportTreeTable", QT_TRANSLATE_NOOP("CommandWords", "csv, all components, nodes, spreadsheet")},
    {"exportView", QT_TRANSLATE_NOOP("CommandWords", "screenshot, figure, PNG, image for a paper")},
    {"copyView", QT_TRANSLATE_NOOP("CommandWords", "screenshot, clipboard, figure")},
    {"save", QT_TRANSLATE_NOOP("CommandWords", "export, TIFF, filtered image")},
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
    const auto* found = std::find_if(std::begin(kSynonyms), std::end(kSynonyms),
                                     [&name](const Synonyms& each) { return name == QLatin1String(each.name); });
    return found == std::end(kSynonyms) ? QString() : QCoreApplication::translate("CommandWords", found->words);
}

QStringList namesWithWords() {
    QStringList names;
    for (const Synonyms& each : kSynonyms) {
        names << QLatin1String(each.name);
    }
    return names;
}

namespace {

QString withoutMarks(QString text) {
    // "&&" is an ampersand, a single one marks the mnemonic.
    text.replace(QStringLiteral("&&"), QStringLiteral("\n")).remove(u'&').replace(u'\n', u'&');
    return text.remove(u'…').trimmed();
}

void collect(const QList<QAction*>& actions, const QString& menu, QSet<const QAction*>& seen,
             QList<ListedAction>& found) {
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || seen.contains(action)) {
            continue;
        }
        seen.insert(action);
        if (action->menu() == nullptr) {
            found.append({action, menu});
            continue;
        }
        const QString name = withoutMarks(action->menu()->title());
        collect(action->menu()->actions(), menu.isEmpty() ? name : menu + QStringLiteral(" › ") + name, seen, found);
    }
}

} // namespace

QList<ListedAction> actionsOfMenus(const QMenuBar& bar) {
    QSet<const QAction*> seen;
    QList<ListedAction> found;
    collect(bar.actions(), {}, seen, found);
    return found;
}

QString plainText(const QAction& action) { return withoutMarks(action.text()); }

QString keysText(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts()) {
        const QString name = key.toString(QKeySequence::NativeText);
        if (!keys.contains(name)) {
            keys << name;
        }
    }
    return keys.join(QCoreApplication::translate("Help", " or "));
}

namespace {

constexpr int kRows = 14;   ///< visible at once
constexpr int kColumns = 3; ///< description, menu, keys
constexpr int kWidthInLetters = 105;
constexpr int kBestBehind = 3500; ///< rank of controls and recent files: behind commands with all words as synonyms
constexpr int kHelp = -1;         ///< in place of the number of an action

QString nameOf(const QAction& action) {
    const QDockWidget* dock = dockOf(action);
    return dock != nullptr ? dock->objectName() : action.objectName();
}

} // namespace

CommandPalette::CommandPalette(const QList<ListedAction>& actions, QWidget* parent, const QList<ListedAction>& controls)
    : QDialog(parent), actions_(actions + controls), firstControl_(actions.size()), query_(new QLineEdit(this)),
      list_(new QTreeWidget(this)) {
    for (const ListedAction& each : actions_) {
        const QAction& action = *each.action;
        texts_.emplace_back(plainText(action), commandWords(nameOf(action)),
                            QStringList{each.menu, action.iconText(), action.toolTip()}.join(u' '));
    }
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Find a command"));
    setAttribute(Qt::WA_DeleteOnClose);
    query_->setObjectName(QStringLiteral("commandQuery"));
    query_->setPlaceholderText(tr("Words of a command or a job, e.g. \"save\" or \"count\""));
    query_->setClearButtonEnabled(true);
    query_->installEventFilter(this);
    explain(query_, tr("Command"), tr("Words of a command; up and down choose, Return runs it, Escape closes"));
    list_->setObjectName(QStringLiteral("commandList"));
    list_->setColumnCount(kColumns);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->header()->setStretchLastSection(false);
    explain(list_, tr("Commands"), tr("Commands with these words; a click runs one"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(query_);
    layout->addWidget(list_);
    connect(query_, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(query_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
    connect(list_, &QTreeWidget::itemActivated, this, &CommandPalette::runCurrent);
    showMatches();
    resizeOnScreen(*this,
                   {kWidthInLetters * fontMetrics().averageCharWidth(), kRows * (fontMetrics().height() + 8) + 80});
    list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void CommandPalette::addRow(int number) {
    const ListedAction& listed = actions_[number];
    const QAction& action = *listed.action;
    auto* row = new QTreeWidgetItem(list_);
    const QString done = action.isCheckable() && action.isChecked() ? QStringLiteral("✓ ") : QString();
    row->setText(0, done + plainText(action));
    row->setText(1, listed.menu);
    row->setText(2, keysText(action));
    row->setToolTip(0, action.toolTip());
    row->setForeground(1, secondaryText(palette()));
    row->setForeground(2, secondaryText(palette()));
    row->setData(0, Qt::UserRole, number);
    row->setData(0, Qt::AccessibleTextRole,
                 QStringLiteral("%1, %2, %3").arg(plainText(action), listed.menu, keysText(action)));
    if (!action.isEnabled()) {
        row->setFlags(Qt::NoItemFlags);
        row->setToolTip(0, tr("Not available"));
    }
}

void CommandPalette::addHelpRow(bool found) {
    const QString query = query_->text().trimmed();
    auto* row = new QTreeWidgetItem(list_);
    row->setFirstColumnSpanned(true);
    row->setText(0, found ? tr("Search the help for “%1”").arg(query)
                          : tr("Nothing found. Search the help for “%1”").arg(query));
    row->setData(0, Qt::UserRole, kHelp);
}

void CommandPalette::showMatches() {
    std::vector<std::pair<int, int>> found; // rank, number
    const QStringList words = vm::queryWords(query_->text());
    const bool isCommand = std::any_of(texts_.begin(), texts_.begin() + firstControl_,
                                       [&words](const vm::FindableText& text) { return text.isNamed(words); });
    for (int i = 0; i < actions_.size(); ++i) {
        if (const auto rank = texts_[static_cast<std::size_t>(i)].rank(words)) {
            // The label of a control is its name unless a command has the same name.
            const bool isLabel =
                i >= firstControl_ && !isCommand && vm::queryWords(actions_[i].action->iconText()) == words;
            const bool isBehind = i >= firstControl_ || actions_[i].action->objectName() == kRecentFile;
            const int place = isLabel ? 0 : isBehind ? std::max(*rank, kBestBehind) : *rank;
            found.emplace_back(2 * place + (actions_[i].action->isEnabled() ? 0 : 1), i);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    list_->clear();
    for (const auto& [rank, number] : found) {
        addRow(number);
    }
    if (!words.isEmpty()) {
        addHelpRow(!found.empty());
    }
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; first == nullptr && i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = list_->topLevelItem(i);
        first = row->flags().testFlag(Qt::ItemIsEnabled) ? row : nullptr;
    }
    list_->setCurrentItem(first);
    query_->setAccessibleDescription(first == nullptr ? tr("No command fits") : first->text(0));
}

void CommandPalette::runCurrent() {
    const QTreeWidgetItem* row = list_->currentItem();
    if (row == nullptr || !isVisible()) { // a click can signal both itemClicked and itemActivated
        return;
    }
    const int number = row->data(0, Qt::UserRole).toInt();
    if (number == kHelp) {
        const QString query = query_->text().trimmed();
        accept();
        emit helpRequested(query);
        return;
    }
    QAction* action = actions_[number].action;
    accept();
    // After the dialog has closed, so that dialogs opened by the action come to the front.
    if (QDockWidget* dock = dockOf(*action)) { // shown even if it is visible
        QTimer::singleShot(0, dock, [dock] { bringForward(*dock); });
    } else {
        QTimer::singleShot(0, action, &QAction::trigger);
    }
    emit chosen(action);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(list_, event);
            query_->setAccessibleDescription(list_->currentItem() != nullptr ? list_->currentItem()->text(0)
                                                                             : QString());
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

namespace {

template <class... Kinds> bool isOneOf(const QWidget& widget) {
    return ((qobject_cast<const Kinds*>(&widget) != nullptr) || ...);
}

/// Whether a widget is a named control and no part of another control.
bool isControl(const QWidget& widget, const QDockWidget& dock) {
    return isOneOf<QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit>(widget) && !widget.objectName().isEmpty() &&
           !widget.objectName().startsWith(QLatin1String("qt_")) && !widget.accessibleName().isEmpty() &&
           (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.isVisibleTo(&dock);
}

/// Shows a control with the focus in it, and presses it if it is a button.
void use(QMainWindow& window, QDockWidget& dock, QWidget& control) {
    window.findChild<Workspaces*>()->showWorkspaceOf(dock.objectName().chopped(4)); // without "Dock"
    bringForward(dock);
    control.setFocus(Qt::ShortcutFocusReason);
    for (QWidget* around = control.parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) {
            scroll->ensureWidgetVisible(&control);
        }
    }
    if (const auto* button = qobject_cast<QToolButton*>(&control); button != nullptr && button->menu() != nullptr) {
        button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
    } else if (auto* pressed = qobject_cast<QAbstractButton*>(&control); pressed != nullptr) {
        pressed->click();
    }
}

} // namespace

QList<ListedAction> controlsOfPanels(QMainWindow& window) {
    const QString name = QStringLiteral("panelControls");
    delete window.findChild<QObject*>(name, Qt::FindDirectChildrenOnly);
    auto* owner = new QObject(&window);
    owner->setObjectName(name);
    QList<ListedAction> found;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QString place = QCoreApplication::translate("PanelControls", "%1 panel").arg(dock->windowTitle());
        QHash<const QWidget*, QString> labels;
        for (const QLabel* label : dock->findChildren<QLabel*>()) {
            if (label->buddy() != nullptr) {
                labels.insert(label->buddy(), label->text().remove(u'&'));
            }
        }
        for (QWidget* control : dock->findChildren<QWidget*>()) {
            if (!isControl(*control, *dock)) {
                continue;
            }
            auto* action = new QAction(control->accessibleName().replace(u'&', QLatin1String("&&")), owner);
            action->setObjectName(control->objectName());
            action->setToolTip(control->toolTip());
            if (labels.contains(control)) {
                action->setIconText(labels[control]);
            }
            action->setEnabled(control->isEnabled());
            QObject::connect(action, &QAction::triggered, control,
                             [&window, dock, control] { use(window, *dock, *control); });
            found.append({action, place});
        }
    }
    return found;
}

} // namespace pollard::app
