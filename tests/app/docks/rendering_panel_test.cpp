// The 3D view in the real window: pixels of projections, before and after the filter, the mouse, full quality after a
// pause, the empty state.
#include "app/support/on_screen.hpp"
#include "app/test_window.hpp"
#include "canvas/component_highlight.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "docks/charts/level_charts.hpp"
#include "docks/rendering_panel.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "overlays/level_colours.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "window/files/data_menu.hpp"
#include "window/panel_dock.hpp"

#include <QAbstractAxis>
#include <QApplication>
#include <QChart>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

namespace pollard::app {
namespace {

class RenderingPanels : public ::testing::Test {
protected:
    QTemporaryDir directory;
    TestWindow test;
    vm::RenderingViewModel& rendering = test.models.rendering;
    std::shared_ptr<Image> volume;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor([this] { return rendering.isIdle(); }, kPatience);
    }
    /// 16 x 12 x 8 voxels of noise with a bright cuboid at x 10.., y 2..9, slices 3..6.
    void open(PixelType type = PixelType::u8) {
        volume = std::make_shared<Image>(type, Extent{16, 12, 8});
        std::mt19937 random(5);
        dispatch(type, [&]<class T>(T) {
            std::uint32_t index = 0;
            for (T& level : volume->pixels<T>()) {
                const Voxel at = voxelAt(index++, volume->extent());
                const bool isInside = at.x >= 10 && at.y >= 2 && at.y < 10 && at.z >= 3 && at.z < 7;
                level = static_cast<T>(isInside ? maxLevelOf(type) : random() % (maxLevelOf(type) / 2));
            }
        });
        const QString path = directory.filePath(QStringLiteral("v.tif"));
        writeTiff(path.toStdString(), {*volume, {.scene = {.axes = {{'z', 8, {}}}}}});
        test.models.document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.models.document.isVolume());
        showPanel(test.window, QStringLiteral("rendering"));
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.isLaidOut());
        rendering.setLook({}); // the window remembers the look of an earlier test
        rendering.lookAlong(VolumeAxis::z);
        test.models.display.fullWindow();
    }
    [[nodiscard]] RenderingView& view() { return *test.part<RenderingView>("renderingView"); }
    [[nodiscard]] QPointF placeOf(double x, double y, double z = 0) {
        return rendering.camera().toView({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)},
                                         view().size());
    }
    [[nodiscard]] QColor colourAt(const QImage& image, double x, double y) {
        const QPointF place = placeOf(x, y) * image.devicePixelRatio();
        return image.pixelColor(static_cast<int>(place.x()), static_cast<int>(place.y()));
    }
    [[nodiscard]] QColor colourAt(double x, double y) { return colourAt(view().grabFramebuffer(), x, y); }
    [[nodiscard]] std::uint16_t levelAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return volume->level((std::size_t{z} * volume->height() + y) * volume->width() + x);
    }
    void requestFilter(const char* criterion) {
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        test.models.document.requestFilter(spec);
        ASSERT_TRUE(rests());
    }
    void expectProjection(const std::function<int(std::uint32_t, std::uint32_t)>& level) {
        const QImage image = view().grabFramebuffer();
        const double scale = placeOf(1, 0).x() - placeOf(0, 0).x();
        ASSERT_GT(scale, 3) << "pixels next to the middle of a voxel would be interpolated from its neighbours";
        for (std::uint32_t y = 0; y < volume->height(); ++y) {
            for (std::uint32_t x = 0; x < volume->width(); ++x) {
                const double shade = 255.0 * level(x, y) / maxLevelOf(volume->type());
                // Half a pixel from the middle of the voxel at most.
                ASSERT_NEAR(colourAt(image, x + 0.5, y + 0.5).red(), shade, 255 / scale) << "at " << x << ", " << y;
            }
        }
    }
};

TEST_F(RenderingPanels, ShowProjections) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        ASSERT_NO_FATAL_FAILURE(open(type));
        for (const bool isMaximum : {true, false}) {
            auto* kind = test.part<QComboBox>("rendering");
            kind->setCurrentIndex(isMaximum ? 0 : 1);
            ASSERT_NO_FATAL_FAILURE(expectProjection([&](std::uint32_t x, std::uint32_t y) {
                int best = levelAt(x, y, 0);
                for (std::uint32_t z = 1; z < 8; ++z) {
                    best = isMaximum ? std::max<int>(best, levelAt(x, y, z)) : std::min<int>(best, levelAt(x, y, z));
                }
                return best;
            }));
        }
    }
}

TEST_F(RenderingPanels, ShowSurfaces) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(test.part<QSlider>("renderingOpacity")->isVisible());
    test.part<QComboBox>("rendering")->setCurrentIndex(2);
    auto* opacity = test.part<QSlider>("renderingOpacity");
    EXPECT_TRUE(opacity->isVisible());
    test.models.display.setWindow(200, 255); // of the cuboid
    opacity->setValue(100);
    EXPECT_GT(colourAt(13.5, 6.5).red(), 200) << "the front of the cuboid is lit";
    EXPECT_LT(colourAt(4.5, 6.5).red(), 60) << "through the noise";
    opacity->setValue(1);
    EXPECT_LT(colourAt(13.5, 6.5).red(), 60) << "nearly transparent";
}

TEST_F(RenderingPanels, HaveACurveOfOpacity) {
    ASSERT_NO_FATAL_FAILURE(open());
    auto* curve = test.part<OpacityCurveView>("opacityCurve");
    EXPECT_FALSE(curve->isVisible()) << "a projection has no opacity";
    auto* presets = test.part<QComboBox>("renderingPreset");
    ASSERT_EQ(presets->count(), 3) << "none, MRI and fluorescence";
    presets->setCurrentIndex(1);
    emit presets->activated(1);
    EXPECT_EQ(rendering.preset(), "mri");
    EXPECT_EQ(rendering.rendering(), vm::Rendering::shaded);
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_TRUE(curve->isVisible());
    EXPECT_FALSE(test.part<QSlider>("renderingOpacity")->isVisible());
    rendering.setCurve(vm::OpacityCurve({{100, 0}, {200, 0.5}}));
    EXPECT_EQ(presets->currentText(), "Own curve");

    const auto place = [curve](double value, double opacity) { return curve->placeOf({value, opacity}).toPoint(); };
    QTest::mouseClick(curve->viewport(), Qt::LeftButton, {}, place(150, 0.9));
    ASSERT_EQ(rendering.curve().points().size(), 3U);
    EXPECT_NEAR(rendering.curve().points()[1].value, 150, 2);
    EXPECT_NEAR(rendering.curve().points()[1].opacity, 0.9, 0.03);
    QTest::mousePress(curve->viewport(), Qt::LeftButton, {}, place(200, 0.5));
    QTest::mouseMove(curve->viewport(), place(220, 0.25));
    QTest::mouseRelease(curve->viewport(), Qt::LeftButton, {}, place(220, 0.25));
    EXPECT_NEAR(rendering.curve().points()[2].value, 220, 2);
    EXPECT_NEAR(rendering.curve().points()[2].opacity, 0.25, 0.03);
    const vm::OpacityPoint at = rendering.curve().points()[2];
    QTest::keyClick(curve, Qt::Key_Up);
    EXPECT_NEAR(rendering.curve().points()[2].opacity, at.opacity + 0.02, 1e-9);
    EXPECT_EQ(rendering.curve().points()[2].value, at.value);
    QTest::keyClick(curve, Qt::Key_Left);
    EXPECT_LT(rendering.curve().points()[2].value, at.value);
    QTest::keyClick(curve, Qt::Key_PageDown);
    EXPECT_EQ(curve->current(), 1U);
    QTest::keyClick(curve, Qt::Key_Insert);
    EXPECT_EQ(rendering.curve().points().size(), 4U);
    QTest::keyClick(curve, Qt::Key_Delete);
    EXPECT_EQ(rendering.curve().points().size(), 3U);
    const QPoint second = curve->placeOf(rendering.curve().points()[1]).toPoint();
    QTest::mouseDClick(curve->viewport(), Qt::LeftButton, {}, second);
    QTest::mouseRelease(curve->viewport(), Qt::LeftButton, {}, second); // else the button stays pressed for later tests
    EXPECT_EQ(rendering.curve().points().size(), 2U);
    presets->setCurrentIndex(0);
    emit presets->activated(0);
    EXPECT_TRUE(rendering.curve().isEmpty());
}

TEST_F(RenderingPanels, StateTheUnitOfValuesAtTheCurve) {
    for (int i = 0; i < 3; ++i) {
        auto slice = pollard::test::dicomSlice(2 * i, 100 + 50 * i);
        slice.text(0x00281052, "DS", "-1000").text(0x00281053, "DS", "1").text(0x00281054, "LO", "HU");
        QFile file(directory.filePath(QStringLiteral("IM%1").arg(i)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(slice.bytes()));
    }
    test.models.document.open(directory.filePath(QStringLiteral("IM0")));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.models.document.isVolume());
    showPanel(test.window, QStringLiteral("rendering"));
    ASSERT_TRUE(rests());
    ASSERT_EQ(test.models.display.valueUnit(), "HU");
    const auto* curve = test.part<OpacityCurveView>("opacityCurve");
    EXPECT_EQ(curve->textOf({-895, 0.5}), QStringLiteral("-895 HU · 50 %"));
    QStringList titles;
    for (const QAbstractAxis* axis : curve->chart()->axes(Qt::Horizontal)) {
        titles << (axis->isTitleVisible() ? axis->titleText() : QString());
    }
    EXPECT_TRUE(titles.contains(QStringLiteral("HU"))) << titles.join(u',').toStdString();
}

TEST_F(RenderingPanels, DrawWithTheCurve) {
    ASSERT_NO_FATAL_FAILURE(open());
    rendering.setRendering(vm::Rendering::shaded);
    rendering.setShading(false);
    rendering.setCurve(vm::OpacityCurve({{200, 0}, {255, 1}})); // of the cuboid
    EXPECT_GT(colourAt(13.5, 6.5).red(), 240) << "white at the upper end";
    EXPECT_LT(colourAt(4.5, 6.5).red(), 40) << "the noise is clear";
    rendering.setCurve(vm::OpacityCurve({{0, 1}, {127, 1}, {128, 0}, {255, 0}})); // of the noise
    EXPECT_LT(colourAt(13.5, 6.5).red(), 230) << "the noise before the cuboid hides it";
    rendering.setCurve(vm::OpacityCurve({{0, 0}, {255, 0}}));
    const QColor back = colourAt(13.5, 6.5);
    EXPECT_LT(back.red(), 40) << "nothing";
    rendering.setCurve(vm::OpacityCurve({{100, 0}, {255, 0.9}}));
    const QColor flat = colourAt(10.2, 2.2); // at an edge of the cuboid
    rendering.setShading(true);
    EXPECT_LT(colourAt(10.2, 2.2).red(), flat.red()) << "slanted surfaces are darker";
}

TEST_F(RenderingPanels, ShowBeforeAndAfterTheFilter) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(requestFilter("area>=100000"));
    EXPECT_LT(colourAt(13.5, 6.5).red(), 200) << "removed";
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    EXPECT_GT(colourAt(13.5, 6.5).red(), 230);
    test.models.display.setImage(vm::DisplayViewModel::Source::result);
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(1);
    EXPECT_GT(colourAt(13.5, 6.5).red(), 230) << "all before";
    test.models.display.setSplitPosition(0);
    EXPECT_LT(colourAt(13.5, 6.5).red(), 200) << "all after";
}

TEST_F(RenderingPanels, LightTheComponentUnderThePointer) {
    ASSERT_NO_FATAL_FAILURE(open());
    const QColor dark = colourAt(13.5, 6.5);
    EXPECT_EQ(dark.red(), dark.blue()) << "grey";
    QTest::mouseMove(&view(), placeOf(13.5, 6.5).toPoint());
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.chain.node().has_value(); }, kPatience));
    const std::size_t voxel = (4 * 12 + 6) * 16 + 13;
    EXPECT_EQ(test.models.chain.node(), test.models.document.tree()->pixelNode[voxel]);
    const QColor lit = colourAt(13.5, 6.5);
    EXPECT_LT(lit.blue(), dark.blue() - 50) << "amber";
    EXPECT_EQ(colourAt(4.5, 6.5).red(), colourAt(4.5, 6.5).blue()) << "only that component";
    test.models.chain.leave();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !test.models.chain.node(); }, kPatience));
    EXPECT_EQ(colourAt(13.5, 6.5), dark);
}

TEST_F(RenderingPanels, ForgetAClickWithItsVolume) {
    ASSERT_NO_FATAL_FAILURE(open());
    QTest::mouseClick(&view(), Qt::LeftButton, {}, placeOf(13.5, 6.5).toPoint());
    test.models.document.close();
    QTest::qWait(QApplication::doubleClickInterval() + 100);
    EXPECT_FALSE(test.models.chain.isHeld());
}

TEST_F(RenderingPanels, FollowTheMouseAndTheKeys) {
    ASSERT_NO_FATAL_FAILURE(open());
    const int slice = test.models.document.slice();
    const QPoint cuboid = placeOf(13.5, 6.5).toPoint();
    QTest::mouseClick(&view(), Qt::LeftButton, {}, cuboid);
    QTest::mouseDClick(&view(), Qt::LeftButton, {}, cuboid);
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, cuboid);
    EXPECT_EQ(rendering.camera(), rendering.camera().slanted());
    QTest::qWait(QApplication::doubleClickInterval() + 100);
    EXPECT_EQ(test.models.document.slice(), slice) << "a double click moves no slice";
    rendering.lookAlong(VolumeAxis::z);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, placeOf(13.5, 6.5).toPoint());
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.document.slice() == 3; }, kPatience))
        << "the front of the cuboid";
    const Voxel at = test.models.orthogonal.position();
    EXPECT_EQ(at.x, 13U);
    EXPECT_EQ(at.y, 6U);
    const vm::VolumeCamera first = rendering.camera();
    const auto drag = [&](Qt::MouseButton button, const QPoint& by) {
        const QPoint from = view().rect().center();
        QTest::mousePress(&view(), button, {}, from);
        QMouseEvent move(QEvent::MouseMove, from + by, view().mapToGlobal(from + by), Qt::NoButton, button, {});
        QCoreApplication::sendEvent(&view(), &move);
        QTest::mouseRelease(&view(), button, {}, from + by);
    };
    drag(Qt::LeftButton, {40, 10});
    EXPECT_NE(rendering.camera().rotation, first.rotation);
    EXPECT_EQ(rendering.camera().centre, first.centre);
    EXPECT_EQ(test.models.document.slice(), 3) << "a drag is no click";
    const auto turned = rendering.camera();
    drag(Qt::MiddleButton, {40, 10});
    EXPECT_EQ(rendering.camera().rotation, turned.rotation);
    EXPECT_NE(rendering.camera().centre, turned.centre);
    QWheelEvent wheel(QPointF(5, 5), view().mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view(), &wheel);
    EXPECT_GT(rendering.camera().zoom, first.zoom);
    QTest::keyClick(&view(), Qt::Key_Home);
    EXPECT_EQ(rendering.camera(), first.slanted());
    QTest::keyClick(&view(), Qt::Key_Left);
    QTest::keyClick(&view(), Qt::Key_Minus);
    EXPECT_LT(rendering.camera().zoom, first.slanted().zoom);
    test.part<QToolButton>("lookXZ")->click();
    EXPECT_EQ(rendering.camera(), first.along(VolumeAxis::y));
    test.part<QToolButton>("resetRendering")->click();
    EXPECT_EQ(rendering.camera(), first.slanted());
}

TEST_F(RenderingPanels, AreInFullQualityAfterAPause) {
    test.window.move(0, 0);
    ASSERT_NO_FATAL_FAILURE(open());
    rendering.lookFromTheFront();
    const auto isShown = [&] {
        return QTest::qWaitFor(
            [&] { return view().isComplete() && differences(onScreen(view()), paintedAnew(view())) == 0; }, kPatience);
    };
    EXPECT_TRUE(isShown());
    QTest::keyClick(&view(), Qt::Key_Left);
    EXPECT_FALSE(view().isComplete());
    EXPECT_TRUE(isShown());
    ASSERT_NO_FATAL_FAILURE(requestFilter("area>=100000"));
    EXPECT_TRUE(isShown());
}

TEST_F(RenderingPanels, AreSavedAsImages) {
    ASSERT_NO_FATAL_FAILURE(open());
    const auto* menu = view().findChild<DataMenu*>();
    ASSERT_NE(menu, nullptr);
    QImage saved;
    ASSERT_TRUE(saved.loadFromData(menu->image()));
    const QImage shown = paintedAnew(view());
    ASSERT_EQ(saved.size(), 2 * shown.size());
    EXPECT_EQ(differences(saved.scaled(shown.size()).convertToFormat(QImage::Format_RGB32), shown), 0);
}

TEST_F(RenderingPanels, SayHowTheVolumeIsDrawn) {
    ASSERT_NO_FATAL_FAILURE(open());
    auto* size = test.part<QLabel>("renderingSize");
    EXPECT_FALSE(size->isVisible());
    rendering.setCapacity({300, 2048});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(size->isVisible());
    EXPECT_GT(colourAt(13, 6).red(), 230) << "bright blocks";
}

TEST_F(RenderingPanels, AreOfferedForVolumes) {
    auto* button = test.part<QToolButton>("renderingView3d");
    EXPECT_FALSE(button->isVisible());
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(button->isVisible());
    EXPECT_TRUE(button->isChecked());
    button->click();
    EXPECT_FALSE(test.part<QDockWidget>("renderingDock")->isVisible());
    EXPECT_FALSE(rendering.isActive());
    button->click();
    test.open("picture", makeImage(PixelType::u8, 40, 30, [](auto x, auto) { return x; }));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(button->isVisible());
    EXPECT_TRUE(test.part<QLabel>("renderingReason")->isVisible()) << "tells why there is none";
}

} // namespace
} // namespace pollard::app
