#include "app/test_window.hpp"
#include "base/text.hpp"

#include "docks/charts/level_charts.hpp"
#include "docks/filter/criterion_controls.hpp"
#include "docks/objects/objects_table.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/recipe/chart_tables.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "window/files/data_menu.hpp"

#include <QAbstractItemView>
#include <QChartView>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QMenu>
#include <QStandardItemModel>
#include <QXmlStreamReader>

namespace pollard::app {
namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(DataMenu, EveryChartHasOne) {
    TestWindow test;
    for (const QChartView* chart : test.window.findChildren<QChartView*>()) {
        EXPECT_EQ(chart->findChildren<DataMenu*>(QString(), Qt::FindDirectChildrenOnly).size(), 1)
            << chart->objectName().toStdString();
    }
}

TEST(DataMenu, DataOfTheHistogramAreThoseOfTheImage) {
    TestWindow test;
    test.open("noise", makeNoise(40));
    const auto* menu = test.part<HistogramView>("histogram")->findChild<DataMenu*>();
    ASSERT_NE(menu, nullptr);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("h.csv"));
    ASSERT_EQ(menu->saveData(path), QString());
    std::vector<int> counts(256, 0);
    for (const std::uint8_t level : test.models.document.image()->pixels<std::uint8_t>()) {
        ++counts[level];
    }
    const QList<QByteArray> lines = contentOf(path).split('\n');
    ASSERT_EQ(lines.size(), 258);
    for (int level = 0; level < 256; ++level) {
        EXPECT_EQ(lines[level + 1],
                  QByteArray::number(level) + ",1," + QByteArray::number(counts[static_cast<std::size_t>(level)]));
    }
}

TEST(DataMenu, ImagesAreWhatTheirNameSays) {
    TestWindow test;
    test.open("noise", makeNoise(40));
    auto* chart = test.part<HistogramView>("histogram");
    const auto* menu = chart->findChild<DataMenu*>();
    const QTemporaryDir folder;
    const QString svg = folder.filePath(QStringLiteral("h.svg"));
    ASSERT_EQ(menu->saveImage(svg), QString());
    QXmlStreamReader xml(contentOf(svg));
    int paths = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        paths += xml.isStartElement() && (xml.name() == u"path" || xml.name() == u"polyline") ? 1 : 0;
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_GT(paths, 5) << "lines, not an image of them";
    const QString png = folder.filePath(QStringLiteral("h.png"));
    ASSERT_EQ(menu->saveImage(png), QString());
    const QImage image(png);
    EXPECT_EQ(image.size(), chart->size() * 2);
    menu->copyImage();
    EXPECT_EQ(QGuiApplication::clipboard()->image().size(), image.size());
    EXPECT_FALSE(menu->saveImage(folder.filePath(QStringLiteral("missing/h.png"))).isEmpty());
}

TEST(DataMenu, UnitsRowIsKeptForTheNextTime) {
    TestWindow test;
    test.open("noise", makeNoise(40));
    auto* menu = test.part<HistogramView>("histogram")->findChild<DataMenu*>();
    const auto toggle = [&] {
        QMenu* open = menu->makeMenu();
        open->actions().back()->trigger();
        delete open;
    };
    menu->copyData();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("level from (grey)\t")));
    toggle();
    menu->copyData();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("level from\t")));
    EXPECT_TRUE(test.models.store.value(QStringLiteral("export/unitsRow")).toBool());
}

TEST(DataMenu, CopiesTheSelectedRowsOfATable) {
    TestWindow test;
    test.open("blobs", makeImage(PixelType::u8, 64, 64,
                                 [](std::uint32_t x, std::uint32_t y) { return x % 16 < 6 && y % 16 < 6 ? 200 : 10; }));
    auto* dock = test.part<QDockWidget>("objectsDock");
    dock->show();
    dock->raise();
    auto* table = test.part<ObjectsTable>("objectsTable");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 16; }, kPatience));
    table->setFocus();
    table->selectionModel()->select(QItemSelection(table->model()->index(2, 0), table->model()->index(4, 0)),
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
    ASSERT_EQ(lines.size(), 5) << "titles, three rows, an end";
    for (int row = 2; row <= 4; ++row) {
        const QVariant area = table->model()->index(row, 1).data(Qt::UserRole);
        EXPECT_EQ(lines[row - 1].section(u'\t', 1, 1), vm::exactNumber(area.toDouble()));
    }
}

TEST(DataMenu, TakesTheValuesOfAModelAndItsTitlesApart) {
    QStandardItemModel model(2, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("Area (px²)"), QStringLiteral("Name")});
    for (int row = 0; row < 2; ++row) {
        model.setItem(row, 0, new QStandardItem(QStringLiteral("1.2 k")));
        model.item(row, 0)->setData(1234.5 + row, Qt::UserRole);
        model.setItem(row, 1, new QStandardItem(QStringLiteral("row %1").arg(row)));
    }
    model.item(0, 0)->appendRow(new QStandardItem(QStringLiteral("child")));
    const vm::DataTable all = vm::tableOf(model);
    EXPECT_EQ(all.names, QStringList({"Area", "Name"}));
    EXPECT_EQ(all.units, QStringList({"px²", ""}));
    EXPECT_EQ(all.rows, (QList<QStringList>{{"1234.5", "row 0"}, {"child", ""}, {"1235.5", "row 1"}}));
    EXPECT_EQ(vm::tableOf(model, {1}).rows, (QList<QStringList>{{"1235.5", "row 1"}}));
}

/// Sum of a column of integers; checks that every row has as many cells as there are names and units.
qulonglong sumOf(const vm::DataTable& table, qsizetype column) {
    EXPECT_EQ(table.names.size(), table.units.size());
    qulonglong sum = 0;
    for (const QStringList& row : table.rows) {
        EXPECT_EQ(row.size(), table.names.size());
        sum += row[column].toULongLong();
    }
    return sum;
}

TEST(ChartTables, CountEveryComponentOnce) {
    TestWindow test;
    test.open("noise", makeNoise(40));
    const char* docks[] = {"spectrumDock", "chainDock", "planeDock"};
    for (const char* name : docks) {
        auto* dock = test.part<QDockWidget>(name);
        dock->show();
        dock->raise();
        ASSERT_TRUE(test.settle());
        if (dock->objectName() == QLatin1String("chainDock")) {
            test.models.chain.hold({5, 5});
            ASSERT_TRUE(QTest::qWaitFor([&] { return !vm::tableOf(test.models.chain).isEmpty(); }, kPatience));
            const vm::DataTable chain = vm::tableOf(test.models.chain);
            ASSERT_EQ(chain.rows.size(), static_cast<qsizetype>(test.models.chain.chain().size()));
            EXPECT_EQ(chain.rows.back()[1], QStringLiteral("1600")) << "the last one is the whole image";
            sumOf(chain, 0);
        }
    }
    const qulonglong nodes = test.models.document.tree()->nodeCount();
    const auto& plane = *test.window.findChild<vm::AttributePlaneViewModel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return plane.counted() != nullptr; }, kPatience));
    EXPECT_EQ(sumOf(vm::tableOf(plane), 4) + plane.counted()->plane.outside, nodes);
    const auto& bars = test.part<AttributeHistogramView>("attributeHistogram")->model();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bars.isEmpty(); }, kPatience));
    EXPECT_EQ(sumOf(vm::tableOf(bars), 2), nodes);
    test.part<QDockWidget>("spectrumDock")->raise();
    const auto& spectrum = *test.window.findChild<vm::SpectrumViewModel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return spectrum.state() == vm::SpectrumViewModel::State::ready; }, kPatience));
    const vm::DataTable shares = vm::tableOf(spectrum);
    sumOf(shares, 0);
    double all = 0;
    for (const QStringList& row : shares.rows) {
        all += row[2].toDouble();
    }
    EXPECT_NEAR(all, 100, 1e-6);
    EXPECT_NEAR(shares.rows.back()[3].toDouble(), 100, 1e-6);
}

TEST(DataMenu, HasNothingToCopyWithoutAnImage) {
    TestWindow test;
    auto* menu = test.part<HistogramView>("histogram")->findChild<DataMenu*>();
    QMenu* open = menu->makeMenu();
    EXPECT_TRUE(open->actions().at(0)->isEnabled());
    EXPECT_FALSE(open->actions().at(1)->isEnabled());
    delete open;
}

} // namespace
} // namespace pollard::app
