// The tour in the real window.
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "window/dialogs/tour.hpp"

#include <QMenuBar>
#include <QPointer>
#include <QSettings>
#include <QTemporaryDir>

#include <set>

namespace pollard::app {
namespace {

QRect placeOf(const QWidget& widget) { return {widget.mapTo(widget.window(), QPoint()), widget.size()}; }

TEST(Tour, GoesByThePartsOfTheWindowAndDoesNotHideThem) {
    TestWindow test;
    test.open("noise", makeNoise(32));
    auto* action = test.part<QAction>("tour");
    ASSERT_NE(action, nullptr);
    action->trigger();
    const QPointer<Tour> tour = test.window.findChild<Tour*>();
    ASSERT_NE(tour, nullptr);
    std::set<const QWidget*> parts;
    for (int step = 0; step < tour->stepCount(); ++step) {
        ASSERT_EQ(tour->step(), step);
        QCoreApplication::processEvents();
        const QRect note = placeOf(*tour);
        EXPECT_TRUE(test.window.rect().contains(note)) << step;
        EXPECT_TRUE(tour->part().isVisible()) << step;
        if (&tour->part() != test.window.centralWidget()) {
            EXPECT_FALSE(note.intersects(placeOf(tour->part()))) << step;
        }
        for (const QStringList& lacking :
             {testing::namelessControls(*tour), testing::unexplainedControls(*tour), testing::cutTexts(*tour)}) {
            EXPECT_TRUE(lacking.isEmpty()) << step << lacking.join(u'\n').toStdString();
        }
        parts.insert(&tour->part());
        QTest::keyClick(tour->findChild<QWidget*>(QStringLiteral("tourNext")),
                        step % 2 == 0 ? Qt::Key_Space : Qt::Key_Return);
    }
    EXPECT_GE(parts.size(), 5U);
    EXPECT_TRUE(QTest::qWaitFor([&] { return tour.isNull(); }, kPatience)) << "the last step ends it";
}

TEST(Tour, GoesBackAndEndsWithEscape) {
    TestWindow test;
    startTour(test.window);
    const QPointer<Tour> first = test.window.findChild<Tour*>();
    first->next();
    first->next();
    first->back();
    EXPECT_EQ(first->step(), 1);
    startTour(test.window);
    EXPECT_TRUE(first.isNull()) << "there is one at a time";
    const QPointer<Tour> second = test.window.findChild<Tour*>();
    ASSERT_NE(second, nullptr);
    second->back();
    EXPECT_EQ(second->step(), 0);
    QTest::keyClick(second.data(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return second.isNull(); }, kPatience));
}

TEST(Tour, StaysBesideItsPartWhenThatIsClosedOrMoved) {
    TestWindow test;
    startTour(test.window);
    const QPointer<Tour> tour = test.window.findChild<Tour*>();
    tour->next();
    tour->next();
    QWidget& filter = *test.part<QWidget>("filterDock");
    ASSERT_EQ(&tour->part(), &filter);
    filter.hide();
    EXPECT_EQ(&tour->part(), test.window.centralWidget());
    filter.show();
    test.window.resize(test.window.size() - QSize(150, 60));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return test.window.rect().contains(placeOf(*tour)) && !placeOf(*tour).intersects(placeOf(filter)); },
        kPatience));
}

TEST(Tour, IsOfferedOnce) {
    const QTemporaryDir folder;
    QSettings store(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    {
        TestWindow test;
        offerTour(test.window, store);
        EXPECT_NE(test.window.findChild<Tour*>(), nullptr);
    }
    TestWindow again;
    offerTour(again.window, store);
    EXPECT_EQ(again.window.findChild<Tour*>(), nullptr);
}

} // namespace
} // namespace pollard::app
