#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/lab/lab_recording.hpp"
#include "vm/lab/lab_view_model.hpp"

#include "player/player.hpp"
#include "trace/trace.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class LabViewModel;

/// Plays an algorithm on the image of the lab: algorithm and options, position, captions, and the student's guesses.
/// Runs are recorded on another thread after each change of image or options; the last run stays until the newest
/// one is recorded.
class LabPlayerViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr std::array kSpeeds{0.5, 1.0, 2.0, 5.0, 10.0, 30.0}; ///< steps per second

    /// @param lab must outlive this
    explicit LabPlayerViewModel(LabViewModel& lab, QObject* parent = nullptr);

    [[nodiscard]] int player() const noexcept { return player_; } ///< index in teach::players()
    [[nodiscard]] const teach::PlayerInfo& info() const;
    [[nodiscard]] const teach::PlayerSpec& spec() const noexcept { return spec_; }

    /// Index in teach::players() of the algorithm that is shown beside this one; -1: none.
    [[nodiscard]] int beside() const noexcept { return beside_; }

    /// The run; null before the first one is recorded.
    [[nodiscard]] std::shared_ptr<const LabRecording> recording() const noexcept { return recording_; }
    /// Whether the run belongs to the present image and options.
    [[nodiscard]] bool isIdle() const { return !worker_.isBusy(Lane::measure); }
    /// Why there is no new run, for the user; empty if there is.
    [[nodiscard]] QString problem() const { return problem_; }

    [[nodiscard]] int done() const noexcept { return cursor_ ? static_cast<int>(cursor_->done()) : 0; }
    [[nodiscard]] int stepCount() const noexcept { return recording_ ? int(recording_->trace->steps.size()) : 0; }
    [[nodiscard]] bool atEnd() const noexcept { return done() == stepCount(); }
    /// Present values of a layer; empty if the algorithm does not have it.
    [[nodiscard]] const std::vector<std::int64_t>& layer(teach::Layer layer) const;
    [[nodiscard]] bool has(teach::Layer which) const { return !layer(which).empty(); }
    /// Position in the run; null without one.
    [[nodiscard]] const teach::TraceCursor* cursor() const noexcept { return cursor_ ? &*cursor_ : nullptr; }

    [[nodiscard]] bool isPlaying() const noexcept { return timer_.isActive(); }
    [[nodiscard]] double speed() const noexcept { return speed_; }

    /// Caption of the last step, or the question before the next one.
    [[nodiscard]] QString caption() const;
    /// Active line of the pseudo-code, from 0; -1 for none.
    [[nodiscard]] int line() const;
    [[nodiscard]] QStringList lines() const;
    /// The whole step in words: "Step 3 of 40. Pixel (1, 2) ..."
    [[nodiscard]] QString spoken() const;
    /// One line on a pixel: level, parent, node.
    [[nodiscard]] QString readout(int pixel) const;

    /// Threads that can be chosen by hand.
    [[nodiscard]] std::vector<std::uint8_t> choices() const;

    [[nodiscard]] bool isGuessing() const noexcept { return guessing_; }
    /// The open question; empty if there is none.
    [[nodiscard]] std::optional<LabQuestion> question() const;
    [[nodiscard]] const LabScore& score() const noexcept { return score_; }
    [[nodiscard]] QString scoreText() const;

public slots:
    void setPlayer(int player);
    void setBeside(int player);
    /// Options not used by the player are kept for others.
    void setSpec(const pollard::teach::PlayerSpec& spec);
    /// Sets player, options and position at once. @param done 0 to the number of steps; larger values mean the end
    void start(int player, const pollard::teach::PlayerSpec& spec, int done);

    void moveTo(int done);
    void stepForward() { moveTo(done() + 1); }
    void stepBack() { moveTo(done() - 1); }
    void toStart() { moveTo(0); }
    void toEnd() { moveTo(stepCount()); }
    void setPlaying(bool playing);
    void togglePlaying() { setPlaying(!isPlaying()); }
    void setSpeed(double speed);

    /// Lets a virtual thread continue; does nothing if it cannot.
    void takeTurn(int thread);
    void takeTurnBack();

    /// Asks questions before suitable steps.
    void setGuessing(bool guessing);
    /// Answers the open question and takes the step.
    void answer(qint64 value);

signals:
    void specChanged(); ///< player or options
    void besideChanged();
    void recordingChanged();
    void stepChanged(); ///< position or run
    void playingChanged();
    void speedChanged();
    void guessingChanged(); ///< on or off, or score

private:
    /// Replaces a threshold that would not separate any levels by the middle of the image's levels.
    void fitThreshold();
    void record();
    void take(const JobOutcome& outcome, const std::shared_ptr<LabRecording>& recording);
    void onTick();

    LabViewModel& lab_;
    int player_ = 0;
    int beside_ = -1;
    teach::PlayerSpec spec_;
    std::shared_ptr<const LabRecording> recording_;
    std::optional<teach::TraceCursor> cursor_;
    std::optional<int> wanted_; ///< position in the run being recorded
    QString problem_;
    double speed_ = 2;
    QTimer timer_;
    bool guessing_ = false;
    LabScore score_;
    QString verdict_;         ///< on the answer before this position
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// A lecture: prepared scenes of the grid lab, one after another, each step by step. Two keys are enough to control it.
class DemonstrationViewModel : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this. Starts with the scenes of the program.
    DemonstrationViewModel(LabViewModel& lab, LabPlayerViewModel& player, QObject* parent = nullptr);

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    [[nodiscard]] QStringList titles() const;
    /// Index in the list; -1 before the first scene.
    [[nodiscard]] int current() const noexcept { return current_; }

    /// The present state of the lab, in the format of scenes.
    [[nodiscard]] QByteArray presentScene() const;

    /// Loads other scenes. @return the error in the file, for the user; then nothing changes
    [[nodiscard]] QString load(const QString& path);

public slots:
    /// The first activation shows the first scene. The end brings image and step of the lab back, the next
    /// activation image and step of the lecture.
    void setActive(bool active);
    void show(int scene);
    /// The next step; after the last one the next scene.
    void forward();
    /// The previous step; before the first one the previous scene.
    void back();

signals:
    void activeChanged();
    void scenesChanged();
    void currentChanged();

private:
    [[nodiscard]] PreparedScene present() const;
    void put(const PreparedScene& scene);

    LabViewModel& lab_;
    LabPlayerViewModel& player_;
    std::vector<PreparedScene> scenes_;
    std::optional<PreparedScene> left_; ///< state of the lab during a lecture, else of the lecture
    int current_ = -1;
    bool active_ = false;
};

} // namespace pollard::vm
