#pragma once

#include "vm/contour/contour_record.hpp"
#include "vm/contour/moving_contours.hpp"

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"
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

/// How contours move, and whether they share a background. Several contours together always move step by step on the
/// CPU.
struct ContourEngine {
    bool isWhole = false;  ///< the document's engine, which cannot pause, to the end; else the CPU, state by state
    std::string algorithm; ///< of that engine; empty: its default for the moves of the spec
    std::optional<std::uint32_t> apart = {}; ///< px around each start: every contour on its own part; empty: together

    bool operator==(const ContourEngine&) const = default;
};

/// One evolution of contours with its record.
struct ContourRun {
    int id = 0; ///< from 1, never reused
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may contain; null for none
    QString origin;                        ///< origin of the start: "rectangle", "object 5"
    int parent = 0;                        ///< id of the run it branched from; 0: none
    int parentState = 0;                   ///< state of the parent
    std::vector<PixelRegion> parts;        ///< reachable parts, one per contour; empty: they share the whole picture
    ContourRecord record;
    bool finished = false;                 ///< no contour can move
    bool compared = false;                 ///< its final contours are drawn thin
    int shown = 0;                         ///< the state shown last
    std::size_t contour = 0;               ///< the current contour
    std::shared_ptr<MovingContours> snake; ///< advanced on the worker only; null: to be evolved again
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

/// Start of a run.
struct ContourStart {
    std::function<std::vector<Contour>(const JobControl& control)> make; ///< called on the worker
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden;
    QString origin;
    int parent = 0;
    int parentState = 0;
    std::size_t contour = 0; ///< the current one; clamped to the last
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

/// Makes the run of @p start with its first state recorded.
/// @throws Error(invalidArgument) as MovingContours; Cancelled
[[nodiscard]] ContourRun madeRun(const ContourStart& start, const ContourGround& ground, const JobControl& control);

/// The contours of a run, evolved again to the end of its record.
[[nodiscard]] std::shared_ptr<MovingContours> madeAgain(const ContourRun& run, const ContourGround& ground,
                                                        const JobControl& control);

/// Advances for some milliseconds, at most @p most states. States reached before a stop are kept.
[[nodiscard]] SnakeStretch advanceSome(MovingContours& snake, int most, const JobControl& control);

} // namespace pollard::vm
