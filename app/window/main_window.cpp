#include "window/main_window.hpp"

#include "canvas/canvas.hpp"
#include "canvas/gl_surface.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "docks/stack_controls.hpp"
#include "io/image_file.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/notices.hpp"
#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "vm/display/image_detail.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "widgets/couple.hpp"
#include "widgets/input_focus.hpp"
#include "window/actions.hpp"
#include "window/dialogs/batch_dialog.hpp"
#include "window/dialogs/chunk_filter_dialog.hpp"
#include "window/dialogs/document_dialogs.hpp"
#include "window/dialogs/leave_question.hpp"
#include "window/dialogs/plate_dialog.hpp"
#include "window/dialogs/preferences_dialog.hpp"
#include "window/dialogs/tune_dialog.hpp"
#include "window/files/data_menu.hpp"
#include "window/files/document_files.hpp"
#include "window/files/export_view.hpp"
#include "window/files/panel_files.hpp"
#include "window/files/session_files.hpp"
#include "window/image_area.hpp"
#include "window/menus/help_menu.hpp"
#include "window/menus/menus.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"
#include "window/status_line.hpp"
#include "window/window_look.hpp"
#include "window/workspaces.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLocale>
#include <QStatusBar>
#include <QVBoxLayout>

#include <utility>

namespace pollard::app {
namespace {

constexpr auto kVolumeWorkspace = "volume";
constexpr auto kVolumeOffered = "volumeViews/offered";

} // namespace

MainWindow::MainWindow(Models& models, const EngineRegistry& registry, ErrorPresenter& errors, QWidget* parent)
    : QMainWindow(parent), models_(models), registry_(registry), errors_(errors), actions_(new Actions(models, this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    new LetterSearch(*this);
    new ModalFocus(this);
    new EditGestures(models_.history, this);
    new WheelFocus(this); // before the gestures, which must not handle scrolling
    area_ = new ImageArea(models_, *actions_, openGlProblem(), this);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(area_, 1);
    area_->setAccessibleName(tr("Image"));
    auto* stack = new StackControls(models_.stack, models_.document, centre);
    column->addWidget(stack);
    stack->setAccessibleName(tr("Positions in the stack"));
    setCentralWidget(centre);
    setStatusBar(new StatusLine(models_, this)); // before the panels, which add to it
    addPanels(*this, models_, *actions_->canvas, errors_);
    const auto volumeView = [this](const char* panel, const QString& toolTip) {
        auto* action = findChild<QDockWidget*>(QLatin1String(panel) + QStringLiteral("Dock"))->toggleViewAction();
        action->setIcon(themedIcon(QLatin1String(panel)));
        action->setToolTip(toolTip);
        return action;
    };
    auto* const sections = volumeView("orthogonal", QString());
    const auto nameSections = [this, sections] {
        const auto info = models_.document.imageInfo();
        sections->setToolTip(
            tr("See the volume from the side, too: the sections %1 and %2")
                .arg(vm::planeName(info.get(), VolumeAxis::y), vm::planeName(info.get(), VolumeAxis::x)));
    };
    follow(sections, nameSections, models_.document, &vm::DocumentViewModel::imageChanged);
    stack->setVolumeViews(sections,
                          volumeView("rendering", tr("See the volume in space: projections and volume rendering")));
    workspaces_ = new Workspaces(*this, models_.settings);
    connect(workspaces_, &Workspaces::shown, area_,
            [this](const QString& name) { area_->setVolumeViews(name == QLatin1String(kVolumeWorkspace)); });
    connect(&models_.document, &vm::DocumentViewModel::imageChanged, this, &MainWindow::offerVolumeViews);
    addToolBar(new MainToolBar(*actions_, models_, registry_, this));
    buildMenus(*this, *actions_, *workspaces_, models_);
    addTeachMenu(*this, models_, registry_, errors_);
    addHelpMenu(*this, *actions_, models_, registry_);
    addDocumentFiles(*this, models_, errors_, area_->canvas(), area_->overlays());
    addSessionFiles(*this, models_, errors_);
    addPasteAndPrint(*this, models_, errors_, area_->canvas(), area_->overlays());
    addLeaveQuestion(*this, models_, errors_);
    addDataMenus(*this, models_, errors_);
    addBatch(*this, models_, registry_);
    addTune(*this, models_, registry_);
    addPlate(*this, models_);
    addChunkFilter(*this, models_, *actions_->filterWhole, errors_);
    connectDialogs();
    look_ = new WindowLook(*this, *workspaces_, models_.settings, errors_);
    look_->restore();
    showTitle();
}

MainWindow::~MainWindow() {
    // QWidget closes the native window after the destructor of MainWindow.
    if (QWindow* native = windowHandle()) {
        disconnect(native, nullptr, this, nullptr);
    }
}

Canvas* MainWindow::canvas() const { return area_->canvas(); }
QString MainWindow::canvasProblem() const { return area_->problem(); }

void MainWindow::connectDialogs() {
    using Document = vm::DocumentViewModel;
    connect(&models_.document, &Document::imageChanged, this, [this] {
        for (AttributeButton* const button : findChildren<AttributeButton*>()) {
            button->refresh(); // volumes have other names for some attributes
        }
    });
    connect(actions_->open, &QAction::triggered, this, [this] {
        const QString path = askForImage(*this, models_);
        if (!path.isEmpty()) {
            openChosen(path);
        }
    });
    connect(actions_->openFolder, &QAction::triggered, this, &MainWindow::openFolder);
    connect(actions_->save, &QAction::triggered, this, [this] {
        const ResultTarget target = askWhereToSaveResult(*this, models_, canvas() != nullptr);
        if (target.asShown) {
            saveAsShown(*this, models_, errors_, *canvas(), target.path);
        } else if (!target.path.isEmpty()) {
            models_.document.saving().saveFiltered(target.path);
        }
    });
    if (area_->canvas() != nullptr) {
        connect(new ReturnToImage(*this, *canvas(), this), &ReturnToImage::letterDropped, this,
                [this] { showNotice(*this, tr("The image has the focus: after a pause, letters are commands")); });
        canvas()->addAction(actions_->flip); // its key works only in the image
        connect(&models_.region, &vm::RegionViewModel::toolChanged, this, [this] {
            if (models_.region.isDrawingOnce()) {
                canvas()->setFocus(); // keys work while drawing
            }
        });
        connect(actions_->canvas->copyView, &QAction::triggered, this, [this] {
            copyView(*area_->canvas(), *area_->overlays());
            showNotice(*this, tr("View copied"));
        });
        connect(actions_->canvas->exportView, &QAction::triggered, this,
                [this] { exportView(*this, models_, errors_, *area_->canvas(), *area_->overlays()); });
    } else { // without a canvas
        actions_->canvas->copyView->setVisible(false);
        actions_->canvas->exportView->setVisible(false);
    }
    const vm::ImageDetail& detail = models_.display.detail();
    connect(&detail, &vm::ImageDetail::changed, this, [this, &detail, shown = QString()]() mutable {
        if (std::exchange(shown, detail.problem()) != detail.problem() && !shown.isEmpty()) {
            errors_.present(this, tr("The finer levels of the image were not read"), shown);
        }
    });
    connectObjectFiles(*this, models_, errors_);
    connectContourFiles(*this, models_, errors_, area_->canvas(), area_->overlays());
    presentErrors(*this, errors_, *findChild<vm::PresetViewModel*>(), &vm::PresetViewModel::failed);
    if (auto* stale = findChild<vm::StaleFilter*>()) {
        connect(findChild<vm::PresetViewModel*>(), &vm::PresetViewModel::sampleOpening, stale,
                &vm::StaleFilter::expect);
    }
    connect(&models_.earlier, &vm::EarlierFilters::failed, this,
            [this](const QString& why) { errors_.present(this, tr("The filter cannot be followed by another"), why); });
    connectRegionFiles(*this, models_, errors_, *actions_->canvas);
    connect(actions_->quit, &QAction::triggered, this, &QWidget::close);
    connect(actions_->nextPart, &QAction::triggered, this, [this] { focusPart(*this, 1); });
    connect(actions_->previousPart, &QAction::triggered, this, [this] { focusPart(*this, -1); });
    connect(actions_->fullScreen, &QAction::triggered, this,
            [this](bool full) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, full)); });
    connect(actions_->preferences, &QAction::triggered, this,
            [this] { (new PreferencesDialog(models_, registry_, this))->show(); });
    const auto move = [this] { applyMotion(*this, models_.settings.hasReducedMotion()); };
    connect(&models_.settings, &vm::SettingsViewModel::reducedMotionChanged, this, move);
    move();
    connect(area_, &ImageArea::fileChosen, this, &MainWindow::openChosen);
    connect(area_, &ImageArea::sampleChosen, this, [this](const QString& file) { openSample(*this, models_, file); });
    connect(area_, &ImageArea::canvasFailed, this, &MainWindow::canvasFailed);
    connect(&models_.settings, &vm::SettingsViewModel::themeChanged, this,
            [this] { applyTheme(models_.settings.theme()); });

    Document& document = models_.document;
    new DocumentDialogs(models_, *actions_, errors_, *this); // reports errors, too
    showNotices(*this, document);
    showSaves(*this, models_, document.saving());
    connect(&document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(&models_.sessions, &vm::SessionViewModel::opened, this, &MainWindow::showTitle);
    connect(&models_.sessions, &vm::SessionViewModel::modifiedChanged, this, &MainWindow::showTitle);
}

void MainWindow::offerVolumeViews() {
    if (models_.document.isVolume() && !models_.store.value(kVolumeOffered, false).toBool()) {
        models_.store.setValue(kVolumeOffered, true);
        if (workspaces_->current() != QLatin1String(kVolumeWorkspace)) {
            showNotice(*this, tr("The workspace Volume at the left shows a volume from three sides and in space"));
        }
    }
}

void MainWindow::openFile(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir() && !isZarrFolder(info.filesystemFilePath())) {
        openFrom({path});
    } else if (!info.isDir() && info.suffix().toLower() == QLatin1String("json") &&
               info.fileName() != QLatin1String("zarr.json")) {
        findChild<vm::RecipeFiles*>()->load(path);
    } else {
        models_.openFile(path);
    }
}

void MainWindow::openFolder() {
    if (const QString folder = askForFolder(*this, models_, tr("Open folder")); !folder.isEmpty()) {
        openChosen(folder);
    }
}

void MainWindow::openFrom(const QStringList& places) {
    auto* dialog = new SeriesDialog(places, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, [this, dialog, places](int result) {
        if (result == SeriesDialog::kApplyToAll) {
            showBatch(*this, models_, registry_, places);
        } else if (result == QDialog::Accepted && !dialog->file().isEmpty()) {
            openChosen(dialog->file());
        }
    });
    dialog->open();
}

void MainWindow::openChosen(const QString& path) {
    const QString image = askForImage(*this, path);
    if (!image.isEmpty()) {
        openFile(image);
    }
}

void MainWindow::showTitle() {
    const vm::DocumentViewModel& document = models_.document;
    setWindowTitle(document.hasImage() ? QStringLiteral("%1[*] — Pollard").arg(document.title())
                                       : QStringLiteral("Pollard"));
    setWindowFilePath(QString());
    setWindowModified(models_.sessions.isModified());
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    connect(windowHandle(), &QWindow::visibilityChanged, this, &MainWindow::onVisibilityChanged, Qt::UniqueConnection);
    models_.display.compare().setVisible(true);
}

void MainWindow::onVisibilityChanged(QWindow::Visibility visibility) {
    // Blinking pauses while the window is invisible.
    models_.display.compare().setVisible(visibility != QWindow::Hidden && visibility != QWindow::Minimized);
}

void MainWindow::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    models_.display.compare().setVisible(false);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QStringList files = localFiles(*event->mimeData());
    if (files.isEmpty()) {
        showNotice(*this, tr("Only files and folders of this computer can be dropped here"));
        return;
    }
    event->acceptProposedAction();
    statusBar()->showMessage(files.size() == 1
                                 ? tr("Drop %1 to open it").arg(QFileInfo(files.constFirst()).fileName())
                                 : tr("Drop %1 files to choose one").arg(QLocale().toString(files.size())));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
    statusBar()->clearMessage();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = localFiles(*event->mimeData());
    if (!files.isEmpty()) {
        statusBar()->clearMessage();
        event->acceptProposedAction();
        files.size() == 1 ? openChosen(files.constFirst()) : openFrom(files);
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool asks = !std::exchange(hasLeft_, false);
    if (asks && (!mayStopBatch(*this) || !mayInterruptChunkFilter(*this, models_.chunkFilter))) {
        event->ignore();
        return;
    }
    if (asks && !models_.leave.isFree()) {
        event->ignore();
        models_.leave.leave(this, [this] {
            hasLeft_ = true;
            close();
        });
        return;
    }
    look_->store();
    models_.leave.finish();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) { // may come from the window manager
        actions_->fullScreen->setChecked(isFullScreen());
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cancel) && isFullScreen()) {
        actions_->fullScreen->trigger();
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

} // namespace pollard::app
