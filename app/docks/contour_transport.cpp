#include "docks/contour_transport.hpp"

#include "contour_view_model.hpp"
#include "theme/icons.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>

#include <algorithm>

namespace pollard::app {

using Contours = vm::ContourViewModel;

namespace {

constexpr int kSliderWidth = 60; ///< at least

} // namespace

ContourTransport::ContourTransport(Contours& contours, QWidget* parent)
    : QWidget(parent), contours_(contours), timeline_(new QSlider(Qt::Horizontal, this)), speed_(new QComboBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    toStart_ =
        addButton(*row, "contourToStart", QStringLiteral("to_start"), tr("First state"), tr("Show the start (Home)"));
    back_ = addButton(*row, "contourBack", QStringLiteral("step_back"), tr("One state back"),
                      tr("Show the state before (Left)"));
    play_ = addButton(*row, "contourPlay", QStringLiteral("play"), tr("Play"), QString());
    forward_ = addButton(*row, "contourForward", QStringLiteral("step_forward"), tr("One state on"),
                         tr("Show the next state, and compute it if it is not there (Right)"));
    toEnd_ = addButton(*row, "contourToEnd", QStringLiteral("to_end"), tr("Last state"),
                       tr("Compute all states and show the last one (End)"));
    row->addSpacing(kPanelSpacing);
    timeline_->setObjectName(QStringLiteral("contourTimeline"));
    timeline_->setPageStep(10);
    timeline_->setMinimumWidth(kSliderWidth);
    timeline_->installEventFilter(this);
    explain(timeline_, tr("Timeline"), tr("The states that are recorded; drag to look at any of them"));
    row->addWidget(timeline_, 1);
    row->addSpacing(kPanelSpacing);
    makeSpeed();
    row->addWidget(speed_);

    connect(toStart_, &QToolButton::clicked, &contours_, &Contours::toStart);
    connect(back_, &QToolButton::clicked, &contours_, &Contours::stepBack);
    connect(play_, &QToolButton::clicked, &contours_, &Contours::togglePlaying);
    connect(forward_, &QToolButton::clicked, &contours_, &Contours::stepForward);
    connect(toEnd_, &QToolButton::clicked, &contours_, &Contours::toEnd);
    connect(timeline_, &QSlider::valueChanged, &contours_, &Contours::scrub);
    for (const auto signal :
         {&Contours::shownChanged, &Contours::statesChanged, &Contours::transportChanged, &Contours::runsChanged}) {
        connect(&contours_, signal, this, &ContourTransport::showState);
    }
    showState();
}

QToolButton* ContourTransport::addButton(QHBoxLayout& row, const char* objectName, const QString& icon,
                                         const QString& name, const QString& toolTip) {
    QToolButton* button = makeIconButton(this, objectName, icon, name, toolTip);
    button->installEventFilter(this);
    row.addWidget(button);
    return button;
}

void ContourTransport::makeSpeed() {
    speed_->setObjectName(QStringLiteral("contourSpeed"));
    for (const double speed : Contours::kSpeeds) {
        speed_->addItem(speed == Contours::kFastest ? tr("Fastest") : tr("%1 / s").arg(speed), speed);
    }
    explain(speed_, tr("Speed"), tr("States shown in a second; computing goes on as fast as it can"));
    connect(speed_, &QComboBox::currentIndexChanged, this,
            [this] { contours_.setSpeed(speed_->currentData().toDouble()); });
}

bool ContourTransport::isKey(int key) {
    return key == Qt::Key_Space || key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home ||
           key == Qt::Key_End;
}

bool ContourTransport::press(int key) {
    switch (key) {
    case Qt::Key_Space:
        contours_.togglePlaying();
        return true;
    case Qt::Key_Left:
        contours_.stepBack();
        return true;
    case Qt::Key_Right:
        contours_.stepForward();
        return true;
    case Qt::Key_Home:
        contours_.toStart();
        return true;
    case Qt::Key_End:
        contours_.toEnd();
        return true;
    default:
        return false;
    }
}

bool ContourTransport::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        // Space on a button presses that one.
        const bool own = watched == timeline_ || key.key() != Qt::Key_Space;
        if (key.modifiers() == Qt::NoModifier && own && press(key.key())) {
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ContourTransport::showState() {
    const QSignalBlocker quietTimeline(timeline_);
    const QSignalBlocker quietSpeed(speed_);
    const bool there = contours_.current() >= 0;
    const int last = std::max(0, contours_.stateCount() - 1);
    const bool atEnd = contours_.shown() == last && contours_.isFinished();
    timeline_->setRange(0, last);
    timeline_->setValue(contours_.shown());
    timeline_->setEnabled(last > 0);
    toStart_->setEnabled(contours_.shown() > 0);
    back_->setEnabled(contours_.shown() > 0);
    play_->setEnabled(there);
    forward_->setEnabled(there && !atEnd);
    toEnd_->setEnabled(there && !atEnd);
    const bool playing = contours_.isPlaying();
    if (play_->property("playing").toBool() != playing || play_->toolTip().isEmpty()) {
        play_->setProperty("playing", playing);
        play_->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
        explain(play_, playing ? tr("Pause") : tr("Play"),
                playing ? tr("Pause (Space)") : tr("Let the contour evolve (Space)"));
    }
    speed_->setCurrentIndex(speed_->findData(contours_.speed()));
}

} // namespace pollard::app
