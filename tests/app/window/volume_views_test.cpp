// The workspace of volumes: four views, their places, enlarging, what is remembered, and images without slices.
#include "app/test_window.hpp"

#include "canvas/rendering_view.hpp"
#include "docks/orthogonal_panel.hpp"
#include "io/write/volume_writer.hpp"
#include "window/panel_dock.hpp"
#include "window/volume_views.hpp"
#include "window/workspaces.hpp"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

namespace pollard::app {
namespace {

class VolumeWorkspace : public ::testing::Test {
protected:
    QTemporaryDir directory;
    TestWindow test;

    [[nodiscard]] bool rests() {
        return test.settle() &&
               QTest::qWaitFor([this] { return test.models.orthogonal.isIdle() && test.models.rendering.isIdle(); },
                               kPatience);
    }
    void open(const VoxelMap& map = {}) {
        Image volume(PixelType::u8, {24, 20, 12});
        std::uint32_t index = 0;
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(index++ % 250);
        }
        PlaneFacts facts;
        if (!(map == VoxelMap())) {
            facts.place.emplace();
            facts.place->map = map;
            facts.place->unit = "mm";
            facts.scene.pixelSize = PixelSize{1, 1, "mm", "NIfTI-1", false, 1};
        }
        const QString path = directory.filePath(QStringLiteral("v.nii"));
        writeVoxels(path.toStdString(), {volume, facts});
        test.models.document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.models.document.isVolume());
    }
    void showWorkspace() {
        test.window.workspaces().show(QStringLiteral("volume"));
        ASSERT_TRUE(rests());
        ASSERT_TRUE(test.isLaidOut());
    }
    [[nodiscard]] VolumeViews& views() { return *test.part<VolumeViews>("volumeViews"); }
    [[nodiscard]] QWidget& view(const QString& id) {
        return id == QLatin1String("xy") ? *test.window.canvas()
                                         : *views().findChild<QWidget*>(QStringLiteral("volumeView-") + id);
    }
    /// 0 to 3 in reading order.
    [[nodiscard]] int quadrantOf(const QString& id) {
        const QPoint middle = view(id).geometry().center();
        return (middle.x() > views().width() / 2 ? 1 : 0) + (middle.y() > views().height() / 2 ? 2 : 0);
    }
    [[nodiscard]] QString nameOf(const QString& id) {
        return views().findChild<QLabel*>(QStringLiteral("volumeName-") + id)->text();
    }
};

const QStringList kIds{"xy", "xz", "yz", "3d"};

TEST_F(VolumeWorkspace, ShowsFourViewsOfAVolume) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(views().showsAll()) << "another workspace";
    EXPECT_EQ(test.window.canvas()->geometry(), views().rect());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    EXPECT_TRUE(views().showsAll());
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
        EXPECT_TRUE(view(kIds[quadrant]).isVisible()) << quadrant;
        EXPECT_EQ(quadrantOf(kIds[quadrant]), quadrant);
    }
    EXPECT_EQ(nameOf("xy"), "XY");
    EXPECT_EQ(nameOf("xz"), "XZ");
    EXPECT_EQ(nameOf("yz"), "YZ");
    EXPECT_TRUE(test.models.orthogonal.isActive());
    EXPECT_TRUE(test.models.rendering.isActive());
    EXPECT_NE(dynamic_cast<SectionView&>(view("xz")).shown().image, nullptr);
    EXPECT_NE(test.models.rendering.volume().before, nullptr);
    EXPECT_FALSE(test.part<QWidget>("renderingView")->isVisible()) << "the panel has only controls";
    EXPECT_TRUE(test.part<QComboBox>("rendering")->isVisible());
    test.window.workspaces().show(QStringLiteral("filter"));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(view("xz").isVisible());
    EXPECT_EQ(test.window.canvas()->geometry(), views().rect());
    EXPECT_FALSE(test.models.orthogonal.isActive());
    EXPECT_FALSE(test.models.rendering.isActive());
}

TEST_F(VolumeWorkspace, ShowsAnImageAlone) {
    test.window.workspaces().show(QStringLiteral("volume"));
    ASSERT_TRUE(rests());
    test.open("picture", makeNoise(40));
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_FALSE(views().showsAll());
    EXPECT_TRUE(test.window.canvas()->isVisible());
    auto* reason = test.part<QLabel>("volumeReason");
    EXPECT_TRUE(reason->isVisible());
    EXPECT_TRUE(reason->text().contains("Open a volume"));
    EXPECT_FALSE(reason->geometry().intersects(test.window.canvas()->geometry()));
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(views().showsAll());
    EXPECT_FALSE(reason->isVisible());
}

TEST_F(VolumeWorkspace, EnlargesAViewByADoubleClick) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    for (const QString& id : kIds) {
        const QRect place = view(id).geometry();
        QTest::mouseDClick(&view(id), Qt::LeftButton, {}, {9, 9});
        EXPECT_EQ(test.models.orthogonal.layout().enlarged, id);
        for (const QString& other : kIds) {
            EXPECT_EQ(view(other).isVisible(), other == id) << id.toStdString() << ' ' << other.toStdString();
        }
        EXPECT_EQ(view(id).width(), views().width());
        QTest::mouseDClick(&view(id), Qt::LeftButton, {}, {9, 9});
        EXPECT_EQ(test.models.orthogonal.layout().enlarged, "");
        EXPECT_EQ(view(id).geometry(), place);
    }
    views().findChild<QToolButton*>(QStringLiteral("volumeEnlarge-3d"))->click();
    EXPECT_EQ(test.models.orthogonal.layout().enlarged, "3d") << "by the button, too";
    const vm::OrthogonalViewModel next(test.models.document, &test.models.store);
    EXPECT_EQ(next.layout(), test.models.orthogonal.layout()) << "remembered";
}

TEST_F(VolumeWorkspace, KeepsTheSlicesOnADoubleClick) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    const Voxel before = test.models.orthogonal.position();
    const auto isMoved = [&] {
        const Voxel at = test.models.orthogonal.position();
        return at.x != before.x || at.y != before.y || at.z != before.z;
    };
    for (const QString& id : kIds) {
        const QPoint place = view(id).rect().center() + QPoint(20, 20);
        QTest::mouseClick(&view(id), Qt::LeftButton, {}, place);
        EXPECT_EQ(isMoved(), id != QLatin1String("3d")) << id.toStdString() << ": a click in space waits";
        QTest::mouseDClick(&view(id), Qt::LeftButton, {}, place);
        QTest::mouseRelease(&view(id), Qt::LeftButton, {}, place);
        EXPECT_EQ(test.models.orthogonal.layout().enlarged, id);
        QTest::qWait(QApplication::doubleClickInterval() + 100);
        EXPECT_FALSE(isMoved()) << id.toStdString();
        EXPECT_FALSE(test.models.chain.isHeld()) << id.toStdString();
        test.models.orthogonal.setLayout({});
        ASSERT_TRUE(test.isLaidOut());
    }
}

TEST_F(VolumeWorkspace, HasOneCopyOfTheVolumeOnTheGraphicsCard) {
    ASSERT_NO_FATAL_FAILURE(open());
    showPanel(test.window, QStringLiteral("rendering"));
    auto& panel = *test.part<RenderingView>("renderingView");
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel.hasTextures(); }, kPatience));
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    auto& space = dynamic_cast<RenderingView&>(view("3d"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return space.hasTextures(); }, kPatience));
    EXPECT_FALSE(panel.hasTextures()) << "hidden";
    test.models.orthogonal.setLayout({0.5, 0.5, "xy"});
    EXPECT_FALSE(space.isVisible());
    EXPECT_TRUE(space.hasTextures()) << "no other view needs them";
    test.models.orthogonal.setLayout({});
    test.window.workspaces().show(QStringLiteral("filter"));
    showPanel(test.window, QStringLiteral("rendering"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel.hasTextures(); }, kPatience));
    EXPECT_FALSE(space.hasTextures());
}

TEST_F(VolumeWorkspace, LeavesTheDoubleClickToATool) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    test.models.region.setTool(vm::RegionViewModel::Tool::polygon);
    QTest::mouseDClick(test.window.canvas(), Qt::LeftButton, {}, {40, 40});
    EXPECT_EQ(test.models.orthogonal.layout().enlarged, "");
}

TEST_F(VolumeWorkspace, HasGapsThatCanBeDragged) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    const QPoint cross(views().width() / 2, views().height() / 2);
    const QPoint to(views().width() * 3 / 4, views().height() / 4);
    const auto drag = [this](const QPoint& from, const QPoint& end) {
        QTest::mousePress(&views(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, end, views().mapToGlobal(end), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&views(), &move);
        QTest::mouseRelease(&views(), Qt::LeftButton, {}, end);
    };
    drag(cross, to);
    const vm::ViewsLayout layout = test.models.orthogonal.layout();
    EXPECT_NEAR(layout.across, 0.75, 0.01);
    EXPECT_NEAR(layout.down, 0.25, 0.01);
    EXPECT_GT(view("xy").width(), 2 * view("xz").width());
    drag(to, {views().width(), 0});
    EXPECT_EQ(test.models.orthogonal.layout().across, 1 - vm::ViewsLayout::kLeastShare) << "each view stays";
    EXPECT_EQ(test.models.orthogonal.layout().down, vm::ViewsLayout::kLeastShare);
    test.models.orthogonal.setLayout({0.5, 0.5, "nothing"});
    EXPECT_EQ(test.models.orthogonal.layout(), vm::ViewsLayout());
}

TEST_F(VolumeWorkspace, PutsThePlanesOfAPatientWhereTheyBelong) {
    // Sagittal slices: x to posterior, y to inferior, z to the right.
    ASSERT_NO_FATAL_FAILURE(open({{{{0, -1, 0}, {0, 0, -1}, {1, 0, 0}}}, {}}));
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    EXPECT_EQ(nameOf("xz"), "Axial");
    EXPECT_EQ(quadrantOf("xz"), 0);
    EXPECT_EQ(nameOf("yz"), "Coronal");
    EXPECT_EQ(quadrantOf("yz"), 1);
    EXPECT_EQ(nameOf("xy"), "Sagittal");
    EXPECT_EQ(quadrantOf("xy"), 2);
    EXPECT_EQ(quadrantOf("3d"), 3);
}

TEST_F(VolumeWorkspace, FitsOnASmallScreen) {
    test.window.resize(1024, 700);
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(showWorkspace());
    test.models.rendering.setPreset(QStringLiteral("mri"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(test.isLaidOut());
    EXPECT_LE(test.window.width(), 1024);
    EXPECT_LE(test.window.height(), 700);
    for (const QString& id : kIds) {
        EXPECT_TRUE(views().rect().contains(view(id).geometry())) << id.toStdString();
        EXPECT_GT(view(id).width(), 150) << id.toStdString();
    }
}

TEST_F(VolumeWorkspace, IsStatedInSessions) {
    ASSERT_NO_FATAL_FAILURE(open());
    test.models.rendering.setPreset(QStringLiteral("mri"));
    test.models.rendering.setShading(false);
    test.models.orthogonal.setLayout({0.3, 0.6, "xz"});
    const vm::RenderingLook look = test.models.rendering.look();
    ASSERT_FALSE(look.curve.isEmpty());
    const QString path = directory.filePath(QStringLiteral("v.pollard"));
    QSignalSpy saved(&test.models.sessions, &vm::SessionViewModel::saved);
    test.models.sessions.save(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    test.models.rendering.setLook({});
    test.models.orthogonal.setLayout({});
    QSignalSpy opened(&test.models.sessions, &vm::SessionViewModel::opened);
    test.models.sessions.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kPatience));
    EXPECT_EQ(test.models.rendering.look(), look);
    EXPECT_EQ(test.models.orthogonal.layout(), (vm::ViewsLayout{0.3, 0.6, "xz"}));
}

TEST_F(VolumeWorkspace, IsOfferedOnce) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_TRUE(test.models.store.value(QStringLiteral("volumeViews/offered")).toBool());
    EXPECT_EQ(test.window.workspaces().current(), "filter") << "it is not shown by itself";
}

} // namespace
} // namespace pollard::app
