// Large images on the canvas: tiles of mip levels.
#include "app/test_window.hpp"

#include "base/compiler.hpp"
#include "gl/image_tiles.hpp"
#include "window_times/view_measurement.hpp"

#include "image/pyramid.hpp"

#include <QJsonDocument>
#include <QJsonObject>
#include <QOpenGLFramebufferObject>
#include <QSignalSpy>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::app {
namespace {

/// Expected grey on the canvas for a level: mean over the footprint of a device pixel, in double precision, as if the
/// level were one texture.
double meanUnder(const Image& level, double x, double y, double footprint) {
    const auto range = [footprint](double centre, std::uint32_t side) {
        return std::pair{std::max(centre - footprint / 2, 0.0), std::min<double>(centre + footprint / 2, side)};
    };
    const auto [left, right] = range(x, level.width());
    const auto [top, bottom] = range(y, level.height());
    double sum = 0;
    for (int v = static_cast<int>(std::floor(top)); v < bottom; ++v) {
        const double high = std::min<double>(bottom, v + 1) - std::max<double>(top, v);
        for (int u = static_cast<int>(std::floor(left)); u < right; ++u) {
            const double wide = std::min<double>(right, u + 1) - std::max<double>(left, u);
            sum += high * wide * level.level(static_cast<std::size_t>(v) * level.width() + static_cast<std::size_t>(u));
        }
    }
    return sum / ((right - left) * (bottom - top));
}

/// Expected grey of a device pixel, with a window over all 8 bits.
double greyAt(const Pyramid& pyramid, const vm::ViewTransform& view, QPoint pixel) {
    const QPointF corner = view.toView({0, 0});
    const QPointF origin(std::round(corner.x()), std::round(corner.y()));
    const QPointF place = (QPointF(pixel) + QPointF(0.5, 0.5) - origin) / view.zoom;
    const std::size_t k = ImageTiles::levelFor(view.zoom, pyramid.levels());
    const double size = std::ldexp(1.0, static_cast<int>(k));
    const Image& level = pyramid.level(k);
    if (view.zoom * size >= 1.0) {
        const auto texel = [size](double at) { return static_cast<std::size_t>(at / size); };
        return level.level(texel(place.y()) * level.width() + texel(place.x()));
    }
    return meanUnder(level, place.x() / size, place.y() / size, 1.0 / (view.zoom * size));
}

SharedImage makeTexture(std::uint32_t width, std::uint32_t height) {
    return makeImage(PixelType::u8, width, height, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x * 7 + y * 13 + (x * y) % 89) % 256);
    });
}

#ifdef POLLARD_ASAN
constexpr int kRowStep = 25;
#else
constexpr int kRowStep = 3;
#endif

/// Largest difference between the canvas and the oracle over the image's pixels in the view, in every kRowStep-th
/// row.
double worstDifference(TestWindow& test, const Pyramid& pyramid) {
    const QImage shown = test.window.canvas()->grabFramebuffer();
    const vm::ViewTransform& view = test.models.display.view();
    double worst = 0;
    for (int y = 0; y < shown.height(); y += kRowStep) {
        for (int x = 0; x < shown.width(); ++x) {
            const QPointF place = view.toImage(QPointF(x + 0.5, y + 0.5));
            const bool inside = place.x() > 2 && place.y() > 2 && place.x() < pyramid.image()->width() - 2 &&
                                place.y() < pyramid.image()->height() - 2;
            if (inside) {
                worst = std::max(worst, std::abs(shown.pixelColor(x, y).red() - greyAt(pyramid, view, {x, y})));
            }
        }
    }
    return worst;
}

TEST(ImageTiles, BordersOfTilesAreInvisibleAtEveryZoom) {
    TestWindow test;
    test.open("texture", makeTexture(1501, 1207));
    test.models.display.fullWindow();
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    test.window.canvas()->setLargestTexture(64);
    const auto pyramid = test.models.document.shown().pyramid;
    ASSERT_GE(pyramid->levels(), 3U);
    // Zooms at which no device pixel's centre is on the border of two texels.
    for (const double zoom : {3.0, 1.0, 0.83, 0.61, 0.5, 0.37, 0.29, 0.25, 0.19}) {
        test.models.display.setZoom(zoom);
        test.models.display.setCentre({740.25, 610.75});
        ASSERT_TRUE(test.settle());
        EXPECT_LE(worstDifference(test, *pyramid), 1.5) << "zoom " << zoom;
    }
}

TEST(ImageTiles, OneTextureAndManyShowTheSame) {
    TestWindow test;
    test.open("texture", makeTexture(900, 700));
    test.models.filter.setCriterion({AttributeId::area, 20});
    test.models.display.setSplitEnabled(true);
    for (const double zoom : {7.3871, 1.7193, 0.9, 0.45, 0.3}) {
        test.window.canvas()->setLargestTexture(16384);
        test.models.display.setZoom(zoom);
        ASSERT_TRUE(test.settle());
        const QImage whole = test.window.canvas()->grabFramebuffer().convertToFormat(QImage::Format_Grayscale8);
        test.window.canvas()->setLargestTexture(30);
        ASSERT_TRUE(test.settle());
        const QImage tiled = test.window.canvas()->grabFramebuffer().convertToFormat(QImage::Format_Grayscale8);
        int different = 0;
        for (int y = 0; y < whole.height(); ++y) {
            const uchar* one = whole.constScanLine(y);
            const uchar* other = tiled.constScanLine(y);
            for (int x = 0; x < whole.width(); ++x) {
                different += std::abs(one[x] - other[x]) > 1 ? 1 : 0;
            }
        }
        // A centre on the border of two texels may select either: at most a row and a column differ, where seams would
        // be dozens.
        EXPECT_LE(different, whole.width() * whole.height() / 200) << "zoom " << zoom;
    }
}

TEST(ImageTiles, LevelHasATexelForEveryDevicePixel) {
    EXPECT_EQ(ImageTiles::levelFor(2, 8), 0U);
    EXPECT_EQ(ImageTiles::levelFor(1, 8), 0U);
    EXPECT_EQ(ImageTiles::levelFor(0.51, 8), 0U);
    EXPECT_EQ(ImageTiles::levelFor(0.5, 8), 1U);
    EXPECT_EQ(ImageTiles::levelFor(0.26, 8), 1U);
    EXPECT_EQ(ImageTiles::levelFor(0.125, 8), 3U);
    EXPECT_EQ(ImageTiles::levelFor(0.0001, 8), 7U);
    EXPECT_EQ(ImageTiles::levelFor(0.0001, 1), 0U);
}

TEST(ImageTiles, OnlyWhatIsSeenStaysOnTheCard) {
    TestWindow test;
    test.open("big", makeImage(PixelType::u8, 5000, 4000, [](std::uint32_t x, std::uint32_t y) {
                  return static_cast<int>((x / 64 + y / 64) % 7 * 30);
              }));
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    Canvas* canvas = test.window.canvas();
    constexpr std::uint64_t kBudget = 12 << 20;
    canvas->setTextureBudget(kBudget);
    test.models.display.setZoom(1);
    for (int i = 0; i < 24; ++i) {
        test.models.display.setCentre({500.0 + 170 * i, 400.0 + 140 * i});
        ASSERT_TRUE(test.settle());
        EXPECT_LE(canvas->tileStore().bytes(), kBudget) << "step " << i;
    }
    // The whole pyramid would be 27 MiB.
    EXPECT_GT(canvas->tileStore().tiles(), 4U);
}

TEST(ImageTiles, UploadsOfOnePaintAreBoundedAndTheRestFollows) {
    TestWindow test;
    test.window.resize(1700, 1100);
    test.open("big", makeImage(PixelType::u16, 5000, 4400, [](std::uint32_t x, std::uint32_t y) {
                  return static_cast<int>((x * 37 + y * 91) % 65536);
              }));
    test.models.display.fullWindow();
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    ASSERT_TRUE(test.settle());
    Canvas* canvas = test.window.canvas();
    // Above one half a window of a million px shows four million px: more than the limit of a paint.
    test.models.display.setZoom(0.53);
    test.models.display.setCentre({2500, 2200});
    std::uint64_t before = canvas->tileStore().uploads().bytes;
    int paints = 0;
    int incomplete = 0;
    QObject::connect(canvas, &GlSurface::frameSwapped, canvas, [&] {
        const std::uint64_t now = canvas->tileStore().uploads().bytes;
        EXPECT_LE(now - before, 10U << 20) << "paint " << paints;
        before = now;
        ++paints;
        incomplete += canvas->isComplete() ? 0 : 1;
    });
    ASSERT_TRUE(test.settle());
    EXPECT_GE(incomplete, 1) << "the test wants a view that does not fit into one paint";
    EXPECT_TRUE(canvas->isComplete());
    const auto pyramid = test.models.document.shown().pyramid;
    const QImage shown = canvas->grabFramebuffer();
    const vm::ViewTransform& view = test.models.display.view();
    for (int y = 3; y < shown.height(); y += 41) {
        for (int x = 3; x < shown.width(); x += 37) {
            ASSERT_NEAR(shown.pixelColor(x, y).red(), greyAt(*pyramid, view, {x, y}) / 257.0, 1.5) << x << ',' << y;
        }
    }
}

TEST(UploadAllowance, GrantsUntilItsBytesOrItsTimeAreSpent) {
    UploadAllowance bytes(100, std::numeric_limits<std::int64_t>::max());
    EXPECT_TRUE(bytes.take(60));
    EXPECT_TRUE(bytes.take(60));
    EXPECT_FALSE(bytes.take(1));

    UploadAllowance time(1000, 0);
    QThread::msleep(2);        // more than the allowed time
    EXPECT_TRUE(time.take(1)); // both images of a comparison progress even on a slow machine
    EXPECT_TRUE(time.take(1));
    EXPECT_FALSE(time.take(1));

    UploadAllowance all = UploadAllowance::unlimited();
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(all.take(std::uint64_t{1} << 40));
    }
}

TEST(ImageTiles, StandInsComeFromTheSameImage) {
    TestWindow test;
    test.open("big", makeTexture(3000, 2600));
    test.models.display.fullWindow();
    test.models.filter.setOutput(Output::mask);
    test.models.filter.setCriterion({AttributeId::area, 2});
    ASSERT_TRUE(test.settle());
    Canvas* canvas = test.window.canvas();
    test.models.display.setZoom(1);
    ASSERT_TRUE(test.settle());
    canvas->grabFramebuffer();
    // Another result of the same size: the previous one must not be visible in any paint.
    for (const double area : {40.0, 3.0, 500.0}) {
        test.models.filter.setMinimum(area);
        ASSERT_TRUE(test.settle());
        const auto pyramid = test.models.document.shown().frame.pyramid;
        ASSERT_EQ(pyramid->image(), test.models.document.result());
        const QImage shown = canvas->grabFramebuffer();
        const vm::ViewTransform& view = test.models.display.view();
        for (int y = 5; y < shown.height(); y += 23) {
            for (int x = 5; x < shown.width(); x += 19) {
                ASSERT_NEAR(shown.pixelColor(x, y).red(), greyAt(*pyramid, view, {x, y}), 1.0) << area;
            }
        }
    }
}

TEST(ImageTiles, PartsAreDrawnIntoFramebuffersAtAnyScale) {
    TestWindow test;
    test.open("texture", makeTexture(1400, 1100));
    test.models.display.fullWindow();
    Canvas* canvas = test.window.canvas();
    canvas->makeCurrent();
    for (const double scale : {0.25, 1.0, 6.0}) {
        const QSize size(200, 160);
        QOpenGLFramebufferObject target(size);
        ASSERT_TRUE(target.bind());
        vm::ViewTransform view;
        view.viewSize = size;
        view.zoom = scale;
        view.imageSize = QSize(1400, 1100);
        view.centre = {700, 550};
        const QPointF corner = view.toView({0, 0});
        canvas->paintInto({size, {std::round(corner.x()), std::round(corner.y())}, scale});
        const QImage drawn = target.toImage();
        target.release();
        for (int y = 0; y < size.height(); y += 7) {
            for (int x = 0; x < size.width(); x += 7) {
                ASSERT_NEAR(drawn.pixelColor(x, y).red(), greyAt(*test.models.document.shown().pyramid, view, {x, y}),
                            1.5)
                    << "scale " << scale << " at " << x << ',' << y;
            }
        }
    }
    canvas->doneCurrent();
}

TEST(ViewMeasurement, ReportsTheTimesOfItsFrames) {
    TestWindow test;
    ViewMeasurement view(test.models, test.window, 25);
    QSignalSpy finished(&view, &ViewMeasurement::finished);
    test.open("texture", makeTexture(2800, 2200));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, 60000));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    const QJsonObject report = QJsonDocument::fromJson(finished.at(0).at(0).toString().toUtf8()).object();
    EXPECT_EQ(report[QStringLiteral("frames")].toInt(), 25);
    EXPECT_EQ(report[QStringLiteral("width")].toInt(), 2800);
    const QJsonObject paint = report[QStringLiteral("paint_ms")].toObject();
    EXPECT_GT(paint[QStringLiteral("median")].toDouble(), 0);
    EXPECT_GE(paint[QStringLiteral("max")].toDouble(), paint[QStringLiteral("p95")].toDouble());
    EXPECT_GT(report[QStringLiteral("upload_bytes")].toObject()[QStringLiteral("max")].toDouble(), 0);
}

} // namespace
} // namespace pollard::app
