#include "widgets/transport_bar.hpp"

#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>

#include <utility>

namespace pollard::app {
namespace {

constexpr int kSliderWidth = 60; ///< px, minimum
constexpr int kPage = 10;        ///< states

} // namespace

TransportBar::TransportBar(const QString& prefix, Texts texts, QWidget* parent)
    : QWidget(parent), prefix_(prefix), texts_(std::move(texts)), timeline_(new QSlider(Qt::Horizontal, this)),
      speed_(new QComboBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    toStart_ = addButton(*row, QStringLiteral("ToStart"), QStringLiteral("to_start"), texts_.toStart);
    back_ = addButton(*row, QStringLiteral("Back"), QStringLiteral("step_back"), texts_.back);
    play_ = addButton(*row, QStringLiteral("Play"), QStringLiteral("play"), texts_.play);
    forward_ = addButton(*row, QStringLiteral("Forward"), QStringLiteral("step_forward"), texts_.forward);
    toEnd_ = addButton(*row, QStringLiteral("ToEnd"), QStringLiteral("to_end"), texts_.toEnd);
    row->addSpacing(kPanelSpacing);
    timeline_->setObjectName(prefix_ + QStringLiteral("Timeline"));
    timeline_->setPageStep(kPage);
    timeline_->setMinimumWidth(kSliderWidth);
    timeline_->installEventFilter(this);
    explain(timeline_, texts_.timeline.name, texts_.timeline.toolTip);
    row->addWidget(timeline_, 1);
    row->addSpacing(kPanelSpacing);
    speed_->setObjectName(prefix_ + QStringLiteral("Speed"));
    explain(speed_, texts_.speed.name, texts_.speed.toolTip);
    row->addWidget(speed_);

    connect(toStart_, &QToolButton::clicked, this, &TransportBar::toStartWanted);
    connect(back_, &QToolButton::clicked, this, &TransportBar::backWanted);
    connect(play_, &QToolButton::clicked, this, &TransportBar::playToggled);
    connect(forward_, &QToolButton::clicked, this, &TransportBar::forwardWanted);
    connect(toEnd_, &QToolButton::clicked, this, &TransportBar::toEndWanted);
    connect(timeline_, &QSlider::valueChanged, this, &TransportBar::scrubbed);
    connect(speed_, &QComboBox::currentIndexChanged, this,
            [this] { emit speedChosen(speed_->currentData().toDouble()); });
}

QToolButton* TransportBar::addButton(QHBoxLayout& row, const QString& name, const QString& icon, const Text& text) {
    const QByteArray objectName = (prefix_ + name).toLatin1();
    QToolButton* button = makeIconButton(this, objectName.constData(), icon, text.name, text.toolTip);
    button->installEventFilter(this);
    row.addWidget(button);
    return button;
}

void TransportBar::addSpeed(const QString& title, double speed) {
    const QSignalBlocker quiet(speed_);
    speed_->addItem(title, speed);
}

bool TransportBar::isKey(int key) {
    return key == Qt::Key_Space || key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home ||
           key == Qt::Key_End;
}

bool TransportBar::press(int key) {
    switch (key) {
    case Qt::Key_Space:
        emit playToggled();
        return true;
    case Qt::Key_Left:
        emit backWanted();
        return true;
    case Qt::Key_Right:
        emit forwardWanted();
        return true;
    case Qt::Key_Home:
        emit toStartWanted();
        return true;
    case Qt::Key_End:
        emit toEndWanted();
        return true;
    default:
        return false;
    }
}

bool TransportBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        // Space on a focused button presses that button.
        const bool own = watched == timeline_ || key.key() != Qt::Key_Space;
        if (key.modifiers() == Qt::NoModifier && own && press(key.key())) {
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void TransportBar::setState(const State& state) {
    const QSignalBlocker quietTimeline(timeline_);
    const QSignalBlocker quietSpeed(speed_);
    timeline_->setRange(0, state.last);
    timeline_->setValue(state.shown);
    timeline_->setEnabled(state.last > 0);
    toStart_->setEnabled(state.shown > 0);
    back_->setEnabled(state.shown > 0);
    play_->setEnabled(state.canPlay);
    forward_->setEnabled(state.canGoOn);
    toEnd_->setEnabled(state.canGoOn);
    if (play_->property("playing").toBool() != state.playing) {
        play_->setProperty("playing", state.playing);
        play_->setIcon(themedIcon(state.playing ? QStringLiteral("pause") : QStringLiteral("play")));
        const Text& text = state.playing ? texts_.pause : texts_.play;
        explain(play_, text.name, text.toolTip);
    }
    speed_->setCurrentIndex(speed_->findData(state.speed));
}

} // namespace pollard::app
