// Display paths of the filtered image, with an engine that simulates a device.
#include "app/test_window.hpp"

#include "gl/result_texture.hpp"
#include "io/write/volume_writer.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "widgets/range_slider.hpp"
#include "window/panel_dock.hpp"
#include "window_times/drag_measurement.hpp"
#include "window_times/view_measurement.hpp"

#include "app/support/fake_device.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QOpenGLContext>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace pollard::app {
namespace {

using pollard::testing::FakeDevice;
using ::testing::HasSubstr;
using vm::DisplayMode;
using vm::DisplayPath;

/// A window with the fake device as its "auto" engine.
class DisplayPaths : public ::testing::Test {
protected:
    FakeDevice device;
    std::unique_ptr<TestWindow> test;

    void start(DisplayMode mode = DisplayMode::automatic) {
        test = std::make_unique<TestWindow>(device.makeEngine());
        test->models.presentation.setMode(mode);
        test->open("noise", makeNoise(64));
        test->models.display.fullWindow();
        settle();
    }
    /// Drags the lower handle with the mouse and waits until the image is drawn.
    void dragTo(double position) {
        auto* slider = test->part<RangeSlider>("range");
        const auto place = [&](double at) {
            return test->inWindow(slider, {slider->pixelOf(at), slider->height() / 2.0});
        };
        test->press(place(slider->lower()));
        test->move(place(position));
        test->release(place(position));
        settle();
    }
    void settle() {
        ASSERT_TRUE(test->settle());
        QCoreApplication::processEvents();
    }
    [[nodiscard]] std::string badge() { return test->part<QLabel>("engineStatus")->text().toStdString(); }
    [[nodiscard]] std::string toolTip() { return test->part<QLabel>("engineStatus")->toolTip().toStdString(); }
    /// Whether the canvas shows the result of the current filter, pixel by pixel.
    [[nodiscard]] bool showsTheResult() {
        const SharedImage expected = test->models.document.result();
        const QImage shown = test->window.canvas()->grabFramebuffer();
        for (int y = 0; y < 64; y += 3) {
            for (int x = 0; x < 64; x += 3) {
                const QPoint place = test->models.display.view().toView({x + 0.5, y + 0.5}).toPoint();
                const int level = expected->level(static_cast<std::size_t>(y) * 64 + static_cast<std::size_t>(x));
                if (std::abs(shown.pixelColor(place).red() - level) > 1) {
                    return false;
                }
            }
        }
        return true;
    }
    /// Whether the canvas shows the inverted result, which only the fake device writes; an upload is not inverted.
    [[nodiscard]] bool showsTheDevicesMark() {
        const SharedImage expected = test->models.document.result();
        const QPoint place = test->models.display.view().toView({20.5, 30.5}).toPoint();
        const int level = 255 - expected->level(30 * 64 + 20);
        return std::abs(test->window.canvas()->grabFramebuffer().pixelColor(place).red() - level) <= 1;
    }
};

TEST_F(DisplayPaths, DeviceWritesTheTexturesThatAreDrawn) {
    start();
    EXPECT_EQ(badge(), "CUDA + interop");
    EXPECT_THAT(toolTip(), HasSubstr("Fake GPU"));
    EXPECT_TRUE(showsTheDevicesMark());
    const int writes = device.writes;
    dragTo(0.4);
    EXPECT_GT(device.writes, writes);
    EXPECT_TRUE(showsTheDevicesMark());
    EXPECT_GT(test->models.filter.changedPixels(), 0U);
}

TEST_F(DisplayPaths, TexturesAreSharedOncePerImageSizeAndTakeTurns) {
    start();
    EXPECT_EQ(device.attaches, 2) << "one for each of the two sets";
    for (const double position : {0.1, 0.2, 0.3, 0.4}) {
        dragTo(position);
    }
    EXPECT_EQ(device.attaches, 2);
    ASSERT_GE(device.written.size(), 5U);
    for (std::size_t i = 1; i < device.written.size(); ++i) {
        EXPECT_NE(device.written[i], device.written[i - 1]) << "write " << i << " went into the texture that is shown";
    }
    test->open("larger", makeNoise(96));
    EXPECT_EQ(device.attaches, 4);
    test->open("deep", makeNoise(96, 65535));
    EXPECT_EQ(device.attaches, 6);
    EXPECT_EQ(badge(), "CUDA + interop");
}

TEST_F(DisplayPaths, TilesAreSharedOneByOne) {
    start();
    test->window.canvas()->setLargestTexture(23);
    settle();
    EXPECT_EQ(device.attachedTextures(), 18) << "two sets of three times three";
    EXPECT_TRUE(showsTheDevicesMark());
}

TEST_F(DisplayPaths, SoftwareRenderingTakesTheCopyWithoutAWord) {
    device.refusal = "share the window's textures: software draws the window";
    start();
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_THAT(toolTip(), HasSubstr("software draws the window"));
    EXPECT_TRUE(showsTheResult());
    EXPECT_TRUE(test->errors.texts.isEmpty());
    const int asked = device.attaches;
    for (const double position : {0.2, 0.4, 0.3}) {
        dragTo(position);
        EXPECT_TRUE(showsTheResult());
    }
    EXPECT_EQ(device.attaches, asked) << "refused once is enough";
    EXPECT_EQ(device.attachedTextures(), 0);
}

TEST_F(DisplayPaths, SecondSetRefusedLeavesNothingShared) {
    device.refusal = "no more of them";
    device.refuseFrom = 2;
    start();
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_TRUE(showsTheResult());
}

TEST_F(DisplayPaths, FailedWriteShowsTheSameImageByCopy) {
    start();
    dragTo(0.2);
    ASSERT_EQ(badge(), "CUDA + interop");
    device.writeFailure = "write the window's textures: the bus fell over";
    dragTo(0.4);
    EXPECT_TRUE(showsTheResult());
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_THAT(toolTip(), HasSubstr("the bus fell over"));
    EXPECT_TRUE(test->errors.texts.isEmpty());
    EXPECT_EQ(device.attachedTextures(), 0);
    device.writeFailure.clear();
    const int asked = device.attaches;
    dragTo(0.3);
    EXPECT_EQ(device.attaches, asked) << "not tried again with this engine and context";
    EXPECT_TRUE(showsTheResult());
}

TEST_F(DisplayPaths, EngineWithoutTargetTakesTheCopy) {
    device.hasTarget = false;
    start();
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_TRUE(showsTheResult());
}

TEST_F(DisplayPaths, EngineWithoutImageOnItsDeviceSaysSo) {
    device.keepsFrames = false;
    start();
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_THAT(toolTip(), HasSubstr("kept no image"));
    EXPECT_TRUE(showsTheResult());
}

TEST_F(DisplayPaths, ForcedCopyNeverAsksTheDevice) {
    start(DisplayMode::copy);
    dragTo(0.4);
    EXPECT_EQ(badge(), "CUDA + copy");
    EXPECT_THAT(toolTip(), HasSubstr("--transfer copy"));
    EXPECT_EQ(device.targets, 0);
    EXPECT_TRUE(showsTheResult());
}

TEST_F(DisplayPaths, ForcedInteropSaysThatItIsMissing) {
    device.refusal = "another card draws";
    start(DisplayMode::interop);
    EXPECT_EQ(badge(), "CUDA + copy (no interop)");
    EXPECT_TRUE(showsTheResult());
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(DisplayPaths, ProcessorUploadsAndTheDeviceComesBack) {
    start();
    test->models.document.choices().setEngine(QStringLiteral("cpu"));
    settle();
    EXPECT_EQ(badge(), "CPU");
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_TRUE(showsTheResult());
    dragTo(0.3);
    EXPECT_TRUE(showsTheResult());
    test->models.document.choices().setEngine(QStringLiteral("cuda"));
    settle();
    EXPECT_EQ(badge(), "CUDA + interop");
    EXPECT_TRUE(showsTheDevicesMark());
}

TEST_F(DisplayPaths, DeviceThatFailsWhileFilteringGivesWayToTheProcessor) {
    start();
    device.filterFailure = "filter: GPU: the card is gone";
    dragTo(0.4);
    EXPECT_EQ(badge(), "CPU");
    EXPECT_TRUE(showsTheResult());
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(DisplayPaths, TexturesAreTakenBackBeforeTheyAreDeleted) {
    start();
    test->open("larger", makeNoise(96));
    test->window.canvas()->setLargestTexture(40);
    settle();
    test.reset();
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_EQ(device.deletedWhileAttached, 0);
    EXPECT_EQ(device.usedWithoutContext, 0);
}

TEST_F(DisplayPaths, TexturesOfANewContextAreSharedAnew) {
    start();
    const int attaches = device.attaches;
    // Another window has another context.
    Canvas* canvas = test->window.canvas();
    QWidget* home = canvas->parentWidget();
    canvas->setParent(nullptr);
    canvas->resize(400, 300);
    canvas->show();
    ASSERT_TRUE(appears(*canvas));
    settle();
    EXPECT_EQ(device.deletedWhileAttached, 0);
    EXPECT_EQ(device.usedWithoutContext, 0);
    EXPECT_GE(device.attaches, attaches);
    EXPECT_TRUE(showsTheDevicesMark());
    canvas->setParent(home);
}

/// The open chain panel requires the node indices on the graphics card.
class NumbersPaths : public DisplayPaths {
protected:
    void watch() {
        showPanel(test->window, QStringLiteral("chain"));
        settle();
        ASSERT_TRUE(eventuallyLights());
    }
    [[nodiscard]] bool eventuallyLights() {
        const auto told = [&] { return test->models.presentation.numbers().path != DisplayPath::none; };
        return QTest::qWaitFor([&] { return test->window.canvas()->highlightsComponent() && told(); }, kPatience);
    }
    [[nodiscard]] DisplayPath path() const { return test->models.presentation.numbers().path; }
    /// Whether the component under the pointer is highlighted, and no other pixel. Mirrored for numbers that the fake
    /// device has written.
    [[nodiscard]] bool lights(bool mirrored) {
        vm::ChainViewModel& chain = test->models.chain;
        chain.leave();
        settle();
        const QImage dark = test->window.canvas()->grabFramebuffer();
        chain.hover({20.5, 30.5});
        const QImage lit = test->window.canvas()->grabFramebuffer();
        const ComponentTree& tree = *test->models.document.tree();
        const int width = static_cast<int>(tree.width);
        const int height = static_cast<int>(tree.height);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const QPoint place = test->models.display.view().toView({x + 0.5, y + 0.5}).toPoint();
                const int of = mirrored ? width - 1 - x : x;
                const std::uint32_t number =
                    tree.pixelNode[test->models.document.shown().firstPixel() +
                                   static_cast<std::size_t>(y) * tree.width + static_cast<std::size_t>(of)];
                if ((lit.pixel(place) != dark.pixel(place)) != tree.contains(*chain.node(), number)) {
                    return false;
                }
            }
        }
        return true;
    }
};

TEST_F(NumbersPaths, DeviceWritesWhatLightsUp) {
    start();
    watch();
    EXPECT_EQ(path(), DisplayPath::interop);
    EXPECT_EQ(device.writesOfNumbers, 1);
    EXPECT_TRUE(lights(true));
    EXPECT_THAT(toolTip(), HasSubstr("numbers of the components"));
    dragTo(0.4);
    EXPECT_EQ(device.writesOfNumbers, 1) << "once a tree";
    // Changes the size of the layers, then the tree.
    test->window.canvas()->setLargestTexture(16);
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_TRUE(lights(true));
    test->models.document.choices().setTreeKind(TreeKind::min);
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_TRUE(lights(true));
    EXPECT_EQ(path(), DisplayPath::interop);
}

TEST_F(NumbersPaths, AreSharedAnewForAnImageOfAsManyLayers) {
    start();
    test->window.canvas()->setLargestTexture(64);
    watch();
    const int attaches = device.attaches;
    test->open("smaller", makeNoise(50));
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_EQ(path(), DisplayPath::interop);
    EXPECT_GT(device.attaches, attaches);
    EXPECT_TRUE(lights(true));
}

TEST_F(NumbersPaths, RefusedAreCopied) {
    device.refusal = "software draws the window";
    start();
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_TRUE(lights(false));
    EXPECT_EQ(test->models.presentation.numbers().problem.toStdString(), device.refusal);
    const int asked = device.attaches;
    test->models.document.choices().setTreeKind(TreeKind::min);
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_TRUE(lights(false));
    EXPECT_EQ(device.attaches, asked) << "refused once is enough";
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(NumbersPaths, FailedWriteIsCopied) {
    start();
    device.writeFailure = "the bus fell over";
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_TRUE(lights(false));
    EXPECT_THAT(toolTip(), HasSubstr("the bus fell over"));
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(NumbersPaths, OfAnEngineThatKeepsNoneOrMustNotAreCopied) {
    device.keepsNodes = false;
    start();
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_TRUE(lights(false));
    EXPECT_TRUE(test->models.presentation.numbers().problem.isEmpty());
    test.reset();
    device.keepsNodes = true;
    start(DisplayMode::copy);
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_EQ(device.writesOfNumbers, 0);
    EXPECT_TRUE(lights(false));
}

TEST_F(NumbersPaths, OfTheProcessorAreCopiedAndTheDeviceComesBack) {
    start();
    watch();
    test->models.document.choices().setEngine(QStringLiteral("cpu"));
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_TRUE(lights(false));
    test->models.document.choices().setEngine(QStringLiteral("cuda"));
    settle();
    ASSERT_TRUE(eventuallyLights());
    EXPECT_EQ(path(), DisplayPath::interop);
    EXPECT_TRUE(lights(true));
}

TEST_F(NumbersPaths, OfADeviceThatFailedMeanwhileAreCopied) {
    start();
    device.filterFailure = "filter: GPU: the card is gone";
    dragTo(0.4);
    ASSERT_EQ(badge(), "CPU");
    EXPECT_EQ(test->models.document.shown().deviceNodes, nullptr);
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_EQ(device.writesOfNumbers, 0);
    EXPECT_TRUE(lights(false));
}

TEST_F(NumbersPaths, AreTakenBackBeforeTheirTextureIsDeleted) {
    start();
    watch();
    test->open("larger", makeNoise(96));
    settle();
    ASSERT_TRUE(eventuallyLights());
    test->models.chain.setActive(false);
    showPanel(test->window, QStringLiteral("spectrum"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return device.attachedTextures() == 2; }, kPatience)) << "those of the result";
    ASSERT_NO_FATAL_FAILURE(watch());
    EXPECT_EQ(path(), DisplayPath::interop);
    test.reset();
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_EQ(device.deletedWhileAttached, 0);
    EXPECT_EQ(device.usedWithoutContext, 0);
}

/// A volume of five slices of noise.
class VolumePaths : public NumbersPaths {
protected:
    QTemporaryDir directory;

    void startVolume(DisplayMode mode = DisplayMode::automatic) {
        test = std::make_unique<TestWindow>(device.makeEngine());
        test->models.presentation.setMode(mode);
        const SharedImage noise = makeImage(PixelType::u8, 64, 64 * 5, [](std::uint32_t x, std::uint32_t y) {
            return static_cast<int>((x * 7919 + y * 104729 + x * y * 31) % 251);
        });
        Image volume(PixelType::u8, {64, 64, 5});
        std::copy_n(noise->data(), noise->bytes(), volume.data());
        const QString path = directory.filePath(QStringLiteral("volume.nii"));
        writeVoxels(path.toStdString(), volume);
        test->models.document.open(path);
        ASSERT_TRUE(QTest::qWaitFor([this] { return test->models.document.isVolume(); }, kPatience));
        test->models.display.fullWindow();
        settle();
    }
    void show(int slice) {
        test->models.document.setSlice(slice);
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return static_cast<int>(test->models.document.shown().slice) == slice; }, kPatience));
        settle();
    }
};

TEST_F(VolumePaths, DeviceWritesTheSeenSlice) {
    startVolume();
    EXPECT_EQ(badge(), "CUDA + interop");
    ASSERT_FALSE(device.slices.empty());
    EXPECT_EQ(device.slices.back(), 2U);
    EXPECT_TRUE(showsTheDevicesMark());
    dragTo(0.4);
    EXPECT_GT(test->models.filter.changedPixels(), 0U);
    EXPECT_TRUE(showsTheDevicesMark());
    const int decisions = device.decisions;
    const int attaches = device.attaches;
    for (const int slice : {4, 0, 3}) {
        show(slice);
        EXPECT_EQ(device.slices.back(), static_cast<std::uint32_t>(slice));
        EXPECT_TRUE(showsTheDevicesMark()) << slice;
    }
    EXPECT_EQ(device.decisions, decisions);
    EXPECT_EQ(device.attaches, attaches) << "all slices have the textures of one size";
    EXPECT_TRUE(QTest::qWaitFor([&] { return device.frames() == 1; }, kPatience));
    test.reset();
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_EQ(device.usedWithoutContext, 0);
}

TEST_F(VolumePaths, DeviceWritesTheNumbersOfTheSeenSlice) {
    startVolume();
    watch();
    EXPECT_EQ(path(), DisplayPath::interop);
    EXPECT_TRUE(lights(true));
    const int attaches = device.attaches;
    for (const int slice : {4, 0}) {
        show(slice);
        ASSERT_TRUE(eventuallyLights());
        EXPECT_TRUE(lights(true)) << slice;
    }
    EXPECT_EQ(device.writesOfNumbers, 3) << "once a slice";
    EXPECT_EQ(device.attaches, attaches);
    EXPECT_EQ(path(), DisplayPath::interop);
}

TEST_F(VolumePaths, RefusedSlicesAreCopied) {
    device.refusal = "software draws the window";
    startVolume();
    watch();
    EXPECT_EQ(badge(), "CUDA + copy");
    for (const int slice : {2, 4, 1}) {
        show(slice);
        EXPECT_TRUE(showsTheResult()) << slice;
        ASSERT_TRUE(eventuallyLights());
        EXPECT_TRUE(lights(false)) << slice;
        test->models.chain.leave();
    }
    dragTo(0.3);
    EXPECT_TRUE(showsTheResult());
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(VolumePaths, FailedDeviceGivesWayToTheProcessor) {
    startVolume();
    device.filterFailure = "filter: the card is gone";
    show(1);
    EXPECT_EQ(badge(), "CPU");
    EXPECT_TRUE(showsTheResult());
    EXPECT_EQ(device.attachedTextures(), 0);
    EXPECT_TRUE(test->errors.texts.isEmpty());
    watch();
    EXPECT_EQ(path(), DisplayPath::upload);
    EXPECT_TRUE(lights(false));
}

TEST_F(VolumePaths, SlicesAndViewsAreMeasured) {
    startVolume();
    showPanel(test->window, QStringLiteral("orthogonal"));
    settle();
    DragMeasurement drag(test->models, test->window, 6);
    const int decisions = device.decisions;
    QSignalSpy dragged(&drag, &DragMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dragged.isEmpty(); }, kPatience));
    const std::string views = dragged.at(0).at(0).toString().toStdString();
    EXPECT_THAT(views, HasSubstr("drag: 6 frames")) << dragged.at(0).at(1).toString().toStdString();
    EXPECT_THAT(views, HasSubstr("; all views median"));
    EXPECT_THAT(views, HasSubstr("64 x 64 x 5, 8 bit"));
    EXPECT_EQ(device.decisions, decisions + 6) << "one a step for all views";
    SliceMeasurement slices(test->models, test->window, 7);
    QSignalSpy moved(&slices, &SliceMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !moved.isEmpty(); }, kPatience));
    const std::string steps = moved.at(0).at(0).toString().toStdString();
    EXPECT_THAT(steps, HasSubstr("slices: 7 steps")) << moved.at(0).at(1).toString().toStdString();
    EXPECT_THAT(steps, HasSubstr("CUDA + interop, Fake GPU; 64 x 64 x 5, 8 bit"));
}

TEST_F(DisplayPaths, SlicesOfAnImageAreNotMeasured) {
    start();
    SliceMeasurement slices(test->models, test->window, 3);
    QSignalSpy moved(&slices, &SliceMeasurement::finished);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !moved.isEmpty(); }, kPatience));
    EXPECT_THAT(moved.at(0).at(1).toString().toStdString(), HasSubstr("no volume"));
}

TEST_F(DisplayPaths, PlaneIsCountedByTheDeviceOrWithoutIt) {
    start();
    vm::AttributePlaneViewModel& plane = *test->window.findChild<vm::AttributePlaneViewModel*>();
    const auto ready = [&] {
        return QTest::qWaitFor([&] { return plane.state() == vm::AttributePlaneViewModel::State::ready; }, kPatience);
    };
    plane.setActive(true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(device.planes, 1);
    const AttributePlane counted = plane.counted()->plane;
    plane.setActive(false);
    device.countFailure = "sort components into bins: the card is gone";
    plane.setActive(true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(device.planes, 1);
    EXPECT_EQ(plane.counted()->plane, counted);
    EXPECT_TRUE(test->errors.texts.isEmpty());
}

TEST_F(DisplayPaths, FramesAreHeldNoLongerThanShown) {
    start();
    for (const double position : {0.1, 0.2, 0.3, 0.4}) {
        dragTo(position);
        EXPECT_TRUE(QTest::qWaitFor([&] { return device.frames() == 1; }, kPatience)) << device.frames();
    }
    test->models.document.close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return device.frames() == 0; }, kPatience)) << device.frames();
    EXPECT_EQ(badge(), "");
}

TEST_F(DisplayPaths, TimeFromSliderToScreenIsTold) {
    start();
    auto* label = test->part<QLabel>("latencyStatus");
    EXPECT_FALSE(label->isVisible());
    dragTo(0.4);
    EXPECT_TRUE(QTest::qWaitFor([&] { return label->isVisible(); }, kPatience));
    EXPECT_THAT(label->text().toStdString(), HasSubstr("ms to screen"));
    EXPECT_THAT(label->toolTip().toStdString(), HasSubstr("median"));
}

TEST(DragMeasurement, WaitsForEveryImageAndReportsThem) {
    FakeDevice device;
    TestWindow test(device.makeEngine());
    DragMeasurement drag(test.models, test.window, 12);
    QSignalSpy finished(&drag, &DragMeasurement::finished);
    test.open("noise", makeNoise(128));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    const std::string report = finished.at(0).at(0).toString().toStdString();
    EXPECT_THAT(report, HasSubstr("drag: 12 frames"));
    EXPECT_THAT(report, HasSubstr("CUDA + interop, Fake GPU"));
    EXPECT_THAT(report, HasSubstr("128 x 128, 8 bit"));
    EXPECT_EQ(test.models.presentation.latency().frames, 12U);
    EXPECT_FALSE(test.models.presentation.isExact());
}

TEST(DragMeasurement, DrawsARectangleOnThePlane) {
    TestWindow test;
    BrushMeasurement brush(test.models, test.window, 12);
    QSignalSpy finished(&brush, &DragMeasurement::finished);
    test.open("noise", makeNoise(128));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_EQ(finished.at(0).at(1).toString(), QString());
    EXPECT_THAT(finished.at(0).at(0).toString().toStdString(), HasSubstr("drag: 12 frames, rectangle to screen"));
    EXPECT_EQ(test.models.filter.spec().criteria.size(), 2U);
}

TEST(DragMeasurement, SaysWhenThereIsNothingToDrag) {
    TestWindow test;
    DragMeasurement drag(test.models, test.window, 5);
    QSignalSpy finished(&drag, &DragMeasurement::finished);
    test.open("flat", makeImage(PixelType::u8, 8, 8, [](std::uint32_t, std::uint32_t) { return 9; }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
    EXPECT_THAT(finished.at(0).at(1).toString().toStdString(), HasSubstr("cannot be moved"));
    EXPECT_EQ(finished.size(), 1);
}

} // namespace
} // namespace pollard::app
