// The orthogonal views in the real window: pixels, the cross hair by mouse, wheel and keys, the button beside the
// slider.
#include "app/test_window.hpp"

#include "core/io/volumes/dicom_files.hpp"
#include "docks/orthogonal_panel.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/write/volume_writer.hpp"
#include "overlays/measure_overlays.hpp"
#include "overlays/overlay_layer.hpp"
#include "theme/colours.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <tuple>

namespace pollard::app {
namespace {

class OrthogonalPanels : public ::testing::Test {
protected:
    QTemporaryDir directory;
    TestWindow test;
    vm::OrthogonalViewModel& views = test.models.orthogonal;

    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor([this] { return views.isIdle(); }, kPatience);
    }
    /// 60 x 40 x 10 voxels with slices 3 widths apart; a bright cuboid in the slices 6..9 at the right.
    void open() {
        test.models.overlays.setScaleBar(false); // it covers pixels
        Image volume(PixelType::u8, {60, 40, 10});
        std::uint32_t index = 0;
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            const Voxel at = voxelAt(index++, volume.extent());
            level = at.z >= 6 && at.x >= 40 ? 255 : 0;
        }
        PixelSize size{0.5, 0.5, "µm", "OME-XML"};
        size.z = 1.5;
        const QString path = directory.filePath(QStringLiteral("v.tif"));
        writeTiff(path.toStdString(), {volume, {.scene = {.pixelSize = size, .axes = {{'z', 10, {}}}}}});
        test.models.document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.models.document.isVolume());
        showPanel(test.window, QStringLiteral("orthogonal"));
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.isLaidOut());
        ASSERT_NE(views.section(VolumeAxis::y), nullptr);
    }
    [[nodiscard]] SectionView& view(const char* name) { return *test.part<SectionView>(name); }
    [[nodiscard]] static QColor colourAt(SectionView& view, const QPointF& section) {
        const QImage image = view.grab().toImage();
        return image.pixelColor((view.toView(section) * image.devicePixelRatio()).toPoint());
    }
    [[nodiscard]] bool isAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        const Voxel at = views.position();
        return at.x == x && at.y == y && at.z == z;
    }
};

TEST_F(OrthogonalPanels, ShowTheVolumeFromTheSide) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    SectionView& yz = view("sectionYZ");
    const QPointF side = xz.toView({1, 1}) - xz.toView({0, 0});
    EXPECT_NEAR(side.y(), 3 * side.x(), 1e-9) << "proportions of the voxels";
    EXPECT_GT(colourAt(xz, {50.5, 8.5}).red(), 200);
    EXPECT_LT(colourAt(xz, {10.5, 8.5}).red(), 60);
    EXPECT_LT(colourAt(xz, {50.5, 2.5}).red(), 60);
    EXPECT_LT(colourAt(yz, {8.5, 10.5}).red(), 60) << "left of the cuboid";
    views.setPosition({45, 20, 5});
    ASSERT_TRUE(rests());
    EXPECT_GT(colourAt(yz, {8.5, 10.5}).red(), 200);
    EXPECT_LT(colourAt(yz, {2.5, 10.5}).red(), 60);
    EXPECT_EQ(test.part<QLabel>("orthogonalPosition")->text(), QStringLiteral("x 45, y 20, slice 6"));
    EXPECT_EQ(colourAt(xz, {45.5, 1.5}), axisColour(VolumeAxis::x)) << "the plane YZ";
}

TEST_F(OrthogonalPanels, ShowBeforeAndAfterTheFilter) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=100000")};
    test.models.document.requestFilter(spec);
    ASSERT_TRUE(rests());
    EXPECT_LT(colourAt(xz, {50.5, 8.5}).red(), 60) << "removed";
    test.models.display.setImage(vm::DisplayViewModel::Source::original);
    EXPECT_GT(colourAt(xz, {50.5, 8.5}).red(), 200);
    test.models.display.setImage(vm::DisplayViewModel::Source::result);
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(1);
    EXPECT_GT(colourAt(xz, {50.5, 8.5}).red(), 200) << "all before";
    test.models.display.setSplitPosition(0);
    EXPECT_LT(colourAt(xz, {50.5, 8.5}).red(), 60) << "all after";
}

TEST_F(OrthogonalPanels, ShowDifferencesAndTurns) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=100000")};
    test.models.document.requestFilter(spec);
    ASSERT_TRUE(rests());
    vm::CompareViewModel& compare = test.models.display.compare();
    compare.setAbsolute(true);
    compare.setMode(vm::CompareViewModel::Mode::difference);
    EXPECT_GT(colourAt(xz, {50.5, 8.5}).red(), 200) << "removed";
    EXPECT_LT(colourAt(xz, {10.5, 8.5}).red(), 60) << "no change";
    compare.setMode(vm::CompareViewModel::Mode::blink);
    const bool isResult = compare.isResultTurn();
    EXPECT_EQ(colourAt(xz, {50.5, 8.5}).red() < 60, isResult);
    compare.flip();
    ASSERT_NE(compare.isResultTurn(), isResult);
    EXPECT_EQ(colourAt(xz, {50.5, 8.5}).red() < 60, !isResult);
}

TEST_F(OrthogonalPanels, LightTheComponentUnderThePointer) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    SectionView& yz = view("sectionYZ");
    views.setPosition({45, 20, 5});
    ASSERT_TRUE(rests());
    EXPECT_EQ(colourAt(yz, {8.5, 10.5}).blue(), 255);
    QTest::mouseMove(&xz, xz.toView({50.5, 8.5}).toPoint());
    ASSERT_TRUE(test.models.chain.node());
    for (const auto& [section, inside, outside] :
         {std::tuple(&xz, QPointF(50.5, 8.5), QPointF(20.5, 8.5)), {&yz, QPointF(8.5, 10.5), QPointF(2.5, 10.5)}}) {
        EXPECT_GT(colourAt(*section, inside).red(), 200);
        EXPECT_LT(colourAt(*section, inside).blue(), 220) << "amber";
        EXPECT_EQ(colourAt(*section, outside).blue(), 0);
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return xz.highlightsComponent() && yz.highlightsComponent(); }, kPatience));
    EXPECT_LT(colourAt(yz, {8.5, 10.5}).blue(), 220);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&xz, &leave);
    EXPECT_EQ(colourAt(yz, {8.5, 10.5}).blue(), 255);
}

TEST_F(OrthogonalPanels, PickComponents) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    vm::PicksModel& picks = test.models.filter.picks();
    picks.setPicking(true);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.attribute(AttributeId::area) != nullptr; }, kPatience));
    const Voxel before = views.position();
    QTest::mouseClick(&xz, Qt::LeftButton, {}, xz.toView({20.5, 8.5}).toPoint());
    EXPECT_EQ(picks.count(), 0) << "the background";
    QTest::mouseClick(&xz, Qt::LeftButton, {}, xz.toView({50.5, 8.5}).toPoint());
    EXPECT_EQ(picks.removed().size(), 1U);
    EXPECT_TRUE(isAt(before.x, before.y, before.z)) << "the cross hair stays";
    ASSERT_TRUE(rests());
    EXPECT_LT(colourAt(xz, {50.5, 8.5}).red(), 60) << "removed";
    QTest::mouseClick(&xz, Qt::LeftButton, {}, xz.toView({50.5, 8.5}).toPoint());
    EXPECT_EQ(picks.count(), 1) << "removed already";
}

TEST_F(OrthogonalPanels, ShowObjects) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    EXPECT_EQ(colourAt(xz, {50.5, 8.5}).saturation(), 0);
    test.models.objects.setActive(true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.objectTable.rowCount() == 1; }, kPatience));
    EXPECT_GT(colourAt(xz, {50.5, 8.5}).saturation(), 0);
    EXPECT_EQ(colourAt(xz, {50.5, 4.5}).saturation(), 0) << "below the cuboid";
    views.setPosition({45, 20, 5});
    ASSERT_TRUE(rests());
    SectionView& yz = view("sectionYZ");
    EXPECT_GT(colourAt(yz, {8.5, 10.5}).saturation(), 0);
    EXPECT_EQ(colourAt(yz, {2.5, 10.5}).saturation(), 0);
}

TEST_F(OrthogonalPanels, MoveTheCrossHair) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    SectionView& yz = view("sectionYZ");
    QTest::mouseClick(&xz, Qt::LeftButton, {}, xz.toView({10.5, 7.5}).toPoint());
    EXPECT_TRUE(isAt(10, 20, 7));
    EXPECT_EQ(test.models.document.slice(), 7);
    QTest::mousePress(&yz, Qt::LeftButton, {}, yz.toView({7.5, 20.5}).toPoint());
    QTest::mouseMove(&yz, yz.toView({3.5, 30.5}).toPoint());
    QTest::mouseRelease(&yz, Qt::LeftButton, {}, yz.toView({3.5, 30.5}).toPoint());
    EXPECT_TRUE(isAt(10, 30, 3));
    QTest::keyClick(&xz, Qt::Key_Right);
    QTest::keyClick(&xz, Qt::Key_Down);
    QTest::keyClick(&yz, Qt::Key_Up);
    EXPECT_TRUE(isAt(11, 29, 4));
    QWheelEvent wheel(QPointF(5, 5), xz.mapToGlobal(QPointF(5, 5)), {}, {0, -240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&xz, &wheel);
    EXPECT_TRUE(isAt(11, 31, 4)) << "two sections on";
    emit test.window.canvas()->input().clicked({20.5, 12.5}, {});
    EXPECT_TRUE(isAt(20, 12, 4)) << "a click on the slice";
    ASSERT_TRUE(rests());
    const auto* layer = test.part<OverlayLayer>("overlayLayer");
    const CrossHairOverlay crossHair(views);
    EXPECT_TRUE(crossHair.area(layer->scene()).contains(layer->scene().toSurface({20.5, 12.5}).toPoint()));
}

TEST_F(OrthogonalPanels, HaveLengthsOfTheirPlane) {
    ASSERT_NO_FATAL_FAILURE(open());
    test.models.overlays.setScaleBar(true);
    for (const auto& [name, width, height] : {std::tuple("sectionXZ", 0.5, 1.5), {"sectionYZ", 1.5, 0.5}}) {
        const auto* overlays = view(name).findChild<OverlayPane*>(QStringLiteral("sectionOverlays"));
        ASSERT_NE(overlays, nullptr);
        const OverlayScene scene = overlays->scene();
        ASSERT_TRUE(scene.pixelSize);
        EXPECT_EQ(scene.pixelSize->x, width) << name;
        EXPECT_EQ(scene.pixelSize->y, height) << name;
        EXPECT_EQ(scene.pixelSize->unit, "µm");
        EXPECT_FALSE(ScaleBarOverlay(test.models.overlays).area(scene).isEmpty()) << name;
    }
}

TEST_F(OrthogonalPanels, TakeClicksAsTheSliceDoes) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    const QPoint cuboid = xz.toView({50.5, 8.5}).toPoint();
    test.models.objects.setActive(true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.objectTable.rowCount() == 1; }, kPatience));
    QTest::mouseMove(&xz, cuboid);
    QTest::mouseClick(&xz, Qt::LeftButton, {}, cuboid);
    EXPECT_TRUE(test.models.chain.isHeld());
    EXPECT_EQ(test.models.objectTable.marks().selected(), std::vector<std::uint32_t>{1});
    QTest::keyClick(&xz, Qt::Key_Escape);
    EXPECT_FALSE(test.models.chain.isHeld());
    QTest::mousePress(&xz, Qt::LeftButton, {}, cuboid);
    QTest::mouseMove(&xz, cuboid + QPoint(40, 0));
    QTest::mouseRelease(&xz, Qt::LeftButton, {}, cuboid + QPoint(40, 0));
    EXPECT_FALSE(test.models.chain.isHeld()) << "a drag";
    test.models.display.setSplitEnabled(true);
    test.models.display.setSplitPosition(0.5);
    const QPoint line(xz.width() / 2, 20);
    QTest::mousePress(&xz, Qt::LeftButton, {}, line);
    QMouseEvent move(QEvent::MouseMove, line - QPoint(xz.width() / 4, 0), xz.mapToGlobal(line), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&xz, &move);
    QTest::mouseRelease(&xz, Qt::LeftButton, {}, line);
    EXPECT_NEAR(test.models.display.splitPosition(), 0.25, 0.02);
    test.models.filter.picks().setPicking(true);
    QTest::keyClick(&xz, Qt::Key_Escape);
    EXPECT_FALSE(test.models.filter.picks().isPicking());
}

TEST_F(OrthogonalPanels, ShowTheRegionAndWhereShapesAreDrawn) {
    ASSERT_NO_FATAL_FAILURE(open());
    SectionView& xz = view("sectionXZ");
    EXPECT_GT(colourAt(xz, {55.5, 8.5}).red(), 200);
    test.models.region.add({RegionShape::Kind::rectangle, {{40, 0}, {50, 40}}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.document.choices().domain() != nullptr; }, kPatience));
    ASSERT_TRUE(rests());
    EXPECT_GT(colourAt(xz, {45.5, 8.5}).red(), 200);
    EXPECT_LT(colourAt(xz, {55.5, 8.5}).red(), 200) << "excluded";
    const auto paintedWith = [&](vm::RegionViewModel::Tool tool, bool hasPointer) {
        test.models.region.setTool(tool);
        auto* overlays = xz.findChild<OverlayPane*>(QStringLiteral("sectionOverlays"));
        OverlayScene scene = overlays->scene();
        scene.pointer = hasPointer ? std::optional(QPointF(50, 50)) : std::nullopt;
        QImage image(scene.size.toSize(), QImage::Format_RGB32);
        image.fill(Qt::gray);
        QPainter painter(&image);
        overlays->paintOnto(painter, scene, true);
        return image;
    };
    using Tool = vm::RegionViewModel::Tool;
    EXPECT_NE(paintedWith(Tool::rectangle, true), paintedWith(Tool::hand, true)) << "a sentence";
    EXPECT_EQ(paintedWith(Tool::rectangle, false), paintedWith(Tool::hand, false));
}

TEST_F(OrthogonalPanels, HaveTheLettersOfThePatient) {
    Image volume(PixelType::u8, {40, 30, 20});
    PlaneFacts facts;
    facts.place.emplace(); // x to L, y to P, z to S
    facts.place->map = {{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, {}};
    facts.place->unit = "mm";
    facts.scene.pixelSize = PixelSize{1, 1, "mm", "NIfTI-1", false, 1};
    const QString path = directory.filePath(QStringLiteral("patient.nii"));
    writeVoxels(path.toStdString(), {volume, facts});
    test.models.document.open(path);
    ASSERT_TRUE(rests());
    showPanel(test.window, QStringLiteral("orthogonal"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_EQ(test.part<QLabel>("sectionXZName")->text(), QStringLiteral("Coronal"));
    EXPECT_EQ(test.part<QLabel>("sectionYZName")->text(), QStringLiteral("Sagittal"));
    EXPECT_EQ(view("sectionXZ").accessibleName(), QStringLiteral("Section Coronal"));
    EXPECT_TRUE(test.part<QToolButton>("orthogonalViews")->toolTip().contains(QStringLiteral("coronal and sagittal")));
    views.setPosition({3, 4, 5});
    EXPECT_EQ(test.part<QLabel>("orthogonalPosition")->text(),
              QStringLiteral("x 3, y 4, slice 6   ·   L 3.0  P 4.0  S 5.0 mm"));
    // Plates at the four edges of each view, which the action switches off.
    const auto* layer = test.part<OverlayLayer>("overlayLayer");
    const PatientOverlay letters(test.models.overlays, test.models.document);
    const OverlayScene scene = layer->scene();
    const QRegion area = letters.area(scene);
    EXPECT_EQ(area.rectCount(), 4);
    EXPECT_TRUE(area.contains(QPoint(10, static_cast<int>(scene.size.height() / 2))));
    EXPECT_TRUE(area.contains(QPoint(static_cast<int>(scene.size.width() / 2), 10)));
    auto* action = test.window.findChild<QAction*>(QStringLiteral("patientLetters"));
    ASSERT_NE(action, nullptr);
    EXPECT_TRUE(action->isChecked()) << "at first";
    action->trigger();
    EXPECT_TRUE(letters.area(scene).isEmpty());
    action->trigger();
    EXPECT_EQ(letters.area(scene).rectCount(), 4);
}

TEST_F(OrthogonalPanels, HaveTheHeadOnTop) {
    test.models.overlays.setShown(vm::OverlaysViewModel::Overlay::patient, false); // they cover pixels
    test.models.overlays.setScaleBar(false);
    for (int i = 0; i < 4; ++i) {
        QFile file(directory.filePath(QStringLiteral("%1.dcm").arg(i)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(pollard::test::dicomSlice(2 * i, 100 + i).bytes()));
    }
    test.models.document.open(directory.filePath(QStringLiteral("0.dcm")));
    showPanel(test.window, QStringLiteral("orthogonal"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.isLaidOut());
    for (SectionView* const section : {&view("sectionXZ"), &view("sectionYZ")}) {
        views.setPosition({1, 1, 1}); // the cross hair covers pixels
        ASSERT_TRUE(rests());
        EXPECT_EQ(section->shown().image->height(), 4U) << "a row for each slice";
        EXPECT_GT(colourAt(*section, {0.5, 0.5}).red(), colourAt(*section, {0.5, 3.5}).red()) << "darker slices below";
        EXPECT_NEAR(section->toSection(section->toView({1.25, 0.5})).y(), 0.5, 1e-9);
        QTest::keyClick(section, Qt::Key_Up);
        EXPECT_TRUE(isAt(1, 1, 2)) << "towards the head";
        QTest::mouseClick(section, Qt::LeftButton, {}, section->toView({1.5, 0.5}).toPoint());
        EXPECT_EQ(test.models.document.slice(), 3) << "the highest slice is on top";
    }
    views.setPosition({1, 1, 1});
    QTest::keyClick(&view("sectionYZ"), Qt::Key_Right);
    EXPECT_TRUE(isAt(1, 2, 1)) << "y ascends to posterior, which is at the right";
}

TEST_F(OrthogonalPanels, AreOfferedForVolumes) {
    auto* button = test.part<QToolButton>("orthogonalViews");
    EXPECT_FALSE(button->isVisible());
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(button->isVisible());
    EXPECT_TRUE(button->isChecked());
    button->click();
    EXPECT_FALSE(test.part<QDockWidget>("orthogonalDock")->isVisible());
    EXPECT_FALSE(views.isActive());
    EXPECT_TRUE(CrossHairOverlay(views).area(test.part<OverlayLayer>("overlayLayer")->scene()).isEmpty());
    button->click();
    test.open("picture", makeImage(PixelType::u8, 40, 30, [](auto x, auto) { return x; }));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(button->isVisible());
    EXPECT_TRUE(test.part<QLabel>("orthogonalReason")->isVisible()) << "tells why there are none";
}

} // namespace
} // namespace pollard::app
