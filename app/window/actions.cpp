#include "window/actions.hpp"

#include "shell/canvas_actions.hpp"
#include "theme/colours.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/session/edit_history.hpp"
#include "widgets/couple.hpp"

#include <QCoreApplication>
#include <QKeyEvent>

namespace pollard::app {

EditActions::EditActions(vm::EditHistory& history, QObject* parent)
    : QObject(parent), undo(makeAction({QStringLiteral("undo"),
                                        tr("&Undo"),
                                        tr("Undo the last change"),
                                        QStringLiteral("undo"),
                                        {QKeySequence(Qt::CTRL | Qt::Key_Z)}},
                                       this)),
      redo(makeAction({QStringLiteral("redo"),
                       tr("&Redo"),
                       tr("Redo the change that was undone"),
                       QStringLiteral("redo"),
                       {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)}},
                      this)),
      history_(history) {
    connect(undo, &QAction::triggered, &history_, &vm::EditHistory::undo);
    connect(redo, &QAction::triggered, &history_, &vm::EditHistory::redo);
    const QUndoStack& stack = history_.stack();
    follow(this, &EditActions::showState, stack, &QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged,
           &QUndoStack::undoTextChanged, &QUndoStack::redoTextChanged);
}

void EditActions::showState() {
    const QUndoStack& stack = history_.stack();
    const auto menuText = [](const QString& text) { return QString(text).replace(u'&', QLatin1String("&&")); };
    undo->setEnabled(stack.canUndo());
    undo->setText(stack.canUndo() ? tr("&Undo %1").arg(menuText(stack.undoText())) : tr("&Undo"));
    redo->setEnabled(stack.canRedo());
    redo->setText(stack.canRedo() ? tr("&Redo %1").arg(menuText(stack.redoText())) : tr("&Redo"));
}

EarlierActions::EarlierActions(vm::EarlierFilters& earlier, QObject* parent)
    : QObject(parent), continueFromResult(makeAction({QStringLiteral("continueFromResult"),
                                                      tr("&Continue from the result"),
                                                      tr("Let another filter work on the result of this one"),
                                                      QStringLiteral("step_forward"),
                                                      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)}},
                                                     this)),
      goBack(makeAction({QStringLiteral("backToEarlierFilter"),
                         tr("&Back to the previous filter"),
                         tr("Edit the last of the earlier filters again, in place of this one"),
                         QStringLiteral("step_back"),
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Backspace)}},
                        this)),
      clearAll(makeAction({QStringLiteral("clearFilter"),
                           tr("Clear filt&er"),
                           tr("Remove all filters: the result is the image as it is in the file"),
                           QStringLiteral("erase"),
                           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}},
                          this)),
      applyOperator(makeAction({QStringLiteral("applyOperator"),
                                tr("Operator…"),
                                tr("Opening, top-hat, smoothing, distance, skeleton … of the result, as a step before "
                                   "the next filter"),
                                {},
                                {}},
                               this)),
      earlier_(earlier) {
    connect(continueFromResult, &QAction::triggered, &earlier_, &vm::EarlierFilters::continueFromResult);
    connect(goBack, &QAction::triggered, &earlier_, &vm::EarlierFilters::goBack);
    connect(clearAll, &QAction::triggered, &earlier_, &vm::EarlierFilters::clearAll);
    follow(this, &EarlierActions::showState, earlier_, &vm::EarlierFilters::changed);
}

void EarlierActions::showState() {
    continueFromResult->setEnabled(earlier_.canContinue());
    goBack->setEnabled(earlier_.canGoBack());
    clearAll->setEnabled(earlier_.canClear());
    applyOperator->setEnabled(earlier_.hasImage());
}

namespace {

constexpr QSize kSwatch(32, 14);

bool showsOriginal(const vm::DisplayViewModel& display) {
    return display.image() == vm::DisplayViewModel::Source::original &&
           display.compare().mode() == vm::CompareViewModel::Mode::off;
}

} // namespace

using Compare = vm::CompareViewModel;
using Display = vm::DisplayViewModel;
using Document = vm::DocumentViewModel;
using Filter = vm::FilterViewModel;
using Settings = vm::SettingsViewModel;

Actions::Actions(Models& models, QObject* parent)
    : QObject(parent), edit(new EditActions(models.history, this)), earlier(new EarlierActions(models.earlier, this)),
      canvas(new CanvasActions(models, this)), models_(models) {
    makeFileActions();
    makeImageActions();
    makeViewActions();
    makeDisplayActions();
    makeHelpActions();
    makeChoices();
    connectImage();
    connectView();
    connectDisplay();
    connect(&models.stack, &vm::StackViewModel::positionChanged, this, &Actions::showState);
    follow(this, &Actions::showState, models.filter, &Filter::pendingChanged, &Filter::domainChanged);
}

QAction* Actions::make(const QString& objectName, const QString& text, const QString& toolTip, const QString& icon,
                       const QList<QKeySequence>& keys) {
    QAction* action = makeAction({objectName, text, toolTip, icon, keys}, this);
    action->setStatusTip(QString());
    return action;
}

QAction* Actions::makeToggle(const QString& objectName, const QString& text, const QString& toolTip,
                             const QString& icon, const QList<QKeySequence>& keys) {
    QAction* action = make(objectName, text, toolTip, icon, keys);
    action->setCheckable(true);
    action->setIconVisibleInMenu(false); // the menu shows a check mark instead
    return action;
}

void Actions::makeFileActions() {
    open = make(QStringLiteral("open"), tr("&Open…"), tr("Open an image"), QStringLiteral("open"),
                {QKeySequence(QKeySequence::Open)});
    save = make(QStringLiteral("save"), tr("&Save result as…"), tr("Save the filtered image, of a volume all slices"),
                QStringLiteral("save"), {QKeySequence(QKeySequence::Save)});
    openFolder = make(QStringLiteral("openFolder"), tr("Open fol&der…"),
                      tr("Choose one of the images in a folder: DICOM series, OME-Zarr, plates, files"));
    openRaw = make(QStringLiteral("openRaw"), tr("Open ra&w data…"), tr("Open a file without a header"));
    filterWhole = make(QStringLiteral("filterWhole"), tr("Filter the w&hole image…"),
                       tr("Apply the filter to all of the image at full resolution, in the background"));
    filterVisible = make(QStringLiteral("filterVisible"), tr("Filter the &visible region exactly"),
                         tr("Open the visible region at full resolution, with the same filter there"));
    backToOverview = make(QStringLiteral("backToOverview"), tr("&Back to the overview"),
                          tr("Open the smaller version of the whole image again, where it was seen last"));
    chooseSize = make(QStringLiteral("chooseSize"), tr("Other &level or part…"),
                      tr("Choose a level or a part of the image, with the memory that each may need"));
    saveAllPages = make(
        QStringLiteral("saveAllPages"), tr("Apply to all pa&ges…"),
        tr("Filter every page of the file like this one, in all channels, slices and times, and save all as one TIFF"));
    preferences =
        make(QStringLiteral("preferences"), tr("Pre&ferences…"),
             tr("Language, looks, engine, limits for files and memory"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    preferences->setMenuRole(QAction::PreferencesRole);
    close = make(QStringLiteral("close"), tr("Close i&mage"), tr("Close the image"), {},
                 {QKeySequence(Qt::CTRL | Qt::Key_W)});
    quit = make(QStringLiteral("quit"), tr("&Quit"), tr("Quit Pollard"), {}, {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::makeImageActions() {
    maxTree = makeToggle(QStringLiteral("maxTree"), tr("Ma&x-tree"), tr("Max-tree: bright components on dark ground"),
                         QStringLiteral("max_tree"), {QKeySequence(Qt::CTRL | Qt::Key_1)});
    minTree = makeToggle(QStringLiteral("minTree"), tr("Mi&n-tree"), tr("Min-tree: dark components on bright ground"),
                         QStringLiteral("min_tree"), {QKeySequence(Qt::CTRL | Qt::Key_2)});
    four = makeToggle(QStringLiteral("four"), tr("&4-connected"), tr("4-connectivity: pixels touch with their sides"),
                      QStringLiteral("connectivity_4"), {QKeySequence(Qt::CTRL | Qt::Key_4)});
    eight = makeToggle(QStringLiteral("eight"), tr("&8-connected"),
                       tr("8-connectivity: pixels touch with sides and corners"), QStringLiteral("connectivity_8"),
                       {QKeySequence(Qt::CTRL | Qt::Key_8)});
    six = makeToggle(QStringLiteral("six"), tr("&6-connected"), tr("6-connectivity: voxels touch with their faces"),
                     QStringLiteral("connectivity_4"), {QKeySequence(Qt::CTRL | Qt::Key_6)});
    eighteen = makeToggle(QStringLiteral("eighteen"), tr("&18-connected"),
                          tr("18-connectivity: voxels touch with faces and edges"), QStringLiteral("connectivity_8"));
    twentySix =
        makeToggle(QStringLiteral("twentySix"), tr("&26-connected"),
                   tr("26-connectivity: voxels touch with faces, edges and corners"), QStringLiteral("connectivity_8"));
    vm::DocumentChoices& choices = models_.document.choices();
    using Choices = vm::DocumentChoices;
    auto* kinds = new QActionGroup(this);
    kinds->addAction(maxTree)->setData(static_cast<int>(TreeKind::max));
    kinds->addAction(minTree)->setData(static_cast<int>(TreeKind::min));
    couple(kinds, choices, &Choices::treeKind, &Choices::setTreeKind, &Choices::treeSpecChanged);
    auto* connectivities = new QActionGroup(this);
    connectivities->addAction(four)->setData(static_cast<int>(Connectivity::four));
    connectivities->addAction(eight)->setData(static_cast<int>(Connectivity::eight));
    connectivities->addAction(six)->setData(static_cast<int>(Connectivity::six));
    connectivities->addAction(eighteen)->setData(static_cast<int>(Connectivity::eighteen));
    connectivities->addAction(twentySix)->setData(static_cast<int>(Connectivity::twentySix));
    couple(connectivities, choices, &Choices::connectivity, &Choices::setConnectivity, &Choices::treeSpecChanged);
    previousPage = make(QStringLiteral("previousPage"), tr("&Previous page"), tr("Previous page of the file"), {},
                        {QKeySequence(Qt::Key_PageUp)});
    nextPage = make(QStringLiteral("nextPage"), tr("Next pa&ge"), tr("Next page of the file"), {},
                    {QKeySequence(Qt::Key_PageDown)});
    makeStackActions();
    live = makeToggle(QStringLiteral("live"), tr("&Live"), tr("Filter at every change"), QStringLiteral("live"),
                      {QKeySequence(Qt::Key_L)});
    apply = make(QStringLiteral("apply"), tr("&Apply filter"), tr("Filter with the present settings"),
                 QStringLiteral("apply"), {QKeySequence(Qt::CTRL | Qt::Key_Return)});
    reset = make(QStringLiteral("reset"), tr("&Reset range"), tr("Keep every component"), QStringLiteral("reset"),
                 {QKeySequence(Qt::CTRL | Qt::Key_R)});
}

void Actions::makeStackActions() {
    firstPage = make(QStringLiteral("firstPage"), tr("F&irst page"), tr("First page of the file"), {},
                     {QKeySequence(Qt::Key_Home)});
    lastPage = make(QStringLiteral("lastPage"), tr("La&st page"), tr("Last page of the file"), {},
                    {QKeySequence(Qt::Key_End)});
    axisSteps << make(QStringLiteral("secondAxisBack"), tr("Back along the secon&d axis"),
                      tr("Previous position along the second axis of the stack"), {}, {QKeySequence(Qt::Key_Comma)})
              << make(QStringLiteral("secondAxisForth"), tr("F&orward along the second axis"),
                      tr("Next position along the second axis of the stack"), {}, {QKeySequence(Qt::Key_Period)})
              << make(QStringLiteral("thirdAxisBack"), tr("Back along the &third axis"),
                      tr("Previous position along the third axis of the stack"), {},
                      {QKeySequence(Qt::Key_BracketLeft)})
              << make(QStringLiteral("thirdAxisForth"), tr("Forward along the t&hird axis"),
                      tr("Next position along the third axis of the stack"), {}, {QKeySequence(Qt::Key_BracketRight)});
    vm::StackViewModel& stack = models_.stack;
    connect(firstPage, &QAction::triggered, &stack, &vm::StackViewModel::showFirst);
    connect(lastPage, &QAction::triggered, &stack, &vm::StackViewModel::showLast);
    for (int i = 0; i < axisSteps.size(); ++i) {
        connect(axisSteps[i], &QAction::triggered, &stack, [&stack, i] { stack.step(1 + i / 2, i % 2 == 0 ? -1 : 1); });
    }
}

void Actions::makeViewActions() {
    fit = make(QStringLiteral("fit"), tr("&Fit to window"), tr("Show the whole image"), QStringLiteral("fit"),
               {QKeySequence(Qt::Key_F)});
    actualSize = make(QStringLiteral("actualSize"), tr("&1:1"), tr("One pixel of the image per pixel of the screen"),
                      QStringLiteral("actual_size"), {QKeySequence(Qt::Key_1)});
    zoomIn = make(QStringLiteral("zoomIn"), tr("Zoom &in"), tr("Magnify the image around the middle of the view"),
                  QStringLiteral("zoom_in"),
                  {QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal), QKeySequence(QKeySequence::ZoomIn)});
    zoomOut = make(QStringLiteral("zoomOut"), tr("Zoom &out"), tr("Show a larger part of the image"),
                   QStringLiteral("zoom_out"), {QKeySequence(Qt::Key_Minus), QKeySequence(QKeySequence::ZoomOut)});
    showOriginal =
        makeToggle(QStringLiteral("showOriginal"), tr("Show ori&ginal"), tr("Show the original instead of the result"),
                   QStringLiteral("image"), {QKeySequence(Qt::Key_O)});
    smooth = makeToggle(QStringLiteral("smooth"), tr("S&mooth magnified pixels"),
                        tr("Blend magnified pixels instead of showing them as squares"));
    nextPart =
        make(QStringLiteral("nextPart"), tr("&Next part of the window"),
             tr("Give the next part the focus: tool bars, image, panels, status line"), {}, {QKeySequence(Qt::Key_F6)});
    previousPart = make(QStringLiteral("previousPart"), tr("&Previous part of the window"),
                        tr("Give the part before the focus"), {}, {QKeySequence(Qt::SHIFT | Qt::Key_F6)});
    fullScreen = makeToggle(QStringLiteral("fullScreen"), tr("Fu&ll screen"),
                            tr("Give the window the whole screen, without its frame"), {}, {QKeySequence(Qt::Key_F11)});
}

void Actions::makeDisplayActions() {
    split = makeToggle(QStringLiteral("split"), tr("&Before and after"),
                       tr("Original on the left of the line, result on the right"), QStringLiteral("split"),
                       {QKeySequence(Qt::Key_S)});
    blink = makeToggle(QStringLiteral("blink"), tr("Blin&k"), tr("Original and result in turn"),
                       QStringLiteral("blink"), {QKeySequence(Qt::Key_B)});
    flip = make(QStringLiteral("flip"), tr("Show the othe&r"), tr("While blinking: show the other image"), {},
                {QKeySequence(Qt::Key_Space)});
    // Only with the focus in the image: elsewhere the space bar presses buttons.
    flip->setShortcutContext(Qt::WidgetShortcut);
    difference = makeToggle(QStringLiteral("difference"), tr("&Difference"), tr("Changes made by the filter"),
                            QStringLiteral("difference"), {QKeySequence(Qt::Key_D)});
    marks = makeToggle(QStringLiteral("marks"), tr("Mark &saturation"),
                       tr("Levels at or beyond the window: blue below, red above"), {}, {QKeySequence(Qt::Key_H)});
    inverted = makeToggle(QStringLiteral("inverted"), tr("&Inverted"), tr("The colour map backwards"), {},
                          {QKeySequence(Qt::Key_I)});
    sameForAll = makeToggle(QStringLiteral("sameForAll"), tr("Use this displa&y for every image"),
                            tr("One window, tone curve and colour map for every file instead of one for each"));
    autoWindow = make(QStringLiteral("autoWindowAction"), tr("&Automatic window"),
                      tr("Black and white at percentiles of the grey levels"), QStringLiteral("auto"),
                      {QKeySequence(Qt::Key_A)});
    fullWindow =
        make(QStringLiteral("fullWindowAction"), tr("F&ull range window"),
             tr("Black at 0, white at the largest level of the pixel type"), {}, {QKeySequence(Qt::SHIFT | Qt::Key_A)});
}

void Actions::makeHelpActions() {
    commands = make(QStringLiteral("commands"), tr("&Find a command…"), tr("Find a command by its words and run it"),
                    {}, {QKeySequence(Qt::CTRL | Qt::Key_K)});
    help = make(QStringLiteral("help"), tr("&Help"), tr("The documentation of the focused part"), {},
                {QKeySequence(Qt::Key_F1)});
    firstSteps = make(QStringLiteral("firstSteps"), tr("First &steps"),
                      tr("Six tutorials on images that come with the program"));
    shortcuts = make(QStringLiteral("shortcuts"), tr("&Keyboard and mouse"), tr("All shortcuts"),
                     QStringLiteral("keyboard"), {QKeySequence(Qt::CTRL | Qt::Key_F1)});
    about = make(QStringLiteral("about"), tr("&About Pollard"), tr("Versions, engines, licences and how to cite"),
                 QStringLiteral("about"));
    about->setMenuRole(QAction::AboutRole);
    aboutQt = make(QStringLiteral("aboutQt"), tr("About &Qt"), tr("The Qt libraries"));
    aboutQt->setMenuRole(QAction::AboutQtRole);
}

void Actions::makeChoices() {
    using Stack = vm::StackViewModel;
    depths = new QActionGroup(this);
    const auto addDepth = [this](const char* name, Stack::Depth depth, const QString& text, const QString& toolTip) {
        QAction* action = makeToggle(QLatin1String(name), text, toolTip);
        action->setData(static_cast<int>(depth));
        depths->addAction(action);
    };
    addDepth("depthVolume", Stack::Depth::volume, tr("Slices as a &volume"),
             tr("One tree of all slices; a filter works on the whole volume"));
    addDepth("depthPages", Stack::Depth::slice, tr("Slices as &pages"), tr("Each slice is an image with its own tree"));
    addDepth("depthMaximum", Stack::Depth::maximum, tr("Ma&ximum projection"),
             tr("One image with the largest value of the slices at each pixel"));
    addDepth("depthMinimum", Stack::Depth::minimum, tr("Mi&nimum projection"),
             tr("One image with the smallest value of the slices at each pixel"));
    addDepth("depthMean", Stack::Depth::mean, tr("M&ean projection"),
             tr("One image with the mean of the slices at each pixel"));
    addDepth("depthSharpest", Stack::Depth::sharpest, tr("&Sharpest slice"),
             tr("The slice whose Laplacian has the largest variance"));
    couple(depths, models_.stack, &Stack::depth, &Stack::setDepth, &Stack::positionChanged);
    colourMaps = new QActionGroup(this);
    for (const vm::ColourMap map : vm::kColourMaps) {
        auto* action = new QAction(vm::titleOf(map), colourMaps);
        action->setCheckable(true);
        action->setData(static_cast<int>(map));
    }
    toneCurves = new QActionGroup(this);
    for (const vm::ToneCurve curve : vm::kToneCurves) {
        auto* action = new QAction(vm::titleOf(curve), toneCurves);
        action->setCheckable(true);
        action->setData(static_cast<int>(curve));
    }
    themes = new QActionGroup(this);
    for (const auto theme :
         {Settings::Theme::system, Settings::Theme::light, Settings::Theme::dark, Settings::Theme::contrast}) {
        auto* action = new QAction(Settings::themeTitle(theme), themes);
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
    }
    couple(themes, models_.settings, &Settings::theme, &Settings::setTheme, &Settings::themeChanged);
}

void Actions::connectImage() {
    Document& document = models_.document;
    Filter& filter = models_.filter;
    connect(close, &QAction::triggered, &document,
            [this] { models_.leave.leave(&models_.document, [this] { models_.document.close(); }); });
    connect(previousPage, &QAction::triggered, &document, [this] { models_.stack.stepPage(-1); });
    connect(nextPage, &QAction::triggered, &document, [this] { models_.stack.stepPage(1); });
    couple(live, filter, &Filter::isLive, &Filter::setLive, &Filter::liveChanged);
    connect(apply, &QAction::triggered, &filter, &Filter::apply);
    connect(reset, &QAction::triggered, &filter, &Filter::reset);
    connect(&document.activity(), &vm::DocumentActivity::stateChanged, this, &Actions::showState);
    connect(&document, &Document::frameReady, this, &Actions::showState); // also emitted after imageChanged()
    connect(&document, &Document::sliceWanted, this, &Actions::showState);
    vm::Overview& overview = models_.overview;
    connect(filterVisible, &QAction::triggered, &overview, &vm::Overview::openVisible);
    connect(backToOverview, &QAction::triggered, &overview, &vm::Overview::goBack);
    connect(chooseSize, &QAction::triggered, &overview, &vm::Overview::choose);
    const auto showOverview = [this, &overview, does = filterVisible->toolTip()] {
        const QString problem = overview.problem();
        filterVisible->setEnabled(problem.isEmpty());
        filterVisible->setToolTip(problem.isEmpty() ? does : problem);
        backToOverview->setEnabled(overview.canReturn());
        chooseSize->setEnabled(models_.document.hasImage() && !models_.document.isVolume());
    };
    follow(this, showOverview, overview, &vm::Overview::changed);
}

void Actions::connectView() {
    Display& display = models_.display;
    connect(fit, &QAction::triggered, &display, &Display::fit);
    connect(actualSize, &QAction::triggered, &display, &Display::actualSize);
    connect(zoomIn, &QAction::triggered, &display, &Display::zoomIn);
    connect(zoomOut, &QAction::triggered, &display, &Display::zoomOut);
    couple(
        showOriginal, display, showsOriginal,
        [](Display& present, bool original) {
            present.setImage(original ? Display::Source::original : Display::Source::result);
        },
        &Display::imageChanged);
    couple(smooth, display, &Display::isSmooth, &Display::setSmooth, &Display::smoothChanged);
}

void Actions::connectDisplay() {
    Display& display = models_.display;
    Compare& compare = display.compare();
    const auto choose = [&compare](QAction* action, Compare::Mode mode) {
        couple(
            action, compare, [mode](const Compare& present) { return present.mode() == mode; },
            [mode](Compare& present, bool on) { present.setMode(on ? mode : Compare::Mode::off); },
            &Compare::modeChanged);
    };
    choose(split, Compare::Mode::split);
    choose(blink, Compare::Mode::blink);
    choose(difference, Compare::Mode::difference);
    connect(flip, &QAction::triggered, &compare, &Compare::flip);
    couple(marks, display, &Display::marksSaturation, &Display::setMarksSaturation, &Display::marksChanged);
    couple(inverted, display, &Display::isInverted, &Display::setInverted, &Display::colourMapChanged);
    couple(sameForAll, display, &Display::isSameForAll, &Display::setSameForAll, &Display::sameForAllChanged);
    couple(colourMaps, display, &Display::colourMap, &Display::setColourMap, &Display::colourMapChanged);
    couple(toneCurves, display, &Display::toneCurve, &Display::setToneCurve, &Display::toneCurveChanged);
    connect(autoWindow, &QAction::triggered, &display, &Display::autoWindow);
    connect(fullWindow, &QAction::triggered, &display, &Display::fullWindow);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &Actions::showDisplayState);
    using Composite = vm::CompositeViewModel;
    connect(&display.composite(), &Composite::channelsChanged, this, &Actions::showDisplayState);
    connect(&display.composite(), &Composite::onChanged, this, &Actions::showDisplayState);
    follow(this, &Actions::showDisplayState, compare, &Compare::modeChanged);
    follow(this, &Actions::showSwatches, display, &Display::colourMapChanged);
}

void Actions::showState() {
    const Document& document = models_.document;
    const bool image = document.hasImage();
    for (QAction* action : {close, fit, actualSize, zoomIn, zoomOut}) {
        action->setEnabled(image);
    }
    save->setEnabled(image && document.hasResult());
    reset->setEnabled(image && models_.filter.isAvailable());
    apply->setEnabled(image && models_.filter.isPending());
    const int page = document.isVolume() ? document.slice() : document.reading().wantedPage();
    const int pages = document.isVolume() ? document.sliceCount() : document.pageCount();
    for (QAction* action : {previousPage, firstPage}) {
        action->setEnabled(image && page > 0);
    }
    for (QAction* action : {nextPage, lastPage}) {
        action->setEnabled(image && page + 1 < pages);
    }
    for (int i = 0; i < axisSteps.size(); ++i) {
        axisSteps[i]->setEnabled(image && models_.stack.axisCount() > 1 + i / 2);
    }
    depths->setEnabled(models_.stack.offersDepth());
    saveAllPages->setEnabled(image && document.pageCount() > 1 && !document.isVolume());
    for (QAction* action : {four, eight}) {
        action->setVisible(!document.isVolume());
    }
    for (QAction* action : {six, eighteen, twentySix}) {
        action->setVisible(document.isVolume());
    }
}

void Actions::showDisplayState() {
    const bool image = models_.document.hasImage();
    const Compare::Mode mode = models_.display.compare().mode();
    for (QAction* action : {split, blink, difference, autoWindow, fullWindow}) {
        action->setEnabled(image);
    }
    flip->setEnabled(image && mode == Compare::Mode::blink);
    const vm::CompositeViewModel& composite = models_.display.composite();
    for (QAction* action : {marks, inverted}) { // of grey images
        action->setEnabled(!(composite.isPossible() && composite.isOn()));
    }
    showOriginal->setEnabled(image && mode == Compare::Mode::off);
    showOriginal->setChecked(showsOriginal(models_.display)); // a comparison shows both
}

void Actions::showSwatches() {
    for (QAction* action : colourMaps->actions()) {
        const auto map = static_cast<vm::ColourMap>(action->data().toInt());
        action->setIcon(colourMapIcon(map, kSwatch, models_.display.isInverted()));
    }
}

EditGestures::EditGestures(vm::EditHistory& history, QObject* parent) : QObject(parent), history_(history) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool EditGestures::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType()) {
        return false; // events of a QWindow are also sent to its widgets
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        begin();
        break;
    case QEvent::MouseButtonRelease:
        endLater();
        break;
    case QEvent::KeyPress:
        if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) {
            begin();
        }
        break;
    case QEvent::KeyRelease:
        if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) {
            endLater();
        }
        break;
    case QEvent::Wheel:
        if (wheeled_ != watched) {
            begin();
            wheeled_ = watched;
        }
        break;
    case QEvent::Leave:
        if (wheeled_ == watched) {
            wheeled_.clear();
            endLater();
        }
        break;
    default:
        break;
    }
    return false;
}

void EditGestures::begin() {
    wheeled_.clear();
    history_.beginGesture();
}

void EditGestures::endLater() {
    // Includes changes made by the release itself.
    QMetaObject::invokeMethod(
        this,
        [this, gesture = history_.gesture()] {
            if (gesture == history_.gesture()) {
                history_.endGesture();
            }
        },
        Qt::QueuedConnection);
}

} // namespace pollard::app
