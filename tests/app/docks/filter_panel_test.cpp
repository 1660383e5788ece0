#include "app/test_window.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/filter/criterion_controls.hpp"
#include "shell/canvas_actions.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "widgets/range_slider.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <limits>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

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

TEST(FilterPanel, ExplainsEveryControl) {
    TestWindow test;
    for (const char* name :
         {"attribute", "range", "attributeHistogram", "criteria", "match", "addCriterion", "duplicateCriterion",
          "removeCriterion", "resetRange", "rule", "output", "live", "apply"}) {
        EXPECT_FALSE(test.part<QWidget>(name)->toolTip().isEmpty()) << name;
    }
    for (const char* name : {"attribute",       "attributeHistogram",
                             "criteria",        "match",
                             "addCriterion",    "duplicateCriterion",
                             "removeCriterion", "minimum",
                             "maximum",         "rule",
                             "output",          "live",
                             "apply",           "resetRange",
                             "windowLow",       "windowHigh",
                             "colourMap",       "lowerHandle",
                             "upperHandle",     "cancel"}) {
        EXPECT_FALSE(test.part<QWidget>(name)->accessibleName().isEmpty()) << name;
    }
}

TEST(FilterPanel, IsDisabledWithoutAnImage) {
    TestWindow test;
    for (const char* name : {"range", "attributeHistogram", "minimum", "maximum", "resetRange"}) {
        EXPECT_FALSE(test.part<QWidget>(name)->isEnabled()) << name;
    }
    EXPECT_TRUE(test.part<QWidget>("attribute")->isEnabled()) << "a criterion may come before the image";
    test.open("noise", makeNoise(64));
    for (const char* name : {"range", "attributeHistogram", "minimum", "maximum", "resetRange"}) {
        EXPECT_TRUE(test.part<QWidget>(name)->isEnabled()) << name;
    }
}

AttributePicker* pickerOf(TestWindow& test, const char* button) {
    return test.part<QWidget>(button)->findChild<AttributePicker*>();
}

/// The search field of a picker, opened by a button.
QLineEdit* openedSearch(TestWindow& test, const char* button, AttributePicker* popup) {
    QTest::mouseClick(test.part<QWidget>(button), Qt::LeftButton);
    EXPECT_TRUE(appears(*popup));
    return popup->findChild<QLineEdit*>(QStringLiteral("attributeSearch"));
}

TEST(AttributePicker, FindsByTypingAndChoosesByReturn) {
    TestWindow test;
    test.open("noise", makeNoise(96));
    QLineEdit* search = openedSearch(test, "attribute", pickerOf(test, "attribute"));
    QTest::keyClicks(search, QStringLiteral("volum"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_FALSE(pickerOf(test, "attribute")->isVisible());
    EXPECT_EQ(test.models.filter.attribute(), AttributeId::volume);
    EXPECT_EQ(test.part<QPushButton>("attribute")->text(), QStringLiteral("Volume"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.filter.isAvailable(); }, kPatience));
    test.models.filter.setMinimumPosition(0.4);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));
}

TEST(AttributePicker, MovesByArrowsAndEscapesWithoutAChoice) {
    TestWindow test;
    QLineEdit* search = openedSearch(test, "attribute", pickerOf(test, "attribute"));
    QTest::keyClick(search, Qt::Key_Down);
    QTest::keyClick(search, Qt::Key_Escape);
    EXPECT_FALSE(pickerOf(test, "attribute")->isVisible());
    EXPECT_EQ(test.models.filter.attribute(), AttributeId::area);
    search = openedSearch(test, "attribute", pickerOf(test, "attribute"));
    QTest::keyClick(search, Qt::Key_Down); // Width follows Area
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(test.models.filter.attribute(), AttributeId::width);
    // A letter on the button starts a search.
    QTest::keyClick(test.part<QWidget>("attribute"), Qt::Key_E);
    ASSERT_TRUE(pickerOf(test, "attribute")->isVisible());
    QTest::keyClicks(search, QStringLiteral("uler"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(test.models.filter.attribute(), AttributeId::euler);
}

TEST(AttributePicker, ChoosesByClick) {
    TestWindow test;
    openedSearch(test, "attribute", pickerOf(test, "attribute"));
    auto* list = pickerOf(test, "attribute")->findChild<QListView*>(QStringLiteral("attributeList"));
    QModelIndex height;
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        if (list->model()->index(row, 0).data().toString() == QStringLiteral("Height (box)")) {
            height = list->model()->index(row, 0);
        }
    }
    ASSERT_TRUE(height.isValid());
    list->scrollTo(height);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(height).center());
    EXPECT_EQ(test.models.filter.attribute(), AttributeId::heightPx);
}

TEST(CriteriaList, AddsJoinsTurnsOffAndRemovesByItsButtons) {
    TestWindow test;
    test.open("noise", makeNoise(128));
    auto& filter = test.models.filter;
    filter.setMinimum(4);
    QLineEdit* search = openedSearch(test, "addCriterion", test.part<AttributePicker>("newAttributePicker"));
    QTest::keyClicks(search, QStringLiteral("level"));
    QTest::keyClick(search, Qt::Key_Return);
    ASSERT_EQ(filter.criteria().count(), 2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return filter.isAvailable(); }, kPatience));
    test.part<QDoubleSpinBox>("maximum")->setValue(120);
    FilterSpec both;
    both.criteria = {{AttributeId::area, 4}, {AttributeId::level, -std::numeric_limits<double>::infinity(), 120}};
    EXPECT_EQ(filter.spec(), both);
    auto* match = test.part<QComboBox>("match");
    ASSERT_TRUE(match->isVisible());
    QTest::keyClick(match, Qt::Key_Down);
    both.match = Match::any;
    EXPECT_EQ(filter.spec(), both);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(both)));

    auto* list = test.part<QListView>("criteria");
    const QRect first = list->visualRect(list->model()->index(0, 0));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(12, first.center().y())); // its check box
    EXPECT_FALSE(filter.criteria().entry(0).enabled);
    EXPECT_EQ(filter.spec().criteria.size(), 1U);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, first.center());
    EXPECT_EQ(filter.criteria().current(), 0);
    EXPECT_EQ(filter.attribute(), AttributeId::area);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Space);
    EXPECT_TRUE(filter.criteria().entry(0).enabled);
    test.part<QToolButton>("duplicateCriterion")->click();
    EXPECT_EQ(filter.criteria().count(), 3);
    QTest::keyClick(list, Qt::Key_Delete);
    EXPECT_EQ(filter.criteria().count(), 2);
    test.part<QToolButton>("removeCriterion")->click();
    test.part<QToolButton>("removeCriterion")->click();
    EXPECT_EQ(filter.spec(), FilterSpec{});
    EXPECT_FALSE(test.part<QToolButton>("removeCriterion")->isEnabled());
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.filter.changedPixels(), 0U);
}

TEST(CriteriaList, ShowsHowManyNodesEachKeepsAlone) {
    TestWindow test;
    test.open("noise", makeNoise(64));
    test.models.filter.setMinimum(5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.filter.criteria().kept(0).has_value(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(*test.models.filter.criteria().kept(0), test.models.filter.keptNodes()) << "area alone decides here";
}

/// Whether the attribute has been counted, which happens after the image has appeared.
bool isCounted(TestWindow& test) {
    auto* readout = test.part<QLabel>("attributeReadout");
    return QTest::qWaitFor([&] { return readout->accessibleName().endsWith(QStringLiteral(" components")); },
                           kPatience);
}

TEST(AttributeHistogramView, DraggedBoundFiltersAsTheSliderDoes) {
    TestWindow test;
    test.open("noise", makeNoise(128, 65535));
    ASSERT_TRUE(isCounted(test));
    auto* chart = test.part<AttributeHistogramView>("attributeHistogram");
    auto* slider = test.part<RangeSlider>("range");
    for (const double place : {0.0, 0.3, 1.0}) {
        EXPECT_NEAR(test.inWindow(chart, {chart->pixelOf(place), 0}).x(),
                    test.inWindow(slider, {slider->pixelOf(place), 0}).x(), 1)
            << "the chart stands on the places of the slider";
    }
    const auto at = [&](double place) { return QPoint(qRound(chart->pixelOf(place)), chart->height() / 2); };
    QTest::mousePress(chart, Qt::LeftButton, {}, at(0.0));
    for (const double place : {0.1, 0.2, 0.35}) {
        QTest::mouseMove(chart, at(place));
    }
    QTest::mouseRelease(chart, Qt::LeftButton, {}, at(0.35));
    EXPECT_NEAR(test.models.filter.minimumPosition(), 0.35, 0.03);
    EXPECT_EQ(test.models.filter.maximumPosition(), 1);
    EXPECT_EQ(slider->lower(), test.models.filter.minimumPosition());
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(test.models.filter.spec())));

    QTest::mousePress(chart, Qt::LeftButton, {}, at(1.0));
    QTest::mouseMove(chart, at(0.6));
    QTest::mouseRelease(chart, Qt::LeftButton, {}, at(0.6));
    EXPECT_NEAR(test.models.filter.maximumPosition(), 0.6, 0.03);
    QTest::mousePress(chart, Qt::LeftButton, {}, at(0.48)); // between both
    QTest::mouseMove(chart, at(0.58));
    QTest::mouseRelease(chart, Qt::LeftButton, {}, at(0.58));
    EXPECT_NEAR(test.models.filter.minimumPosition(), 0.45, 0.04);
    EXPECT_NEAR(test.models.filter.maximumPosition(), 0.7, 0.04);
    chart->setFocus();
    const double before = test.models.filter.minimum();
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_GT(test.models.filter.minimum(), before);
    QTest::mouseDClick(chart, Qt::LeftButton, {}, at(0.5));
    EXPECT_TRUE(test.models.filter.spec().criteria.empty());
}

TEST(AttributeHistogramView, TellsTheBarUnderThePointer) {
    TestWindow test;
    test.open("noise", makeNoise(128));
    ASSERT_TRUE(isCounted(test));
    auto* readout = test.part<QLabel>("attributeReadout");
    auto* chart = test.part<AttributeHistogramView>("attributeHistogram");
    QTest::mouseMove(chart, QPoint(qRound(chart->pixelOf(0.01)), 20));
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return readout->accessibleName().startsWith(QStringLiteral("1 px: ")); }, kPatience))
        << readout->accessibleName().toStdString();
}

/// A dark image with a bright block that contains a peak.
SharedImage blockWithPeak() {
    return makeImage(PixelType::u8, 40, 40, [](std::uint32_t x, std::uint32_t y) {
        const bool block = x >= 10 && x < 30 && y >= 10 && y < 30;
        const bool peak = x >= 18 && x < 22 && y >= 18 && y < 22;
        return peak ? 200 : block ? 100 : 10;
    });
}

TEST(PicksControls, ClicksOnTheImageRemoveAndTheListTakesBack) {
    TestWindow test;
    EXPECT_FALSE(test.part<QToolButton>("pickButton")->isEnabled());
    test.open("block", blockWithPeak());
    test.models.filter.picks().setMinimumArea(1);
    Canvas* canvas = test.window.canvas();
    ASSERT_NE(canvas, nullptr);
    const auto at = [&](double x, double y) {
        return test.inWindow(canvas, test.models.display.view().toView({x, y}) / canvas->devicePixelRatioF());
    };
    const auto click = [&](Qt::KeyboardModifiers keys) {
        QTest::mouseClick(test.window.windowHandle(), Qt::LeftButton, keys, at(20, 20));
    };
    test.part<QToolButton>("pickButton")->click();
    ASSERT_TRUE(test.window.actionList().canvas->pickComponent->isChecked());
    EXPECT_FALSE(test.window.actionList().canvas->tools->actions().front()->isChecked()) << "the hand rests";
    EXPECT_FALSE(test.part<QListView>("picks")->isVisible());
    click({});
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(20 * 40 + 20), 100);
    EXPECT_TRUE(test.part<QListView>("picks")->isVisible());
    EXPECT_EQ(test.part<QLabel>("pickSummary")->text(), QStringLiteral("1 removed"));
    click({});
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(20 * 40 + 20), 10);
    auto* list = test.part<QListView>("picks");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(20 * 40 + 20), 100);
    test.part<QToolButton>("clearPicks")->click();
    test.models.filter.setMinimum(17); // removes the peak of 16 px
    ASSERT_TRUE(test.settle());
    ASSERT_EQ(test.models.document.result()->level(20 * 40 + 20), 100);
    click(Qt::ShiftModifier);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(20 * 40 + 20), 200);
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(test.models.filter.picks().isPicking());
    EXPECT_TRUE(test.window.actionList().canvas->tools->actions().front()->isChecked());
}

TEST(PicksControls, TheComponentThatAClickRemovesIsHighlighted) {
    TestWindow test;
    test.open("block", blockWithPeak());
    test.models.filter.picks().setMinimumArea(1);
    const Canvas* canvas = test.window.canvas();
    const vm::ChainViewModel& chain = test.models.chain;
    const QPoint peak =
        test.inWindow(canvas, test.models.display.view().toView({20.5, 20.5}) / canvas->devicePixelRatioF());
    const auto area = [&] { return chain.value(chain.current(), vm::ChainViewModel::areaColumn); };
    QTest::mouseMove(test.window.windowHandle(), peak);
    EXPECT_FALSE(chain.node()) << "without the tool";
    test.part<QToolButton>("pickButton")->click();
    ASSERT_TRUE(test.settle());
    QTest::mouseMove(test.window.windowHandle(), peak + QPoint(1, 0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.node() && area(); }, kPatience));
    EXPECT_EQ(area(), 16);
    QTest::mouseClick(test.window.windowHandle(), Qt::LeftButton, {}, peak);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(area(), 400) << "the next click removes the block";
    test.models.filter.picks().setMinimumArea(500);
    EXPECT_FALSE(chain.node()) << "only the root is so large";
    test.models.filter.picks().setMinimumArea(1);
    EXPECT_EQ(area(), 400);
    test.part<QToolButton>("pickButton")->click();
    EXPECT_FALSE(chain.node());
}

TEST(LearnControls, MakeTheFilterFromPicksAndAskForMore) {
    TestWindow test;
    test.open("bars", makeImage(PixelType::u8, 60, 3, [](std::uint32_t x, std::uint32_t y) { // 2, 4, 6 .. 12 px
                  const std::uint32_t length = 2 * (x / 10 + 1);
                  return y == 1 && x % 10 < length && x % 10 < 9 ? 100U : 10U;
              }));
    const auto tree = test.models.document.tree();
    const auto pick = [&](std::uint32_t x, vm::PicksModel::PickEffect effect) {
        test.models.filter.picks().pick(tree->canonical[tree->pixelNode[60 + x]], effect);
    };
    auto* learn = test.part<QToolButton>("learnButton");
    auto* text = test.part<QLabel>("learnText");
    auto* use = test.part<QPushButton>("learnUse");
    EXPECT_FALSE(text->isVisible());
    EXPECT_FALSE(use->isVisible());
    learn->click();
    EXPECT_TRUE(text->text().startsWith(QStringLiteral("Keep one component"))) << text->text().toStdString();
    pick(0, vm::PicksModel::PickEffect::removed);
    pick(30, vm::PicksModel::PickEffect::kept);
    ASSERT_TRUE(QTest::qWaitFor([&] { return use->isVisible() && use->isEnabled(); }, kPatience));
    EXPECT_TRUE(text->text().contains(QStringLiteral("Area"))) << text->text().toStdString();
    EXPECT_FALSE(test.part<QPushButton>("learnKeep")->isVisible());
    test.models.display.setZoom(100);
    test.models.display.setCentre({59, 1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.part<QPushButton>("learnNext")->isEnabled(); }, kPatience));
    test.part<QPushButton>("learnNext")->click();
    EXPECT_TRUE(test.models.chain.isHeld());
    const auto canonical = test.models.chain.canonical();
    ASSERT_TRUE(canonical);
    EXPECT_EQ(test.models.display.centre(), QPointF(*canonical % 60 + 0.5, 1.5)) << "it was outside the view";
    ASSERT_TRUE(test.part<QPushButton>("learnRemove")->isVisible());
    EXPECT_TRUE(text->text().contains(QStringLiteral("in question"))) << text->text().toStdString();
    QTest::keyClick(&test.window, Qt::Key_M, Qt::AltModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.filter.picks().count() == 3; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return use->isVisible() && use->isEnabled(); }, kPatience));
    use->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.filter.picks().count(), 0);
    EXPECT_FALSE(test.models.filter.spec().criteria.empty());
    EXPECT_EQ(test.models.document.result()->level(60 + 30), 100);
    EXPECT_EQ(test.models.document.result()->level(60), 10);
    EXPECT_FALSE(use->isVisible());
}

TEST(LearnControls, LearnAForestAndRemoveIt) {
    TestWindow test;
    test.open("bars", makeImage(PixelType::u8, 60, 3, [](std::uint32_t x, std::uint32_t y) { // 2, 4, 6 .. 12 px
                  const std::uint32_t length = 2 * (x / 10 + 1);
                  return y == 1 && x % 10 < length && x % 10 < 9 ? 100U : 10U;
              }));
    const auto tree = test.models.document.tree();
    const auto pick = [&](std::uint32_t x, vm::PicksModel::PickEffect effect) {
        test.models.filter.picks().pick(tree->canonical[tree->pixelNode[60 + x]], effect);
    };
    auto* isForest = test.part<QCheckBox>("learnForest");
    auto* remove = test.part<QPushButton>("removeForest");
    auto* use = test.part<QPushButton>("learnUse");
    EXPECT_FALSE(isForest->isVisible());
    EXPECT_FALSE(remove->isVisible());
    test.part<QToolButton>("learnButton")->click();
    isForest->click();
    pick(0, vm::PicksModel::PickEffect::removed);
    pick(30, vm::PicksModel::PickEffect::kept);
    ASSERT_TRUE(QTest::qWaitFor([&] { return use->isVisible() && use->isEnabled(); }, kPatience));
    EXPECT_FALSE(test.part<QPushButton>("learnNext")->isEnabled());
    use->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.filter.forest().trees.size(), 64U);
    EXPECT_EQ(test.models.document.result()->level(60 + 30), 100);
    EXPECT_EQ(test.models.document.result()->level(60), 10);
    ASSERT_TRUE(remove->isVisible());
    EXPECT_EQ(remove->text(), QStringLiteral("Remove a forest of 64 decision trees"));
    remove->click();
    EXPECT_TRUE(test.models.filter.forest().trees.empty());
    EXPECT_FALSE(remove->isVisible());
}

TEST(PicksControls, GiveWayToAnotherTool) {
    TestWindow test;
    test.open("block", blockWithPeak());
    auto* canvas = test.window.actionList().canvas;
    canvas->tools->actions().at(1)->trigger(); // a rectangle
    canvas->pickComponent->trigger();
    EXPECT_TRUE(test.models.filter.picks().isPicking());
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::hand);
    canvas->tools->actions().at(1)->trigger();
    EXPECT_FALSE(test.models.filter.picks().isPicking());
    EXPECT_EQ(test.models.region.tool(), vm::RegionViewModel::Tool::rectangle);
    EXPECT_TRUE(canvas->tools->actions().at(1)->isChecked());
    EXPECT_FALSE(canvas->pickComponent->isChecked());
}

TEST(ProminenceControls, SetHowManyAndByWhat) {
    TestWindow test;
    test.open("noise", makeNoise(32));
    auto* only = test.part<QCheckBox>("prominentOnly");
    auto* count = test.part<QSpinBox>("prominentCount");
    EXPECT_EQ(only->text(), QStringLiteral("Only the most prominent maxima"));
    EXPECT_FALSE(count->isVisible());
    only->click();
    ASSERT_TRUE(count->isVisible());
    count->setValue(7);
    QTest::keyClick(test.part<QComboBox>("prominence"), Qt::Key_Down);
    EXPECT_EQ(test.models.filter.spec().prominent, (Prominent{Prominence::extinctionArea, 7}));
    test.window.actionList().minTree->trigger();
    EXPECT_EQ(only->text(), QStringLiteral("Only the most prominent minima"));
    only->click();
    EXPECT_FALSE(test.models.filter.spec().prominent.has_value());
}

} // namespace
} // namespace pollard::app
