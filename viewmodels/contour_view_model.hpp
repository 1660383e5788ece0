#pragma once

#include "contour_run.hpp"
#include "latest_wins_worker.hpp"
#include "object_listing.hpp"

#include "image/region_shape.hpp"
#include "snake/snake_spec.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTimer>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// Contours on their way to the border of an object: runs of the region snake, each with all its states. One run is at
/// hand, and one of its states is shown; which one does not depend on how many are computed. While it plays, a
/// thread of its own computes ahead.
///
/// Another parameter, or a node that is moved, starts a new run from the state that is shown; a run that has not moved
/// yet is changed itself. Runs belong to a picture and go with it.
class ContourViewModel : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool playing READ isPlaying NOTIFY transportChanged)
    Q_PROPERTY(int shown READ shown WRITE scrub NOTIFY shownChanged)
    Q_PROPERTY(int stateCount READ stateCount NOTIFY statesChanged)
    Q_PROPERTY(double speed READ speed WRITE setSpeed NOTIFY transportChanged)
    Q_PROPERTY(QString problem READ problem NOTIFY problemChanged)

public:
    /// States that are shown in a second.
    static constexpr std::array<double, 8> kSpeeds{1, 2, 5, 10, 30, 60, 240, 0};
    static constexpr double kFastest = 0; ///< as fast as they are computed
    /// Recorded states of all runs take no more; then nothing is computed until a run is deleted.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20U;

    /// @param document must outlive this
    explicit ContourViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] const DocumentViewModel& document() const noexcept { return document_; }
    /// Of the run at hand, and of the next one.
    [[nodiscard]] const SnakeSpec& spec() const noexcept { return spec_; }
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
    /// "2: Gaussian, step 16, length 8; from run 1 at state 30".
    [[nodiscard]] QString nameOf(int index) const;
    /// Memory of all recorded states.
    [[nodiscard]] std::uint64_t recordedBytes() const noexcept;

    [[nodiscard]] bool isPlaying() const noexcept { return playing_; }
    /// A start is made, or states are computed.
    [[nodiscard]] bool isComputing() const noexcept { return starting_ != 0 || advancing_; }
    [[nodiscard]] double speed() const noexcept { return speed_; }
    /// States of the run at hand that are there, the start included; 0 without a run.
    [[nodiscard]] int stateCount() const noexcept;
    [[nodiscard]] int shown() const noexcept { return shown_; } ///< from 0; 0 without a run
    [[nodiscard]] bool isFinished() const noexcept;
    /// What is told of the shown state; null without a run.
    [[nodiscard]] const SnakeRecord::Figures* figures() const;

    /// The contour to be drawn: that of the shown state, or the one whose node is being dragged.
    [[nodiscard]] const Contour& nodes() const noexcept { return dragged_ ? dragged_->nodes : nodes_; }
    [[nodiscard]] std::optional<int> draggedNode() const;
    /// The dragged node may stay where it is.
    [[nodiscard]] bool isDragAllowed() const noexcept { return dragged_ && dragged_->allowed; }
    /// The last contours of the runs that are compared.
    [[nodiscard]] const std::vector<Contour>& comparedContours() const noexcept { return compared_; }

    /// Nodes can be moved: there is a contour, and it does not play.
    [[nodiscard]] bool canDrag() const noexcept { return current_ >= 0 && !playing_; }

    /// For tests; kMostBytes unless set.
    void setMostBytes(std::uint64_t bytes) noexcept { mostBytes_ = bytes; }

public slots:
    void setSpec(const pollard::SnakeSpec& spec);
    void setSpeed(double statesPerSecond);
    void setActive(bool active);
    void setTinted(bool tinted);

    /// Starts of a new run. Where they are none, problem() says why.
    void startFrom(const pollard::Contour& contour, const QString& origin);
    void startFromShape(const pollard::RegionShape& shape);
    /// The middle half of the part of the picture that is seen.
    void startInMiddle(const QRectF& part);
    /// The outline of an object.
    void startFromObject(const std::shared_ptr<const pollard::vm::FoundObjects>& objects, quint32 label);
    /// The outline of the component whose canonical pixel this is.
    void startFromComponent(quint32 canonical);

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
    void runsChanged();      ///< list, run at hand, comparison
    void statesChanged();    ///< of the run at hand there are more, or it is finished
    void shownChanged();     ///< another state, or a dragged node
    void transportChanged(); ///< playing, computing, speed
    void problemChanged();

private:
    struct Dragged {
        int node = 0;
        Contour nodes;
        bool allowed = true;
        bool moved = false;
    };

    void onPicture();
    void begin(ContourStart start);
    void branch(Contour nodes);
    void adopt(ContourRun run);
    void goBack();
    void adoptSpec(const SnakeSpec& spec);
    [[nodiscard]] ContourRun* runOf(int id);
    [[nodiscard]] ContourRun* present() noexcept;
    void computeNext();
    void take(int id, const SnakeStretch& stretch);
    void showNext();
    void pointTo(int number);
    void show(int number);
    void setPlaying(bool playing);
    void setProblem(const QString& problem);
    void gatherCompared();

    DocumentViewModel& document_;
    SnakeSpec spec_;
    double speed_ = 60;
    bool active_ = false;
    bool tinted_ = true;
    QString problem_;
    std::vector<ContourRun> runs_;
    int current_ = -1;
    int lastId_ = 0;
    int shown_ = 0;
    int target_ = 0; ///< state to show as soon as it is there
    Contour nodes_;
    std::vector<Contour> compared_;
    std::optional<Dragged> dragged_;
    bool playing_ = false;
    bool hurrying_ = false; ///< to the end, whatever the speed
    bool advancing_ = false;
    std::uint64_t mostBytes_ = kMostBytes;
    LatestWinsWorker::Generation starting_ = 0; ///< of the start that is made; 0: none
    ContourStart pending_;                      ///< the same
    std::shared_ptr<KeptSums> sums_;
    QTimer tick_;
    QElapsedTimer sinceTick_;
    double due_ = 0;          ///< states that are to be shown
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
