// The composite on the canvas against the sum of the colours of its channels on the processor.
#include "app/test_window.hpp"

#include "io/write/image_writer.hpp"
#include "overlays/level_colours.hpp"
#include "overlays/magnifier_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "support/channel_files.hpp"
#include "theme/colours.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QListView>
#include <QPushButton>

#include <array>
#include <cmath>

namespace pollard::app {
namespace {

using test::makeChannel;

constexpr int kSide = 40;

int levelOf(int channel, int x, int y) {
    return channel == 0 ? 100 * x : channel == 1 ? 4000 - 90 * y : (x / 8 + y / 8) % 2 * 3000;
}

class Composites : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;
    vm::CompositeViewModel& composite = test.models.display.composite();

    void SetUp() override {
        const QString path = folder.filePath(QStringLiteral("cells.ome.tif"));
        test::writeChannelPages(
            path.toStdString(), {makeChannel("DAPI", 460), makeChannel("GFP", 509), makeChannel("Cy5", 670)}, kSide,
            kSide,
            [](int channel, auto x, auto y) { return levelOf(channel, static_cast<int>(x), static_cast<int>(y)); });
        test.window.openFile(path);
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([&] { return composite.isShown(); }, kPatience));
        ASSERT_TRUE(test.settle());
    }
    /// @param levels of the channels at a pixel
    [[nodiscard]] QColor expected(const std::array<int, 3>& levels) const {
        std::array<double, 3> sum{};
        for (int row = 0; row < composite.count(); ++row) {
            if (composite.isDrawn(row)) {
                const vm::LevelWindow window = composite.window(row);
                const double t = std::pow(
                    std::clamp((levels[static_cast<std::size_t>(row)] - window.low) / (window.high - window.low), 0.0,
                               1.0),
                    composite.look(row).gamma);
                const QColor colour = composite.look(row).colour;
                sum = {sum[0] + t * colour.red(), sum[1] + t * colour.green(), sum[2] + t * colour.blue()};
            }
        }
        const auto limited = [](double value) { return static_cast<int>(std::lround(std::min(value, 255.0))); };
        return {limited(sum[0]), limited(sum[1]), limited(sum[2])};
    }
    /// The colour of overlays that paint pixels themselves.
    [[nodiscard]] QColor overlaysAt(int x, int y) const {
        int red = 0;
        int green = 0;
        int blue = 0;
        for (const vm::CompositeViewModel::Layer& layer : composite.layers()) {
            const double level = layer.before->image()->level(static_cast<std::size_t>(y * kSide + x));
            const QColor part = LevelColours(layer).shade(level, level, false);
            red = std::min(red + part.red(), 255);
            green = std::min(green + part.green(), 255);
            blue = std::min(blue + part.blue(), 255);
        }
        return {red, green, blue};
    }
    void expectSum(const char* place) {
        for (const auto& [x, y] : {std::pair{3, 5}, {20, 20}, {37, 2}, {12, 33}}) {
            const QColor colour = test.colourAt(x, y);
            const QColor sum = expected({levelOf(0, x, y), levelOf(1, x, y), levelOf(2, x, y)});
            for (const auto& [got, wanted] :
                 {std::pair{colour.red(), sum.red()}, {colour.green(), sum.green()}, {colour.blue(), sum.blue()}}) {
                EXPECT_NEAR(got, wanted, 3) << place << " at " << x << ", " << y;
            }
            EXPECT_NEAR(overlaysAt(x, y).green(), sum.green(), 3) << place << " in overlays";
        }
    }
};

TEST_F(Composites, AreTheSumOfTheChannelsInTheirColours) {
    expectSum("as opened");
    composite.setWindow(0, {500, 3000});
    composite.setGamma(1, 0.5);
    composite.setColour(2, QColor(200, 100, 50));
    ASSERT_TRUE(test.settle());
    expectSum("with looks");
    composite.setVisible(1, false);
    ASSERT_TRUE(test.settle());
    expectSum("without a channel");
    composite.setSolo(2);
    ASSERT_TRUE(test.settle());
    expectSum("one channel alone");
    composite.setColourMap(2, vm::ColourMap::viridis);
    composite.setWindow(2, {0, 3000});
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(3, 5).name(), colourStops(vm::ColourMap::viridis).front().name());
}

TEST_F(Composites, WithoutAChannelAreBlack) {
    for (int row = 0; row < composite.count(); ++row) {
        composite.setVisible(row, false);
    }
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(20, 20).name(), QStringLiteral("#000000"));
}

TEST_F(Composites, ShowTheFilteredChannelInPlace) {
    composite.setWindow(0, {0, 4000});
    test.models.filter.setOutput(Output::mask);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(3, 5).blue(), 255) << "the mask of a tree without a condition is white";
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    ASSERT_TRUE(test.settle());
    expectSum("the original");
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(0.5);
    ASSERT_TRUE(test.settle());
    const QColor before = expected({levelOf(0, 3, 5), levelOf(1, 3, 5), levelOf(2, 3, 5)});
    EXPECT_NEAR(test.colourAt(3, 5).blue(), before.blue(), 3);
    EXPECT_EQ(test.colourAt(36, 5).blue(), 255);
}

TEST_F(Composites, MasksCutOutAllChannels) {
    vm::FilterViewModel& filter = test.models.filter;
    filter.setOutput(Output::mask);
    filter.setCriterion({AttributeId::level, 2000}); // DAPI: the right half
    test.part<QCheckBox>("cutsOut")->click();
    ASSERT_TRUE(test.settle());
    const QColor inside = expected({levelOf(0, 30, 5), levelOf(1, 30, 5), levelOf(2, 30, 5)});
    EXPECT_NEAR(test.colourAt(30, 5).blue(), inside.blue(), 3) << "as read";
    EXPECT_NEAR(test.colourAt(30, 5).green(), inside.green(), 3);
    EXPECT_EQ(test.colourAt(10, 5).name(), QStringLiteral("#000000"));
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    ASSERT_TRUE(test.settle());
    expectSum("the original");
    test.models.display.setImage(vm::DisplayViewModel::Source::result);
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(0.125);
    ASSERT_TRUE(test.settle());
    EXPECT_NE(test.colourAt(2, 5).name(), QStringLiteral("#000000")) << "before";
    EXPECT_EQ(test.colourAt(10, 5).name(), QStringLiteral("#000000")) << "after";
    test.models.display.setSplitEnabled(false);
    filter.setOutput(Output::filtered);
    ASSERT_TRUE(test.settle());
    EXPECT_NE(test.colourAt(10, 5).name(), QStringLiteral("#000000")) << "only masks cut out";
}

TEST_F(Composites, HaveNoMarksOfSaturationAndNoInvertedMap) {
    const Actions& actions = test.window.actionList();
    EXPECT_FALSE(actions.marks->isEnabled());
    EXPECT_FALSE(actions.inverted->isEnabled());
    test.part<QCheckBox>("composite")->click();
    EXPECT_TRUE(actions.marks->isEnabled());
    EXPECT_TRUE(actions.inverted->isEnabled());
}

/// A photo: reddish on the left, with a bright square of 4 x 4 pixels and a dark one.
class CompositesOfPhotos : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;

    void SetUp() override {
        const QString path = folder.filePath(QStringLiteral("photo.tif"));
        const auto writer = makeRgbWriter(path.toStdString(), RgbFormat::tiff, kSide, kSide);
        std::vector<std::uint8_t> rgb;
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                const QColor colour = colourOf(x, y);
                for (const int value : {colour.red(), colour.green(), colour.blue()}) {
                    rgb.push_back(static_cast<std::uint8_t>(value));
                }
            }
        }
        writer->write(rgb);
        writer->finish();
        test.window.openFile(path);
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.display.composite().isShown(); }, kPatience));
        ASSERT_TRUE(test.settle());
    }
    static QColor colourOf(int x, int y) {
        const auto isSquare = [&](int left) { return x >= left && x < left + 4 && y >= 10 && y < 14; };
        return isSquare(10) ? QColor(230, 200, 210) : isSquare(30) ? QColor(20, 10, 40) : QColor(150, 90, 60 + x);
    }
    void expectColour(const char* place, int x, int y, int change) {
        const QColor read = colourOf(x, y);
        const QColor colour = test.colourAt(x, y);
        const auto moved = [change](int value) { return std::clamp(value + change, 0, 255); };
        EXPECT_NEAR(colour.red(), moved(read.red()), 2) << place;
        EXPECT_NEAR(colour.green(), moved(read.green()), 2) << place;
        EXPECT_NEAR(colour.blue(), moved(read.blue()), 2) << place;
        EXPECT_EQ(colour.alpha(), 255) << place;
    }
    /// The colour of the magnifier's pixel under the pointer.
    void expectMagnified(const char* place, int x, int y, int change) {
        test.models.overlays.setMagnifier(true);
        auto& layer = *test.part<OverlayLayer>("overlayLayer");
        OverlayScene scene = layer.scene();
        scene.pointer = scene.toSurface({x + 0.5, y + 0.5});
        QImage surface(scene.size.toSize(), QImage::Format_RGB32);
        QPainter painter(&surface);
        layer.paintOnto(painter, scene, true);
        painter.end();
        const QRectF disc =
            MagnifierOverlay(test.models.overlays, test.models.display, test.models.document).lens(scene);
        const QColor colour = surface.pixelColor((disc.center() + QPointF(1, 1)).toPoint());
        EXPECT_NEAR(colour.red(), std::clamp(colourOf(x, y).red() + change, 0, 255), 2) << place;
        EXPECT_NEAR(colour.blue(), std::clamp(colourOf(x, y).blue() + change, 0, 255), 2) << place;
    }
    [[nodiscard]] int changeAt(int x, int y) const {
        const std::size_t pixel = static_cast<std::size_t>(y * kSide + x);
        return int{test.models.document.result()->level(pixel)} - int{test.models.document.image()->level(pixel)};
    }
};

TEST_F(CompositesOfPhotos, KeepTheirColoursWhileTheLuminanceIsFiltered) {
    expectColour("as read", 11, 11, 0);
    test.models.filter.setCriterion({AttributeId::area, 100});
    ASSERT_TRUE(test.settle());
    EXPECT_LT(changeAt(11, 11), -50);
    expectColour("bright square removed", 11, 11, changeAt(11, 11));
    expectColour("dark square", 31, 11, changeAt(31, 11));
    expectMagnified("bright square", 11, 11, changeAt(11, 11));
    expectColour("beside them", 20, 20, changeAt(20, 20));
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(0.5);
    ASSERT_TRUE(test.settle());
    expectColour("before", 11, 11, 0);
    test.models.display.setSplitEnabled(false);
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    ASSERT_TRUE(test.settle());
    expectColour("the original", 11, 11, 0);
}

TEST_F(CompositesOfPhotos, BrightenWithTheMinTree) {
    test.models.document.choices().setTreeKind(TreeKind::min);
    test.models.filter.setCriterion({AttributeId::area, 100});
    ASSERT_TRUE(test.settle());
    EXPECT_GT(changeAt(31, 11), 30);
    expectColour("dark square removed", 31, 11, changeAt(31, 11));
}

TEST_F(CompositesOfPhotos, ShowResiduesInGreyAndMasksAtTheUsersChoice) {
    test.models.filter.setCriterion({AttributeId::area, 100});
    test.models.filter.setOutput(Output::residue);
    ASSERT_TRUE(test.settle());
    const QColor residue = test.colourAt(11, 11);
    EXPECT_GT(residue.red(), 0);
    EXPECT_EQ(residue.red(), residue.green());
    EXPECT_EQ(residue.red(), residue.blue());
    test.models.filter.setOutput(Output::mask);
    test.models.filter.setCriterion({AttributeId::level, 180});
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(11, 11).name(), QStringLiteral("#ffffff"));
    test.part<QCheckBox>("cutsOut")->click();
    ASSERT_TRUE(test.settle());
    expectColour("cut out", 11, 11, 0);
    expectMagnified("cut out", 11, 11, 0);
    expectMagnified("outside of the mask", 20, 20, -255);
    EXPECT_EQ(test.colourAt(20, 20).name(), QStringLiteral("#000000"));
}

TEST_F(Composites, TheListChoosesTheChannelOfTheFilter) {
    auto& list = *test.part<QListView>("channelList");
    auto& filter = *test.part<QPushButton>("filterChannel");
    EXPECT_EQ(list.currentIndex().row(), 0);
    EXPECT_FALSE(filter.isEnabled()) << "it is filtered";
    list.setCurrentIndex(composite.index(2));
    ASSERT_TRUE(filter.isEnabled());
    filter.click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return composite.sourceRow() == 2; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.page(), 2);
    EXPECT_FALSE(filter.isEnabled());
    test.part<QPushButton>("soloChannel")->click();
    EXPECT_EQ(composite.solo(), 2);
    list.setCurrentIndex(composite.index(1));
    EXPECT_FALSE(test.part<QPushButton>("soloChannel")->isChecked());
}

TEST_F(Composites, ValuesOfAllChannelsAreInTheStatusLine) {
    test.models.probe.setPosition({3.5, 5.5});
    EXPECT_TRUE(test.part<ElidedLabel>("probe")->fullText().contains(QStringLiteral("DAPI 300, GFP 3,550, Cy5 0")))
        << test.part<ElidedLabel>("probe")->fullText().toStdString();
}

} // namespace
} // namespace pollard::app
