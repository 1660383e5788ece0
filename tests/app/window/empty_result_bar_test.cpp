// The bar over the image about a result without contents.
#include "app/test_window.hpp"

#include "app/support/ui_audit.hpp"
#include "widgets/image_bar.hpp"
#include "widgets/panel_parts.hpp"

#include <QPushButton>
#include <QToolButton>

#include <limits>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();

class EmptyBar : public ::testing::Test {
protected:
    TestWindow test;
    const SharedImage image = makeNoise(64);

    void SetUp() override {
        test.open("noise", image);
        FilterSpec spec;
        spec.criteria = {{AttributeId::area, 20, kInf}, {AttributeId::area, -kInf, 19}};
        test.models.filter.setSpec(spec);
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([this] { return bar().isVisible() && button("Turn off").isVisible(); }, kPatience));
    }
    [[nodiscard]] ImageBar& bar() { return *test.part<ImageBar>("emptyResult"); }
    /// As a user finds it, by the text on it.
    [[nodiscard]] QPushButton& button(const QString& text) {
        for (QPushButton* each : bar().findChildren<QPushButton*>()) {
            if (each->text().remove(u'&').startsWith(text)) {
                return *each;
            }
        }
        throw std::runtime_error("no button " + text.toStdString());
    }
    [[nodiscard]] std::string text() { return test.part<ElidedLabel>("emptyResultText")->fullText().toStdString(); }
};

TEST_F(EmptyBar, SaysWhyAndLiesInTheImage) {
    EXPECT_THAT(text(), HasSubstr("removes everything"));
    EXPECT_THAT(text(), HasSubstr("alone removes"));
    EXPECT_TRUE(test.window.canvas()->rect().contains(bar().geometry()));
    EXPECT_TRUE(testing::unreachableControls(bar()).isEmpty());
    EXPECT_TRUE(testing::namelessControls(bar()).isEmpty());
    EXPECT_TRUE(testing::unexplainedControls(bar()).isEmpty());
}

TEST_F(EmptyBar, ShowsAllAgainWithUndo) {
    button("Show all again").click();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(bar().isVisible());
    EXPECT_TRUE(test.window.canvas()->hasFocus());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *image));
    test.part<QAction>("undo")->trigger();
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(QTest::qWaitFor([this] { return bar().isVisible(); }, kPatience));
}

TEST_F(EmptyBar, TurnsTheCriterionOffThatItNames) {
    const std::string named = text();
    button("Turn off").click();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(bar().isVisible());
    ASSERT_EQ(test.models.filter.spec().criteria.size(), 1U);
    EXPECT_THAT(named, ::testing::Not(HasSubstr(test.models.filter.criterionText().toStdString()))) << "it is kept";
}

TEST_F(EmptyBar, IsClosedByEscape) {
    button("Show all again").setFocus();
    QTest::keyClick(&button("Show all again"), Qt::Key_Escape);
    EXPECT_FALSE(bar().isVisible());
    EXPECT_EQ(test.models.filter.spec().criteria.size(), 2U);
    EXPECT_TRUE(test.window.canvas()->hasFocus());
}

TEST_F(EmptyBar, WaitsBehindTheOneAboutAStaleFilter) {
    test.open("other", makeNoise(64));
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.part<ImageBar>("carriedFilter")->isVisible(); }, kPatience));
    EXPECT_FALSE(bar().isVisible());
    test.part<QPushButton>("carriedFilterKeep")->click();
    EXPECT_TRUE(QTest::qWaitFor([this] { return bar().isVisible(); }, kPatience));
}

} // namespace
} // namespace pollard::app
