// The attribute plane dock in the real window: mouse, keys, lasso, axes; the image against an oracle.
#include "app/test_window.hpp"

#include "app/support/on_screen.hpp"
#include "docks/filter/attribute_picker.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "overlays/tree_overlays.hpp"
#include "support/naive_filter.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"

#include <QCheckBox>
#include <QDockWidget>
#include <QToolButton>

#include <algorithm>
#include <numeric>

namespace pollard::app {
namespace {

using Plane = vm::AttributePlaneViewModel;
using Side = Plane::Side;

/// Squares of many sizes and heights on a background with steps.
SharedImage squares() {
    std::mt19937 random(3);
    std::vector<int> levels(std::size_t{64} * 64);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = 10 + static_cast<int>(i % 64) / 16;
    }
    for (int n = 0; n < 50; ++n) {
        const std::size_t side = 1 + random() % 10;
        const std::size_t left = random() % (64 - side);
        const std::size_t top = random() % (64 - side);
        const int level = 20 + static_cast<int>(random() % 200);
        for (std::size_t y = top; y < top + side; ++y) {
            for (std::size_t x = left; x < left + side; ++x) {
                levels[y * 64 + x] = level;
            }
        }
    }
    return makeImage(PixelType::u8, 64, 64,
                     [&](std::uint32_t x, std::uint32_t y) { return levels[std::size_t{y} * 64 + x]; });
}

class PlaneDock : public ::testing::Test {
protected:
    TestWindow test;
    Plane& plane = *test.window.findChild<Plane*>();
    AttributePlaneView* view = test.part<AttributePlaneView>("planeView");

    void SetUp() override {
        test.open("squares", squares());
        showPanel(test.window, QStringLiteral("plane"));
        ASSERT_TRUE(ready());
    }
    [[nodiscard]] bool ready() {
        const bool waited =
            QTest::qWaitFor([this] { return plane.state() == Plane::State::ready && hasRoom(); }, kPatience) &&
            test.settle();
        QCoreApplication::processEvents(); // processes the posted layout events of the chart
        return waited;
    }
    [[nodiscard]] bool hasRoom() const {
        return view->pixelOf({1, 0}).x() - view->pixelOf({0, 0}).x() > 150 &&
               view->pixelOf({0, 0}).y() - view->pixelOf({0, 1}).y() > 40;
    }
    [[nodiscard]] QPoint at(QPointF place) const { return view->pixelOf(place).toPoint(); }
    void press(QPointF place) { QTest::mousePress(view->viewport(), Qt::LeftButton, Qt::NoModifier, at(place)); }
    void move(QPointF place) { QTest::mouseMove(view->viewport(), at(place)); }
    void release(QPointF place) { QTest::mouseRelease(view->viewport(), Qt::LeftButton, Qt::NoModifier, at(place)); }
    void drag(QPointF from, QPointF to) {
        press(from);
        move((from + to) / 2);
        move(to);
        release(to);
    }
    /// Compares the image with a naive filter for the two ranges of the rectangle.
    void expectFiltered() {
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(plane.rectangle());
        const Image& image = *test.models.document.image();
        const auto nodes = testing::naiveTree(image, TreeKind::max, test.models.document.choices().connectivity());
        FilterSpec spec;
        spec.rule = test.models.filter.rule();
        spec.criteria = {{plane.attribute(Side::x), plane.rectangle()->x.low, plane.rectangle()->x.high},
                         {plane.attribute(Side::y), plane.rectangle()->y.low, plane.rectangle()->y.high}};
        const auto expected = testing::naiveFilter(nodes, image, TreeKind::max, spec);
        const Image& result = *test.models.document.result();
        std::size_t wrong = 0;
        for (std::size_t p = 0; p < image.pixelCount(); ++p) {
            wrong += result.level(p) != expected.pixels[p] ? 1U : 0U;
        }
        EXPECT_EQ(wrong, 0U);
        EXPECT_EQ(test.models.filter.keptNodes(), expected.kept);
    }
};

TEST_F(PlaneDock, ADragFiltersAndIsWhatADirectFilterGivesForEveryRule) {
    for (const Rule rule : kAllRules) {
        test.models.filter.setRule(rule);
        drag({0.2, 0.3}, {0.6, 0.9});
        ASSERT_NO_FATAL_FAILURE(expectFiltered());
        const QRectF places = *plane.rectanglePlaces();
        EXPECT_NEAR(places.left(), 0.2, 0.1);
        EXPECT_NEAR(places.bottom(), 0.9, 0.1);
        plane.clear();
    }
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.result(), *test.models.document.image()));
}

TEST_F(PlaneDock, TheImageFollowsWhileTheRectangleMoves) {
    drag({0.1, 0.1}, {0.4, 0.6});
    const Plane::Rectangle first = *plane.rectangle();
    const QPointF middle = plane.rectanglePlaces()->center();
    press(middle);
    move(middle + QPointF(0.2, 0.1));
    EXPECT_GT(plane.rectangle()->x.low, first.x.low);
    ASSERT_NO_FATAL_FAILURE(expectFiltered());
    for (int i = 0; i < 200; ++i) {
        move(middle + QPointF(0.4 * (i % 20) / 20, 0.3 * (i % 13) / 13));
    }
    release(middle + QPointF(0.3, 0.2));
    ASSERT_NO_FATAL_FAILURE(expectFiltered());
    EXPECT_LE(test.models.document.worker().statistics(vm::Lane::filter).maxInFlight, 2);
    // A rectangle moved against the border keeps its size.
    const QPointF now = plane.rectanglePlaces()->center();
    drag(now, now + QPointF(3, 3));
    EXPECT_NEAR(plane.rectanglePlaces()->right(), 1, 1e-9);
    EXPECT_NEAR(plane.rectanglePlaces()->bottom(), 1, 1e-9);
    EXPECT_LT(plane.rectanglePlaces()->left(), 0.9);
}

TEST_F(PlaneDock, SidesAreDragged) {
    drag({0.3, 0.2}, {0.7, 0.8});
    const QRectF first = *plane.rectanglePlaces();
    drag({first.right(), first.center().y()}, {first.right() + 0.15, first.center().y()});
    const QRectF wider = *plane.rectanglePlaces();
    EXPECT_EQ(wider.left(), first.left());
    EXPECT_NEAR(wider.right(), first.right() + 0.15, 0.06);
    EXPECT_EQ(wider.top(), first.top());
    EXPECT_EQ(wider.bottom(), first.bottom());
    drag({wider.left(), wider.top()}, {wider.left() + 0.1, wider.top() + 0.2}); // a corner
    EXPECT_GT(plane.rectanglePlaces()->left(), wider.left());
    EXPECT_GT(plane.rectanglePlaces()->top(), wider.top());
    EXPECT_EQ(plane.rectanglePlaces()->right(), wider.right());
    ASSERT_NO_FATAL_FAILURE(expectFiltered());
}

TEST_F(PlaneDock, EscapeDoubleClickAndTheButtonTakeTheRectangleAway) {
    auto* button = test.part<QToolButton>("planeClear");
    EXPECT_FALSE(button->isEnabled());
    const auto gone = [&] { return !plane.rectangle() && test.models.filter.spec().criteria.empty(); };
    drag({0.2, 0.3}, {0.6, 0.9});
    EXPECT_FALSE(gone());
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_TRUE(gone());
    drag({0.2, 0.3}, {0.6, 0.9});
    EXPECT_TRUE(button->isEnabled());
    button->click();
    EXPECT_TRUE(gone());
    drag({0.2, 0.3}, {0.6, 0.9});
    QTest::mouseDClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, at({0.4, 0.5}));
    EXPECT_TRUE(gone());
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, at({0.4, 0.5}));
    EXPECT_TRUE(gone()) << "a click draws nothing";
}

TEST_F(PlaneDock, KeysMoveAndResize) {
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Right);
    ASSERT_TRUE(plane.rectangle()) << "one to begin with";
    const QRectF first = *plane.rectanglePlaces();
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Up);
    EXPECT_GT(plane.rectanglePlaces()->left(), first.left());
    EXPECT_GT(plane.rectanglePlaces()->top(), first.top());
    QTest::keyClick(view, Qt::Key_Left);
    QTest::keyClick(view, Qt::Key_Down);
    EXPECT_EQ(*plane.rectanglePlaces(), first);
    QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(plane.rectanglePlaces()->left(), first.left());
    EXPECT_GT(plane.rectanglePlaces()->right(), first.right());
    QTest::keyClick(view, Qt::Key_Up, Qt::ShiftModifier | Qt::ControlModifier);
    EXPECT_GT(plane.rectanglePlaces()->bottom(), first.bottom());
    EXPECT_EQ(plane.rectanglePlaces()->top(), first.top());
    ASSERT_NO_FATAL_FAILURE(expectFiltered());
}

TEST_F(PlaneDock, TheInverseRemovesWhatIsInside) {
    drag({0.0, 0.3}, {0.5, 0.9});
    test.part<QToolButton>("planeInverse")->click();
    ASSERT_TRUE(test.settle());
    const auto counted = plane.counted();
    std::uint64_t kept = 1; // the root
    for (std::size_t n = 1; n < counted->valuesX->size(); ++n) {
        const double x = counted->valuesX->at(n);
        const double y = counted->valuesY->at(n);
        const bool inside = x >= plane.rectangle()->x.low && x <= plane.rectangle()->x.high &&
                            y >= plane.rectangle()->y.low && y <= plane.rectangle()->y.high;
        kept += inside ? 0U : 1U;
    }
    EXPECT_LT(kept, counted->valuesX->size());
    EXPECT_EQ(test.models.filter.keptNodes(), kept);
    EXPECT_EQ(test.models.filter.spec().match, Match::any);
}

TEST_F(PlaneDock, ALassoChoosesNodesAndLeavesTheFilterAlone) {
    std::shared_ptr<const std::vector<std::uint32_t>> chosen;
    QObject::connect(&plane, &Plane::nodesChosen, &plane, [&](const auto& nodes) { chosen = nodes; });
    test.part<QToolButton>("planeLasso")->click();
    ASSERT_TRUE(view->isLasso());
    // Around the whole plane: all components.
    press({-0.005, -0.01});
    move({-0.1, 1.1});
    move({1.1, 1.1});
    move({1.1, -0.1});
    release({0.5, -0.1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return chosen != nullptr; }, kPatience));
    EXPECT_EQ(chosen->size(), test.models.document.tree()->nodeCount());
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(view, &leave);
    EXPECT_TRUE(test.part<ElidedLabel>("planeReadout")->fullText().contains(QStringLiteral("lasso")));
    EXPECT_TRUE(test.models.filter.spec().criteria.empty());
    chosen = nullptr;
    press({-0.005, -0.01});
    move({-0.1, 1.1});
    move({0.5, 1.1});
    release({0.5, -0.1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return chosen != nullptr; }, kPatience));
    EXPECT_GT(chosen->size(), 0U);
    EXPECT_LT(chosen->size(), test.models.document.tree()->nodeCount());
    const auto counted = plane.counted();
    for (const std::uint32_t node : *chosen) {
        EXPECT_LE(counted->x.placeOf(counted->valuesX->at(node)), 0.51);
    }
    EXPECT_FALSE(plane.rectangle());
}

TEST_F(PlaneDock, AxesAreChosenAndSwapped) {
    const auto before = plane.counted();
    test.part<QToolButton>("planeSwap")->click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.counted()->x.attribute, before->y.attribute);
    EXPECT_EQ(plane.counted()->y.attribute, before->x.attribute);
    EXPECT_EQ(plane.counted()->plane.x.edges.back(), before->plane.y.edges.back());
    EXPECT_EQ(plane.counted()->plane.y.edges.back(), before->plane.x.edges.back());
    auto* log = test.part<QCheckBox>("planeLogX");
    EXPECT_EQ(log->isChecked(), plane.isLogarithmic(Side::x));
    log->click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.counted()->plane.x.scale == BinScale::log, log->isChecked());
    emit test.part<AttributeButton>("planeX")->chosen(AttributeId::euler);
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.counted()->x.attribute, AttributeId::euler);
    EXPECT_EQ(log->isEnabled(), plane.canBeLogarithmic(Side::x));
}

TEST_F(PlaneDock, TheLineDescribesTheRectangleAfterADrag) {
    auto* readout = test.part<ElidedLabel>("planeReadout");
    press({0.2, 0.2});
    move({0.4, 0.5});
    move({0.7, 0.8});
    release({0.7, 0.8});
    ASSERT_TRUE(plane.rectangle());
    EXPECT_FALSE(view->pointedPlace());
    EXPECT_TRUE(QTest::qWaitFor([&] { return readout->fullText() == plane.summary(); }, kPatience));
    move({0.6, 0.4});
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->pointedPlace().has_value(); }, kPatience));
    EXPECT_EQ(readout->fullText(), plane.readout(*view->pointedPlace()));
}

TEST_F(PlaneDock, PointingReadsTheCell) {
    auto* readout = test.part<ElidedLabel>("planeReadout");
    move({0.5, 0.5});
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->pointedPlace().has_value(); }, kPatience));
    EXPECT_FALSE(plane.readout(*view->pointedPlace()).isEmpty());
    EXPECT_EQ(view->accessibleDescription(), plane.readout(*view->pointedPlace()));
    EXPECT_FALSE(readout->fullText().isEmpty());
}

TEST_F(PlaneDock, TheImagesComponentIsMarkedAndStaysHeldFromPanelToPanel) {
    vm::ChainViewModel& chain = test.models.chain;
    EXPECT_TRUE(chain.isActive()) << "the plane follows the pointer, too";
    chain.hold({30.5, 30.5});
    ASSERT_TRUE(plane.markedPlace());
    const QPointF place = *plane.markedPlace();
    const QImage marked = view->grab().toImage();
    test.part<QDockWidget>("planeDock")->hide();
    showPanel(test.window, QStringLiteral("chain"));
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(chain.isHeld());
    showPanel(test.window, QStringLiteral("plane"));
    test.part<QDockWidget>("chainDock")->hide();
    ASSERT_TRUE(ready());
    EXPECT_TRUE(chain.isHeld());
    ASSERT_TRUE(plane.markedPlace());
    EXPECT_EQ(*plane.markedPlace(), place);
    chain.letGo();
    EXPECT_FALSE(plane.markedPlace());
    EXPECT_NE(view->grab().toImage(), marked);
    test.part<QDockWidget>("planeDock")->hide();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !chain.isActive(); }, kPatience));
}

TEST_F(PlaneDock, MarksOverTheKeptChartAreThoseOfAFreshOne) {
    move({0.99, 0.01});
    const auto sameAsFresh = [&] {
        const QImage overKept = view->grab().toImage(); // the last change was a change of the marks
        return overKept == view->grab().toImage();
    };
    const QImage empty = view->grab().toImage();
    plane.brush({0.2, 0.2, 0.3, 0.3});
    EXPECT_TRUE(sameAsFresh());
    plane.reshape({0.3, 0.1, 0.5, 0.6});
    EXPECT_TRUE(sameAsFresh());
    plane.setInverse(true);
    EXPECT_TRUE(sameAsFresh());
    plane.swapAxes();
    ASSERT_TRUE(ready());
    EXPECT_TRUE(sameAsFresh());
    plane.moveBy(1, 1);
    EXPECT_TRUE(sameAsFresh()) << "with the titles of now";
    EXPECT_NE(view->grab().toImage(), empty);
    plane.swapAxes();
    ASSERT_TRUE(ready());
    plane.clear();
    EXPECT_TRUE(sameAsFresh());
    EXPECT_EQ(view->grab().toImage(), empty);
}

TEST_F(PlaneDock, ABorderThatMovesIsPaintedWhereItWasAndIs) {
    struct Counter : QObject {
        qint64 pixels = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() == QEvent::Paint) {
                for (const QRect& rect : static_cast<QPaintEvent*>(event)->region()) {
                    pixels += qint64{rect.width()} * rect.height();
                }
            }
            return false;
        }
    } painted;
    view->viewport()->installEventFilter(&painted);
    const auto isRightAfter = [&](const auto& change) {
        painted.pixels = 0;
        change();
        return QTest::qWaitFor([&] { return painted.pixels > 0; }, kPatience) &&
               QTest::qWaitFor([&] { return differences(onScreen(*view), paintedAnew(*view)) == 0; }, kPatience);
    };
    test.window.move(0, 0);
    ASSERT_TRUE(isRightAfter([&] { drag({0.2, 0.2}, {0.6, 0.7}); }));
    for (const bool inverse : {true, false}) {
        ASSERT_TRUE(isRightAfter([&] { plane.setInverse(inverse); }));
        press({0.4, 0.4}); // moves the whole rectangle
        for (const QPointF& place : {QPointF(0.42, 0.41), QPointF(0.45, 0.3), QPointF(0.7, 0.6), QPointF(0.4, 0.4)}) {
            ASSERT_TRUE(isRightAfter([&] { move(place); })) << place.x();
        }
        release({0.4, 0.4});
        press({0.6, 0.45}); // a side
        ASSERT_TRUE(isRightAfter([&] { move({0.7, 0.5}); }));
        painted.pixels = 0;
        move({0.6, 0.45});
        ASSERT_TRUE(QTest::qWaitFor([&] { return painted.pixels > 0; }, kPatience));
        EXPECT_LT(painted.pixels, view->width() * view->height() / 2);
        release({0.6, 0.45});
    }
    test.models.chain.setActive(true);
    for (const QPointF& pixel : {QPointF(3.5, 3.5), QPointF(40.5, 20.5), QPointF(10.5, 60.5)}) {
        ASSERT_TRUE(isRightAfter([&] { test.models.chain.hover(pixel); })) << "the mark of " << pixel.x();
    }
    view->viewport()->removeEventFilter(&painted);
}

TEST_F(PlaneDock, TheDensityIsDrawnWhereComponentsLie) {
    const auto counted = plane.counted();
    move({0.99, 0.01}); // no cell is under the pointer
    const QImage shown = view->grab().toImage();
    const double ratio = shown.devicePixelRatio();
    const auto brightest =
        static_cast<std::size_t>(std::ranges::max_element(counted->plane.counts) - counted->plane.counts.begin());
    const std::size_t x = brightest % counted->plane.x.count();
    const std::size_t y = brightest / counted->plane.x.count();
    const auto middle = [](const Bins& bins, const PlaneAxis& axis, std::size_t bin) {
        return (axis.values.placeOf(bins.edges[bin]) + axis.values.placeOf(bins.edges[bin + 1])) / 2;
    };
    const QPointF place(middle(counted->plane.x, counted->x, x), middle(counted->plane.y, counted->y, y));
    const QColor ground = view->palette().color(QPalette::Base);
    // Within a px of the centre, because cells are small.
    bool found = false;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const QColor colour = shown.pixelColor(((view->pixelOf(place) + QPointF(dx, dy)) * ratio).toPoint());
            found = found || std::abs(colour.lightness() - ground.lightness()) > 60;
        }
    }
    EXPECT_TRUE(found);
}

TEST_F(PlaneDock, RestsBehindAnotherTab) {
    auto& spectrum = *test.window.findChild<vm::SpectrumViewModel*>();
    EXPECT_TRUE(plane.isActive());
    showPanel(test.window, QStringLiteral("spectrum"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return spectrum.isActive() && !plane.isActive(); }, kPatience));
    showPanel(test.window, QStringLiteral("plane"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return plane.isActive() && !spectrum.isActive(); }, kPatience));
    EXPECT_TRUE(ready());
}

TEST_F(PlaneDock, SelectedComponentsAreCyan) {
    const auto cyan = [&] {
        const QImage shown = view->viewport()->grab().toImage();
        int count = 0;
        for (int y = 0; y < shown.height(); ++y) {
            for (int x = 0; x < shown.width(); ++x) {
                count += shown.pixel(x, y) == selectionColour() ? 1 : 0;
            }
        }
        return count;
    };
    EXPECT_EQ(cyan(), 0);
    test.models.selection.select({1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return plane.selectedCells() != nullptr; }, kPatience));
    const int one = cyan();
    EXPECT_GT(one, 0);
    NodeSet all(test.models.document.tree()->nodeCount());
    std::iota(all.begin(), all.end(), 0U);
    test.models.selection.select(all);
    ASSERT_TRUE(QTest::qWaitFor([&] { return plane.selectedCells() != nullptr; }, kPatience));
    EXPECT_GT(cyan(), one);
    test.models.history.undo();
    ASSERT_TRUE(QTest::qWaitFor([&] { return plane.selectedCells() != nullptr; }, kPatience));
    EXPECT_EQ(cyan(), one);
    test.models.selection.clear();
    EXPECT_EQ(cyan(), 0);
}

} // namespace
} // namespace pollard::app
