#pragma once

#include "vm/contour/contour_input.hpp"
#include "vm/contour/contour_record.hpp"

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"
#include "image/value_mapping.hpp"
#include "snake/contour_choice.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_spec.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

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
[[nodiscard]] ContourRun madeRun(const ContourStart& start, const ContourInput& ground, const JobControl& control);

/// The contours of a run, evolved again to the end of its record.
[[nodiscard]] std::shared_ptr<SnakeGroup> madeAgain(const ContourRun& run, const ContourInput& ground,
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
[[nodiscard]] QString takenOverText(const std::string& why);

} // namespace pollard::vm
