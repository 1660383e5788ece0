// The current component, lit by the numbers of nodes on the graphics card.
#include "test_window.hpp"

#include "canvas/view_picture.hpp"
#include "gl/component_painter.hpp"
#include "gl/node_texture.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/panel_dock.hpp"

#include "support/random_images.hpp"
#include "tree/component_paint.hpp"

#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QStandardPaths>

#include <cmath>
#include <tuple>
#include <vector>

namespace pollard::app {
namespace {

constexpr QSize kSurface(150, 130);
constexpr QRgb kFill = qRgba(10, 20, 30, 100);
constexpr QRgb kOutline = qRgba(255, 128, 0, 255);

std::shared_ptr<const ComponentTree> treeOf(const SharedImage& image, TreeKind kind, Connectivity connectivity) {
    const EngineRegistry registry;
    const auto session = registry.select("cpu").openSession();
    session->openImage(image);
    session->buildTree({kind, connectivity, {}});
    return session->tree();
}

/// First device px whose middle lies in the picture along an axis, and the px of the picture under each.
std::pair<int, std::vector<std::size_t>> placesAlong(double origin, double scale, std::uint32_t side, int surface) {
    std::pair<int, std::vector<std::size_t>> places(surface, {});
    for (int i = surface - 1; i >= 0; --i) {
        const double place = std::floor((i + 0.5 - origin) / scale);
        if (place >= 0 && place < side) {
            places.first = i;
            places.second.insert(places.second.begin(), static_cast<std::size_t>(place));
        }
    }
    return places;
}

QImage oracle(const ComponentTree& tree, std::uint32_t node, const ComponentPainter::View& view) {
    const auto [left, columns] = placesAlong(view.origin.x(), view.scale, tree.width, kSurface.width());
    const auto [top, rows] = placesAlong(view.origin.y(), view.scale, tree.height, kSurface.height());
    std::vector<std::uint32_t> out(columns.size() * rows.size());
    paintComponent({&tree, columns, rows, kFill, kOutline}, node, out);
    QImage image(kSurface, QImage::Format_ARGB32_Premultiplied);
    image.fill(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto x = static_cast<int>(i % columns.size());
        const auto y = static_cast<int>(i / columns.size());
        image.setPixel(left + x, top + y, out[i]);
    }
    return image;
}

class LightOnCanvas : public ::testing::Test {
protected:
    LightOnCanvas() { QStandardPaths::setTestModeEnabled(true); }

    TestWindow test;
    vm::ChainViewModel& chain = test.models.chain;

    void SetUp() override { test.open("noise", makeNoise(24)); }
    void watch() {
        showPanel(test.window, QStringLiteral("chain"));
        ASSERT_TRUE(test.settle());
    }
    [[nodiscard]] bool isOverlaid() {
        auto* layer = test.part<OverlayLayer>("overlayLayer");
        QImage image(layer->size(), QImage::Format_ARGB32_Premultiplied);
        image.fill(0);
        layer->render(&image, {}, {}, {});
        const QPoint place = layer->scene().toSurface({5.5, 5.5}).toPoint();
        return qAlpha(image.pixel(place)) != 0;
    }
};

TEST_F(LightOnCanvas, PaintsWhatTheProcessorPaints) {
    Canvas& canvas = *test.window.canvas();
    canvas.makeCurrent();
    ComponentPainter painter;
    painter.setup();
    QOpenGLFramebufferObject surface(kSurface);
    auto* gl = QOpenGLContext::currentContext()->functions();
    testing::Random random(31);
    int painted = 0;
    for (const auto& [width, height] : {std::pair{1U, 1U}, {90U, 1U}, {1U, 90U}, {97U, 61U}, {300U, 260U}}) {
        const auto image = testing::randomImage(random, width, height);
        for (const TreeKind kind : {TreeKind::max, TreeKind::min}) {
            for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
                const auto tree = treeOf(image, kind, connectivity);
                NodeTexture nodes;
                nodes.setSide(painted % 2 == 0 ? 16 : NodeTexture::kSide);
                nodes.setTree(tree);
                UploadAllowance all = UploadAllowance::unlimited();
                nodes.load({}, all);
                ASSERT_TRUE(nodes.isComplete());
                // Scales at which no device px has its middle on the border of two px of the picture.
                for (const double scale : {1.0, 3.0, 7.3871, 1.7193, 0.8931, 0.3717, 0.1319}) {
                    const QPointF origin(std::round(40.0 - random() % 120), std::round(30.0 - random() % 90));
                    const ComponentPainter::View view{kSurface, origin, scale};
                    const auto node = static_cast<std::uint32_t>(random() % tree->nodeCount());
                    surface.bind();
                    gl->glViewport(0, 0, kSurface.width(), kSurface.height());
                    gl->glClearColor(0, 0, 0, 0);
                    gl->glClear(GL_COLOR_BUFFER_BIT);
                    painter.render(nodes.layers(), {node, tree->subtreeEnd[node]}, {kFill, kOutline}, view);
                    ASSERT_EQ(surface.toImage().convertToFormat(QImage::Format_ARGB32_Premultiplied),
                              oracle(*tree, node, view))
                        << width << 'x' << height << " scale " << scale << " node " << node;
                    ++painted;
                }
                nodes.destroy();
            }
        }
    }
    EXPECT_GT(painted, 100);
    painter.destroy();
    canvas.doneCurrent();
}

TEST_F(LightOnCanvas, NumbersComeInPortionsWhatIsSeenFirst) {
    test.window.canvas()->makeCurrent();
    const auto tree = treeOf(makeNoise(80), TreeKind::max, Connectivity::four);
    NodeTexture nodes;
    nodes.setSide(16); // 5 x 5 layers
    EXPECT_FALSE(nodes.isPossible());
    nodes.setTree(tree);
    EXPECT_TRUE(nodes.isPossible());
    const QRectF seen(50, 50, 20, 20);
    EXPECT_FALSE(nodes.holds(seen)) << "nothing was copied";
    UploadAllowance four(3 * 1024 + 1, std::numeric_limits<std::int64_t>::max());
    nodes.load(seen, four);
    EXPECT_TRUE(nodes.holds(seen)) << "four layers of a kilobyte meet it";
    EXPECT_FALSE(nodes.holds({0, 0, 20, 20}));
    EXPECT_FALSE(nodes.isComplete());
    EXPECT_EQ(nodes.bytes(), 25U * 1024);
    for (int portion = 0; portion < 21; ++portion) {
        EXPECT_FALSE(nodes.isComplete()) << portion;
        UploadAllowance one(1, std::numeric_limits<std::int64_t>::max());
        nodes.load(seen, one);
    }
    EXPECT_TRUE(nodes.isComplete());
    nodes.setTree(treeOf(makeNoise(80), TreeKind::min, Connectivity::four));
    EXPECT_FALSE(nodes.holds(seen)) << "those are another tree's";
    nodes.setBudget(25 * 1024 - 1);
    EXPECT_FALSE(nodes.isPossible());
    nodes.setBudget(25 * 1024);
    EXPECT_TRUE(nodes.isPossible());
    nodes.destroy();
    EXPECT_EQ(nodes.bytes(), 0U);
    test.window.canvas()->doneCurrent();
}

TEST_F(LightOnCanvas, IsTheCanvassWhileItsNumbersAreThere) {
    Canvas& canvas = *test.window.canvas();
    EXPECT_FALSE(canvas.lights()) << "nobody looks";
    EXPECT_EQ(canvas.componentLight().numbers().bytes(), 0U);
    watch();
    EXPECT_TRUE(canvas.lights());
    chain.hover({5.5, 5.5});
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isOverlaid()) << "not twice";
    EXPECT_GT(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue() + 10);

    // Too large a picture: as without numbers.
    canvas.componentLight().numbers().setBudget(1);
    canvas.update();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.lights(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return isOverlaid(); }, kPatience));
    EXPECT_EQ(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue());
    const auto isGivenBack = [&] {
        canvas.update();
        return canvas.componentLight().numbers().bytes() == 0;
    };
    EXPECT_TRUE(QTest::qWaitFor(isGivenBack, kPatience)) << "what is too large takes no memory";
    canvas.componentLight().numbers().setBudget(NodeTexture::kBudget);
    canvas.update();
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.lights() && !isOverlaid(); }, kPatience));

    chain.setActive(false);
    showPanel(test.window, QStringLiteral("spectrum"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !chain.isActive() && !canvas.lights(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.componentLight().numbers().bytes() == 0; }, kPatience));
}

TEST_F(LightOnCanvas, IsOnceInACopyOfTheView) {
    watch();
    chain.hover({5.5, 5.5});
    chain.setCurrent(chain.rowCount() - 1); // the whole picture: its tint, not its outline
    ASSERT_TRUE(test.settle());
    ASSERT_FALSE(isOverlaid());
    const QColor shown = test.colourAt(5, 5);
    EXPECT_GT(shown.red(), shown.blue() + 10);
    const QImage copy = pictureOfView(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"));
    EXPECT_EQ(copy.pixelColor(test.models.display.view().toView({5.5, 5.5}).toPoint()).rgb(), shown.rgb());
}

TEST_F(LightOnCanvas, LiesOverWhatIsSelected) {
    watch();
    chain.hover({5.5, 5.5});
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isOverlaid());
    test.models.selection.select({0});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.selection.extent() != nullptr; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue()) << "under the selection it could not be seen";
    EXPECT_TRUE(isOverlaid());
    test.models.selection.clear();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.selection.extent() == nullptr; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isOverlaid());
    EXPECT_GT(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue() + 10);
}

TEST_F(LightOnCanvas, GoesWithTheChainAndFollowsThePicture) {
    watch();
    const QImage dark = test.window.canvas()->grabFramebuffer();
    chain.hover({5.5, 5.5});
    EXPECT_NE(test.window.canvas()->grabFramebuffer(), dark);
    chain.leave();
    EXPECT_EQ(test.window.canvas()->grabFramebuffer(), dark);
    // The picture that was kept is not shown when another one is wanted.
    test.models.display.setZoom(test.models.display.zoom() * 2);
    ASSERT_TRUE(test.settle());
    const QImage large = test.window.canvas()->grabFramebuffer();
    EXPECT_NE(large, dark);
    for (const int hover : {1, 2}) {
        chain.hover({5.5 + hover, 5.5});
        ASSERT_TRUE(test.settle());
        test.window.canvas()->grabFramebuffer();
    }
    test.models.filter.setCriterion({AttributeId::area, 50});
    chain.leave();
    ASSERT_TRUE(test.settle());
    const QImage filtered = test.window.canvas()->grabFramebuffer();
    EXPECT_NE(filtered, large);
    test.models.filter.setMinimum(1);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.window.canvas()->grabFramebuffer(), large);
    NodeTexture& numbers = test.window.canvas()->componentLight().numbers();
    EXPECT_GT(numbers.bytes(), 0U);
    test.models.document.close();
    EXPECT_EQ(numbers.bytes(), 0U) << "nothing is open";
}

/// Pointing at a real image in the window; the framebuffer is read back.
class LitComponent : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {};

TEST_P(LitComponent, HasItsAreaInTheFramebuffer) {
    constexpr int kHovers = 250; // of a thousand
    const auto [kind, connectivity] = GetParam();
    QStandardPaths::setTestModeEnabled(true);
    TestWindow test;
    test.models.document.setTreeSpec({kind, connectivity, {}});
    test.window.openFile(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/city_lights_400x300_u16.tif"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.tree() != nullptr; }, kPatience));
    showPanel(test.window, QStringLiteral("chain"));
    test.models.display.setZoom(1);
    test.models.display.setCentre({200, 150});
    ASSERT_TRUE(test.settle());
    Canvas& canvas = *test.window.canvas();
    canvas.setLargestTexture(128); // borders of layers
    ASSERT_TRUE(test.settle());
    vm::ChainViewModel& chain = test.models.chain;
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.attribute(AttributeId::area) != nullptr; }, kPatience));
    const ComponentTree& tree = *test.models.document.tree();
    const auto area = test.models.document.attribute(AttributeId::area);
    ASSERT_TRUE(canvas.lights());
    const QImage dark = canvas.grabFramebuffer().convertToFormat(QImage::Format_RGB32);
    const QPoint corner = test.models.display.view().toView({0, 0}).toPoint();
    ASSERT_TRUE(dark.rect().contains(QRect(corner, QSize(400, 300)))) << "all of it has to be seen";
    testing::Random random(77);
    for (int i = 0; i < kHovers; ++i) {
        const QPoint pixel(static_cast<int>(random() % tree.width), static_cast<int>(random() % tree.height));
        chain.hover(QPointF(pixel) + QPointF(0.5, 0.5));
        chain.setCurrent(static_cast<int>(random() % static_cast<std::uint32_t>(chain.rowCount())));
        const QImage lit = canvas.grabFramebuffer().convertToFormat(QImage::Format_RGB32);
        const std::uint32_t node = *chain.node();
        double count = 0;
        int wrong = 0;
        for (int y = 0; y < lit.height(); ++y) {
            const auto* before = reinterpret_cast<const QRgb*>(dark.constScanLine(y));
            const auto* after = reinterpret_cast<const QRgb*>(lit.constScanLine(y));
            for (int x = 0; x < lit.width(); ++x) {
                if (before[x] == after[x]) {
                    continue;
                }
                const QPoint place = QPoint(x, y) - corner;
                ++count;
                const bool inside = QRect(0, 0, 400, 300).contains(place) &&
                                    tree.contains(node, tree.pixelNode[static_cast<std::size_t>(place.y()) * 400 +
                                                                       static_cast<std::size_t>(place.x())]);
                wrong += inside ? 0 : 1;
            }
        }
        ASSERT_EQ(wrong, 0) << "hover " << i;
        ASSERT_EQ(count, area->at(node)) << "hover " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Trees, LitComponent,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)));

} // namespace
} // namespace pollard::app
