// State of the icicle: the displayed part, its colours, its place in the tree, and its effect on the chain.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>
#include <limits>
#include <optional>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::makeImage;
using testing::Random;

using State = IcicleViewModel::State;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

IciclePalette palette() {
    IciclePalette colours;
    for (std::uint32_t i = 0; i < 16; ++i) {
        colours.scale.push_back(0xff00'ff00U + i);
        colours.removed.push_back(0xffff'0000U + i);
    }
    colours.undefined = 0xff00'0000U;
    return colours;
}

/// Whether a colour is a colour of removed nodes, with or without a line.
bool looksRemoved(std::uint32_t colour) { return (colour >> 16U & 0xffU) > (colour >> 8U & 0xffU); }

class Icicle : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};
    IcicleViewModel icicle{document, filter, chain};

    void open(const Image& image) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(path.toStdString(), image, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(eventually(
            [&] { return !document.activity().isBusy() && !document.activity().isFiltering() && document.tree(); }));
    }
    void look(QSize surface = {200, 120}) {
        icicle.setPalette(palette());
        icicle.setSurface(surface);
        icicle.setActive(true);
        ASSERT_TRUE(painted());
    }
    /// Whether the image is up to date.
    [[nodiscard]] bool painted() {
        return eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && icicle.isIdle() &&
                   icicle.state() == State::ready && icicle.frame()->part == icicle.view();
        });
    }
    void openAndLook() {
        // Two peaks of 4 x 4 px with feet of 8 x 8 on a plateau on the background.
        open(*makeImage(PixelType::u8, 40, 20, [](auto x, auto y) -> std::uint32_t {
            const auto within = [&](std::uint32_t left, std::uint32_t top, std::uint32_t side) {
                return x >= left && x < left + side && y >= top && y < top + side;
            };
            if (within(6, 6, 4) || within(24, 6, 4)) {
                return x < 20 ? 200 : 180;
            }
            if (within(4, 4, 8) || within(22, 4, 8)) {
                return 100;
            }
            return y >= 2 && y < 18 && x >= 2 && x < 38 ? 50 : 10;
        }));
        look();
    }
    /// A place in the middle of a component's own pixels.
    [[nodiscard]] QPointF placeOf(std::uint32_t node) const {
        const QRectF box = icicle.boxOf(node);
        const auto own = document.tree()->subtreeEnd[node] > node + 1
                             ? icicle.boxOf(node + 1).left() - box.left() // own pixels come first
                             : box.width();
        return {box.left() + own / 2, box.center().y()};
    }

private:
    int files_ = 0;
};

TEST_F(Icicle, IsPaintedWhileSomebodyLooks) {
    icicle.setPalette(palette());
    icicle.setSurface({100, 50});
    open(*makeImage(PixelType::u8, 9, 9, [](auto x, auto y) { return x * y; }));
    testing::settle();
    EXPECT_EQ(icicle.state(), State::empty);
    EXPECT_EQ(icicle.frame(), nullptr);
    icicle.setActive(true);
    EXPECT_EQ(icicle.state(), State::computing);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.frame()->columns, 100U);
    EXPECT_EQ(icicle.frame()->rows, 50U);
    EXPECT_TRUE(icicle.isWhole());
    EXPECT_TRUE(chain.isActive());
    icicle.setSurface({60, 30});
    ASSERT_TRUE(eventually([&] { return icicle.frame()->columns == 60; }));
    icicle.setActive(false);
    EXPECT_EQ(icicle.frame(), nullptr);
    EXPECT_TRUE(eventually([&] { return !chain.isActive(); }));
}

TEST_F(Icicle, ShowsAtAPlaceTheDeepestBoxThatHoldsIt) {
    Random random(3);
    for (int i = 0; i < 8; ++i) {
        open(*testing::randomImage(random, 12, 10));
        document.choices().setTreeKind(i % 2 == 0 ? TreeKind::max : TreeKind::min);
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); }));
        icicle.setByDepth(i % 3 == 0);
        look({120, 97}); // one column per pixel
        const auto tree = document.tree();
        for (int k = 0; k < 300; ++k) {
            const QPointF place((random() % 120 + 0.5) / 120, (random() % 97 + 0.5) / 97);
            std::optional<std::uint32_t> wanted;
            bool onSide = false; // where rounding decides
            for (std::uint32_t n = 0; n < tree->nodeCount(); ++n) {
                const QRectF box = icicle.boxOf(n);
                onSide = onSide || std::abs(place.y() - box.bottom()) < 1e-9;
                wanted = box.contains(place) ? std::optional(n) : wanted;
            }
            if (!onSide) {
                ASSERT_EQ(icicle.nodeAt(place), wanted) << "place " << k;
            }
        }
        EXPECT_EQ(icicle.nodeAt({0.5, 1e-6}), 0U) << "the root";
        EXPECT_EQ(icicle.nodeAt({-0.1, 0.5}), std::nullopt);
        EXPECT_EQ(icicle.nodeAt({0.5, 1.1}), std::nullopt);
    }
}

TEST_F(Icicle, ZoomKeepsThePlaceUnderThePointer) {
    openAndLook();
    const QPointF place(0.3, 0.4);
    const auto under = [&] {
        const IcicleRect& view = icicle.view();
        return QPointF(view.left + place.x() * view.width(), view.top + place.y() * view.height());
    };
    const QPointF before = under();
    QSignalSpy views(&icicle, &IcicleViewModel::viewChanged);
    icicle.zoom(place, 2, 1);
    EXPECT_EQ(views.count(), 1);
    EXPECT_NEAR(icicle.view().width(), 400, 1e-9);
    EXPECT_EQ(icicle.view().height(), icicle.whole().height());
    EXPECT_NEAR(under().x(), before.x(), 1e-9);
    icicle.zoom(place, 1, 3);
    EXPECT_NEAR(under().y(), before.y(), 1e-9);
    ASSERT_TRUE(painted());
    icicle.zoom(place, 1e9, 1e9);
    EXPECT_NEAR(icicle.view().width(), 4, 1e-9) << "not for ever";
    EXPECT_NEAR(icicle.view().height(), 2, 1e-9);
    icicle.zoom(place, 1e-9, 1e-9);
    EXPECT_TRUE(icicle.isWhole());
    icicle.zoom(place, 0.5, 0.5);
    EXPECT_TRUE(icicle.isWhole());
}

TEST_F(Icicle, PansAsFarAsTheTreeGoes) {
    openAndLook();
    icicle.zoom({0.5, 0.5}, 4, 2);
    const IcicleRect before = icicle.view();
    icicle.pan({0.25, 0.1});
    EXPECT_NEAR(icicle.view().left, before.left + 50, 1e-9);
    EXPECT_NEAR(icicle.view().top, before.top + 0.1 * before.height(), 1e-9);
    icicle.pan({100, -100});
    EXPECT_EQ(icicle.view().right, 800);
    EXPECT_EQ(icicle.view().top, icicle.whole().top);
    EXPECT_NEAR(icicle.view().width(), 200, 1e-9);
}

TEST_F(Icicle, FocusGoesIntoSubtreesAndBack) {
    openAndLook();
    // 0 background, 1 plateau, 2 and 3 one foot and its peak, 4 and 5 the other.
    EXPECT_EQ(document.tree()->nodeCount(), 6U);
    QSignalSpy crumbs(&icicle, &IcicleViewModel::crumbsChanged);
    icicle.focus(1);
    EXPECT_EQ(icicle.view().width(), 36 * 16);
    icicle.focus(4);
    EXPECT_EQ(icicle.view().width(), 64);
    EXPECT_EQ(icicle.crumbs().size(), 3);
    EXPECT_EQ(icicle.crumbs().at(2), QStringLiteral("Level 100, 64 px"));
    icicle.focus(2);
    EXPECT_EQ(icicle.crumbs().size(), 3) << "its sibling takes its place";
    icicle.back();
    EXPECT_EQ(icicle.view().width(), 36 * 16);
    EXPECT_EQ(icicle.crumbs().size(), 2);
    icicle.focus(3);
    icicle.focusCrumb(0);
    EXPECT_TRUE(icicle.isWhole());
    EXPECT_THAT(icicle.crumbs(), ElementsAre(QStringLiteral("Whole image")));
    EXPECT_EQ(crumbs.count(), 6);
    icicle.zoom({0.5, 0.5}, 2, 2);
    icicle.back();
    EXPECT_TRUE(icicle.isWhole());
    EXPECT_EQ(crumbs.count(), 6);
    ASSERT_TRUE(painted());
}

TEST_F(Icicle, ThePointersComponentIsTheChains) {
    openAndLook();
    for (std::uint32_t node = 0; node < 6; ++node) {
        icicle.hover(placeOf(node));
        EXPECT_EQ(chain.node(), node);
        EXPECT_EQ(icicle.readout().contains(
                      QStringLiteral("%1 components in it").arg(document.tree()->subtreeEnd[node] - node - 1)),
                  true)
            << icicle.readout().toStdString();
    }
    icicle.leave();
    EXPECT_EQ(chain.node(), std::nullopt);
    EXPECT_TRUE(icicle.readout().isEmpty());
    icicle.click(placeOf(4));
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(chain.node(), 4U);
    EXPECT_EQ(chain.rowCount(), 3);
    icicle.hover(placeOf(2));
    EXPECT_EQ(chain.node(), 4U) << "it is held";
    icicle.leave();
    EXPECT_EQ(chain.node(), 4U);
    EXPECT_TRUE(icicle.readout().startsWith(QStringLiteral("Level 100  ·  64 px (8 %)")))
        << icicle.readout().toStdString();
    icicle.click({0.01, 0.99}); // below the root
    EXPECT_FALSE(chain.isHeld());
    EXPECT_EQ(chain.node(), std::nullopt);
}

TEST_F(Icicle, RevealsTheChainsComponent) {
    openAndLook();
    icicle.focus(3);
    ASSERT_TRUE(painted());
    icicle.click({0.5, 0.8});
    ASSERT_EQ(chain.node(), 3U);
    chain.toParent();
    chain.toSibling(1);
    ASSERT_EQ(chain.node(), 4U);
    const auto isSeen = [&] { return icicle.boxOf(*chain.node()).intersects({0, 0, 1, 1}); };
    EXPECT_FALSE(isSeen());
    icicle.reveal();
    EXPECT_TRUE(isSeen());
    const IcicleRect view = icicle.view();
    icicle.reveal();
    EXPECT_EQ(icicle.view(), view) << "it is seen already";
}

TEST_F(Icicle, RemovedComponentsHaveOtherColours) {
    openAndLook();
    const auto check = [&](double minimum) {
        ASSERT_TRUE(painted());
        const auto area = document.attribute(AttributeId::area);
        const auto frame = icicle.frame();
        std::size_t removed = 0;
        for (std::size_t i = 0; i < frame->nodes.size(); ++i) {
            if (frame->nodes[i] != kNoIcicleNode) {
                const bool wanted = frame->nodes[i] != 0 && area->at(frame->nodes[i]) < minimum;
                ASSERT_EQ(looksRemoved(frame->pixels[i]), wanted) << frame->nodes[i];
                removed += wanted ? 1 : 0;
            }
        }
        EXPECT_EQ(removed > 0, minimum > 0);
    };
    const auto isFiltered = [&](double minimum) {
        return eventually([&] {
            const auto& criteria = document.resultSpec().criteria;
            return (criteria.empty() && minimum == 0) || (!criteria.empty() && criteria.front().minimum == minimum);
        });
    };
    filter.setCriterion({AttributeId::area, 64, kInfinity});
    ASSERT_TRUE(isFiltered(64));
    check(64);
    icicle.hover(placeOf(3));
    EXPECT_TRUE(icicle.readout().contains(QStringLiteral("removed by the filter")));
    icicle.hover(placeOf(2));
    EXPECT_FALSE(icicle.readout().contains(QStringLiteral("removed by the filter")));
    filter.setCriterion({AttributeId::area, 100, kInfinity});
    ASSERT_TRUE(isFiltered(100));
    check(100);
    icicle.setShowsRemoved(false);
    check(0);
}

TEST_F(Icicle, ColoursFollowTheCriterionUntilTheyAreChosen) {
    openAndLook();
    EXPECT_EQ(icicle.attribute(), AttributeId::area);
    filter.setAttribute(AttributeId::contrast);
    EXPECT_EQ(icicle.attribute(), AttributeId::contrast);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.frame()->column->id, AttributeId::contrast);
    icicle.setAttribute(AttributeId::mean);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.frame()->column->id, AttributeId::mean);
    EXPECT_TRUE(icicle.frame()->logarithmic);
    icicle.setLogarithmic(false);
    ASSERT_TRUE(painted());
    EXPECT_FALSE(icicle.frame()->logarithmic);
    filter.setAttribute(AttributeId::area);
    EXPECT_EQ(icicle.attribute(), AttributeId::mean);
    icicle.setLogarithmic(true);
    icicle.setAttribute(AttributeId::hu2); // may be negative
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.frame()->logarithmic, icicle.frame()->column->minimum >= 0 && icicle.frame()->column->maximum > 0);
}

TEST_F(Icicle, LabelsAreLevelsOfEitherTree) {
    openAndLook();
    EXPECT_EQ(icicle.labelAt(0), 10);
    EXPECT_EQ(icicle.labelAt(190), 200);
    EXPECT_EQ(icicle.heightOf(200), 190);
    document.choices().setTreeKind(TreeKind::min);
    EXPECT_TRUE(eventually([&] { return document.tree()->kind == TreeKind::min; }));
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.labelAt(0), 200);
    EXPECT_EQ(icicle.labelAt(190), 10);
    EXPECT_EQ(icicle.heightOf(10), 190);
    icicle.setByDepth(true);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.labelAt(3), 3);
    EXPECT_EQ(icicle.whole().bottom, document.tree()->depth);
}

TEST_F(Icicle, AnotherTreeBeginsWhole) {
    openAndLook();
    icicle.focus(3);
    icicle.click({0.5, 0.5});
    const auto old = icicle.frame();
    open(*makeImage(PixelType::u16, 30, 30, [](auto x, auto y) { return x * y * 50; }));
    ASSERT_TRUE(painted());
    EXPECT_NE(icicle.frame(), old);
    EXPECT_TRUE(icicle.isWhole());
    EXPECT_EQ(icicle.view().right, 900);
    EXPECT_EQ(icicle.crumbs().size(), 1);
    document.close();
    EXPECT_TRUE(eventually([&] { return icicle.state() == State::empty; }));
    EXPECT_EQ(icicle.frame(), nullptr);
    EXPECT_TRUE(icicle.readout().isEmpty());
}

TEST_F(Icicle, ABurstOfMovesIsPaintedOnceForTheLast) {
    open(*makeImage(PixelType::u16, 200, 200, [](auto x, auto y) { return x * 7919 * (y + 3) % 65521; }));
    look({600, 300});
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        icicle.zoom({random() % 100 / 100.0, 0.5}, i % 3 == 0 ? 0.7 : 1.2, 1.01);
    }
    ASSERT_TRUE(painted());
    EXPECT_LE(icicle.worker().statistics(Lane::measure).maxInFlight, 2);
    EXPECT_EQ(icicle.frame()->part, icicle.view());
}

TEST_F(Icicle, OfAConstantImageIsOneBox) {
    open(*makeImage(PixelType::u8, 7, 1, [](auto, auto) { return 3; }));
    look();
    EXPECT_EQ(icicle.nodeAt({0.9, 0.9}), 0U);
    icicle.focus(0);
    icicle.zoom({0.5, 0.5}, 100, 100);
    EXPECT_NEAR(icicle.view().width(), 4, 1e-9);
    ASSERT_TRUE(painted());
    icicle.click({0.5, 0.5});
    EXPECT_EQ(chain.node(), 0U);
}

TEST_F(Icicle, SmallSubtreesAreNodesAndLinks) {
    openAndLook();
    EXPECT_TRUE(icicle.linkedNodes().empty()) << "the option is off";
    QSignalSpy options(&icicle, &IcicleViewModel::optionsChanged);
    icicle.setLinked(true);
    icicle.setLinked(true);
    EXPECT_EQ(options.count(), 1);
    const auto parentsOf = [&] {
        std::vector<std::size_t> parents;
        for (const auto& each : icicle.linkedNodes()) {
            parents.push_back(each.parent);
        }
        return parents;
    };
    EXPECT_THAT(parentsOf(), ElementsAre(0, 0, 1, 2, 1, 4));
    icicle.focus(4);
    EXPECT_THAT(parentsOf(), ElementsAre(0, 0));
    EXPECT_EQ(icicle.linkedNodes().front().node, 4U);
    EXPECT_EQ(icicle.linkedNodes().front().height, 90);
    filter.setCriterion({AttributeId::area, 20, kInfinity});
    ASSERT_TRUE(eventually([&] { return icicle.isIdle() && looksRemoved(icicle.linkedNodes().back().colour); }));
    EXPECT_FALSE(looksRemoved(icicle.linkedNodes().front().colour));
    open(*makeImage(PixelType::u16, 30, 30, [](auto x, auto y) { return 30 * y + x; }));
    ASSERT_TRUE(painted());
    EXPECT_FALSE(icicle.canLink());
    EXPECT_TRUE(icicle.linkedNodes().empty()) << "900 of them";
    icicle.focus(700);
    EXPECT_EQ(icicle.linkedNodes().size(), 200U);
    icicle.focus(699);
    EXPECT_FALSE(icicle.canLink());
}

TEST_F(Icicle, KeepsThePlaceWhileNobodyLooks) {
    openAndLook();
    icicle.focus(2);
    const IcicleRect view = icicle.view();
    icicle.setActive(false);
    EXPECT_EQ(icicle.frame(), nullptr);
    EXPECT_EQ(icicle.crumbs().size(), 2);
    icicle.setActive(true);
    ASSERT_TRUE(painted());
    EXPECT_EQ(icicle.view(), view);
    EXPECT_EQ(icicle.frame()->part, view);
}

} // namespace
} // namespace pollard::vm
