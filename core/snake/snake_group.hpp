#pragma once

#include "base/job_control.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace pollard {

/// Evolves the contours of a SnakeJob step by step. Contours take turns of one accepted state each.
///
/// If they share a background, each evolves around its own region, and the pixels in no region are the background. The
/// energy is the sum over all regions, the background and the lengths of all contours. Regions are always disjoint: for
/// a moving contour, the regions of all others are forbidden. A contour without a further state pauses until all
/// contours pause. Then every contour resumes if another one has changed since it paused, until no contour changes. A
/// single contour takes the steps of a SnakeRun.
///
/// Independent contours take the steps of a SnakeRun on their parts, and finished ones are skipped.
class SnakeGroup {
public:
    /// @param job its spec defines the moves; the algorithm is ignored
    /// @param sums of the image's valid pixels, for contours that share a background; null: computed if needed
    /// @throws Error(invalidArgument) as SnakeRun, naming the start, if several overlap or leave too few pixels, and as
    /// usedStarts() for independent contours; Cancelled
    explicit SnakeGroup(const SnakeJob& job, std::shared_ptr<const RowSums> sums = {}, const JobControl& control = {});

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    /// State of a contour, in px of the image. With a common background, its energy is the energy of the group when the
    /// state was accepted. For an independent contour, energy and outside refer to its part.
    [[nodiscard]] const SnakeState& state(std::size_t i) const noexcept { return members_[i].run->state(); }
    /// Index of the contour with the last accepted state.
    [[nodiscard]] std::size_t last() const noexcept { return last_; }
    /// Energy of contours with a common background.
    [[nodiscard]] double energy() const noexcept { return members_[last_].run->state().energy; }
    /// Sums over the pixels of the common background.
    [[nodiscard]] RegionSums background() const noexcept;

    /// Advances to the next accepted state of the next contour that has one. @return false, without a change, if none
    /// has
    /// @throws Cancelled; the states are unchanged then
    bool advance(const JobControl& control = {});

    /// Advances to the end. @param listener called with the current states first; may be empty
    /// @throws Cancelled
    void finish(const SnakeListener& listener, const JobControl& control);
    /// Advances independent contours to the end, in parallel; the group must not be used afterwards. @return the final
    /// states
    /// @throws Cancelled
    [[nodiscard]] std::vector<SnakeState> finishIndependent(const SnakeListener& listener, const JobControl& control);

private:
    struct Member {
        std::unique_ptr<SnakeRun> run;
        bool isPaused = false;
        bool isOutdated = false; ///< another contour has changed since this one paused
    };
    void startShared(const SnakeJob& job);
    void startIndependent(const SnakeJob& job, const JobControl& control);
    [[nodiscard]] bool shareBackground() const noexcept { return sums_ != nullptr && members_.size() > 1; }
    /// Advances a contour by one state. @return whether it changed
    [[nodiscard]] bool advanceMember(std::size_t i, const JobControl& control);
    void updateOthers(std::size_t i);

    std::shared_ptr<const RowSums> sums_; ///< of the image; null for independent contours
    std::shared_ptr<RowCounts> taken_;    ///< forbidden pixels and all regions; null if there are none
    std::vector<Member> members_;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
};

} // namespace pollard
