#include "snake/contour/contour_trim.hpp"

#include "snake/contour/contour_boxes.hpp"
#include "snake/contour/contour_path.hpp"
#include "snake/contour/contour_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard {

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

/// A contour from which nodes are taken. The original numbers of the nodes that stay are known.
class Clipping {
public:
    explicit Clipping(const Contour& contour) : nodes_(contour), numbers_(contour.size()) {
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            numbers_[i] = i;
        }
        clip();
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

    void clip() {
        std::size_t resting = 0; // consecutive nodes that stay
        for (std::size_t i = 0; nodes_.size() > 3 && resting < nodes_.size();) {
            i = i < nodes_.size() ? i : 0;
            if (!holdsPixel(nodes_[before(i)], nodes_[i], nodes_[after(i)]) && canSkip(i)) {
                nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(i));
                numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(i));
                i = i == 0 ? nodes_.size() - 1 : i - 1; // its neighbours have other triangles
                resting = 0;
            } else {
                ++i;
                ++resting;
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
    const Clipping clipping(contour);
    const std::vector<std::size_t>& numbers = clipping.numbers();
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
    return kept.size() == count || isSimple(kept) ? kept : clipping.nodes();
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
