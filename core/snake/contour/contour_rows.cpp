#include "snake/contour/contour_rows.hpp"

#include "snake/contour/edge_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pollard {

namespace {

/// Calls @p visit(upper, lower) for every edge that crosses rows.
template <class Visit> void forEachEdge(const Contour& contour, const Visit& visit) {
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        if (a.y != b.y) {
            visit(a.y < b.y ? a : b, a.y < b.y ? b : a);
        }
    }
}

} // namespace

ContourRows::ContourRows(const Contour& contour) {
    if (contour.empty()) {
        return;
    }
    const auto [highest, lowest] = std::ranges::minmax(contour, {}, &ContourNode::y);
    top_ = highest.y;
    bottom_ = lowest.y;
    firstOfRow_.resize(static_cast<std::size_t>(bottom_ - top_) + 1);
    forEachEdge(contour, [&](ContourNode upper, ContourNode lower) {
        for (std::int32_t y = upper.y; y < lower.y; ++y) {
            ++firstOfRow_[static_cast<std::size_t>(y - top_)];
        }
    });
    std::exclusive_scan(firstOfRow_.begin(), firstOfRow_.end(), firstOfRow_.begin(), std::size_t{0});
    crossings_.resize(firstOfRow_.back());
    std::vector<std::size_t> next = firstOfRow_;
    forEachEdge(contour, [&](ContourNode upper, ContourNode lower) {
        EdgeRows rows(upper, lower);
        for (std::int32_t y = upper.y; y < lower.y; ++y, rows.goDown()) {
            crossings_[next[static_cast<std::size_t>(y - top_)]++] = static_cast<std::uint32_t>(rows.count());
        }
    });
    for (std::size_t row = 0; row + 1 < firstOfRow_.size(); ++row) {
        std::sort(crossings_.begin() + static_cast<std::ptrdiff_t>(firstOfRow_[row]),
                  crossings_.begin() + static_cast<std::ptrdiff_t>(firstOfRow_[row + 1]));
    }
}

} // namespace pollard
