#include "app/test_window.hpp"

#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/report.hpp"
#include "vm/tree/tree_export.hpp"
#include "window/files/document_files.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QStatusBar>
#include <QToolButton>
#include <QXmlStreamReader>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SharedImage makeDots() {
    return makeImage(PixelType::u8, 40, 30, [](std::uint32_t x, std::uint32_t y) {
        return static_cast<int>(x % 8 < 3 && y % 10 < 3 ? 100 + x : 10);
    });
}

TEST(TreeExport, WritesEveryKindOfFile) {
    TestWindow test;
    auto* exporter = test.window.findChild<vm::TreeExport*>();
    ASSERT_NE(exporter, nullptr);
    const auto* action = test.part<QAction>("exportTreeTable");
    EXPECT_FALSE(exporter->isAvailable());
    EXPECT_FALSE(action->isEnabled());
    test.open("dots", makeDots());
    EXPECT_TRUE(action->isEnabled());
    QSignalSpy saved(exporter, &vm::TreeExport::saved);
    QSignalSpy failed(exporter, &vm::TreeExport::failed);
    const QTemporaryDir folder;
    const std::map<vm::TreeFile, std::string> starts{{vm::TreeFile::table, "id,parent,level"},
                                                     {vm::TreeFile::array, "\x93NUMPY"},
                                                     {vm::TreeFile::parents, "II*"},
                                                     {vm::TreeFile::parentArray, "\x93NUMPY"},
                                                     {vm::TreeFile::graph, "digraph tree"}};
    for (const vm::TreeFile kind : vm::kTreeFiles) {
        const QString path = folder.filePath(QStringLiteral("%1.%2").arg(static_cast<int>(kind)).arg(suffixOf(kind)));
        exporter->save(kind, path);
        EXPECT_FALSE(exporter->isAvailable());
        ASSERT_TRUE(QTest::qWaitFor([&] { return exporter->isAvailable(); }, kPatience));
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        EXPECT_EQ(file.readAll().toStdString().rfind(starts.at(kind), 0), 0U) << path.toStdString();
    }
    EXPECT_EQ(saved.size(), 5);
    EXPECT_EQ(failed.size(), 0);
    exporter->save(vm::TreeFile::table, folder.filePath(QStringLiteral("missing/t.csv")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.size() == 1; }, kPatience));
    EXPECT_EQ(test.errors.texts.size(), 1);
}

TEST(SavedNotice, HasAButtonForTheFolderAsLongAsItIsShown) {
    TestWindow test;
    test.open("dots", makeDots());
    const auto* button = test.part<QToolButton>("showInFolder");
    EXPECT_FALSE(button->isVisible());
    const QTemporaryDir folder;
    auto* exporter = test.window.findChild<vm::TreeExport*>();
    exporter->save(vm::TreeFile::table, folder.filePath(QStringLiteral("dots.csv")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return button->isVisible(); }, kPatience));
    EXPECT_EQ(test.window.statusBar()->currentMessage(),
              QStringLiteral("Saved dots.csv in %1").arg(QDir::toNativeSeparators(folder.path())));
    test.window.statusBar()->showMessage(QStringLiteral("Something else"));
    EXPECT_FALSE(button->isVisible());
}

TEST(Report, TellsWhatWasDoneAndNeedsNoOtherFile) {
    TestWindow test;
    test.open("a <b>.tif", makeDots());
    test.models.filter.criteria().assign({parseCriterion("area>=4"), parseCriterion("height<=80")}, Match::any);
    test.models.filter.setRule(Rule::subtractive);
    ASSERT_TRUE(test.settle());
    vm::DocumentReport report =
        vm::reportOf(test.models.document, QStringLiteral("9.8.7"), QStringLiteral("pollard-cli run <r>"));
    report.images << vm::ReportImage{QStringLiteral("a & b"), QByteArray("\x89PNG")};
    const std::string html = vm::htmlOf(report).toStdString();
    EXPECT_THAT(html, HasSubstr("a &lt;b&gt;.tif"));
    EXPECT_THAT(html, Not(HasSubstr("<b>")));
    EXPECT_THAT(html, HasSubstr("data:image/png;base64," + QByteArray("\x89PNG").toBase64().toStdString()));
    EXPECT_THAT(html, HasSubstr("9.8.7"));
    EXPECT_THAT(html, HasSubstr("area&gt;=4"));
    EXPECT_THAT(html, HasSubstr("<pre>pollard-cli run &lt;r&gt;</pre>"));
    EXPECT_THAT(html, HasSubstr("Urbach"));
    EXPECT_THAT(html, HasSubstr("Salembier"));
    EXPECT_THAT(html, HasSubstr("libtiff"));
    EXPECT_THAT(html, Not(HasSubstr("http")));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(Report, HasTheFirstObjectsAndTheirNumber) {
    TestWindow test;
    test.open("grid", makeImage(PixelType::u8, 60, 40,
                                [](std::uint32_t x, std::uint32_t y) { return x % 3 == 0 && y % 2 == 0 ? 200 : 10; }));
    EXPECT_TRUE(vm::reportObjects(test.models.objectTable).summary.isEmpty());
    test.models.objects.setActive(true);
    auto& table = test.models.objectTable;
    ASSERT_TRUE(QTest::qWaitFor([&] { return table.rowCount() == 400; }, kPatience));
    table.setCondition(QStringLiteral("area < 2"));
    vm::DocumentReport report = vm::reportOf(test.models.document, QStringLiteral("1"), {});
    EXPECT_THAT(vm::htmlOf(report).toStdString(), Not(HasSubstr("Objects")));
    report.objects = vm::reportObjects(table);
    EXPECT_EQ(report.objects.rows.size(), 200);
    EXPECT_EQ(report.objects.rows.last().first(), QStringLiteral("200"));
    const std::string html = vm::htmlOf(report).toStdString();
    EXPECT_THAT(html, HasSubstr("<p>400 objects"));
    EXPECT_THAT(html, HasSubstr("<p>Condition: area &lt; 2</p>"));
    EXPECT_THAT(html, HasSubstr("<p>The first 200 of 400 rows</p>"));
    EXPECT_THAT(html, HasSubstr("<td>200</td>"));

    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.html"));
    auto* exporter = test.window.findChild<vm::ReportExport*>();
    exporter->save(report, path);
    EXPECT_TRUE(exporter->isBusy());
    EXPECT_FALSE(test.part<QAction>("saveReport")->isEnabled());
    ASSERT_TRUE(QTest::qWaitFor([&] { return exporter->isAvailable(); }, kPatience));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().toStdString(), html);
    exporter->save(report, folder.filePath(QStringLiteral("missing/report.html")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.errors.titles.isEmpty(); }, kPatience));
    EXPECT_EQ(test.errors.titles, QStringList{QStringLiteral("The report was not saved")});
}

TEST(Report, HasAnImageOfEveryChartThatIsSeen) {
    TestWindow test;
    test.open("dots", makeDots());
    const auto captions = [&] {
        QStringList names;
        for (const vm::ReportImage& chart : reportImages(test.window, nullptr, nullptr)) {
            QImage image;
            EXPECT_TRUE(image.loadFromData(chart.png, "png")) << chart.caption.toStdString();
            names << chart.caption;
        }
        return names;
    };
    const std::map<const char*, const char*> charts{{"filterDock", "attributeHistogram"},
                                                    {"displayDock", "histogram"},
                                                    {"chainDock", "chainChart"},
                                                    {"icicleDock", "icicleView"},
                                                    {"planeDock", "planeView"}};
    for (const auto& [dockName, chartName] : charts) {
        auto* dock = test.part<QDockWidget>(dockName);
        const auto* chart = test.part<QWidget>(chartName);
        ASSERT_TRUE(dock != nullptr && chart != nullptr);
        ASSERT_FALSE(chart->accessibleName().isEmpty()) << chartName;
        dock->show();
        dock->raise();
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                test.models.chain.hover({20.5, 15.5}); // without a chain its panel has a hint in place of the chart
                return captions().contains(chart->accessibleName());
            },
            kPatience))
            << chartName << " is not in " << captions().join(u", ").toStdString();
        dock->hide();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !captions().contains(chart->accessibleName()); }, kPatience))
            << chartName;
    }
}

TEST(Report, HasTheCommandThatGivesTheSame) {
    TestWindow test;
    const auto* recipe = test.window.findChild<vm::RecipeViewModel*>();
    EXPECT_TRUE(recipe->commandLine().isEmpty()) << "nothing is open";
    test.open("it's.tif", makeDots());
    EXPECT_TRUE(recipe->commandLine().contains(QStringLiteral("pollard-cli run"))) << "nothing is decided by";
    test.models.filter.criteria().assign({parseCriterion("area>=4")}, Match::all);
    test.models.filter.setRule(Rule::min);
    test.models.filter.setOutput(Output::mask);
    test.models.document.choices().setConnectivity(Connectivity::eight);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(recipe->commandLine().toStdString(),
              "pollard-cli filter '/memory/it'\\''s.tif' --connectivity 8 --keep 'area>=4' --rule min --output mask -o "
              "'it'\\''s_mask.tif'");
    test.models.filter.picks().assign({0}, {});
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(recipe->commandLine().contains(QStringLiteral("\"removed\": [\n"))) << "picks are no options";
}

TEST(FileDialogs, StartInTheFolderOfTheImage) {
    TestWindow test;
    const QTemporaryDir folder;
    const QDir images(folder.path());
    ASSERT_TRUE(images.mkdir(QStringLiteral("other")));
    for (const char* name : {"a.tif", "other/b.tif"}) {
        writeTiff(images.filePath(QLatin1String(name)).toStdString(), *makeDots());
    }
    for (const char* name : {"a.tif", "other/b.tif"}) {
        const QString path = images.filePath(QLatin1String(name));
        test.window.openFile(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == path; }, kPatience));
        EXPECT_EQ(QDir(test.models.settings.lastDirectory()), QFileInfo(path).dir());
    }
    test.part<QAction>("trySample")->trigger();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test.models.document.path().endsWith(QStringLiteral("coins_384x303_u8.tif")); }, kPatience));
    EXPECT_EQ(QDir(test.models.settings.lastDirectory()), QDir(images.filePath(QStringLiteral("other"))))
        << "nothing is saved beside the copy of a sample";
}

} // namespace
} // namespace pollard::app
