#include "lab/exercise_dialog.hpp"

#include "lab/exercise_sheet.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace pollard::app {
namespace {

constexpr int kMostExercises = 60;
constexpr int kUsual = 6;

} // namespace

ExerciseDialog::ExerciseDialog(Models& models, ErrorPresenter& errors, QWidget* parent)
    : QDialog(parent), models_(models), errors_(errors), seed_(new QSpinBox(this)), count_(new QSpinBox(this)),
      answers_(new QCheckBox(tr("With the answers"), this)) {
    setObjectName(QStringLiteral("exerciseDialog"));
    setWindowTitle(tr("Exercises"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* rows = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    seed_->setObjectName(QStringLiteral("exerciseSeed"));
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setValue(1);
    explain(seed_, tr("Sheet"), tr("The same number gives the same exercises again"));
    count_->setObjectName(QStringLiteral("exerciseCount"));
    count_->setRange(1, kMostExercises);
    count_->setValue(kUsual);
    explain(count_, tr("Exercises"), tr("Number of exercises"));
    form->addRow(tr("Sheet"), seed_);
    form->addRow(tr("Exercises"), count_);
    answers_->setObjectName(QStringLiteral("exerciseAnswers"));
    explain(answers_, tr("With the answers"), tr("Write the answers into the cells"));
    form->addRow(answers_);
    rows->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* save = buttons->addButton(tr("Save as PDF…"), QDialogButtonBox::ActionRole);
    save->setObjectName(QStringLiteral("exerciseSave"));
    buttons->button(QDialogButtonBox::Close)->setDefault(true); // Return must not save
    rows->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(save, &QPushButton::clicked, this, &ExerciseDialog::save);
}

void ExerciseDialog::save() {
    const QString ending =
        answers_->isChecked() ? QStringLiteral("exercises_%1_answers") : QStringLiteral("exercises_%1");
    const QString path = askWhereToSave(
        *this, models_,
        {tr("Save the exercises"), tr("PDF (*.pdf)"), ending.arg(seed_->value()), QStringLiteral("pdf")});
    if (path.isEmpty()) {
        return;
    }
    const QString problem = saveSheet(
        {static_cast<std::uint32_t>(seed_->value()), static_cast<std::size_t>(count_->value()), answers_->isChecked()},
        path);
    if (!problem.isEmpty()) {
        errors_.present(this, tr("The exercises were not saved"), problem);
    }
}

} // namespace pollard::app
