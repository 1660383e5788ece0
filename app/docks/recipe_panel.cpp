#include "docks/recipe_panel.hpp"

#include "vm/recipe/recipe_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <initializer_list>

namespace pollard::app {
namespace {

constexpr int kStepLines = 5; ///< visible without scrolling
constexpr int kTextLines = 6;

} // namespace

RecipePanel::RecipePanel(vm::RecipeViewModel& recipe, QWidget* parent)
    : QWidget(parent), recipe_(recipe), name_(new QLineEdit(this)), steps_(new QListView(this)),
      text_(new QPlainTextEdit(this)), problem_(new ElidedLabel(this)), apply_(new QPushButton(tr("Apply"), this)),
      up_(makeIconButton(this, "recipeUp", QStringLiteral("parent"), tr("Move the filter up"),
                         tr("Move the selected filter, with its tree and its region, before the one above"))),
      down_(makeIconButton(this, "recipeDown", QStringLiteral("child"), tr("Move the filter down"),
                           tr("Move the selected filter, with its tree and its region, after the one below"))),
      remove_(makeIconButton(
          this, "recipeRemove", QStringLiteral("delete"), tr("Remove the step"),
          tr("Remove the selected step: a region, an earlier filter, the filter of another channel, or all criteria of "
             "the last filter"))),
      load_(makeIconButton(this, "recipeLoad", QStringLiteral("open"), tr("Load a recipe"),
                           tr("Apply a recipe to this image"))),
      save_(makeIconButton(this, "recipeSave", QStringLiteral("save"), tr("Save the recipe"),
                           tr("Save the steps as a recipe for other images (JSON)"))),
      copy_(makeIconButton(this, "recipeCopy", QStringLiteral("duplicate"), tr("Copy as a script"),
                           tr("Copy commands or a Python script that give the same result without a window"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing);
    addName(*layout);
    steps_->setModel(&recipe_);
    steps_->setWordWrap(true);
    steps_->setSpacing(3);
    steps_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    steps_->setMinimumHeight(kStepLines * (steps_->fontMetrics().height() + kPanelSpacing));
    explain(steps_, "recipeSteps", tr("Steps"),
            tr("The steps from the file to the result. Space turns a step on or off; the selected one can be edited "
               "below."));
    layout->addWidget(steps_, 1);
    addButtons(*layout);
    addEditor(*layout);
    connect(steps_->selectionModel(), &QItemSelectionModel::currentChanged, this, &RecipePanel::showStep);
    follow(this, &RecipePanel::showRecipe, recipe_, &vm::RecipeViewModel::changed);
}

void RecipePanel::addName(QLayout& layout) {
    explain(name_, "recipeName", tr("Name of the recipe"), tr("One line, as menus show it"));
    connect(name_, &QLineEdit::editingFinished, this, [this] { recipe_.setName(name_->text()); });
    layout.addWidget(captionFor(name_, tr("&Name of the recipe")));
    layout.addWidget(name_);
}

void RecipePanel::addButtons(QLayout& layout) {
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (QToolButton* button : {up_, down_, remove_}) {
        row->addWidget(button);
    }
    row->addStretch(1);
    for (QToolButton* button : {load_, save_, copy_}) {
        row->addWidget(button);
    }
    connect(up_, &QToolButton::clicked, this, [this] { moveStep(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { moveStep(1); });
    connect(remove_, &QToolButton::clicked, this, [this] { recipe_.remove(currentRow()); });
    connect(load_, &QToolButton::clicked, this, &RecipePanel::loadRequested);
    connect(save_, &QToolButton::clicked, this, &RecipePanel::saveRequested);
    auto* scripts = new QMenu(copy_);
    scripts->addAction(tr("Copy as command line"), this, &RecipePanel::copyCommandLineRequested);
    scripts->addAction(tr("Copy as Python"), this, &RecipePanel::copyPythonRequested);
    copy_->setMenu(scripts);
    copy_->setPopupMode(QToolButton::InstantPopup);
    layout.addWidget(part);
}

void RecipePanel::addEditor(QLayout& layout) {
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setTabChangesFocus(true);
    text_->setMinimumHeight(kTextLines * text_->fontMetrics().lineSpacing());
    explain(text_, "recipeText", tr("Selected step"), tr("The step in a recipe, with its parameters"));
    problem_->setObjectName(QStringLiteral("recipeProblem"));
    explain(apply_, "recipeApply", tr("Apply"), tr("Apply these parameters"));
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        apply_->setEnabled(text_->toPlainText() != shownText_);
        problem_->hide();
    });
    connect(apply_, &QPushButton::clicked, this, &RecipePanel::applyStep);
    layout.addWidget(captionFor(text_, tr("Selected &step")));
    layout.addWidget(text_);
    layout.addWidget(problem_);
    layout.addWidget(apply_);
}

int RecipePanel::currentRow() const { return steps_->currentIndex().row(); }

void RecipePanel::showRecipe() {
    const bool available = recipe_.isAvailable();
    for (QWidget* part : std::initializer_list<QWidget*>{name_, save_, copy_}) {
        part->setEnabled(available);
    }
    if (!name_->hasFocus()) {
        name_->setText(available ? recipe_.name() : QString());
    }
    if (currentRow() < 0 && recipe_.rowCount() > 0) {
        steps_->setCurrentIndex(recipe_.index(recipe_.rowCount() - 1));
    }
    showStep();
}

void RecipePanel::showStep() {
    const QModelIndex current = steps_->currentIndex();
    const QString text = current.data(vm::RecipeViewModel::textRole).toString();
    showButtons();
    text_->setEnabled(current.isValid());
    const bool isEdited = text_->toPlainText() != shownText_;
    if (currentRow() == shownRow_ && (text == shownText_ || isEdited)) {
        return; // keeps text being edited
    }
    shownRow_ = currentRow();
    shownText_ = text;
    const QSignalBlocker quiet(text_);
    text_->setPlainText(text);
    apply_->setEnabled(false);
    problem_->hide();
}

void RecipePanel::showButtons() {
    const int row = currentRow();
    up_->setEnabled(recipe_.canMove(row, -1));
    down_->setEnabled(recipe_.canMove(row, 1));
    remove_->setEnabled(recipe_.canRemove(row));
}

void RecipePanel::moveStep(int by) {
    const int stage = steps_->currentIndex().data(vm::RecipeViewModel::stageRole).toInt();
    const QString problem = recipe_.move(currentRow(), by);
    if (problem.isEmpty()) {
        steps_->setCurrentIndex(recipe_.index(recipe_.filterRow(stage + by)));
    }
    showProblem(problem);
}

void RecipePanel::showProblem(const QString& problem) {
    problem_->setFullText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void RecipePanel::applyStep() {
    const QString problem = recipe_.edit(currentRow(), text_->toPlainText());
    if (problem.isEmpty()) {
        shownRow_ = -1;
        showStep();
    }
    showProblem(problem);
}

} // namespace pollard::app
