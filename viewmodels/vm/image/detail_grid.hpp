#pragma once

#include "vm/image/open_request.hpp"

#include "image/pixel_region.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Px of one level of a page per px of a coarser one, in each direction. A level whose sides are those of the other one
/// divided by a whole number, rounded up or down, has exactly this ratio.
[[nodiscard]] double levelRatio(const ImageInfo& info, int fine, int coarse);

/// A level of a page with more pixels than the displayed image, in square cells.
struct DetailGrid {
    /// Side of a cell, px of the level. With a margin of one pixel all around it fits a texture of TileTextures.
    static constexpr std::uint32_t kCell = 508;

    int level = 0;
    std::uint32_t width = 0;  ///< of the level, px
    std::uint32_t height = 0; ///< px
    double scale = 1;         ///< px of the level per displayed px, > 1
    QPointF corner;           ///< of the displayed image, px of the level

    /// Cells [x0, x1) x [y0, y1).
    struct Cells {
        std::uint32_t x0 = 0;
        std::uint32_t y0 = 0;
        std::uint32_t x1 = 0;
        std::uint32_t y1 = 0;

        [[nodiscard]] bool holds(std::uint32_t column, std::uint32_t row) const noexcept {
            return column >= x0 && column < x1 && row >= y0 && row < y1;
        }
        bool operator==(const Cells&) const = default;
    };

    /// The cells with pixels of an area of the displayed image.
    [[nodiscard]] Cells cellsIn(const QRectF& area) const;
    /// Px of the level in cells of a row, with their margins inside the level.
    [[nodiscard]] PixelRegion pixelsOf(std::uint32_t column, std::uint32_t row, std::uint32_t columns = 1) const;
    /// A cell in px of the displayed image, without its margin and what lies beyond the image.
    [[nodiscard]] QRectF areaOf(std::uint32_t column, std::uint32_t row, QSize picture) const;

    bool operator==(const DetailGrid&) const = default;
};

/// The levels of the page that are finer than the image of @p request, the finest first; of a shrunk image its own
/// level, too. None for volumes. @param info of the image
[[nodiscard]] std::vector<DetailGrid> detailGrids(const OpenRequest& request, const ImageInfo& info);

/// The grid for a view: the coarsest with at least a pixel per device px, unless it has more than 2.5 of them in each
/// direction and a coarser one is there; the finest if none has as many. Empty if the displayed image suffices, or
/// the grid has more than 2.5 px per device px and would take long to read.
/// @param zoom device px per displayed px
[[nodiscard]] std::optional<DetailGrid> gridFor(const std::vector<DetailGrid>& grids, double zoom);

} // namespace pollard::vm
