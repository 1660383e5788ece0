// Tracks of objects over the pages, in the real window: list, colours, path.
#include "app/test_window.hpp"

#include "docks/objects/objects_table.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "support/channel_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QToolButton>

#include <array>

namespace pollard::app {
namespace {

using State = vm::ObjectTracksViewModel::State;

class TracksDock : public ::testing::Test {
protected:
    TestWindow test;
    vm::ObjectTracksViewModel& tracks = test.models.objectTracks;
    vm::ObjectTableModel& table = test.models.objectTable;

    /// Two squares; the left one moves to the right, and from the second page on a third lies above both.
    static SharedImage page(int number) {
        return makeImage(PixelType::u8, 200, 100, [number](std::uint32_t x, std::uint32_t y) {
            const auto left = 20 + 12 * static_cast<std::uint32_t>(number);
            const bool moving = x >= left && x < left + 30 && y >= 40 && y < 70;
            const bool resting = x >= 150 && x < 180 && y >= 50 && y < 80;
            const bool late = number > 0 && x >= 90 && x < 110 && y >= 5 && y < 15;
            return moving || resting || late ? 200 : 30;
        });
    }
    [[nodiscard]] bool rests() {
        const auto& objects = test.models.objects;
        return test.settle() && QTest::qWaitFor(
                                    [&] {
                                        return objects.objects() &&
                                               objects.objects()->page == test.models.document.page() &&
                                               objects.state() == vm::ObjectsViewModel::State::ready &&
                                               !table.isListing() && table.listing()->found == objects.objects();
                                    },
                                    kPatience);
    }
    void open(int pages) {
        const QString path = directory_.filePath(QStringLiteral("stack.tif"));
        writeTiff(path.toStdString(),
                  {pages, [](int number, const JobControl&) { return Plane{ownedRows(page(number))}; }},
                  {.arePages = true});
        test.window.openFile(path);
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        if (!test.part<TracksPanel>("tracksPanel")->isVisible()) {
            test.part<QToolButton>("objectsShowTracks")->click();
        }
    }
    void follow() {
        test.part<QPushButton>("tracksFollow")->click();
        ASSERT_TRUE(QTest::qWaitFor([this] { return tracks.state() == State::ready; }, kPatience))
            << tracks.problem().toStdString();
    }
    void showPage(int number) {
        test.models.document.reading().setPage(number);
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.page() == number; }, kPatience));
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] QString pathOf(const char* name) const { return directory_.filePath(QLatin1String(name)); }
    [[nodiscard]] QByteArray bytesOf(const char* name) const {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    template <class Paint> [[nodiscard]] QImage painted(const Paint& paint) {
        const OverlayScene scene = test.part<OverlayLayer>("overlayLayer")->scene();
        QImage image(scene.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paint(painter, scene);
        return image;
    }
    [[nodiscard]] QColor colourAt(double x, double y) {
        const QImage image = painted([this](QPainter& painter, const OverlayScene& scene) {
            ObjectsOverlay(test.models.objects, table).paint(painter, scene);
        });
        return image.pixelColor(test.part<OverlayLayer>("overlayLayer")->scene().toSurface({x, y}).toPoint());
    }

private:
    QTemporaryDir directory_;
};

TEST_F(TracksDock, FollowsTheObjectsOfAStack) {
    open(3);
    auto* view = test.part<QTableView>("tracksTable");
    EXPECT_FALSE(view->isVisible());
    EXPECT_FALSE(test.part<QToolButton>("tracksSave")->isEnabled());
    follow();
    EXPECT_TRUE(view->isVisible());
    EXPECT_EQ(view->model()->rowCount(), 3);
    EXPECT_TRUE(test.part<QToolButton>("tracksSave")->isEnabled());
    EXPECT_TRUE(test.part<QPushButton>("tracksFollow")->isVisible());
    EXPECT_FALSE(test.part<QToolButton>("tracksCancel")->isVisible());
    EXPECT_TRUE(tracks.summary().contains(QStringLiteral("3 tracks over 3 pages")));
}

TEST_F(TracksDock, KeepsTheColourOfAnObjectFromPageToPage) {
    open(3);
    follow();
    const QColor moving = colourAt(35, 55);
    const QColor resting = colourAt(165, 65);
    EXPECT_GT(moving.alpha(), 0);
    EXPECT_NE(moving, resting);
    showPage(2); // the labels of both have changed: the third square comes first
    EXPECT_EQ(table.labelAt({60, 55}), 2U);
    EXPECT_EQ(colourAt(60, 55), moving);
    EXPECT_EQ(colourAt(165, 65), resting);
}

TEST_F(TracksDock, DrawsThePathOfTheCurrentTrack) {
    open(3);
    follow();
    const auto paint = [this](QPainter& painter, const OverlayScene& scene) {
        TrackOverlay(test.models.document, test.models.objects, tracks).paint(painter, scene);
    };
    const OverlayScene scene = test.part<OverlayLayer>("overlayLayer")->scene();
    EXPECT_TRUE(TrackOverlay(test.models.document, test.models.objects, tracks).area(scene).isEmpty());
    auto* view = test.part<QTableView>("tracksTable");
    view->selectRow(0);
    EXPECT_EQ(tracks.current(), 1U);
    EXPECT_EQ(table.marks().selected(), std::vector<std::uint32_t>{table.labelAt({35, 55})});
    const QImage path = painted(paint);
    // The line is two px wide on the screen and can lie between px.
    const auto near = [&](double x) {
        const QPoint place = scene.toSurface({x, 55}).toPoint();
        return path.copy(place.x() - 1, place.y() - 1, 3, 3);
    };
    const auto isAnywhere = [](const QImage& part, const auto& is) {
        for (int y = 0; y < part.height(); ++y) {
            for (int x = 0; x < part.width(); ++x) {
                if (is(part.pixelColor(x, y))) {
                    return true;
                }
            }
        }
        return false;
    };
    for (const double x : {35.0, 41.0, 47.0, 53.0, 59.0}) {
        EXPECT_TRUE(isAnywhere(near(x), [](const QColor& colour) { return colour.red() > colour.blue(); }))
            << "yellow at " << x;
    }
    for (const double x : {80.0, 20.0}) {
        EXPECT_FALSE(isAnywhere(near(x), [](const QColor& colour) { return colour.alpha() > 0; })) << x;
    }
    const QRegion area = TrackOverlay(test.models.document, test.models.objects, tracks).area(scene);
    EXPECT_TRUE(area.contains(scene.toSurface({35, 55}).toPoint()));
    table.marks().select(std::array{table.labelAt({165, 65})});
    EXPECT_EQ(view->currentIndex().row(), 1) << "the row follows the selected object";
}

#ifdef POLLARD_CLI_BINARY
TEST_F(TracksDock, WritesTheTableThatTheCommandWritesForItsRecipe) {
    open(3);
    test.models.objects.setSource(StepImage::result);
    showPage(1);
    test.models.filter.criteria().assign({parseCriterion("area>=300")}, Match::all); // excludes the third square
    test.models.region.add({RegionShape::Kind::rectangle, {{10, 0}, {170, 100}}});
    ASSERT_TRUE(rests());
    follow();
    ASSERT_EQ(test.part<QTableView>("tracksTable")->model()->rowCount(), 2);
    QSignalSpy saved(&tracks, &vm::ObjectTracksViewModel::saved);
    tracks.save(pathOf("window.csv"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatience));

    const auto* recipe = test.window.findChild<vm::RecipeViewModel*>();
    saveRecipe(recipe->recipe(), pathOf("r.json").toStdString());
    QProcess command;
    command.start(QStringLiteral(POLLARD_CLI_BINARY),
                  {QStringLiteral("track"), pathOf("stack.tif"), QStringLiteral("--recipe"), pathOf("r.json"),
                   QStringLiteral("--csv"), pathOf("command.csv")});
    ASSERT_TRUE(command.waitForFinished(kPatience));
    ASSERT_EQ(command.exitCode(), 0) << command.readAllStandardError().toStdString();
    EXPECT_FALSE(bytesOf("window.csv").isEmpty());
    EXPECT_EQ(bytesOf("window.csv"), bytesOf("command.csv"));
}
#endif

TEST_F(TracksDock, LeadsFromAVolumeToPagesOverTime) {
    test::writeStack(pathOf("v.ome.tif").toStdString(), {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}, {'t', 2, {}}}, 60, 40,
                     [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const auto left = static_cast<std::uint32_t>(10 + 5 * at[2]);
                         return x >= left && x < left + 12 && y >= 10 && y < 20 ? 900 : 10;
                     });
    open(1);
    test.window.openFile(pathOf("v.ome.tif"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.isVolume(); }, kPatience));
    auto* asPages = test.part<QPushButton>("tracksAsPages");
    ASSERT_TRUE(QTest::qWaitFor([&] { return asPages->isVisible(); }, kPatience));
    EXPECT_FALSE(test.part<QPushButton>("tracksFollow")->isVisible());
    EXPECT_TRUE(test.part<QCheckBox>("objectsBorderInZ")->isVisible());
    EXPECT_TRUE(test.part<QPushButton>("objectsChannels")->isEnabled()) << "channels are measured in volumes";
    asPages->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.document.isVolume(); }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(asPages->isVisible());
    EXPECT_EQ(test.part<QPushButton>("tracksFollow")->text(), QStringLiteral("Follo&w over time"));
    ASSERT_NO_FATAL_FAILURE(follow());
    EXPECT_EQ(tracks.tracks()->pages.size(), 2U);
    EXPECT_EQ(tracks.tracks()->history.tracks().size(), 1U);
    auto* depth = test.part<QComboBox>("slices");
    EXPECT_EQ(depth->currentText(), QStringLiteral("As pages"));
    test.part<QAction>("depthMean")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return depth->currentText() == QStringLiteral("Mean"); }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QSlider>("stackSlider1")->isEnabled()) << "all slices are in the image";
    EXPECT_TRUE(test.part<QSlider>("stackSlider2")->isEnabled());
}

TEST_F(TracksDock, SaysWhyThereIsNothingToFollow) {
    open(1);
    EXPECT_FALSE(test.part<QPushButton>("tracksFollow")->isEnabled());
    EXPECT_TRUE(test.part<QLabel>("tracksEmpty")->text().contains(QStringLiteral("one page")));
}

} // namespace
} // namespace pollard::app
