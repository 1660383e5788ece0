// User scenarios: a microscopist, a satellite analyst, a researcher, a teacher, the outlining of an object, and the
// first count and its repetition for a folder. Each uses controls by their visible names, at two window sizes, and
// checks the resulting files.
#include "app/docks/contour_dock.hpp"
#include "app/jobs/person.hpp"

#include "batch/input_files.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/channel_files.hpp"
#include "support/map_tags.hpp"
#include "support/plate_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/session/stored_sessions.hpp"
#include "window/menus/stored_sessions_menu.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>

namespace pollard::app {
namespace {

class Jobs : public ::testing::TestWithParam<QSize> {
protected:
    QTemporaryDir folder;
    TestWindow test;
    Person person{test};
    vm::StoredSessions kept{test.models.sessions, file("state")};

    void SetUp() override {
        addStoredSessions(test.window, test.models, kept, test.errors);
        test.window.resize(GetParam());
        test.window.move(0, 0);
    }
    void TearDown() override { EXPECT_EQ(test.errors.texts, QStringList()); }

    [[nodiscard]] QString file(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] static QString sample(const char* name) {
        return QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/") + QLatin1String(name);
    }
    /// The content of a file, after waiting for it.
    [[nodiscard]] QByteArray written(const QString& path) {
        Person::endIfFailed();
        EXPECT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path); }, kPatience)) << path.toStdString();
        QFile source(path);
        EXPECT_TRUE(source.open(QIODevice::ReadOnly)) << path.toStdString();
        Person::endIfFailed();
        return source.readAll();
    }
    /// Ctrl+Q with the answer that keeps the work.
    void leaveAndKeep() {
        ASSERT_TRUE(activate(test.window));
        QTest::keyClick(&test.window, Qt::Key_Q, Qt::ControlModifier);
        person.keepWork();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !test.window.isVisible(); }, kPatience));
        EXPECT_FALSE(QDir(file("state")).entryList({QStringLiteral("kept-*.pollard")}, QDir::Files).isEmpty());
    }
};

/// The sorted numbers of a column; the first row has the names.
std::vector<double> column(const QList<QStringList>& rows, const QString& name) {
    const qsizetype at = rows.front().indexOf(name);
    EXPECT_GE(at, 0) << name.toStdString() << " is not in " << rows.front().join(u", ").toStdString();
    std::vector<double> numbers;
    for (qsizetype row = 1; at >= 0 && row < rows.size(); ++row) {
        bool isNumber = false;
        numbers.push_back(QLocale().toDouble(rows[row][at], &isNumber));
        EXPECT_TRUE(isNumber) << rows[row][at].toStdString();
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

QList<QStringList> rowsOf(const QByteArray& csv) {
    QList<QStringList> rows;
    for (const QString& line : QString::fromUtf8(csv).split(u'\n', Qt::SkipEmptyParts)) {
        rows << line.split(u',');
    }
    return rows;
}

TEST_P(Jobs, AMicroscopistMeasuresCellsInMicrometres) {
    person.open(sample("coins_384x303_u8.tif"));
    person.panel(QStringLiteral("Filter"));
    person.type(QStringLiteral("Smallest value that is kept"), QStringLiteral("4000"));
    person.choose(QStringLiteral("Output"), QStringLiteral("Residue"));
    person.reads(QStringLiteral("\n128\n")); // nodes kept
    person.panel(QStringLiteral("Image"));
    person.type(QStringLiteral("Pixel size"), QStringLiteral("0.5"));
    person.panel(QStringLiteral("Objects"));
    EXPECT_EQ(person.valueOf(QStringLiteral("Of")), QStringLiteral("Result (as shown)"));
    person.choose(QStringLiteral("Threshold"), QStringLiteral("Li"));
    person.reads(QStringLiteral("59 objects"));
    person.choose(QStringLiteral("Unit of lengths"), QStringLiteral("µm"));
    person.press(QStringLiteral("Without those at the border"));
    person.reads(QStringLiteral("5 at the border left out"));
    person.type(QStringLiteral("Condition for the rows"), QStringLiteral("area >= 125 µm²")); // 500 px
    person.reads(QStringLiteral("24 of "));
    const auto shown = column(person.table(), QStringLiteral("Area (µm²)"));
    person.answer(file("cells.csv"));
    person.press(QStringLiteral("Save the objects"), QStringLiteral("Table (CSV)…"));
    const auto saved = column(rowsOf(written(file("cells.csv"))), QStringLiteral("Area (µm²)"));
    ASSERT_EQ(saved.size(), shown.size());
    EXPECT_EQ(saved.size(), 24U);
    for (std::size_t i = 0; i < saved.size(); ++i) {
        EXPECT_NEAR(saved[i], shown[i], shown[i] * 1e-3); // the table shows fewer digits
        EXPECT_GE(saved[i], 125);
    }
    leaveAndKeep();
}

TEST_P(Jobs, ASatelliteAnalystOutlinesFieldsOnTheMap) {
    POLLARD_NEED_PROJ();
    const auto fields = makeImage(PixelType::u16, 120, 90, [](std::uint32_t x, std::uint32_t y) {
        return x % 40 >= 8 && x % 40 < 30 && y % 30 >= 5 && y % 30 < 25 ? 9000 : static_cast<int>(500 + (x * y) % 7);
    });
    PlaneFacts facts;
    facts.carried = testing::mapTags(testing::MapKeys::geographic(4326), 16, 48.5, 0.001, 0.001);
    writeTiff(file("fields.tif").toStdString(), {*fields, facts});
    writeTiff(file("plain.tif").toStdString(), {*fields, facts});
    person.open(file("fields.tif"));
    person.pointAt({10, 10});
    person.reads(QStringLiteral("°"));
    person.panel(QStringLiteral("Filter"));
    person.type(QStringLiteral("Smallest value that is kept"), QStringLiteral("100"));
    person.panel(QStringLiteral("Objects"));
    person.reads(QStringLiteral("9 objects"));
    person.answer(file("fields.geojson"));
    person.press(QStringLiteral("Save the objects"), QStringLiteral("Outlines (GeoJSON)…"));
    const QJsonArray features =
        QJsonDocument::fromJson(written(file("fields.geojson"))).object()[QStringLiteral("features")].toArray();
    ASSERT_EQ(features.size(), 9);
    for (const auto& feature : features) {
        for (const auto& corner : feature[QStringLiteral("geometry")][QStringLiteral("coordinates")][0].toArray()) {
            EXPECT_TRUE(corner[0].toDouble() >= 16 && corner[0].toDouble() <= 16.12) << corner[0].toDouble();
            EXPECT_TRUE(corner[1].toDouble() >= 48.41 && corner[1].toDouble() <= 48.5) << corner[1].toDouble();
        }
    }
    // The next image: the filter of the fields is carried over and can be cleared immediately.
    person.open(file("plain.tif"), true);
    person.reads(QStringLiteral("fields.tif"));
    person.press(QStringLiteral("Clear"));
    person.panel(QStringLiteral("Filter"));
    EXPECT_FALSE(person.isEnabled(QStringLiteral("Clear the filter")));
    leaveAndKeep();
}

TEST_P(Jobs, AResearcherLooksIntoTheTreeAndReports) {
    person.open(sample("tissue_ihc_512_u16.tif"));
    person.panel(QStringLiteral("Filter"));
    person.type(QStringLiteral("Smallest value that is kept"), QStringLiteral("20"));
    person.panel(QStringLiteral("Attribute plane"));
    person.panel(QStringLiteral("Tree"));
    person.panel(QStringLiteral("Chain"));
    person.pointAt({250, 250});
    const QList<QStringList> chain = person.table();
    EXPECT_GT(chain.size(), 5);
    const auto areas = column(chain, QStringLiteral("Area"));
    ASSERT_FALSE(areas.empty());
    EXPECT_EQ(areas.back(), 512 * 512) << "the root";
    person.answer(file("tissue.html"));
    person.menu({QStringLiteral("File"), QStringLiteral("Save report…")});
    const QByteArray report = written(file("tissue.html"));
    EXPECT_GE(report.count("data:image/png"), 3) << "view, histogram of the attribute, chain";
    EXPECT_TRUE(report.contains("Area against level along the chain"));
    EXPECT_TRUE(report.contains("area&gt;=20"));
    person.confirm(QStringLiteral("Save…"));
    person.answer(file("tissue.csv"));
    person.menu({QStringLiteral("File"), QStringLiteral("Export tree"), QStringLiteral("Table of components…")});
    const auto nodes = rowsOf(written(file("tissue.csv")));
    EXPECT_EQ(static_cast<std::size_t>(nodes.size() - 1), test.models.document.tree()->nodeCount());
    leaveAndKeep();
}

TEST_P(Jobs, ATeacherStepsThroughAnAlgorithmAndPrintsExercises) {
    person.menu({QStringLiteral("Teach"), QStringLiteral("Grid lab")});
    person.window(QStringLiteral("Grid lab"));
    for (int step = 0; step < 3; ++step) {
        person.press(QStringLiteral("One step on"));
    }
    person.reads(QStringLiteral("Step 3 of "));
    person.press(QStringLiteral("One step back"));
    person.reads(QStringLiteral("Step 2 of "));
    person.press(QStringLiteral("Last step"));
    person.press(QStringLiteral("First step"));
    person.reads(QStringLiteral("Step 0 of "));
    person.press(QStringLiteral("Guess first"));
    person.menu({QStringLiteral("Teach"), QStringLiteral("Print exercises…")});
    person.window(QStringLiteral("Exercises"));
    person.type(QStringLiteral("Number of the sheet"), QStringLiteral("7"));
    person.press(QStringLiteral("With the answers"));
    person.answer(file("sheet.pdf"));
    person.press(QStringLiteral("Save as PDF…"));
    EXPECT_TRUE(written(file("sheet.pdf")).startsWith("%PDF-"));
    person.press(QStringLiteral("Close"));
}

TEST_P(Jobs, AnObjectIsOutlinedAndFollowedOverPages) {
    const SharedImage page = disc();
    writeTiff(file("discs.tif").toStdString(), {3, [&](int, const JobControl&) { return Plane{ownedRows(page)}; }},
              {.compression = TiffCompression::none, .arePages = true});
    person.open(file("discs.tif"));
    const int before = person.clicks();
    person.press(QStringLiteral("Contour"));
    person.panel(QStringLiteral("Contour"));
    EXPECT_EQ(person.valueOf(QStringLiteral("Compare with")), QStringLiteral("Surroundings"));
    person.press(QStringLiteral("Draw a rectangle"));
    person.drag({26, 26}, {94, 94});
    person.press(QStringLiteral("Last state"));
    const vm::ContourRuns& runs = test.models.contours.runs();
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs.isFinished() && runs.shown() + 1 == runs.stateCount(); }, kPatience));
    person.reads(QStringLiteral("2,8")); // 2,827 px in the disc
    const int outlined = person.clicks() - before;
    EXPECT_EQ(outlined, 4) << "Contour; Draw a rectangle, the drag; Last state";
    person.answer(file("disc.tif"));
    person.press(QStringLiteral("Save the contour"), QStringLiteral("Mask (TIFF)…"));
    const QByteArray tiff = written(file("disc.tif"));
    const LoadedImage mask = readImage(file("disc.tif").toStdString());
    const auto pixels = mask.image->pixels<std::uint8_t>();
    const auto inside = std::count(pixels.begin(), pixels.end(), 255);
    EXPECT_NEAR(static_cast<double>(inside), 2827, 60);
    person.reads(QLocale().toString(static_cast<qlonglong>(inside))); // px inside, below the charts
    const int saved = person.clicks();
    person.press(QStringLiteral("Follow over the pages"));
    person.reads(QStringLiteral("3 contours on 3 pages"));
    EXPECT_EQ(outlined + person.clicks() - saved, 5) << "from the image to the followed contour";
    leaveAndKeep();
}

TEST_P(Jobs, AnEmbryoIsProjectedAndItsNucleiAreFollowedOverTime) {
    QDir(folder.path()).mkdir(QStringLiteral("embryos"));
    const auto write = [&](const char* name, const std::vector<StackAxis>& axes, std::size_t slices,
                           std::size_t times) {
        test::writeStack(file(name).toStdString(), axes, 120, 90,
                         [=](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                             const auto left = static_cast<std::uint32_t>(20 + 6 * at[times]);
                             const bool first = at[slices] == 0 && x >= left && x < left + 20 && y >= 20 && y < 40;
                             const bool second = at[slices] == 2 && x >= 80 && x < 100 && y >= 50 && y < 70;
                             return first || second ? 900 : 10;
                         });
    };
    const StackAxis channels{'c', 2, {"DAPI", "GFP"}};
    write("embryos/first.ome.tif", {channels, {'z', 3, {}}, {'t', 2, {}}}, 1, 2);
    write("embryos/second.ome.tif", {{'t', 2, {}}, {'z', 3, {}}, channels}, 1, 0);
    person.open(file("embryos/first.ome.tif"));
    person.menu({QStringLiteral("Image"), QStringLiteral("Slices"), QStringLiteral("Maximum projection")});
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.models.document.request().projection.has_value(); }, kPatience));
    person.press(QStringLiteral("Objects"));
    person.panel(QStringLiteral("Objects"));
    person.reads(QStringLiteral("2 objects"));
    person.press(QStringLiteral("Tracks over the pages"));
    person.press(QStringLiteral("Follow over time"));
    person.reads(QStringLiteral("4 objects on 2 tracks over 2 times"));
    // The same channel and projection of a file with another order of pages.
    person.menu({QStringLiteral("File"), QStringLiteral("Apply to a folder…")});
    person.window(QStringLiteral("Apply to a folder"));
    person.answer(file("embryos"));
    person.press(QStringLiteral("Choose a folder…"));
    person.reads(QStringLiteral("2 files"));
    person.press(QStringLiteral("Start"));
    person.reads(QStringLiteral("2 done"));
    const auto rows = written(file("embryos/pollard/objects.csv")).trimmed().split('\n');
    EXPECT_EQ(rows.size(), 9) << "the titles, and two objects of each of two times of each file";
    person.press(QStringLiteral("Close"));
}

TEST_P(Jobs, ABeginnerCountsCoinsAndRepeatsItForAFolder) {
    QDir(folder.path()).mkdir(QStringLiteral("plate"));
    QDir(folder.path()).mkdir(QStringLiteral("shelf"));
    for (const char* copy : {"plate/first.tif", "plate/second.tif"}) {
        ASSERT_TRUE(QFile::copy(
            sample(copy == std::string("plate/first.tif") ? "coins_384x303_u8.tif" : "cells_uneven_384_u16.tif"),
            file(copy)));
    }
    // Count, measure, export.
    person.open(file("plate/first.tif"));
    person.press(QStringLiteral("Objects"));
    person.panel(QStringLiteral("Objects"));
    person.reads(QStringLiteral(" objects"));
    person.answer(file("coins.csv"));
    person.press(QStringLiteral("Save the objects"), QStringLiteral("Table (CSV)…"));
    const auto coins = rowsOf(written(file("coins.csv")));
    EXPECT_GT(coins.size(), 20);
    EXPECT_EQ(person.clicks(), 7) << "File, Open, its button; Objects; save, table, its button";
    // The same for a folder.
    const int before = person.clicks();
    person.menu({QStringLiteral("File"), QStringLiteral("Apply to a folder…")});
    person.window(QStringLiteral("Apply to a folder"));
    EXPECT_EQ(person.valueOf(QStringLiteral("Apply")), QStringLiteral("Steps just done to first.tif"));
    person.answer(file("plate"));
    person.press(QStringLiteral("Choose a folder…"));
    person.reads(QStringLiteral("2 files"));
    EXPECT_EQ(person.valueOf(QStringLiteral("Save in")), file("plate/pollard"));
    person.press(QStringLiteral("Start"));
    person.reads(QStringLiteral("2 done"));
    EXPECT_EQ(person.clicks() - before, 5) << "File, Apply to a folder; Choose a folder, its button; Start";
    const QList<QStringList> results = person.table();
    EXPECT_EQ(results[1][1], QStringLiteral("Done"));
    EXPECT_EQ(results[1][3], QString::number(coins.size() - 1)) << "as many as in the window";
    EXPECT_EQ(rowsOf(written(file("plate/pollard/first-objects.csv"))).size(), coins.size());
    const auto joined = rowsOf(written(file("plate/pollard/objects.csv")));
    EXPECT_EQ(joined.front().front(), QStringLiteral("file"));
    EXPECT_EQ(joined[1].front(), QStringLiteral("first.tif"));
    EXPECT_EQ(joined.back().front(), QStringLiteral("second.tif"));
    EXPECT_EQ(joined.size(), 1 + results[1][3].toInt() + results[2][3].toInt());
#ifdef POLLARD_CLI_BINARY
    saveRecipe(test.window.findChild<vm::RecipeViewModel*>()->recipe(), file("r.json").toStdString());
    QProcess cli;
    cli.start(QStringLiteral(POLLARD_CLI_BINARY),
              {QStringLiteral("run"), file("r.json"), file("plate"), QStringLiteral("-o"), file("shelf"),
               QStringLiteral("--table"), file("shelf/objects.csv")});
    ASSERT_TRUE(cli.waitForFinished(kPatience));
    ASSERT_EQ(cli.exitCode(), 0) << cli.readAllStandardError().toStdString();
    const QStringList names = QDir(file("shelf")).entryList(QDir::Files);
    EXPECT_EQ(names.size(), 5);
    EXPECT_EQ(QDir(file("plate/pollard")).entryList(QDir::Files), names);
    for (const QString& name : names) {
        EXPECT_EQ(written(file("plate/pollard/") + name), written(file("shelf/") + name)) << name.toStdString();
    }
#endif
    person.press(QStringLiteral("Close"));
}

TEST_P(Jobs, AnAnalystPicksComponentsOnThePlaneAndFindsWhyAPixelWasRemoved) {
    person.open(sample("coins_384x303_u8.tif"));
    int before = person.clicks();
    person.press(QStringLiteral("Explore"));
    person.panel(QStringLiteral("Attribute plane"));
    person.reads(QStringLiteral("components"));
    person.press(QStringLiteral("Lasso"));
    person.enclose(QStringLiteral("Attribute plane"), 0.6);
    person.reads(QStringLiteral("In the lasso: "));
    EXPECT_EQ(person.clicks() - before, 3) << "Explore; Lasso, the drag";
    EXPECT_GT(test.models.selection.count(), 0);

    person.window(QStringLiteral("coins"));
    person.press(QStringLiteral("Filter"));
    person.panel(QStringLiteral("Filter"));
    person.type(QStringLiteral("Smallest value that is kept"), QStringLiteral("4000"));
    person.window(QStringLiteral("coins"));
    before = person.clicks();
    person.press(QStringLiteral("Explore"));
    person.pointAt({20, 20});
    person.panel(QStringLiteral("Component"));
    person.reads(QStringLiteral("Removed: "));
    EXPECT_EQ(person.clicks() - before, 1) << "Explore; then the pointer";
    leaveAndKeep();
}

TEST_P(Jobs, ABiologistLooksThroughAPlate) {
    pollard::test::writePlate(file("screening/screen.zarr").toStdString());
    if (imagesListedBy(file("screening/screen.zarr").toStdString()).paths.empty()) {
        GTEST_SKIP() << "built without Zarr";
    }
    const auto isAt = [&](const char* field) {
        return QTest::qWaitFor(
            [&] { return test.models.document.path() == file("screening/screen.zarr/") + QLatin1String(field); },
            kPatience);
    };
    person.answer(file("screening"));
    person.menu({QStringLiteral("File"), QStringLiteral("Open folder…")});
    ASSERT_TRUE(isAt("B/2/0")) << "the first listed well that is there";
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.part<QAction>("previousWell")->isEnabled(); }, kPatience));
    person.menu({QStringLiteral("Image"), QStringLiteral("Previous well")});
    ASSERT_TRUE(isAt("A/10/0"));
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(test.window.windowTitle().startsWith(QStringLiteral("screen.zarr · A/10 · field 0")));
    person.menu({QStringLiteral("Image"), QStringLiteral("Plate map…")});
    person.window(QStringLiteral("Plate map of screen.zarr"));
    EXPECT_EQ(person.clicks(), 7) << "File, Open folder, its name; Image, Previous well; Image, Plate map";
}

TEST_P(Jobs, ARadiologistOpensTheFolderOfACtSeries) {
    QDir().mkpath(file("ct"));
    for (int i = 0; i < 3; ++i) {
        QFile slice(file("ct/IM") + QString::number(i));
        ASSERT_TRUE(slice.open(QIODevice::WriteOnly));
        slice.write(QByteArray::fromStdString(pollard::test::dicomSlice(i, 100 + i).bytes()));
    }
    person.answer(file("ct"));
    person.menu({QStringLiteral("File"), QStringLiteral("Open folder…")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.isVolume(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.sliceCount(), 3);
    EXPECT_EQ(person.clicks(), 3) << "File, Open folder, its name";
}

INSTANTIATE_TEST_SUITE_P(Windows, Jobs, ::testing::Values(QSize(1280, 800), QSize(1900, 1160)),
                         [](const auto& info) { return "W" + std::to_string(info.param.width()); });

} // namespace
} // namespace pollard::app
