#include "vm/contour/contour_view_model.hpp"

#include "vm/base/line_text.hpp"
#include "vm/contour/contour_texts.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <utility>

// ContourViewModel: runs to a session and from it.
namespace pollard::vm {

namespace {

constexpr qsizetype kMostOriginBytes = 1000;

SessionRun savedRun(const ContourRun& run, int page, ContoursDraft& draft) {
    SessionRun saved;
    saved.page = page;
    saved.id = run.id;
    saved.parent = run.parent;
    saved.parentState = run.parentState;
    saved.origin = lineText(run.origin, kMostOriginBytes).toStdString();
    saved.spec = run.spec;
    saved.whole = run.engine.isWhole;
    saved.algorithm = run.engine.algorithm;
    saved.apart = run.engine.apart;
    saved.forbidden = run.forbidden ? std::optional(draft.indexOf(run.forbidden)) : std::nullopt;
    saved.starts = run.record.allNodes(0);
    saved.states = static_cast<std::uint32_t>(run.record.count());
    saved.finished = run.finished;
    saved.last = run.record.allNodes(run.record.count() - 1);
    saved.compared = run.compared;
    saved.shown = static_cast<std::uint32_t>(run.shown);
    saved.contour = static_cast<std::uint32_t>(run.contour);
    return saved;
}

/// A run of a session, evolved again.
struct RemadeRun {
    ContourRun run;
    bool same = true; ///< equal to the saved one
};

RemadeRun remadeRun(const SessionRun& saved, const std::shared_ptr<const Mask>& forbidden, const ContourGround& ground,
                    std::uint64_t mostBytes, const JobControl& control) {
    ContourStart start;
    start.make = [&saved](const JobControl&) { return saved.starts; };
    start.spec = saved.spec;
    start.engine = {saved.whole, saved.algorithm, saved.apart};
    start.forbidden = forbidden;
    start.origin = QString::fromStdString(saved.origin);
    start.parent = saved.parent;
    start.parentState = saved.parentState;
    start.contour = saved.contour;
    RemadeRun made{madeRun(start, ground, control)};
    ContourRun& run = made.run;
    while (std::cmp_less(run.record.count(), saved.states) && run.record.bytes() < mostBytes &&
           run.snake->advance(control)) {
        run.record.add(run.snake->last(), run.snake->state(run.snake->last()));
    }
    const int last = run.record.count() - 1;
    made.same = std::cmp_equal(last + 1, saved.states) && run.record.allNodes(last) == saved.last;
    run.id = saved.id;
    run.finished = made.same && saved.finished;
    run.compared = saved.compared;
    run.shown = std::min(static_cast<int>(saved.shown), last);
    return made;
}

/// Makes ids unique and at least 1, for any content of the file.
void numberAnew(std::vector<ContourRun>& runs, int lastUsed) {
    std::map<int, int> ids{{0, 0}};
    for (ContourRun& run : runs) {
        const int id = lastUsed + run.id;
        const bool isFree = ids.try_emplace(run.id, id).second;
        run.parent = ids.contains(run.parent) ? ids[run.parent] : 0;
        run.id = isFree ? id : 0;
    }
    int next = lastUsed;
    for (const ContourRun& run : runs) {
        next = std::max(next, run.id);
    }
    for (ContourRun& run : runs) {
        run.id = run.id != 0 ? run.id : ++next;
    }
}

} // namespace

ContoursDraft ContourViewModel::draft() const {
    ContoursDraft draft;
    SessionContours& saved = draft.contours;
    saved.spec = spec_;
    saved.whole = engine_.isWhole;
    saved.algorithm = engine_.algorithm;
    saved.apart = engine_.apart;
    const auto indexOfAwaited = [&](std::uint32_t mask) { return draft.indexOf(awaited_.masks[mask]); };
    if (const auto mask = forbidden_.mask()) {
        saved.forbidden = draft.indexOf(mask);
    } else if (awaited_.forbidden) {
        saved.forbidden = indexOfAwaited(*awaited_.forbidden);
    }
    const auto add = [&](const std::vector<ContourRun>& runs, int page) {
        for (const ContourRun& run : runs) {
            saved.runs.push_back(savedRun(run, page, draft));
        }
    };
    for (const auto& [page, there] : pages_) {
        add(there.runs, page);
    }
    add(runs_, document_.page());
    for (const auto& [page, runs] : awaited_.runs) {
        for (SessionRun run : *runs) {
            run.forbidden = run.forbidden ? std::optional(indexOfAwaited(*run.forbidden)) : std::nullopt;
            saved.runs.push_back(std::move(run));
        }
    }
    std::ranges::stable_sort(saved.runs, {}, &SessionRun::page);
    const bool isAwaited = current_ < 0 && awaited_.page == document_.page() && awaited_.runs.contains(awaited_.page);
    saved.current = isAwaited ? awaited_.current : current_ >= 0 ? currentRun()->id : 0;
    return draft;
}

std::vector<ContourRunMark> ContourViewModel::marks() const {
    std::vector<ContourRunMark> marks;
    const auto add = [&marks](const std::vector<ContourRun>& runs, int page) {
        for (const ContourRun& run : runs) {
            const int states = run.record.count();
            marks.push_back({page, run.id, states, run.spec, run.engine, run.forbidden,
                             states > 1 ? std::vector<Contour>{} : run.record.allNodes(0)});
        }
    };
    for (const auto& [page, there] : pages_) {
        add(there.runs, page);
    }
    add(runs_, document_.page());
    for (const auto& [page, runs] : awaited_.runs) {
        for (const SessionRun& run : *runs) {
            marks.push_back(
                {page, run.id, static_cast<int>(run.states), run.spec, {run.whole, run.algorithm, run.apart}, {}, {}});
        }
    }
    std::ranges::stable_sort(marks, {}, &ContourRunMark::page);
    return marks;
}

void ContourViewModel::restore(SessionContours saved) {
    const auto image = document_.image();
    if (!image) {
        return;
    }
    awaited_ = {};
    awaited_.current = saved.current;
    awaited_.page = document_.page();
    for (SessionMask& mask : saved.masks) {
        awaited_.masks.push_back(std::make_shared<const SessionMask>(std::move(mask)));
    }
    const auto isOfPicture = [&](std::uint32_t mask) {
        return awaited_.masks[mask]->width == image->width() && awaited_.masks[mask]->height == image->height();
    };
    if (saved.forbidden && isOfPicture(*saved.forbidden)) {
        awaited_.forbidden = saved.forbidden;
    }
    std::map<int, std::vector<SessionRun>> runs;
    for (SessionRun& run : saved.runs) {
        runs[run.page].push_back(std::move(run));
    }
    for (auto& [page, there] : runs) {
        awaited_.runs[page] = std::make_shared<const std::vector<SessionRun>>(std::move(there));
    }
    adopting_ = true;
    if (std::exchange(spec_, saved.spec) != saved.spec) {
        emit specChanged();
    }
    takeEngine({saved.whole, saved.algorithm, saved.apart});
    reach_.reset();
    forbidden_.set(nullptr);
    adopting_ = false;
    makeAwaited(document_.page());
}

/// Runs of a page and the forbidden area, made again.
struct ContourViewModel::RestoredPage {
    std::shared_ptr<const Mask> forbidden;
    std::vector<ContourRun> runs;
    std::vector<SessionRun> failed;
    QString problem;
    bool same = true;
};

void ContourViewModel::makeAwaited(int page) {
    const auto image = document_.image();
    const auto found = awaited_.runs.find(page);
    if (!image || (found == awaited_.runs.end() && !awaited_.forbidden)) {
        return;
    }
    auto work = std::make_shared<RestoredPage>();
    auto job = [ground = ground(), runs = found != awaited_.runs.end() ? found->second : nullptr,
                masks = awaited_.masks, forbidden = awaited_.forbidden, present = forbidden_.mask(),
                mostBytes = mostBytes_, work](const std::stop_token& stop) {
        const JobControl control(stop);
        work->forbidden = forbidden ? std::make_shared<const Mask>(masks[*forbidden]->mask()) : present;
        std::map<std::uint32_t, std::shared_ptr<const Mask>> made;
        const auto madeMask = [&](std::uint32_t index) {
            std::shared_ptr<const Mask>& mask = made[index];
            const SessionMask& stored = *masks[index];
            if (!mask && (stored.width != ground.image->width() || stored.height != ground.image->height())) {
                throw Error(ErrorCode::invalidArgument,
                            "region snake: the forbidden pixels are those of another picture");
            }
            mask = mask ? mask : std::make_shared<const Mask>(stored.mask());
            mask = work->forbidden && *work->forbidden == *mask ? work->forbidden : mask; // shares the displayed mask
            return mask;
        };
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; runs && i < runs->size(); ++i) {
            const SessionRun& saved = (*runs)[i];
            try {
                RemadeRun again = remadeRun(saved, saved.forbidden ? madeMask(*saved.forbidden) : nullptr, ground,
                                            bytes < mostBytes ? mostBytes - bytes : 0, control);
                bytes += again.run.record.bytes();
                work->same = work->same && again.same;
                work->runs.push_back(std::move(again.run));
            } catch (const Error& error) {
                work->problem = sentenceOf(error.what());
                work->failed.push_back(saved);
            }
        }
    };
    restoring_ = worker_.post(Lane::load, std::move(job),
                              [this, page, work](LatestWinsWorker::Generation, const JobOutcome& outcome) {
                                  onRestored(page, *work, outcome);
                              });
    emit transportChanged();
}

void ContourViewModel::onRestored(int page, RestoredPage& made, const JobOutcome& outcome) {
    restoring_ = 0;
    const auto first = static_cast<int>(runs_.size());
    if (outcome.ok()) {
        if (std::exchange(awaited_.forbidden, std::nullopt) && !forbidden_.mask()) { // else the user has painted one
            adopting_ = true;
            forbidden_.set(made.forbidden);
            adopting_ = false;
        }
        if (made.failed.empty()) {
            awaited_.runs.erase(page);
        } else { // kept for the session
            awaited_.runs[page] = std::make_shared<const std::vector<SessionRun>>(made.failed);
        }
        takeRestored(page, std::move(made.runs), awaited_.current);
        for (const SessionRun& failed : made.failed) {
            lastId_ = std::max(lastId_, failed.id);
        }
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        setProblem(sentenceOf(outcome.message));
    }
    if (!made.problem.isEmpty()) {
        setProblem(made.problem);
    }
    if (outcome.ok()) {
        emit runsRestored(page, first);
    }
    emit transportChanged();
    if (outcome.ok() && !made.same) {
        emit noticeRaised(tr("Contours of the session end otherwise in this picture."));
    }
}

void ContourViewModel::takeRestored(int page, std::vector<ContourRun> runs, int current) {
    if (runs.empty()) {
        return;
    }
    std::size_t chosen = runs.size() - 1;
    for (std::size_t i = 0; i < runs.size() && page == awaited_.page; ++i) {
        chosen = runs[i].id == current ? i : chosen;
    }
    const bool wasEmpty = runs_.empty() && starting_ == 0;
    numberAnew(runs, lastId_);
    const auto before = static_cast<int>(runs_.size());
    for (ContourRun& run : runs) {
        lastId_ = std::max(lastId_, run.id);
        runs_.push_back(std::move(run));
    }
    if (wasEmpty) { // else the user has started a run
        current_ = before + static_cast<int>(chosen);
        pointTo(currentRun()->shown);
    }
    gatherCompared();
    if (wasEmpty) {
        adoptSettings(*currentRun());
    }
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
}

} // namespace pollard::vm
