// The current component, highlighted by node indices on the graphics card.
#include "app/test_window.hpp"
#include "cpu/cpu_engine.hpp"

#include "export/view_image.hpp"
#include "gl/component_painter.hpp"
#include "gl/node_texture.hpp"
#include "overlays/overlay_layer.hpp"
#include "overlays/tree_overlays.hpp"
#include "window/panel_dock.hpp"

#include "support/random_images.hpp"
#include "tree/component_paint.hpp"
#include "tree/node_set.hpp"

#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace pollard::app {
namespace {

constexpr QSize kSurface(150, 130);
constexpr QRgb kFill = qRgba(10, 20, 30, 100);
constexpr QRgb kOutline = qRgba(255, 128, 0, 255);

std::shared_ptr<const ComponentTree> treeOf(const SharedImage& image, TreeKind kind, Connectivity connectivity) {
    const EngineRegistry registry{makeCpuEngine()};
    const auto session = registry.select("cpu").openSession();
    session->open(image);
    session->buildTree({kind, connectivity, {}});
    return session->tree();
}

/// First device px whose centre is in the image along an axis, and the px of the image under each.
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

/// @param paint called with a NodePaint and the pixels of the surface covered by the image
template <class Paint>
QImage oracle(const ComponentTree& tree, const ImagePart& view, Paint paint, const VolumePlane& plane = {}) {
    const PlaneVoxels voxels = voxelsOf(plane, tree.extent());
    const auto [left, columns] = placesAlong(view.origin.x(), view.scale, voxels.width, kSurface.width());
    const auto [top, rows] = placesAlong(view.origin.y(), view.scaleDown(), voxels.height, kSurface.height());
    std::vector<std::uint32_t> out(columns.size() * rows.size());
    paint(NodePaint{&tree, columns, rows, kFill, kOutline, plane}, out);
    QImage image(kSurface, QImage::Format_ARGB32_Premultiplied);
    image.fill(0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto x = static_cast<int>(i % columns.size());
        const auto y = static_cast<int>(i / columns.size());
        image.setPixel(left + x, top + y, out[i]);
    }
    return image;
}

/// A few random components of the tree.
std::vector<NodeInterval> someComponents(const ComponentTree& tree, testing::Random& random) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t left = 1 + random() % 20; left > 0; --left) {
        nodes.push_back(static_cast<std::uint32_t>(random() % tree.nodeCount()));
    }
    return maximalComponents(tree, makeNodeSet(std::move(nodes)));
}

std::shared_ptr<const std::vector<std::uint32_t>> sharedBits(std::vector<std::uint32_t> words) {
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(words));
}

class LightOnCanvas : public ::testing::Test {
protected:
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
                NodeBitsTexture bits;
                const auto clear = [&] {
                    surface.bind();
                    gl->glViewport(0, 0, kSurface.width(), kSurface.height());
                    gl->glClearColor(0, 0, 0, 0);
                    gl->glClear(GL_COLOR_BUFFER_BIT);
                };
                const auto seen = [&] {
                    return surface.toImage().convertToFormat(QImage::Format_ARGB32_Premultiplied);
                };
                UploadAllowance all = UploadAllowance::unlimited();
                nodes.load({}, all);
                ASSERT_TRUE(nodes.isComplete());
                // Scales without a device px centre on the border of two px of the image.
                for (const double scale : {1.0, 3.0, 7.3871, 1.7193, 0.8931, 0.3717, 0.1319}) {
                    const QPointF origin(std::round(40.0 - random() % 120), std::round(30.0 - random() % 90));
                    const ImagePart view{kSurface, origin, scale};
                    const auto node = static_cast<std::uint32_t>(random() % tree->nodeCount());
                    clear();
                    painter.render(nodes.layers(), {node, tree->subtreeEnd[node]}, {kFill, kOutline}, view);
                    ASSERT_EQ(seen(), oracle(*tree, view,
                                             [&](const auto& paint, auto& out) { paintComponent(paint, node, out); }))
                        << width << 'x' << height << " scale " << scale << " node " << node;
                    // Successive sets in one texture: equal rows are not copied again.
                    const auto components = someComponents(*tree, random);
                    bits.setBits(sharedBits(bitsOf(*tree, components)));
                    ASSERT_TRUE(bits.load());
                    clear();
                    painter.render(nodes.layers(), bits, static_cast<std::uint32_t>(tree->nodeCount()),
                                   {kFill, kOutline}, view);
                    ASSERT_EQ(seen(), oracle(*tree, view,
                                             [&](const auto& paint, auto& out) {
                                                 paintNodes(paint, flagsOf(*tree, components), out);
                                             }))
                        << width << 'x' << height << " scale " << scale << ", selected";
                    ++painted;
                }
                nodes.destroy();
                bits.destroy();
            }
        }
    }
    EXPECT_GT(painted, 100);
    painter.destroy();
    canvas.doneCurrent();
}

TEST_F(LightOnCanvas, PaintsPlanesOfVolumes) {
    Canvas& canvas = *test.window.canvas();
    canvas.makeCurrent();
    ComponentPainter painter;
    painter.setup();
    QOpenGLFramebufferObject surface(kSurface);
    auto* gl = QOpenGLContext::currentContext()->functions();
    testing::Random random(32);
    const auto volume = std::make_shared<Image>(PixelType::u8, Extent{37, 23, 11});
    for (std::uint8_t& level : volume->pixels<std::uint8_t>()) {
        level = static_cast<std::uint8_t>(random() % 5);
    }
    const auto tree = treeOf(volume, TreeKind::max, Connectivity::six);
    NodeTexture nodes;
    nodes.setSide(16);
    nodes.setTree(tree);
    for (const VolumePlane& plane : {VolumePlane{VolumeAxis::z, 4},
                                     {VolumeAxis::y, 9},
                                     {VolumeAxis::x, 30},
                                     {VolumeAxis::y, 9, {false, false, true}},
                                     {VolumeAxis::x, 30, {true, true, true}}}) {
        nodes.setPlane(plane);
        UploadAllowance all = UploadAllowance::unlimited();
        nodes.load({}, all);
        ASSERT_TRUE(nodes.isComplete());
        for (const double aspect : {1.0, 2.37, -1.71}) {
            const ImagePart view{kSurface, QPointF(7, aspect < 0 ? 118 : -5), 3.0, aspect};
            for (const std::uint32_t node : {0U, 1U, static_cast<std::uint32_t>(random() % tree->nodeCount())}) {
                surface.bind();
                gl->glViewport(0, 0, kSurface.width(), kSurface.height());
                gl->glClearColor(0, 0, 0, 0);
                gl->glClear(GL_COLOR_BUFFER_BIT);
                painter.render(nodes.layers(), {node, tree->subtreeEnd[node]}, {kFill, kOutline}, view);
                ASSERT_EQ(
                    surface.toImage().convertToFormat(QImage::Format_ARGB32_Premultiplied),
                    oracle(
                        *tree, view, [&](const auto& paint, auto& out) { paintComponent(paint, node, out); }, plane))
                    << "aspect " << aspect << " node " << node;
            }
        }
    }
    nodes.setPlane({VolumeAxis::x, 37});
    EXPECT_FALSE(nodes.isPossible()) << "beyond the volume";
    nodes.destroy();
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

TEST_F(LightOnCanvas, BitsOfNodesAreCopiedWhereTheyDiffer) {
    test.window.canvas()->makeCurrent();
    constexpr std::uint64_t kRow = 4096;
    std::vector<std::uint32_t> words(4 * 1024 + 10, 0x80000001U); // the last row is partly filled
    NodeBitsTexture bits;
    EXPECT_FALSE(bits.load()) << "none are wanted";
    const auto copied = [&] {
        const std::uint64_t before = bits.copiedBytes();
        bits.setBits(sharedBits(words));
        EXPECT_TRUE(bits.load());
        EXPECT_NE(bits.texture(), 0U);
        return bits.copiedBytes() - before;
    };
    EXPECT_EQ(copied(), 4 * kRow + 40);
    EXPECT_EQ(copied(), 0U);
    words[2 * 1024 + 3] = 5;
    EXPECT_EQ(copied(), kRow);
    words[1024] = words[3 * 1024 - 1] = words.back() = 6;
    EXPECT_EQ(copied(), 2 * kRow + 40);
    words[0] = words[4 * 1024 - 1] = words[4 * 1024] = 7;
    EXPECT_EQ(copied(), 2 * kRow + 40);
    words.resize(3 * 1024);
    EXPECT_EQ(copied(), 3 * kRow) << "those are of another tree";
    bits.setBudget(3 * kRow - 1);
    words[5] = 8;
    bits.setBits(sharedBits(words));
    EXPECT_FALSE(bits.load());
    EXPECT_EQ(bits.texture(), 0U);
    bits.setBudget(3 * kRow);
    EXPECT_TRUE(bits.load());
    bits.setBits(nullptr);
    EXPECT_FALSE(bits.load());
    EXPECT_EQ(bits.texture(), 0U);
    test.window.canvas()->doneCurrent();
}

TEST_F(LightOnCanvas, IsTheCanvassWhileItsNumbersAreThere) {
    Canvas& canvas = *test.window.canvas();
    EXPECT_FALSE(canvas.highlightsComponent()) << "no view shows it";
    EXPECT_EQ(canvas.componentHighlight().numbers().bytes(), 0U);
    watch();
    EXPECT_TRUE(canvas.highlightsComponent());
    chain.hover({5.5, 5.5});
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isOverlaid()) << "not twice";
    EXPECT_GT(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue() + 10);

    // For an image above the budget: as without numbers.
    canvas.componentHighlight().numbers().setBudget(1);
    canvas.wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.highlightsComponent(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return isOverlaid(); }, kPatience));
    EXPECT_EQ(test.colourAt(5, 5).red(), test.colourAt(5, 5).blue());
    const auto isGivenBack = [&] {
        canvas.wantFrame();
        return canvas.componentHighlight().numbers().bytes() == 0;
    };
    EXPECT_TRUE(QTest::qWaitFor(isGivenBack, kPatience)) << "what is too large takes no memory";
    canvas.componentHighlight().numbers().setBudget(NodeTexture::kBudget);
    canvas.wantFrame();
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.highlightsComponent() && !isOverlaid(); }, kPatience));

    chain.setActive(false);
    showPanel(test.window, QStringLiteral("spectrum"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !chain.isActive() && !canvas.highlightsComponent(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.componentHighlight().numbers().bytes() == 0; }, kPatience));
}

TEST_F(LightOnCanvas, IsOnceInACopyOfTheView) {
    watch();
    chain.hover({5.5, 5.5});
    chain.setCurrent(chain.rowCount() - 1); // the whole image: with tint, without outline
    ASSERT_TRUE(test.settle());
    ASSERT_FALSE(isOverlaid());
    const QColor shown = test.colourAt(5, 5);
    EXPECT_GT(shown.red(), shown.blue() + 10);
    const QImage copy = imageOfView(*test.window.canvas(), *test.part<OverlayLayer>("overlayLayer"));
    EXPECT_EQ(copy.pixelColor(test.models.display.view().toView({5.5, 5.5}).toPoint()).rgb(), shown.rgb());
}

TEST_F(LightOnCanvas, LiesOverWhatIsSelected) {
    watch();
    Canvas& canvas = *test.window.canvas();
    vm::NodeSelection& selection = test.models.selection;
    const auto select = [&](const NodeSet& nodes) {
        selection.select(nodes);
        ASSERT_TRUE(QTest::qWaitFor([&] { return (selection.extent() != nullptr) != nodes.empty(); }, kPatience));
        ASSERT_TRUE(test.settle());
    };
    const auto redness = [&](QPoint px) {
        return test.colourAt(px.x(), px.y()).red() - test.colourAt(px.x(), px.y()).blue();
    };
    // A pixel inside a small component, and a pixel outside.
    const ComponentTree& tree = *test.models.document.tree();
    const auto small = static_cast<std::uint32_t>(tree.nodeCount() - 1);
    const auto first = static_cast<int>(std::ranges::find(tree.pixelNode, small) - tree.pixelNode.begin());
    const auto width = static_cast<int>(tree.width);
    const QPoint peak(first % width, first / width);
    const QPoint beside(peak.x() < 12 ? 22 : 1, peak.y() < 12 ? 22 : 1);
    ASSERT_NE(tree.pixelNode[static_cast<std::size_t>(beside.y() * width + beside.x())], small);
    const auto point = [&] { chain.hover(QPointF(peak) + QPointF(0.5, 0.5)); };
    point();
    ASSERT_TRUE(test.settle());
    EXPECT_GT(redness(peak), 10);
    EXPECT_EQ(redness(beside), 0);
    select({0});
    const int over = redness(peak);
    EXPECT_LT(redness(beside), -10);
    EXPECT_FALSE(isOverlaid());
    chain.leave();
    ASSERT_TRUE(test.settle());
    const int under = redness(peak);
    EXPECT_LT(under, -10);
    EXPECT_GT(over, under + 10) << "the component is seen over the selection";

    // If the texture does not fit, overlays paint highlight and selection.
    NodeBitsTexture& bits = canvas.componentHighlight().selection();
    bits.setBudget(1);
    select({});
    select({0});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.highlightsSelection() && isOverlaid(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(redness(beside), 0);
    point();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(redness(peak), 0) << "under the selection it could not be seen";
    bits.setBudget(NodeBitsTexture::kBudget);
    select({});
    select({0});
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.highlightsSelection() && !isOverlaid(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(redness(peak), over);
    EXPECT_LT(redness(beside), -10);
    select({});
    EXPECT_GT(redness(peak), 10);
    EXPECT_EQ(redness(beside), 0);
}

TEST_F(LightOnCanvas, SelectionNeedsNoChain) {
    Canvas& canvas = *test.window.canvas();
    ASSERT_FALSE(chain.isActive());
    test.models.selection.select({0});
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.highlightsSelection() && !isOverlaid(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_GT(test.colourAt(5, 5).blue(), test.colourAt(5, 5).red() + 10);
    test.models.selection.select({0, 1});
    EXPECT_EQ(test.models.selection.extent(), nullptr);
    EXPECT_GT(test.colourAt(5, 5).blue(), test.colourAt(5, 5).red() + 10) << "the one before until it is known";
    test.models.selection.clear();
    ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.componentHighlight().numbers().bytes() == 0; }, kPatience));
    EXPECT_EQ(canvas.componentHighlight().selection().texture(), 0U);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.colourAt(5, 5).blue(), test.colourAt(5, 5).red());
}

TEST_F(LightOnCanvas, RingsAHeldComponentThatIsTooSmallToBeSeen) {
    test.open("dot", makeImage(PixelType::u8, 400, 300,
                               [](std::uint32_t x, std::uint32_t y) { return x == 230 && y == 140 ? 200 : 10; }));
    watch();
    auto* layer = test.part<OverlayLayer>("overlayLayer");
    const auto isRinged = [layer] {
        QImage image(layer->size(), QImage::Format_ARGB32_Premultiplied);
        image.fill(0);
        layer->render(&image, {}, {}, {});
        const QPointF middle = layer->scene().toSurface({230.5, 140.5});
        const auto isPainted = [&](const QPointF& by) { return qAlpha(image.pixel((middle + by).toPoint())) != 0; };
        return isPainted({ChainRing::kRadius, 0}) && isPainted({-ChainRing::kRadius, 0}) &&
               isPainted({0, ChainRing::kRadius}) && !isPainted({ChainRing::kRadius / 2, 0});
    };
    test.models.display.setZoom(0.5);
    chain.hover({230.5, 140.5});
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isRinged()) << "it only follows the pointer";
    chain.hold({230.5, 140.5});
    EXPECT_TRUE(QTest::qWaitFor(isRinged, kPatience));
    test.models.display.setZoom(8);
    test.models.display.setCentre({230.5, 140.5});
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isRinged()) << "64 px";
    test.models.display.setZoom(0.5);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(isRinged());
    chain.toParent();
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(isRinged()) << "the whole image";
    chain.toChild();
    EXPECT_TRUE(isRinged());
    chain.letGo();
    EXPECT_FALSE(isRinged());
}

TEST_F(LightOnCanvas, GoesWithTheChainAndFollowsTheImage) {
    watch();
    const QImage dark = test.window.canvas()->grabFramebuffer();
    chain.hover({5.5, 5.5});
    EXPECT_NE(test.window.canvas()->grabFramebuffer(), dark);
    chain.leave();
    EXPECT_EQ(test.window.canvas()->grabFramebuffer(), dark);
    // The cached image must not be shown after a change of the view.
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
    NodeTexture& numbers = test.window.canvas()->componentHighlight().numbers();
    EXPECT_GT(numbers.bytes(), 0U);
    test.models.document.close();
    EXPECT_EQ(numbers.bytes(), 0U) << "nothing is open";
}

/// A real image in the window, with the framebuffer read back.
class LitComponent : public ::testing::TestWithParam<std::tuple<TreeKind, Connectivity>> {
protected:
    static constexpr QSize kSize{400, 300};

    TestWindow test;
    vm::ChainViewModel& chain = test.models.chain;
    std::shared_ptr<const ComponentTree> tree;
    QImage dark; ///< without highlight
    QPoint corner;

    void SetUp() override {
        const auto [kind, connectivity] = GetParam();
        test.models.document.choices().setTreeSpec({kind, connectivity, {}});
        test.window.openFile(QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples/city_lights_400x300_u16.tif"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.tree() != nullptr; }, kPatience));
        showPanel(test.window, QStringLiteral("chain"));
        test.models.display.setZoom(1);
        test.models.display.setCentre({200, 150});
        ASSERT_TRUE(test.settle());
        Canvas& canvas = *test.window.canvas();
        canvas.setLargestTexture(128); // several layers
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return test.models.document.attribute(AttributeId::area) != nullptr; }, kPatience));
        tree = test.models.document.tree();
        ASSERT_TRUE(canvas.highlightsComponent());
        dark = shown();
        corner = test.models.display.view().toView({0, 0}).toPoint();
        ASSERT_TRUE(dark.rect().contains(QRect(corner, kSize))) << "all of it has to be seen";
    }
    [[nodiscard]] QImage shown() {
        return test.window.canvas()->grabFramebuffer().convertToFormat(QImage::Format_RGB32);
    }
    struct Lit {
        std::uint64_t pixels = 0;
        std::uint64_t wrong = 0; ///< pixels of nodes that should not be highlighted
    };
    /// @param isWanted predicate for a node
    template <class Wanted> [[nodiscard]] Lit litPixels(Wanted isWanted) {
        const QImage lit = shown();
        Lit found;
        for (int y = 0; y < lit.height(); ++y) {
            const auto* before = reinterpret_cast<const QRgb*>(dark.constScanLine(y));
            const auto* after = reinterpret_cast<const QRgb*>(lit.constScanLine(y));
            for (int x = 0; x < lit.width(); ++x) {
                if (before[x] == after[x]) {
                    continue;
                }
                const QPoint place = QPoint(x, y) - corner;
                ++found.pixels;
                const bool inside = QRect(QPoint(), kSize).contains(place) &&
                                    isWanted(tree->pixelNode[static_cast<std::size_t>(place.y()) * tree->width +
                                                             static_cast<std::size_t>(place.x())]);
                found.wrong += inside ? 0 : 1;
            }
        }
        return found;
    }
};

TEST_P(LitComponent, HasItsAreaInTheFramebuffer) {
    constexpr int kHovers = 250; // a thousand over the four parameters
    const auto area = test.models.document.attribute(AttributeId::area);
    testing::Random random(77);
    for (int i = 0; i < kHovers; ++i) {
        const QPoint pixel(static_cast<int>(random() % tree->width), static_cast<int>(random() % tree->height));
        chain.hover(QPointF(pixel) + QPointF(0.5, 0.5));
        chain.setCurrent(static_cast<int>(random() % static_cast<std::uint32_t>(chain.rowCount())));
        const std::uint32_t node = *chain.node();
        const Lit lit = litPixels([&](std::uint32_t each) { return tree->contains(node, each); });
        ASSERT_EQ(lit.wrong, 0U) << "hover " << i;
        ASSERT_EQ(static_cast<double>(lit.pixels), area->at(node)) << "hover " << i;
    }
}

TEST_P(LitComponent, SelectedOnesHaveTheirUnionInTheFramebuffer) {
    constexpr int kSelections = 12;
    testing::Random random(78);
    vm::NodeSelection& selection = test.models.selection;
    for (int i = 0; i < kSelections; ++i) {
        const auto components = someComponents(*tree, random);
        NodeSet nodes;
        for (const NodeInterval& component : components) {
            nodes.push_back(component.first);
        }
        selection.select(nodes);
        ASSERT_TRUE(QTest::qWaitFor([&] { return selection.extent() != nullptr; }, kPatience));
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(test.window.canvas()->highlightsSelection());
        const auto flags = flagsOf(*tree, components);
        const Lit lit = litPixels([&](std::uint32_t each) { return flags[each] != 0; });
        ASSERT_EQ(lit.wrong, 0U) << "selection " << i;
        ASSERT_EQ(lit.pixels, maskOfNodes(*tree, flags).count()) << "selection " << i;
        // With a component over the selection, both in one image.
        chain.hover({static_cast<double>(random() % tree->width) + 0.5, 150.5});
        const std::uint32_t node = *chain.node();
        const Lit both = litPixels([&](std::uint32_t each) { return flags[each] != 0 || tree->contains(node, each); });
        EXPECT_EQ(both.wrong, 0U);
        EXPECT_GE(both.pixels, lit.pixels);
        chain.leave();
    }
    selection.clear();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(shown(), dark);
}

INSTANTIATE_TEST_SUITE_P(Trees, LitComponent,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)));

} // namespace
} // namespace pollard::app
