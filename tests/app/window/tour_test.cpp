// The tour in the real window.
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "window/dialogs/tour.hpp"
#include "window/workspaces.hpp"

#include <QCheckBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>

#include <set>

namespace pollard::app {
namespace {

QRect placeOf(const QWidget& widget) { return {widget.mapTo(widget.window(), QPoint()), widget.size()}; }

class TourTest : public ::testing::Test {
protected:
    void start() {
        test.part<QAction>("tour")->trigger();
        tour = test.window.findChild<Tour*>();
        ASSERT_NE(tour, nullptr);
    }
    [[nodiscard]] QPushButton* button(const char* name) { return tour->findChild<QPushButton*>(QLatin1String(name)); }

    TestWindow test;
    QPointer<Tour> tour;
};

TEST_F(TourTest, DoesOneJobOnTheOpenImageAndAllOfItCanBeUndone) {
    test.open("noise", makeNoise(64));
    const FilterSpec before = test.models.filter.spec();
    const auto threshold = test.models.objects.threshold();
    start();
    std::set<const QWidget*> parts;
    int acts = 0;
    for (int step = 0; step < tour->stepCount(); ++step) {
        ASSERT_EQ(tour->step(), step);
        ASSERT_TRUE(test.settle());
        QCoreApplication::processEvents();
        const QWidget& part = tour->part();
        EXPECT_TRUE(test.window.rect().contains(placeOf(*tour))) << step;
        EXPECT_TRUE(part.isVisible()) << step;
        EXPECT_NE(&part, test.window.centralWidget()) << step;
        EXPECT_FALSE(placeOf(*tour).intersects(placeOf(part))) << step;
        for (const QStringList& lacking :
             {testing::namelessControls(*tour), testing::unexplainedControls(*tour), testing::cutTexts(*tour)}) {
            EXPECT_TRUE(lacking.isEmpty()) << step << lacking.join(u'\n').toStdString();
        }
        parts.insert(&part);
        if (button("tourAct")->isEnabled() && button("tourAct")->isVisible()) {
            QTest::keyClick(button("tourAct"), step % 2 == 0 ? Qt::Key_Space : Qt::Key_Return);
            EXPECT_FALSE(button("tourAct")->isEnabled()) << step << ": it is done";
            ++acts;
        }
        QTest::keyClick(button("tourNext"), step % 2 == 0 ? Qt::Key_Space : Qt::Key_Return);
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return tour.isNull(); }, kPatience)) << "the last step ends it";
    EXPECT_EQ(parts.size(), 6U);
    EXPECT_GE(acts, 2);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.window.workspaces().current(), QStringLiteral("objects"));
    EXPECT_GT(test.models.filter.minimum(), test.models.filter.domainMinimum());
    EXPECT_EQ(test.models.display.compare().mode(), vm::CompareViewModel::Mode::off);
    while (test.models.history.stack().canUndo()) {
        test.models.history.undo();
        ASSERT_TRUE(test.settle());
    }
    EXPECT_EQ(test.models.filter.spec(), before);
    EXPECT_EQ(test.models.objects.threshold(), threshold);
}

TEST_F(TourTest, KeepsTheLettersOfItsButtons) {
    test.open("noise", makeNoise(64));
    start();
    test.window.workspaces().show(QStringLiteral("objects"));
    ASSERT_TRUE(test.settle());
    auto* dark = test.part<QCheckBox>("objectsDark");
    ASSERT_NE(dark, nullptr);
    ASSERT_TRUE(dark->isVisible());
    ASSERT_TRUE(button("tourAct")->isEnabled());
    const bool wasDark = dark->isChecked();
    QTest::keyClick(dark, Qt::Key_D, Qt::AltModifier);
    EXPECT_FALSE(button("tourAct")->isEnabled()) << "it is done";
    EXPECT_EQ(dark->isChecked(), wasDark);
    QTest::keyClick(dark, Qt::Key_D, Qt::AltModifier);
    EXPECT_EQ(dark->isChecked(), wasDark) << "Do it is grey, and keeps its letter";
    EXPECT_EQ(tour->step(), 0);
    QTest::keyClick(dark, Qt::Key_N, Qt::AltModifier);
    EXPECT_EQ(tour->step(), 1);
}

TEST_F(TourTest, NoticesWhatIsDoneByHand) {
    test.open("noise", makeNoise(64));
    start();
    ASSERT_TRUE(button("tourAct")->isEnabled());
    test.models.filter.setMinimum(5);
    EXPECT_FALSE(button("tourAct")->isEnabled());
    test.models.filter.reset();
    EXPECT_TRUE(button("tourAct")->isEnabled());
}

TEST_F(TourTest, BeginsWithTheCoinsWhenThereIsNoImage) {
    start();
    EXPECT_EQ(tour->part().objectName(), QStringLiteral("welcomePage"));
    EXPECT_FALSE(button("tourNext")->isEnabled()) << "it waits for an image";
    QTest::keyClick(button("tourAct"), Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    EXPECT_TRUE(test.models.document.title().contains(QStringLiteral("coins")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return tour->step() == 1; }, kPatience)) << "it goes on by itself";
}

TEST_F(TourTest, EndsWithEscapeInAnyControlAndRestoresTheComparison) {
    test.open("noise", makeNoise(64));
    start();
    tour->next();
    button("tourAct")->click();
    ASSERT_EQ(test.models.display.compare().mode(), vm::CompareViewModel::Mode::difference);
    auto* box = test.part<QWidget>("compareMode");
    test.window.canvas()->setFocus();
    QTest::keyClick(box->isVisible() ? box : test.window.canvas(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return tour.isNull(); }, kPatience));
    EXPECT_EQ(test.models.display.compare().mode(), vm::CompareViewModel::Mode::off);
}

TEST_F(TourTest, GoesBackAndStartsAgain) {
    test.open("noise", makeNoise(64));
    start();
    tour->next();
    tour->next();
    tour->back();
    EXPECT_EQ(tour->step(), 1);
    const QPointer<Tour> first = tour;
    start();
    EXPECT_TRUE(first.isNull()) << "there is one at a time";
    tour->back();
    EXPECT_EQ(tour->step(), 0);
}

TEST_F(TourTest, HasItsLettersBesideAPanelWithTheSameOnes) {
    test.open("noise", makeNoise(64));
    test.window.workspaces().show(QStringLiteral("objects")); // Neighbours has the letter of Next
    start();
    test.window.workspaces().show(QStringLiteral("objects"));
    ASSERT_TRUE(test.settle());
    const int step = tour->step();
    ASSERT_TRUE(button("tourNext")->isEnabled());
    QTest::keyClick(&test.window, Qt::Key_N, Qt::AltModifier);
    EXPECT_TRUE(QTest::qWaitFor([&] { return tour->step() == step + 1; }, kPatience));
}

TEST_F(TourTest, StaysBesideItsControlWhenThatIsHiddenOrMoved) {
    test.open("noise", makeNoise(64));
    start();
    QWidget& part = *test.part<QWidget>("criterionControls");
    ASSERT_EQ(&tour->part(), &part);
    test.part<QWidget>("filterDock")->hide();
    EXPECT_EQ(&tour->part(), test.window.centralWidget());
    test.part<QWidget>("filterDock")->show();
    test.window.resize(test.window.size() - QSize(150, 60));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return test.window.rect().contains(placeOf(*tour)) && !placeOf(*tour).intersects(placeOf(part)); },
        kPatience));
}

TEST(Tour, IsOfferedOnce) {
    const QTemporaryDir folder;
    QSettings store(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    {
        TestWindow test;
        offerTour(test.window, test.models, store);
        EXPECT_NE(test.window.findChild<Tour*>(), nullptr);
    }
    TestWindow again;
    offerTour(again.window, again.models, store);
    EXPECT_EQ(again.window.findChild<Tour*>(), nullptr);
}

} // namespace
} // namespace pollard::app
