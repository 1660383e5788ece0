// The tree dock in the real window: pointer, wheel, keys, focus, and the component highlighted in the image.
#include "app/test_window.hpp"

#include "docks/tree/icicle_panel.hpp"
#include "docks/tree/icicle_view.hpp"
#include "overlays/overlay_layer.hpp"
#include "overlays/tree_overlays.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

/// Two hills on a plain: around (90, 40) one of 3 steps, nodes 1 .. 3, with sides of 29, 19 and 9 px; around (30, 40)
/// one of 5, nodes 4 .. 8, with sides of 49 to 9 px.
SharedImage hills() {
    return makeImage(PixelType::u8, 120, 80, [](std::uint32_t x, std::uint32_t y) {
        const auto height = [&](int cx, int steps) {
            const int far = std::max(std::abs(static_cast<int>(x) - cx), std::abs(static_cast<int>(y) - 40));
            return far < 5 * steps ? steps - far / 5 : 0;
        };
        return 20 + 30 * std::max(height(30, 5), height(90, 3));
    });
}

class IcicleDock : public ::testing::Test {
protected:
    TestWindow test;
    vm::ChainViewModel& chain = test.models.chain;
    vm::IcicleViewModel* icicle = nullptr;
    IcicleView* view = nullptr;

    void SetUp() override {
        icicle = test.window.findChild<vm::IcicleViewModel*>();
        view = test.part<IcicleView>("icicleView");
        test.open("hills", hills());
        showPanel(test.window, QStringLiteral("icicle"));
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(painted());
        ASSERT_EQ(test.models.document.tree()->nodeCount(), 9U);
    }
    /// Whether the image matches the current view and size.
    [[nodiscard]] bool painted() {
        return QTest::qWaitFor(
            [&] {
                return icicle->state() == vm::IcicleViewModel::State::ready && icicle->isIdle() &&
                       icicle->frame()->part == icicle->view();
            },
            kPatience);
    }
    /// A position inside a component's own pixels, in px of the view.
    [[nodiscard]] QPoint placeOf(std::uint32_t node) const {
        const QRectF box = icicle->boxOf(node);
        const bool isLeaf = test.models.document.tree()->subtreeEnd[node] == node + 1;
        const double right = isLeaf ? box.right() : icicle->boxOf(node + 1).left();
        return view->pixelOf({(box.left() + right) / 2, box.center().y()}).toPoint();
    }
    void moveTo(QPoint place) { test.move(test.inWindow(view, place)); }
    void click(QPoint place) {
        moveTo(place);
        QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, place);
    }
    void turnWheel(QPoint place, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(place, view->mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view, &event);
    }
    /// Whether exactly the pixels of a component are highlighted in the image; none for no component.
    void expectLit(std::optional<std::uint32_t> node) {
        auto* layer = test.part<OverlayLayer>("overlayLayer");
        const OverlayScene scene = layer->scene();
        QImage image(scene.size.toSize() * scene.ratio, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        layer->paintOnto(painter, scene, false);
        painter.end();
        const auto tree = test.models.document.tree();
        int wrong = 0;
        for (std::uint32_t pixel = 0; pixel < tree->pixelCount(); ++pixel) {
            const std::uint32_t row = pixel / 120;
            const QPoint place = scene.toSurface({pixel % 120 + 0.5, row + 0.5}).toPoint();
            if (!image.rect().contains(place) || place.y() > image.height() - 60 * scene.ratio) {
                continue; // covered by the scale bar
            }
            const QColor colour = image.pixelColor(place);
            const bool lit = colour.alpha() > 0 && colour.red() > colour.blue() + 10;
            wrong += lit != (node && tree->contains(*node, tree->pixelNode[pixel])) ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0);
    }
};

TEST_F(IcicleDock, LightsTheComponentUnderThePointer) {
    expectLit(std::nullopt);
    for (const std::uint32_t node : {1U, 5U, 6U, 8U}) {
        moveTo(placeOf(node));
        ASSERT_TRUE(QTest::qWaitFor([&] { return chain.node() == node; }, kPatience)) << node;
        EXPECT_EQ(icicle->nodeAt(view->placeAt(placeOf(node))), node);
        expectLit(node);
        EXPECT_FALSE(test.part<ElidedLabel>("icicleReadout")->fullText().isEmpty());
    }
    test.move(test.inWindow(test.window.canvas(), {2, 2}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return chain.node() != 8U; }, kPatience));
}

TEST_F(IcicleDock, AClickHoldsAndEscapeLetsGo) {
    click(placeOf(5));
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(chain.node(), 5U);
    moveTo(placeOf(1));
    EXPECT_EQ(chain.node(), 5U);
    expectLit(5);
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_FALSE(chain.isHeld());
    click(placeOf(5));
    EXPECT_TRUE(chain.isHeld());
    click(view->pixelOf({0.02, 0.97}).toPoint());
    EXPECT_FALSE(chain.isHeld()) << "a click beside all boxes";
}

TEST_F(IcicleDock, ADoubleClickGoesIntoAComponent) {
    const QPoint place = placeOf(6);
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, place);
    QTest::mouseDClick(view, Qt::LeftButton, Qt::NoModifier, place);
    EXPECT_EQ(icicle->view().width(), 29 * 29);
    EXPECT_EQ(chain.node(), 6U);
    EXPECT_TRUE(chain.isHeld());
    ASSERT_TRUE(painted());
    EXPECT_TRUE(test.part<QLabel>("icicleCrumbs")->text().contains(QStringLiteral("841 px")));
    auto* back = test.part<QToolButton>("icicleBack");
    EXPECT_TRUE(back->isEnabled());
    QTest::mouseDClick(view, Qt::LeftButton, Qt::NoModifier, placeOf(7));
    EXPECT_EQ(icicle->view().width(), 19 * 19);
    QTest::keyClick(view, Qt::Key_Backspace);
    EXPECT_EQ(icicle->view().width(), 29 * 29);
    emit test.part<QLabel>("icicleCrumbs")->linkActivated(QStringLiteral("0"));
    EXPECT_TRUE(icicle->isWhole());
    EXPECT_FALSE(back->isEnabled());
}

TEST(IcicleAnimation, MagnifiesByEqualFactorsAboutAFixedPlace) {
    const IcicleRect whole{0, 800, 0, 100};
    const IcicleRect part{600, 700, 20, 100};
    EXPECT_EQ(icicleBetween(whole, part, 0), whole);
    const IcicleRect end = icicleBetween(whole, part, 1);
    EXPECT_NEAR(end.left, part.left, 1e-9);
    EXPECT_NEAR(end.right, part.right, 1e-9);
    double width = whole.width();
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
        const IcicleRect now = icicleBetween(whole, part, t);
        EXPECT_NEAR(now.width() / width, std::pow(1.0 / 8, 0.25), 1e-9);
        width = now.width();
        const double fixed = 4800.0 / 7; // distances from both left sides in the ratio eight to one
        EXPECT_NEAR((fixed - now.left) / now.width(), fixed / 800, 1e-9);
        EXPECT_GE(now.top, 0);
        EXPECT_NEAR(now.bottom, 100, 1e-9);
        const IcicleRect back = icicleBetween(part, whole, 1 - t);
        EXPECT_NEAR(back.left, now.left, 1e-9);
        EXPECT_NEAR(back.bottom, now.bottom, 1e-9);
    }
    const IcicleRect moved = icicleBetween({0, 10, 0, 4}, {30, 40, 2, 6}, 0.5);
    EXPECT_EQ(moved, (IcicleRect{15, 25, 1, 5})) << "of equal size it is a straight way";
}

TEST_F(IcicleDock, AFocusIsAMovementUnlessTheseAreReduced) {
    IcicleAnimation& glide = view->glide();
    const auto inTheMiddle = [&] {
        glide.pause(); // the test sets the time
        glide.setCurrentTime(IcicleAnimation::kDuration / 2);
    };
    const IcicleRect whole = icicle->view();
    const QImage before = view->grab().toImage();
    icicle->focus(6);
    ASSERT_TRUE(glide.isUnderWay());
    inTheMiddle();
    const IcicleRect middle = view->shownPart();
    EXPECT_LT(middle.width(), whole.width());
    EXPECT_GT(middle.width(), icicle->view().width());
    EXPECT_EQ(icicle->view().width(), 29 * 29) << "what is to be shown is known at once";
    ASSERT_TRUE(painted());
    const QImage between = view->grab().toImage();
    EXPECT_NE(between, before);
    // Another animation starts at the part that is shown.
    icicle->back();
    ASSERT_TRUE(glide.isUnderWay());
    glide.pause();
    glide.setCurrentTime(0);
    EXPECT_EQ(view->shownPart(), middle);
    turnWheel(placeOf(0), 1);
    EXPECT_FALSE(glide.isUnderWay()) << "a hand is quicker";
    EXPECT_EQ(view->shownPart(), icicle->view());
    icicle->focus(6);
    ASSERT_TRUE(glide.isUnderWay());
    glide.setCurrentTime(IcicleAnimation::kDuration);
    EXPECT_FALSE(glide.isUnderWay());
    EXPECT_EQ(view->shownPart(), icicle->view());
    EXPECT_EQ(glide.frame(), nullptr);

    icicle->back();
    test.models.settings.setReducedMotion(true);
    EXPECT_FALSE(glide.isUnderWay());
    icicle->focus(6);
    EXPECT_FALSE(glide.isUnderWay());
    EXPECT_EQ(view->shownPart(), icicle->view());
    test.models.settings.setReducedMotion(false);
    icicle->back();
    EXPECT_TRUE(glide.isUnderWay());
}

TEST_F(IcicleDock, TheWheelZoomsAtThePointer) {
    const QPoint place = placeOf(7);
    const IcicleRect before = icicle->view();
    const auto areaAt = [&] { return icicle->view().left + view->placeAt(place).x() * icicle->view().width(); };
    const double area = areaAt();
    turnWheel(place, 4);
    EXPECT_LT(icicle->view().width(), before.width() / 2);
    EXPECT_NEAR(areaAt(), area, 1e-6);
    EXPECT_EQ(icicle->view().height(), before.height());
    const IcicleRect zoomed = icicle->view();
    turnWheel(place, 2, Qt::ControlModifier);
    EXPECT_EQ(icicle->view().width(), zoomed.width());
    EXPECT_LT(icicle->view().height(), zoomed.height());
    EXPECT_EQ(icicle->nodeAt(view->placeAt(place)), 7U);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle->nodeAt(view->placeAt(place)), 7U);
    turnWheel(place, -30);
    turnWheel(place, -30, Qt::ShiftModifier);
    EXPECT_TRUE(icicle->isWhole());
}

TEST_F(IcicleDock, ADragMovesWithoutAClick) {
    icicle->zoom({0.5, 0.5}, 8, 1);
    ASSERT_TRUE(painted());
    const IcicleRect before = icicle->view();
    const QPoint from = view->pixelOf({0.5, 0.1}).toPoint();
    const QPoint way(-60, 0);
    QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(view, from + way / 2);
    QTest::mouseMove(view, from + way);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, from + way);
    const double perPixel = before.width() / (view->pixelOf({1, 0}).x() - view->pixelOf({0, 0}).x());
    EXPECT_NEAR(icicle->view().left, before.left + 60 * perPixel, 1e-6);
    EXPECT_FALSE(chain.isHeld());
}

TEST_F(IcicleDock, KeysWalkThroughTheTree) {
    ASSERT_TRUE(focus(*view));
    const QPointF centre = test.models.display.centre();
    QTest::keyClick(view, Qt::Key_Down);
    EXPECT_EQ(chain.node(), 0U) << "the root, since nothing was held";
    QTest::keyClick(view, Qt::Key_Down);
    EXPECT_EQ(chain.node(), 1U);
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_EQ(chain.node(), 4U);
    expectLit(4);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_EQ(icicle->view().width(), 39 * 39);
    QTest::keyClick(view, Qt::Key_Up);
    QTest::keyClick(view, Qt::Key_Left);
    EXPECT_EQ(chain.node(), 1U);
    EXPECT_TRUE(icicle->boxOf(1).intersects({0, 0, 1, 1})) << "what is chosen is seen";
    QTest::keyClick(view, Qt::Key_Home);
    EXPECT_TRUE(icicle->isWhole());
    QTest::keyClick(view, Qt::Key_Escape);
    EXPECT_FALSE(chain.isHeld());
    EXPECT_EQ(test.models.display.centre(), centre) << "the image stays";
}

TEST_F(IcicleDock, MarksTheImagesComponent) {
    const auto isMarked = [&](std::uint32_t node) {
        const QImage image = view->grab().toImage();
        const QRectF box = icicle->boxOf(node);
        const QPointF side = view->pixelOf({box.center().x(), box.bottom()}) * view->devicePixelRatioF();
        for (int dy = -2; dy <= 2; ++dy) {
            const QPoint at = side.toPoint() + QPoint(0, dy);
            if (image.rect().contains(at) && image.pixelColor(at) == QColor(255, 196, 0)) {
                return true;
            }
        }
        return false;
    };
    auto* layer = test.part<OverlayLayer>("overlayLayer");
    EXPECT_FALSE(isMarked(1));
    test.move(test.inWindow(test.window.canvas(), layer->scene().toSurface({90.5, 27.5})));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chain.node() == 1U; }, kPatience));
    EXPECT_TRUE(isMarked(1));
    EXPECT_FALSE(isMarked(4));
    EXPECT_TRUE(test.part<ElidedLabel>("icicleReadout")->fullText().contains(QStringLiteral("841 px")));
}

TEST_F(IcicleDock, OptionsReachTheModel) {
    test.part<QCheckBox>("icicleLog")->click();
    EXPECT_FALSE(icicle->isLogarithmic());
    test.part<QCheckBox>("icicleRemoved")->click();
    EXPECT_FALSE(icicle->showsRemoved());
    test.part<QComboBox>("icicleHeight")->setCurrentIndex(1);
    EXPECT_TRUE(icicle->isByDepth());
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle->whole().bottom, 5);
    icicle->setByDepth(false);
    EXPECT_EQ(test.part<QComboBox>("icicleHeight")->currentIndex(), 0);
    icicle->setAttribute(AttributeId::perimeter);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle->frame()->column->id, AttributeId::perimeter);
}

TEST_F(IcicleDock, AnotherThemeHasOtherColours) {
    const auto before = icicle->frame()->pixels;
    test.models.filter.setCriterion({AttributeId::area, 500, 1e9});
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return painted() && icicle->frame()->pixels != before; }, kPatience));
    const auto removed = icicle->frame()->pixels;
    QPalette dark = view->palette();
    dark.setColor(QPalette::Base, Qt::black);
    dark.setColor(QPalette::Text, Qt::white);
    view->setPalette(dark);
    ASSERT_TRUE(painted());
    EXPECT_NE(icicle->frame()->pixels, removed);
}

TEST_F(IcicleDock, AHiddenDockPaintsNothing) {
    click(placeOf(5));
    test.part<QDockWidget>("icicleDock")->hide();
    EXPECT_FALSE(icicle->isActive());
    EXPECT_EQ(icicle->frame(), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !chain.isActive(); }, kPatience));
    expectLit(std::nullopt);
}

TEST_F(IcicleDock, ATabBehindAnotherOneKeepsItsPlaceAlone) {
    icicle->focus(6);
    click(placeOf(6));
    showPanel(test.window, QStringLiteral("chain"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !icicle->isActive(); }, kPatience));
    EXPECT_EQ(icicle->frame(), nullptr);
    EXPECT_TRUE(chain.isHeld()) << "the chain panel looks";
    showPanel(test.window, QStringLiteral("icicle"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return icicle->isActive(); }, kPatience));
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle->view().width(), 29 * 29);
    EXPECT_TRUE(test.part<QLabel>("icicleCrumbs")->text().contains(QStringLiteral("841 px")));
    test.part<QDockWidget>("icicleDock")->hide();
    EXPECT_TRUE(chain.isHeld());
    test.part<QDockWidget>("chainDock")->hide();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !chain.isHeld(); }, kPatience));
}

TEST_F(IcicleDock, SmallSubtreesAreDrawnAsNodesAndLinks) {
    auto* links = test.part<NodeLinkView>("nodeLinkView");
    EXPECT_FALSE(links->isVisible());
    test.part<QToolButton>("icicleLinks")->click();
    ASSERT_TRUE(links->isVisible());
    EXPECT_FALSE(view->isVisible());
    for (std::uint32_t node = 0; node < 9; ++node) {
        const auto place = links->pixelOf(node);
        ASSERT_TRUE(place && QRectF(links->rect()).contains(*place)) << node;
        test.move(test.inWindow(links, *place));
        ASSERT_TRUE(QTest::qWaitFor([&] { return chain.node() == node; }, kPatience)) << node;
        expectLit(node);
    }
    EXPECT_LT(links->pixelOf(1)->x(), links->pixelOf(4)->x());
    EXPECT_LT(links->pixelOf(0)->y(), links->pixelOf(1)->y());
    EXPECT_NEAR(links->pixelOf(1)->y(), links->pixelOf(4)->y(), 1e-9) << "of the same level";
    EXPECT_NEAR(links->pixelOf(0)->x(), (links->pixelOf(1)->x() + links->pixelOf(4)->x()) / 2, 1e-9);
    QTest::mouseClick(links, Qt::LeftButton, Qt::NoModifier, links->pixelOf(6)->toPoint());
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(links->grab().toImage().pixelColor(
                  ((*links->pixelOf(6) + QPointF(6, 0)) * links->devicePixelRatioF()).toPoint()),
              QColor(255, 196, 0));
    ASSERT_TRUE(focus(*links));
    QTest::keyClick(links, Qt::Key_Up);
    EXPECT_EQ(chain.node(), 5U);
    QTest::keyClick(links, Qt::Key_Return);
    EXPECT_EQ(links->pixelOf(4), std::nullopt);
    EXPECT_TRUE(links->pixelOf(8));
    QTest::keyClick(links, Qt::Key_Backspace);
    EXPECT_TRUE(links->pixelOf(0));
    test.open("noise", makeNoise(40));
    ASSERT_TRUE(painted());
    EXPECT_TRUE(view->isVisible()) << "that is too large";
    EXPECT_FALSE(test.part<QToolButton>("icicleLinks")->isEnabled());
}

TEST_F(IcicleDock, WhatIsSelectedHasAColourOfItsOwn) {
    const auto colourOf = [&](std::uint32_t node) {
        const auto& frame = *icicle->frame();
        const auto place = std::ranges::find(frame.nodes, node) - frame.nodes.begin();
        // Inside of the lines at the left side and the top of a box.
        return frame.pixels[static_cast<std::size_t>(place) + 2 * frame.columns + 2];
    };
    const auto isSelected = [&](std::uint32_t node) { return colourOf(node) == selectionColour(); };
    EXPECT_FALSE(isSelected(5));
    test.models.selection.select({5});
    ASSERT_TRUE(QTest::qWaitFor([&] { return painted() && isSelected(5); }, kPatience));
    EXPECT_TRUE(isSelected(8)) << "it lies in the selected one";
    EXPECT_FALSE(isSelected(4));
    EXPECT_FALSE(isSelected(1));
    std::vector<std::shared_ptr<const vm::IcicleFrame>> frames{icicle->frame()};
    const QObject context;
    QObject::connect(icicle, &vm::IcicleViewModel::changed, &context, [&] {
        if (icicle->frame() != frames.back()) {
            frames.push_back(icicle->frame());
        }
    });
    test.models.selection.select({4});
    ASSERT_TRUE(QTest::qWaitFor([&] { return painted() && isSelected(4); }, kPatience));
    EXPECT_EQ(frames.size(), 2U) << "painted once";
    test.models.selection.clear();
    EXPECT_TRUE(QTest::qWaitFor([&] { return painted() && !isSelected(5); }, kPatience));
}

} // namespace
} // namespace pollard::app
