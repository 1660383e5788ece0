#include "snake/snake_group.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard {

SnakeGroup::SnakeGroup(std::shared_ptr<const RowSums> sums, std::vector<Contour> starts, const SnakeSpec& spec,
                       const Mask* forbidden)
    : sums_(std::move(sums)) {
    if (starts.empty()) {
        throw Error(ErrorCode::invalidArgument, "region snake: there is no start");
    }
    if (forbidden != nullptr || starts.size() > 1) {
        taken_ = std::make_shared<RowCounts>(
            forbidden != nullptr ? *forbidden : Mask(sums_->image().width(), sums_->image().height(), false));
    }
    for (Contour& start : starts) {
        try {
            members_.push_back({std::make_unique<SnakeRun>(sums_, std::move(start), spec, taken_)});
        } catch (const Error& error) {
            if (starts.size() == 1) {
                throw;
            }
            const std::string number = std::to_string(members_.size() + 1);
            throw Error(error.code(), std::string(error.what()) + " (start " + number + " of " +
                                          std::to_string(starts.size()) +
                                          (members_.empty() ? ")" : "; it may not overlap those before)"));
        }
        if (starts.size() > 1) {
            taken_->fill(members_.back().run->state().nodes, true);
        }
    }
    if (starts.size() == 1) {
        return;
    }
    if (const std::int64_t left = background().pixels; left < std::max(spec.minPixels, 1U)) {
        throw Error(ErrorCode::invalidArgument, "region snake: the starts leave " + std::to_string(left) +
                                                    " px; at least " + std::to_string(spec.minPixels) +
                                                    " must be outside");
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
        tellOthers(i);
    }
}

RegionSums SnakeGroup::background() const noexcept {
    RegionSums rest = sums_->total();
    for (const Member& member : members_) {
        rest -= member.run->state().inside;
    }
    return rest;
}

void SnakeGroup::tellOthers(std::size_t i) {
    RegionSums held;
    double energy = 0;
    for (std::size_t other = 0; other < members_.size(); ++other) {
        if (other != i) {
            const SnakeRun& run = *members_[other].run;
            held += run.state().inside;
            energy += run.energyOfRegion(run.state().inside);
        }
    }
    members_[i].run->setOthers(held, energy);
}

bool SnakeGroup::takeTurn(std::size_t i, const JobControl& control) {
    SnakeRun& run = *members_[i].run;
    if (members_.size() == 1) {
        return run.advance(control);
    }
    /// Excludes the contour's own region from the forbidden pixels during its lifetime.
    struct OwnRegion {
        RowCounts& taken;
        const SnakeRun& run;
        OwnRegion(RowCounts& counts, const SnakeRun& own) : taken(counts), run(own) {
            taken.fill(run.state().nodes, false);
        }
        ~OwnRegion() { taken.fill(run.state().nodes, true); }
        OwnRegion(const OwnRegion&) = delete;
        OwnRegion& operator=(const OwnRegion&) = delete;
    };
    tellOthers(i);
    const OwnRegion own(*taken_, run);
    return run.advance(control);
}

bool SnakeGroup::advance(const JobControl& control) {
    for (;;) {
        for (std::size_t k = 0; k < members_.size(); ++k) {
            Member& member = members_[next_];
            const std::size_t i = std::exchange(next_, next_ + 1 < members_.size() ? next_ + 1 : 0);
            if (member.resting) {
                continue;
            }
            bool changed = false;
            try {
                changed = takeTurn(i, control);
            } catch (const Cancelled&) {
                next_ = i;
                throw;
            }
            if (changed) {
                last_ = i;
                for (Member& other : members_) {
                    other.isBehind = other.isBehind || other.resting;
                }
                return true;
            }
            member.resting = true;
            member.isBehind = false;
        }
        if (std::ranges::none_of(members_, &Member::isBehind)) {
            return false;
        }
        for (Member& member : members_) {
            member.resting = member.resting && !member.isBehind;
            member.isBehind = false;
        }
    }
}

} // namespace pollard
