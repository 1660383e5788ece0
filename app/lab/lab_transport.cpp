#include "lab/lab_transport.hpp"

#include "vm/lab/lab_player_view_model.hpp"
#include "widgets/couple.hpp"

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
                    {tr("Steps"), tr("All steps of the algorithm; drag to see any of them")},
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

} // namespace pollard::app
