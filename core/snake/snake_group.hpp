#pragma once

#include "base/job_control.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard {

/// Several contours that evolve on one image, each around its own region; the pixels in no region are their common
/// background. The energy is the sum over all regions and the background. Regions are always disjoint.
///
/// Deterministic: contours take turns of one accepted state each, with the regions of the others forbidden. A contour
/// without a further state rests until all do; then those resume for which another one has changed meanwhile, until no
/// contour changes. A single contour takes the steps of a SnakeRun.
class SnakeGroup {
public:
    /// @param starts at least one, as for a SnakeRun
    /// @param forbidden pixels that no contour may contain; null for none
    /// @throws Error(invalidArgument) as SnakeRun, naming the start, if several overlap or leave too few pixels
    SnakeGroup(std::shared_ptr<const RowSums> sums, std::vector<Contour> starts, const SnakeSpec& spec,
               const Mask* forbidden = nullptr);

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    /// State of a contour; its energy is that of the group when it was accepted.
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept { return members_[i].run->state(); }
    [[nodiscard]] double energy() const noexcept { return members_[last_].run->state().energy; }
    /// Index of the contour with the last accepted state.
    [[nodiscard]] std::size_t last() const noexcept { return last_; }
    /// Sums over the pixels in no region.
    [[nodiscard]] RegionSums background() const noexcept;

    /// Advances to the next accepted state of the next contour that has one. @return false, without a change, if none
    /// has
    /// @throws Cancelled; the states are unchanged then
    bool advance(const JobControl& control = {});

private:
    struct Member {
        std::unique_ptr<SnakeRun> run;
        bool resting = false;
        bool isBehind = false; ///< another contour has changed since it started to rest
    };
    /// Advances a contour by one state. @return whether it changed
    [[nodiscard]] bool takeTurn(std::size_t i, const JobControl& control);
    void tellOthers(std::size_t i);

    std::shared_ptr<const RowSums> sums_;
    std::shared_ptr<RowCounts> taken_; ///< forbidden pixels and all regions; null if there are none
    std::vector<Member> members_;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
};

} // namespace pollard
