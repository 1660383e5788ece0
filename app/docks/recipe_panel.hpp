#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class RecipeViewModel;
}

namespace pollard::app {

class ElidedLabel;

/// The steps of the current work, earlier filters first, as a recipe records them: a list with check boxes and an
/// editor for the text of the selected step.
class RecipePanel : public QWidget {
    Q_OBJECT

public:
    /// @param recipe must outlive this
    explicit RecipePanel(vm::RecipeViewModel& recipe, QWidget* parent = nullptr);

signals:
    void loadRequested();
    void saveRequested();
    void copyCommandLineRequested();
    void copyPythonRequested();

private:
    void addName(QLayout& layout);
    void addButtons(QLayout& layout);
    void addEditor(QLayout& layout);
    void showRecipe();
    void showStep();
    void applyStep();
    void showButtons();
    /// Moves the selected filter up (-1) or down (1).
    void moveStep(int by);
    void showProblem(const QString& problem);
    [[nodiscard]] int currentRow() const;

    vm::RecipeViewModel& recipe_;
    QLineEdit* name_;
    QListView* steps_;
    QPlainTextEdit* text_;
    ElidedLabel* problem_;
    QPushButton* apply_;
    QToolButton* up_;
    QToolButton* down_;
    QToolButton* remove_;
    QToolButton* load_;
    QToolButton* save_;
    QToolButton* copy_;
    int shownRow_ = -1;
    QString shownText_; ///< of the step, before edits
};

} // namespace pollard::app
