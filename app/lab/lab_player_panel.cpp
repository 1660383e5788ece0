#include "lab/lab_player_panel.hpp"

#include "lab/lab_transport.hpp"
#include "vm/base/teach_text.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Player = vm::LabPlayerViewModel;

constexpr double kLetters = 1.5;
constexpr int kCaptionLines = 2; ///< space is always reserved

} // namespace

LabPlayerPanel::LabPlayerPanel(Player& player, QWidget* parent)
    : QWidget(parent), player_(player), title_(new ElidedLabel(this)), caption_(new QLabel(this)),
      step_(new CaptionLabel({}, this)), score_(new QLabel(this)), guess_(new QCheckBox(tr("Guess first"), this)),
      keep_(makeAnswer("labKeep", tr("Keep"), tr("The filter keeps the node"), 1)),
      remove_(makeAnswer("labRemove", tr("Remove"), tr("The filter removes the node"), 0)), letters_(kLetters) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing);
    title_->setObjectName(QStringLiteral("labTitle"));
    rows->addWidget(title_);
    caption_->setObjectName(QStringLiteral("labCaption"));
    caption_->setTextFormat(Qt::PlainText);
    caption_->setWordWrap(true);
    caption_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    rows->addWidget(caption_);
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    row->addWidget(new LabTransport(player_, this), 1);
    step_->setObjectName(QStringLiteral("labStep"));
    row->addWidget(step_);
    row->addSpacing(kPanelMargin);
    guess_->setObjectName(QStringLiteral("labGuess"));
    explain(
        guess_, tr("Guess first"),
        tr("A question before steps that are worth guessing: which pixel becomes the parent, which nodes are kept"));
    row->addWidget(guess_);
    row->addWidget(keep_);
    row->addWidget(remove_);
    score_->setObjectName(QStringLiteral("labScore"));
    row->addWidget(score_);
    rows->addLayout(row);
    dress();

    couple(guess_, player_, &Player::isGuessing, &Player::setGuessing, &Player::guessingChanged);
    follow(this, &LabPlayerPanel::showState, player_, &Player::specChanged, &Player::stepChanged,
           &Player::recordingChanged, &Player::guessingChanged);
}

QPushButton* LabPlayerPanel::makeAnswer(const char* name, const QString& title, const QString& tip, int value) {
    auto* button = new QPushButton(title, this);
    button->setObjectName(QLatin1String(name));
    explain(button, title, tip);
    connect(button, &QPushButton::clicked, this, [this, value] { player_.answer(value); });
    return button;
}

void LabPlayerPanel::setLetters(double factor) {
    letters_ = factor;
    dress();
}

void LabPlayerPanel::dress() {
    QFont large = QApplication::font();
    large.setPointSizeF(large.pointSizeF() * letters_);
    if (caption_->font().pointSizeF() != large.pointSizeF()) {
        caption_->setFont(large);
    }
    caption_->setMinimumHeight(kCaptionLines * caption_->fontMetrics().lineSpacing());
}

void LabPlayerPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        dress();
    }
}

void LabPlayerPanel::showState() {
    title_->setFullText(vm::teachText(player_.info().title));
    caption_->setText(player_.problem().isEmpty() ? player_.caption() : player_.problem());
    caption_->setAccessibleName(player_.spoken());
    step_->setText(tr("Step %1 of %2").arg(player_.done()).arg(player_.stepCount()));
    const auto question = player_.question();
    const bool asksForNode = question && question->layer == teach::Layer::kept;
    keep_->setVisible(asksForNode);
    remove_->setVisible(asksForNode);
    score_->setVisible(player_.isGuessing());
    score_->setText(player_.scoreText());
}

} // namespace pollard::app
