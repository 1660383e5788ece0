#include "lab/lab_window.hpp"

#include "lab/lab_export.hpp"
#include "lab/lab_options.hpp"
#include "lab/lab_panels.hpp"
#include "lab/lab_view.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/help_browser.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "widgets/input_focus.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QList>
#include <QMenu>
#include <QMenuBar>
#include <QProgressDialog>
#include <QScrollArea>
#include <QSplitter>
#include <QStatusBar>
#include <QStyle>
#include <QVBoxLayout>

#include <functional>

namespace pollard::app {
namespace {

constexpr QSize kFirstSize(1240, 780);
constexpr double kLargeLetters = 1.5; ///< factor for the caption, and for all fonts in a lecture
constexpr double kLargestLetters = 2.5;
constexpr int kProgressAfter = 400; ///< ms
constexpr double kSecond = 1000;    ///< ms

QString labFilesText(const char* source) { return QCoreApplication::translate("LabFiles", source); }

LabFrames::Order orderOf(LabWindow& window) {
    const vm::LabPlayerViewModel& player = window.player();
    return {player.recording(), window.palette(), window.font(), static_cast<int>(kSecond / player.speed())};
}

/// Shows progress while frames are written.
void writeFrames(LabWindow& window, ErrorPresenter& errors, const QString& where,
                 const std::function<void(LabFrames&)>& start) {
    auto* progress = new QProgressDialog(labFilesText("Writing steps"), labFilesText("Cancel"), 0,
                                         window.player().stepCount() + 1, &window);
    progress->setObjectName(QStringLiteral("labFramesProgress"));
    progress->setWindowModality(Qt::WindowModal);
    progress->setMinimumDuration(kProgressAfter);
    progress->setAutoReset(false);
    auto* frames = new LabFrames(progress);
    QObject::connect(progress, &QProgressDialog::canceled, frames, &LabFrames::cancel);
    QObject::connect(frames, &LabFrames::progressed, progress, [progress](int number, int all) {
        if (!progress->wasCanceled()) {
            progress->setMaximum(all);
            progress->setValue(number);
        }
    });
    QObject::connect(
        frames, &LabFrames::finished, progress, [progress, &window, &errors, where](int number, const QString& error) {
            progress->deleteLater();
            if (!error.isEmpty()) {
                errors.present(&window, labFilesText("The steps were not all saved"), error);
            } else if (!progress->wasCanceled()) { // a cancelled animation is not written
                showNotice(window, labFilesText("Saved %1 steps to %2").arg(number).arg(QFileInfo(where).fileName()));
            }
        });
    start(*frames);
}

void saveDrawing(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString path = askWhereToSave(window, models,
                                        {labFilesText("Save the state"), labFilesText("SVG drawing (*.svg)"),
                                         QStringLiteral("lab"), QStringLiteral("svg")});
    if (path.isEmpty()) {
        return;
    }
    const QString error = saveStateDrawing(window.scene(), path);
    if (!error.isEmpty()) {
        errors.present(&window, labFilesText("The state was not saved"), error);
    } else {
        showSaved(window, path, models);
    }
}

void saveImages(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString folder = askForFolder(window, models, labFilesText("Folder for the steps"));
    if (!folder.isEmpty() && window.player().recording() != nullptr) {
        writeFrames(window, errors, folder, [&](LabFrames& frames) { frames.startImages(orderOf(window), folder); });
    }
}

void saveAnimation(LabWindow& window, Models& models, ErrorPresenter& errors) {
    const QString path = askWhereToSave(window, models,
                                        {labFilesText("Save the animation"), labFilesText("Animated WebP (*.webp)"),
                                         QStringLiteral("lab"), QStringLiteral("webp")});
    if (!path.isEmpty() && window.player().recording() != nullptr) {
        writeFrames(window, errors, path, [&](LabFrames& frames) { frames.startAnimation(orderOf(window), path); });
    }
}

/// Makes the actions that save a drawing of the state, an image of every state, or an animation.
/// All must outlive the window.
QList<QAction*> makeLabFileActions(LabWindow& window, Models& models, ErrorPresenter& errors) {
    QList<QAction*> actions;
    const auto add = [&](const char* name, const QString& title, const QString& tip, auto save) {
        QAction* action = makeAction({QLatin1String(name), title, tip, {}, {}}, &window);
        QObject::connect(action, &QAction::triggered, &window, [&window, &models, &errors, save] {
            window.player().setPlaying(false);
            save(window, models, errors);
        });
        actions << action;
    };
    add("labSaveDrawing", labFilesText("&Save this state as SVG…"), labFilesText("A drawing of all views, for slides"),
        &saveDrawing);
    add("labSavePictures", labFilesText("Save all steps as &PNG…"), labFilesText("A numbered image of every step"),
        &saveImages);
    add("labSaveAnimation", labFilesText("Save as &animation…"),
        labFilesText("All steps as one animated WebP, at the chosen speed"), &saveAnimation);
    return actions;
}

} // namespace

LabWindow::LabWindow(Models& models, ErrorPresenter& errors, QWidget* parent)
    : QMainWindow(parent), models_(models), errors_(errors), player_(lab_), demonstration_(lab_, player_) {
    setObjectName(QStringLiteral("labWindow"));
    setWindowTitle(tr("Grid lab — Pollard"));
    new LetterSearch(*this);
    auto* middle = new QWidget(this);
    auto* rows = new QVBoxLayout(middle);
    rows->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    rows->setSpacing(kPanelMargin);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(kPanelMargin);
    side_ = makeSide();
    scenes_ = new LabSceneList(demonstration_, middle);
    scenes_->setVisible(false);
    scenes_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Expanding);
    upper->addWidget(side_);
    upper->addWidget(scenes_);
    upper->addWidget(makeViews(), 1);
    rows->addLayout(upper, 1);
    panel_ = new LabPlayerPanel(player_, middle);
    rows->addWidget(panel_);
    setCentralWidget(middle);
    readout_ = new ElidedLabel(this);
    readout_->setObjectName(QStringLiteral("labReadout"));
    statusBar()->addWidget(readout_, 1);
    makeMenus();
    resizeOnScreen(*this, kFirstSize);

    for (const auto signal : {&vm::LabViewModel::focusChanged, &vm::LabViewModel::imageChanged}) {
        connect(&lab_, signal, this, &LabWindow::showReadout);
    }
    connect(&player_, &vm::LabPlayerViewModel::stepChanged, this, &LabWindow::showReadout);
    connect(&player_, &vm::LabPlayerViewModel::recordingChanged, this, &LabWindow::showParts);
    connect(&player_, &vm::LabPlayerViewModel::besideChanged, this, &LabWindow::showBeside);
    connect(&lab_, &vm::LabViewModel::imageChanged, this, [this] { undo_->setEnabled(lab_.canUndo()); });
    connect(&demonstration_, &vm::DemonstrationViewModel::activeChanged, this, &LabWindow::showDemonstration);
    const auto crop = [this] { image_->setCropPossible(models_.document.hasImage()); };
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, crop);
    crop();
    showParts();
    showReadout();
    views_.front()->setFocus();
}

QWidget* LabWindow::makeSide() {
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("labSide"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Expanding);
    auto* side = new QWidget(scroll);
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, kPanelSpacing, 0);
    rows->setSpacing(kPanelMargin);
    rows->addWidget(new LabOptions(player_, side));
    rows->addWidget(new Divider(side));
    image_ = new LabImageControls(lab_, side);
    connect(image_, &LabImageControls::cropWanted, this, &LabWindow::takeCrop);
    rows->addWidget(image_);
    rows->addStretch();
    scroll->setWidget(side);
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, scroll);
    const auto fit = [scroll, side, bar] { scroll->setMinimumWidth(side->minimumSizeHint().width() + bar); };
    connect(&player_, &vm::LabPlayerViewModel::specChanged, scroll, fit, Qt::QueuedConnection);
    fit();
    return scroll;
}

QWidget* LabWindow::makePart(LabPart part) {
    auto* frame = new QWidget(this);
    auto* rows = new QVBoxLayout(frame);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing / 2);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(0, 0, kPanelSpacing, 0);
    heading->addWidget(new SectionLabel(titleOf(part), frame));
    heading->addStretch();
    auto* view = new LabView(part, lab_, player_, frame);
    if (part == LabPart::parents) {
        auto* indices = new QCheckBox(tr("As indices"), frame);
        indices->setObjectName(QStringLiteral("labIndices"));
        explain(indices, tr("As indices"), tr("Write the parent of each pixel into its cell instead of an arrow"));
        connect(indices, &QCheckBox::toggled, view, &LabView::setIndices);
        heading->addWidget(indices);
    }
    rows->addLayout(heading);
    rows->addWidget(view, 1);
    views_ << view;
    frames_ << frame;
    return frame;
}

QWidget* LabWindow::makeViews() {
    auto* both = new QSplitter(Qt::Vertical, this);
    both->setChildrenCollapsible(false);
    upper_ = new QSplitter(Qt::Horizontal, both);
    auto* lower = new QSplitter(Qt::Horizontal, both);
    for (QSplitter* each : {upper_, lower}) {
        each->setChildrenCollapsible(false);
    }
    for (const LabPart part : {LabPart::image, LabPart::parents, LabPart::result, LabPart::tree}) {
        upper_->addWidget(makePart(part));
    }
    auto* code = new QWidget(lower);
    auto* rows = new QVBoxLayout(code);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing / 2);
    rows->addWidget(new SectionLabel(tr("Pseudo-code"), code));
    rows->addWidget(new LabCode(player_, code), 1);
    lower->addWidget(code);
    lower->addWidget(makePart(LabPart::table));
    lower->addWidget(makePart(LabPart::words));
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 1);
    return both;
}

void LabWindow::makeMenus() {
    QMenu* lab = menuBar()->addMenu(tr("&Lab"));
    undo_ = makeAction({QStringLiteral("labUndoAction"),
                        tr("&Undo"),
                        tr("Undo the last change of the image"),
                        QStringLiteral("undo"),
                        {QKeySequence(QKeySequence::Undo)}},
                       this);
    undo_->setEnabled(false);
    connect(undo_, &QAction::triggered, &lab_, &vm::LabViewModel::undo);
    QAction* close = makeAction(
        {QStringLiteral("labClose"), tr("&Close"), tr("Close the grid lab"), {}, {QKeySequence(QKeySequence::Close)}},
        this);
    connect(close, &QAction::triggered, this, &QWidget::close);
    lab->addAction(undo_);
    lab->addSeparator();
    lab->addActions(makeLabFileActions(*this, models_, errors_));
    lab->addSeparator();
    QAction* help = makeAction(
        {QStringLiteral("labHelp"), tr("&Help"), tr("How to use the grid lab"), {}, {QKeySequence(Qt::Key_F1)}}, this);
    connect(help, &QAction::triggered, this, &LabWindow::showHelp);
    lab->addActions({help, close});
    menuBar()->addMenu(makeDemonstrationMenu());
}

QMenu* LabWindow::makeDemonstrationMenu() {
    auto* menu = new QMenu(tr("&Demonstration"), this);
    menu->setToolTipsVisible(true);
    demonstrate_ =
        makeAction({QStringLiteral("labDemonstrate"),
                    tr("&Full screen with scenes"),
                    tr("Large type and prepared scenes; Page Down steps forward, Page Up back, with Ctrl to the "
                       "next and the previous scene; Esc ends it"),
                    {},
                    {QKeySequence(Qt::Key_F11), QKeySequence(Qt::Key_F5)},
                    true},
                   this);
    connect(demonstrate_, &QAction::triggered, &demonstration_, &vm::DemonstrationViewModel::setActive);
    QAction* open = makeAction(
        {QStringLiteral("labOpenScenes"), tr("&Open scenes…"), tr("Read prepared scenes from a JSON file"), {}, {}},
        this);
    connect(open, &QAction::triggered, this, &LabWindow::openScenes);
    QAction* copy = makeAction({QStringLiteral("labCopyScene"),
                                tr("Copy as &scene"),
                                tr("This state as JSON on the clipboard, for a file of scenes"),
                                {},
                                {}},
                               this);
    connect(copy, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(demonstration_.presentScene()));
        showNotice(*this, tr("The scene is on the clipboard"));
    });
    menu->addActions({demonstrate_, open, copy});
    return menu;
}

void LabWindow::showHelp() {
    auto* browser = findChild<HelpBrowser*>();
    if (browser == nullptr) {
        browser = new HelpBrowser(this);
    }
    browser->show();
    browser->raise();
    browser->activateWindow();
    browser->showPage(QStringLiteral("teach"));
}

void LabWindow::openScenes() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open scenes"), models_.settings.lastDirectory(),
                                                      tr("Scenes (*.json);;All files (*)"));
    if (path.isEmpty()) {
        return;
    }
    models_.settings.setLastDirectory(QFileInfo(path).absolutePath());
    const QString problem = demonstration_.load(path);
    if (!problem.isEmpty()) {
        errors_.present(this, tr("The scenes were not opened"), problem);
    }
}

void LabWindow::showDemonstration() {
    const bool active = demonstration_.isActive();
    demonstrate_->setChecked(active);
    side_->setVisible(!active);
    scenes_->setVisible(active);
    for (LabView* view : views_) {
        view->setPaintable(!active); // a click during a lecture is a gesture
    }
    menuBar()->setVisible(!active);
    statusBar()->setVisible(!active);
    // One by one: with style sheets fonts are not inherited.
    const double size = QApplication::font().pointSizeF() * (active ? kLargeLetters : 1);
    for (QWidget* each : centralWidget()->findChildren<QWidget*>()) {
        QFont letters = each->font();
        letters.setPointSizeF(size);
        each->setFont(letters);
    }
    panel_->setLetters(active ? kLargestLetters : kLargeLetters);
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, active));
    views_.front()->setFocus();
}

LabScene LabWindow::scene() const { return {lab_.image(), player_.recording(), player_.cursor(), palette(), font()}; }

void LabWindow::takeCrop() {
    if (models_.document.hasImage()) {
        const vm::ProbeViewModel& probe = models_.probe;
        const QPoint centre = probe.isValid() ? QPoint(probe.x(), probe.y()) : models_.display.centre().toPoint();
        lab_.takeCrop(*models_.document.image(), centre);
    }
}

void LabWindow::showParts() {
    for (int i = 0; i < views_.size(); ++i) {
        frames_[i]->setVisible(hasPart(player_.recording().get(), views_[i]->part()));
    }
}

void LabWindow::showBeside() {
    delete beside_;
    beside_ = nullptr;
    if (player_.beside() >= 0) {
        beside_ = new LabBeside(lab_, player_, upper_);
        for (QWidget* each : beside_->findChildren<QWidget*>()) {
            each->setFont(views_.front()->font());
        }
        upper_->insertWidget(1, beside_);
    }
}

void LabWindow::showReadout() { readout_->setFullText(player_.readout(lab_.focus())); }

void LabWindow::closeEvent(QCloseEvent* event) {
    player_.setPlaying(false);
    demonstration_.setActive(false);
    QMainWindow::closeEvent(event);
}

void LabWindow::keyPressEvent(QKeyEvent* event) {
    const bool changesScene = event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp;
    if (demonstration_.isActive() && changesScene && event->modifiers() == Qt::ControlModifier) {
        demonstration_.show(demonstration_.current() + (event->key() == Qt::Key_PageDown ? 1 : -1));
        return;
    }
    if (event->modifiers() != Qt::NoModifier) {
        QMainWindow::keyPressEvent(event);
        return;
    }
    const bool active = demonstration_.isActive();
    switch (event->key()) {
    case Qt::Key_Space:
        player_.togglePlaying();
        break;
    case Qt::Key_PageDown:
        active ? demonstration_.forward() : player_.stepForward();
        break;
    case Qt::Key_PageUp:
        active ? demonstration_.back() : player_.stepBack();
        break;
    case Qt::Key_Home:
        player_.toStart();
        break;
    case Qt::Key_End:
        player_.toEnd();
        break;
    case Qt::Key_Escape:
        demonstration_.setActive(false);
        break;
    default:
        QMainWindow::keyPressEvent(event);
    }
}

} // namespace pollard::app
