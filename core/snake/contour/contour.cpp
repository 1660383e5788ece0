#include "snake/contour/contour.hpp"

#include "snake/contour/contour_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard {

std::int64_t twiceSignedArea(const Contour& contour) noexcept {
    std::int64_t area = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        area += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    return area;
}

std::int64_t fineLength(const Contour& contour) noexcept {
    std::int64_t length = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        length += fineLength(contour[i], contour[i + 1 < contour.size() ? i + 1 : 0]);
    }
    return length;
}

bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                const ContourBoxes* boxes) noexcept {
    const std::size_t count = contour.size();
    const ContourPath way(contour.data(), count, before, after, place);
    if (way.isNone()) {
        return true;
    }
    for (std::size_t first = 0; first < count; first += ContourBoxes::kEdges) {
        if (boxes != nullptr && way.box().isApartFrom((*boxes)[first / ContourBoxes::kEdges])) {
            continue;
        }
        for (std::size_t i = first; i < std::min(first + ContourBoxes::kEdges, count); ++i) {
            if (way.touchesEdge(i)) {
                return true;
            }
        }
    }
    return false;
}

bool isSimple(const Contour& contour) noexcept {
    const std::size_t count = contour.size();
    if (count < 3) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[(i + 1) % count];
        if (a == b || turnsBack(a, b, contour[(i + 2) % count])) {
            return false;
        }
        for (std::size_t j = i + 2; j < count; ++j) {
            if (i == 0 && j + 1 == count) {
                continue; // adjacent edges
            }
            if (segmentsMeet(a, b, contour[j], contour[(j + 1) % count])) {
                return false;
            }
        }
    }
    return true;
}

void ContourBoxes::update(const Contour& contour) {
    boxes_.clear();
    for (std::size_t first = 0; first < contour.size(); first += kEdges) {
        ContourBox box = ContourBox::around(contour[first], contour[first]);
        const std::size_t last = std::min(first + kEdges, contour.size()); // end node of the last edge
        for (std::size_t i = first + 1; i < last; ++i) {
            box.add(contour[i]);
        }
        box.add(contour[last < contour.size() ? last : 0]);
        boxes_.push_back(box);
    }
}

namespace {

/// Whether the path from a via b to c turns by more than a right angle.
bool turnsFar(ContourNode a, ContourNode b, ContourNode c) noexcept {
    return std::int64_t{b.x - a.x} * (c.x - b.x) + std::int64_t{b.y - a.y} * (c.y - b.y) < 0;
}

bool holdsPixel(ContourNode a, ContourNode b, ContourNode c) {
    if (sideOf(a, b, c) == 0) {
        return false;
    }
    const ContourRows rows({a, b, c});
    bool holds = false;
    for (std::int32_t y = rows.top(); y < rows.bottom() && !holds; ++y) {
        rows.forEachRun(y, [&holds](std::uint32_t, std::uint32_t) { holds = true; });
    }
    return holds;
}

/// Removes the empty nodes of a contour, see trimmed(), and keeps the original indices of the other nodes.
class NodeRemoval {
public:
    explicit NodeRemoval(const Contour& contour) : nodes_(contour), numbers_(contour.size()) {
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            numbers_[i] = i;
        }
        removeEmptyNodes();
    }

    [[nodiscard]] const Contour& nodes() const noexcept { return nodes_; }
    [[nodiscard]] const std::vector<std::size_t>& numbers() const noexcept { return numbers_; }

private:
    [[nodiscard]] std::size_t before(std::size_t i) const noexcept { return (i == 0 ? nodes_.size() : i) - 1; }
    [[nodiscard]] std::size_t after(std::size_t i) const noexcept { return i + 1 < nodes_.size() ? i + 1 : 0; }

    /// Whether an edge between the neighbours of node @p i would touch nothing else.
    [[nodiscard]] bool canSkip(std::size_t i) const {
        const std::size_t first = before(i);
        const std::size_t last = after(i);
        const ContourNode a = nodes_[first];
        const ContourNode c = nodes_[last];
        if (turnsBack(nodes_[before(first)], a, c) || turnsBack(a, c, nodes_[after(last)])) {
            return false;
        }
        const ContourBox box = ContourBox::around(a, c);
        for (std::size_t k = after(last); k != before(first); k = after(k)) {
            const ContourNode from = nodes_[k];
            const ContourNode to = nodes_[after(k)];
            if (!box.isApartFrom(ContourBox::around(from, to)) && segmentsMeet(a, c, from, to)) {
                return false;
            }
        }
        return true;
    }

    void removeEmptyNodes() {
        std::size_t unchanged = 0; // consecutive nodes that stay
        for (std::size_t i = 0; nodes_.size() > 3 && unchanged < nodes_.size();) {
            i = i < nodes_.size() ? i : 0;
            if (!holdsPixel(nodes_[before(i)], nodes_[i], nodes_[after(i)]) && canSkip(i)) {
                nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(i));
                numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(i));
                i = i == 0 ? nodes_.size() - 1 : i - 1; // its neighbours have other triangles
                unchanged = 0;
            } else {
                ++i;
                ++unchanged;
            }
        }
    }

    Contour nodes_;
    std::vector<std::size_t> numbers_;
};

bool turnsFarAt(const Contour& contour, std::size_t i) noexcept {
    const std::size_t count = contour.size();
    return turnsFar(contour[(i + count - 1) % count], contour[i], contour[(i + 1) % count]);
}

/// One round of trimmed().
Contour trimmedOnce(const Contour& contour) {
    const std::size_t count = contour.size();
    const NodeRemoval removal(contour);
    const std::vector<std::size_t>& numbers = removal.numbers();
    Contour kept;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const std::size_t first = numbers[k];
        const std::size_t last = k + 1 < numbers.size() ? numbers[k + 1] : numbers[0] + count;
        kept.push_back(contour[first]);
        bool goes = false;
        for (std::size_t i = first + 1; i < last; ++i) {
            goes = goes || turnsFarAt(contour, i % count);
        }
        for (std::size_t i = first + 1; i < last && !goes; ++i) {
            kept.push_back(contour[i % count]);
        }
    }
    return kept.size() == count || isSimple(kept) ? kept : removal.nodes();
}

} // namespace

Contour trimmed(const Contour& contour) {
    Contour result = contour;
    for (;;) {
        std::size_t far = 0;
        while (far < result.size() && !turnsFarAt(result, far)) {
            ++far;
        }
        if (far == result.size()) {
            return result;
        }
        Contour next = trimmedOnce(result);
        if (next.size() == result.size()) {
            return result;
        }
        result = std::move(next);
    }
}

} // namespace pollard
