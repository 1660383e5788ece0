#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "snake/row_sums.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_run.hpp"
#include "snake/snake_spec.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::vm {

/// All states of a snake, exactly. Between whole contours only the moved nodes are kept.
class SnakeRecord {
public:
    /// The values of a state without its nodes.
    struct Figures {
        SnakeStep kind = SnakeStep::start;
        std::uint32_t round = 0;
        std::uint32_t reach = 0;
        std::uint32_t nodes = 0;
        double energy = 0;
        RegionSums inside;
        RegionSums outside;
    };

    void add(const SnakeState& state);

    [[nodiscard]] int count() const noexcept { return static_cast<int>(entries_.size()); }
    [[nodiscard]] const Figures& figures(int number) const { return entries_[static_cast<std::size_t>(number)].known; }
    /// The contour of a state. Goes through the moves of at most kSpacing states.
    [[nodiscard]] Contour nodes(int number) const;
    [[nodiscard]] SnakeState state(int number) const;
    /// Memory of all recorded states.
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    static constexpr int kSpacing = 64; ///< most states between two whole contours

    struct Entry {
        Figures known;
        std::size_t whole = 0;       ///< the last whole contour up to this state
        std::size_t firstChange = 0; ///< of the changes from the previous state
    };
    struct FullState {
        int number = 0;
        Contour nodes;
    };
    struct Change {
        std::uint32_t node = 0;
        ContourNode place;
    };

    std::vector<Entry> entries_;
    std::vector<FullState> fullStates_;
    std::vector<Change> changes_;
    Contour last_;
    std::uint64_t fullStateBytes_ = 0;
};

/// All states of contours that evolve together, exactly. State 0 has all starts; each further state is one reached by
/// one of the contours while the others stayed.
class ContourRecord {
public:
    using Figures = SnakeRecord::Figures;
    /// The outside of a contour: the rest of the image, common to all contours, or the rest of the contour's own part.
    enum class Background : bool { common, own };

    /// @param starts at least one
    void begin(std::span<const SnakeState> starts, Background background = Background::common);
    /// Appends a state reached by a contour.
    void add(std::size_t contour, const SnakeState& state);
    /// Appends a state for every contour whose last one is not trimmed().
    void trim(double lengthPrice);

    [[nodiscard]] int count() const noexcept { return static_cast<int>(movers_.size()); }
    [[nodiscard]] std::size_t contours() const noexcept { return members_.size(); }
    /// The contour that reached a state; for state 0 the first one.
    [[nodiscard]] std::size_t moverOf(int number) const { return movers_[static_cast<std::size_t>(number)]; }
    /// A contour at state @p number of all contours.
    [[nodiscard]] Contour nodes(int number, std::size_t contour = 0) const;
    [[nodiscard]] std::vector<Contour> allNodes(int number) const;
    /// Figures of a contour at a state. The energy is the energy of all contours; outside is the background.
    [[nodiscard]] Figures figures(int number, std::size_t contour = 0) const;
    /// The state reached by moverOf().
    [[nodiscard]] SnakeState state(int number) const;
    [[nodiscard]] SnakeState start(std::size_t contour) const { return members_[contour].states.state(0); }
    /// Memory of all recorded states.
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    struct Member {
        SnakeRecord states;
        std::vector<int> numbers; ///< of its states in the list of all states
    };
    /// The index of a contour's state at state @p number of the record.
    [[nodiscard]] static int ownState(const Member& member, int number);

    std::vector<Member> members_;
    std::vector<std::uint32_t> movers_;
    Background background_ = Background::common;
    std::vector<double> energies_; ///< of all contours, by states; with own backgrounds
};

/// Sums over the rows of an image's valid pixels, kept for the next run on the same image. Threads that need
/// them at the same time wait for the first one.
class CachedSums {
public:
    [[nodiscard]] std::shared_ptr<const RowSums>
    of(const std::shared_ptr<const Image>& image, const std::shared_ptr<const Mask>& valid, const JobControl& control);

private:
    std::mutex mutex_;
    std::shared_ptr<const RowSums> sums_;
};

/// The image that contours move on.
struct ContourInput {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels with data; null for all
    std::shared_ptr<CachedSums> sums;  ///< of `image` and `valid`
};

/// Parameters and origin of a run.
struct ContourPlan {
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may contain; null for none
    QString origin;                        ///< of the start: "rectangle", "object 5"
    int parent = 0;                        ///< id of the run it branched from; 0: none
    int parentState = 0;                   ///< state of the parent
};

/// One evolution of contours with its record.
struct ContourRun : ContourPlan {
    int id = 0;                     ///< from 1, never reused
    int serial = 0;                 ///< see ContourRunList
    std::vector<PixelRegion> parts; ///< reachable parts, one per contour; empty: they share the whole image
    ContourRecord record;
    bool finished = false;              ///< no contour can move
    bool compared = false;              ///< its final contours are drawn thin
    int shown = 0;                      ///< the state shown last
    std::size_t contour = 0;            ///< the current contour
    std::optional<ValueMapping> values; ///< of the levels of its page
    std::shared_ptr<SnakeGroup> snake;  ///< advanced on the worker only; null: to be evolved again
};

/// The runs of all pages that exist at a step of the undo history. Runs that users make have the serials 1, 2, ... in
/// order, runs of a session -1, -2, ...
struct ContourRunList {
    int made = 0;             ///< later serials do not exist
    std::vector<int> removed; ///< ascending

    bool operator==(const ContourRunList&) const = default;
};

/// Identifies a run and its state: two lists with equal marks are the same work.
struct ContourRunMark {
    int page = 0;
    int id = 0;
    int states = 0;
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden;
    std::vector<Contour> starts; ///< of a run without moves, which is changed in place

    bool operator==(const ContourRunMark&) const = default;
};

/// Makes contours to start from; called on a worker.
using MakeContours = std::function<std::vector<Contour>(const JobControl& control)>;

/// Start of a run.
struct ContourStart : ContourPlan {
    MakeContours make;
    std::size_t contour = 0; ///< the current one; clamped to the last
    bool choosesLaw = false; ///< the run takes chosenLaw() in place of the law of the spec
};

/// A state reached by one of several contours.
struct ContourStep {
    std::size_t contour = 0;
    SnakeState state;
};

/// Consecutive states.
struct SnakeStretch {
    std::vector<ContourStep> steps;
    bool finished = false;
};

/// "Gaussian"
[[nodiscard]] QString lawName(RegionLaw law);

/// The job of a run with these starts.
[[nodiscard]] SnakeJob jobOf(const ContourPlan& plan, std::vector<Contour> starts, const ContourInput& ground);

/// Makes the run of @p start with its first state recorded.
/// @throws Error(invalidArgument) as SnakeGroup; Cancelled
[[nodiscard]] ContourRun makeRun(const ContourStart& start, const ContourInput& ground, const JobControl& control);

/// The contours of a run, evolved again to the end of its record.
[[nodiscard]] std::shared_ptr<SnakeGroup> replayedSnake(const ContourRun& run, const ContourInput& ground,
                                                        const JobControl& control);

/// Evolves a new run to its end, which is shown, and drops its snake. @return false, without an end, if the record
/// reaches @p most bytes @throws Cancelled
[[nodiscard]] bool evolveToEnd(ContourRun& run, std::uint64_t most, const JobControl& control);
/// Ends the record of a run whose contours cannot move; the end is shown.
void finishRun(ContourRun& run);

/// Advances for some milliseconds, at most @p most states. States reached before a stop are kept.
[[nodiscard]] SnakeStretch advanceSome(SnakeGroup& snake, int most, const JobControl& control);

/// "2: Gaussian, step 16, length 8; from run 1 at state 30".
[[nodiscard]] QString nameOf(const ContourRun& run, std::uint32_t width, std::uint32_t height);

/// A message of core about a snake as one sentence for the user.
[[nodiscard]] QString sentenceOf(const std::string& message);

/// Reports that the CPU took over from an engine, with the reason.
[[nodiscard]] QString takeoverText(const std::string& why);

} // namespace pollard::vm
