// The chain dock in the real window: pointer, table, chart, keys, the highlighted component.
#include "app/test_window.hpp"

#include "docks/tree/chain_panel.hpp"
#include "overlays/overlay_layer.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"
#include "window/status_line.hpp"

#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

class ChainDock : public ::testing::Test {
protected:
    TestWindow test;
    vm::ChainViewModel& chain = test.models.chain;

    void SetUp() override {
        // Nested squares around (40, 40) on a slope: level 20 + 10 * number of squares that contain the pixel.
        test.open("squares", makeImage(PixelType::u8, 120, 80, [](std::uint32_t x, std::uint32_t y) {
                      const int far = std::max(std::abs(static_cast<int>(x) - 40), std::abs(static_cast<int>(y) - 40));
                      return far < 30 ? 20 + 10 * (6 - far / 5) : 20;
                  }));
        showPanel(test.window, QStringLiteral("chain"));
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(chain.isActive());
    }
    [[nodiscard]] OverlayScene scene() { return test.part<OverlayLayer>("overlayLayer")->scene(); }
    [[nodiscard]] QPoint at(double x, double y) {
        return test.inWindow(test.window.canvas(), scene().toSurface({x, y}));
    }
    void click(double x, double y) {
        test.move(at(x, y));
        test.press(at(x, y));
        test.release(at(x, y));
    }
    /// The overlays, painted without the image.
    [[nodiscard]] QImage painted() {
        const OverlayScene present = scene();
        QImage image(present.size.toSize() * present.ratio, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        test.part<OverlayLayer>("overlayLayer")->paintOnto(painter, present, false);
        return image;
    }
    [[nodiscard]] bool isLit(const QImage& image, double x, double y) {
        const QColor colour = image.pixelColor(scene().toSurface({x, y}).toPoint());
        return colour.alpha() > 0 && colour.red() > colour.blue() + 10;
    }
};

TEST_F(ChainDock, FollowsThePointer) {
    EXPECT_TRUE(test.part<QLabel>("chainHint")->isVisible());
    const QSize room = test.window.canvas()->size();
    test.move(at(100, 20));
    test.move(at(40.5, 40.5));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.rowCount() == 7; }, kPatience)) << chain.rowCount();
    EXPECT_FALSE(test.part<QLabel>("chainHint")->isVisible());
    EXPECT_EQ(test.window.canvas()->size(), room) << "the image moved below the pointer";
    auto* table = test.part<QTableView>("chainTable");
    EXPECT_TRUE(table->isVisible());
    EXPECT_EQ(table->model()->rowCount(), 7);
    EXPECT_EQ(table->currentIndex().row(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.value(0, vm::ChainViewModel::areaColumn).has_value(); }, kPatience));
    EXPECT_EQ(*chain.value(0, vm::ChainViewModel::areaColumn), 81);
    test.move(at(100, 20));
    EXPECT_TRUE(QTest::qWaitFor([&] { return chain.rowCount() == 1; }, kPatience));
}

TEST_F(ChainDock, LightsTheCurrentComponent) {
    EXPECT_FALSE(isLit(painted(), 40.5, 40.5));
    click(40.5, 40.5);
    ASSERT_TRUE(chain.isHeld());
    EXPECT_TRUE(isLit(painted(), 40.5, 40.5));
    EXPECT_FALSE(isLit(painted(), 47.5, 40.5)) << "the next square";
    test.part<QTableView>("chainTable")->selectRow(1);
    EXPECT_EQ(chain.current(), 1);
    EXPECT_TRUE(isLit(painted(), 47.5, 40.5));
    EXPECT_FALSE(isLit(painted(), 52.5, 40.5));
}

TEST_F(ChainDock, KeysWalkAndEscapeLetsGo) {
    click(40.5, 40.5);
    ASSERT_TRUE(focus(*test.window.canvas()));
    const QPointF centre = test.models.display.centre();
    QTest::keyClick(test.window.canvas(), Qt::Key_Up);
    QTest::keyClick(test.window.canvas(), Qt::Key_Up);
    EXPECT_EQ(chain.current(), 2);
    EXPECT_EQ(test.part<QTableView>("chainTable")->currentIndex().row(), 2);
    QTest::keyClick(test.window.canvas(), Qt::Key_Down);
    EXPECT_EQ(chain.current(), 1);
    EXPECT_EQ(test.models.display.centre(), centre) << "the image stays";
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(chain.isHeld());
    test.move(at(100, 20));
    EXPECT_TRUE(QTest::qWaitFor([&] { return chain.rowCount() == 1; }, kPatience)) << "it follows the pointer again";
    QTest::keyClick(test.window.canvas(), Qt::Key_Up);
    EXPECT_NE(test.models.display.centre(), centre) << "now the arrows move the image again";
}

TEST_F(ChainDock, ChartChoosesTheNearestLevel) {
    click(40.5, 40.5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.value(0, vm::ChainViewModel::areaColumn).has_value(); }, kPatience));
    auto* chart = test.part<ChainChart>("chainChart");
    const auto clickAt = [&](QPoint place) {
        QTest::mouseClick(chart, Qt::LeftButton, Qt::NoModifier, place);
        return chain.current();
    };
    EXPECT_EQ(clickAt(chart->placeOf(4).toPoint()), 4);
    EXPECT_EQ(clickAt(chart->placeOf(1).toPoint() + QPoint(3, 20)), 1);
    for (int x = 0; x < chart->width(); ++x) {
        int nearest = 0;
        for (int row = 1; row < chain.rowCount(); ++row) {
            if (std::abs(chart->placeOf(row).x() - x) < std::abs(chart->placeOf(nearest).x() - x)) {
                nearest = row;
            }
        }
        const int chosen = clickAt({x, 5});
        EXPECT_NEAR(std::abs(chart->placeOf(chosen).x() - x), std::abs(chart->placeOf(nearest).x() - x), 1e-6) << x;
    }
}

TEST_F(ChainDock, ChartWalksWithKeysAndMarksTheCurrentComponent) {
    click(40.5, 40.5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.value(0, vm::ChainViewModel::areaColumn).has_value(); }, kPatience));
    auto* chart = test.part<ChainChart>("chainChart");
    const auto markIsAt = [&](int row) {
        const QImage image = chart->grab().toImage();
        const QPointF place = chart->placeOf(row) * image.devicePixelRatio();
        return image.pixelColor(place.toPoint()) == chart->palette().color(QPalette::Highlight);
    };
    EXPECT_TRUE(markIsAt(0));
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(chain.current(), 0) << "nothing is above the peak";
    QTest::keyClick(chart, Qt::Key_Left);
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_EQ(chain.current(), 2);
    EXPECT_TRUE(markIsAt(2));
    EXPECT_FALSE(markIsAt(0));
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(chain.current(), 1);
    // Towards the root levels rise now.
    test.models.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(test.settle());
    chain.hold({40.5, 40.5});
    ASSERT_EQ(chain.rowCount(), 1) << "the peak is the root of a min-tree";
    chain.hold({0.5, 0.5});
    ASSERT_EQ(chain.rowCount(), 7);
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_EQ(chain.current(), 0);
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(chain.current(), 1);
}

TEST_F(ChainDock, ChartLeavesOutOnlyWhatLooksTheSame) {
    test.open("ramp", makeImage(PixelType::u16, 200, 100,
                                [](std::uint32_t x, std::uint32_t y) { return static_cast<int>(3 * (y * 200 + x)); }));
    chain.hover({199.5, 99.5});
    ASSERT_EQ(chain.rowCount(), 20'000);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.value(0, vm::ChainViewModel::areaColumn).has_value(); }, kPatience));
    auto& chart = *test.part<ChainChart>("chainChart");
    const auto& curve = chart.curve();
    ASSERT_GT(curve.size(), 20U);
    EXPECT_LT(curve.size(), 2 * static_cast<std::size_t>(chart.width() + chart.height()));
    EXPECT_EQ(curve.front().row, 0);
    EXPECT_EQ(curve.back().row, 19'999);
    for (std::size_t i = 1; i < curve.size(); ++i) {
        EXPECT_EQ(curve[i].place, chart.placeOf(curve[i].row));
        for (int row = curve[i - 1].row + 1; row < curve[i].row; ++row) {
            const QPointF away = chart.placeOf(row) - curve[i].place;
            ASSERT_LE(std::max(std::abs(away.x()), std::abs(away.y())), 1) << row;
        }
    }
}

TEST_F(ChainDock, AnotherPixelIsOnePaintingWithoutALayout) {
    test.open("ramp", makeImage(PixelType::u16, 200, 100,
                                [](std::uint32_t x, std::uint32_t y) { return static_cast<int>(y * 200 + x); }));
    chain.hover({199.5, 99.5});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.part<QToolButton>("chainThreshold")->isEnabled(); }, kPatience));
    ASSERT_TRUE(test.settle());
    for (QTimer* timer : test.window.findChild<StatusLine*>()->findChildren<QTimer*>()) {
        timer->stop(); // updates of the memory usage change the layout
    }
    struct Counter : QObject {
        QStringList layouts;
        QStringList paintings;
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() == QEvent::LayoutRequest) {
                layouts << nameOf(*watched);
            } else if (event->type() == QEvent::Paint) {
                paintings << nameOf(*watched);
            }
            return QObject::eventFilter(watched, event);
        }
        static QString nameOf(const QObject& object) {
            return QLatin1String(object.metaObject()->className()) + u' ' + object.objectName();
        }
    } counter;
    QCoreApplication::instance()->installEventFilter(&counter);
    const auto layoutsOfTurns = [&] {
        counter.layouts.clear();
        counter.paintings.clear();
        for (int turn = 0; turn < 10; ++turn) { // layout requests propagate to parents
            QCoreApplication::processEvents();
        }
        return counter.layouts;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return layoutsOfTurns().isEmpty(); }, kPatience))
        << counter.layouts.join(u',').toStdString();
    const int paints = test.window.canvas()->paints();
    chain.hover({99.5, 99.5});
    EXPECT_EQ(layoutsOfTurns().join(u',').toStdString(), std::string());
    QCoreApplication::instance()->removeEventFilter(&counter);
    EXPECT_EQ(counter.paintings.filter(QStringLiteral("chainChart")).size(), 1);
    EXPECT_EQ(test.window.canvas()->paints(), paints + 1);
    for (const char* name : {"Canvas canvas", "ImageArea"}) {
        EXPECT_TRUE(counter.paintings.filter(QLatin1String(name)).isEmpty()) << "OpenGL draws there";
    }
    EXPECT_EQ(chain.rowCount(), 19'900);
    EXPECT_EQ(counter.layouts.join(u',').toStdString(), std::string());
    EXPECT_EQ(test.part<ElidedLabel>("chainSummary")->fullText(), chain.summary());
}

TEST_F(ChainDock, ButtonsActOnTheCurrentComponent) {
    EXPECT_FALSE(test.part<QToolButton>("chainRemove")->isEnabled());
    click(40.5, 40.5);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.part<QToolButton>("chainThreshold")->isEnabled(); }, kPatience));
    chain.setCurrent(2);
    test.part<QToolButton>("chainRemove")->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(40 * 120 + 40), 50);
    EXPECT_TRUE(chain.isHeld()) << "the tree is the same";
    test.part<QToolButton>("chainKeep")->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.result()->level(40 * 120 + 40), 80);
    chain.setAttribute(AttributeId::area);
    test.part<QToolButton>("chainThreshold")->click();
    EXPECT_EQ(test.models.filter.criterionText(), QStringLiteral("area >= 841"));
    test.part<QToolButton>("chainLetGo")->click();
    EXPECT_FALSE(chain.isHeld());
}

TEST_F(ChainDock, AComponentStartsAContour) {
    click(40.5, 40.5);
    chain.setCurrent(2);
    test.part<QToolButton>("chainRefine")->click();
    EXPECT_TRUE(test.part<QDockWidget>("contourDock")->isVisible());
    vm::ContourViewModel& contours = test.models.contours;
    ASSERT_TRUE(QTest::qWaitFor([&] { return contours.runs().currentRun() != nullptr; }, kPatience))
        << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().figures()->inside.pixels, 29 * 29) << "a square has its corners";
}

TEST_F(ChainDock, AHiddenDockFollowsNothing) {
    click(40.5, 40.5);
    test.part<QDockWidget>("chainDock")->hide();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !chain.isActive(); }, kPatience));
    EXPECT_FALSE(isLit(painted(), 40.5, 40.5));
    test.move(at(45, 45));
    EXPECT_EQ(chain.rowCount(), 0);
}

} // namespace
} // namespace pollard::app
