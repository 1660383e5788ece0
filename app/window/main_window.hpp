#pragma once

#include "engine/engine_registry.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"

#include <QMainWindow>
#include <QStringList>
#include <QWindow>

namespace pollard::app {

class Actions;
class Canvas;
class ImageArea;
class WindowLook;
class Workspaces;

/// The main window. Creates its parts and connects actions that need a dialog.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// All must outlive the window.
    MainWindow(Models& models, const EngineRegistry& registry, ErrorPresenter& errors, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens an image, a session or a recipe, or a folder as openFolder(); errors are presented.
    void openFile(const QString& path);

    [[nodiscard]] Actions& actionList() noexcept { return *actions_; }
    [[nodiscard]] Workspaces& workspaces() noexcept { return *workspaces_; }
    [[nodiscard]] WindowLook& look() noexcept { return *look_; }
    /// Null without usable OpenGL; canvasProblem() has the reason.
    [[nodiscard]] Canvas* canvas() const;
    [[nodiscard]] QString canvasProblem() const;

signals:
    void canvasFailed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Asks for one of the images that a file lists, and opens the image.
    void openChosen(const QString& path);
    /// Asks for a folder and for one of its images, and opens the image.
    void openFolder();
    /// Asks for one of the images among files and folders, and opens the image.
    void openFrom(const QStringList& places);
    void connectDialogs();
    /// Points out the workspace of volumes when the first volume is open.
    void offerVolumeViews();
    void showTitle();
    void onVisibilityChanged(QWindow::Visibility visibility);

    Models& models_;
    const EngineRegistry& registry_;
    ErrorPresenter& errors_;
    Actions* actions_;
    Workspaces* workspaces_ = nullptr;
    WindowLook* look_ = nullptr;
    ImageArea* area_ = nullptr;
    bool hasLeft_ = false; ///< the work has been kept, saved or discarded
};

} // namespace pollard::app
