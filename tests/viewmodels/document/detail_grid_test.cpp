// Cells of the levels that are finer than a displayed image.
#include "vm/display/image_detail.hpp"

#include <QRectF>
#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

ImageInfo slide(std::vector<ResolutionLevel> levels) {
    ImageInfo info;
    info.width = levels.front().width;
    info.height = levels.front().height;
    info.levels = std::move(levels);
    return info;
}

OpenRequest atLevel(int level) {
    OpenRequest request;
    request.level = level;
    return request;
}

TEST(DetailGrid, RatioIsWholeWhereTheSidesWereRounded) {
    const ImageInfo info = slide({{100'000, 70'001}, {1562, 1093}, {1563, 1094}, {30'000, 20'000}});
    EXPECT_EQ(levelRatio(info, 0, 1), 64);
    EXPECT_EQ(levelRatio(info, 0, 2), 64);
    EXPECT_DOUBLE_EQ(levelRatio(info, 0, 3), 100'000.0 / 30'000);
    EXPECT_EQ(levelRatio(info, 2, 2), 1);
    EXPECT_EQ(levelRatio({}, 0, 0), 1);
}

TEST(DetailGrid, CellsCoverTheImageOnce) {
    OpenRequest part = atLevel(2);
    part.region = PixelRegion{31, 17, 400, 300};
    const ImageInfo info = slide({{8001, 6003}, {4001, 3002}, {2001, 1501}});
    for (const OpenRequest& request : {atLevel(1), atLevel(2), part}) {
        const QSize size = request.region
                               ? QSize(400, 300)
                               : QSize(static_cast<int>(info.levels[static_cast<std::size_t>(request.level)].width),
                                       static_cast<int>(info.levels[static_cast<std::size_t>(request.level)].height));
        const QRectF image(QPointF(0, 0), QSizeF(size));
        const auto grids = detailGrids(request, info);
        ASSERT_EQ(grids.size(), static_cast<std::size_t>(request.level));
        for (const DetailGrid& grid : grids) {
            EXPECT_EQ(grid.scale, static_cast<double>(1 << (request.level - grid.level)));
            EXPECT_EQ(grid.corner / grid.scale, request.region ? QPointF(31, 17) : QPointF(0, 0));
            const auto cells = grid.cellsIn(image);
            double covered = 0;
            for (std::uint32_t row = cells.y0; row < cells.y1; ++row) {
                for (std::uint32_t column = cells.x0; column < cells.x1; ++column) {
                    const QRectF area = grid.areaOf(column, row, size);
                    EXPECT_TRUE(image.contains(area));
                    covered += area.width() * area.height();
                    const PixelRegion pixels = grid.pixelsOf(column, row);
                    EXPECT_LE(pixels.x + pixels.width, grid.width);
                    EXPECT_LE(pixels.y + pixels.height, grid.height);
                    EXPECT_LE(pixels.width, DetailGrid::kCell + 2);
                    const QPointF first = grid.corner + area.topLeft() * grid.scale;
                    EXPECT_GE(first.x(), pixels.x);
                    EXPECT_GE(first.y(), pixels.y);
                    EXPECT_TRUE(cells.holds(column, row));
                }
            }
            // The last pixel of an odd side stands for less than a whole block.
            EXPECT_NEAR(covered, image.width() * image.height(), image.width() + image.height());
        }
    }
}

TEST(DetailGrid, RunsJoinCells) {
    const DetailGrid grid = detailGrids(atLevel(1), slide({{2000, 1000}, {1000, 500}})).front();
    EXPECT_EQ(grid.pixelsOf(0, 0), (PixelRegion{0, 0, 509, 509}));
    EXPECT_EQ(grid.pixelsOf(1, 1), (PixelRegion{507, 507, 510, 493}));
    EXPECT_EQ(grid.pixelsOf(1, 1, 3), (PixelRegion{507, 507, 1493, 493}));
    EXPECT_EQ(grid.cellsIn(QRectF(300, 0, 1, 1)), (DetailGrid::Cells{1, 0, 2, 1}));
    EXPECT_EQ(grid.cellsIn({}), DetailGrid::Cells());
}

TEST(DetailGrid, LevelFollowsTheZoom) {
    const auto grids = detailGrids(atLevel(3), slide({{64'000, 64'000}, {16'000, 16'000}, {4000, 4000}, {1000, 1000}}));
    const auto levelFor = [&](double zoom) {
        const auto grid = gridFor(grids, zoom);
        return grid ? grid->level : -1;
    };
    EXPECT_EQ(levelFor(0.5), -1);
    EXPECT_EQ(levelFor(1), -1);
    EXPECT_EQ(levelFor(1.5), -1) << "four pixels of level 2 are too many";
    EXPECT_EQ(levelFor(2), 2);
    EXPECT_EQ(levelFor(4), 2);
    EXPECT_EQ(levelFor(5), 2) << "level 1 has 3.2 px per device px";
    EXPECT_EQ(levelFor(8), 1);
    EXPECT_EQ(levelFor(16), 1);
    EXPECT_EQ(levelFor(40), 0);
    EXPECT_EQ(levelFor(256), 0);
    OpenRequest shrunk;
    shrunk.shrink = 8;
    ImageInfo flat;
    flat.width = flat.height = 8000;
    const auto own = detailGrids(shrunk, flat);
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own.front().scale, 8);
    EXPECT_FALSE(gridFor(own, 2)) << "the whole page would be read";
    EXPECT_TRUE(gridFor(own, 4));
}

TEST(DetailGrid, VolumesAndWholePagesHaveNone) {
    EXPECT_TRUE(detailGrids({}, slide({{8000, 8000}, {4000, 4000}})).empty());
    OpenRequest volume = atLevel(1);
    volume.slices = Slices::volume;
    EXPECT_TRUE(detailGrids(volume, slide({{8000, 8000}, {4000, 4000}})).empty());
}

} // namespace
} // namespace pollard::vm
