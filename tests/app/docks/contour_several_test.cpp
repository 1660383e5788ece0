// The contour dock in the real window: several contours, forbidden areas, pages, engines.
#include "app/docks/contour_dock.hpp"
#include "app/test_window.hpp"
#include "canvas/canvas.hpp"
#include "cpu/cpu_engine.hpp"

#include "docks/contour/contour_bars.hpp"
#include "overlays/contour_overlay.hpp"
#include "window/panel_dock.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/snake_job.hpp"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

namespace pollard::app {
namespace {

TEST_F(ContourDock, SeveralContoursJoinAreChosenAndLeave) {
    open();
    test.models.region.add({RegionShape::Kind::rectangle, {{35, 45}, {55, 75}}});
    test.models.region.add({RegionShape::Kind::rectangle, {{65, 45}, {85, 75}}});
    ASSERT_TRUE(rests());
    auto* which = test.part<QComboBox>("contourWhich");
    EXPECT_FALSE(which->isVisible());
    test.part<QAction>("contourFromShapes")->trigger();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().contourCount(), 2) << contours.runs().problem().toStdString();
    test.models.region.clear();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(which->isVisible());
    EXPECT_EQ(which->count(), 2);
    // The current contour is strong, the other contour pale; both are tinted.
    const QColor strong = lineAt({45, 45});
    const QColor pale = lineAt({75, 45});
    EXPECT_GT(strong.alpha(), 200);
    EXPECT_GT(pale.alpha(), 100);
    EXPECT_GT(pale.blue(), strong.blue() + 40);
    EXPECT_GT(overlayAt({75, 60}).alpha(), 10);
    QTest::keyClick(which, Qt::Key_Down);
    EXPECT_EQ(contours.runs().contour(), 1);
    EXPECT_GT(lineAt({45, 45}).blue(), lineAt({75, 45}).blue() + 40);
    finish();
    EXPECT_EQ(test.part<QLabel>("contourInsidePixels")->text(),
              QLocale().toString(static_cast<qlonglong>(contours.runs().figures()->inside.pixels)));
    // A press on a node of the other contour selects that contour.
    contours.playback().scrub(0);
    const QPoint node = test.inWindow(test.window.canvas(), surfaceOf(contours.runs().allNodes()[0][0]));
    test.press(node);
    test.release(node);
    EXPECT_EQ(contours.runs().contour(), 0);
    EXPECT_EQ(which->currentIndex(), 0);
    contours.playback().scrub(contours.runs().stateCount() - 1);
    click("contourRemove");
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().contourCount(), 1);
    EXPECT_FALSE(which->isVisible());
    EXPECT_EQ(contours.runs().all().size(), 2U);
}

TEST_F(ContourDock, SelectedComponentsAndObjectsJoin) {
    open();
    const auto tree = test.models.document.tree();
    test.models.selection.select(NodeSet{tree->pixelNode[60 * 120 + 60]});
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QAction>("contourFromObjects")->isEnabled());
    contours.startFrom({{{2, 2}, {12, 2}, {12, 12}, {2, 12}}}, {});
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.part<QAction>("contourAddSelection")->isEnabled());
    SnakeSpec spec = contours.settings().spec();
    spec.minPixels = 1;
    contours.settings().setSpec(spec);
    ASSERT_TRUE(rests());
    test.part<QAction>("contourAddSelection")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().contourCount(), 2) << contours.runs().problem().toStdString();
}

TEST_F(ContourDock, AForbiddenAreaIsPaintedOnTheCanvas) {
    start();
    vm::ForbiddenArea& area = contours.settings().forbidden();
    click("forbiddenPaint");
    ASSERT_TRUE(area.isPainting());
    test.part<QSpinBox>("forbiddenBrush")->setValue(7);
    const auto at = [&](double x, double y) {
        return test.inWindow(test.window.canvas(), scene().toSurface(QPointF(x, y)));
    };
    test.press(at(10.5, 20.5));
    test.move(at(10.5, 60.5));
    EXPECT_TRUE(area.isStroking());
    EXPECT_EQ(area.mask(), nullptr);
    test.release(at(10.5, 60.5));
    ASSERT_TRUE(rests());
    ASSERT_NE(area.mask(), nullptr);
    EXPECT_TRUE(area.mask()->test(10, 40));
    EXPECT_FALSE(area.mask()->test(20, 40));
    EXPECT_EQ(contours.runs().currentRun()->forbidden, area.mask());
    EXPECT_NEAR(static_cast<double>(area.mask()->count()), 7 * 40 + 38, 30);
    // Only the area is hatched.
    const OverlayScene present = scene();
    QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    ForbiddenOverlay(contours).paint(painter, present);
    painter.end();
    EXPECT_GT(image.pixelColor(present.toSurface({10.5, 40.5}).toPoint()).alpha(), 30);
    EXPECT_EQ(image.pixelColor(present.toSurface({30.5, 40.5}).toPoint()).alpha(), 0);
    // Escape undoes a stroke, then ends the tool.
    const auto before = area.mask();
    test.press(at(100.5, 20.5));
    test.move(at(100.5, 60.5));
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    test.release(at(100.5, 60.5));
    EXPECT_EQ(area.mask(), before);
    EXPECT_TRUE(area.isPainting());
    click("forbiddenErase");
    test.press(at(10.5, 20.5));
    test.move(at(10.5, 40.5));
    test.release(at(10.5, 40.5));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(area.mask()->test(10, 30));
    EXPECT_TRUE(area.mask()->test(10, 55));
    test.window.canvas()->setFocus();
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(area.isPainting());
    test.part<QAction>("forbiddenClear")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_EQ(area.mask(), nullptr);
    const auto tree = test.models.document.tree();
    test.models.selection.select(NodeSet{tree->pixelNode[0]});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.part<QAction>("forbiddenFromSelection")->isEnabled());
    click("forbiddenPaint");
    test.part<QDockWidget>("contourDock")->close();
    EXPECT_FALSE(area.isPainting()) << "nothing is painted where it is not seen";
}

TEST_F(ContourDock, ContoursAreFollowedOverThePages) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stack.tif"));
    const SharedImage page = disc();
    writeTiff(path.toStdString(), {3, [&](int, const JobControl&) { return Plane{ownedRows(page)}; }},
              {.compression = TiffCompression::none, .arePages = true});
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    showPanel(test.window, QStringLiteral("contour"));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QToolButton>("contourFollow")->isEnabled());
    test.part<QAction>("contourFromMiddle")->trigger();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(test.part<QToolButton>("contourFollow")->isVisible());
    bool isSeen = false;
    QObject::connect(&contours.follow(), &vm::ContourFollow::changed, test.window.findChild<FollowBar*>(),
                     [&] { isSeen = isSeen || test.window.findChild<FollowBar*>()->isVisible(); });
    click("contourFollow");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !contours.follow().isRunning(); }, kPatience));
    EXPECT_TRUE(isSeen);
    EXPECT_TRUE(test.window.findChild<FollowBar*>()->isVisible()) << "it tells what was made";
    ASSERT_TRUE(rests());
    const Contour end = contours.runs().nodes();
    test.models.document.reading().setPage(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return contours.runs().current() == 0; }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().isFinished());
    EXPECT_FALSE(contours.runs().nodes().empty());
    EXPECT_EQ(test.part<QSlider>("contourTimeline")->value(), contours.runs().stateCount() - 1);
    EXPECT_FALSE(test.part<QToolButton>("contourFollow")->isEnabled()) << "the last page";
    test.models.document.reading().setPage(0);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.page() == 0 && contours.runs().current() == 0; }, kPatience));
    EXPECT_EQ(contours.runs().nodes(), end);
}

TEST_F(ContourDock, TheCpuIsTheOnlyChoiceWithoutAnotherEngine) {
    start();
    auto* engine = test.part<QComboBox>("contourEngine");
    EXPECT_EQ(engine->count(), 1);
    EXPECT_FALSE(engine->isEnabled());
    EXPECT_TRUE(test.part<QComboBox>("contourMoves")->isEnabled());
    contours.settings().setEngine({true, "named"});
    ASSERT_TRUE(rests());
    EXPECT_FALSE(test.part<QComboBox>("contourMoves")->isEnabled()) << "it has moves of its own";
}

TEST_F(ContourDock, AnotherEngineIsChosenInTheListBy) {
    class Device final : public Engine {
    public:
        [[nodiscard]] std::string name() const override { return "device"; }
        [[nodiscard]] std::string device() const override { return "a device"; }
        [[nodiscard]] std::string unusableReason() const override { return {}; }
        [[nodiscard]] std::uint64_t memoryBytes() const override { return 0; }
        [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
            return {{"whole", std::string(kSnakeJob), "device", "test"}};
        }
        [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
            return cpu_.select("cpu").openSession(options);
        }
        [[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener,
                                           const JobControl& control) override {
            SnakeJob own = job;
            own.algorithm = job.algorithm == "whole" ? "parity" : job.algorithm;
            return pollard::runSnake(own, listener, control);
        }

    private:
        EngineRegistry cpu_{makeCpuEngine()};
    };
    TestWindow with(std::make_unique<Device>());
    Contours& own = with.models.contours;
    own.settings().setReach(std::nullopt); // without a limit of distance
    with.open("disc", disc());
    showPanel(with.window, QStringLiteral("contour"));
    with.part<QAction>("contourFromMiddle")->trigger();
    const auto calm = [&] {
        return with.settle() &&
               QTest::qWaitFor([&] { return !own.isComputing() && !own.playback().isPlaying(); }, kPatience);
    };
    ASSERT_TRUE(calm());
    auto* engine = with.part<QComboBox>("contourEngine");
    auto* moves = with.part<QComboBox>("contourMoves");
    ASSERT_EQ(engine->count(), 3);
    EXPECT_TRUE(engine->isEnabled());
    EXPECT_EQ(engine->itemText(1), QStringLiteral("device, for these moves"));
    EXPECT_EQ(engine->itemText(2), QStringLiteral("device: whole"));
    own.playback().toEnd();
    ASSERT_TRUE(calm());
    const Contour stepwise = own.runs().nodes();
    for (int row = 0; row < engine->count(); ++row) {
        EXPECT_FALSE(row > 0 && engine->itemData(row, Qt::ToolTipRole).toString().isEmpty());
    }
    with.part<QSlider>("contourTimeline")->setValue(0);
    engine->setFocus();
    QTest::keyClick(engine, Qt::Key_Down);
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.settings().engine(), (ContourEngine{true, "", {}}));
    EXPECT_TRUE(moves->isEnabled());
    own.playback().toEnd();
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.runs().nodes(), stepwise) << "with the same moves the same states";
    QTest::keyClick(engine, Qt::Key_Down);
    ASSERT_TRUE(calm());
    EXPECT_EQ(own.settings().engine(), (ContourEngine{true, "whole", {}}));
    EXPECT_FALSE(moves->isEnabled());
    own.selectRun(0);
    EXPECT_EQ(engine->currentIndex(), 0) << "that of the current run";
}

TEST_F(ContourDock, AForbiddenAreaIsTakenFromAFileThatIsChosen) {
    start();
    QTemporaryDir folder;
    const auto write = [&](const char* name, std::uint32_t side) {
        const SharedImage mask = makeImage(PixelType::u8, side, 120,
                                           [](std::uint32_t x, std::uint32_t y) { return x < 10 && y > 60 ? 200 : 0; });
        const QString path = folder.filePath(QLatin1String(name));
        writeTiff(path.toStdString(), *mask, {.compression = TiffCompression::none});
        return path;
    };
    /// Opens the file dialog and accepts @p path.
    const auto choose = [&](const QString& path) {
        bool answered = false;
        QTimer poll;
        QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr || answered) {
                return;
            }
            answered = true;
            if (path.isEmpty()) {
                dialog->reject();
                return;
            }
            dialog->setDirectory(QFileInfo(path).path());
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            static_cast<QDialog*>(dialog)->accept();
        });
        poll.start(20);
        test.part<QAction>("forbiddenFromImage")->trigger();
        return answered;
    };
    vm::ForbiddenArea& area = contours.settings().forbidden();
    const auto idle = [&] { return QTest::qWaitFor([&] { return !area.isBusy(); }, kPatience) && rests(); };
    ASSERT_TRUE(choose({}));
    ASSERT_TRUE(idle());
    EXPECT_EQ(area.mask(), nullptr);
    ASSERT_TRUE(choose(write("mask.tif", 120)));
    ASSERT_TRUE(idle());
    ASSERT_NE(area.mask(), nullptr);
    EXPECT_EQ(area.mask()->count(), 10U * 59);
    EXPECT_TRUE(area.mask()->test(9, 61));
    EXPECT_EQ(contours.runs().currentRun()->forbidden, area.mask());
    const auto before = area.mask();
    ASSERT_TRUE(choose(write("narrow.tif", 90)));
    ASSERT_TRUE(idle());
    EXPECT_EQ(area.mask(), before) << "one of another size is told of";
    ASSERT_FALSE(test.errors.texts.isEmpty());
    EXPECT_TRUE(test.errors.texts.back().contains(QStringLiteral("90")));
}

#ifdef POLLARD_CLI_BINARY
TEST_F(ContourDock, IndependentContoursEndAsThoseOfTheCommandLine) {
    const auto image = makeImage(PixelType::u8, 120, 120, [](std::uint32_t x, std::uint32_t y) {
        const auto isIn = [&](int cx, int cy) {
            const int dx = static_cast<int>(x) - cx;
            const int dy = static_cast<int>(y) - cy;
            return dx * dx + dy * dy < 15 * 15;
        };
        return (isIn(30, 30) || isIn(85, 80) ? 130 : 70) + static_cast<int>((x * 7 + y * y * 3) % 23);
    });
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("discs.tif"));
    writeTiff(path.toStdString(), *image, {.compression = TiffCompression::none});
    test.models.document.open(path);
    ASSERT_TRUE(test.settle());
    showPanel(test.window, QStringLiteral("contour"));
    auto* reach = test.part<QComboBox>("contourReach");
    auto* margin = test.part<QSpinBox>("contourMargin");
    EXPECT_FALSE(margin->isEnabled());
    reach->setFocus();
    QTest::keyClick(reach, Qt::Key_Up);
    EXPECT_TRUE(margin->isEnabled());
    margin->setValue(14);
    EXPECT_EQ(contours.settings().engine(), (ContourEngine{false, "", 14}));
    contours.startFrom({{{24, 24}, {34, 24}, {34, 34}, {24, 34}}, {{80, 74}, {90, 74}, {90, 86}, {80, 86}}}, {});
    ASSERT_TRUE(rests());
    contours.playback().toEnd();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().problem(), QString());
    QProcess cli;
    cli.start(QStringLiteral(POLLARD_CLI_BINARY),
              {QStringLiteral("snake"), path, QStringLiteral("--engine"), QStringLiteral("cpu"),
               QStringLiteral("--init"), QStringLiteral("24,24,10,10"), QStringLiteral("--init"),
               QStringLiteral("80,74,10,12"), QStringLiteral("--apart"), QStringLiteral("14"),
               QStringLiteral("--geojson"), folder.filePath(QStringLiteral("cli.geojson"))});
    ASSERT_TRUE(cli.waitForFinished(kPatience));
    ASSERT_EQ(cli.exitCode(), 0) << cli.readAllStandardError().constData();
    const auto expected = readContours(folder.filePath(QStringLiteral("cli.geojson")).toStdString());
    EXPECT_EQ(contours.runs().allNodes(), expected);
    QTest::keyClick(reach, Qt::Key_Down); // whole image: all contours share one background
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.settings().engine(), ContourEngine());
    EXPECT_FALSE(margin->isEnabled());
    test.part<QAction>("undo")->trigger();
    EXPECT_EQ(reach->currentIndex(), 0);
    EXPECT_EQ(margin->value(), 14);
}
#endif

} // namespace
} // namespace pollard::app
