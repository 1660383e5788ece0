#pragma once

#include "vm/base/change.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/image/open_request.hpp"

#include "session/session.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

class DeferredRelease;
class DocumentViewModel;

/// The runs of all pages of a stack, and what is displayed of the shown page: a current run, a current contour in it,
/// and a state, which is independent of the number of computed ones. Members that emit no signal say so.
class ContourRuns : public QObject {
    Q_OBJECT

public:
    struct Page {
        std::vector<ContourRun> runs;
        int current = -1; ///< index
        int lastId = 0;
        std::vector<SessionRun> saved;        ///< of a session, not made yet or failed
        std::vector<ContourRun> removed = {}; ///< for undo and redo, in the order of their removal
    };
    /// A node of the current contour that is being dragged.
    struct Drag {
        int node = 0;
        Contour nodes; ///< with the node in its new place
        bool allowed = true;
        bool moved = false;
    };

    /// Limit on the recorded states of removed runs.
    static constexpr std::uint64_t kMostRemovedBytes = std::uint64_t{128} << 20U;

    /// @param document must outlive this
    explicit ContourRuns(const DocumentViewModel& document) : document_(document) {}

    /// The pages with runs, by page number.
    [[nodiscard]] const std::map<int, Page>& pages() const noexcept { return pages_; }
    /// The image of the shown page.
    [[nodiscard]] const OpenRequest& image() const noexcept { return image_; }
    /// Runs of the shown page.
    [[nodiscard]] const std::vector<ContourRun>& all() const noexcept { return page_->runs; }
    /// Index of the current run; -1 if there is none.
    [[nodiscard]] int current() const noexcept { return page_->current; }
    [[nodiscard]] const ContourRun* currentRun() const noexcept { return present(); }
    [[nodiscard]] bool has(int index) const noexcept { return index >= 0 && index < static_cast<int>(all().size()); }
    [[nodiscard]] ContourRun* find(int id);
    /// See vm::nameOf().
    [[nodiscard]] QString nameOf(int index) const;
    /// Memory of all recorded states, including other pages.
    [[nodiscard]] std::uint64_t recordedBytes() const noexcept;
    /// The start of the run that is being made.
    [[nodiscard]] const std::optional<ContourStart>& pending() const noexcept { return pending_; }
    void setPending(std::optional<ContourStart> start) { pending_ = std::move(start); }

    /// Recorded states of the current run, including the start; 0 without a run.
    [[nodiscard]] int stateCount() const noexcept { return current() < 0 ? 0 : currentRun()->record.count(); }
    [[nodiscard]] int shown() const noexcept { return current() < 0 ? 0 : currentRun()->shown; } ///< from 0
    [[nodiscard]] bool isFinished() const noexcept { return current() >= 0 && currentRun()->finished; }
    /// Figures of the current contour in the shown state; empty without a run.
    [[nodiscard]] std::optional<ContourRecord::Figures> figures() const;
    /// Contours of the current run; 0 without one.
    [[nodiscard]] int contourCount() const noexcept { return static_cast<int>(nodes_.size()); }
    /// Index of the current contour; 0 without a run.
    [[nodiscard]] int contour() const noexcept { return current() < 0 ? 0 : static_cast<int>(currentRun()->contour); }
    /// All contours in the shown state.
    [[nodiscard]] const std::vector<Contour>& allNodes() const noexcept { return nodes_; }
    /// The current contour, with the node being dragged in its new place. Empty without a run.
    [[nodiscard]] const Contour& nodes() const noexcept;
    [[nodiscard]] const std::optional<Drag>& drag() const noexcept { return drag_; }
    /// The final contours of the compared runs.
    [[nodiscard]] const std::vector<Contour>& comparedContours() const noexcept { return compared_; }
    /// The last error, one sentence; empty if there is none.
    [[nodiscard]] QString problem() const { return problem_; }

    /// The runs of all pages, for the undo history.
    [[nodiscard]] ContourRunList list() const;
    /// Removes runs and brings removed ones back, as far as they are kept. The run that came back last is the
    /// current one; else a removed one is followed by its successor, or the last run. No signal.
    void setList(const ContourRunList& list);

    /// Replaces the run with its id, or gets a new id; becomes the current run.
    void adopt(ContourRun run);
    /// Adds a run with a new id. No signal.
    void add(ContourRun run, int page, bool isCurrent);
    /// Adds runs of a session to the shown page, and replaces its saved runs. No signal.
    void addRestored(std::vector<ContourRun> runs, std::vector<SessionRun> failed);
    /// Replaces the runs to be made of all pages. No signal.
    void setSaved(const std::vector<SessionRun>& saved);
    /// No signals.
    void select(int index);
    /// Removed runs are kept for setList() up to kMostRemovedBytes.
    void remove(int index);
    void showPage(const OpenRequest& image, bool isSameStack, DeferredRelease& old);
    void gatherCompared();
    /// Signals of another current run.
    void announce();
    void show(int number);
    void setProblem(const QString& problem) { change(this, problem_, problem, &ContourRuns::problemChanged); }
    void beginDrag(int node);
    void dragTo(const ContourNode& place);
    /// A moved node stays in an allowed place. No signal.
    [[nodiscard]] std::optional<Drag> takeDrag();
    void cancelDrag();

public slots:
    void setCompared(int index, bool compared);
    /// Makes another contour the current one.
    void setContour(int index);

signals:
    void changed();       ///< list, current run, current contour, comparison
    void statesChanged(); ///< the current run has more states or is finished
    void pointed(int to); ///< another run or state is shown; the other signals follow
    void shownChanged();  ///< another state or a dragged node
    void problemChanged();
    void noticeRaised(const QString& text); ///< information that is no failure

private:
    [[nodiscard]] ContourRun* present() const noexcept;
    void pointTo(int number);
    [[nodiscard]] int nextSerial();
    /// Keeps a removed run of a page.
    void keep(Page& page, ContourRun run);
    /// Takes a run with an index out of a page, which keeps its current run if that stays.
    static ContourRun takeOut(Page& page, int index);
    /// Puts a removed run back into its page. @return its index
    static int reinsert(Page& page, ContourRun run);

    const DocumentViewModel& document_;
    OpenRequest image_;
    std::map<int, Page> pages_;
    int made_ = 0;            ///< the last serial of a run that was made
    int restored_ = 0;        ///< number of runs of a session
    Page* page_ = &pages_[0]; ///< the shown one
    std::optional<ContourStart> pending_;
    std::vector<Contour> nodes_;
    std::vector<Contour> compared_;
    std::optional<Drag> drag_;
    QString problem_;
};

/// Shows the states of the current run: one after another, or a chosen one.
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
    /// Whether the shown state is on the screen; true until reportDrawn() is first called.
    [[nodiscard]] bool isDrawn() const noexcept { return drawn_.value_or(true); }
    /// Nodes can be moved: a contour exists and does not play.
    [[nodiscard]] bool canDrag() const noexcept { return runs_.current() >= 0 && !playing_; }
    /// States of the current run to be computed beyond the recorded ones.
    [[nodiscard]] int statesWanted() const noexcept;

    /// Contours are drawn: playing waits for reportDrawn().
    void setActive(bool active) noexcept { active_ = active; }
    void setPlaying(bool playing);
    void show(int number);
    /// Forgets the state to be shown once it is computed.
    void dropTarget() noexcept { target_ = runs_.shown(); }
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
    void reportDrawn() { drawn_ = true; }

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
    std::optional<bool> drawn_; ///< empty until reportDrawn() is first called
    QTimer tick_;
    QElapsedTimer sinceTick_;
};

} // namespace pollard::vm
