// The map of a plate, and the steps between its wells and fields.
#include "app/test_window.hpp"

#include "batch/input_files.hpp"
#include "support/plate_files.hpp"
#include "vm/batch/plate_view_model.hpp"
#include "window/dialogs/plate_dialog.hpp"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTableWidget>
#include <QTemporaryDir>

namespace pollard::app {
namespace {

class PlateWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QString file = folder.filePath(QStringLiteral("screen.zarr"));
    TestWindow test;
    vm::PlateViewModel* plate = nullptr;

    void SetUp() override {
        pollard::test::writePlate(file.toStdString());
        if (imagesListedBy(file.toStdString()).paths.empty()) {
            GTEST_SKIP() << "built without Zarr";
        }
        plate = test.window.findChild<vm::PlateViewModel*>();
        ASSERT_NE(plate, nullptr);
        EXPECT_FALSE(test.part<QAction>("plateMap")->isEnabled());
        test.window.openFile(file + QStringLiteral("/A/1/0"));
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([&] { return plate->well() == 0; }, kPatience));
    }
    void go(const char* action, const QString& place) {
        test.part<QAction>(action)->trigger();
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == file + place; }, kPatience))
            << action << ": " << test.models.document.path().toStdString();
        ASSERT_TRUE(test.settle());
    }
};

TEST_F(PlateWindow, StepsThroughWellsAndFields) {
    EXPECT_TRUE(test.window.windowTitle().startsWith(QStringLiteral("screen.zarr · A/1 · field 0")));
    EXPECT_FALSE(test.part<QAction>("previousWell")->isEnabled());
    go("nextField", QStringLiteral("/A/1/1"));
    EXPECT_FALSE(test.part<QAction>("nextField")->isEnabled());
    go("nextWell", QStringLiteral("/A/10/0")); // without a field 1
    go("nextWell", QStringLiteral("/B/2/0"));
    EXPECT_FALSE(test.part<QAction>("nextWell")->isEnabled()) << "B/3 is missing";
    EXPECT_TRUE(test.window.windowTitle().startsWith(QStringLiteral("screen.zarr · B/2 · field 0")));
    go("previousWell", QStringLiteral("/A/10/0"));
    EXPECT_EQ(test.models.recentFiles.paths().size(), 1) << "one entry for the plate";
}

TEST_F(PlateWindow, ShowsAMapWithImagesAndValues) {
    test.part<QAction>("plateMap")->trigger();
    auto* dialog = test.part<PlateDialog>("plateDialog");
    ASSERT_NE(dialog, nullptr);
    auto* wells = dialog->findChild<QTableWidget*>(QStringLiteral("plateWells"));
    ASSERT_EQ(wells->rowCount(), 2);
    ASSERT_EQ(wells->columnCount(), 12);
    EXPECT_EQ(wells->verticalHeaderItem(1)->text(), QStringLiteral("B"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !plate->isReading(); }, kPatience));
    EXPECT_FALSE(wells->item(0, 0)->data(Qt::DecorationRole).isNull());
    EXPECT_EQ(wells->item(0, 1), nullptr) << "no such well";
    EXPECT_EQ(wells->item(1, 2)->text(), QStringLiteral("missing"));
    EXPECT_TRUE(wells->item(1, 2)->data(Qt::DecorationRole).isNull());
    // One black and white for all: the ramp of A/1 begins at 0, the ramp of A/10 at 100.
    EXPECT_LT(plate->thumbnail(0).pixelColor(0, 0).red(), 5);
    EXPECT_GT(plate->thumbnail(1).pixelColor(0, 0).red(), 150);

    QFile table(folder.filePath(QStringLiteral("objects.csv")));
    ASSERT_TRUE(table.open(QIODevice::WriteOnly));
    table.write("file,area_px\nscreen.zarr/A/1/0,10\nscreen.zarr/A/1/1,30\nscreen.zarr/B/2/0,5\n");
    table.close();
    plate->loadTable(table.fileName());
    ASSERT_TRUE(QTest::qWaitFor([&] { return plate->columns().size() == 2; }, kPatience));
    auto* column = dialog->findChild<QComboBox*>(QStringLiteral("plateColumn"));
    EXPECT_EQ(column->currentText(), QStringLiteral("objects"));
    column->setCurrentIndex(2);
    emit column->activated(2);
    EXPECT_EQ(wells->item(0, 0)->text(), QStringLiteral("20"));
    EXPECT_EQ(wells->item(1, 1)->text(), QStringLiteral("5"));
    EXPECT_EQ(wells->item(0, 9)->text(), QString());
    EXPECT_NE(wells->item(0, 0)->background(), wells->item(1, 1)->background());
    EXPECT_EQ(dialog->findChild<QLabel*>(QStringLiteral("plateLowest"))->text(), QStringLiteral("5"));
    EXPECT_EQ(dialog->findChild<QLabel*>(QStringLiteral("plateHighest"))->text(), QStringLiteral("20"));

    QFile other(folder.filePath(QStringLiteral("other.csv")));
    ASSERT_TRUE(other.open(QIODevice::WriteOnly));
    other.write("file,label,area_px\nscreen.zarr/A/1/0,1,10\nscreen.zarr/A/10/0,1,8.3\nscreen.zarr/B/2/0,1,5\n");
    other.close();
    plate->loadTable(other.fileName());
    ASSERT_TRUE(QTest::qWaitFor([&] { return plate->value(1).has_value(); }, kPatience));
    EXPECT_EQ(plate->columns(), (QStringList{QStringLiteral("objects"), QStringLiteral("area_px")})) << "no label";
    plate->setColumn(1);
    ASSERT_EQ(wells->item(0, 9)->text(), QStringLiteral("8.3"));
    EXPECT_EQ(wells->item(0, 9)->foreground().color(), QColor(Qt::black)) << "on a light green";
    EXPECT_EQ(wells->item(1, 1)->foreground().color(), QColor(Qt::white)) << "on dark violet";
    QTest::mouseClick(wells->viewport(), Qt::LeftButton, Qt::NoModifier,
                      wells->visualItemRect(wells->item(1, 1)).center());
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.path() == file + QStringLiteral("/B/2/0"); }, kPatience));
    ASSERT_TRUE(test.settle());
}

} // namespace
} // namespace pollard::app
