#include "docks/objects/score_panel.hpp"

#include "components/label_scores.hpp"
#include "docks/objects/objects_table.hpp"
#include "overlays/objects_overlay.hpp"
#include "vm/base/value_text.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QAbstractItemView>
#include <QColor>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kScoreDecimals = 3;
constexpr int kErrorColumnPadding = 20; ///< px added to the width of the title

QString scoreText(double score) { return QLocale().toString(score, 'f', kScoreDecimals); }

} // namespace

ScorePanel::ScorePanel(vm::ScoreViewModel& score, const vm::DocumentViewModel& document, vm::DisplayViewModel& display,
                       QWidget* parent)
    : QWidget(parent), score_(score), document_(document), display_(display), model_(score),
      truth_(makeControl<QLineEdit>(
          this, "scoreTruth", tr("File of the true objects"),
          tr("Label image of the same size as this image, or outlines. A name without a folder is beside the image; "
             "{stem} is the image's name without its ending, so that each image has its own file"))),
      choose_(
          makeIconButton(this, "scoreChoose", QStringLiteral("open"), tr("Choose a file of the true objects"),
                         tr("Choose a label image (TIFF, PNG, OME-Zarr, NIfTI) or outlines (GeoJSON, COCO, ImageJ)"))),
      threshold_(makeControl<NumberBox>(
          this, "scoreThreshold", tr("Smallest overlap of partners"),
          tr("Two objects are partners if their intersection over union is at least this number"))),
      text_(new QLabel(this)), numbers_(new QWidget(this)),
      colours_(makeControl<QCheckBox>(
          this, "scoreColours", tr("Colour the errors"),
          tr("Colour missed, invented, split and merged objects on the image, and right ones grey"),
          tr("Colour the errors"))),
      tune_(makeControl<QPushButton>(
          this, "scoreTune", tr("Tune numbers"),
          tr("Try values of one or two numbers of the objects or of the filter, and see which have the highest F1"),
          tr("Tune…"))),
      view_(new QTableView(this)) {
    setObjectName(QStringLiteral("scorePanel"));
    truth_->setPlaceholderText(QStringLiteral("{stem}_truth.tif"));
    setFormat(threshold_, {vm::ScoreViewModel::kLeastThreshold, 1, 0.05, 2});
    text_->setObjectName(QStringLiteral("scoreText"));
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    makeNumbers();
    makeTable();
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(new CaptionLabel(tr("Truth"), this));
    head->addWidget(truth_, 1);
    head->addWidget(choose_);
    head->addWidget(new CaptionLabel(tr("IoU"), this));
    head->addWidget(threshold_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(text_);
    layout->addWidget(numbers_);
    auto* below = new QHBoxLayout;
    below->addWidget(colours_);
    below->addStretch();
    below->addWidget(tune_);
    layout->addLayout(below);
    layout->addWidget(view_, 1);
    layout->addStretch();
    connect(truth_, &QLineEdit::editingFinished, this, [this] {
        if (truth_->text() != score_.truth()) {
            score_.setTruth(truth_->text());
        }
    });
    connect(choose_, &QToolButton::clicked, this, &ScorePanel::choose);
    connect(tune_, &QPushButton::clicked, this, &ScorePanel::tuneRequested);
    couple(threshold_, score_, &vm::ScoreViewModel::threshold, &vm::ScoreViewModel::setThreshold,
           &vm::ScoreViewModel::settingsChanged);
    couple(colours_, score_, &vm::ScoreViewModel::coloursErrors, &vm::ScoreViewModel::setColoursErrors,
           &vm::ScoreViewModel::settingsChanged);
    follow(this, &ScorePanel::showState, score_, &vm::Analysis::changed, &vm::ScoreViewModel::settingsChanged);
}

void ScorePanel::makeNumbers() {
    auto* row = new WrappingRow(kPanelSpacing);
    numbers_->setLayout(row);
    using Score = vm::ObjectScore;
    const auto at = [](const Score& score) -> const MatchScore& { return score.totals.matches.front(); };
    addNumber("scoreF1", tr("2 × matched / (objects + true objects)"),
              [at](const Score& score) { return tr("F1 %1").arg(scoreText(at(score).f1())); });
    addNumber("scorePrecision", tr("Matched objects / objects"),
              [at](const Score& score) { return tr("Precision %1").arg(scoreText(at(score).precision())); });
    addNumber("scoreRecall", tr("Matched objects / true objects"),
              [at](const Score& score) { return tr("Recall %1").arg(scoreText(at(score).recall())); });
    addNumber("scorePanoptic", tr("Panoptic quality: F1 × mean overlap of partners"),
              [at](const Score& score) { return tr("PQ %1").arg(scoreText(at(score).panopticQuality())); });
    addNumber("scoreMean",
              tr("Mean average precision: matched / (objects + true objects - matched), mean over the overlaps 0.5, "
                 "0.55 to 0.95"),
              [](const Score& score) {
                  return tr("Mean AP %1").arg(scoreText(meanAccuracy(std::span(score.totals.matches).subspan(1))));
              });
    addNumber("scoreHausdorff",
              tr("Hausdorff 95: 95 % of the boundary pixels are at most this far from the other boundary"),
              [](const Score& score) {
                  return tr("Hausdorff 95 %1")
                      .arg(score.distances
                               ? vm::withUnit(vm::shortValue(score.distances->hausdorff95), score.unit.toStdString())
                               : QStringLiteral("–"));
              });
    addNumber("scoreMatched", tr("Objects with a partner, of the true objects"), [at](const Score& score) {
        return tr("Matched %1 of %2").arg(vm::countText(at(score).matched), vm::countText(at(score).truth));
    });
    for (const ObjectOutcome outcome : vm::kErrorOutcomes) {
        const QString help = outcome == ObjectOutcome::missed     ? tr("True objects that no object shows")
                             : outcome == ObjectOutcome::invented ? tr("Objects that show no true object")
                             : outcome == ObjectOutcome::split
                                 ? tr("True objects that contain most of two or more objects")
                                 : tr("True objects that an object covers together with others");
        addNumber("scoreErrors", help, [outcome](const Score& score) {
            return QStringLiteral("<span style=\"color:%1\">■</span> %2 %3")
                .arg(QColor(outcomeColour(outcome)).name(), vm::outcomeTitle(outcome),
                     vm::countText(score.totals.number(outcome)));
        });
    }
}

void ScorePanel::addNumber(const char* objectName, const QString& toolTip, TextOf text) {
    auto* label = new QLabel(numbers_);
    label->setObjectName(QLatin1String(objectName));
    label->setToolTip(toolTip);
    numbers_->layout()->addWidget(label);
    texts_ << std::pair(label, std::move(text));
}

void ScorePanel::makeTable() {
    view_->setModel(&model_);
    showRows(*view_, QAbstractItemView::SingleSelection);
    view_->horizontalHeader()->setStretchLastSection(true);
    for (int column = 0; column < model_.columnCount(); ++column) {
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = fontMetrics().horizontalAdvance(title);
        for (const ObjectOutcome outcome : vm::kErrorOutcomes) {
            const QString text = column == vm::ScoreErrorModel::outcome ? vm::outcomeTitle(outcome) : QString();
            width = std::max(width, fontMetrics().horizontalAdvance(text));
        }
        view_->setColumnWidth(column, width + kErrorColumnPadding);
    }
    explain(view_, "scoreErrorTable", tr("Errors"),
            tr("Objects without a partner; double-click a row, or press Return, to see its place in the image"));
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) { visit(index.row()); });
}

void ScorePanel::choose() {
    const QString folder = QFileInfo(document_.path()).path();
    const QString path = QFileDialog::getOpenFileName(window(), tr("Choose the true objects"), folder);
    if (!path.isEmpty()) {
        score_.chooseTruth(path);
    }
}

void ScorePanel::visit(int row) {
    if (const vm::ScoreError* error = model_.errorAt(row)) {
        score_.showSliceOf(*error);
        display_.setCentre({error->x + 0.5, error->y + 0.5});
    }
}

void ScorePanel::showState() {
    if (!truth_->hasFocus() || !truth_->isModified()) {
        truth_->setText(score_.truth());
    }
    const auto score = score_.score();
    const bool failed = score_.state() == vm::AsyncState::failed;
    text_->setVisible(!score);
    text_->setText(
        failed ? tr("There is no score: %1").arg(score_.problem())
        : score_.truth().isEmpty()
            ? tr("Choose a file of the true objects, for example of objects drawn by hand. The listed objects "
                 "are compared with it.")
            : tr("Comparing…"));
    numbers_->setVisible(score != nullptr);
    colours_->setVisible(score != nullptr);
    tune_->setVisible(score != nullptr);
    view_->setVisible(score && !score->errors.empty());
    if (score) {
        for (const auto& [label, text] : texts_) {
            label->setText(text(*score));
        }
    }
}

void ScorePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    score_.setActive(true);
}

void ScorePanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {
        score_.setActive(false);
    }
}

} // namespace pollard::app
