#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/lab/lab_quiz.hpp"
#include "vm/lab/lab_recording.hpp"

#include "player/player.hpp"
#include "trace/trace_cursor.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace pollard::vm {

class LabViewModel;

/// Plays an algorithm on the picture of the lab: which one and how, where it is, what it says, and what the student
/// guesses. Runs are recorded on a thread of their own whenever picture or options change, latest wins; until a new one
/// is there, the last one stays.
class LabPlayerViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::array kSpeeds{0.5, 1.0, 2.0, 5.0, 10.0, 30.0}; ///< steps in a second

    /// @param lab must outlive this
    explicit LabPlayerViewModel(LabViewModel& lab, QObject* parent = nullptr);

    [[nodiscard]] int player() const noexcept { return player_; } ///< place in teach::players()
    [[nodiscard]] const teach::PlayerInfo& info() const;
    [[nodiscard]] const teach::PlayerSpec& spec() const noexcept { return spec_; }

    /// Null before the first run is recorded.
    [[nodiscard]] std::shared_ptr<const LabRecording> recording() const noexcept { return recording_; }
    /// Whether the run is the one of picture and options of now.
    [[nodiscard]] bool rests() const { return !worker_.isBusy(Lane::measure); }
    /// Why there is no new run, for a person; empty if there is.
    [[nodiscard]] QString problem() const { return problem_; }

    [[nodiscard]] int done() const noexcept { return cursor_ ? static_cast<int>(cursor_->done()) : 0; }
    [[nodiscard]] int stepCount() const noexcept { return recording_ ? int(recording_->trace->steps.size()) : 0; }
    [[nodiscard]] bool atEnd() const noexcept { return done() == stepCount(); }
    /// What a layer holds now; empty if the algorithm has none.
    [[nodiscard]] const std::vector<std::int64_t>& layer(teach::Layer layer) const;
    [[nodiscard]] bool has(teach::Layer which) const { return !layer(which).empty(); }
    /// Place in the run; null without one.
    [[nodiscard]] const teach::TraceCursor* cursor() const noexcept { return cursor_ ? &*cursor_ : nullptr; }

    [[nodiscard]] bool isPlaying() const noexcept { return timer_.isActive(); }
    [[nodiscard]] double speed() const noexcept { return speed_; }

    /// What the step that was done last says, or asks before the next one.
    [[nodiscard]] QString caption() const;
    /// Pseudo-code that is at work, from 0; -1 for none.
    [[nodiscard]] int line() const;
    [[nodiscard]] QStringList lines() const;
    /// All that a step shows, in words: "Step 3 of 40. Pixel (1, 2) ..."
    [[nodiscard]] QString spoken() const;
    /// One line on a pixel: level, parent, node.
    [[nodiscard]] QString readout(int pixel) const;

    /// Threads that can be chosen by hand now.
    [[nodiscard]] std::vector<std::uint8_t> choices() const;

    [[nodiscard]] bool isGuessing() const noexcept { return guessing_; }
    /// The open question; nothing if none is asked.
    [[nodiscard]] std::optional<LabQuestion> question() const;
    [[nodiscard]] const LabScore& score() const noexcept { return score_; }
    [[nodiscard]] QString scoreText() const;

public slots:
    void setPlayer(int player);
    /// Options that the player does not ask for are kept for those that do.
    void setSpec(const pollard::teach::PlayerSpec& spec);
    /// Player, options and place at once. @param done 0 to the number of steps, beyond means the end
    void start(int player, const pollard::teach::PlayerSpec& spec, int done);

    void moveTo(int done);
    void stepForward() { moveTo(done() + 1); }
    void stepBack() { moveTo(done() - 1); }
    void toStart() { moveTo(0); }
    void toEnd() { moveTo(stepCount()); }
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!isPlaying()); }
    void setSpeed(double speed);

    /// Lets a virtual thread go on; does nothing if it cannot.
    void takeTurn(int thread);
    void takeTurnBack();

    /// Asks before steps that are worth guessing.
    void setGuessing(bool guessing);
    /// Answers the open question and does the step.
    void answer(qint64 value);

signals:
    void specChanged(); ///< player or options
    void recordingChanged();
    void stepChanged(); ///< place or run
    void playingChanged();
    void speedChanged();
    void guessingChanged(); ///< on or off, or the score

private:
    /// A threshold that would part nothing becomes the middle of the picture's levels.
    void fitThreshold();
    void record();
    void take(const std::shared_ptr<LabRecording>& recording, const JobOutcome& outcome);
    void onTick();

    LabViewModel& lab_;
    int player_ = 0;
    teach::PlayerSpec spec_;
    std::shared_ptr<const LabRecording> recording_;
    std::optional<teach::TraceCursor> cursor_;
    std::optional<int> wanted_; ///< place in the run that is being recorded
    QString problem_;
    double speed_ = 2;
    QTimer timer_;
    bool guessing_ = false;
    LabScore score_;
    QString verdict_;         ///< on the answer that led to the place
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
