// The docks for the current component and for the selection, in the real window.
#include "app/test_window.hpp"

#include "docks/tree/inspector_panel.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "window/panel_dock.hpp"
#include "window_times/focus_measurement.hpp"

#include "io/image_file.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace pollard::app {
namespace {

class InspectDocks : public ::testing::Test {
protected:
    TestWindow test;
    vm::ChainViewModel& chain = test.models.chain;
    vm::NodeSelection& selection = test.models.selection;

    void SetUp() override {
        // Three squares of 20 px on a background of 20: levels 60, 90 and 120, the last with a core of 200.
        test.open("squares", makeImage(PixelType::u8, 120, 60, [](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
                      if (y < 20 || y >= 40 || x % 40 < 10 || x % 40 >= 30) {
                          return 20;
                      }
                      return x >= 95 && x < 105 && y >= 25 && y < 35 ? 200 : 60 + 30 * (x / 40);
                  }));
        ASSERT_TRUE(test.settle());
    }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    void click(double x, double y) {
        const QPoint place = test.inWindow(test.window.canvas(), scene().toSurface({x, y}));
        test.move(place);
        test.press(place);
        test.release(place);
    }
    void push(const char* name) {
        auto* button = test.part<QAbstractButton>(name);
        ASSERT_TRUE(button->isEnabled()) << name;
        button->click();
    }
    /// Number of image pixels that overlays tint with cyan.
    [[nodiscard]] int tinted() {
        const OverlayScene present = scene();
        QImage image(present.size.toSize() * present.ratio, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        test.part<OverlayLayer>("overlayLayer")->paintOnto(painter, present, false);
        int count = 0;
        for (int y = 0; y < 60; ++y) {
            for (int x = 0; x < 120; ++x) {
                const QPointF place = present.toSurface({x + 0.5, y + 0.5}) * present.ratio;
                const QColor colour = image.pixelColor(place.toPoint());
                count += colour.alpha() > 0 && colour.blue() > colour.red() + 10 ? 1 : 0;
            }
        }
        return count;
    }
};

TEST_F(InspectDocks, ComponentTellsOfThePlaceThatIsHeld) {
    showPanel(test.window, QStringLiteral("component"));
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(test.part<QLabel>("inspectorHint")->isVisible());
    click(100, 30);
    auto& inspector = *test.window.findChild<vm::InspectorViewModel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspector.cutout() && inspector.value(AttributeId::area); }, kPatience));
    EXPECT_EQ(*inspector.value(AttributeId::area), 100);
    EXPECT_TRUE(test.part<QLabel>("inspectorSummary")->text().contains(QStringLiteral("10 × 10")));
    push("inspectorParent");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return inspector.cutout() && inspector.value(AttributeId::area) == 400; }, kPatience));
    push("inspectorBefore");
    EXPECT_EQ(test.models.document.tree()->level[*chain.node()], 90);
    push("inspectorNext");
    EXPECT_EQ(test.models.document.tree()->level[*chain.node()], 120);
    push("inspectorChild");
    EXPECT_EQ(test.models.document.tree()->level[*chain.node()], 200);

    // An opened group is measured.
    auto* tree = test.part<QTreeView>("inspectorTree");
    for (int group = 0; group < inspector.rowCount(); ++group) {
        tree->setExpanded(inspector.index(group, 0), true);
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return inspector.value(AttributeId::perimeter).has_value(); }, kPatience));

    push("inspectorRemove");
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(30 * 120 + 100), 120);
}

TEST_F(InspectDocks, SelectionIsTintedAndCanBeUndone) {
    showPanel(test.window, QStringLiteral("component"));
    ASSERT_TRUE(test.settle());
    click(20, 30);
    push("inspectorSelect");
    ASSERT_TRUE(QTest::qWaitFor([&] { return selection.extent() != nullptr; }, kPatience));
    click(60, 30);
    EXPECT_FALSE(test.part<QToolButton>("inspectorSelect")->isChecked());
    push("inspectorSelect");
    ASSERT_TRUE(QTest::qWaitFor([&] { return selection.extent() && selection.extent()->pixels == 800; }, kPatience));
    chain.letGo();
    EXPECT_EQ(tinted(), 800);

    showPanel(test.window, QStringLiteral("selection"));
    auto& summary = *test.window.findChild<vm::SelectionSummary*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return summary.values() != nullptr; }, kPatience));
    EXPECT_EQ(summary.values()->summary.sum, 800);
    QTest::keyClick(&test.window, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(selection.count(), 1);
    QTest::keyClick(&test.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(selection.count(), 2);
    push("selectionRemove");
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(30 * 120 + 20), 20);
    EXPECT_EQ(test.models.document.result()->level(30 * 120 + 100), 200);
    push("selectionClear");
    EXPECT_EQ(tinted(), 0);
}

TEST_F(InspectDocks, SelectsByTheFilterAndKeepsNames) {
    showPanel(test.window, QStringLiteral("selection"));
    test.models.filter.setCriterion({AttributeId::area, 300, std::numeric_limits<double>::infinity()});
    ASSERT_TRUE(test.settle());
    push("selectionRemoved");
    ASSERT_TRUE(QTest::qWaitFor([&] { return selection.count() == 1; }, kPatience));
    EXPECT_EQ(test.models.document.tree()->level[selection.nodes()->front()], 200);
    auto* name = test.part<QLineEdit>("selectionName");
    name->setText(QStringLiteral("cores"));
    QTest::keyClick(name, Qt::Key_Return);
    EXPECT_TRUE(name->text().isEmpty());
    push("selectionClear");
    test.part<QListView>("selectionNames")->setCurrentIndex(selection.index(0));
    push("selectionRecall");
    EXPECT_EQ(selection.count(), 1);
    push("selectionForget");
    EXPECT_EQ(selection.rowCount(), 0);
}

TEST_F(InspectDocks, ComponentsAreWrittenAsMaskAndTable) {
    const QTemporaryDir folder;
    vm::NodeExport& files = test.models.nodeExport;
    const auto find = [&](int level) {
        const auto& levels = test.models.document.tree()->level;
        return static_cast<std::uint32_t>(std::ranges::find(levels, level) - levels.begin());
    };
    const NodeSet nodes = makeNodeSet({find(60), find(200)});
    files.save(vm::NodeFile::mask, nodes, folder.filePath(QStringLiteral("m.tif")));
    EXPECT_FALSE(files.isAvailable());
    ASSERT_TRUE(QTest::qWaitFor([&] { return files.isAvailable(); }, kPatience));
    const LoadedImage loaded = readImage(folder.filePath(QStringLiteral("m.tif")).toStdString());
    const Image& mask = *loaded.image;
    EXPECT_EQ(std::ranges::count(mask.pixels<std::uint8_t>(), 255), 500);
    EXPECT_EQ(std::ranges::count(mask.pixels<std::uint8_t>(), 0), 120 * 60 - 500);

    files.save(vm::NodeFile::table, nodes, folder.filePath(QStringLiteral("t.csv")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return files.isAvailable(); }, kPatience));
    std::ifstream table(folder.filePath(QStringLiteral("t.csv")).toStdString());
    std::string line;
    std::size_t lines = 0;
    while (std::getline(table, line)) {
        ++lines;
    }
    EXPECT_EQ(lines, 3U);

    QString problem;
    QObject::connect(&files, &vm::NodeExport::failed, &files,
                     [&](const QString&, const QString& text) { problem = text; });
    QObject::disconnect(&files, &vm::NodeExport::failed, &test.window, nullptr);
    files.save(vm::NodeFile::mask, nodes, folder.filePath(QStringLiteral("none/m.tif")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return files.isAvailable() && !problem.isEmpty(); }, kPatience));
}

TEST_F(InspectDocks, HoveringIsMeasured) {
    for (const int rate : {0, 100}) {
        HoverMeasurement hover(test.models, test.window, 20, rate);
        QSignalSpy finished(&hover, &HoverMeasurement::finished);
        test.window.canvas()->wantFrame();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !finished.isEmpty(); }, kPatience));
        EXPECT_EQ(finished.at(0).at(1).toString(), QString());
        EXPECT_TRUE(finished.at(0).at(0).toString().startsWith(QStringLiteral("hover: 20 places")));
        EXPECT_TRUE(chain.isActive()) << "a panel shows the chain";
    }
}

} // namespace
} // namespace pollard::app
