// Objects of a volume, in the real window: choices, colours of the visible slice, and what only images offer.
#include "app/test_window.hpp"

#include "io/write/volume_writer.hpp"
#include "overlays/objects_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QPainter>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

namespace pollard::app {
namespace {

class ObjectsOfVolumes : public ::testing::Test {
protected:
    QTemporaryDir directory;
    TestWindow test;
    vm::ObjectsViewModel& objects = test.models.objects;
    vm::ObjectTableModel& table = test.models.objectTable;

    [[nodiscard]] bool rests() {
        return test.settle() &&
               QTest::qWaitFor(
                   [this] { return objects.state() != vm::ObjectsViewModel::State::computing && !table.isListing(); },
                   kPatience);
    }
    /// Cuboids in the slices 0..2 on the left and 6..9 on the right.
    void open() {
        Image volume(PixelType::u8, {80, 60, 10});
        std::uint32_t index = 0;
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            const Voxel at = voxelAt(index++, volume.extent());
            const bool left = at.z < 3 && at.x >= 10 && at.x < 30 && at.y >= 20 && at.y < 40;
            const bool right = at.z >= 6 && at.x >= 50 && at.x < 70 && at.y >= 20 && at.y < 40;
            level = left ? 200 : right ? 150 : 20;
        }
        const QString path = directory.filePath(QStringLiteral("volume.nii"));
        writeVoxels(path.toStdString(), volume);
        showPanel(test.window, QStringLiteral("objects"));
        test.models.document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.models.document.isVolume());
        ASSERT_EQ(table.rowCount(), 2);
        test.models.display.setZoom(4);
        test.models.display.setCentre({40, 30});
        ASSERT_TRUE(test.isLaidOut());
    }
    [[nodiscard]] bool isPaintedAt(double x, double y) {
        const OverlayScene present = test.part<OverlayLayer>("overlayLayer")->scene();
        QImage image(present.size.toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        ObjectsOverlay(objects, table, test.models.display).paint(painter, present);
        painter.end();
        return image.pixelColor(present.toSurface({x, y}).toPoint()).alpha() > 0;
    }
    [[nodiscard]] QStringList neighbours() {
        QStringList numbers;
        auto* box = test.part<QComboBox>("objectsConnectivity");
        for (int i = 0; i < box->count(); ++i) {
            numbers << box->itemText(i).section(QLatin1Char(':'), 0, 0);
        }
        return numbers << box->currentText().section(QLatin1Char(':'), 0, 0);
    }
};

TEST_F(ObjectsOfVolumes, OfferWhatVolumesHave) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(neighbours(), (QStringList{"26", "18", "6", "26"}));
    EXPECT_TRUE(test.part<QCheckBox>("objectsFillHoles")->isEnabled());
    const auto* methods = test.part<QComboBox>("objectsThreshold");
    const int background = methods->findText(QStringLiteral("Above background"));
    ASSERT_GE(background, 0);
    EXPECT_FALSE(methods->model()->index(background, 0).flags().testFlag(Qt::ItemIsEnabled));
    EXPECT_EQ(methods->itemData(background, Qt::ToolTipRole).toString(),
              QStringLiteral("The local background is measured in images, not in volumes"));
    for (const char* name : {"objectsSave-geojson", "objectsSave-zip"}) {
        EXPECT_TRUE(test.part<QAction>(name)->isEnabled()) << name;
    }
    EXPECT_FALSE(test.part<QAction>("objectsSave-gpkg")->isEnabled()) << "no place on a map";
    EXPECT_TRUE(test.part<QAction>("objectsSave-gpkg")->toolTip().contains("no place")) << "the reason";
    const auto* menu = test.part<QToolButton>("objectsSave")->menu();
    EXPECT_EQ(menu->actions().first()->objectName(), "objectsSave-tif") << "labels come first";
    EXPECT_TRUE(menu->actions().first()->text().contains("NIfTI"));
    table.marks().select(std::vector<std::uint32_t>{1});
    EXPECT_FALSE(test.part<QToolButton>("objectsRefine")->isEnabled());
    EXPECT_TRUE(test.part<QToolButton>("objectsDelete")->isEnabled());
    test.part<QAction>("objectsColumn-euler")->trigger();
    EXPECT_TRUE(table.isColumnShown(ObjectFeature::euler));
    EXPECT_GE(test.part<QComboBox>("objectsChartX")->findData(static_cast<int>(ObjectFeature::sphericity)), 0);

    test.open("picture", makeImage(PixelType::u8, 40, 30, [](auto x, auto) { return x > 20 ? 200 : 10; }));
    ASSERT_TRUE(rests());
    EXPECT_EQ(neighbours(), (QStringList{"8", "4", "8"}));
    EXPECT_TRUE(test.part<QCheckBox>("objectsFillHoles")->isEnabled());
    EXPECT_TRUE(test.part<QAction>("objectsSave-gpkg")->isEnabled());
    EXPECT_EQ(menu->actions().first()->objectName(), "objectsSave-csv");
    EXPECT_EQ(menu->actions().at(2)->text(), "&Label image (TIFF)…");
    EXPECT_TRUE(test.part<QAction>("objectsColumn-circularity")->isChecked());
    EXPECT_LT(test.part<QComboBox>("objectsChartX")->findData(static_cast<int>(ObjectFeature::sphericity)), 0);
}

TEST_F(ObjectsOfVolumes, HaveBoundariesInTheSeenSlice) {
    ASSERT_NO_FATAL_FAILURE(open());
    objects.regions().setWay(vm::FindBy::hierarchy);
    objects.setDrawing(HierarchyDrawing::boundaries);
    ASSERT_TRUE(rests());
    objects.regions().setCut(objects.regions().cutScale()->most / 2);
    ASSERT_TRUE(rests());
    for (const int z : {1, 4, 8}) {
        test.models.document.setSlice(z);
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.shown().slice == static_cast<unsigned>(z); },
                                    kPatience) &&
                    rests());
        const auto isCrossed = [&](double from, double to) {
            bool isFound = false;
            for (double x = from; x <= to; x += 0.25) {
                isFound = isFound || isPaintedAt(x, 30);
            }
            return isFound;
        };
        EXPECT_FALSE(isPaintedAt(40.5, 10.5)) << z;
        EXPECT_EQ(isCrossed(8, 12), z < 3) << z;
        EXPECT_EQ(isCrossed(68, 72), z >= 6) << z;
    }
}

TEST_F(ObjectsOfVolumes, AreColouredOnTheSeenSliceAndVisited) {
    ASSERT_NO_FATAL_FAILURE(open());
    const auto isSeen = [this](std::uint32_t slice) {
        return QTest::qWaitFor([&] { return test.models.document.shown().slice == slice; }, kPatience) && rests();
    };
    for (const int z : {0, 2, 4, 6, 9}) {
        test.models.document.setSlice(z);
        ASSERT_TRUE(isSeen(static_cast<std::uint32_t>(z)));
        EXPECT_EQ(isPaintedAt(20, 30), z < 3) << z;
        EXPECT_EQ(isPaintedAt(60, 30), z >= 6) << z;
    }
    auto* view = test.part<QTableView>("objectsTable");
    emit view->activated(table.index(0, 0));
    EXPECT_TRUE(isSeen(1)) << "the middle of the object";
    emit view->activated(table.index(1, 0));
    EXPECT_TRUE(isSeen(7));
    EXPECT_NEAR(test.models.display.view().centre.x(), 60, 1);
}

} // namespace
} // namespace pollard::app
