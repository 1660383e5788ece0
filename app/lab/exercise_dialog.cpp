#include "lab/exercise_dialog.hpp"

#include "lab/lab_painters.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/lab/lab_recording.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <span>

namespace pollard::app {
namespace {

constexpr int kResolution = 300; ///< dots per inch
constexpr double kPerPoint = 300. / 72;
constexpr int kPerPage = 3;    ///< exercises
constexpr double kMargin = 15; ///< mm
constexpr int kLetters = 11;   ///< points
constexpr double kAxes = 0.16; ///< fraction of a grid's area for the numbers of rows and columns
constexpr double kLine = 1.5;  ///< in lines of text

QString exerciseSheetText(const char* source) { return QCoreApplication::translate("ExerciseSheet", source); }

QString answerText(const teach::Exercise& exercise, std::size_t pixel) {
    const std::int64_t answer = exercise.answer[pixel];
    if (answer < 0) {
        return {};
    }
    switch (exercise.question) {
    case teach::Question::parents:
        return vm::pixelText(exercise.image, answer);
    case teach::Question::kept:
        return answer != 0 ? QStringLiteral("✓") : QStringLiteral("✗");
    case teach::Question::filtered:
    case teach::Question::labels:
        break;
    }
    return QString::number(answer);
}

void paintAxes(QPainter& painter, const teach::LabImage& image, const LabGrid& grid, double axis) {
    painter.setPen(Qt::darkGray);
    const double side = grid.side();
    for (int x = 0; x < static_cast<int>(image.width); ++x) {
        painter.drawText(QRectF(grid.corner(x, 0) - QPointF(0, axis), QSizeF(side, axis)), Qt::AlignCenter,
                         QString::number(x));
    }
    for (int y = 0; y < static_cast<int>(image.height); ++y) {
        painter.drawText(QRectF(grid.corner(0, y) - QPointF(axis, 0), QSizeF(axis, side)), Qt::AlignCenter,
                         QString::number(y));
    }
}

void paintGrid(QPainter& painter, const QRectF& area, const teach::Exercise& exercise, bool levels, bool answered) {
    const double axes = std::min(area.width(), area.height()) * kAxes;
    const LabGrid grid(exercise.image, area.adjusted(axes, axes, 0, 0));
    QFont font = painter.font();
    font.setPixelSize(std::max(1, static_cast<int>(std::min(grid.side() * 0.3, axes * 0.4))));
    painter.setFont(font);
    paintAxes(painter, exercise.image, grid, axes * 0.7);
    const auto [least, most] = std::ranges::minmax_element(exercise.image.levels);
    for (std::size_t p = 0; p < exercise.image.pixelCount(); ++p) {
        const QRectF cell = grid.cell(static_cast<std::int64_t>(p));
        QColor ground = Qt::white;
        if (levels) { // pale, for writing on it
            const int grey = qGray(cellColour(exercise.image.levels[p], *least, *most).rgb());
            ground = QColor::fromRgb(qRgb(128 + grey / 2, 128 + grey / 2, 128 + grey / 2));
        } else if (answered && exercise.answer[p] < 0) {
            ground = QColor(Qt::lightGray).lighter(115);
        }
        painter.setPen(QPen(Qt::black, kPerPoint * 0.6));
        painter.setBrush(ground);
        painter.drawRect(cell);
        const QString content = levels     ? QString::number(exercise.image.levels[p])
                                : answered ? answerText(exercise, p)
                                           : QString();
        painter.setPen(Qt::black);
        painter.drawText(cell, Qt::AlignCenter, content);
    }
}

constexpr int kMostExercises = 60;
constexpr int kUsual = 6;
constexpr QSize kPreview(520, 260);      ///< px
constexpr QSize kLeastPreview(360, 180); ///< px

QString topicTitle(teach::Question question) {
    switch (question) {
    case teach::Question::parents:
        return ExerciseDialog::tr("Draw the tree");
    case teach::Question::kept:
        return ExerciseDialog::tr("Nodes that a filter keeps");
    case teach::Question::filtered:
        return ExerciseDialog::tr("The filtered image");
    case teach::Question::labels:
        break;
    }
    return ExerciseDialog::tr("Objects at a threshold");
}

std::vector<teach::Exercise> exercisesOf(const SheetSpec& spec, std::size_t count) {
    const std::span<const teach::Question> all = teach::kAllQuestions;
    return teach::makeExercises(spec.seed, count, spec.topic ? std::span(&*spec.topic, 1) : all, spec.difficulty);
}

} // namespace

/// Shows the first exercise of a sheet as on paper.
class ExercisePreview : public QWidget {
public:
    explicit ExercisePreview(QWidget* parent) : QWidget(parent) { setMinimumSize(kLeastPreview); }

    [[nodiscard]] QSize sizeHint() const override { return kPreview; }

    void showFirst(const SheetSpec& spec) {
        exercise_ = exercisesOf(spec, 1).front();
        answered_ = spec.answers;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), Qt::white);
        paintExercise(painter, QRectF(rect()).adjusted(kPanelMargin, kPanelMargin, -kPanelMargin, 0), exercise_, 1,
                      answered_);
    }

private:
    teach::Exercise exercise_;
    bool answered_ = false;
};

void paintExercise(QPainter& painter, const QRectF& area, const teach::Exercise& exercise, std::size_t number,
                   bool answered) {
    QFont font = painter.font();
    font.setPointSize(kLetters);
    painter.setFont(font);
    painter.setPen(Qt::black);
    QStringList sentences;
    for (const teach::Sentence& each : exercise.text) {
        sentences << vm::sentenceText(each, exercise.image);
    }
    const QString whole = QStringLiteral("%1. %2").arg(number).arg(sentences.join(u' '));
    QRectF used;
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, whole, &used);
    const double line = painter.fontMetrics().height();
    const QRectF grids = area.adjusted(line, used.height() + kLine * line, 0, -line);
    const QRectF left(grids.left(), grids.top(), grids.width() / 2 - line, grids.height());
    paintGrid(painter, left, exercise, true, false);
    paintGrid(painter, left.translated(grids.width() / 2, 0), exercise, false, answered);
}

QString saveSheet(const SheetSpec& spec, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return QStringLiteral("%1: %2").arg(path, file.errorString());
    }
    const std::vector<teach::Exercise> exercises = exercisesOf(spec, spec.count);
    QPdfWriter pdf(&file);
    pdf.setPageSize(QPageSize(QPageSize::A4));
    pdf.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Millimeter);
    pdf.setResolution(kResolution);
    pdf.setTitle(exerciseSheetText("Exercises on component trees"));
    QPainter painter(&pdf);
    const double height = pdf.height() / (kPerPage + 0.15);
    for (std::size_t i = 0; i < exercises.size(); ++i) {
        const auto place = static_cast<int>(i % kPerPage);
        if (i > 0 && place == 0) {
            pdf.newPage();
        }
        if (place == 0) {
            QFont font = painter.font();
            font.setPointSize(kLetters);
            painter.setFont(font);
            painter.setPen(Qt::darkGray);
            const QString title = spec.answers ? exerciseSheetText("Exercises on component trees, sheet %1: answers")
                                               : exerciseSheetText("Exercises on component trees, sheet %1");
            painter.drawText(QRectF(0, 0, pdf.width(), height * 0.15), Qt::AlignLeft | Qt::AlignTop,
                             title.arg(spec.seed));
        }
        paintExercise(painter, QRectF(0, height * (0.15 + place), pdf.width(), height * 0.95), exercises[i], i + 1,
                      spec.answers);
    }
    painter.end();
    return file.commit() ? QString() : QStringLiteral("%1: %2").arg(path, file.errorString());
}

ExerciseDialog::ExerciseDialog(Models& models, ErrorPresenter& errors, QWidget* parent)
    : QDialog(parent), models_(models), errors_(errors), seed_(new WholeBox(this)), count_(new WholeBox(this)),
      answers_(new QCheckBox(tr("With the answers"), this)), topic_(new QComboBox(this)), level_(new QComboBox(this)),
      preview_(new ExercisePreview(this)) {
    setObjectName(QStringLiteral("exerciseDialog"));
    setWindowTitle(tr("Exercises"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* rows = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    seed_->setObjectName(QStringLiteral("exerciseSeed"));
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setValue(1);
    explain(seed_, tr("Number of the sheet"),
            tr("The same number gives the same exercises again, another one gives others"));
    topic_->setObjectName(QStringLiteral("exerciseTopic"));
    topic_->addItem(tr("All in turn"));
    for (const teach::Question question : teach::kAllQuestions) {
        topic_->addItem(topicTitle(question), static_cast<int>(question));
    }
    explain(topic_, tr("Topic"), tr("What the exercises ask for"));
    level_->setObjectName(QStringLiteral("exerciseLevel"));
    level_->addItem(tr("Easy"), static_cast<int>(teach::Difficulty::easy));
    level_->addItem(tr("Usual"), static_cast<int>(teach::Difficulty::usual));
    level_->addItem(tr("Hard"), static_cast<int>(teach::Difficulty::hard));
    level_->setCurrentIndex(1);
    explain(level_, tr("Level"), tr("Size of the images and of their trees: to 5, 8 or 16 nodes"));
    count_->setObjectName(QStringLiteral("exerciseCount"));
    count_->setRange(1, kMostExercises);
    count_->setValue(kUsual);
    explain(count_, tr("Exercises"), tr("Number of exercises"));
    form->addRow(tr("Topic"), topic_);
    form->addRow(tr("Level"), level_);
    form->addRow(tr("Exercises"), count_);
    form->addRow(tr("Number of the sheet"), seed_);
    answers_->setObjectName(QStringLiteral("exerciseAnswers"));
    explain(answers_, tr("With the answers"), tr("Write the answers into the cells"));
    form->addRow(answers_);
    rows->addLayout(form);
    preview_->setAccessibleName(tr("The first exercise"));
    rows->addWidget(preview_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* save = buttons->addButton(tr("Save as PDF…"), QDialogButtonBox::ActionRole);
    save->setObjectName(QStringLiteral("exerciseSave"));
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    save->setDefault(true);
    rows->addWidget(buttons);
    connect(topic_, &QComboBox::currentIndexChanged, this, &ExerciseDialog::showFirst);
    connect(level_, &QComboBox::currentIndexChanged, this, &ExerciseDialog::showFirst);
    connect(seed_, &QSpinBox::valueChanged, this, &ExerciseDialog::showFirst);
    connect(answers_, &QCheckBox::toggled, this, &ExerciseDialog::showFirst);
    showFirst();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(save, &QPushButton::clicked, this, &ExerciseDialog::save);
}

SheetSpec ExerciseDialog::spec() const {
    SheetSpec spec{static_cast<std::uint32_t>(seed_->value()), static_cast<std::size_t>(count_->value()),
                   answers_->isChecked()};
    if (const QVariant topic = topic_->currentData(); topic.isValid()) {
        spec.topic = static_cast<teach::Question>(topic.toInt());
    }
    spec.difficulty = static_cast<teach::Difficulty>(level_->currentData().toInt());
    return spec;
}

void ExerciseDialog::showFirst() { preview_->showFirst(spec()); }

void ExerciseDialog::save() {
    const QString ending =
        answers_->isChecked() ? QStringLiteral("exercises_%1_answers") : QStringLiteral("exercises_%1");
    const QString path = askWhereToSave(
        *this, models_,
        {tr("Save the exercises"), tr("PDF (*.pdf)"), ending.arg(seed_->value()), QStringLiteral("pdf")});
    if (path.isEmpty()) {
        return;
    }
    const QString problem = saveSheet(spec(), path);
    if (!problem.isEmpty()) {
        errors_.present(this, tr("The exercises were not saved"), problem);
    }
}

} // namespace pollard::app
