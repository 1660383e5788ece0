#include "vm/contour/contour_follow.hpp"

#include "vm/contour/contour_computing.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "snake/next_starts.hpp"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

struct DonePage {
    ContourRun run;
    std::string notice;
};

LoadedImage readPage(const FollowTask& task, int page, const JobControl& control) {
    OpenRequest request = task.request;
    request.page = page;
    LoadedImage loaded =
        readImage(QFileInfo(request.path).filesystemAbsoluteFilePath(), request.options(task.limits), control);
    const Image& image = *loaded.image;
    if (image.width() != task.width || image.height() != task.height) {
        throw Error(ErrorCode::invalidArgument, "it has " + std::to_string(image.width()) + " x " +
                                                    std::to_string(image.height()) + " px, the page before " +
                                                    std::to_string(task.width) + " x " + std::to_string(task.height));
    }
    return loaded;
}

void evolve(DonePage& done, const FollowTask& task, const ContourInput& ground, const std::stop_token& stop) {
    ContourRun& run = done.run;
    if (task.device != nullptr && run.engine.isWhole && (run.record.contours() == 1 || run.engine.apart)) {
        constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
        ArrivingStates arriving(kAny, kAny); // all are read at the end
        EngineRunEnd end = runOnEngine(*task.device, jobOf(run, run.record.allNodes(0), ground), 1, arriving, stop);
        for (const ContourStep& step : arriving.take()) {
            run.record.add(step.contour, step.state);
        }
        run.spec.moves = end.moves;
        done.notice = std::move(end.notice);
        finishRun(run);
    } else {
        static_cast<void>(evolveToEnd(run, std::numeric_limits<std::uint64_t>::max(), JobControl(stop)));
    }
}

/// A run of any page, in any storage.
struct RunOfSeries {
    int page = 0;
    const ContourRun* made = nullptr;
    const SessionRun* saved = nullptr; ///< if it is not made yet

    [[nodiscard]] int id() const { return made != nullptr ? made->id : saved->id; }
    [[nodiscard]] int parent() const { return made != nullptr ? made->parent : saved->parent; }
    [[nodiscard]] QString origin() const {
        return made != nullptr ? made->origin : QString::fromStdString(saved->origin);
    }
    [[nodiscard]] std::vector<Contour> ends() const {
        return made != nullptr ? made->record.allNodes(made->record.count() - 1) : saved->last;
    }
    /// "page 1, run 2", the origin of the runs that follow this one.
    [[nodiscard]] QString name() const { return ContourFollow::tr("page %1, run %2").arg(page + 1).arg(id()); }
};

/// The run that @p run of the shown page was followed from, or @p run itself, and the runs made by following, of each
/// page the last one. These name their source run, so a series is also found in a session.
std::vector<RunOfSeries> seriesOf(const ContourRun& run, const ContourRuns& runs) {
    std::vector<RunOfSeries> all;
    for (const auto& [page, there] : runs.pages()) {
        for (const ContourRun& made : there.runs) {
            all.push_back({page, &made, nullptr});
        }
        for (const SessionRun& saved : there.saved) {
            all.push_back({page, nullptr, &saved});
        }
    }
    const auto seriesFrom = [&all](const RunOfSeries& root) {
        std::vector<RunOfSeries> series{root};
        for (const RunOfSeries& next : all) {
            if (next.page <= root.page || next.parent() != 0 || next.origin() != root.name()) {
                continue;
            }
            if (next.page == series.back().page) {
                series.back() = next;
            } else {
                series.push_back(next);
            }
        }
        return series;
    };
    if (run.parent == 0 && !run.origin.isEmpty()) {
        if (const auto root = std::ranges::find(all, run.origin, &RunOfSeries::name); root != all.end()) {
            std::vector<RunOfSeries> series = seriesFrom(*root);
            if (std::ranges::find(series, &run, &RunOfSeries::made) != series.end()) {
                return series;
            }
        }
    }
    return seriesFrom({runs.image().page, &run, nullptr});
}

/// The position of the last of the pages from position @p at on that have a run of the series without a gap.
int lastFollowed(const std::vector<RunOfSeries>& series, const SlicePages& pages, int at) {
    const auto has = [&](int position) {
        return std::ranges::find(series, pages.first + position * pages.stride, &RunOfSeries::page) != series.end();
    };
    while (at + 1 < pages.count && has(at + 1)) {
        ++at;
    }
    return at;
}

} // namespace

ContourFollow::ContourFollow(const DocumentViewModel& document, ContourRuns& runs, ContourPlayback& playback,
                             ContourComputing& computing)
    : document_(document), runs_(runs), playback_(playback), computing_(computing) {
    connect(&playback_, &ContourPlayback::paused, this, [this] {
        if (forget()) {
            emit changed();
        }
    });
    connect(&computing_, &ContourComputing::finished, this, [this](int run) {
        if (run == awaited_) {
            begin(run);
        }
    });
}

SlicePages ContourFollow::pages() const {
    const auto info = document_.imageInfo();
    if (!info) {
        return {};
    }
    if (!isOverTime()) {
        return slicePages(*info);
    }
    SlicePages times = pagesAlong(*info, 't');
    times.first += document_.page() - info->page; // another slice of a volume is shown
    return times;
}

bool ContourFollow::isOverTime() const {
    const auto info = document_.imageInfo();
    return info && pagesAlong(*info, 't').count > 1;
}

int ContourFollow::positionOf(int page) const {
    const SlicePages along = pages();
    return (page - along.first) / along.stride;
}

bool ContourFollow::isPossible() const {
    return runs_.current() >= 0 && positionOf(document_.page()) + 1 < pages().count;
}

std::vector<ContourFollow::Page> ContourFollow::series() const {
    if (runs_.current() < 0) {
        return {};
    }
    std::vector<Page> pages;
    for (const RunOfSeries& each : seriesOf(*runs_.currentRun(), runs_)) {
        Page page{each.page, each.id(), 0, std::nullopt};
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
    return pages.size() > 1 ? pages : std::vector<Page>();
}

void ContourFollow::start(const ReadLimits& limits) {
    if (!isPossible() || runs_.pending() || isRunning()) {
        return;
    }
    const ContourRun& run = *runs_.currentRun();
    const SlicePages along = pages();
    if (lastFollowed(seriesOf(run, runs_), along, positionOf(document_.page())) + 1 == along.count) {
        emit runs_.noticeRaised(tr("The pages after this one have their contours of this run already."));
        return;
    }
    task_.limits = limits;
    runs_.setProblem({});
    if (run.finished) {
        begin(run.id);
    } else {
        playback_.toEnd();
        awaited_ = runs_.currentRun()->id;
        emit changed();
    }
}

void ContourFollow::begin(int id) {
    awaited_ = 0;
    const ContourRun& run = *runs_.find(id);
    const auto image = document_.image();
    const std::vector<RunOfSeries> series = seriesOf(run, runs_);
    const std::uint64_t recorded = runs_.recordedBytes();
    const std::uint64_t most = computing_.mostBytes();
    task_.request = document_.pageRequest();
    task_.pages = pages();
    const int last = lastFollowed(series, task_.pages, positionOf(document_.page()));
    const auto endsAt = [&](int position) {
        const int page = task_.pages.first + position * task_.pages.stride;
        const auto found = std::ranges::find(series, page, &RunOfSeries::page);
        return found == series.end() ? std::vector<Contour>() : found->ends();
    };
    task_.width = image->width();
    task_.height = image->height();
    task_.ends = endsAt(last);
    task_.before = last > 0 ? endsAt(last - 1) : std::vector<Contour>();
    task_.plan = {run.spec, run.engine, run.forbidden, series.front().name()};
    task_.device = computing_.wholeEngine(run);
    task_.mostBytes = most > recorded ? most - recorded : 0;
    first_ = position_ = last + 1;
    recorded_ = 0;
    running_ = position_ < task_.pages.count;
    if (running_) {
        next();
    }
    emit changed();
}

void ContourFollow::stop() {
    if (forget()) {
        emit changed();
    }
    worker_.stop(Lane::build);
    if (std::exchange(running_, false)) {
        emit changed();
    }
}

void ContourFollow::next() {
    auto done = std::make_shared<DonePage>();
    worker_.post(
        Lane::build,
        [task = task_, page = page(), done](const std::stop_token& stop) {
            const JobControl control(stop);
            const LoadedImage loaded = readPage(task, page, control);
            const ContourInput ground{loaded.image, loaded.valid, std::make_shared<CachedSums>()};
            const NextPage next{*loaded.image, loaded.valid.get(), task.plan.spec, task.plan.forbidden.get(),
                                task.plan.engine.apart};
            const ContourStart start{task.plan,
                                     [&](const JobControl&) { return nextStarts(task.ends, task.before, next); }};
            done->run = makeRun(start, ground, control);
            done->run.values = loaded.info.mapping;
            evolve(*done, task, ground, stop);
        },
        [this, done](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            const int page = this->page();
            recorded_ += outcome.ok() ? done->run.record.bytes() : 0;
            const bool full = recorded_ > task_.mostBytes;
            const bool isLast = position_ + 1 == task_.pages.count;
            if (outcome.ok() && !isLast && !full) {
                task_.before = std::exchange(task_.ends, done->run.record.allNodes(done->run.record.count() - 1));
                ++position_;
                next();
            } else {
                running_ = false;
            }
            if (outcome.ok()) {
                take(page, done->run);
            }
            if (!done->notice.empty()) {
                emit runs_.noticeRaised(takeoverText(done->notice));
            }
            if (outcome.kind == JobOutcome::Kind::failed) {
                runs_.setProblem(tr("Page %1: %2").arg(page + 1).arg(sentenceOf(outcome.message)));
            } else if (full && !isLast) {
                runs_.setProblem(tr("The recorded states fill %1: page %2 and those after it are left out.")
                                     .arg(QLocale().formattedDataSize(static_cast<qint64>(task_.mostBytes)))
                                     .arg(page + task_.pages.stride + 1));
            }
            emit changed();
        });
}

void ContourFollow::take(int page, const ContourRun& run) {
    const bool isShown = page == document_.page() && document_.pageRequest().sameImage(runs_.image());
    if (isShown && !playback_.isPlaying() && !runs_.drag() && !runs_.pending()) {
        computing_.adopt(run);
        return;
    }
    runs_.add(run, page, !isShown); // a user's own action on the shown page continues
    if (isShown) {
        emit runs_.changed();
    }
}

} // namespace pollard::vm
