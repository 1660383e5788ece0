// The bar over the image about a filter carried over from another image.
#include "app/test_window.hpp"

#include "app/support/on_screen.hpp"
#include "app/support/ui_audit.hpp"
#include "widgets/panel_parts.hpp"

#include <QFrame>
#include <QPushButton>
#include <QToolButton>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

class CarriedBar : public ::testing::Test {
protected:
    TestWindow test;
    const SharedImage first = makeNoise(64);
    const SharedImage second = makeImage(PixelType::u8, 64, 64, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x * 31 + y * 17 + x * y) % 251);
    });

    void SetUp() override {
        test.open("first", first);
        test.models.filter.setMinimum(12);
        ASSERT_TRUE(test.settle());
    }
    [[nodiscard]] QFrame& bar() { return *test.part<QFrame>("carriedFilter"); }
    void openSecond() {
        test.open("second", second);
        ASSERT_TRUE(QTest::qWaitFor([this] { return bar().isVisible(); }, kPatience));
    }
    [[nodiscard]] std::string text() { return test.part<ElidedLabel>("carriedFilterText")->fullText().toStdString(); }
};

TEST_F(CarriedBar, ComesWithAnotherImageAndGoesWithKeep) {
    EXPECT_FALSE(bar().isVisible());
    openSecond();
    EXPECT_THAT(text(), HasSubstr("first"));
    EXPECT_TRUE(test.window.canvas()->rect().contains(bar().geometry()));
    EXPECT_LT(bar().height(), 48);
    const QRect line = test.part<ElidedLabel>("carriedFilterText")->geometry();
    EXPECT_FALSE(line.intersects(test.part<QPushButton>("carriedFilterKeep")->geometry()));
    EXPECT_FALSE(test.part<QPushButton>("carriedFilterKeep")
                     ->geometry()
                     .intersects(test.part<QPushButton>("carriedFilterClear")->geometry()));
    const vm::ViewTransform view = test.models.display.view();
    const QPoint keep = test.inWindow(test.part<QPushButton>("carriedFilterKeep"), {10, 10});
    test.press(keep);
    test.release(keep);
    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(test.window.canvas()->hasFocus());
    EXPECT_EQ(test.models.display.view().centre, view.centre) << "the image stays where it is";
    EXPECT_EQ(test.models.display.view().zoom, view.zoom);
    EXPECT_EQ(test.models.filter.minimum(), 12);
    test.open("first", first);
    test.open("second", second);
    EXPECT_FALSE(bar().isVisible()) << "it was kept";
}

TEST_F(CarriedBar, ClearLeavesTheOriginalAndUndoBringsTheFilterBack) {
    openSecond();
    ASSERT_FALSE(samePixels(*test.models.document.result(), *second));
    test.part<QPushButton>("carriedFilterClear")->click();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *second));
    EXPECT_FALSE(test.part<QToolButton>("clearFilterButton")->isEnabled());
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.filter.minimum(), 12);
    EXPECT_FALSE(samePixels(*test.models.document.result(), *second));
}

TEST_F(CarriedBar, AFilterOfAnotherKindOfImageIsClearedAndKeepBringsItBack) {
    test.models.objectTable.setCondition(QStringLiteral("area >= 5"));
    const SharedImage other = makeImage(PixelType::u8, 80, 48, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>((x * 31 + y * 17 + x * y) % 251);
    });
    test.open("other", other);
    ASSERT_TRUE(QTest::qWaitFor([this] { return bar().isVisible(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_THAT(text(), HasSubstr("first cleared for another kind"));
    EXPECT_TRUE(samePixels(*test.models.document.result(), *other));
    EXPECT_EQ(test.models.objectTable.condition(), QString());
    EXPECT_FALSE(test.models.sessions.isModified()) << "no work of the user";
    test.part<QPushButton>("carriedFilterKeep")->click();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(bar().isVisible());
    EXPECT_EQ(test.models.filter.minimum(), 12);
    EXPECT_FALSE(samePixels(*test.models.document.result(), *other));
}

TEST_F(CarriedBar, AnEditOfTheFilterEndsIt) {
    openSecond();
    test.models.filter.setMinimum(20);
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(CarriedBar, IsReachedAndLeftByTheKeyboard) {
    openSecond();
    EXPECT_TRUE(testing::unreachableControls(bar()).isEmpty());
    EXPECT_TRUE(testing::namelessControls(bar()).isEmpty());
    EXPECT_TRUE(testing::unexplainedControls(bar()).isEmpty());
    auto* keep = test.part<QPushButton>("carriedFilterKeep");
    ASSERT_TRUE(focus(*test.window.canvas()));
    for (int i = 0; i < 20 && !keep->hasFocus(); ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    ASSERT_TRUE(keep->hasFocus());
    QTest::keyClick(keep, Qt::Key_Escape);
    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(test.window.canvas()->hasFocus());
}

TEST_F(CarriedBar, IsSeenOverTheImage) {
    openSecond();
    ASSERT_TRUE(test.settle());
    QImage seen;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            seen = onScreen(bar());
            return differences(seen, paintedAnew(bar())) < seen.width() * seen.height() / 50;
        },
        kPatience))
        << "on the screen, not only in the program";
}

TEST_F(CarriedBar, TheFilterPanelClearsUnderAButtonThatStaysInItsPlace) {
    auto* button = test.part<QToolButton>("clearFilterButton");
    ASSERT_TRUE(button->isEnabled());
    test.models.filter.criteria().add(AttributeId::height);
    test.models.filter.criteria().add(AttributeId::volume);
    test.part<QAction>("continueFromResult")->trigger();
    ASSERT_TRUE(test.settle());
    const QPoint place = test.inWindow(button, {5, 5});
    test.part<QAction>("clearFilter")->trigger();
    ASSERT_TRUE(test.settle());
    QCoreApplication::processEvents();
    EXPECT_EQ(test.inWindow(button, {5, 5}), place);
    EXPECT_FALSE(button->isEnabled());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *first));
    EXPECT_EQ(test.part<QAction>("clearFilter")->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
}

} // namespace
} // namespace pollard::app
