#include "contour_view_model.hpp"

#include "document_view_model.hpp"
#include "retired_data.hpp"

#include <utility>

// The pages of a stack.
namespace pollard::vm {

void ContourViewModel::onPicture() {
    drain();
    for (const Lane lane : {Lane::load, Lane::build, Lane::measure}) {
        worker_.cancel(lane);
        worker_.forget(lane);
    }
    starting_ = restoring_ = 0;
    advancing_ = false;
    arriving_.reset();
    arrivingRun_ = 0;
    drain_.stop();
    setPlaying(false);
    dragged_.reset();
    followed_ = 0;
    RetiredData old;
    old.hold(std::exchange(sums_, std::make_shared<KeptSums>()));
    const OpenRequest before = std::exchange(shownPage_, document_.request());
    if (document_.hasImage() && !before.samePicture(shownPage_) && before.sameStack(shownPage_)) {
        leavePage(before.page, old);
        comeBack(shownPage_.page);
    } else {
        follow_.stop();
        old.hold(std::make_shared<std::vector<ContourRun>>(std::exchange(runs_, {})));
        old.hold(std::make_shared<std::map<int, PageRuns>>(std::exchange(pages_, {})));
        awaited_ = {};
        current_ = -1;
        lastId_ = 0;
    }
    if (current_ >= 0) {
        pointTo(currentRun()->shown);
    } else {
        shown_ = target_ = contour_ = 0;
        nodes_.clear();
    }
    gatherCompared();
    setProblem({});
    if (current_ >= 0) {
        adoptSettings(*currentRun());
    }
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
    emit transportChanged();
    emit followChanged();
    makeAwaited(shownPage_.page);
}

/// What a run needs to go on is made again when its page comes back.
void ContourViewModel::leavePage(int page, RetiredData& old) {
    for (ContourRun& run : runs_) {
        old.hold(std::exchange(run.snake, nullptr));
    }
    if (!runs_.empty()) {
        pages_[page] = {std::exchange(runs_, {}), current_, lastId_};
    }
    current_ = -1;
    lastId_ = 0;
}

void ContourViewModel::comeBack(int page) {
    if (auto kept = pages_.extract(page)) {
        runs_ = std::move(kept.mapped().runs);
        current_ = kept.mapped().current;
        lastId_ = kept.mapped().lastId;
    }
}

bool ContourViewModel::canFollow() const noexcept {
    return current_ >= 0 && document_.page() + 1 < document_.pageCount();
}

void ContourViewModel::follow(const ReadLimits& limits) {
    if (!canFollow() || starting_ != 0) {
        return;
    }
    stopFollowing();
    followLimits_ = limits;
    setProblem({});
    if (currentRun()->finished) {
        beginFollowing();
    } else {
        toEnd();
        followed_ = currentRun()->id;
        emit followChanged();
    }
}

void ContourViewModel::beginFollowing() {
    const ContourRun* run = runOf(followed_);
    run = run != nullptr ? run : currentRun();
    followed_ = 0;
    const auto image = document_.image();
    FollowTask task;
    task.request = document_.request();
    task.pageCount = document_.pageCount();
    task.width = image->width();
    task.height = image->height();
    task.limits = followLimits_;
    task.starts = run->record.allNodes(run->record.count() - 1);
    task.spec = run->spec;
    task.engine = run->engine;
    task.device = wholeEngine(*run);
    task.forbidden = run->forbidden;
    task.origin = tr("page %1, run %2").arg(task.request.page + 1).arg(run->id);
    const std::uint64_t recorded = recordedBytes();
    task.mostBytes = mostBytes_ > recorded ? mostBytes_ - recorded : 0;
    follow_.start(std::move(task));
}

void ContourViewModel::stopFollowing() {
    if (std::exchange(followed_, 0) != 0) {
        emit followChanged();
    }
    follow_.stop();
}

void ContourViewModel::takeFollowed(int page, const ContourRun& run) {
    if (page == document_.page() && document_.request().samePicture(shownPage_)) {
        ContourRun followed = run;
        if (playing_ || dragged_ || starting_ != 0) { // what a person does goes on
            followed.id = ++lastId_;
            runs_.push_back(std::move(followed));
            emit runsChanged();
        } else {
            adopt(std::move(followed));
        }
        return;
    }
    PageRuns& there = pages_[page];
    there.runs.push_back(run);
    there.runs.back().id = ++there.lastId;
    there.current = static_cast<int>(there.runs.size()) - 1;
}

} // namespace pollard::vm
