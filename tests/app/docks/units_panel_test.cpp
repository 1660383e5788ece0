// Units of length in the window: the condition of the Objects panel and the bounds of the filter.
#include "app/test_window.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "vm/recipe/report.hpp"
#include "window/dialogs/batch_dialog.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <cstring>
#include <vector>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;
using State = vm::ObjectsViewModel::State;

class UnitsInPanels : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;

    /// Squares of 10, 20, 30 and 40 px, in a file with a pixel size of @p side µm; 0: without one.
    void open(const char* name, float side) {
        const SharedImage image = makeImage(PixelType::u8, 200, 60, [](std::uint32_t x, std::uint32_t y) {
            const std::uint32_t size = 10 + 10 * (x / 50);
            return x % 50 < size && y >= 5 && y < 5 + size ? 200 : 30;
        });
        std::vector<CopiedTag> tags;
        if (side > 0) {
            const std::string text = "ImageJ=1.53t\nunit=micron\n";
            const float perMicrometre = 1 / side;
            tags = {tag(270, 2, text.size() + 1, text.c_str(), text.size() + 1),
                    tag(282, 5, 1, &perMicrometre, sizeof(float)), tag(283, 5, 1, &perMicrometre, sizeof(float))};
        }
        const QString path = folder.filePath(QString::fromLatin1(name));
        writeTiff(path.toStdString(), {*image, {.carried = tags}}, {.compression = TiffCompression::none});
        test.window.openFile(path);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        return test.models.objects.state() != State::computing &&
                                               !test.models.objectTable.isListing();
                                    },
                                    kPatience);
    }
    [[nodiscard]] static QStringList itemsOf(const QComboBox* box) {
        QStringList items;
        for (int i = 0; i < box->count(); ++i) {
            items << box->itemText(i);
        }
        return items;
    }
    void choose(QComboBox* box, const QString& item) {
        box->setCurrentText(item);
        ASSERT_TRUE(rests());
    }

private:
    static CopiedTag tag(std::uint16_t number, std::uint16_t type, std::uint64_t count, const void* data,
                         std::size_t bytes) {
        CopiedTag made{number, type, count, std::vector<std::byte>(bytes)};
        std::memcpy(made.data.data(), data, bytes);
        return made;
    }
};

TEST_F(UnitsInPanels, OfObjectsAreOfferedAndKeepWhatAConditionMeans) {
    open("half.tif", 0.5F);
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    auto* units = test.part<QComboBox>("objectsUnits");
    auto* condition = test.part<QLineEdit>("objectsCondition");
    EXPECT_EQ(itemsOf(units), QStringList({"px", "nm", "µm", "mm"}));
    EXPECT_EQ(units->currentText(), QStringLiteral("µm")) << "the file has a pixel size";
    condition->setText(QStringLiteral("area > 50")); // excludes the first of 25, 100, 225 and 400 µm²
    ASSERT_TRUE(rests());
    EXPECT_EQ(test.models.objectTable.rowCount(), 3);
    choose(units, QStringLiteral("px"));
    EXPECT_EQ(condition->text(), QStringLiteral("area > 50 µm²"));
    EXPECT_EQ(test.models.objectTable.rowCount(), 3);
    auto* problem = test.part<QLabel>("objectsConditionProblem");
    EXPECT_FALSE(problem->isVisible());
    open("plain.tif", 0);
    EXPECT_EQ(itemsOf(units), QStringList({"px"}));
    EXPECT_FALSE(units->isEnabled());
    EXPECT_TRUE(units->toolTip().contains(QStringLiteral("is unknown"))) << units->toolTip().toStdString();
    EXPECT_TRUE(problem->isVisible());
    EXPECT_EQ(test.models.objectTable.rowCount(), 4) << "nothing is left out by a number of another unit";
}

TEST_F(UnitsInPanels, OfTheReportAreThoseOfTheTable) {
    open("half.tif", 0.5F);
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    const vm::ReportObjects objects = vm::reportObjects(test.models.objectTable);
    const auto area = objects.titles.indexOf(QStringLiteral("Area (µm²)"));
    ASSERT_GE(area, 0) << objects.titles.join(u',').toStdString();
    ASSERT_EQ(objects.rows.size(), 4);
    EXPECT_EQ(objects.rows.first()[area], test.models.objectTable.textOf(ObjectFeature::area, 25));
    choose(test.part<QComboBox>("objectsUnits"), QStringLiteral("px"));
    EXPECT_TRUE(vm::reportObjects(test.models.objectTable).titles.contains(QStringLiteral("Area (px²)")));
}

TEST_F(UnitsInPanels, OfABatchAreThoseOfTheTable) {
    open("plain.tif", 0);
    open("half.tif", 0.5F);
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    test.part<QAction>("applyToFolder")->trigger();
    auto* dialog = test.part<BatchDialog>("batchDialog");
    auto* units = test.part<QComboBox>("batchUnit");
    auto* start = test.part<QPushButton>("batchStart");
    EXPECT_EQ(itemsOf(units), QStringList({"px", "nm", "µm", "mm"}));
    EXPECT_EQ(units->currentText(), QStringLiteral("µm"));
    EXPECT_TRUE(units->isVisible());
    dialog->add({folder.filePath(QStringLiteral("half.tif")), folder.filePath(QStringLiteral("plain.tif"))});
    const auto run = [&](const QString& target, const QString& end) {
        auto* field = test.part<QLineEdit>("batchTarget");
        ASSERT_TRUE(QTest::qWaitFor([&] { return start->isEnabled(); }, kPatience));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, folder.filePath(target));
        start->click();
        const auto* count = test.part<QLabel>("batchCount");
        EXPECT_TRUE(QTest::qWaitFor([&] { return count->text() == end; }, kPatience)) << count->text().toStdString();
    };
    run(QStringLiteral("um"), QStringLiteral("1 done, 1 failed"));
    const auto* files = test.part<QTableView>("batchList")->model();
    EXPECT_TRUE(files->index(1, 4).data().toString().contains(QStringLiteral("'um': the image has no pixel size")))
        << files->index(1, 4).data().toString().toStdString();
    const auto areas = [&](const QString& table, const char* title) {
        QFile file(folder.filePath(table));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << table.toStdString();
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        const auto column = lines.front().split(',').indexOf(title);
        EXPECT_GE(column, 0) << lines.front().toStdString();
        std::vector<double> values;
        for (qsizetype i = 1; column >= 0 && i < lines.size(); ++i) {
            values.push_back(lines[i].split(',')[column].toDouble());
        }
        return values;
    };
    EXPECT_EQ(areas(QStringLiteral("um/half-objects.csv"), "area_um2"), (std::vector<double>{25, 100, 225, 400}));
    EXPECT_EQ(areas(QStringLiteral("um/objects.csv"), "Area (µm²)"), (std::vector<double>{25, 100, 225, 400}));
    units->setCurrentText(QStringLiteral("px"));
    run(QStringLiteral("px"), QStringLiteral("2 done"));
    EXPECT_EQ(areas(QStringLiteral("px/half-objects.csv"), "area"), (std::vector<double>{100, 400, 900, 1600}));
}

TEST_F(UnitsInPanels, OfBoundsAreTypedAndStayExact) {
    open("half.tif", 0.5F);
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.filter.isAvailable(); }, kPatience));
    auto* units = test.part<QComboBox>("boundUnit");
    auto* minimum = test.part<QDoubleSpinBox>("minimum");
    EXPECT_TRUE(units->isVisible());
    EXPECT_EQ(itemsOf(units), QStringList({"px", "nm²", "µm²", "mm²"}));
    choose(units, QStringLiteral("µm²"));
    EXPECT_EQ(minimum->suffix(), QStringLiteral(" µm²"));
    minimum->setFocus();
    minimum->selectAll();
    QTest::keyClicks(minimum, QLocale().toString(60.25));
    QTest::keyClick(minimum, Qt::Key_Return);
    ASSERT_TRUE(rests());
    EXPECT_EQ(toString(test.models.filter.spec().criteria.at(0)), "area>=60.25um2");
    EXPECT_EQ(minimum->text(), QLocale().toString(60.25) + QStringLiteral(" µm²"));
    FilterSpec pixels;
    pixels.criteria = {parseCriterion("area>=241")};
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(pixels)));
    auto* problem = test.part<QLabel>("criterionProblem");
    EXPECT_FALSE(problem->isVisible());
    open("plain.tif", 0);
    test.part<QPushButton>("carriedFilterKeep")->click(); // the unit differs
    ASSERT_TRUE(rests());
    EXPECT_TRUE(problem->isVisible());
    EXPECT_THAT(problem->text().toStdString(), HasSubstr("area>=60.25um2"));
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.models.document.image())) << "it takes no part";
    open("quarter.tif", 0.25F);
    test.part<QPushButton>("carriedFilterKeep")->click();
    ASSERT_TRUE(rests());
    EXPECT_FALSE(problem->isVisible());
    pixels.criteria = {parseCriterion("area>=964")};
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.directResult(pixels)));
    test.models.filter.setAttribute(AttributeId::circularity);
    EXPECT_FALSE(units->isVisible()) << "it has no dimension";
}

} // namespace
} // namespace pollard::app
