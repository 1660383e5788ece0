#pragma once

#include "vm/batch/plate_view_model.hpp"

#include <QDialog>
#include <QObject>
#include <QString>
#include <QStringList>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QWidget;

namespace pollard::app {

class Actions;
class ErrorPresenter;
struct Models;

/// Lists the images among files and in folders with their subfolders, for a choice. A single image is accepted at once.
/// Closing ends the search.
class SeriesDialog : public QDialog {
    Q_OBJECT

public:
    /// @param places files and folders
    explicit SeriesDialog(const QStringList& places, QWidget* parent = nullptr);

    /// Result of the dialog if all listed images are chosen for a batch.
    static constexpr int kApplyToAll = 2;

    /// The chosen image, or one of the files of the chosen series; empty if nothing is chosen.
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

/// Opens the dialogs for a document that is too large for the memory, for files without header, and for saving all
/// pages. The dialogs do not block the event loop.
class DocumentDialogs : public QObject {
    Q_OBJECT

public:
    /// All must outlive this; @p window is the parent.
    DocumentDialogs(Models& models, Actions& actions, ErrorPresenter& errors, QWidget& window);

    /// Asks for the layout of the file, then opens it.
    void openRaw(const QString& path);

private:
    void presentFailure(const QString& title, const QString& text);
    void chooseRawFile();
    void chooseTarget();

    Models& models_;
    ErrorPresenter& errors_;
    QWidget& window_;
};

} // namespace pollard::app
