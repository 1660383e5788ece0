#pragma once

#include "vm/batch/series_list.hpp"

#include <QDialog>
#include <QString>
#include <QStringList>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace pollard::app {

/// Lists the images among files, and in folders and their folders, for a choice; a single one is accepted at once.
/// Closing ends the search.
class SeriesDialog : public QDialog {
    Q_OBJECT

public:
    /// @param places files and folders
    explicit SeriesDialog(const QStringList& places, QWidget* parent = nullptr);

    /// Result of the dialog if all of them are chosen for a batch.
    static constexpr int kApplyToAll = 2;

    /// The chosen image, of a series one of its files; empty without one.
    [[nodiscard]] QString file() const;

private:
    void showSeries();

    QString folder_; ///< empty for several places
    vm::SeriesList list_;
    QTreeWidget* series_;
    QLabel* state_;
    QProgressBar* progress_;
    QPushButton* open_ = nullptr;
};

} // namespace pollard::app
