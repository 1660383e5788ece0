#include "vm/contour/contour_playback.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

constexpr int kStatesOfStretch = 256; ///< while playing
constexpr double kInOrder = 60;       ///< states per second up to which no state is skipped
constexpr double kMostDue = 2;        ///< states to catch up at most in that case
constexpr int kFramePatience = 50;    ///< ms after which the next state is shown without waiting for a frame

} // namespace

ContourPlayback::ContourPlayback(ContourRuns& runs) : runs_(runs) {
    tick_.setInterval(kFrameTime);
    tick_.setTimerType(Qt::PreciseTimer);
    connect(&tick_, &QTimer::timeout, this, &ContourPlayback::showNext);
    connect(&runs_, &ContourRuns::pointed, this, [this](int to) {
        target_ = to;
        due_ = 0;
    });
}

int ContourPlayback::statesWanted() const noexcept {
    return playing_ ? kStatesOfStretch : target_ - (runs_.stateCount() - 1);
}

void ContourPlayback::play() {
    if (runs_.current() < 0 || playing_) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    if (runs_.isFinished() && runs_.shown() + 1 == runs_.stateCount()) {
        show(0); // repeats the last state
    }
    setPlaying(true);
    emit lacksStates();
}

void ContourPlayback::pause() {
    stay();
    setPlaying(false);
    emit paused();
}

void ContourPlayback::stepForward() {
    if (runs_.current() < 0) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    setPlaying(false);
    const int next = std::max(runs_.shown(), target_) + 1;
    if (next < runs_.stateCount()) {
        show(next);
    } else if (!runs_.isFinished()) {
        target_ = next;
        emit lacksStates();
    }
}

void ContourPlayback::stepBack() {
    if (runs_.current() >= 0) {
        pause();
        scrub(runs_.shown() - 1);
    }
}

void ContourPlayback::toStart() {
    if (runs_.current() >= 0) {
        pause();
        scrub(0);
    }
}

void ContourPlayback::toEnd() {
    if (runs_.current() < 0) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    show(runs_.stateCount() - 1);
    if (!runs_.isFinished()) {
        hurrying_ = true;
        setPlaying(true);
        emit lacksStates();
    } else {
        pause();
    }
}

void ContourPlayback::scrub(int number) {
    if (runs_.current() >= 0) {
        runs_.cancelDrag();
        show(std::clamp(number, 0, runs_.stateCount() - 1));
    }
}

void ContourPlayback::show(int number) {
    if (drawn_) {
        drawn_ = false;
    }
    runs_.show(number);
}

void ContourPlayback::takeStates() {
    if (!playing_ && target_ > runs_.shown()) {
        const int last = runs_.stateCount() - 1;
        target_ = runs_.isFinished() ? std::min(target_, last) : target_;
        if (target_ <= last && target_ != runs_.shown()) {
            show(target_);
        }
    }
}

void ContourPlayback::setPlaying(bool playing) {
    hurrying_ = hurrying_ && playing;
    if (!change(playing_, playing)) {
        return;
    }
    due_ = 0;
    if (playing_) {
        sinceTick_.start();
        tick_.start();
    } else {
        tick_.stop();
    }
    emit changed();
}

void ContourPlayback::showNext() {
    if (runs_.current() < 0 || runs_.pending()) {
        sinceTick_.restart();
        return;
    }
    const bool fastest = hurrying_ || speed_ == kFastest;
    const bool inOrder = !fastest && speed_ <= kInOrder;
    if (inOrder && active_ && !isDrawn() && sinceTick_.elapsed() < kFramePatience) {
        return; // no frame has shown the state yet
    }
    const int last = runs_.stateCount() - 1;
    due_ += speed_ * static_cast<double>(sinceTick_.restart()) / 1000;
    due_ = inOrder ? std::min(due_, kMostDue) : due_;
    const double due = inOrder ? std::min(std::floor(due_), 1.0) : std::floor(due_);
    const int next = fastest ? last : static_cast<int>(std::min<double>(runs_.shown() + due, last));
    if (next != runs_.shown()) {
        const double rest = due_ - due;
        show(next);
        due_ = rest;
    }
    if (runs_.shown() == last && (runs_.isFinished() || !runs_.problem().isEmpty())) {
        setPlaying(false);
    }
}

} // namespace pollard::vm
