#pragma once

#include "vm/objects/track_table_model.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ObjectTracksViewModel;
}

namespace pollard::app {

class ElidedLabel;

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
    void tellCurrent();

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
