#pragma once

#include "base/job_control.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard {

/// Several contours that evolve on one image, each around a region of its own; what no region holds is one background
/// for all. The energy is the sum over all regions and the background. Regions never have a pixel in common.
///
/// Deterministic: the contours take turns in their order, an accepted state each; to one whose turn it is, the regions
/// of the others are forbidden. One that finds nothing more rests until all do; then those go on for which another one
/// changed since, until nobody moves. A single contour takes the steps of a SnakeRun.
class SnakeGroup {
public:
    /// @param starts one at least, as for a SnakeRun
    /// @param forbidden pixels that no contour may hold; null for none
    /// @throws Error(invalidArgument) as SnakeRun, naming the start, if several overlap or leave too few pixels
    SnakeGroup(std::shared_ptr<const RowSums> sums, std::vector<Contour> starts, const SnakeSpec& spec,
               const Mask* forbidden = nullptr);

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    /// The energy in it is that of the group when the state was accepted.
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept { return members_[i].run->state(); }
    [[nodiscard]] double energy() const noexcept { return members_[last_].run->state().energy; }
    /// Whose state was the last to be accepted.
    [[nodiscard]] std::size_t last() const noexcept { return last_; }
    /// Sums of what no region holds.
    [[nodiscard]] RegionSums background() const noexcept;

    /// Goes on to the next accepted state of the contour whose turn it is. @return false, and nothing changes, if no
    /// contour has one
    /// @throws Cancelled; then all states stay
    bool advance(const JobControl& control = {});

private:
    struct Member {
        std::unique_ptr<SnakeRun> run;
        bool resting = false;
        bool isBehind = false; ///< another one changed since it began to rest
    };
    /// Lets a contour take its turn. @return whether it changed
    [[nodiscard]] bool takeTurn(std::size_t i, const JobControl& control);
    void tellOthers(std::size_t i);

    std::shared_ptr<const RowSums> sums_;
    std::shared_ptr<RowCounts> taken_; ///< forbidden pixels and all regions; null if there can be none
    std::vector<Member> members_;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
};

} // namespace pollard
