// Overlay of separate contours: the parts that limit their growth.
#include "overlays/contour_overlay.hpp"

#include "viewmodels/support/open_contours.hpp"

#include "snake/snake_job.hpp"

#include <QImage>
#include <QPainter>

#include <optional>

namespace pollard::app {
namespace {

using testing::discs;
using testing::eventually;
using testing::squareAround;

class ContourParts : public testing::OpenContours {
protected:
    static constexpr std::uint32_t kMargin = 9;
    static constexpr int kScale = 4;
    const std::vector<Contour> starts{squareAround(22, 22, 5), squareAround(70, 24, 4)};
    OverlayScene scene;
    ContourOverlay overlay{contours};

    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(open(*discs(100, 96, {{22.0, 22, 11}, {70.0, 24, 10}})));
        scene.size = QSizeF(100 * kScale, 96 * kScale);
        scene.scale = kScale;
        scene.image = QSize(100, 96);
    }
    void start(std::optional<std::uint32_t> apart) {
        contours.settings().setEngine({false, {}, apart});
        contours.startFrom(starts, {});
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.runs().contourCount(), 2) << contours.runs().problem().toStdString();
    }
    /// Fraction of the upper border of a contour's part that differs from the background.
    [[nodiscard]] double drawnOf(std::size_t contour, QRgb ground) {
        const PixelRegion part = partAround(starts[contour], kMargin, 100, 96);
        QImage image(scene.size.toSize(), QImage::Format_RGB32);
        image.fill(ground);
        QPainter painter(&image);
        overlay.paint(painter, scene);
        painter.end();
        const int left = static_cast<int>(part.x) * kScale;
        const int width = static_cast<int>(part.width) * kScale;
        int drawn = 0;
        for (int x = left; x < left + width; ++x) {
            drawn += image.pixel(x, static_cast<int>(part.y) * kScale) != ground ? 1 : 0;
        }
        return static_cast<double>(drawn) / width;
    }
};

TEST_F(ContourParts, AreDrawnOnEveryGroundAroundIndependentContours) {
    ASSERT_NO_FATAL_FAILURE(start(kMargin));
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const PixelRegion part = partAround(starts[i], kMargin, 100, 96);
        EXPECT_TRUE(overlay.area(scene).contains(
            QPoint(static_cast<int>(part.x + 1) * kScale, static_cast<int>(part.y + 1) * kScale)));
        for (const QRgb ground : {qRgb(0, 0, 0), qRgb(128, 128, 128), qRgb(255, 255, 255)}) {
            EXPECT_GT(drawnOf(i, ground), 0.4);
        }
    }
}

TEST_F(ContourParts, AreNotThereForContoursTogether) {
    ASSERT_NO_FATAL_FAILURE(start({}));
    for (std::size_t i = 0; i < starts.size(); ++i) {
        EXPECT_EQ(drawnOf(i, qRgb(128, 128, 128)), 0);
    }
}

} // namespace
} // namespace pollard::app
