// The parts of a display without a document.
#include "vm/display/display_levels.hpp"
#include "vm/display/display_look.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/look_store.hpp"
#include "vm/document/document_contents.hpp"

#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <memory>

namespace pollard::vm {
namespace {

class DisplayParts : public ::testing::Test {
protected:
    DocumentContents shown;
    DisplayLevels levels{shown};
    LookStore memory;
    DisplayLook look{shown, levels, &memory};
    ImageInfo info;

    void SetUp() override { info.bits = 8; }
    /// A ramp of 8 bits.
    void show(const char* path, int first, int last) {
        shown.request.path = path;
        const auto width = static_cast<std::uint32_t>(last - first + 1);
        shown.image = testing::makeImage(PixelType::u8, width, 1,
                                         [=](auto x, auto) { return static_cast<std::uint32_t>(first) + x; });
        shown.histogram = std::make_shared<const LevelHistogram>(countLevels(*shown.image));
        shown.info = std::make_shared<const ImageInfo>(info);
    }
};

TEST_F(DisplayParts, LevelsAreThoseOfTheImage) {
    show("/a", 10, 20);
    EXPECT_TRUE(levels.update());
    EXPECT_FALSE(levels.update());
    EXPECT_EQ(levels.maxLevel(), 255);
    EXPECT_EQ(levels.dataMinimum(), 10);
    EXPECT_EQ(levels.dataMaximum(), 20);
    EXPECT_EQ(levels.saturation(), (Saturation{0, 0, 11}));
    EXPECT_EQ(levels.clipped({11, 18}), (Saturation{2, 3, 11}));
    EXPECT_EQ(levels.valueOf(7), 7);
    info.mapping = ValueMapping{-10, 2};
    show("/a", 10, 20);
    EXPECT_TRUE(levels.update()) << "the same levels are other values";
    EXPECT_EQ(levels.valueOf(7), 4);
    EXPECT_EQ(levels.levelOf(4), 7);
    EXPECT_FALSE(levels.saturation());
}

TEST_F(DisplayParts, LookIsThatOfTheFile) {
    show("/a", 10, 20);
    look.update();
    EXPECT_EQ(look.window(), (LevelWindow{0, 255}));
    look.setWindow(20, 10);
    look.setToneCurve(ToneCurve::gamma);
    QSignalSpy windows(&look, &DisplayLook::windowChanged);
    QSignalSpy curves(&look, &DisplayLook::toneCurveChanged);
    shown.request.path = "/b";
    look.update();
    EXPECT_EQ(look.window(), (LevelWindow{0, 255}));
    EXPECT_EQ(look.look().curve, ToneCurve::linear);
    shown.request.path = "/a";
    look.update();
    EXPECT_EQ(look.window(), (LevelWindow{10, 20}));
    EXPECT_EQ(look.look().curve, ToneCurve::gamma);
    EXPECT_EQ(windows.size(), 2);
    EXPECT_EQ(curves.size(), 2);
}

TEST_F(DisplayParts, WindowOfTheResultFollowsTheOutput) {
    show("/a", 0, 255);
    look.update();
    look.setWindow(100, 200);
    EXPECT_EQ(look.resultWindow(), (LevelWindow{100, 200}));
    QSignalSpy windows(&look, &DisplayLook::windowChanged);
    shown.frame.spec.output = Output::labels;
    shown.frame.brightLevel = 40;
    look.updateResult();
    look.updateResult();
    EXPECT_EQ(windows.size(), 1);
    EXPECT_EQ(look.resultWindow(), (LevelWindow{0, 40}));
    EXPECT_EQ(look.window(), (LevelWindow{100, 200}));
    shown.frame.spec.output = Output::mask;
    EXPECT_EQ(look.resultWindow(), (LevelWindow{0, 255}));
}

TEST(ImageView, FitsUntilItIsZoomed) {
    ImageView view;
    QSignalSpy changes(&view, &ImageView::changed);
    view.setImageSize({100, 50});
    view.setViewSize({200, 200});
    EXPECT_EQ(view.transform().zoom, 2);
    EXPECT_TRUE(view.isFitting());
    view.setZoom(4);
    view.setZoom(-1);
    view.setImageSize({100, 50});
    view.setViewSize({300, 300});
    EXPECT_EQ(view.zoomText(), "400 %");
    EXPECT_FALSE(view.isFitting());
    EXPECT_EQ(changes.size(), 4);
    view.setImageSize({300, 50});
    EXPECT_EQ(view.transform().zoom, 1);
    EXPECT_TRUE(view.isFitting());
}

} // namespace
} // namespace pollard::vm
