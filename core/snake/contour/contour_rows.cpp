#include "snake/contour/contour_rows.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
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

Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height, const JobControl& control) {
    const ContourRows inside(contour);
    Image mask(PixelType::u8, width, height);
    std::uint8_t* const pixels = mask.pixels<std::uint8_t>().data();
    constexpr std::size_t kRowsPerTask = 64;
    forEachIndex(
        height, control,
        [&](std::size_t y) {
            std::uint8_t* const row = pixels + y * width;
            std::fill(row, row + width, std::uint8_t{0});
            inside.forEachRun(static_cast<std::int32_t>(y), [row](std::uint32_t first, std::uint32_t last) {
                std::fill(row + first, row + last, std::uint8_t{255});
            });
        },
        kRowsPerTask);
    return mask;
}

Image contourLabels(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height) {
    if (contours.size() > maxLevelOf(PixelType::u16)) {
        throw Error(ErrorCode::limitExceeded,
                    "label contours: " + std::to_string(contours.size()) + ", and 16 bits number at most 65535");
    }
    Image labels(contours.size() <= maxLevelOf(PixelType::u8) ? PixelType::u8 : PixelType::u16, width, height);
    dispatch(labels.type(), [&]<class Pixel>(Pixel) {
        Pixel* const pixels = labels.pixels<Pixel>().data();
        std::fill_n(pixels, labels.pixelCount(), Pixel{0});
        for (std::size_t i = 0; i < contours.size(); ++i) {
            const ContourRows inside(contours[i]);
            for (std::int32_t y = inside.top(); y < inside.bottom(); ++y) {
                Pixel* const row = pixels + static_cast<std::size_t>(y) * width;
                inside.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
                    std::fill(row + first, row + last, static_cast<Pixel>(i + 1));
                });
            }
        }
    });
    return labels;
}

Image maskOfContours(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height,
                     const JobControl& control) {
    return contours.size() == 1 ? contourMask(contours.front(), width, height, control)
                                : contourLabels(contours, width, height);
}

} // namespace pollard
