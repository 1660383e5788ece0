#pragma once

#include "vm/objects/object_export.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class DisplayViewModel;
class EditHistory;
class ObjectsViewModel;
class ObjectTableModel;
class ObjectTracksViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;
class ObjectsTable;

/// The objects dock: what makes objects, the table of them, a condition for its rows, and what is done with the
/// selected ones. Objects are found only while this is visible.
class ObjectsPanel : public QWidget {
    Q_OBJECT

public:
    /// All of them must outlive this.
    ObjectsPanel(vm::ObjectsViewModel& objects, vm::ObjectTableModel& table, vm::ObjectExport& exporter,
                 vm::ObjectTracksViewModel& tracks, vm::DisplayViewModel& display, vm::EditHistory& history,
                 QWidget* parent = nullptr);

signals:
    /// A person wants to write the listed objects into a file.
    void saveRequested(pollard::vm::ObjectFile file);
    /// The same for a table of all features in px.
    void savePixelTableRequested();
    /// A person wants to write the tracks into a file.
    void saveTracksRequested();
    /// A person wants a contour to find the border of an object more exactly than the threshold does.
    void refineRequested(quint32 label);
    /// A person wants to read a part of the documentation: "page#heading".
    void helpRequested(const QString& place);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeHead(QLayout& head);
    void makeMarkButtons(QLayout& head);
    void makeColumnMenu();
    void makeSaveMenu();
    void makeUnits();
    void connectModels();
    void showState();
    void showSummary();
    void showUndo();
    void showCondition();
    void showUnits();
    void visit(std::uint32_t label);
    [[nodiscard]] QString emptyText() const;

    vm::ObjectsViewModel& objects_;
    vm::ObjectTableModel& table_;
    vm::ObjectExport& exporter_;
    vm::DisplayViewModel& display_;
    vm::EditHistory& history_;
    QLineEdit* condition_;
    QLabel* conditionUnit_; ///< of its numbers without one
    ElidedLabel* problem_;
    QToolButton* remove_ = nullptr;
    QToolButton* keep_ = nullptr;
    QToolButton* refine_ = nullptr;
    QToolButton* undo_ = nullptr;
    QToolButton* redo_ = nullptr;
    QToolButton* columns_ = nullptr;
    QToolButton* chart_ = nullptr;
    QToolButton* followed_ = nullptr;
    QToolButton* save_ = nullptr;
    QComboBox* units_;
    QStackedWidget* pages_;
    ObjectsTable* view_;
    QLabel* empty_;
    ElidedLabel* summary_;
};

} // namespace pollard::app
