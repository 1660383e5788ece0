#include "snake/snake_candidates.hpp"

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

} // namespace pollard
