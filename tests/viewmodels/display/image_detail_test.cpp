// Finer levels of an image that is shown reduced: their pixels, when they are read, and in which memory.
#include "vm/display/image_detail.hpp"

#include "chunks/chunk_job.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "viewmodels/support/wait.hpp"
#include "viewmodels/support/workspace.hpp"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include <random>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;

constexpr std::uint32_t kWidth = 2600;
constexpr std::uint32_t kHeight = 1900;

class Detail : public ::testing::Test {
protected:
    QTemporaryDir folder;
    testing::Workspace space;
    ImageDetail& detail = space.display.detail();

    void SetUp() override {
        Image image(PixelType::u8, kWidth, kHeight);
        std::mt19937 random(5);
        for (std::uint8_t& pixel : image.pixels<std::uint8_t>()) {
            pixel = static_cast<std::uint8_t>(random());
        }
        writeTiff(pathOf("flat.tif").toStdString(), image);
        ChunkRequest copy; // with reduced versions
        copy.source = pathOf("flat.tif").toStdString();
        copy.target = pathOf("slide.tif").toStdString();
        copy.engines = space.registry.engines();
        (void)filterImage(copy);
        space.display.setViewSize({400, 300});
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void open(const char* name, int level, int shrink = 1) {
        OpenRequest request;
        request.path = pathOf(name);
        request.level = level;
        request.shrink = shrink;
        space.document.openAs(request);
        ASSERT_TRUE(space.rests());
        ASSERT_TRUE(space.document.hasImage()) << space.document.activity().lastError().toStdString();
    }
    void look(double zoom, QPointF centre) {
        space.display.setZoom(zoom);
        space.display.setCentre(centre);
        ASSERT_TRUE(eventually([&] { return !detail.isReading(); }));
    }
    /// Expects that the tiles cover each pixel of the view once, with the values of the level in the file.
    void expectPixelsOf(int level) {
        ReadOptions options;
        options.level = level;
        const LoadedImage all = readImage(pathOf("slide.tif").toStdString(), options);
        const ViewTransform& view = space.display.view();
        for (int y = 2; y < 300; y += 37) {
            for (int x = 2; x < 400; x += 41) {
                const QPointF place = view.toImage({x + 0.5, y + 0.5});
                if (place.x() >= view.imageSize.width() || place.y() >= view.imageSize.height()) {
                    continue;
                }
                int found = 0;
                for (const auto& tile : detail.tiles()) {
                    if (tile->level != level || !tile->area.contains(place)) {
                        continue;
                    }
                    ++found;
                    const Image& image = *tile->channels.at(-1).image;
                    const QPointF texel = tile->texel + (place - tile->area.topLeft()) * tile->texelsPerPx;
                    const auto column = static_cast<std::size_t>(place.x() * tile->texelsPerPx);
                    const auto row = static_cast<std::size_t>(place.y() * tile->texelsPerPx);
                    EXPECT_EQ(image.level(static_cast<std::size_t>(texel.y()) * image.width() +
                                          static_cast<std::size_t>(texel.x())),
                              all.image->level(row * all.image->width() + column));
                }
                ASSERT_EQ(found, 1) << x << ", " << y;
            }
        }
    }
};

TEST_F(Detail, HasThePixelsOfTheLevelInTheView) {
    open("slide.tif", 2);
    ASSERT_EQ(space.document.image()->width(), kWidth / 4);
    EXPECT_FALSE(detail.level());
    EXPECT_TRUE(detail.tiles().empty()) << "all of it is in the view";
    look(2, {300, 200});
    EXPECT_EQ(detail.level(), 1);
    expectPixelsOf(1);
    look(6, {100, 100});
    EXPECT_EQ(detail.level(), 0);
    expectPixelsOf(0);
    look(4, {640, 470}); // at the corner
    expectPixelsOf(0);
    look(0.5, {300, 200});
    EXPECT_FALSE(detail.level());
    EXPECT_TRUE(detail.tiles().empty());
}

TEST_F(Detail, OfAShrunkImageIsItsPage) {
    open("flat.tif", 0, 4);
    look(4, {120, 90});
    EXPECT_EQ(detail.level(), 0);
    expectPixelsOf(0);
}

TEST_F(Detail, IsReadOnlyWhereTheOriginalIsSeen) {
    open("slide.tif", 2);
    ASSERT_TRUE(space.display.isUnfiltered());
    space.filter.setCriterion({AttributeId::area, 50});
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(space.display.isUnfiltered());
    look(4, {120, 90});
    EXPECT_FALSE(detail.level()) << "the result is shown";
    EXPECT_TRUE(detail.tiles().empty());
    space.display.setSplitEnabled(true);
    ASSERT_TRUE(eventually([&] { return !detail.isReading(); }));
    expectPixelsOf(0);
    space.display.setSplitEnabled(false);
    EXPECT_TRUE(detail.tiles().empty());
    space.display.setImage(DisplayViewModel::Source::original);
    ASSERT_TRUE(eventually([&] { return !detail.isReading(); }));
    expectPixelsOf(0);
}

TEST_F(Detail, FollowsAViewThatMovesOn) {
    open("slide.tif", 2);
    space.display.setZoom(4);
    for (int step = 0; step < 60; ++step) {
        space.display.setCentre({50.0 + 9 * step, 60.0 + 6 * step});
    }
    look(4, {500, 100});
    expectPixelsOf(0);
    const auto statistics = detail.worker().statistics(Lane::load);
    EXPECT_LE(statistics.started, 30U) << "not every place on the way is read";
    EXPECT_LE(statistics.maxInFlight, 2);
}

TEST_F(Detail, StaysWithinItsMemory) {
    open("slide.tif", 2);
    const std::uint64_t tiles = 9;
    detail.setBudget(tiles * 510 * 510);
    for (int x = 60; x < 600; x += 60) {
        look(4, {static_cast<double>(x), 100});
        EXPECT_LE(detail.bytes(), (tiles + 6) * 511 * 511);
        expectPixelsOf(0);
    }
    open("slide.tif", 1);
    EXPECT_EQ(detail.bytes(), 0U) << "of the other image";
}

TEST_F(Detail, CoarserTilesStandInUntilFinerOnesAreRead) {
    open("slide.tif", 2);
    look(2, {200, 200});
    ASSERT_FALSE(detail.tiles().empty());
    space.display.setZoom(8);
    ASSERT_TRUE(detail.isReading());
    ASSERT_FALSE(detail.tiles().empty());
    EXPECT_EQ(detail.tiles().front()->level, 1);
    ASSERT_TRUE(eventually([&] { return !detail.isReading(); }));
    EXPECT_EQ(detail.tiles().front()->level, 0) << "the finest first";
}

TEST_F(Detail, AFileThatCannotBeReadIsOneProblem) {
    open("slide.tif", 2);
    QFile::remove(pathOf("slide.tif"));
    QSignalSpy changes(&detail, &ImageDetail::changed);
    look(4, {300, 200});
    EXPECT_THAT(detail.problem().toStdString(), HasSubstr("slide.tif"));
    EXPECT_FALSE(detail.level());
    EXPECT_TRUE(detail.tiles().empty());
    const auto started = detail.worker().statistics(Lane::load).started;
    look(4, {100, 100});
    EXPECT_EQ(detail.worker().statistics(Lane::load).started, started) << "no second attempt";
}

} // namespace
} // namespace pollard::vm
