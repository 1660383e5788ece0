#pragma once

#include "vm/base/change.hpp"
#include "vm/contour/contour_runs.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <algorithm>
#include <array>
#include <optional>

namespace pollard::vm {

/// Shows the states of the current run, one after the other or any of them.
class ContourPlayback : public QObject {
    Q_OBJECT

public:
    /// Speeds, states per second.
    static constexpr std::array<double, 8> kSpeeds{1, 2, 5, 10, 30, 60, 240, 0};
    static constexpr double kFastest = 0; ///< as fast as they are computed
    static constexpr int kFrameTime = 16; ///< ms between two frames

    /// @param runs must outlive this
    explicit ContourPlayback(ContourRuns& runs);

    [[nodiscard]] bool isPlaying() const noexcept { return playing_; }
    [[nodiscard]] double speed() const noexcept { return speed_; }
    /// Whether the shown state is on the screen; true until tellDrawn() is first called.
    [[nodiscard]] bool isDrawn() const noexcept { return drawn_.value_or(true); }
    /// Nodes can be moved: a contour exists and does not play.
    [[nodiscard]] bool canDrag() const noexcept { return runs_.current() >= 0 && !playing_; }
    /// States of the current run to be computed beyond the recorded ones.
    [[nodiscard]] int statesWanted() const noexcept;

    /// Contours are drawn: playing waits for tellDrawn().
    void setActive(bool active) noexcept { active_ = active; }
    void setPlaying(bool playing);
    void show(int number);
    /// Forgets the state to be shown once it is computed.
    void stay() noexcept { target_ = runs_.shown(); }
    /// The current run has more states or is finished.
    void takeStates();

public slots:
    void play();
    void pause();
    void togglePlaying() { playing_ ? pause() : play(); }
    void stepForward(); ///< computes a state if the last one is shown
    void stepBack();
    void toStart();
    /// Shows the final state; missing ones are computed.
    void toEnd();
    /// Shows a recorded state; playing continues from there.
    void scrub(int number);
    void setSpeed(double statesPerSecond) {
        change(this, speed_, std::max(0.0, statesPerSecond), &ContourPlayback::changed);
    }
    /// Reports that the shown state is on the screen. After the first call it must be called for every state: at speeds
    /// without skipping, playing waits for it for a short time.
    void tellDrawn() { drawn_ = true; }

signals:
    void changed();     ///< playing, computing, speed
    void lacksStates(); ///< statesWanted()
    void paused();

private:
    void showNext();

    ContourRuns& runs_;
    bool active_ = false;
    bool playing_ = false;
    bool hurrying_ = false; ///< to the end at any speed
    double speed_ = 60;
    int target_ = 0;            ///< state to show once it is computed
    double due_ = 0;            ///< states still to be shown
    std::optional<bool> drawn_; ///< empty until tellDrawn() is first called
    QTimer tick_;
    QElapsedTimer sinceTick_;
};

} // namespace pollard::vm
