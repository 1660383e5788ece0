#pragma once

#include "vm/batch/object_tracks_view_model.hpp"

#include <QAbstractItemView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ObjectTableModel;
}

namespace pollard::app {

class ElidedLabel;

/// Gives a table without a grid rows of one line of text each, which are selected as a whole.
void showRows(QTableView& table, QAbstractItemView::SelectionMode mode);

/// The table of objects. Its selection is synchronised with ObjectMarks in both directions. Delete removes the selected
/// objects.
class ObjectsTable : public QTableView {
    Q_OBJECT

public:
    /// @param model must outlive this
    explicit ObjectsTable(vm::ObjectTableModel& model, QWidget* parent = nullptr);

signals:
    /// Requests showing an object: double click or Return on its row.
    void visitRequested(std::uint32_t label);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void sendSelection();
    void showSelection();
    [[nodiscard]] std::uint32_t labelOf(const QModelIndex& index) const;

    vm::ObjectTableModel& model_;
    bool syncing_ = false; ///< while selection and marks are synchronised
};

/// Tracks of objects over the pages: starts and stops tracking and lists the tracks. The current row is the current
/// track.
class TracksPanel : public QWidget {
    Q_OBJECT

public:
    /// @param tracks must outlive this
    explicit TracksPanel(vm::ObjectTracksViewModel& tracks, QWidget* parent = nullptr);

signals:
    /// Requests saving the tracks to a file.
    void saveRequested();

private:
    void makeTable();
    void connectModels();
    void showState();
    void showProgress();
    void showCurrent();
    void sendCurrent();

    vm::ObjectTracksViewModel& tracks_;
    vm::TrackTableModel model_;
    QPushButton* follow_;
    QPushButton* asPages_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QToolButton* save_;
    QStackedWidget* pages_;
    QTableView* view_;
    QLabel* empty_;
    ElidedLabel* summary_;
    bool syncing_ = false; ///< while current row and current track are synchronised
};

} // namespace pollard::app
