#include "vm/contour/contour_runs.hpp"

#include "vm/base/async_result.hpp"
#include "vm/document/document_view_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

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

ContourRun* ContourRuns::present() const noexcept {
    return current() < 0 ? nullptr : &page_->runs[static_cast<std::size_t>(current())];
}

ContourRun* ContourRuns::find(int id) {
    const auto found = std::ranges::find(page_->runs, id, &ContourRun::id);
    return found == page_->runs.end() ? nullptr : &*found;
}

QString ContourRuns::nameOf(int index) const {
    const auto image = document_.image();
    return vm::nameOf(all()[static_cast<std::size_t>(index)], image ? image->width() : 0, image ? image->height() : 0);
}

std::uint64_t ContourRuns::recordedBytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const auto& page : pages_) {
        for (const ContourRun& run : page.second.runs) {
            bytes += run.record.bytes();
        }
    }
    return bytes;
}

std::optional<ContourRecord::Figures> ContourRuns::figures() const {
    const ContourRun* run = currentRun();
    return run == nullptr ? std::nullopt : std::optional(run->record.figures(run->shown, run->contour));
}

const Contour& ContourRuns::nodes() const noexcept {
    static const Contour kNone;
    return drag_ ? drag_->nodes : nodes_.empty() ? kNone : nodes_[static_cast<std::size_t>(contour())];
}

ContourRunList ContourRuns::list() const {
    ContourRunList list{made_, {}};
    for (const auto& page : pages_) {
        for (const ContourRun& run : page.second.removed) {
            if (run.serial <= made_) {
                list.removed.push_back(run.serial);
            }
        }
    }
    std::ranges::sort(list.removed);
    return list;
}

void ContourRuns::setList(const ContourRunList& list) {
    const auto exists = [&list](const ContourRun& run) {
        return run.serial <= list.made && !std::ranges::binary_search(list.removed, run.serial);
    };
    made_ = list.made;
    for (auto& each : pages_) {
        Page& page = each.second;
        std::vector<ContourRun> gone;
        for (int i = static_cast<int>(page.runs.size()) - 1; i >= 0; --i) {
            if (!exists(page.runs[static_cast<std::size_t>(i)])) {
                gone.push_back(takeOut(page, i));
            }
        }
        for (int i = static_cast<int>(page.removed.size()) - 1; i >= 0; --i) {
            const auto at = page.removed.begin() + i;
            if (exists(*at)) {
                ContourRun run = std::move(*at);
                page.removed.erase(at);
                page.current = reinsert(page, std::move(run));
            }
        }
        for (ContourRun& run : gone) {
            keep(page, std::move(run));
        }
    }
    gatherCompared();
    pointTo(shown());
}

/// Removed runs with this serial or a later one cannot come back.
int ContourRuns::nextSerial() {
    ++made_;
    for (auto& page : pages_) {
        std::erase_if(page.second.removed, [this](const ContourRun& run) { return run.serial >= made_; });
    }
    return made_;
}

void ContourRuns::keep(Page& page, ContourRun run) {
    run.snake.reset(); // evolved again if it continues
    page.removed.push_back(std::move(run));
    std::uint64_t bytes = 0;
    for (const auto& each : pages_) {
        for (const ContourRun& removed : each.second.removed) {
            bytes += removed.record.bytes();
        }
    }
    while (bytes > kMostRemovedBytes && !page.removed.empty()) {
        bytes -= page.removed.front().record.bytes();
        page.removed.erase(page.removed.begin());
    }
}

ContourRun ContourRuns::takeOut(Page& page, int index) {
    const auto at = page.runs.begin() + index;
    ContourRun run = std::move(*at);
    page.runs.erase(at);
    if (index < page.current || page.current == static_cast<int>(page.runs.size())) {
        --page.current;
    }
    return run;
}

int ContourRuns::reinsert(Page& page, ContourRun run) {
    if (std::ranges::find(page.runs, run.id, &ContourRun::id) != page.runs.end()) {
        run.id = page.lastId + 1;
    }
    page.lastId = std::max(page.lastId, run.id);
    const auto after = std::ranges::upper_bound(page.runs, run.id, {}, &ContourRun::id);
    return static_cast<int>(page.runs.insert(after, std::move(run)) - page.runs.begin());
}

void ContourRuns::adopt(ContourRun run) {
    if (ContourRun* old = find(run.id)) {
        run.serial = nextSerial();
        page_->current = static_cast<int>(old - all().data());
        keep(*page_, std::exchange(*old, std::move(run)));
    } else {
        add(std::move(run), image_.page, true);
    }
    pointTo(shown());
    gatherCompared();
    announce();
}

void ContourRuns::add(ContourRun run, int page, bool isCurrent) {
    Page& there = pages_[page];
    run.id = ++there.lastId;
    run.serial = nextSerial();
    there.runs.push_back(std::move(run));
    there.current = isCurrent ? static_cast<int>(there.runs.size()) - 1 : there.current;
}

void ContourRuns::addRestored(std::vector<ContourRun> runs, std::vector<SessionRun> failed) {
    numberAnew(runs, page_->lastId);
    for (ContourRun& run : runs) {
        page_->lastId = std::max(page_->lastId, run.id);
        run.serial = -++restored_;
        page_->runs.push_back(std::move(run));
    }
    for (const SessionRun& run : failed) {
        page_->lastId = std::max(page_->lastId, run.id);
    }
    page_->saved = std::move(failed);
    gatherCompared();
}

void ContourRuns::setSaved(const std::vector<SessionRun>& saved) {
    for (auto& page : pages_) {
        page.second.saved.clear();
    }
    for (const SessionRun& run : saved) {
        pages_[run.page].saved.push_back(run);
    }
}

void ContourRuns::select(int index) {
    page_->current = index;
    pointTo(shown());
}

void ContourRuns::remove(int index) {
    const bool wasCurrent = index == current();
    keep(*page_, takeOut(*page_, index));
    gatherCompared();
    if (wasCurrent) {
        pointTo(shown());
    }
}

/// The state needed to continue a run is computed again when its page returns.
void ContourRuns::showPage(const OpenRequest& image, bool isSameStack, DeferredRelease& old) {
    drag_.reset();
    if (isSameStack) {
        for (ContourRun& run : page_->runs) {
            old.hold(std::exchange(run.snake, nullptr));
        }
        page_->lastId = all().empty() && page_->removed.empty() ? 0 : page_->lastId;
    } else {
        old.hold(std::make_shared<std::map<int, Page>>(std::exchange(pages_, {})));
        made_ = restored_ = 0;
    }
    image_ = image;
    page_ = &pages_[image.page];
    pointTo(shown());
    gatherCompared();
}

void ContourRuns::gatherCompared() {
    compared_.clear();
    for (const ContourRun& run : all()) {
        if (run.compared) {
            for (Contour& contour : run.record.allNodes(run.record.count() - 1)) {
                compared_.push_back(std::move(contour));
            }
        }
    }
}

void ContourRuns::announce() {
    emit changed();
    emit statesChanged();
    emit shownChanged();
}

void ContourRuns::pointTo(int number) {
    nodes_.clear();
    if (ContourRun* run = present()) {
        run->shown = number;
        nodes_ = run->record.allNodes(number);
    }
    emit pointed(number);
}

void ContourRuns::show(int number) {
    pointTo(number);
    emit shownChanged();
}

void ContourRuns::beginDrag(int node) {
    if (node >= 0 && std::cmp_less(node, nodes().size())) {
        drag_ = Drag{node, nodes()};
        emit shownChanged();
    }
}

void ContourRuns::dragTo(const ContourNode& place) {
    const auto node = static_cast<std::size_t>(drag_->node);
    const Contour& before = nodes_[static_cast<std::size_t>(contour())];
    const std::size_t count = before.size();
    drag_->nodes[node] = place;
    drag_->moved = place != before[node];
    drag_->allowed = !drag_->moved || !wouldTouch(before, (node + count - 1) % count, (node + 1) % count, place);
    emit shownChanged();
}

std::optional<ContourRuns::Drag> ContourRuns::takeDrag() {
    if (drag_ && drag_->moved && drag_->allowed) {
        nodes_[static_cast<std::size_t>(contour())] = drag_->nodes;
    }
    return std::exchange(drag_, std::nullopt);
}

void ContourRuns::cancelDrag() {
    if (std::exchange(drag_, std::nullopt)) {
        emit shownChanged();
    }
}

void ContourRuns::setCompared(int index, bool compared) {
    if (has(index) && all()[static_cast<std::size_t>(index)].compared != compared) {
        page_->runs[static_cast<std::size_t>(index)].compared = compared;
        gatherCompared();
        emit changed();
    }
}

void ContourRuns::setContour(int index) {
    if (index >= 0 && index < contourCount() && index != contour()) {
        cancelDrag();
        present()->contour = static_cast<std::size_t>(index);
        announce();
    }
}

namespace {

constexpr int kStatesOfStretch = 256; ///< while playing
constexpr double kInOrder = 60;       ///< states per second up to which no state is skipped
constexpr double kMostDue = 2;        ///< states to catch up at most in that case
constexpr int kFramePatience = 50;    ///< ms after which the next state is shown without waiting for a frame

} // namespace

ContourPlayback::ContourPlayback(ContourRuns& runs) : runs_(runs) {
    tick_.setInterval(kFrameTime);
    tick_.setTimerType(Qt::PreciseTimer);
    connect(&tick_, &QTimer::timeout, this, &ContourPlayback::showNext);
    connect(&runs_, &ContourRuns::pointed, this, [this](int to) {
        target_ = to;
        due_ = 0;
    });
}

int ContourPlayback::statesWanted() const noexcept {
    return playing_ ? kStatesOfStretch : target_ - (runs_.stateCount() - 1);
}

void ContourPlayback::play() {
    if (runs_.current() < 0 || playing_) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    if (runs_.isFinished() && runs_.shown() + 1 == runs_.stateCount()) {
        show(0); // repeats the last state
    }
    setPlaying(true);
    emit lacksStates();
}

void ContourPlayback::pause() {
    dropTarget();
    setPlaying(false);
    emit paused();
}

void ContourPlayback::stepForward() {
    if (runs_.current() < 0) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    setPlaying(false);
    const int next = std::max(runs_.shown(), target_) + 1;
    if (next < runs_.stateCount()) {
        show(next);
    } else if (!runs_.isFinished()) {
        target_ = next;
        emit lacksStates();
    }
}

void ContourPlayback::stepBack() {
    if (runs_.current() >= 0) {
        pause();
        scrub(runs_.shown() - 1);
    }
}

void ContourPlayback::toStart() {
    if (runs_.current() >= 0) {
        pause();
        scrub(0);
    }
}

void ContourPlayback::toEnd() {
    if (runs_.current() < 0) {
        return;
    }
    runs_.cancelDrag();
    runs_.setProblem({});
    show(runs_.stateCount() - 1);
    if (!runs_.isFinished()) {
        hurrying_ = true;
        setPlaying(true);
        emit lacksStates();
    } else {
        pause();
    }
}

void ContourPlayback::scrub(int number) {
    if (runs_.current() >= 0) {
        runs_.cancelDrag();
        show(std::clamp(number, 0, runs_.stateCount() - 1));
    }
}

void ContourPlayback::show(int number) {
    if (drawn_) {
        drawn_ = false;
    }
    runs_.show(number);
}

void ContourPlayback::takeStates() {
    if (!playing_ && target_ > runs_.shown()) {
        const int last = runs_.stateCount() - 1;
        target_ = runs_.isFinished() ? std::min(target_, last) : target_;
        if (target_ <= last && target_ != runs_.shown()) {
            show(target_);
        }
    }
}

void ContourPlayback::setPlaying(bool playing) {
    hurrying_ = hurrying_ && playing;
    if (!change(playing_, playing)) {
        return;
    }
    due_ = 0;
    if (playing_) {
        sinceTick_.start();
        tick_.start();
    } else {
        tick_.stop();
    }
    emit changed();
}

void ContourPlayback::showNext() {
    if (runs_.current() < 0 || runs_.pending()) {
        sinceTick_.restart();
        return;
    }
    const bool fastest = hurrying_ || speed_ == kFastest;
    const bool inOrder = !fastest && speed_ <= kInOrder;
    if (inOrder && active_ && !isDrawn() && sinceTick_.elapsed() < kFramePatience) {
        return; // no frame has shown the state yet
    }
    const int last = runs_.stateCount() - 1;
    due_ += speed_ * static_cast<double>(sinceTick_.restart()) / 1000;
    due_ = inOrder ? std::min(due_, kMostDue) : due_;
    const double due = inOrder ? std::min(std::floor(due_), 1.0) : std::floor(due_);
    const int next = fastest ? last : static_cast<int>(std::min<double>(runs_.shown() + due, last));
    if (next != runs_.shown()) {
        const double rest = due_ - due;
        show(next);
        due_ = rest;
    }
    if (runs_.shown() == last && (runs_.isFinished() || !runs_.problem().isEmpty())) {
        setPlaying(false);
    }
}

} // namespace pollard::vm
