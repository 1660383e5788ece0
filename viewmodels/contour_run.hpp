#pragma once

#include "snake_record.hpp"

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/row_sums.hpp"
#include "snake/snake_run.hpp"
#include "snake/snake_spec.hpp"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace pollard::vm {

/// One evolution of a contour with everything that was recorded of it.
struct ContourRun {
    int id = 0; ///< from 1, never given again
    SnakeSpec spec;
    QString origin;      ///< where the start came from: "rectangle", "object 5"
    int parent = 0;      ///< id of the run that it branched from; 0: none
    int parentState = 0; ///< the state of that one
    SnakeRecord record;
    bool finished = false;           ///< nothing moves any more
    bool compared = false;           ///< its last contour is drawn thin
    int shown = 0;                   ///< state that was shown last
    std::shared_ptr<SnakeRun> snake; ///< goes on on the worker, and nobody else touches it
};

/// What a run is to begin with.
struct ContourStart {
    std::function<Contour(const JobControl& control)> make; ///< runs on the worker
    SnakeSpec spec;
    QString origin;
    int parent = 0;
    int parentState = 0;
};

/// Sums over the rows of an image's valid pixels, kept for the next run on the same image. Used by one thread at a
/// time.
class KeptSums {
public:
    [[nodiscard]] std::shared_ptr<const RowSums>
    of(const std::shared_ptr<const Image>& image, const std::shared_ptr<const Mask>& valid, const JobControl& control);

private:
    std::shared_ptr<const RowSums> sums_;
};

/// States that a snake reached in a row.
struct SnakeStretch {
    std::vector<SnakeState> states;
    bool finished = false;
};

/// Goes on for some milliseconds, and at most for @p most states. What was reached before a stop is kept.
[[nodiscard]] SnakeStretch advanceSome(SnakeRun& snake, int most, const JobControl& control);

} // namespace pollard::vm
