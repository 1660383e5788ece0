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

/// Who moves contours, and whether they share a background. Several contours together always go step by step on the
/// CPU.
struct ContourEngine {
    bool isWhole = false;  ///< the document's engine, which cannot pause, up to the end; else the CPU, state by state
    std::string algorithm; ///< of that engine; empty: its own for the moves of the spec
    std::optional<std::uint32_t> apart =
        {}; ///< px around each start: every contour on a part of its own; empty: together

    bool operator==(const ContourEngine&) const = default;
};

/// One evolution of contours with everything that was recorded of it.
struct ContourRun {
    int id = 0; ///< from 1, never given again
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may hold; null for none
    QString origin;                        ///< where the start came from: "rectangle", "object 5"
    int parent = 0;                        ///< id of the run that it branched from; 0: none
    int parentState = 0;                   ///< the state of that one
    std::vector<PixelRegion> parts; ///< that the contours may reach, one each; empty: they share the whole picture
    ContourRecord record;
    bool finished = false;   ///< nothing moves any more
    bool compared = false;   ///< its last contours are drawn thin
    int shown = 0;           ///< state that was shown last
    std::size_t contour = 0; ///< the one at hand
    std::shared_ptr<MovingContours>
        snake; ///< goes on on the worker, and nobody else touches it; null: to be made again
};

/// Distinguishes a run from others, and from its own earlier states: two lists of equal marks are the same work.
struct ContourRunMark {
    int page = 0;
    int id = 0;
    int states = 0;
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden;
    std::vector<Contour> starts; ///< of a run that has not moved, which is changed in place

    bool operator==(const ContourRunMark&) const = default;
};

/// What a run is to begin with.
struct ContourStart {
    std::function<std::vector<Contour>(const JobControl& control)> make; ///< runs on the worker
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden;
    QString origin;
    int parent = 0;
    int parentState = 0;
    std::size_t contour = 0; ///< to be at hand; the last one if there are less
};

/// A state that one of several contours reached.
struct ContourStep {
    std::size_t contour = 0;
    SnakeState state;
};

/// States that were reached in a row.
struct SnakeStretch {
    std::vector<ContourStep> steps;
    bool finished = false;
};

/// Makes the run of @p start: its first states are recorded.
/// @throws Error(invalidArgument) as MovingContours; Cancelled
[[nodiscard]] ContourRun madeRun(const ContourStart& start, const ContourGround& ground, const JobControl& control);

/// The contours of a run, evolved anew as far as its record goes.
[[nodiscard]] std::shared_ptr<MovingContours> madeAgain(const ContourRun& run, const ContourGround& ground,
                                                        const JobControl& control);

/// Goes on for some milliseconds, and at most for @p most states. What was reached before a stop is kept.
[[nodiscard]] SnakeStretch advanceSome(MovingContours& snake, int most, const JobControl& control);

} // namespace pollard::vm
