#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_follow.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/contour/contour_starts.hpp"
#include "vm/contour/contours_draft.hpp"
#include "vm/contour/engine_run.hpp"
#include "vm/contour/forbidden_area.hpp"
#include "vm/objects/object_listing.hpp"

#include "image/region_shape.hpp"
#include "session/session.hpp"
#include "snake/snake_spec.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTimer>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class RetiredData;

/// Runs of the region snake, each with one contour or several and all its states. There are a current run, a current
/// contour in it, and a shown state, which is independent of the number of computed ones. While playing, a thread
/// computes ahead.
///
/// A change of a parameter, a node, a contour or the forbidden area starts a new run from the shown state; a run
/// without moves is changed in place. Runs belong to a page; they are kept while other pages of the same stack are
/// shown, and deleted when the file is closed.
class ContourViewModel : public QObject {
    Q_OBJECT

public:
    /// Speeds, states per second.
    static constexpr std::array<double, 8> kSpeeds{1, 2, 5, 10, 30, 60, 240, 0};
    static constexpr double kFastest = 0;             ///< as fast as they are computed
    static constexpr std::uint32_t kUsualMargin = 20; ///< px around a start that its contour can reach
    /// Limit on the recorded states of all runs; beyond it no state is computed until a run is deleted.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20U;

    /// @param document must outlive this
    explicit ContourViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] const DocumentViewModel& document() const noexcept { return document_; }
    /// Of the current run, and of the next one.
    [[nodiscard]] const SnakeSpec& spec() const noexcept { return spec_; }
    /// The same; but setReach() determines the reach of contours of a new run.
    [[nodiscard]] const ContourEngine& engine() const noexcept { return engine_; }
    /// Reach of the contours of the current run, or without a run of a single contour that starts. See setReach().
    [[nodiscard]] std::optional<std::uint32_t> reach() const noexcept {
        return current_ < 0 && !reach_ ? std::optional(kUsualMargin) : engine_.apart;
    }
    /// Pixels that no contour may contain; the same.
    [[nodiscard]] ForbiddenArea& forbidden() noexcept { return forbidden_; }
    [[nodiscard]] const ForbiddenArea& forbidden() const noexcept { return forbidden_; }
    /// The last error, one sentence; empty if there is none.
    [[nodiscard]] QString problem() const { return problem_; }
    /// The contour panel is visible; contours are drawn only then.
    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// The inside is tinted on the picture.
    [[nodiscard]] bool isTinted() const noexcept { return tinted_; }

    [[nodiscard]] const std::vector<ContourRun>& runs() const noexcept { return runs_; }
    /// Index of the current run; -1 if there is none.
    [[nodiscard]] int current() const noexcept { return current_; }
    [[nodiscard]] const ContourRun* currentRun() const noexcept;
    /// See vm::nameOf().
    [[nodiscard]] QString nameOf(int index) const;
    /// Memory of all recorded states, including other pages.
    [[nodiscard]] std::uint64_t recordedBytes() const noexcept;

    [[nodiscard]] bool isPlaying() const noexcept { return playing_; }
    /// A start is being made, or states are computed.
    [[nodiscard]] bool isComputing() const noexcept { return starting_ != 0 || advancing_ || isRestoring(); }
    /// Runs of restore() are being made.
    [[nodiscard]] bool isRestoring() const noexcept { return restoring_ != 0; }
    /// spec() and engine() are being changed to those of the current run: no edit.
    [[nodiscard]] bool isAdopting() const noexcept { return adopting_; }
    [[nodiscard]] double speed() const noexcept { return speed_; }
    /// Recorded states of the current run, including the start; 0 without a run.
    [[nodiscard]] int stateCount() const noexcept;
    [[nodiscard]] int shown() const noexcept { return shown_; } ///< from 0; 0 without a run
    [[nodiscard]] bool isFinished() const noexcept;
    /// Figures of the current contour in the shown state; empty without a run.
    [[nodiscard]] std::optional<ContourRecord::Figures> figures() const;

    /// Contours of the current run; 0 without one.
    [[nodiscard]] int contourCount() const noexcept { return static_cast<int>(nodes_.size()); }
    /// Index of the current contour; 0 without a run.
    [[nodiscard]] int contour() const noexcept { return contour_; }
    /// All contours in the shown state, with the node being dragged in its new place.
    [[nodiscard]] const std::vector<Contour>& allNodes() const noexcept { return nodes_; }
    /// The current contour in the same way. Empty without a run.
    [[nodiscard]] const Contour& nodes() const noexcept;
    [[nodiscard]] std::optional<int> draggedNode() const;
    /// The dragged node is in an allowed place.
    [[nodiscard]] bool isDragAllowed() const noexcept { return dragged_ && dragged_->allowed; }
    /// The final contours of the compared runs.
    [[nodiscard]] const std::vector<Contour>& comparedContours() const noexcept { return compared_; }

    /// Whether the shown state is on the screen; true until tellDrawn() is first called.
    [[nodiscard]] bool isDrawn() const noexcept { return drawn_.value_or(true); }

    /// Nodes can be moved: a contour exists and does not play.
    [[nodiscard]] bool canDrag() const noexcept { return current_ >= 0 && !playing_; }

    /// There is a next page and a run to follow.
    [[nodiscard]] bool canFollow() const noexcept;
    [[nodiscard]] const ContourFollow& following() const noexcept { return follow_; }
    /// Following, or finishing the run of this page first.
    [[nodiscard]] bool isFollowing() const noexcept { return follow_.isRunning() || followed_ != 0; }
    /// A page with a run of a series.
    struct FollowedPage {
        int page = 0; ///< 0-based
        int run = 0;  ///< id
        int contours = 0;
        std::optional<std::uint64_t> pixels; ///< inside of all contours at the end; empty until the page was shown
    };
    /// The series of the current run: the followed run and those made by following, page by page. Empty if none was
    /// made.
    [[nodiscard]] std::vector<FollowedPage> series() const;

    /// All runs of all pages, and the settings of the next one.
    [[nodiscard]] ContoursDraft draft() const;
    /// Marks of all runs by page, without a copy of their records.
    [[nodiscard]] std::vector<ContourRunMark> marks() const;

    /// For tests; default kMostBytes.
    void setMostBytes(std::uint64_t bytes) noexcept { mostBytes_ = bytes; }

public slots:
    /// Restores the result of draft(), right after the picture was opened. The forbidden area and the runs are computed
    /// again on the worker, runs from their starts to the end of their record, those of other pages when the page is
    /// shown. If a run ends differently, because the picture has changed, noticeRaised() reports it; if it fails,
    /// problem() has the reason, and the run stays in the session unchanged.
    void restore(pollard::SessionContours saved);

    void setSpec(const pollard::SnakeSpec& spec);
    void setEngine(const pollard::vm::ContourEngine& engine);
    /// Reach of the contours of the current run and of all new ones: @p margin px around their starts, each contour by
    /// itself, or the whole picture, which they share, if empty. Until this is called, or setEngine() with another
    /// margin, a single start reaches kUsualMargin px, and several starts share the whole picture.
    void setReach(const std::optional<std::uint32_t>& margin);
    void setSpeed(double statesPerSecond);
    void setActive(bool active);
    void setTinted(bool tinted);

    /// Starts of a new run; with @p add they join the displayed contours. If there are none, problem() has the reason.
    void startFrom(const pollard::Contour& contour, const QString& origin);
    void startFromAll(const std::vector<pollard::Contour>& contours, const QString& origin, bool add = false);
    void startFromShape(const pollard::RegionShape& shape) { startFromShapes({shape}); }
    void startFromShapes(const std::vector<pollard::RegionShape>& shapes, bool add = false);
    /// Starts from a rectangle of half the width and height in the middle of the visible part of the picture.
    void startInMiddle(const QRectF& part, bool add = false);
    /// Starts from the outline of an object.
    void startFromObject(const std::shared_ptr<const pollard::vm::FoundObjects>& objects, quint32 label);
    void startFromObjects(const std::shared_ptr<const pollard::vm::FoundObjects>& objects,
                          const std::vector<quint32>& labels, bool add = false);
    /// Starts from the outline of the component with this canonical pixel.
    void startFromComponent(quint32 canonical, bool add = false);
    /// Starts from the outlines of the components that are not inside another one of them.
    void startFromNodes(const std::shared_ptr<const pollard::NodeSet>& nodes, bool add = false);

    /// Makes another contour the current one.
    void setContour(int index);
    /// The others continue without it; the last one cannot be removed.
    void removeContour(int index);

    /// Finishes the current run, then goes through the following pages: the final contours of a page are the starts of
    /// the next one. Every page gets its own run. Pages that already have a run from the same source are skipped;
    /// following continues after them, and noticeRaised() reports if there are no others.
    void follow(const pollard::ReadLimits& limits = {});
    void stopFollowing();
    /// Shows a page of the stack.
    void showPage(int page);

    void play();
    void pause();
    void togglePlaying();
    void stepForward(); ///< computes a state if the last one is shown
    void stepBack();
    void toStart();
    /// Shows the final state; missing ones are computed.
    void toEnd();
    /// Shows a recorded state; playing continues from there.
    void scrub(int number);
    /// Reports that the shown state is on the screen. After the first call it must be called for every state: at speeds
    /// without skipping, playing waits for it for a short time.
    void tellDrawn();

    void selectRun(int index);
    void deleteRun(int index);
    void setCompared(int index, bool compared);

    void beginDrag(int node);
    /// Moves the node to the nearest pixel corner within the picture.
    void dragTo(const QPointF& image);
    /// Starts a new run, or puts the node back and reports the reason.
    void endDrag();
    void cancelDrag();

signals:
    void specChanged();
    void activeChanged();
    void tintedChanged();
    void engineSet();        ///< engine()
    void runsChanged();      ///< list, current run, current contour, comparison
    void statesChanged();    ///< the current run has more states or is finished
    void shownChanged();     ///< another state or a dragged node
    void transportChanged(); ///< playing, computing, speed
    void problemChanged();
    void followChanged(); ///< isFollowing() or the page
    /// The page has its part of the session from restore(), as far as possible: the forbidden area, and runs() from @p
    /// first on.
    void runsRestored(int page, int first);
    /// Information that is no failure.
    void noticeRaised(const QString& text);

private:
    struct Dragged {
        int node = 0;
        Contour nodes;
        bool allowed = true;
        bool moved = false;
    };

    /// Runs of a page that is not displayed.
    struct PageRuns {
        std::vector<ContourRun> runs;
        int current = -1;
        int lastId = 0;
    };

    [[nodiscard]] ContourGround ground() const;
    void onPicture();
    struct RestoredPage;
    void makeAwaited(int page);
    void onRestored(int page, RestoredPage& made, const JobOutcome& outcome);
    void takeRestored(int page, std::vector<ContourRun> runs, int current);
    void leavePage(int page, RetiredData& old);
    void comeBack(int page);
    void takeFollowed(int page, const ContourRun& run);
    void beginFollowing();
    /// A run of any page, in any storage.
    struct AnyRun {
        int page = 0;
        const ContourRun* made = nullptr;
        const SessionRun* saved = nullptr; ///< if it is not made yet

        [[nodiscard]] int id() const { return made != nullptr ? made->id : saved->id; }
        [[nodiscard]] int parent() const { return made != nullptr ? made->parent : saved->parent; }
        [[nodiscard]] QString origin() const {
            return made != nullptr ? made->origin : QString::fromStdString(saved->origin);
        }
        [[nodiscard]] std::vector<Contour> starts() const {
            return made != nullptr ? made->record.allNodes(0) : saved->starts;
        }
        [[nodiscard]] std::vector<Contour> ends() const {
            return made != nullptr ? made->record.allNodes(made->record.count() - 1) : saved->last;
        }
    };
    /// Of all pages, in order.
    [[nodiscard]] std::vector<AnyRun> allRuns() const;
    /// The run that @p run was followed from, or @p run itself, and the runs made by following.
    [[nodiscard]] std::vector<AnyRun> seriesOf(const ContourRun& run) const;
    [[nodiscard]] static QString followedName(int page, int id);
    [[nodiscard]] static int lastFollowed(const std::vector<AnyRun>& series, int page);
    void onForbidden();
    [[nodiscard]] ContourStart branchStart() const;
    /// @param count of contours; exact only in being one or several
    void startWith(MakeContours make, std::size_t count, const QString& origin, bool add);
    void takeEngine(const ContourEngine& engine);
    void begin(ContourStart start);
    void branch(std::vector<Contour> nodes);
    void restart();
    void adopt(ContourRun run);
    void goBack();
    void adoptSettings(const ContourRun& run);
    [[nodiscard]] ContourRun* runOf(int id);
    [[nodiscard]] ContourRun* present() noexcept;
    void computeNext();
    void postStretch(ContourRun& run, int wanted);
    void postWhole(ContourRun& run, Engine& engine);
    [[nodiscard]] Engine* wholeEngine(const ContourRun& run) const noexcept;
    void endAtBound();
    void drain();
    void record(int id, const SnakeStretch& stretch);
    void endOf(const JobOutcome& outcome);
    void showNext();
    void pointTo(int number);
    void show(int number);
    void setPlaying(bool playing);
    void setProblem(const QString& problem);
    void gatherCompared();

    DocumentViewModel& document_;
    ForbiddenArea forbidden_;
    SnakeSpec spec_;
    ContourEngine engine_{false, {}, kUsualMargin};
    std::optional<std::optional<std::uint32_t>> reach_; ///< for new runs; empty: by the number of contours
    double speed_ = 60;
    bool adopting_ = false; ///< settings of a run are being taken over
    bool active_ = false;
    bool tinted_ = true;
    QString problem_;
    std::vector<ContourRun> runs_;
    int current_ = -1;
    int lastId_ = 0;
    int shown_ = 0;
    int target_ = 0; ///< state to show once it is computed
    int contour_ = 0;
    std::vector<Contour> nodes_;
    std::vector<Contour> compared_;
    std::optional<Dragged> dragged_;
    bool playing_ = false;
    bool hurrying_ = false; ///< to the end at any speed
    bool advancing_ = false;
    std::uint64_t mostBytes_ = kMostBytes;
    LatestWinsWorker::Generation starting_ = 0; ///< the start being made; 0: none
    ContourStart pending_;                      ///< the same start
    std::shared_ptr<KeptSums> sums_;
    std::shared_ptr<ArrivingStates> arriving_; ///< from an engine
    int arrivingRun_ = 0;
    QTimer drain_;
    std::map<int, PageRuns> pages_; ///< all but the displayed one
    /// Runs to be made when their page is shown, those being made, and those that failed.
    struct Awaited {
        std::map<int, std::shared_ptr<const std::vector<SessionRun>>> runs;
        std::vector<std::shared_ptr<const SessionMask>> masks;
        std::optional<std::uint32_t> forbidden; ///< index, of the area that is not made yet
        int current = 0;                        ///< id, on the page `page`
        int page = 0;
    };
    Awaited awaited_;
    LatestWinsWorker::Generation restoring_ = 0; ///< the job that makes them; 0: none
    OpenRequest shownPage_;
    ReadLimits followLimits_;
    int followed_ = 0; ///< id of the run to follow after its end
    ContourFollow follow_;
    QTimer tick_;
    QElapsedTimer sinceTick_;
    double due_ = 0; ///< states still to be shown
    /// Whether the shown state is on the screen; empty until tellDrawn() is first called.
    std::optional<bool> drawn_;
    LatestWinsWorker worker_; ///< last: its thread ends before the other members are destroyed
};

} // namespace pollard::vm
