#include "test_window.hpp"

#include "widgets/range_slider.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace pollard::app {
namespace {

using testing::HasSubstr;

QPoint onSlider(TestWindow& test, RangeSlider* slider, double position) {
    return test.inWindow(slider, {slider->pixelOf(position), slider->height() / 2.0});
}

TEST(FilterPanel, DraggedHandleFiltersAsTheEngineDoesDirectly) {
    TestWindow test;
    test.open("noise", makeNoise(128, 65535));
    auto* slider = test.part<RangeSlider>("range");
    test.press(onSlider(test, slider, 0.0));
    for (const double position : {0.1, 0.2, 0.3}) {
        test.move(onSlider(test, slider, position));
    }
    test.release(onSlider(test, slider, 0.3));
    ASSERT_TRUE(test.settle());
    EXPECT_NEAR(test.models.filter.minimumPosition(), 0.3, 0.02);
    EXPECT_GT(test.models.filter.minimum(), 10);
    ASSERT_GT(test.models.filter.changedPixels(), 0U);
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, test.models.filter.minimum()}};
    EXPECT_EQ(test.models.document.resultSpec(), spec);
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(spec)));
    EXPECT_EQ(test.part<QDoubleSpinBox>("minimum")->value(), test.models.filter.minimum());
    EXPECT_EQ(test.part<QLabel>("keptNodes")->text(), QLocale().toString(test.models.filter.keptNodes()));
}

TEST(FilterPanel, BurstOfDragsKeepsAtMostTwoJobsAndEndsExact) {
    TestWindow test;
    test.open("noise", makeNoise(512));
    auto* slider = test.part<RangeSlider>("range");
    test.press(onSlider(test, slider, 0.0));
    for (int i = 1; i <= 200; ++i) {
        test.move(onSlider(test, slider, 0.5 * (i % 50 + 1) / 51.0));
    }
    test.move(onSlider(test, slider, 0.25));
    test.release(onSlider(test, slider, 0.25));
    ASSERT_TRUE(test.settle());
    const auto statistics = test.models.document.worker().statistics(vm::Lane::filter);
    EXPECT_GE(statistics.posted, 100U) << "the events have to reach the worker";
    EXPECT_LE(statistics.maxInFlight, 2);
    EXPECT_EQ(test.models.document.resultSpec(), test.models.filter.spec());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
}

TEST(FilterPanel, BarBetweenTheHandlesMovesBoth) {
    TestWindow test;
    test.open("noise", makeNoise(128));
    test.models.filter.setMinimumPosition(0.2);
    test.models.filter.setMaximumPosition(0.5);
    auto* slider = test.part<RangeSlider>("range");
    const double width = slider->upper() - slider->lower();
    const double middle = (slider->upper() + slider->lower()) / 2;
    test.press(onSlider(test, slider, middle));
    test.move(onSlider(test, slider, middle + 0.2));
    test.release(onSlider(test, slider, middle + 0.2));
    EXPECT_NEAR(slider->lower(), 0.4, 0.03);
    EXPECT_NEAR(slider->upper() - slider->lower(), width, 0.05);
}

TEST(FilterPanel, WorksByKeyboardAlone) {
    TestWindow test;
    test.open("noise", makeNoise(128));
    auto* slider = test.part<RangeSlider>("range");
    slider->lowerHandle()->setFocus();
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(slider->lowerHandle(), Qt::Key_Right);
    }
    EXPECT_EQ(test.models.filter.minimum(), 4) << "every key press moves by at least one whole number";
    QTest::keyClick(slider->lowerHandle(), Qt::Key_Home);
    EXPECT_EQ(test.models.filter.minimum(), 1);
    QTest::keyClick(slider->upperHandle(), Qt::Key_PageDown);
    EXPECT_LT(test.models.filter.maximumPosition(), 0.95);
    QTest::keyClick(slider->upperHandle(), Qt::Key_End);

    auto* minimum = test.part<QDoubleSpinBox>("minimum");
    minimum->setFocus();
    minimum->selectAll();
    QTest::keyClicks(minimum, QStringLiteral("17"));
    EXPECT_EQ(test.models.filter.minimum(), 1) << "half-typed numbers do nothing";
    QTest::keyClick(minimum, Qt::Key_Return);
    EXPECT_EQ(test.models.filter.minimum(), 17);
    EXPECT_EQ(test.models.display.isFitting(), true) << "digits in a number are no shortcuts";
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
}

TEST(FilterPanel, WaitsForApplyWhenLiveIsOff) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    test.part<QCheckBox>("live")->click();
    const auto posted = test.models.document.worker().statistics(vm::Lane::filter).posted;
    test.part<QDoubleSpinBox>("minimum")->setValue(9);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.worker().statistics(vm::Lane::filter).posted, posted);
    auto* apply = test.part<QPushButton>("apply");
    ASSERT_TRUE(apply->isEnabled());
    apply->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.resultSpec(), test.models.filter.spec());
    EXPECT_EQ(test.models.document.resultSpec().criteria.at(0).minimum, 9);
    EXPECT_FALSE(apply->isEnabled());
}

TEST(FilterPanel, ExplainsEveryAttributeAndControl) {
    TestWindow test;
    auto* attribute = test.part<QComboBox>("attribute");
    ASSERT_EQ(attribute->count(), static_cast<int>(allAttributes().size()));
    for (int i = 0; i < attribute->count(); ++i) {
        const auto& info = allAttributes()[static_cast<std::size_t>(i)];
        EXPECT_THAT(attribute->itemData(i, Qt::ToolTipRole).toString().toStdString(),
                    HasSubstr(std::string(info.formula)));
    }
    for (const char* name : {"range"}) {
        EXPECT_FALSE(test.part<QWidget>(name)->toolTip().isEmpty()) << name;
    }
    for (const char* name : {"attribute", "minimum", "maximum", "rule", "output", "live", "apply", "resetRange",
                             "windowLow", "windowHigh", "colourMap", "lowerHandle", "upperHandle", "cancel"}) {
        EXPECT_FALSE(test.part<QWidget>(name)->accessibleName().isEmpty()) << name;
    }
}

} // namespace
} // namespace pollard::app
