#include "snake/snake_run.hpp"

#include "base/error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// More than any energy: a region that is too small.
constexpr double kForbidden = 1e300;

std::int32_t extentOf(ContourNode a, ContourNode b) noexcept {
    return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y));
}

std::int32_t middle(std::int32_t a, std::int32_t b) noexcept { return a + (b - a) / 2; }

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, "region snake: " + why); }

} // namespace

std::string_view nameOf(SnakeStep step) noexcept {
    switch (step) {
    case SnakeStep::start:
        return "start";
    case SnakeStep::move:
        return "move";
    case SnakeStep::split:
        return "split";
    }
    return {};
}

SnakeRun::SnakeRun(std::shared_ptr<const RowSums> sums, Contour start, const SnakeSpec& spec,
                   std::shared_ptr<const RowCounts> forbidden)
    : sums_(std::move(sums)), forbidden_(std::move(forbidden)), spec_(spec), all_(sums_->total()),
      table_(TableLog::makeTable()) {
    const Image& image = sums_->image();
    spec_.maxStep = usedMaxStep(spec, image.width(), image.height());
    spec_.minPixels = std::max(spec_.minPixels, 1U);
    energy_ = {spec_.law, all_.levels / std::max(all_.pixels, std::int64_t{1}), table_.data()};
    if (forbidden_ && (forbidden_->mask().width() != image.width() || forbidden_->mask().height() != image.height())) {
        refuse("the forbidden area is a mask of " + std::to_string(forbidden_->mask().width()) + " x " +
               std::to_string(forbidden_->mask().height()) + " px, the image has " + std::to_string(image.width()) +
               " x " + std::to_string(image.height()));
    }
    if (!std::ranges::all_of(start, [&](ContourNode node) { return isInImage(node); })) {
        refuse("the start reaches beyond the image");
    }
    if (start.size() > spec_.maxNodes) {
        refuse("a start of " + std::to_string(start.size()) + " corners, where " + std::to_string(spec_.maxNodes) +
               " are the most");
    }
    if (!isSimple(start)) {
        refuse("the start is no simple polygon: it has less than 3 corners, or crosses or touches itself");
    }
    if (twiceSignedArea(start) < 0) {
        std::reverse(start.begin() + 1, start.end()); // the first corner stays the first
    }
    state_.nodes = std::move(start);
    candidates_.resize(static_cast<std::size_t>(std::countr_zero(spec_.maxStep)) + 1);
    startOver();
    if (state_.energy >= kForbidden) {
        refuse("the start holds " + std::to_string(state_.inside.pixels) + " px and leaves " +
               std::to_string(state_.outside.pixels) + "; both must have at least " + std::to_string(spec_.minPixels));
    }
    if (const std::int64_t held = forbidden_ ? forbidden_->inside(state_.nodes) : 0; held != 0) {
        refuse("the start holds " + std::to_string(held) + " px that are forbidden");
    }
}

ContourNode SnakeRun::placeOf(std::size_t node, std::size_t place) const noexcept {
    const auto reach = static_cast<std::int32_t>(reach_);
    return {state_.nodes[node].x + reach * kPlaceSteps[place].x, state_.nodes[node].y + reach * kPlaceSteps[place].y};
}

bool SnakeRun::isInImage(ContourNode place) const noexcept {
    const Image& image = sums_->image();
    return place.x >= 0 && place.y >= 0 && static_cast<std::uint32_t>(place.x) <= image.width() &&
           static_cast<std::uint32_t>(place.y) <= image.height();
}

double SnakeRun::energyOf(const RegionSums& inside) const noexcept {
    const RegionSums outside = all_ - inside;
    if (inside.pixels < spec_.minPixels || outside.pixels < spec_.minPixels) {
        return kForbidden;
    }
    return energy_(inside) + energy_(outside) + othersEnergy_;
}

double SnakeRun::tolerance() const noexcept { return std::max(1e-9, 1e-12 * std::abs(state_.energy)); }

/// All that depends on the nodes, for nodes that are no longer those of before.
void SnakeRun::startOver() {
    const std::size_t count = state_.nodes.size();
    boxes_.update(state_.nodes);
    edges_.resize(count);
    tbb::parallel_for(std::size_t{0}, count,
                      [&](std::size_t i) { edges_[i] = sums_->leftOf(state_.nodes[i], state_.nodes[after(i)]); });
    state_.inside = std::accumulate(edges_.begin(), edges_.end(), RegionSums{});
    state_.outside = all_ - state_.inside;
    state_.energy = energyOf(state_.inside);
    reach_ = spec_.maxStep;
    parity_ = 0;
    next_ = 0;
    resting_ = 0;
}

void SnakeRun::finishState(SnakeStep kind, std::uint32_t reach) {
    state_.kind = kind;
    state_.reach = reach;
    ++state_.round;
    state_.outside = all_ - state_.inside;
}

void SnakeRun::setOthers(const RegionSums& held, double energy) {
    othersEnergy_ = energy;
    if (held != others_) {
        others_ = held;
        all_ = sums_->total() - held;
        state_.outside = all_ - state_.inside;
        if (std::exchange(finished_, false)) {
            reach_ = spec_.maxStep;
        }
    }
    state_.energy = energyOf(state_.inside);
}

bool SnakeRun::mayJoin(const Contour& nodes, std::size_t before, std::size_t after, ContourNode place,
                       const ContourBoxes* boxes) const {
    if (wouldTouch(nodes, before, after, place, boxes)) {
        return false;
    }
    if (!forbidden_) {
        return true;
    }
    // Nothing forbidden is inside now, so what the change brings is what would be.
    std::int64_t brought = forbidden_->leftOf(nodes[before], place) + forbidden_->leftOf(place, nodes[after]);
    for (std::size_t i = before; i != after;) {
        const std::size_t next = i + 1 < nodes.size() ? i + 1 : 0;
        brought -= forbidden_->leftOf(nodes[i], nodes[next]);
        i = next;
    }
    return brought == 0;
}

bool SnakeRun::advance(const JobControl& control) {
    if (spec_.maxRounds != 0 && state_.round >= spec_.maxRounds) {
        finished_ = true;
    }
    while (!finished_) {
        control.throwIfStopped();
        if (reach_ > 0) {
            if (moveSome(control)) {
                moved_ = true;
                return true;
            }
            reach_ /= 2;
            resting_ = 0;
        } else if (splitEdges()) {
            moved_ = false;
            return true;
        } else if (std::exchange(moved_, false)) {
            reach_ = spec_.maxStep; // large steps may gain again
        } else {
            finished_ = true;
        }
    }
    return false;
}

bool SnakeRun::moveSome(const JobControl& control) {
    return spec_.moves == SnakeMoves::sequential ? moveNext(control) : moveTogether(control);
}

bool SnakeRun::moveNext(const JobControl& control) {
    const std::size_t count = state_.nodes.size();
    while (resting_ < count) {
        wanted_.assign(1, next_);
        std::vector<Pick> picks = bestMoves(control);
        next_ = after(next_);
        if (accept(std::move(picks))) {
            resting_ = 0;
            return true;
        }
        ++resting_;
    }
    return false;
}

bool SnakeRun::moveTogether(const JobControl& control) {
    const std::size_t count = state_.nodes.size();
    wanted_.clear();
    if (spec_.moves == SnakeMoves::localBest) {
        wanted_.resize(count);
        std::iota(wanted_.begin(), wanted_.end(), std::size_t{0});
        return accept(chosen(bestMoves(control)));
    }
    // Of an odd number of nodes the last one is a neighbour of two even ones, and a class of its own.
    const std::uint32_t classes = count % 2 == 0 ? 2 : 3;
    while (resting_ < classes) {
        wanted_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t own = count % 2 == 1 && i + 1 == count ? 2 : i % 2;
            if (own == parity_) {
                wanted_.push_back(i);
            }
        }
        std::vector<Pick> picks = bestMoves(control);
        parity_ = (parity_ + 1) % classes;
        std::ranges::sort(picks, [](const Pick& a, const Pick& b) {
            return a.energy < b.energy || (a.energy == b.energy && a.node < b.node);
        });
        if (accept(std::move(picks))) {
            resting_ = 0;
            return true;
        }
        ++resting_;
    }
    return false;
}

std::size_t SnakeRun::candidateLevel() const noexcept { return static_cast<std::size_t>(std::countr_zero(reach_)); }

void SnakeRun::measure(std::size_t node) {
    SnakeCandidates::Node& around = candidates()[node];
    for (std::size_t k = 0; k < kPlaces; ++k) {
        if (const ContourNode place = placeOf(node, k); isInImage(place)) {
            if (!around.to.knows(k)) {
                around.to.put(k, sums_->leftOf(state_.nodes[before(node)], place));
            }
            if (!around.from.knows(k)) {
                around.from.put(k, sums_->leftOf(place, state_.nodes[after(node)]));
            }
        }
    }
}

std::vector<SnakeRun::Pick> SnakeRun::bestMoves(const JobControl& control) {
    candidates().require(state_.nodes.size());
    best_.assign(wanted_.size(), std::nullopt);
    const double least = state_.energy - tolerance();
    tbb::parallel_for(std::size_t{0}, wanted_.size(), [&](std::size_t w) {
        control.throwIfStopped();
        const std::size_t node = wanted_[w];
        measure(node);
        const SnakeCandidates::Node& around = candidates()[node];
        std::array<double, kPlaces> energies{};
        std::array<RegionSums, kPlaces> changes{};
        for (std::size_t k = 0; k < kPlaces; ++k) {
            energies[k] = kForbidden;
            if (isInImage(placeOf(node, k))) {
                changes[k] = around.to.sums[k] + around.from.sums[k] - edges_[before(node)] - edges_[node];
                energies[k] = energyOf(state_.inside + changes[k]);
            }
        }
        for (;;) {
            const auto lowest = std::min_element(energies.begin(), energies.end());
            if (!(*lowest < least)) {
                return;
            }
            const auto k = static_cast<std::size_t>(lowest - energies.begin());
            if (mayJoin(state_.nodes, before(node), after(node), placeOf(node, k), &boxes_)) {
                best_[w] = Pick{node, k, *lowest, changes[k]};
                return;
            }
            *lowest = kForbidden;
        }
    });
    std::vector<Pick> picks;
    for (const std::optional<Pick>& pick : best_) {
        if (pick) {
            picks.push_back(*pick);
        }
    }
    return picks;
}

std::vector<SnakeRun::Pick> SnakeRun::chosen(const std::vector<Pick>& picks) const {
    const auto isBetter = [](const Pick& a, const Pick& b) {
        return a.energy < b.energy || (a.energy == b.energy && a.node < b.node);
    };
    std::vector<const Pick*> ofNode(state_.nodes.size(), nullptr);
    for (const Pick& pick : picks) {
        ofNode[pick.node] = &pick;
    }
    std::vector<Pick> stay;
    for (const Pick& pick : picks) {
        const Pick* const neighbours[] = {ofNode[before(pick.node)], ofNode[after(pick.node)]};
        if (std::ranges::none_of(neighbours,
                                 [&](const Pick* other) { return other != nullptr && isBetter(*other, pick); })) {
            stay.push_back(pick);
        }
    }
    std::ranges::sort(stay, isBetter);
    return stay;
}

bool SnakeRun::accept(std::vector<Pick> picks) {
    for (; !picks.empty(); picks.resize(picks.size() / 2)) {
        RegionSums inside = state_.inside;
        for (const Pick& pick : picks) {
            inside += pick.change;
        }
        const double energy = energyOf(inside);
        if (!(energy < state_.energy - tolerance())) {
            continue;
        }
        Contour nodes = state_.nodes;
        for (const Pick& pick : picks) {
            nodes[pick.node] = placeOf(pick.node, pick.place);
        }
        newBoxes_.update(nodes);
        if (std::ranges::any_of(picks, [&](const Pick& pick) {
                return wouldTouch(nodes, before(pick.node), after(pick.node), nodes[pick.node], &newBoxes_);
            })) {
            continue;
        }
        state_.nodes = std::move(nodes);
        std::swap(boxes_, newBoxes_);
        state_.inside = inside;
        state_.energy = energy;
        for (const Pick& pick : picks) {
            forgetAround(pick);
        }
        finishState(SnakeStep::move, reach_);
        return true;
    }
    return false;
}

void SnakeRun::forgetAround(const Pick& pick) {
    const std::size_t node = pick.node;
    RegionSums& to = edges_[before(node)];
    RegionSums& from = edges_[node];
    const SnakeCandidates::Node& around = candidates()[node];
    const RegionSums newTo = around.to.sums[pick.place];
    const RegionSums newFrom = around.from.sums[pick.place];
    for (std::size_t level = 0; level < candidates_.size(); ++level) {
        if (level == candidateLevel()) {
            candidates_[level].shift(before(node), node, after(node), pick.place, to, from);
        } else {
            candidates_[level].forget(before(node), node, after(node));
        }
    }
    to = newTo;
    from = newFrom;
}

bool SnakeRun::splitEdges() {
    Contour nodes = state_.nodes;
    std::vector<std::ptrdiff_t> oldNumbers(nodes.size());
    std::iota(oldNumbers.begin(), oldNumbers.end(), std::ptrdiff_t{0});
    for (std::size_t i = 0; i < nodes.size() && nodes.size() < spec_.maxNodes; ++i) {
        const std::size_t next = i + 1 < nodes.size() ? i + 1 : 0;
        const ContourNode a = nodes[i];
        const ContourNode b = nodes[next];
        if (extentOf(a, b) <= static_cast<std::int64_t>(spec_.minLength)) {
            continue;
        }
        const ContourNode place{middle(a.x, b.x), middle(a.y, b.y)};
        if (mayJoin(nodes, i, next, place, nullptr)) { // with the nodes that were put in before
            ++i;
            nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(i), place);
            oldNumbers.insert(oldNumbers.begin() + static_cast<std::ptrdiff_t>(i), -1);
            // Its second half waits for the next time.
        }
    }
    if (nodes.size() == state_.nodes.size()) {
        return false;
    }
    std::swap(state_.nodes, nodes);
    startOver();
    if (state_.energy >= kForbidden) { // rounding took the last pixels of a small region
        std::swap(state_.nodes, nodes);
        startOver();
        reach_ = 0;
        return false;
    }
    for (SnakeCandidates& each : candidates_) {
        each.renumber(oldNumbers);
    }
    finishState(SnakeStep::split, 0);
    return true;
}

} // namespace pollard
