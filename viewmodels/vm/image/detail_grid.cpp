#include "vm/image/detail_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kMostPerPx = 2.5;  ///< px of a level per device px
constexpr double kLeastGain = 1.25; ///< px of a level per displayed px
constexpr double kTolerance = 1e-9; ///< of a whole number of px per device px

bool isQuotient(std::uint32_t fine, std::uint32_t coarse, double ratio) {
    const double quotient = fine / ratio;
    return coarse == std::floor(quotient) || coarse == std::ceil(quotient);
}

} // namespace

double levelRatio(const ImageInfo& info, int fine, int coarse) {
    if (fine == coarse || info.levels.empty()) {
        return 1;
    }
    const ResolutionLevel& large = info.levels.at(static_cast<std::size_t>(fine));
    const ResolutionLevel& small = info.levels.at(static_cast<std::size_t>(coarse));
    const double ratio = static_cast<double>(large.width) / small.width;
    const double whole = std::round(ratio);
    return isQuotient(large.width, small.width, whole) && isQuotient(large.height, small.height, whole) ? whole : ratio;
}

DetailGrid::Cells DetailGrid::cellsIn(const QRectF& area) const {
    const auto range = [](double low, double high, std::uint32_t side) {
        const double count = std::ceil(side / static_cast<double>(kCell));
        const double first = std::clamp(std::floor(low / kCell), 0.0, count);
        const double last = std::clamp(std::ceil(high / kCell), first, count);
        return std::pair{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
    };
    if (area.isEmpty()) {
        return {};
    }
    const QPointF first = corner + area.topLeft() * scale;
    const QPointF last = corner + area.bottomRight() * scale;
    const auto [x0, x1] = range(first.x(), last.x(), width);
    const auto [y0, y1] = range(first.y(), last.y(), height);
    return {x0, y0, x1, y1};
}

PixelRegion DetailGrid::pixelsOf(std::uint32_t column, std::uint32_t row, std::uint32_t columns) const {
    const auto range = [](std::uint32_t cell, std::uint32_t cells, std::uint32_t side) {
        const std::int64_t first = std::max<std::int64_t>(std::int64_t{cell} * kCell - 1, 0);
        const std::int64_t last = std::min<std::int64_t>((std::int64_t{cell} + cells) * kCell + 1, side);
        return std::pair{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)};
    };
    const auto [x, wide] = range(column, columns, width);
    const auto [y, high] = range(row, 1, height);
    return {x, y, wide, high};
}

QRectF DetailGrid::areaOf(std::uint32_t column, std::uint32_t row, QSize picture) const {
    const auto place = [&](std::uint32_t x, std::uint32_t y) {
        const QPointF pixel(std::min<double>(static_cast<double>(x) * kCell, width),
                            std::min<double>(static_cast<double>(y) * kCell, height));
        return (pixel - corner) / scale;
    };
    return QRectF(place(column, row), place(column + 1, row + 1)) & QRectF(QPointF(0, 0), QSizeF(picture));
}

std::vector<DetailGrid> detailGrids(const OpenRequest& request, const ImageInfo& info) {
    std::vector<DetailGrid> grids;
    if (request.slices == Slices::volume) {
        return grids;
    }
    const QPointF corner = request.region ? QPointF(request.region->x, request.region->y) : QPointF(0, 0);
    for (int level = 0; level <= request.level; ++level) {
        const double ratio = levelRatio(info, level, request.level);
        const ResolutionLevel size = info.levels.empty() ? ResolutionLevel{info.width, info.height}
                                                         : info.levels.at(static_cast<std::size_t>(level));
        DetailGrid grid{level, size.width, size.height, ratio * request.shrink, corner * ratio};
        if (grid.scale >= kLeastGain) {
            grids.push_back(grid);
        }
    }
    return grids;
}

std::optional<DetailGrid> gridFor(const std::vector<DetailGrid>& grids, double zoom) {
    if (zoom <= 1 + kTolerance || grids.empty()) {
        return std::nullopt;
    }
    std::size_t found = 0; // the coarsest that suffices
    while (found + 1 < grids.size() && grids[found + 1].scale >= zoom * (1 - kTolerance)) {
        ++found;
    }
    if (grids[found].scale <= kMostPerPx * zoom) {
        return grids[found];
    }
    return found + 1 < grids.size() ? std::optional(grids[found + 1]) : std::nullopt;
}

} // namespace pollard::vm
