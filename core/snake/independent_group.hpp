#pragma once

#include "base/job_control.hpp"
#include "snake/independent_snakes.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard {

/// Steps through the contours of an IndependentSnakesJob: they take turns of one accepted state each, and finished ones
/// are skipped. Each takes the states of runIndependentSnakes().
class IndependentGroup {
public:
    /// @param job its spec defines the moves; the algorithm is ignored
    /// @throws as runIndependentSnakes(); Cancelled
    explicit IndependentGroup(const IndependentSnakesJob& job, const JobControl& control = {});

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    /// State of a contour in px of the image; energy and outside refer to its part.
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept { return members_[i].state; }
    /// Index of the contour with the last accepted state.
    [[nodiscard]] std::size_t last() const noexcept { return last_; }

    /// Advances to the next accepted state of the next contour that has one. @return false, without a change, if none
    /// has
    /// @throws Cancelled; the states are unchanged then
    bool advance(const JobControl& control = {});

private:
    struct Member {
        PixelRegion part;
        std::unique_ptr<SnakeRun> run;
        SnakeState state;
        bool finished = false;
    };
    std::vector<Member> members_;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
};

} // namespace pollard
