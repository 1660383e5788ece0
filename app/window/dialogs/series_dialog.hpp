#pragma once

#include "vm/document/series_list.hpp"

#include <QDialog>
#include <QString>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace pollard::app {

/// Lists the DICOM series in a folder and its folders, for a choice. Closing ends the search.
class SeriesDialog : public QDialog {
    Q_OBJECT

public:
    explicit SeriesDialog(const QString& folder, QWidget* parent = nullptr);

    /// A file of the chosen series; empty without one.
    [[nodiscard]] QString file() const;

private:
    void showSeries();

    QString folder_;
    vm::SeriesList list_;
    QTreeWidget* series_;
    QLabel* state_;
    QProgressBar* progress_;
    QPushButton* open_ = nullptr;
};

} // namespace pollard::app
