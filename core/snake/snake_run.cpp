#include "snake/snake_run.hpp"

#include "snake/snake_rules.hpp"
#include "snake/snake_start.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kElsewhere = SnakeCandidates::kPlaces + 1;
constexpr std::size_t kOwn = SnakeCandidates::kPlaces;

/// Index before a move of each position after it: a position's index, kOwn for the node's own position, or kElsewhere.
constexpr auto kOldPlaces = [] {
    std::array<std::array<std::size_t, SnakeCandidates::kPlaces>, SnakeCandidates::kPlaces> table{};
    for (std::size_t move = 0; move < PlaceSteps::kCount; ++move) {
        for (std::size_t place = 0; place < PlaceSteps::kCount; ++place) {
            const std::int32_t x = kPlaceSteps[move].x + kPlaceSteps[place].x;
            const std::int32_t y = kPlaceSteps[move].y + kPlaceSteps[place].y;
            table[move][place] = x == 0 && y == 0 ? kOwn : kElsewhere;
            for (std::size_t old = 0; old < PlaceSteps::kCount; ++old) {
                if (kPlaceSteps[old].x == x && kPlaceSteps[old].y == y) {
                    table[move][place] = old;
                }
            }
        }
    }
    return table;
}();

SnakeCandidates::Side shifted(const SnakeCandidates::Side& side, std::size_t move, const RegionSums& own) {
    SnakeCandidates::Side result;
    for (std::size_t place = 0; place < SnakeCandidates::kPlaces; ++place) {
        const std::size_t old = kOldPlaces[move][place];
        if (old == kOwn) {
            result.put(place, own);
        } else if (old != kElsewhere && side.knows(old)) {
            result.put(place, side.sums[old]);
        }
    }
    return result;
}

} // namespace

void SnakeCandidates::shift(std::size_t before, std::size_t node, std::size_t after, std::size_t place,
                            const RegionSums& to, const RegionSums& from) {
    const Node moved{shifted(nodes_[node].to, place, to), shifted(nodes_[node].from, place, from)};
    forget(before, node, after);
    nodes_[node] = moved;
}

void SnakeCandidates::renumber(const std::vector<std::ptrdiff_t>& oldNumbers) {
    if (nodes_.empty()) {
        return;
    }
    std::vector<Node> nodes(oldNumbers.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (oldNumbers[i] < 0) {
            continue;
        }
        nodes[i] = nodes_[static_cast<std::size_t>(oldNumbers[i])];
        if (oldNumbers[i > 0 ? i - 1 : nodes.size() - 1] < 0) {
            nodes[i].to.known = 0;
        }
        if (oldNumbers[i + 1 < nodes.size() ? i + 1 : 0] < 0) {
            nodes[i].from.known = 0;
        }
    }
    nodes_ = std::move(nodes);
}

std::string_view nameOf(SnakeStep step) noexcept {
    switch (step) {
    case SnakeStep::start:
        return "start";
    case SnakeStep::move:
        return "move";
    case SnakeStep::split:
        return "split";
    case SnakeStep::trim:
        return "trim";
    }
    return {};
}

SnakeRun::SnakeRun(std::shared_ptr<const RowSums> sums, Contour start, const SnakeSpec& spec,
                   std::shared_ptr<const RowCounts> forbidden)
    : sums_(std::move(sums)), forbidden_(std::move(forbidden)),
      spec_(usedSpec(spec, sums_->part().width, sums_->part().height)), table_(TableLog::makeTable()) {
    rules_ = rulesFor(spec_, sums_->total(), sums_->part(), table_.data());
    requireSize("the forbidden area is", forbidden_ ? &forbidden_->mask() : nullptr, sums_->image());
    state_.nodes = usedStart(std::move(start), spec_, sums_->part());
    candidates_.resize(static_cast<std::size_t>(std::countr_zero(spec_.maxStep)) + 1);
    shortest_ = spec_.moves == SnakeMoves::localBest ? shorterStep(spec_.maxStep) : 1;
    restart();
    requireRoom(state_.nodes, state_.inside, state_.outside, spec_, forbidden_.get());
}

ContourNode SnakeRun::placeOf(const Pick& pick) const noexcept {
    return placeAround(state_.nodes[pick.node], pick.reach, pick.place);
}

/// Recomputes all data that depends on the nodes.
void SnakeRun::restart() {
    const std::size_t count = state_.nodes.size();
    boxes_.update(state_.nodes);
    edges_.resize(count);
    tbb::parallel_for(std::size_t{0}, count,
                      [&](std::size_t i) { edges_[i] = sums_->leftOf(state_.nodes[i], state_.nodes[after(i)]); });
    state_.inside = std::accumulate(edges_.begin(), edges_.end(), RegionSums{});
    state_.outside = rules_.all - state_.inside;
    length_ = fineLength(state_.nodes);
    state_.energy = rules_.energyOf(state_.inside, length_);
    reach_ = spec_.maxStep;
    parity_ = 0;
    next_ = 0;
    resting_ = 0;
}

void SnakeRun::finishState(SnakeStep kind, std::uint32_t reach) {
    state_.kind = kind;
    state_.reach = reach;
    ++state_.round;
    state_.outside = rules_.all - state_.inside;
}

void SnakeRun::setOthers(const RegionSums& held, double energy) {
    rules_.othersEnergy = energy;
    if (held != others_) {
        others_ = held;
        rules_.all = sums_->total() - held;
        state_.outside = rules_.all - state_.inside;
        if (std::exchange(finished_, false)) {
            reach_ = spec_.maxStep;
        }
    }
    state_.energy = rules_.energyOf(state_.inside, length_);
}

bool SnakeRun::advance(const JobControl& control) {
    if (spec_.maxRounds != 0 && state_.round >= spec_.maxRounds) {
        finished_ = true;
    }
    while (!finished_) {
        control.throwIfStopped();
        if (reach_ > 0) {
            if (moveNodes(control)) {
                moved_ = true;
                return true;
            }
            reach_ = spec_.moves == SnakeMoves::localBest ? 0 : reach_ / 2;
            resting_ = 0;
            continue;
        }
        const bool wasShortest = std::exchange(shortest_, shorterStep(shortest_)) == 1;
        if (splitEdges()) {
            moved_ = false;
            return true;
        }
        if (std::exchange(moved_, false) || !wasShortest) {
            reach_ = spec_.maxStep; // large steps may be possible again
        } else {
            finished_ = true;
        }
    }
    return false;
}

bool SnakeRun::moveNodes(const JobControl& control) {
    switch (spec_.moves) {
    case SnakeMoves::sequential:
        return moveNext(control);
    case SnakeMoves::parity:
        return moveClass(control);
    case SnakeMoves::localBest:
        return moveBest(control);
    }
    return false;
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

bool SnakeRun::moveBest(const JobControl& control) {
    wanted_.resize(state_.nodes.size());
    std::iota(wanted_.begin(), wanted_.end(), std::size_t{0});
    const std::vector<Pick> picks = bestMoves(control);
    if (picks.empty()) {
        return false;
    }
    reach_ = std::ranges::max(picks, {}, &Pick::reach).reach;
    return accept(chosen(picks));
}

bool SnakeRun::moveClass(const JobControl& control) {
    const std::size_t count = state_.nodes.size();
    // With an odd number of nodes, the last node has two even neighbours and forms a third class.
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

SnakeCandidates& SnakeRun::candidatesAt(std::uint32_t reach) noexcept {
    return candidates_[static_cast<std::size_t>(std::countr_zero(reach))];
}

void SnakeRun::measure(std::size_t node, std::uint32_t reach) {
    SnakeCandidates::Node& around = candidatesAt(reach)[node];
    for (std::size_t k = 0; k < kPlaces; ++k) {
        if (const ContourNode place = placeAround(state_.nodes[node], reach, k); rules_.isInImage(place)) {
            if (!around.to.knows(k)) {
                around.to.put(k, sums_->leftOf(state_.nodes[before(node)], place));
            }
            if (!around.from.knows(k)) {
                around.from.put(k, sums_->leftOf(place, state_.nodes[after(node)]));
            }
        }
    }
}

std::int64_t SnakeRun::lengthening(std::size_t node, ContourNode place) const noexcept {
    if (spec_.lengthPrice == 0) {
        return 0;
    }
    const ContourNode from = state_.nodes[before(node)];
    const ContourNode to = state_.nodes[after(node)];
    return fineLength(from, place) + fineLength(place, to) - fineLength(from, state_.nodes[node]) -
           fineLength(state_.nodes[node], to);
}

std::optional<SnakeRun::Pick> SnakeRun::bestMove(std::size_t node) {
    const double least = SnakeRules::limitBelow(state_.energy);
    std::optional<Pick> best;
    for (std::uint32_t reach = reach_; reach >= shortest(); reach /= 2) {
        measure(node, reach);
        const SnakeCandidates::Node& around = candidatesAt(reach)[node];
        std::array<double, kPlaces> energies{};
        std::array<RegionSums, kPlaces> changes{};
        for (std::size_t k = 0; k < kPlaces; ++k) {
            energies[k] = SnakeRules::kTooSmall;
            if (const ContourNode place = placeAround(state_.nodes[node], reach, k); rules_.isInImage(place)) {
                changes[k] = around.to.sums[k] + around.from.sums[k] - edges_[before(node)] - edges_[node];
                energies[k] = rules_.energyOf(state_.inside + changes[k], length_ + lengthening(node, place));
            }
        }
        for (;;) {
            const auto lowest = std::min_element(energies.begin(), energies.end());
            if (!(*lowest < (best ? best->energy : least))) {
                break;
            }
            const auto k = static_cast<std::size_t>(lowest - energies.begin());
            const Pick pick{node, reach, k, *lowest, changes[k]};
            if (mayJoin(state_.nodes, before(node), after(node), placeOf(pick), &boxes_, forbidden_.get())) {
                best = pick;
                break;
            }
            *lowest = SnakeRules::kTooSmall;
        }
    }
    return best;
}

std::vector<SnakeRun::Pick> SnakeRun::bestMoves(const JobControl& control) {
    for (std::uint32_t reach = reach_; reach >= shortest(); reach /= 2) {
        candidatesAt(reach).require(state_.nodes.size());
    }
    best_.assign(wanted_.size(), std::nullopt);
    tbb::parallel_for(std::size_t{0}, wanted_.size(), [&](std::size_t w) {
        control.throwIfStopped();
        best_[w] = bestMove(wanted_[w]);
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
        std::int64_t length = length_;
        for (const Pick& pick : picks) { // picks are not adjacent
            inside += pick.change;
            length += lengthening(pick.node, placeOf(pick));
        }
        const double energy = rules_.energyOf(inside, length);
        if (!(energy < SnakeRules::limitBelow(state_.energy))) {
            continue;
        }
        Contour nodes = state_.nodes;
        for (const Pick& pick : picks) {
            nodes[pick.node] = placeOf(pick);
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
        length_ = length;
        for (const Pick& pick : picks) {
            invalidateAround(pick);
        }
        finishState(SnakeStep::move, reach_);
        return true;
    }
    return false;
}

void SnakeRun::invalidateAround(const Pick& pick) {
    const std::size_t node = pick.node;
    RegionSums& to = edges_[before(node)];
    RegionSums& from = edges_[node];
    SnakeCandidates& own = candidatesAt(pick.reach);
    const SnakeCandidates::Node& around = own[node];
    const RegionSums newTo = around.to.sums[pick.place];
    const RegionSums newFrom = around.from.sums[pick.place];
    for (SnakeCandidates& each : candidates_) {
        if (&each == &own) {
            each.shift(before(node), node, after(node), pick.place, to, from);
        } else {
            each.forget(before(node), node, after(node));
        }
    }
    to = newTo;
    from = newFrom;
}

bool SnakeRun::splitEdges() {
    auto [nodes, oldNumbers] = splitLongEdges(state_.nodes, spec_, forbidden_.get());
    if (nodes.size() == state_.nodes.size()) {
        return false;
    }
    std::swap(state_.nodes, nodes);
    restart();
    if (state_.energy >= SnakeRules::kTooSmall) { // rounding emptied a small region
        std::swap(state_.nodes, nodes);
        restart();
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
