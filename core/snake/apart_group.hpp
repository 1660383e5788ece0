#pragma once

#include "base/job_control.hpp"
#include "snake/apart_snakes.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard {

/// The contours of an ApartSnakesJob state by state: they take turns in their order, an accepted state each, and one
/// that has no other is passed over. Each takes the states of runApartSnakes().
class ApartGroup {
public:
    /// @param job whose spec says the moves, whatever its algorithm
    /// @throws as runApartSnakes(); Cancelled
    explicit ApartGroup(const ApartSnakesJob& job, const JobControl& control = {});

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    /// px of the image; energy and outside are those of the part.
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept { return members_[i].state; }
    /// Whose state was the last to be accepted.
    [[nodiscard]] std::size_t last() const noexcept { return last_; }

    /// Goes on to the next accepted state of the contour whose turn it is. @return false, and nothing changes, if no
    /// contour has one
    /// @throws Cancelled; then all states stay
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
