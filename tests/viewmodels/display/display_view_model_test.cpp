#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"

#include "support/random_images.hpp"
#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <cmath>
#include <numeric>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using testing::makeImage;

/// A document with synthetic images.
class Display : public ::testing::Test {
protected:
    FakeWorld world;
    std::map<std::string, std::shared_ptr<const Image>> images;
    int bits = 0; ///< stated by the file; 0: as the pixel type
    DocumentViewModel document{services()};
    DisplayViewModel display{document};
    HistogramViewModel histogram{document, display};
    ProbeViewModel probe{document};

    DocumentServices services() {
        DocumentServices s = testing::fakeServices(world);
        s.read = [this](const std::filesystem::path& path, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{images.at(path.filename().string()), nullptr, {}};
            loaded.info.bits = bits != 0 ? bits : bitsOf(loaded.image->type());
            loaded.info.pages = 2;
            return loaded;
        };
        return s;
    }
    void open(const std::string& name, std::shared_ptr<const Image> image) {
        images[name] = std::move(image);
        document.open(QString::fromStdString(name));
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy(); }));
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready);
    }
    void filter(const FilterSpec& spec) {
        document.requestFilter(spec);
        ASSERT_TRUE(eventually([&] { return !document.activity().isFiltering(); }));
    }
};

std::shared_ptr<Image> fewLevels() {
    return makeImage(PixelType::u16, 300, 20, [](auto x, auto) { return 2000 + x; });
}

TEST_F(Display, A16BitImageOfFewLevelsIsNotShownBlack) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    EXPECT_EQ(display.maxLevel(), 65535);
    EXPECT_EQ(display.dataMinimum(), 2000);
    EXPECT_EQ(display.dataMaximum(), 2299);
    EXPECT_EQ(display.window(), (LevelWindow{2000, 2299}));
}

TEST_F(Display, AnEightBitImageIsShownAsItIs) {
    ASSERT_NO_FATAL_FAILURE(open("a", makeImage(PixelType::u8, 8, 8, [](auto, auto) { return 20; })));
    EXPECT_EQ(display.window(), (LevelWindow{0, 255}));
}

TEST_F(Display, AOneBitImageIsShownBlackAndWhite) {
    bits = 1;
    ASSERT_NO_FATAL_FAILURE(open("a", makeImage(PixelType::u8, 8, 8, [](auto x, auto) { return x % 2; })));
    EXPECT_EQ(display.window(), (LevelWindow{0, 1}));
}

struct WindowSet {
    double low, high;
    LevelWindow window;
};

TEST_F(Display, KeepsTheWindowWithinItsDomain) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    for (const WindowSet& c :
         {WindowSet{100, 200, {100, 200}}, WindowSet{-50, 70000, {0, 65535}}, WindowSet{500, 300, {300, 500}},
          WindowSet{400, 400, {400, 401}}, WindowSet{65535, 65535, {65534, 65535}}, WindowSet{-9, -9, {0, 1}}}) {
        display.setWindow(c.low, c.high);
        EXPECT_EQ(display.window(), c.window) << c.low << " " << c.high;
    }
    display.setWindow(100, 200);
    display.setWindow(std::nan(""), 10);
    EXPECT_EQ(display.window(), (LevelWindow{100, 200}));
    display.setWindowLow(300); // a handle stops at the other
    EXPECT_EQ(display.window(), (LevelWindow{199, 200}));
    display.setWindowHigh(50);
    EXPECT_EQ(display.window(), (LevelWindow{199, 200}));
    display.autoWindow();
    EXPECT_EQ(display.window(), (LevelWindow{2000, 2299}));
    display.fullWindow();
    EXPECT_EQ(display.window(), (LevelWindow{0, 65535}));
}

TEST_F(Display, SettersTellOnlyChanges) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    QSignalSpy windows(&display, &DisplayViewModel::windowChanged);
    QSignalSpy maps(&display, &DisplayViewModel::colourMapChanged);
    QSignalSpy splits(&display, &DisplayViewModel::splitChanged);
    QSignalSpy views(&display, &DisplayViewModel::viewChanged);
    for (int i = 0; i < 2; ++i) {
        display.setWindow(10, 20);
        display.setColourMap(ColourMap::viridis);
        display.setSplitPosition(1.5);
        display.setSplitEnabled(true);
        display.setViewSize({600, 400});
    }
    EXPECT_EQ(windows.size(), 1);
    EXPECT_EQ(maps.size(), 1);
    EXPECT_EQ(splits.size(), 2);
    EXPECT_EQ(views.size(), 1);
    EXPECT_EQ(display.splitPosition(), 1);
}

TEST_F(Display, AWindowThatAPersonSetStaysWhilePagesTurn) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    display.setWindow(10, 20);
    document.reading().setPage(1);
    ASSERT_TRUE(eventually([&] { return !document.activity().isBusy(); }));
    EXPECT_EQ(display.window(), (LevelWindow{10, 20}));
    ASSERT_NO_FATAL_FAILURE(open("b", fewLevels()));
    EXPECT_EQ(display.window(), (LevelWindow{2000, 2299}));
}

TEST_F(Display, ADarkResidueIsStretchedAndTheWindowStillScalesIt) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels())); // levels 2000 to 2299
    FilterSpec spec;
    spec.output = Output::residue;
    spec.criteria = {{AttributeId::area, 20}}; // the fake engine gives a residue of level 20
    filter(spec);
    EXPECT_EQ(display.resultWindow(), (LevelWindow{0, 31}));
    spec.criteria.front().minimum = 25; // a close threshold keeps the window
    filter(spec);
    EXPECT_EQ(display.resultWindow(), (LevelWindow{0, 31}));
    display.setWindow(2000, 2000 + 2 * 299);
    EXPECT_EQ(display.resultWindow(), (LevelWindow{0, 62}));
}

TEST_F(Display, ResidueAndMaskGetWindowsOfTheirOwn) {
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    EXPECT_EQ(display.resultWindow(), display.window());
    QSignalSpy windows(&display, &DisplayViewModel::windowChanged);
    FilterSpec spec;
    spec.output = Output::residue;
    filter(spec);
    EXPECT_EQ(display.resultWindow(), (LevelWindow{0, 299}));
    EXPECT_EQ(windows.size(), 1);
    spec.output = Output::mask;
    filter(spec);
    EXPECT_EQ(display.resultWindow(), (LevelWindow{0, 65535}));
    EXPECT_EQ(windows.size(), 2);
    EXPECT_EQ(display.window(), (LevelWindow{2000, 2299}));
}

TEST_F(Display, FitsANewImageAndFollowsTheViewUntilAPersonZooms) {
    display.setViewSize({600, 400});
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels())); // 300 x 20
    EXPECT_TRUE(display.isFitting());
    EXPECT_DOUBLE_EQ(display.zoom(), 2);
    EXPECT_EQ(display.centre(), QPointF(150, 10));
    EXPECT_EQ(display.zoomText(), "200 %");
    display.setViewSize({300, 400});
    EXPECT_DOUBLE_EQ(display.zoom(), 1);
    display.zoomAbout({10, 200}, 4);
    EXPECT_FALSE(display.isFitting());
    EXPECT_DOUBLE_EQ(display.zoom(), 4);
    display.setViewSize({900, 400});
    EXPECT_DOUBLE_EQ(display.zoom(), 4);
    display.actualSize();
    EXPECT_DOUBLE_EQ(display.zoom(), 1);
    display.fit();
    EXPECT_TRUE(display.isFitting());
    EXPECT_DOUBLE_EQ(display.zoom(), 3);
    display.zoomIn();
    display.zoomOut();
    EXPECT_DOUBLE_EQ(display.zoom(), 3);
    display.setZoom(-1);
    display.zoomAbout({0, 0}, 0);
    EXPECT_DOUBLE_EQ(display.zoom(), 3);
}

TEST_F(Display, KeepsTheViewWhenAnotherPageHasTheSameSize) {
    display.setViewSize({600, 400});
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    display.zoomAbout({300, 200}, 8);
    const ViewTransform before = display.view();
    document.reading().setPage(1);
    ASSERT_TRUE(eventually([&] { return !document.activity().isBusy(); }));
    EXPECT_EQ(display.view(), before);
}

TEST(ColourMaps, HaveNamesThatAreFoundAgain) {
    for (const ColourMap map : kColourMaps) {
        EXPECT_EQ(findColourMap(nameOf(map)), map);
        EXPECT_FALSE(titleOf(map).isEmpty());
    }
    EXPECT_FALSE(findColourMap("mauve"));
}

TEST_F(Display, TheHistogramSpansTheLevelsThatOccur) {
    EXPECT_TRUE(histogram.isEmpty());
    QSignalSpy changes(&histogram, &HistogramViewModel::changed);
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels()));
    EXPECT_EQ(changes.size(), 1);
    EXPECT_EQ(histogram.domainMinimum(), 2000);
    EXPECT_EQ(histogram.domainMaximum(), 2299);
    EXPECT_EQ(histogram.binWidth(), 2);
    ASSERT_EQ(histogram.bins().size(), 150U);
    EXPECT_EQ(std::accumulate(histogram.bins().begin(), histogram.bins().end(), std::uint64_t{0}), 6000U);
    EXPECT_EQ(histogram.binStart(1), 2002);
    EXPECT_EQ(histogram.height(0), 1);
    EXPECT_EQ(histogram.height(-1), 0);
    EXPECT_EQ(histogram.height(150), 0);
    EXPECT_EQ(histogram.outline().size(), 302);
    document.close();
    EXPECT_TRUE(histogram.isEmpty());
    EXPECT_TRUE(histogram.outline().isEmpty());
}

TEST_F(Display, TheHistogramOfAnEightBitImageHasABinPerLevel) {
    ASSERT_NO_FATAL_FAILURE(
        open("a", makeImage(PixelType::u8, 100, 10, [](auto x, auto) -> std::uint32_t { return x < 10 ? 5 : 200; })));
    ASSERT_EQ(histogram.bins().size(), 256U);
    EXPECT_EQ(histogram.bins()[5], 100U);
    EXPECT_EQ(histogram.bins()[200], 900U);
    histogram.setLogarithmic(false);
    EXPECT_DOUBLE_EQ(histogram.height(5), 100.0 / 900);
    histogram.setLogarithmic(true);
    EXPECT_DOUBLE_EQ(histogram.height(5), std::log1p(100) / std::log1p(900));
}

TEST_F(Display, TheHistogramHoldsEveryLevelOf16Bits) {
    ASSERT_NO_FATAL_FAILURE(open("a", makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return y * 256 + x; })));
    EXPECT_EQ(histogram.bins().size(), 256U);
    EXPECT_EQ(histogram.binWidth(), 256);
}

TEST_F(Display, TheProbeTellsWhatIsUnderTheCursor) {
    probe.setPosition({3.9, 2.1});
    EXPECT_FALSE(probe.isValid());
    EXPECT_TRUE(probe.text().isEmpty());
    QSignalSpy changes(&probe, &ProbeViewModel::changed);
    ASSERT_NO_FATAL_FAILURE(open("a", fewLevels())); // the cursor is at a place of the new image
    EXPECT_TRUE(probe.isValid());
    EXPECT_EQ(probe.x(), 3);
    EXPECT_EQ(probe.y(), 2);
    EXPECT_EQ(probe.original(), 2003);
    EXPECT_EQ(probe.filtered(), 0);
    EXPECT_EQ(probe.node(), 0);
    EXPECT_EQ(probe.level(), 2000);
    EXPECT_EQ(probe.area(), 6000);
    EXPECT_FALSE(probe.text().isEmpty());

    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, 55, 1000});
    filter(spec);
    EXPECT_EQ(probe.filtered(), 55);

    const auto seen = changes.size();
    probe.setPosition({3.2, 2.7}); // the same pixel
    EXPECT_EQ(changes.size(), seen);
    for (const QPointF outside : {QPointF(-0.1, 0), QPointF(0, -0.1), QPointF(300, 0), QPointF(0, 20),
                                  QPointF(std::nan(""), 0), QPointF(1e300, 1e300)}) {
        probe.setPosition(outside);
        EXPECT_FALSE(probe.isValid());
        probe.setPosition({0, 0});
        EXPECT_TRUE(probe.isValid());
    }
    probe.clear();
    EXPECT_FALSE(probe.isValid());
    EXPECT_EQ(probe.original(), -1);
}

} // namespace
} // namespace pollard::vm
