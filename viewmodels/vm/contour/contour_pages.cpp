#include "vm/contour/contour_view_model.hpp"

#include "vm/base/retired_data.hpp"
#include "vm/document/document_view_model.hpp"

#include <algorithm>
#include <utility>

// ContourViewModel: pages of a stack.
namespace pollard::vm {

/// "page 1, run 2", the origin of a followed run.
QString ContourViewModel::followedName(int page, int id) { return tr("page %1, run %2").arg(page + 1).arg(id); }

/// The last of the pages from @p page on that have a run of the series without a gap.
int ContourViewModel::lastFollowed(const std::vector<AnyRun>& series, int page) {
    for (const AnyRun& each : series) {
        page = each.page == page + 1 ? each.page : page;
    }
    return page;
}

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

/// The state needed to continue a run is computed again when its page returns.
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

std::vector<ContourViewModel::AnyRun> ContourViewModel::allRuns() const {
    std::vector<AnyRun> all;
    const auto add = [&](int page, const std::vector<ContourRun>& runs) {
        for (const ContourRun& run : runs) {
            all.push_back({page, &run, nullptr});
        }
    };
    for (const auto& [page, there] : pages_) {
        add(page, there.runs);
    }
    add(shownPage_.page, runs_);
    for (const auto& [page, runs] : awaited_.runs) {
        for (const SessionRun& run : *runs) {
            all.push_back({page, nullptr, &run});
        }
    }
    std::ranges::stable_sort(all, {}, &AnyRun::page);
    return all;
}

/// Runs made by following name their source run and start at the final contours of the previous page, so a series is
/// also found in a session.
std::vector<ContourViewModel::AnyRun> ContourViewModel::seriesOf(const ContourRun& run) const {
    const std::vector<AnyRun> all = allRuns();
    const auto seriesFrom = [&all](const AnyRun& root) {
        const QString name = followedName(root.page, root.id());
        std::vector<AnyRun> series{root};
        for (const AnyRun& next : all) {
            if (next.page > series.back().page && next.parent() == 0 && next.origin() == name &&
                next.starts() == series.back().ends()) {
                series.push_back(next);
            }
        }
        return series;
    };
    if (run.parent == 0 && !run.origin.isEmpty()) {
        const auto root = std::ranges::find_if(
            all, [&](const AnyRun& other) { return followedName(other.page, other.id()) == run.origin; });
        if (root != all.end()) {
            std::vector<AnyRun> series = seriesFrom(*root);
            if (std::ranges::find(series, &run, &AnyRun::made) != series.end()) {
                return series;
            }
        }
    }
    return seriesFrom({shownPage_.page, &run, nullptr});
}

std::vector<ContourViewModel::FollowedPage> ContourViewModel::series() const {
    if (current_ < 0) {
        return {};
    }
    std::vector<FollowedPage> pages;
    for (const AnyRun& each : seriesOf(*currentRun())) {
        FollowedPage page{each.page, each.id(), 0, std::nullopt};
        if (each.made != nullptr) {
            const ContourRecord& record = each.made->record;
            page.contours = static_cast<int>(record.contours());
            page.pixels = 0;
            for (std::size_t i = 0; i < record.contours(); ++i) {
                *page.pixels += record.figures(record.count() - 1, i).inside.pixels;
            }
        } else {
            page.contours = static_cast<int>(each.saved->last.size());
        }
        pages.push_back(page);
    }
    return pages.size() > 1 ? pages : std::vector<FollowedPage>();
}

void ContourViewModel::showPage(int page) { document_.setPage(page); }

void ContourViewModel::follow(const ReadLimits& limits) {
    if (!canFollow() || starting_ != 0 || isFollowing()) {
        return;
    }
    if (lastFollowed(seriesOf(*currentRun()), document_.page()) + 1 == document_.pageCount()) {
        emit noticeRaised(tr("The pages after this one have their contours of this run already."));
        return;
    }
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
    const std::vector<AnyRun> series = seriesOf(*run);
    task.request.page = lastFollowed(series, document_.page());
    const auto from = std::ranges::find(series, task.request.page, &AnyRun::page); // exists: the run of this page
    task.pageCount = document_.pageCount();
    task.width = image->width();
    task.height = image->height();
    task.limits = followLimits_;
    task.starts = from->ends();
    task.spec = run->spec;
    task.engine = run->engine;
    task.device = wholeEngine(*run);
    task.forbidden = run->forbidden;
    task.origin = followedName(series.front().page, series.front().id());
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
        if (playing_ || dragged_ || starting_ != 0) { // the user's own action continues
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
