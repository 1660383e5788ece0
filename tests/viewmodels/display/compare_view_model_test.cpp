#include "vm/display/compare_view_model.hpp"
#include "vm/display/display_view_model.hpp"

#include "viewmodels/support/image_world.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <cmath>

namespace pollard::vm {
namespace {

using Mode = CompareViewModel::Mode;
using testing::eventually;
using testing::ImageWorld;
using testing::makeImage;

class Compare : public ::testing::Test {
protected:
    ImageWorld images;
    DisplayViewModel display{images.document};
    CompareViewModel& compare = display.compare();

    void openRamp() {
        images.open("a", makeImage(PixelType::u8, 64, 8, [](auto x, auto) { return x; }));
    }
};

TEST_F(Compare, IsOffAtFirst) {
    EXPECT_EQ(compare.mode(), Mode::off);
    EXPECT_FALSE(compare.isBlinking());
    EXPECT_TRUE(display.wantsResult());
}

TEST_F(Compare, TheSplitIsOneOfTheModes) {
    QSignalSpy changes(&display, &DisplayViewModel::splitChanged);
    display.setSplitEnabled(true);
    EXPECT_EQ(compare.mode(), Mode::split);
    compare.setMode(Mode::difference);
    EXPECT_FALSE(display.isSplitEnabled());
    display.setSplitEnabled(false); // does not end another mode
    EXPECT_EQ(compare.mode(), Mode::difference);
    EXPECT_EQ(changes.size(), 2);
}

TEST_F(Compare, BlinksInTurnAndRestsWhileNobodySeesIt) {
    compare.setBlinkInterval(CompareViewModel::kShortestBlink);
    QSignalSpy turns(&compare, &CompareViewModel::turnChanged);
    compare.setMode(Mode::blink);
    EXPECT_TRUE(compare.isBlinking());
    EXPECT_TRUE(display.wantsResult());
    ASSERT_TRUE(turns.wait());
    EXPECT_FALSE(display.wantsResult());
    ASSERT_TRUE(turns.wait());
    EXPECT_TRUE(display.wantsResult());
    compare.setVisible(false);
    EXPECT_FALSE(compare.isBlinking());
    compare.setVisible(true);
    EXPECT_TRUE(compare.isBlinking());
    compare.setMode(Mode::off);
    EXPECT_FALSE(compare.isBlinking());
}

TEST_F(Compare, NeverFlashesThreeTimesASecond) {
    for (const auto& [asked, got] : {std::pair{0.01, 0.2}, {0.2, 0.2}, {0.7, 0.7}, {2.0, 2.0}, {60.0, 2.0}}) {
        compare.setBlinkInterval(asked);
        EXPECT_EQ(compare.blinkInterval(), got);
        EXPECT_LT(1 / (2 * compare.blinkInterval()), 3.0);
    }
    compare.setBlinkInterval(std::nan(""));
    EXPECT_EQ(compare.blinkInterval(), 2.0);
}

TEST_F(Compare, ShowsTheOtherImageByHand) {
    compare.flip();
    EXPECT_TRUE(compare.isResultTurn()) << "only while blinking";
    compare.setBlinkByItself(false);
    compare.setMode(Mode::blink);
    EXPECT_FALSE(compare.isBlinking());
    compare.flip();
    EXPECT_FALSE(display.wantsResult());
    compare.flip();
    EXPECT_TRUE(display.wantsResult());
    EXPECT_FALSE(compare.isBlinking());
}

TEST_F(Compare, BlinkingStartsWithTheResult) {
    compare.setBlinkByItself(false);
    compare.setMode(Mode::blink);
    compare.flip();
    ASSERT_FALSE(display.wantsResult());
    compare.setMode(Mode::off);
    EXPECT_TRUE(display.wantsResult());
    compare.setMode(Mode::blink);
    EXPECT_TRUE(display.wantsResult());
}

TEST_F(Compare, TheRangeOfTheDifferenceFollowsTheImage) {
    ASSERT_NO_FATAL_FAILURE(openRamp());
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, 20}}; // the result is 20 everywhere: differences up to 43
    images.filter(spec);
    EXPECT_EQ(compare.differenceRange(), 255);
    compare.setMode(Mode::difference);
    EXPECT_TRUE(eventually([&] { return compare.differenceRange() == 48; }));
    compare.setDifferenceRange(1000);
    EXPECT_EQ(compare.differenceRange(), 255);
    EXPECT_FALSE(compare.isDifferenceAutomatic());
    compare.setDifferenceRange(0);
    EXPECT_EQ(compare.differenceRange(), 1);
    compare.setDifferenceAutomatic(true);
    EXPECT_TRUE(eventually([&] { return compare.differenceRange() == 48; }));
}

TEST_F(Compare, AResidueIsADifferenceAlready) {
    ASSERT_NO_FATAL_FAILURE(openRamp());
    compare.setMode(Mode::difference);
    EXPECT_EQ(compare.shownMode(), Mode::difference);
    QSignalSpy changes(&compare, &CompareViewModel::modeChanged);
    for (const Output output : {Output::residue, Output::mask}) {
        FilterSpec spec;
        spec.output = output;
        images.filter(spec);
        EXPECT_EQ(compare.shownMode(), Mode::off);
        EXPECT_TRUE(display.wantsResult());
    }
    EXPECT_EQ(changes.size(), 1);
    images.filter({});
    EXPECT_EQ(compare.shownMode(), Mode::difference);
}

} // namespace
} // namespace pollard::vm
