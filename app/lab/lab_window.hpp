#pragma once

#include "lab/lab_scene.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_view_model.hpp"

#include <QList>
#include <QMainWindow>

class QAction;
class QMenu;
class QSplitter;

namespace pollard::app {

class ElidedLabel;
class ErrorPresenter;
class LabBeside;
class LabImageControls;
class LabPlayerPanel;
class LabSceneList;
class LabView;
struct Models;

/// The grid lab: an image of a few pixels to paint, its parent image and its tree, and step-by-step playback of an
/// algorithm that builds them.
class LabWindow : public QMainWindow {
    Q_OBJECT

public:
    /// @param models,errors must outlive this
    LabWindow(Models& models, ErrorPresenter& errors, QWidget* parent);

    [[nodiscard]] vm::LabViewModel& lab() noexcept { return lab_; }
    [[nodiscard]] vm::LabPlayerViewModel& player() noexcept { return player_; }

    [[nodiscard]] vm::DemonstrationViewModel& demonstration() noexcept { return demonstration_; }
    /// Input of drawings of the current state, without a highlighted pixel.
    [[nodiscard]] LabScene scene() const;

    /// Takes a crop of the image in the main window: around the pixel under the pointer, else in the middle of the
    /// view.
    void takeCrop();

protected:
    /// Stops playback and ends a lecture.
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeSide();
    QWidget* makeViews();
    QWidget* makePart(LabPart part);
    void makeMenus();
    QMenu* makeDemonstrationMenu();
    void showHelp();
    void openScenes();
    void showDemonstration();
    void showParts();
    void showBeside();
    void showReadout();

    Models& models_;
    ErrorPresenter& errors_;
    vm::LabViewModel lab_;
    vm::LabPlayerViewModel player_;
    vm::DemonstrationViewModel demonstration_;
    QWidget* side_ = nullptr;
    QSplitter* upper_ = nullptr;  ///< with the views of the algorithm
    LabBeside* beside_ = nullptr; ///< null: no other algorithm
    LabSceneList* scenes_ = nullptr;
    LabImageControls* image_ = nullptr;
    LabPlayerPanel* panel_ = nullptr;
    ElidedLabel* readout_ = nullptr;
    QList<LabView*> views_;
    QList<QWidget*> frames_; ///< of the views, in the same order
    QAction* undo_ = nullptr;
    QAction* demonstrate_ = nullptr;
};

} // namespace pollard::app
