#pragma once

#include "vm/batch/chunk_filter_view_model.hpp"

#include <QDialog>

class QAction;
class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QMainWindow;
class QPushButton;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// States what a filter of the whole image does, and asks for the file of the result.
class ChunkFilterDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models must outlive this
    ChunkFilterDialog(Models& models, vm::ChunkFilterPlan plan, QWidget* parent = nullptr);

    [[nodiscard]] const vm::ChunkFilterPlan& plan() const noexcept { return plan_; }
    /// The named file, with the suffix of TIFF files unless it has one.
    [[nodiscard]] QString target() const;
    /// Whether interrupted work on this file is to be continued.
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

/// Before the program ends: whether no whole image is being filtered, or the answer to a question is that this may be
/// interrupted. Blocks until answered.
[[nodiscard]] bool mayInterruptChunkFilter(QMainWindow& window, vm::ChunkFilterViewModel& whole);

} // namespace pollard::app
