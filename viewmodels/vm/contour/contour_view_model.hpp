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

/// Contours on their way to the borders of objects: runs of the region snake, each of one contour or several and with
/// all its states. One run is at hand, in it one contour, and one of the run's states is shown; which one does not
/// depend on how many are computed. While it plays, a thread of its own computes ahead.
///
/// Another parameter, a node that is moved, another contour or forbidden area starts a new run from the state that is
/// shown; a run that has not moved yet is changed itself. Runs belong to a page; they stay while others of the same
/// stack are shown, and go with the file.
class ContourViewModel : public QObject {
    Q_OBJECT

public:
    /// States that are shown in a second.
    static constexpr std::array<double, 8> kSpeeds{1, 2, 5, 10, 30, 60, 240, 0};
    static constexpr double kFastest = 0;             ///< as fast as they are computed
    static constexpr std::uint32_t kUsualMargin = 20; ///< px around a start that its contour looks at
    /// Recorded states of all runs take no more; then nothing is computed until a run is deleted.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20U;

    /// @param document must outlive this
    explicit ContourViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] const DocumentViewModel& document() const noexcept { return document_; }
    /// Of the run at hand, and of the next one.
    [[nodiscard]] const SnakeSpec& spec() const noexcept { return spec_; }
    /// Of the same; but setReach() decides how far the contours of a new run look.
    [[nodiscard]] const ContourEngine& engine() const noexcept { return engine_; }
    /// How far contours look: those of the current run, or without one a single contour that starts. See setReach().
    [[nodiscard]] std::optional<std::uint32_t> reach() const noexcept {
        return current_ < 0 && !reach_ ? std::optional(kUsualMargin) : engine_.apart;
    }
    /// What no contour may hold, of the same.
    [[nodiscard]] ForbiddenArea& forbidden() noexcept { return forbidden_; }
    [[nodiscard]] const ForbiddenArea& forbidden() const noexcept { return forbidden_; }
    /// What went wrong last, one sentence; empty if nothing did.
    [[nodiscard]] QString problem() const { return problem_; }
    /// Somebody looks; contours are on the picture only then.
    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// What lies inside is tinted on the picture.
    [[nodiscard]] bool isTinted() const noexcept { return tinted_; }

    [[nodiscard]] const std::vector<ContourRun>& runs() const noexcept { return runs_; }
    /// Index of the run at hand; -1 if there is none.
    [[nodiscard]] int current() const noexcept { return current_; }
    [[nodiscard]] const ContourRun* currentRun() const noexcept;
    /// See vm::nameOf().
    [[nodiscard]] QString nameOf(int index) const;
    /// Memory of all recorded states, those of other pages included.
    [[nodiscard]] std::uint64_t recordedBytes() const noexcept;

    [[nodiscard]] bool isPlaying() const noexcept { return playing_; }
    /// A start is made, or states are computed.
    [[nodiscard]] bool isComputing() const noexcept { return starting_ != 0 || advancing_ || isRestoring(); }
    /// Runs that restore() was given are made.
    [[nodiscard]] bool isRestoring() const noexcept { return restoring_ != 0; }
    /// spec() and engine() become those of the run at hand: nobody set them.
    [[nodiscard]] bool isAdopting() const noexcept { return adopting_; }
    [[nodiscard]] double speed() const noexcept { return speed_; }
    /// States of the run at hand that are there, the start included; 0 without a run.
    [[nodiscard]] int stateCount() const noexcept;
    [[nodiscard]] int shown() const noexcept { return shown_; } ///< from 0; 0 without a run
    [[nodiscard]] bool isFinished() const noexcept;
    /// What is told of the contour at hand in the shown state; nothing without a run.
    [[nodiscard]] std::optional<ContourRecord::Figures> figures() const;

    /// Contours of the run at hand; 0 without one.
    [[nodiscard]] int contourCount() const noexcept { return static_cast<int>(nodes_.size()); }
    /// Index of the one at hand; 0 without a run.
    [[nodiscard]] int contour() const noexcept { return contour_; }
    /// All of them in the shown state, but for a node that is being dragged.
    [[nodiscard]] const std::vector<Contour>& allNodes() const noexcept { return nodes_; }
    /// The contour at hand: that of the shown state, or with the node that is being dragged. Empty without a run.
    [[nodiscard]] const Contour& nodes() const noexcept;
    [[nodiscard]] std::optional<int> draggedNode() const;
    /// The dragged node may stay where it is.
    [[nodiscard]] bool isDragAllowed() const noexcept { return dragged_ && dragged_->allowed; }
    /// The last contours of the runs that are compared.
    [[nodiscard]] const std::vector<Contour>& comparedContours() const noexcept { return compared_; }

    /// Whether what is shown is on the screen, as far as tellDrawn() is called.
    [[nodiscard]] bool isDrawn() const noexcept { return drawn_.value_or(true); }

    /// Nodes can be moved: there is a contour, and it does not play.
    [[nodiscard]] bool canDrag() const noexcept { return current_ >= 0 && !playing_; }

    /// There is a page to go on to, and a run to go on from.
    [[nodiscard]] bool canFollow() const noexcept;
    [[nodiscard]] const ContourFollow& following() const noexcept { return follow_; }
    /// It follows, or ends the run of this page first.
    [[nodiscard]] bool isFollowing() const noexcept { return follow_.isRunning() || followed_ != 0; }
    /// A page that holds a run of a series.
    struct FollowedPage {
        int page = 0; ///< 0-based
        int run = 0;  ///< id
        int contours = 0;
        std::optional<std::uint64_t> pixels; ///< inside of all of them at the end; empty until the page was shown
    };
    /// The series of the current run: the run that was followed over the pages, and those that following made, page by
    /// page. Empty if none was made.
    [[nodiscard]] std::vector<FollowedPage> series() const;

    /// All runs, of all pages, and what the next one begins with.
    [[nodiscard]] ContoursDraft draft() const;
    /// Marks of all runs, by pages, without a copy of their records.
    [[nodiscard]] std::vector<ContourRunMark> marks() const;

    /// For tests; kMostBytes unless set.
    void setMostBytes(std::uint64_t bytes) noexcept { mostBytes_ = bytes; }

public slots:
    /// Takes over what draft() gave, right after the picture was opened. The forbidden area and the runs are made again
    /// on the worker, runs from their starts as far as they were recorded, those of another page when it is shown.
    /// Where that ends otherwise, because the picture is another one, noticeRaised() says so; where it cannot be done,
    /// problem() says why, and the run stays in the session as it was.
    void restore(pollard::SessionContours saved);

    void setSpec(const pollard::SnakeSpec& spec);
    void setEngine(const pollard::vm::ContourEngine& engine);
    /// How far the contours of the current run and of all new ones look: @p margin px around their starts, each contour
    /// by itself, or the whole picture, which they share, if it is empty. Until this is called, or setEngine() with
    /// another margin, one contour that starts looks kUsualMargin px around itself, and several at once look at the
    /// whole picture.
    void setReach(const std::optional<std::uint32_t>& margin);
    void setSpeed(double statesPerSecond);
    void setActive(bool active);
    void setTinted(bool tinted);

    /// Starts of a new run; with @p add they join the contours that are shown. Where they are none, problem() says why.
    void startFrom(const pollard::Contour& contour, const QString& origin);
    void startFromAll(const std::vector<pollard::Contour>& contours, const QString& origin, bool add = false);
    void startFromShape(const pollard::RegionShape& shape) { startFromShapes({shape}); }
    void startFromShapes(const std::vector<pollard::RegionShape>& shapes, bool add = false);
    /// The middle half of the part of the picture that is seen.
    void startInMiddle(const QRectF& part, bool add = false);
    /// The outline of an object.
    void startFromObject(const std::shared_ptr<const pollard::vm::FoundObjects>& objects, quint32 label);
    void startFromObjects(const std::shared_ptr<const pollard::vm::FoundObjects>& objects,
                          const std::vector<quint32>& labels, bool add = false);
    /// The outline of the component whose canonical pixel this is.
    void startFromComponent(quint32 canonical, bool add = false);
    /// Those of the components that no other one of them holds.
    void startFromNodes(const std::shared_ptr<const pollard::NodeSet>& nodes, bool add = false);

    /// Takes hold of another contour.
    void setContour(int index);
    /// The others go on without it; the last one stays.
    void removeContour(int index);

    /// Ends the run at hand, then goes through the pages after this one: where a page's contours end, those of the next
    /// start. Every page gets a run of its own. Pages that have theirs from the same run are left alone: it goes on
    /// after them, and if there are no others, noticeRaised() reports it.
    void follow(const pollard::ReadLimits& limits = {});
    void stopFollowing();
    /// Turns to a page of the stack.
    void showPage(int page);

    void play();
    void pause();
    void togglePlaying();
    void stepForward(); ///< computes a state if the last one is shown
    void stepBack();
    void toStart();
    /// The last state of all: what is missing is computed.
    void toEnd();
    /// Shows a recorded state; while it plays, it goes on from there.
    void scrub(int number);
    /// What is shown is on the screen. Who tells so once tells it of every state: at speeds that pass over none,
    /// playing waits for it, if not for long.
    void tellDrawn();

    void selectRun(int index);
    void deleteRun(int index);
    void setCompared(int index, bool compared);

    void beginDrag(int node);
    /// Moves the node to the nearest corner of pixels within the picture.
    void dragTo(const QPointF& image);
    /// Starts a new run, or puts the node back and says why.
    void endDrag();
    void cancelDrag();

signals:
    void specChanged();
    void activeChanged();
    void tintedChanged();
    void engineSet();        ///< engine()
    void runsChanged();      ///< list, run at hand, contour at hand, comparison
    void statesChanged();    ///< of the run at hand there are more, or it is finished
    void shownChanged();     ///< another state, or a dragged node
    void transportChanged(); ///< playing, computing, speed
    void problemChanged();
    void followChanged(); ///< isFollowing() or the page
    /// The page has its part of the session of restore(), as far as that is possible: the forbidden area, and runs()
    /// from
    /// @p first on.
    void runsRestored(int page, int first);
    /// Something a person should know, that is no failure.
    void noticeRaised(const QString& text);

private:
    struct Dragged {
        int node = 0;
        Contour nodes;
        bool allowed = true;
        bool moved = false;
    };

    /// Runs of a page that is not shown.
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
    /// A run of any page, wherever it is kept.
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
    /// Of all pages, in their order.
    [[nodiscard]] std::vector<AnyRun> allRuns() const;
    /// The run that @p run was followed from, or it itself, and what following made of it.
    [[nodiscard]] std::vector<AnyRun> seriesOf(const ContourRun& run) const;
    [[nodiscard]] static QString followedName(int page, int id);
    [[nodiscard]] static int lastFollowed(const std::vector<AnyRun>& series, int page);
    void onForbidden();
    [[nodiscard]] ContourStart branchStart() const;
    /// @param count of contours; exact only as far as one and several differ
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
    std::optional<std::optional<std::uint32_t>> reach_; ///< of new runs; empty: by the number of contours
    double speed_ = 60;
    bool adopting_ = false; ///< the settings of a run
    bool active_ = false;
    bool tinted_ = true;
    QString problem_;
    std::vector<ContourRun> runs_;
    int current_ = -1;
    int lastId_ = 0;
    int shown_ = 0;
    int target_ = 0; ///< state to show as soon as it is there
    int contour_ = 0;
    std::vector<Contour> nodes_;
    std::vector<Contour> compared_;
    std::optional<Dragged> dragged_;
    bool playing_ = false;
    bool hurrying_ = false; ///< to the end, whatever the speed
    bool advancing_ = false;
    std::uint64_t mostBytes_ = kMostBytes;
    LatestWinsWorker::Generation starting_ = 0; ///< of the start that is made; 0: none
    ContourStart pending_;                      ///< the same
    std::shared_ptr<KeptSums> sums_;
    std::shared_ptr<ArrivingStates> arriving_; ///< from an engine
    int arrivingRun_ = 0;
    QTimer drain_;
    std::map<int, PageRuns> pages_; ///< others than the one that is shown
    /// Runs that are to be made again when their page is shown, those that are just being made, and those that cannot.
    struct Awaited {
        std::map<int, std::shared_ptr<const std::vector<SessionRun>>> runs;
        std::vector<std::shared_ptr<const SessionMask>> masks;
        std::optional<std::uint32_t> forbidden; ///< index, of the area that is not made yet
        int current = 0;                        ///< id, on the page `page`
        int page = 0;
    };
    Awaited awaited_;
    LatestWinsWorker::Generation restoring_ = 0; ///< of the job that makes them; 0: none
    OpenRequest shownPage_;
    ReadLimits followLimits_;
    int followed_ = 0; ///< id of the run that is to be followed as soon as it has ended
    ContourFollow follow_;
    QTimer tick_;
    QElapsedTimer sinceTick_;
    double due_ = 0; ///< states that are to be shown
    /// Whether what is shown is on the screen, once somebody has told so.
    std::optional<bool> drawn_;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
