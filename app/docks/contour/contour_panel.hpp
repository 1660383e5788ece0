#pragma once

#include "vm/contour/contour_export.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/region/region_view_model.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

#include <array>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

class CaptionLabel;
class ContourTransport;
class ControlsAndContent;
class ElidedLabel;
class EmptyState;
class FollowBar;
struct Models;

/// The contour dock: start, parameters, playback, curves, histograms, runs and files of the region snake. Contours are
/// drawn on the image only while this is visible.
///
/// Space, Left, Right, Home and End play and step while the panel has the focus.
class ContourPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit ContourPanel(Models& models, QWidget* parent = nullptr);

    /// Places the parts one above the other instead of side by side.
    void setTall(bool tall);

signals:
    /// Requests saving the contour to a file.
    void saveRequested(pollard::vm::ContourFile file);
    /// Requests saving a table of the contours of all pages.
    void tableRequested();
    /// Requests saving an image of every state.
    void framesRequested();
    /// Requests reading the forbidden area from an image.
    void maskRequested();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeContent();
    QWidget* makeNumbers();
    QWidget* makeSeries();
    void makeStartActions();
    void makeRuns(QLayout& row);
    void makeSaveMenu();
    void connectModels();
    void draw(vm::RegionViewModel::Tool tool, bool add);
    void drawRectangle(bool add) { draw(vm::RegionViewModel::Tool::rectangle, add); }
    void drawEllipse(bool add) { draw(vm::RegionViewModel::Tool::ellipse, add); }
    void drawPolygon(bool add) { draw(vm::RegionViewModel::Tool::polygon, add); }
    void startInMiddle(bool add);
    void startFromRegion(bool add);
    void startFromShapes(bool add);
    void startFromPick(bool add);
    void startFromSelection(bool add);
    void startFromObjects(bool add);
    void enableStarts();
    void showRuns();
    void showState();
    void showPage();
    void showLine();
    void showNumbers();
    void applyStyle();

    Models& models_;
    vm::ContourViewModel& contours_;
    vm::ContourHistograms histograms_;
    vm::ContourSeries series_;
    QList<QAction*> starts_;      ///< actions that start a new run
    QList<QAction*> adds_;        ///< actions that add contours to the run
    bool addsDrawnShape_ = false; ///< whether the shape being drawn is added to the run
    QToolButton* start_ = nullptr;
    ContourTransport* transport_ = nullptr;
    QComboBox* runs_ = nullptr;
    QToolButton* compare_ = nullptr;
    QToolButton* delete_ = nullptr;
    QToolButton* follow_ = nullptr;
    QToolButton* save_ = nullptr;
    QAction* saveTable_ = nullptr;
    CaptionLabel* areaTitle_ = nullptr;
    ElidedLabel* problem_ = nullptr;
    QWidget* even_ = nullptr; ///< reads the image with even levels; visible if levels are ranks
    ControlsAndContent* body_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QSplitter* charts_ = nullptr;
    QWidget* overPages_ = nullptr; ///< the chart of the series
    FollowBar* followed_ = nullptr;
    EmptyState* empty_ = nullptr;
    QWidget* numbers_ = nullptr;
    ElidedLabel* state_ = nullptr;
    ElidedLabel* energy_ = nullptr;
    ElidedLabel* change_ = nullptr;
    std::array<QLabel*, 2> regionNames_{};          ///< inside, outside
    std::array<std::array<QLabel*, 3>, 2> cells_{}; ///< inside, outside: pixels, mean, variance
};

} // namespace pollard::app
