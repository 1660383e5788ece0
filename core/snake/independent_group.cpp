#include "snake/independent_group.hpp"

#include "base/error.hpp"

#include <utility>

namespace pollard {

IndependentGroup::IndependentGroup(const IndependentSnakesJob& job, const JobControl& control) {
    for (const Contour& start : usedStarts(job)) {
        const std::size_t i = members_.size();
        const SnakeJob own = partJob(job, i, start);
        const auto sums = std::make_shared<const RowSums>(own.image, own.valid.get(), control);
        try {
            Member member{
                job.snakes[i].part,
                std::make_unique<SnakeRun>(sums, own.start, own.spec,
                                           own.forbidden ? std::make_shared<const RowCounts>(*own.forbidden) : nullptr),
                {},
                false};
            member.state = inImage(member.run->state(), member.part);
            members_.push_back(std::move(member));
        } catch (const Error& error) {
            throw errorOfSnake(error, i, job.snakes.size());
        }
    }
}

bool IndependentGroup::advance(const JobControl& control) {
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const std::size_t i = next_;
        Member& member = members_[i];
        if (!member.finished) {
            if (member.run->advance(control)) {
                member.state = inImage(member.run->state(), member.part);
                last_ = i;
                next_ = i + 1 < members_.size() ? i + 1 : 0;
                return true;
            }
            member.finished = true;
        }
        next_ = i + 1 < members_.size() ? i + 1 : 0;
    }
    return false;
}

} // namespace pollard
