// Tiles of finer levels over an image that is shown reduced.
#include "app/test_window.hpp"

#include "chunks/chunk_job.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "gl/image_tiles.hpp"

#include <QLabel>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace pollard::app {
namespace {

TEST(DetailTiles, PartsOutsideARectangleAreTheRest) {
    TextureTile tile;
    tile.area = QRectF(10, 20, 40, 30);
    tile.texelsPerPx = 0.5;
    tile.texel = {3, 4};
    for (const QRectF& hole :
         {QRectF(20, 25, 5, 5), QRectF(0, 0, 100, 100), QRectF(0, 0, 15, 25), QRectF(45, 0, 50, 90),
          QRectF(60, 20, 10, 10), QRectF(10, 30, 40, 1), QRectF(50, 20, 10, 30)}) {
        const std::vector<TextureTile> parts = without(tile, hole);
        double area = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            area += parts[i].area.width() * parts[i].area.height();
            EXPECT_TRUE(tile.area.contains(parts[i].area));
            EXPECT_FALSE(parts[i].area.intersects(hole));
            EXPECT_EQ(parts[i].texel, QPointF(3, 4) + (parts[i].area.topLeft() - QPointF(10, 20)) * 0.5);
            for (std::size_t k = 0; k < i; ++k) {
                EXPECT_FALSE(parts[i].area.intersects(parts[k].area));
            }
        }
        const QRectF cut = tile.area & hole;
        EXPECT_DOUBLE_EQ(area, 40 * 30 - cut.width() * cut.height());
    }
}

class DetailOnCanvas : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;
    const SharedImage image = makeNoise(1400);

    [[nodiscard]] std::string pathOf(const char* name) const {
        return folder.filePath(QLatin1String(name)).toStdString();
    }
    void open(int level) {
        writeTiff(pathOf("flat.tif"), *image);
        const auto engine = makeCpuEngine();
        ChunkRequest copy; // with reduced versions
        copy.source = pathOf("flat.tif");
        copy.target = pathOf("slide.tif");
        copy.engines = {engine.get()};
        (void)filterImage(copy);
        vm::OpenRequest request;
        request.path = QString::fromStdString(pathOf("slide.tif"));
        request.level = level;
        test.models.document.openAs(request);
        ASSERT_TRUE(test.settle());
        ASSERT_EQ(test.models.document.request().level, level);
        test.models.display.fullWindow();
    }
    [[nodiscard]] bool rests() {
        return QTest::qWaitFor([this] { return !test.models.display.detail().isReading(); }, kPatience) &&
               test.settle();
    }
    /// Largest difference between the canvas and the page at full resolution, over the columns [from, to).
    [[nodiscard]] double worstDifference(int from, int to, int scale) {
        const QImage shown = test.window.canvas()->grabFramebuffer();
        const QPointF corner = test.models.display.view().toView({0, 0});
        double worst = 0;
        for (int y = 3; y < shown.height(); y += 7) {
            for (int x = from; x < std::min(to, shown.width()); ++x) {
                const QPointF place =
                    (QPointF(x + 0.5, y + 0.5) - QPointF(std::round(corner.x()), std::round(corner.y()))) /
                    test.models.display.zoom() * scale;
                if (place.x() < 0 || place.y() < 0 || place.x() >= 1400 || place.y() >= 1400) {
                    continue;
                }
                const std::size_t pixel =
                    static_cast<std::size_t>(place.y()) * 1400 + static_cast<std::size_t>(place.x());
                worst =
                    std::max(worst, std::abs(shown.pixelColor(x, y).red() - static_cast<double>(image->level(pixel))));
            }
        }
        return worst;
    }
};

TEST_F(DetailOnCanvas, ShowsThePixelsOfThePage) {
    open(1);
    for (const double zoom : {2.0, 4.0, 10.0}) {
        for (const QPointF centre : {QPointF(350, 350), QPointF(200, 256), QPointF(690, 40)}) {
            test.models.display.setZoom(zoom);
            test.models.display.setCentre(centre);
            ASSERT_TRUE(rests());
            EXPECT_LE(worstDifference(0, 10'000, 2), 1) << zoom << " at " << centre.x() << ", " << centre.y();
            EXPECT_LE(test.window.canvas()->paintMilliseconds(), 1000);
        }
    }
    EXPECT_EQ(test.part<QLabel>("imageTag")->text(), QStringLiteral("Original, level 0"));
}

TEST_F(DetailOnCanvas, TheFilteredSideStaysAPreview) {
    open(1);
    test.models.filter.setCriterion({AttributeId::area, 40});
    ASSERT_TRUE(test.settle());
    test.models.display.setSplitEnabled(true);
    test.models.display.setZoom(4);
    test.models.display.setCentre({300, 300});
    ASSERT_TRUE(rests());
    const int line = static_cast<int>(test.models.display.splitPosition() * test.window.canvas()->width());
    constexpr int kGrip = 30;
    EXPECT_LE(worstDifference(0, line - kGrip, 2), 1);
    EXPECT_GT(worstDifference(line + kGrip, 10'000, 2), 20);
    // The right side is the result of the level.
    const SharedImage result = test.models.document.result();
    const QImage shown = test.window.canvas()->grabFramebuffer();
    const vm::ViewTransform& view = test.models.display.view();
    for (int y = 305; y < 330; y += 5) {
        for (int x = 310; x < 340; x += 5) {
            const QPoint at = view.toView({x + 0.5, y + 0.5}).toPoint();
            EXPECT_NEAR(shown.pixelColor(at).red(), result->level(static_cast<std::size_t>(y) * 700 + x), 1);
        }
    }
    QStringList tags;
    for (const QLabel* tag : test.window.findChildren<QLabel*>(QStringLiteral("imageTag"))) {
        tags << tag->text();
    }
    EXPECT_THAT(tags, ::testing::UnorderedElementsAre(QStringLiteral("Original, level 0"),
                                                      QStringLiteral("Filtered, preview")));
}

TEST_F(DetailOnCanvas, AFileThatIsGoneIsReportedOnce) {
    open(1);
    std::filesystem::remove(pathOf("slide.tif"));
    for (const double x : {300.0, 400.0, 500.0}) {
        test.models.display.setZoom(4);
        test.models.display.setCentre({x, 300});
        ASSERT_TRUE(rests());
    }
    EXPECT_EQ(test.errors.titles, QStringList{"The finer levels of the image were not read"});
    EXPECT_THAT(test.errors.texts.join(u' ').toStdString(), ::testing::HasSubstr("slide.tif"));
}

} // namespace
} // namespace pollard::app
