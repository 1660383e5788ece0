#include "contour_view_model.hpp"

#include "contour_texts.hpp"
#include "document_view_model.hpp"
#include "line_text.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <utility>

// Runs on their way to a session and back.
namespace pollard::vm {

namespace {

constexpr qsizetype kMostOriginBytes = 1000;

/// The index of a mask in a list that it is put into if need be.
class MaskList {
public:
    explicit MaskList(std::vector<SessionMask>& masks) : masks_(masks) {}

    [[nodiscard]] std::optional<std::uint32_t> indexOf(const std::shared_ptr<const Mask>& mask) {
        if (!mask) {
            return std::nullopt;
        }
        const auto known = indices_.find(mask.get());
        return known != indices_.end() ? known->second : indices_[mask.get()] = indexOf(SessionMask::of(*mask));
    }
    [[nodiscard]] std::uint32_t indexOf(SessionMask mask) {
        const auto same = std::ranges::find(masks_, mask);
        const auto index = static_cast<std::uint32_t>(same - masks_.begin());
        if (same == masks_.end()) {
            masks_.push_back(std::move(mask));
        }
        return index;
    }

private:
    std::vector<SessionMask>& masks_;
    std::map<const Mask*, std::uint32_t> indices_;
};

SessionRun savedRun(const ContourRun& run, int page, MaskList& masks) {
    SessionRun saved;
    saved.page = page;
    saved.id = run.id;
    saved.parent = run.parent;
    saved.parentState = run.parentState;
    saved.origin = lineText(run.origin, kMostOriginBytes).toStdString();
    saved.spec = run.spec;
    saved.whole = run.engine.isWhole;
    saved.algorithm = run.engine.algorithm;
    saved.forbidden = masks.indexOf(run.forbidden);
    saved.starts = run.record.allNodes(0);
    saved.states = static_cast<std::uint32_t>(run.record.count());
    saved.finished = run.finished;
    saved.last = run.record.allNodes(run.record.count() - 1);
    saved.compared = run.compared;
    saved.shown = static_cast<std::uint32_t>(run.shown);
    saved.contour = static_cast<std::uint32_t>(run.contour);
    return saved;
}

/// What a run of a session becomes.
struct RemadeRun {
    ContourRun run;
    bool same = true; ///< as when it was saved
};

RemadeRun remadeRun(const SessionRun& saved, const std::shared_ptr<const Mask>& forbidden,
                    const std::shared_ptr<const RowSums>& sums, std::uint64_t mostBytes, const JobControl& control) {
    ContourStart start;
    start.make = [&saved](const JobControl&) { return saved.starts; };
    start.spec = saved.spec;
    start.engine = {saved.whole, saved.algorithm};
    start.forbidden = forbidden;
    start.origin = QString::fromStdString(saved.origin);
    start.parent = saved.parent;
    start.parentState = saved.parentState;
    start.contour = saved.contour;
    RemadeRun made{madeRun(start, sums, control)};
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

/// Ids from 1, each once, whatever a file says.
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

SessionContours ContourViewModel::saved() const {
    SessionContours saved;
    saved.spec = spec_;
    saved.whole = engine_.isWhole;
    saved.algorithm = engine_.algorithm;
    MaskList masks(saved.masks);
    saved.forbidden = masks.indexOf(forbidden_.mask());
    const auto add = [&](const std::vector<ContourRun>& runs, int page) {
        for (const ContourRun& run : runs) {
            saved.runs.push_back(savedRun(run, page, masks));
        }
    };
    for (const auto& [page, there] : pages_) {
        add(there.runs, page);
    }
    add(runs_, document_.page());
    for (const auto& [page, runs] : awaited_.runs) {
        for (SessionRun run : runs) {
            if (run.forbidden) {
                run.forbidden = masks.indexOf(awaited_.masks[*run.forbidden]);
            }
            saved.runs.push_back(std::move(run));
        }
    }
    std::ranges::stable_sort(saved.runs, {}, &SessionRun::page);
    const bool isAwaited = current_ < 0 && awaited_.page == document_.page() && awaited_.runs.contains(awaited_.page);
    saved.current = isAwaited ? awaited_.current : current_ >= 0 ? currentRun()->id : 0;
    return saved;
}

void ContourViewModel::restore(const SessionContours& saved) {
    const auto image = document_.image();
    if (!image) {
        return;
    }
    awaited_ = {};
    awaited_.masks = saved.masks;
    awaited_.current = saved.current;
    awaited_.page = document_.page();
    for (const SessionRun& run : saved.runs) {
        awaited_.runs[run.page].push_back(run);
    }
    adopting_ = true;
    if (std::exchange(spec_, saved.spec) != saved.spec) {
        emit specChanged();
    }
    const ContourEngine engine{saved.whole, saved.algorithm};
    if (std::exchange(engine_, engine) != engine) {
        emit engineSet();
    }
    std::shared_ptr<const Mask> forbidden;
    if (saved.forbidden) {
        const SessionMask& mask = saved.masks[*saved.forbidden];
        if (mask.width == image->width() && mask.height == image->height()) {
            forbidden = std::make_shared<const Mask>(mask.mask());
        }
    }
    forbidden_.set(forbidden);
    adopting_ = false;
    makeAwaited(document_.page());
}

void ContourViewModel::makeAwaited(int page) {
    const auto found = awaited_.runs.find(page);
    const auto image = document_.image();
    if (found == awaited_.runs.end() || !image) {
        return;
    }
    struct Work {
        std::vector<ContourRun> runs;
        QString problem;
        bool same = true;
    };
    auto work = std::make_shared<Work>();
    auto job = [image, valid = document_.valid(), sums = sums_, runs = found->second, masks = awaited_.masks,
                present = forbidden_.mask(), mostBytes = mostBytes_, work](const std::stop_token& stop) {
        const JobControl control(stop);
        const auto rows = sums->of(image, valid, control);
        std::map<std::uint32_t, std::shared_ptr<const Mask>> made;
        std::uint64_t bytes = 0;
        for (const SessionRun& saved : runs) {
            try {
                std::shared_ptr<const Mask> forbidden;
                if (saved.forbidden) {
                    std::shared_ptr<const Mask>& mask = made[*saved.forbidden];
                    const SessionMask& stored = masks[*saved.forbidden];
                    if (!mask && (stored.width != image->width() || stored.height != image->height())) {
                        throw Error(ErrorCode::invalidArgument, "region snake: the forbidden pixels are those of "
                                                                "another picture");
                    }
                    mask = mask ? mask : std::make_shared<const Mask>(stored.mask());
                    mask = present && *present == *mask ? present : mask; // what is shown is that of the run
                    forbidden = mask;
                }
                RemadeRun again = remadeRun(saved, forbidden, rows, bytes < mostBytes ? mostBytes - bytes : 0, control);
                bytes += again.run.record.bytes();
                work->same = work->same && again.same;
                work->runs.push_back(std::move(again.run));
            } catch (const Error& error) {
                work->problem = sentenceOf(error.what());
            }
        }
    };
    restoring_ = worker_.post(Lane::load, std::move(job),
                              [this, page, work](LatestWinsWorker::Generation, const JobOutcome& outcome) {
                                  restoring_ = 0;
                                  if (outcome.ok()) {
                                      awaited_.runs.erase(page);
                                      takeRestored(page, std::move(work->runs), awaited_.current);
                                  } else if (outcome.kind == JobOutcome::Kind::failed) {
                                      setProblem(sentenceOf(outcome.message));
                                  }
                                  if (!work->problem.isEmpty()) {
                                      setProblem(work->problem);
                                  }
                                  emit transportChanged();
                                  if (outcome.ok() && !work->same) {
                                      emit noticeRaised(tr("Contours of the session end otherwise in this picture."));
                                  }
                              });
    emit transportChanged();
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
    if (wasEmpty) { // else a person has begun something
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
