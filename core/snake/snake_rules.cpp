#include "snake/snake_rules.hpp"

#include <numeric>

namespace pollard {

bool mayJoin(const Contour& nodes, std::size_t before, std::size_t after, ContourNode place, const ContourBoxes* boxes,
             const RowCounts* forbidden) {
    if (wouldTouch(nodes, before, after, place, boxes)) {
        return false;
    }
    if (forbidden == nullptr) {
        return true;
    }
    // No forbidden pixel is inside yet, so the change of the count is the count after the join.
    std::int64_t brought = forbidden->leftOf(nodes[before], place) + forbidden->leftOf(place, nodes[after]);
    for (std::size_t i = before; i != after;) {
        const std::size_t next = i + 1 < nodes.size() ? i + 1 : 0;
        brought -= forbidden->leftOf(nodes[i], nodes[next]);
        i = next;
    }
    return brought == 0;
}

SplitContour splitLongEdges(const Contour& contour, const SnakeSpec& spec, const RowCounts* forbidden) {
    SplitContour split{contour, std::vector<std::ptrdiff_t>(contour.size())};
    Contour& nodes = split.nodes;
    std::iota(split.oldNumbers.begin(), split.oldNumbers.end(), std::ptrdiff_t{0});
    for (std::size_t i = 0; i < nodes.size() && nodes.size() < spec.maxNodes; ++i) {
        const std::size_t next = i + 1 < nodes.size() ? i + 1 : 0;
        if (extentOf(nodes[i], nodes[next]) <= static_cast<std::int64_t>(spec.minLength)) {
            continue;
        }
        const ContourNode place = middleOf(nodes[i], nodes[next]);
        if (mayJoin(nodes, i, next, place, nullptr, forbidden)) { // with the nodes inserted so far
            ++i;
            nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(i), place);
            split.oldNumbers.insert(split.oldNumbers.begin() + static_cast<std::ptrdiff_t>(i), -1);
            // The second half is split next time at the earliest.
        }
    }
    return split;
}

} // namespace pollard
