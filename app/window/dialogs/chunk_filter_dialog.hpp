#pragma once

#include "vm/batch/chunk_filter_view_model.hpp"

#include <QDialog>
#include <QString>
#include <QWidget>

class QAction;
class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QMainWindow;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Shows a filter of a whole image in the status bar: progress with Cancel, at the end the result with Open.
class ChunkFilterStatus : public QWidget {
    Q_OBJECT

public:
    /// @param whole must outlive this
    ChunkFilterStatus(QMainWindow& window, vm::ChunkFilterViewModel& whole);

signals:
    void openWanted(const QString& path);
    void cancelWanted();

private:
    void showState();

    vm::ChunkFilterViewModel& whole_;
    QLabel* text_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QToolButton* open_;
    QToolButton* close_;
};

/// Explains the filter of a whole image, and asks for the file of the result.
class ChunkFilterDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models must outlive this
    ChunkFilterDialog(Models& models, vm::ChunkFilterPlan plan, QWidget* parent = nullptr);

    [[nodiscard]] const vm::ChunkFilterPlan& plan() const noexcept { return plan_; }
    /// The named file, with the suffix of TIFF files unless it has one.
    [[nodiscard]] QString target() const;
    /// Whether to continue interrupted work on this file.
    [[nodiscard]] bool resumes() const;

private:
    void addFacts(QGridLayout& grid);
    void addMemory(QGridLayout& grid);
    void browse();
    void showTarget();

    Models& models_;
    vm::ChunkFilterPlan plan_;
    QLineEdit* target_;
    QCheckBox* resume_;
    QLabel* note_;
    QPushButton* start_ = nullptr;
};

/// Connects the action with the dialog, and shows progress and result in the status bar. All must outlive the window.
void addChunkFilter(QMainWindow& window, Models& models, QAction& filterWhole, ErrorPresenter& errors);

/// Whether no whole image is being filtered, or the user allows to interrupt the work before the program ends. Blocks
/// until answered.
[[nodiscard]] bool mayInterruptChunkFilter(QMainWindow& window, vm::ChunkFilterViewModel& whole);

} // namespace pollard::app
