#include "docks/contour/contour_transport.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "widgets/couple.hpp"

#include <algorithm>

namespace pollard::app {

ContourTransport::ContourTransport(vm::ContourViewModel& contours, QWidget* parent)
    : TransportBar(QStringLiteral("contour"),
                   {{tr("First state"), tr("Show the start (Home)")},
                    {tr("One state back"), tr("Show the previous state (Left)")},
                    {tr("Play"), tr("Let the contour evolve (Space)")},
                    {tr("Pause"), tr("Pause (Space)")},
                    {tr("One state on"), tr("Show the next state, computed if necessary (Right)")},
                    {tr("Last state"), tr("Compute all states and show the last one (End)")},
                    {tr("Timeline"), tr("The recorded states; drag to see any of them")},
                    {tr("Speed"), tr("States shown per second; computing runs as fast as possible")}},
                   parent),
      contours_(contours) {
    using Playback = vm::ContourPlayback;
    using Runs = vm::ContourRuns;
    Playback& playback = contours_.playback();
    for (const double speed : Playback::kSpeeds) {
        addSpeed(speed == Playback::kFastest ? tr("Fastest") : tr("%1 / s").arg(speed), speed);
    }
    connect(this, &TransportBar::toStartWanted, &playback, &Playback::toStart);
    connect(this, &TransportBar::backWanted, &playback, &Playback::stepBack);
    connect(this, &TransportBar::playToggled, &playback, &Playback::togglePlaying);
    connect(this, &TransportBar::forwardWanted, &playback, &Playback::stepForward);
    connect(this, &TransportBar::toEndWanted, &playback, &Playback::toEnd);
    connect(this, &TransportBar::scrubbed, &playback, &Playback::scrub);
    connect(this, &TransportBar::speedChosen, &playback, &Playback::setSpeed);
    connect(&playback, &Playback::changed, this, &ContourTransport::showState);
    follow(this, &ContourTransport::showState, contours_.runs(), &Runs::shownChanged, &Runs::statesChanged,
           &Runs::changed);
}

void ContourTransport::showState() {
    const vm::ContourRuns& runs = contours_.runs();
    const bool there = runs.current() >= 0;
    const int last = std::max(0, runs.stateCount() - 1);
    const bool atEnd = runs.shown() == last && runs.isFinished();
    const vm::ContourPlayback& playback = contours_.playback();
    setState({runs.shown(), last, there, there && !atEnd, playback.isPlaying(), playback.speed()});
}

} // namespace pollard::app
