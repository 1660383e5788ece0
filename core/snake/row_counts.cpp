#include "snake/row_counts.hpp"

#include "image/mask.hpp"
#include "snake/contour/contour_rows.hpp"

#include <bit>
#include <utility>

namespace pollard {

RowCounts::RowCounts(Mask mask) : mask_(std::move(mask)), entriesOfRow_(mask_.row(0).size() + 1) {
    before_.resize(entriesOfRow_ * mask_.height());
    for (std::uint32_t y = 0; y < mask_.height(); ++y) {
        countRow(y);
    }
}

void RowCounts::countRow(std::uint32_t y) noexcept {
    std::uint32_t* entry = before_.data() + y * entriesOfRow_;
    std::uint32_t count = 0;
    for (const Mask::Word word : mask_.row(y)) {
        *entry++ = count;
        count += static_cast<std::uint32_t>(std::popcount(word));
    }
    *entry = count;
}

std::int64_t RowCounts::inside(const Contour& contour) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        sum += leftOf(contour[i], contour[i + 1 < contour.size() ? i + 1 : 0]);
    }
    return sum;
}

void RowCounts::fill(const Contour& contour, bool value) {
    const ContourRows inside(contour);
    for (std::int32_t y = inside.top(); y < inside.bottom(); ++y) {
        const auto row = static_cast<std::uint32_t>(y);
        inside.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) { mask_.setRun(first, last, row, value); });
        countRow(row);
    }
}

Mask complementOf(const Mask& mask) {
    Mask complement(mask.width(), mask.height(), true);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        forEachRun(mask, y, true,
                   [&](std::uint32_t first, std::uint32_t last) { complement.setRun(first, last, y, false); });
    }
    return complement;
}

} // namespace pollard
