#include "snake/snake_group.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace pollard {

SnakeGroup::SnakeGroup(const SnakeJob& job, std::shared_ptr<const RowSums> sums, const JobControl& control) {
    if (!job.parts.empty()) {
        startIndependent(job, control);
        return;
    }
    sums_ = sums ? std::move(sums) : std::make_shared<const RowSums>(job.image, job.valid.get(), control);
    startShared(job);
}

void SnakeGroup::startIndependent(const SnakeJob& job, const JobControl& control) {
    const auto gaps = RowSums::gapsOf(job.valid.get());
    const auto forbidden = job.forbidden ? std::make_shared<const RowCounts>(*job.forbidden) : nullptr;
    for (Contour& start : usedStarts(job)) {
        const std::size_t i = members_.size();
        const auto sums = std::make_shared<const RowSums>(job.image, gaps, job.parts[i], control);
        try {
            members_.push_back({std::make_unique<SnakeRun>(sums, std::move(start), job.spec, forbidden)});
        } catch (const Error& error) {
            throw errorOfSnake(error, i, job.starts.size());
        }
    }
}

void SnakeGroup::startShared(const SnakeJob& job) {
    const std::size_t count = job.starts.size();
    if (count == 0) {
        throw Error(ErrorCode::invalidArgument, "region snake: there is no start");
    }
    if (job.forbidden || count > 1) {
        taken_ = std::make_shared<RowCounts>(
            job.forbidden ? *job.forbidden : Mask(sums_->image().width(), sums_->image().height(), false));
    }
    for (const Contour& start : job.starts) {
        try {
            members_.push_back({std::make_unique<SnakeRun>(sums_, start, job.spec, taken_)});
        } catch (const Error& error) {
            if (count == 1) {
                throw;
            }
            throw Error(error.code(), std::string(error.what()) + " (start " + std::to_string(members_.size() + 1) +
                                          " of " + std::to_string(count) +
                                          (members_.empty() ? ")" : "; it may not overlap those before)"));
        }
        if (count > 1) {
            taken_->fill(members_.back().run->state().nodes, true);
        }
    }
    if (count == 1) {
        return;
    }
    if (const std::int64_t left = background().pixels; left < std::max(job.spec.minPixels, 1U)) {
        throw Error(ErrorCode::invalidArgument, "region snake: the starts leave " + std::to_string(left) +
                                                    " px; at least " + std::to_string(job.spec.minPixels) +
                                                    " must be outside");
    }
    for (std::size_t i = 0; i < count; ++i) {
        updateOthers(i);
    }
}

RegionSums SnakeGroup::background() const noexcept {
    RegionSums rest = sums_->total();
    for (const Member& member : members_) {
        rest -= member.run->state().inside;
    }
    return rest;
}

void SnakeGroup::updateOthers(std::size_t i) {
    RegionSums held;
    double energy = 0;
    for (std::size_t other = 0; other < members_.size(); ++other) {
        if (other != i) {
            const SnakeRun& run = *members_[other].run;
            held += run.state().inside;
            energy += run.energyOfRegion(run.state().inside) + run.lengthEnergy();
        }
    }
    members_[i].run->setOthers(held, energy);
}

bool SnakeGroup::advanceMember(std::size_t i, const JobControl& control) {
    SnakeRun& run = *members_[i].run;
    if (!shareBackground()) {
        return run.advance(control);
    }
    /// Excludes the contour's own region from the forbidden pixels during its lifetime.
    struct RegionExclusion {
        RowCounts& taken;
        const SnakeRun& run;
        RegionExclusion(RowCounts& counts, const SnakeRun& own) : taken(counts), run(own) {
            taken.fill(run.state().nodes, false);
        }
        ~RegionExclusion() { taken.fill(run.state().nodes, true); }
        RegionExclusion(const RegionExclusion&) = delete;
        RegionExclusion& operator=(const RegionExclusion&) = delete;
    };
    updateOthers(i);
    const RegionExclusion own(*taken_, run);
    return run.advance(control);
}

bool SnakeGroup::advance(const JobControl& control) {
    for (;;) {
        for (std::size_t k = 0; k < members_.size(); ++k) {
            Member& member = members_[next_];
            const std::size_t i = std::exchange(next_, next_ + 1 < members_.size() ? next_ + 1 : 0);
            if (member.isPaused) {
                continue;
            }
            bool changed = false;
            try {
                changed = advanceMember(i, control);
            } catch (const Cancelled&) {
                next_ = i;
                throw;
            }
            if (changed) {
                last_ = i;
                for (Member& other : members_) {
                    other.isOutdated = other.isOutdated || (other.isPaused && shareBackground());
                }
                return true;
            }
            member.isPaused = true;
            member.isOutdated = false;
        }
        if (std::ranges::none_of(members_, &Member::isOutdated)) {
            return false;
        }
        for (Member& member : members_) {
            member.isPaused = member.isPaused && !member.isOutdated;
            member.isOutdated = false;
        }
    }
}

void SnakeGroup::finish(const SnakeListener& listener, const JobControl& control) {
    for (std::size_t i = 0; listener && i < members_.size(); ++i) {
        if (!listener(i, state(i))) {
            return;
        }
    }
    while (advance(control) && (!listener || listener(last_, state(last_)))) {
    }
}

std::vector<SnakeState> SnakeGroup::finishIndependent(const SnakeListener& listener, const JobControl& control) {
    std::vector<SnakeState> states(members_.size());
    std::mutex telling;
    bool isEnded = false;
    std::atomic<std::size_t> finished = 0;
    tbb::parallel_for(std::size_t{0}, members_.size(), [&](std::size_t i) {
        std::unique_ptr<SnakeRun> run = std::move(members_[i].run); // its memory is freed at its end
        const auto goesOn = [&] {
            if (!listener) {
                return true;
            }
            const std::scoped_lock lock(telling);
            isEnded = isEnded || !listener(i, run->state());
            return !isEnded;
        };
        while (goesOn() && run->advance(control)) {
        }
        states[i] = run->state();
        control.report(static_cast<double>(++finished) / static_cast<double>(states.size()), "evolution");
    });
    members_.clear();
    return states;
}

} // namespace pollard
