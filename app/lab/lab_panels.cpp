#include "lab/lab_panels.hpp"

#include "lab/lab_view.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_recording.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {

using Player = vm::LabPlayerViewModel;

LabTransport::LabTransport(Player& player, QWidget* parent)
    : TransportBar(QStringLiteral("lab"),
                   {{tr("First step"), tr("Before the first step (Home)")},
                    {tr("One step back"), tr("Go back one step (Page Up)")},
                    {tr("Play"), tr("Play the steps (Space)")},
                    {tr("Pause"), tr("Pause (Space)")},
                    {tr("One step on"), tr("Do the next step (Page Down)")},
                    {tr("Last step"), tr("The end of the algorithm (End)")},
                    {tr("Steps"), tr("All steps of the algorithm; drag to see any step")},
                    {tr("Speed"), tr("Steps in a second")}},
                   parent),
      player_(player) {
    for (const double speed : Player::kSpeeds) {
        addSpeed(tr("%1 / s").arg(speed), speed);
    }
    connect(this, &TransportBar::toStartWanted, &player_, &Player::toStart);
    connect(this, &TransportBar::backWanted, &player_, &Player::stepBack);
    connect(this, &TransportBar::playToggled, &player_, &Player::togglePlaying);
    connect(this, &TransportBar::forwardWanted, &player_, &Player::stepForward);
    connect(this, &TransportBar::toEndWanted, &player_, &Player::toEnd);
    connect(this, &TransportBar::scrubbed, &player_, &Player::moveTo);
    connect(this, &TransportBar::speedChosen, &player_, &Player::setSpeed);
    follow(this, &LabTransport::showState, player_, &Player::recordingChanged, &Player::stepChanged,
           &Player::playingChanged, &Player::speedChanged);
}

void LabTransport::showState() {
    const int last = player_.stepCount();
    setState({player_.done(), last, last > 0, !player_.atEnd(), player_.isPlaying(), player_.speed()});
}

namespace {

using Player = vm::LabPlayerViewModel;

constexpr double kLetters = 1.5;
constexpr int kCaptionLines = 2; ///< space is always reserved

} // namespace

LabBeside::LabBeside(vm::LabViewModel& lab, Player& player, QWidget* parent)
    : QWidget(parent), player_(player), own_(new Player(lab, this)), caption_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("labBeside"));
    own_->start(player_.beside(), player_.spec(), 0);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing / 2);
    auto* title = new ElidedLabel(this);
    title->setObjectName(QStringLiteral("labBesideTitle"));
    title->setFullText(vm::teachText(own_->info().title));
    rows->addWidget(title);
    auto* view = new LabView(LabPart::image, lab, *own_, this);
    view->setObjectName(QStringLiteral("labBesideImage"));
    view->setPaintable(false);
    rows->addWidget(view, 1);
    caption_->setObjectName(QStringLiteral("labBesideCaption"));
    rows->addWidget(caption_);
    connect(&player_, &Player::specChanged, own_, [this] { own_->setSpec(player_.spec()); });
    connect(&player_, &Player::stepChanged, this, &LabBeside::showStep);
    connect(own_, &Player::recordingChanged, this, &LabBeside::showStep);
}

void LabBeside::showStep() {
    const int steps = std::max(player_.stepCount(), 1);
    own_->moveTo((player_.done() * own_->stepCount() + steps / 2) / steps);
    caption_->setFullText(tr("%1 / %2: %3").arg(own_->done()).arg(own_->stepCount()).arg(own_->caption()));
}

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
    applyStyle();

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
    applyStyle();
}

void LabPlayerPanel::applyStyle() {
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
        applyStyle();
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

using Demonstration = vm::DemonstrationViewModel;

LabSceneList::LabSceneList(Demonstration& demonstration, QWidget* parent)
    : QListWidget(parent), demonstration_(demonstration) {
    setObjectName(QStringLiteral("labScenes"));
    setWordWrap(true);
    setTextElideMode(Qt::ElideNone); // long titles have several lines
    setResizeMode(QListView::Adjust);
    setSpacing(3);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    explain(this, tr("Scenes"),
            tr("The prepared scenes; Page Down moves to the next one when a scene has ended, Ctrl+Page Down at once"));
    connect(this, &QListWidget::currentRowChanged, &demonstration_, &Demonstration::show);
    connect(&demonstration_, &Demonstration::scenesChanged, this, &LabSceneList::showScenes);
    connect(&demonstration_, &Demonstration::currentChanged, this, &LabSceneList::showCurrent);
    showScenes();
}

void LabSceneList::showScenes() {
    const QSignalBlocker quiet(this);
    clear();
    int number = 1;
    for (const QString& title : demonstration_.titles()) {
        addItem(QStringLiteral("%1. %2").arg(number++).arg(title));
    }
    showCurrent();
}

void LabSceneList::keyPressEvent(QKeyEvent* event) {
    // The keys of a presenter's remote control the player for any focus.
    const int key = event->key();
    if (key == Qt::Key_PageUp || key == Qt::Key_PageDown || key == Qt::Key_Space) { // with Ctrl, too
        event->ignore();
    } else {
        QListWidget::keyPressEvent(event);
    }
}

void LabSceneList::showCurrent() {
    const QSignalBlocker quiet(this);
    setCurrentRow(demonstration_.current());
}

using Player = vm::LabPlayerViewModel;

LabCode::LabCode(Player& player, QWidget* parent) : QListWidget(parent), player_(player) {
    setObjectName(QStringLiteral("labCode"));
    explain(this, tr("Pseudo-code"), tr("The algorithm in words; the current line is highlighted"));
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::NoSelection);
    setWordWrap(true);
    setResizeMode(QListView::Adjust); // lines wrap anew
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&player_, &Player::recordingChanged, this, &LabCode::showLines);
    connect(&player_, &Player::stepChanged, this, &LabCode::showLine);
    showLines();
}

void LabCode::showLines() {
    const QStringList lines = player_.lines();
    QStringList shown;
    for (int row = 0; row < count(); ++row) {
        shown << item(row)->text();
    }
    if (lines != shown) {
        clear();
        addItems(lines);
    }
    showLine();
}

void LabCode::showLine() {
    const int line = player_.line();
    for (int row = 0; row < count(); ++row) {
        QListWidgetItem* each = item(row);
        const bool lit = row == line;
        each->setBackground(lit ? palette().brush(QPalette::Highlight) : QBrush());
        each->setForeground(lit ? palette().brush(QPalette::HighlightedText) : palette().brush(QPalette::Text));
    }
    if (line >= 0 && line < count()) {
        scrollToItem(item(line));
    }
    setAccessibleDescription(line >= 0 && line < count() ? item(line)->text().trimmed() : QString());
}

} // namespace pollard::app
