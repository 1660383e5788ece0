#pragma once

#include "vm/batch/batch_view_model.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

class QBoxLayout;
class QFormLayout;
class QMainWindow;

namespace pollard {
class EngineRegistry;
} // namespace pollard

namespace pollard::vm {
class PresetViewModel;
class RecipeViewModel;
} // namespace pollard::vm

namespace pollard::app {

struct Models;

/// Applies the present recipe, a preset or a recipe file to many files. Shows the list of files, the options, the
/// progress and the results.
class BatchDialog : public QDialog {
    Q_OBJECT

public:
    /// @param recipe of the open image
    /// @param registry,models,recipe must outlive this
    BatchDialog(const EngineRegistry& registry, Models& models, const vm::RecipeViewModel& recipe,
                const vm::PresetViewModel& presets, QWidget* parent = nullptr);

    /// Adds files, and the images of folders, unless a batch is running.
    void add(const QStringList& inputs) { batch_.addInputs(inputs); }
    /// Cancels a running batch; closes the dialog if no batch is running.
    void reject() override;
    /// Asks whether to stop a running batch before the program ends. Blocks until answered.
    [[nodiscard]] bool mayStop();
    /// Cancels a running batch.
    void stop() { batch_.cancel(); }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addFiles(QBoxLayout& layout);
    void addChoices(QBoxLayout& layout);
    void addUnit(QFormLayout& form);
    void addEnd(QBoxLayout& layout);
    void fillSources(const vm::PresetViewModel& presets);
    /// Offers the steps of the open image, if there is one.
    void followImage();
    void takeSource();
    void loadRecipe();
    void chooseFolder();
    void chooseFiles();
    void chooseTarget();
    void openResult(int row);
    /// Whether the first source, the work on the open image, is chosen.
    [[nodiscard]] bool listsOpenImage() const;
    [[nodiscard]] bool usesOpenImage() const;
    [[nodiscard]] int currentRow() const;
    void showState();

    Models& models_;
    const vm::RecipeViewModel& recipe_;
    vm::BatchViewModel batch_;
    QLabel* count_;
    QTableView* files_;
    QComboBox* source_;
    QLineEdit* target_;
    QCheckBox* resume_;
    QCheckBox* pixelSize_;
    QComboBox* unit_;
    QLabel* joined_;
    QProgressBar* progress_;
    QLabel* problem_;
    QPushButton* open_;
    QPushButton* openTable_;
    QPushButton* showFolder_;
    QPushButton* start_;
    QPushButton* close_;
};

/// The engines that the settings allow. All must outlive the result.
[[nodiscard]] vm::BatchViewModel::Engines enginesOf(const EngineRegistry& registry, const Models& models);

/// Shows the dialog, or brings it forward. @param inputs files and folders to add. All must outlive the window.
void showBatch(QMainWindow& window, Models& models, const EngineRegistry& registry, const QStringList& inputs = {});

/// Whether no batch is running, or the user allows to stop the batch.
[[nodiscard]] bool mayStopBatch(const QMainWindow& window);

/// Adds the dialog to the File menu. All must outlive the window.
void addBatch(QMainWindow& window, Models& models, const EngineRegistry& registry);

} // namespace pollard::app
