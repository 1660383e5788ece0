#pragma once

#include "vm/objects/object_export.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DisplayViewModel;
class EditHistory;
class LabelEditViewModel;
class ObjectTableModel;
class ObjectTracksViewModel;
class ObjectsViewModel;
class ScoreViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ConditionField;
class ControlsAndContent;
class ElidedLabel;
class EmptyState;
class ObjectsTable;

/// The objects dock: definition of objects, their table, a condition for its rows, and actions on the selected objects.
class ObjectsPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    ObjectsPanel(vm::ObjectsViewModel& objects, vm::ObjectTableModel& table, vm::ObjectExport& exporter,
                 vm::ObjectTracksViewModel& tracks, vm::LabelEditViewModel& edits, vm::ScoreViewModel& score,
                 vm::DisplayViewModel& display, vm::EditHistory& history, QWidget* parent = nullptr);

    /// Places the parts one above the other instead of side by side.
    void setTall(bool tall);

signals:
    /// Requests saving the listed objects to a file.
    void saveRequested(pollard::vm::ObjectFile file);
    /// Requests saving a table of all features in px.
    void savePixelTableRequested();
    /// Requests saving the tracks to a file.
    void saveTracksRequested();
    /// Requests contours that refine the borders of the chosen objects.
    void refineRequested();
    /// Requests a page of the documentation: "page#heading".
    void helpRequested(const QString& place);

private:
    QLayout* makeHead();
    QLayout* makeCondition();
    void makeMarkButtons(QLayout& head);
    void makeColumnMenu();
    /// Lists the features of objects in images or in volumes.
    void fillColumnMenu();
    void makeSaveMenu();
    void makeUnits();
    void connectModels();
    void showState();
    void showSuggestions();
    void showSummary();
    void showUndo();
    void showCondition();
    void showUnits();
    /// In a tall panel one section is open below the table: the section of @p last if it is open.
    void showSections(QToolButton* last);
    /// Enables and explains the controls that work on images only.
    void showKind();
    void visit(std::uint32_t label);
    [[nodiscard]] QString emptyText() const;

    vm::ObjectsViewModel& objects_;
    vm::ObjectTableModel& table_;
    vm::ObjectExport& exporter_;
    vm::LabelEditViewModel& edits_;
    vm::DisplayViewModel& display_;
    vm::EditHistory& history_;
    ConditionField* condition_;
    QLabel* problem_;
    QToolButton* classes_ = nullptr;
    QToolButton* edit_ = nullptr;
    QToolButton* remove_ = nullptr;
    QToolButton* keep_ = nullptr;
    QToolButton* refine_ = nullptr;
    QString refineText_;
    QToolButton* undo_ = nullptr;
    QToolButton* redo_ = nullptr;
    QToolButton* columns_ = nullptr;
    QList<QAction*> columnActions_;
    bool columnsOfVolumes_ = false;
    QToolButton* chart_ = nullptr;
    QToolButton* followed_ = nullptr;
    QToolButton* scored_ = nullptr;
    QToolButton* save_ = nullptr;
    QAction* saveVector_ = nullptr; ///< disabled for volumes
    QString vectorText_;            ///< tool tip of saveVector_
    QAction* saveLabels_ = nullptr; ///< the first entry for volumes
    QAction* saveOutlines_ = nullptr;
    QComboBox* units_;
    QStackedWidget* pages_;
    ObjectsTable* view_;
    EmptyState* empty_;
    QPushButton* findThreshold_ = nullptr; ///< in empty_, as the next two: actions that lead to rows
    QPushButton* useOriginal_ = nullptr;
    QPushButton* everyRow_ = nullptr;
    ElidedLabel* summary_;
    ControlsAndContent* body_ = nullptr;
    QSplitter* results_; ///< table, chart, tracks and score
};

} // namespace pollard::app
