#include "docks/contour/contour_transport.hpp"

#include "vm/contour/contour_view_model.hpp"

#include <algorithm>

namespace pollard::app {

using Contours = vm::ContourViewModel;

ContourTransport::ContourTransport(Contours& contours, QWidget* parent)
    : TransportBar(QStringLiteral("contour"),
                   {{tr("First state"), tr("Show the start (Home)")},
                    {tr("One state back"), tr("Show the state before (Left)")},
                    {tr("Play"), tr("Let the contour evolve (Space)")},
                    {tr("Pause"), tr("Pause (Space)")},
                    {tr("One state on"), tr("Show the next state, and compute it if it is not there (Right)")},
                    {tr("Last state"), tr("Compute all states and show the last one (End)")},
                    {tr("Timeline"), tr("The states that are recorded; drag to look at any of them")},
                    {tr("Speed"), tr("States shown in a second; computing goes on as fast as it can")}},
                   parent),
      contours_(contours) {
    for (const double speed : Contours::kSpeeds) {
        addSpeed(speed == Contours::kFastest ? tr("Fastest") : tr("%1 / s").arg(speed), speed);
    }
    connect(this, &TransportBar::toStartWanted, &contours_, &Contours::toStart);
    connect(this, &TransportBar::backWanted, &contours_, &Contours::stepBack);
    connect(this, &TransportBar::playToggled, &contours_, &Contours::togglePlaying);
    connect(this, &TransportBar::forwardWanted, &contours_, &Contours::stepForward);
    connect(this, &TransportBar::toEndWanted, &contours_, &Contours::toEnd);
    connect(this, &TransportBar::scrubbed, &contours_, &Contours::scrub);
    connect(this, &TransportBar::speedChosen, &contours_, &Contours::setSpeed);
    for (const auto signal :
         {&Contours::shownChanged, &Contours::statesChanged, &Contours::transportChanged, &Contours::runsChanged}) {
        connect(&contours_, signal, this, &ContourTransport::showState);
    }
    showState();
}

void ContourTransport::showState() {
    const bool there = contours_.current() >= 0;
    const int last = std::max(0, contours_.stateCount() - 1);
    const bool atEnd = contours_.shown() == last && contours_.isFinished();
    setState({contours_.shown(), last, there, there && !atEnd, contours_.isPlaying(), contours_.speed()});
}

} // namespace pollard::app
