#include "vm/contour/contour_session.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace pollard::vm {

namespace {

constexpr qsizetype kMostOriginBytes = 1000;

SessionRun savedRun(const ContourRun& run, int page, ContoursDraft& draft) {
    SessionRun saved;
    saved.spec = run.spec;
    saved.engine = run.engine;
    saved.page = page;
    saved.id = run.id;
    saved.parent = run.parent;
    saved.parentState = run.parentState;
    saved.origin = lineText(run.origin, kMostOriginBytes).toStdString();
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
struct ReplayedRun {
    ContourRun run;
    bool same = true; ///< equal to the saved one
};

ReplayedRun replayedRun(const SessionRun& saved, const std::shared_ptr<const Mask>& forbidden,
                        const ContourInput& ground, std::uint64_t mostBytes, const JobControl& control) {
    const ContourStart start{
        {saved.spec, saved.engine, forbidden, QString::fromStdString(saved.origin), saved.parent, saved.parentState},
        [&saved](const JobControl&) { return saved.starts; },
        saved.contour};
    ReplayedRun made{makeRun(start, ground, control)};
    ContourRun& run = made.run;
    while (std::cmp_less(run.record.count(), saved.states) && run.record.bytes() < mostBytes &&
           run.snake->advance(control)) {
        run.record.add(run.snake->last(), run.snake->state(run.snake->last()));
    }
    if (saved.finished && std::cmp_less(run.record.count(), saved.states)) {
        run.record.trim(run.spec.lengthPrice);
    }
    const int last = run.record.count() - 1;
    made.same = std::cmp_equal(last + 1, saved.states) && run.record.allNodes(last) == saved.last;
    run.id = saved.id;
    run.finished = made.same && saved.finished;
    run.compared = saved.compared;
    run.shown = std::min(static_cast<int>(saved.shown), last);
    return made;
}

} // namespace

std::uint32_t ContoursDraft::indexOf(const DraftMask& mask) {
    const auto same = std::ranges::find(masks, mask);
    const auto index = static_cast<std::uint32_t>(same - masks.begin());
    if (same == masks.end()) {
        masks.push_back(mask);
    }
    return index;
}

SessionContours finished(const ContoursDraft& draft, const JobControl& control) {
    SessionContours contours = draft.contours;
    std::vector<std::uint32_t> indices;
    for (const ContoursDraft::DraftMask& mask : draft.masks) {
        control.throwIfStopped();
        const auto* pixels = std::get_if<std::shared_ptr<const Mask>>(&mask);
        SessionMask made =
            pixels != nullptr ? SessionMask::of(**pixels) : *std::get<std::shared_ptr<const SessionMask>>(mask);
        const auto same = std::ranges::find(contours.masks, made);
        indices.push_back(static_cast<std::uint32_t>(same - contours.masks.begin()));
        if (same == contours.masks.end()) {
            contours.masks.push_back(std::move(made));
        }
    }
    const auto renumber = [&indices](std::optional<std::uint32_t>& index) {
        index = index ? std::optional(indices[*index]) : std::nullopt;
    };
    renumber(contours.forbidden);
    for (SessionRun& run : contours.runs) {
        renumber(run.forbidden);
    }
    return contours;
}

/// Runs of a page and the forbidden area, made again.
struct ContourSession::RestoredRuns {
    std::shared_ptr<const Mask> forbidden;
    std::vector<ContourRun> runs;
    std::vector<SessionRun> failed;
    QString problem;
    bool same = true;
};

ContourSession::ContourSession(const DocumentViewModel& document, ContourSettings& settings, ContourRuns& runs,
                               ContourPlayback& playback, ContourComputing& computing)
    : document_(document), settings_(settings), runs_(runs), playback_(playback), computing_(computing) {}

ContoursDraft ContourSession::draft() const {
    ContoursDraft draft;
    SessionContours& saved = draft.contours;
    saved.spec = settings_.spec();
    saved.engine = settings_.engine();
    const auto indexOfSaved = [&](std::uint32_t mask) { return draft.indexOf(saved_.masks[mask]); };
    if (const auto mask = settings_.forbidden().mask()) {
        saved.forbidden = draft.indexOf(mask);
    } else if (saved_.forbidden) {
        saved.forbidden = indexOfSaved(*saved_.forbidden);
    }
    for (const auto& [page, there] : runs_.pages()) {
        for (const ContourRun& run : there.runs) {
            saved.runs.push_back(savedRun(run, page, draft));
        }
        for (SessionRun run : there.saved) {
            run.forbidden = run.forbidden ? std::optional(indexOfSaved(*run.forbidden)) : std::nullopt;
            saved.runs.push_back(std::move(run));
        }
    }
    const auto shown = runs_.pages().find(runs_.image().page);
    const bool isSaved = runs_.current() < 0 && saved_.page == shown->first && !shown->second.saved.empty();
    saved.current = isSaved ? saved_.current : runs_.current() >= 0 ? runs_.currentRun()->id : 0;
    return draft;
}

std::vector<ContourRunMark> ContourSession::marks() const {
    std::vector<ContourRunMark> marks;
    for (const auto& [page, there] : runs_.pages()) {
        for (const ContourRun& run : there.runs) {
            const int states = run.record.count();
            marks.push_back({page, run.id, states, run.spec, run.engine, run.forbidden,
                             states > 1 ? std::vector<Contour>{} : run.record.allNodes(0)});
        }
        for (const SessionRun& run : there.saved) {
            marks.push_back({page, run.id, static_cast<int>(run.states), run.spec, run.engine, {}, {}});
        }
    }
    return marks;
}

void ContourSession::restore(SessionContours saved) {
    const auto image = document_.image();
    if (!image) {
        return;
    }
    saved_ = {{}, {}, saved.current, document_.page()};
    for (SessionMask& mask : saved.masks) {
        saved_.masks.push_back(std::make_shared<const SessionMask>(std::move(mask)));
    }
    const auto isOfImage = [&](const SessionMask& mask) {
        return mask.width == image->width() && mask.height == image->height();
    };
    if (saved.forbidden && isOfImage(*saved_.masks[*saved.forbidden])) {
        saved_.forbidden = saved.forbidden;
    }
    runs_.setSaved(saved.runs);
    settings_.adopt(saved.spec, saved.engine, nullptr);
    settings_.forgetReach();
    settings_.setLawAutomatic(saved.runs.empty() && saved.spec.law == SnakeSpec().law);
    makeSavedRuns();
}

void ContourSession::leave(bool isSameStack) {
    restoring_ = false;
    saved_ = isSameStack ? saved_ : Saved();
}

void ContourSession::makeSavedRuns() {
    const auto image = document_.image();
    const std::vector<SessionRun>& runs = runs_.pages().at(runs_.image().page).saved;
    if (!image || (runs.empty() && !saved_.forbidden)) {
        return;
    }
    auto work = std::make_shared<RestoredRuns>();
    auto job = [ground = computing_.ground(), runs = runs, masks = saved_.masks, forbidden = saved_.forbidden,
                present = settings_.forbidden().mask(), mostBytes = computing_.mostBytes(),
                work](const std::stop_token& stop) {
        const JobControl control(stop);
        work->forbidden = forbidden ? std::make_shared<const Mask>(masks[*forbidden]->mask()) : present;
        std::map<std::uint32_t, std::shared_ptr<const Mask>> made;
        const auto madeMask = [&](std::uint32_t index) {
            std::shared_ptr<const Mask>& mask = made[index];
            const SessionMask& stored = *masks[index];
            if (!mask && (stored.width != ground.image->width() || stored.height != ground.image->height())) {
                throw Error(ErrorCode::invalidArgument,
                            "region snake: the forbidden pixels are those of another image");
            }
            mask = mask ? mask : std::make_shared<const Mask>(stored.mask());
            mask = work->forbidden && *work->forbidden == *mask ? work->forbidden : mask; // shares the displayed mask
            return mask;
        };
        std::uint64_t bytes = 0;
        for (const SessionRun& saved : runs) {
            try {
                ReplayedRun again = replayedRun(saved, saved.forbidden ? madeMask(*saved.forbidden) : nullptr, ground,
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
    restoring_ = true;
    computing_.worker().post(
        Lane::load, std::move(job),
        [this, work](LatestWinsWorker::Generation, const JobOutcome& outcome) { take(*work, outcome); });
    emit playback_.changed();
}

void ContourSession::take(RestoredRuns& made, const JobOutcome& outcome) {
    restoring_ = false;
    const auto first = static_cast<int>(runs_.all().size());
    if (outcome.ok()) {
        if (std::exchange(saved_.forbidden, std::nullopt) && !settings_.forbidden().mask()) { // else painted since
            settings_.adopt(settings_.spec(), settings_.engine(), made.forbidden);
        }
        const int count = static_cast<int>(made.runs.size());
        int chosen = count - 1;
        for (int i = 0; i < count && runs_.image().page == saved_.page; ++i) {
            chosen = made.runs[static_cast<std::size_t>(i)].id == saved_.current ? i : chosen;
        }
        for (ContourRun& run : made.runs) {
            run.values = originalMappingOf(document_);
        }
        runs_.addRestored(std::move(made.runs), std::move(made.failed));
        if (count > 0) {
            if (first == 0 && !runs_.pending()) { // else the user has started a run
                runs_.select(chosen);
                settings_.adopt(*runs_.currentRun());
            }
            runs_.announce();
        }
    } else if (outcome.kind == JobOutcome::Kind::failed) {
        runs_.setProblem(sentenceOf(outcome.message));
    }
    if (!made.problem.isEmpty()) {
        runs_.setProblem(made.problem);
    }
    if (outcome.ok()) {
        emit restored(runs_.image().page, first);
    }
    emit playback_.changed();
    if (outcome.ok() && !made.same) {
        emit runs_.noticeRaised(tr("Contours of the session end otherwise in this image."));
    }
}

} // namespace pollard::vm
