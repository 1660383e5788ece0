// The chain of components around a pixel: following the pointer, holding, and actions.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <limits>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::IsEmpty;
using testing::makeImage;
using testing::Random;

/// Two peaks of levels 200 and 180 with feet of 100, on a plateau of 50 and a background of 10.
std::shared_ptr<Image> twoPeaks() {
    return makeImage(PixelType::u8, 40, 20, [](auto x, auto y) -> std::uint32_t {
        const auto within = [&](std::uint32_t left, std::uint32_t top, std::uint32_t side) {
            return x >= left && x < left + side && y >= top && y < top + side;
        };
        if (within(6, 6, 4)) {
            return 200;
        }
        if (within(24, 6, 4)) {
            return 180;
        }
        if (within(4, 4, 8) || within(22, 4, 8)) {
            return 100;
        }
        return y >= 2 && y < 18 && x >= 2 && x < 38 ? 50 : 10;
    });
}

class Chain : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};

    void open(const Image& image) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(path.toStdString(), image, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_TRUE(document.hasImage());
    }
    [[nodiscard]] bool rests() {
        return eventually(
            [&] { return !document.activity().isBusy() && !document.activity().isFiltering() && document.tree(); });
    }
    [[nodiscard]] bool knowsValues() {
        return eventually([&] {
            return chain.value(0, ChainViewModel::areaColumn) && chain.value(0, ChainViewModel::attributeColumn);
        });
    }
    [[nodiscard]] std::vector<double> values(ChainViewModel::Column column) const {
        std::vector<double> all;
        for (int row = 0; row < chain.rowCount(); ++row) {
            all.push_back(chain.value(row, column).value_or(-1));
        }
        return all;
    }

private:
    int files_ = 0;
};

TEST_F(Chain, FollowsThePointerWhileSomebodyLooks) {
    open(*twoPeaks());
    chain.hover({7.5, 7.5});
    EXPECT_EQ(chain.rowCount(), 0);
    chain.setActive(true);
    chain.hover({7.5, 7.5});
    ASSERT_TRUE(knowsValues());
    EXPECT_THAT(values(ChainViewModel::levelColumn), ElementsAre(200, 100, 50, 10));
    EXPECT_THAT(values(ChainViewModel::areaColumn), ElementsAre(16, 64, 36 * 16, 800));
    EXPECT_EQ(chain.current(), 0);
    EXPECT_EQ(chain.summary(), QStringLiteral("Component 1 of 4 around the pixel: level 200, 16 px"));
    chain.hover({0.2, 0.2});
    EXPECT_THAT(values(ChainViewModel::areaColumn), ElementsAre(800));
    chain.hover({-3, 5});
    EXPECT_EQ(chain.rowCount(), 0);
    EXPECT_EQ(chain.current(), -1);
    chain.hover({40, 5});
    EXPECT_EQ(chain.rowCount(), 0) << "just beside the image";
    chain.hover({7.5, 7.5});
    chain.setActive(false);
    EXPECT_TRUE(eventually([&] { return chain.rowCount() == 0; }));
    EXPECT_FALSE(chain.isActive());
}

TEST_F(Chain, IsStrictlyMonotoneAndHoldsThePixelAtAnyPixel) {
    const QAbstractItemModelTester tester(&chain);
    Random random(5);
    chain.setActive(true);
    for (int i = 0; i < 6; ++i) {
        open(*testing::randomImage(random, 30, 20));
        document.choices().setTreeKind(i % 2 == 0 ? TreeKind::max : TreeKind::min);
        ASSERT_TRUE(rests());
        const auto tree = document.tree();
        for (int k = 0; k < 200; ++k) {
            const std::uint32_t pixel = random() % 600;
            chain.hover({pixel % 30 + 0.5, pixel / 30 + 0.5});
            ASSERT_TRUE(knowsValues());
            const auto areas = values(ChainViewModel::areaColumn);
            const auto levels = values(ChainViewModel::levelColumn);
            EXPECT_EQ(levels.front(), document.image()->level(pixel));
            EXPECT_EQ(areas.back(), 600);
            for (std::size_t row = 0; row < areas.size(); ++row) {
                const std::uint32_t node = chain.chain()[row];
                EXPECT_TRUE(tree->contains(node, tree->pixelNode[pixel]));
                EXPECT_EQ(areas[row],
                          std::ranges::count_if(tree->pixelNode, [&](auto n) { return tree->contains(node, n); }));
                if (row > 0) {
                    EXPECT_GT(areas[row], areas[row - 1]);
                    EXPECT_TRUE(tree->kind == TreeKind::max ? levels[row] < levels[row - 1]
                                                            : levels[row] > levels[row - 1]);
                }
            }
        }
    }
}

TEST_F(Chain, AClickHoldsIt) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    EXPECT_TRUE(chain.isHeld());
    chain.hover({25.5, 7.5});
    chain.leave();
    EXPECT_EQ(values(ChainViewModel::levelColumn).front(), 200);
    chain.hold({25.5, 7.5});
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(values(ChainViewModel::levelColumn).front(), 180);
    chain.hold({25.5, 7.5});
    EXPECT_FALSE(chain.isHeld()) << "a second click lets go";
    EXPECT_EQ(chain.rowCount(), 0);
    chain.hold({7.5, 7.5});
    chain.hold({-1, -1});
    EXPECT_FALSE(chain.isHeld());
}

TEST_F(Chain, StepsToParentChildAndSiblings) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    const auto own = chain.chain();
    chain.toParent();
    EXPECT_EQ(chain.node(), own[1]);
    chain.toChild();
    EXPECT_EQ(chain.node(), own[0]);
    chain.toChild();
    EXPECT_EQ(chain.node(), own[0]) << "a leaf has no child";
    chain.toSibling(1);
    EXPECT_EQ(chain.node(), own[0]) << "an only child";
    chain.toParent();
    chain.toSibling(-1);
    EXPECT_EQ(chain.node(), own[1]) << "the first of two";
    chain.toSibling(1);
    ASSERT_TRUE(chain.node());
    EXPECT_THAT(values(ChainViewModel::levelColumn), ElementsAre(100, 50, 10));
    chain.toChild();
    EXPECT_THAT(values(ChainViewModel::levelColumn), ElementsAre(180, 100, 50, 10));
    chain.toParent();
    chain.toSibling(-1);
    EXPECT_EQ(chain.node(), own[1]) << "there and back";
    for (int i = 0; i < 9; ++i) {
        chain.toParent();
    }
    EXPECT_EQ(chain.node(), 0U) << "the root is the last";
}

TEST_F(Chain, ShowsAnyAttributeAndMakesItTheCriterion) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    chain.setAttribute(AttributeId::perimeter);
    ASSERT_TRUE(knowsValues());
    EXPECT_THAT(values(ChainViewModel::attributeColumn), ElementsAre(16, 32, 2 * (36 + 16), 2 * (40 + 20)));
    EXPECT_EQ(chain.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Perimeter"));
    chain.toParent();
    chain.keepFromCurrentOn();
    EXPECT_EQ(filter.criterionText(), QStringLiteral("perimeter >= 32"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.result()->level(7 * 40 + 7), 100) << "the peak of perimeter 16 is gone";
}

TEST_F(Chain, RemovesAndKeepsTheCurrentComponent) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    chain.toParent();
    chain.removeCurrent();
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.result()->level(7 * 40 + 7), 50) << "with all in it";
    EXPECT_EQ(document.result()->level(7 * 40 + 25), 180);
    chain.keepCurrent();
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.picks().removed(), std::vector<std::uint32_t>{});
    EXPECT_EQ(filter.picks().kept().size(), 1U);
    EXPECT_EQ(document.result()->level(7 * 40 + 7), 200);
    chain.setCurrent(3);
    chain.removeCurrent();
    EXPECT_EQ(filter.picks().count(), 1) << "the root cannot go";
}

TEST_F(Chain, SaysWhyTheFilterRemovesTheCurrentComponent) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5}); // components of 16, 64, 576 and 800 px
    EXPECT_EQ(chain.verdict(), QString()) << "there is no filter";
    filter.setCriterion({AttributeId::area, 20, 600});
    ASSERT_TRUE(rests());
    EXPECT_EQ(chain.verdict(), QStringLiteral("Removed: 20 <= Area <= 600 (it has 16)"));
    chain.setCurrent(1);
    EXPECT_EQ(chain.verdict(), QStringLiteral("Kept: meets the criteria"));
    chain.setCurrent(3);
    EXPECT_EQ(chain.verdict(), QStringLiteral("Criteria not met: 20 <= Area <= 600 (it has 800)"))
        << "the root stays in any case";

    filter.criteria().add(AttributeId::height);
    filter.setRange(120, 1000);
    chain.setCurrent(0);
    ASSERT_TRUE(eventually([&] { return chain.verdict().contains(u"Height"); })) << "measured for the answer";
    EXPECT_EQ(chain.verdict(),
              QStringLiteral("Removed: 20 <= Area <= 600 (it has 16), Height (grey) >= 120 (it has 100)"));
    chain.setCurrent(1);
    EXPECT_EQ(chain.verdict(), QStringLiteral("Kept: meets the criteria"));
    filter.criteria().setMatchMode(Match::any);
    filter.setRule(Rule::max);
    chain.setCurrent(0);
    EXPECT_EQ(chain.verdict(),
              QStringLiteral("Criteria not met: 20 <= Area <= 600 (it has 16), Height (grey) >= 120 (it has "
                             "100)"));

    chain.keepCurrent();
    EXPECT_EQ(chain.verdict(), QStringLiteral("Kept by hand"));
    chain.setCurrent(1);
    chain.removeCurrent();
    chain.setCurrent(0);
    EXPECT_EQ(chain.verdict(), QStringLiteral("Removed by hand")) << "with the component around it";
    filter.setEnabled(false);
    EXPECT_EQ(chain.verdict(), QString());
}

TEST_F(Chain, LeavesTheDecisionOpenWhereOthersTakePart) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    filter.setCriterion({AttributeId::area, 10, 600});
    ASSERT_TRUE(rests());
    EXPECT_EQ(chain.verdict(), QStringLiteral("Kept: meets the criteria"));
    filter.setProminentOnly(true);
    EXPECT_EQ(chain.verdict(), QStringLiteral("Meets the criteria; the rule or the prominence may remove it"));
    filter.setProminentOnly(false);
    filter.setRule(Rule::min); // the root is too large
    EXPECT_EQ(chain.verdict(), QStringLiteral("Meets the criteria; the rule or the prominence may remove it"));
}

TEST_F(Chain, NamesValuesInTheUnitOfTheCriterion) {
    open(*twoPeaks());
    document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "", false, 0});
    chain.setActive(true);
    chain.hold({7.5, 7.5}); // 16 px of 0.25 µm²
    filter.setCriterion({AttributeId::area, 5, std::numeric_limits<double>::infinity(), LengthUnit::micrometre});
    ASSERT_TRUE(rests());
    EXPECT_EQ(chain.verdict(), QStringLiteral("Removed: Area >= 5 µm² (it has 4 µm²)"));
}

TEST_F(Chain, AnotherTreeEndsIt) {
    open(*twoPeaks());
    chain.setActive(true);
    chain.hold({7.5, 7.5});
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(chain.isHeld());
    EXPECT_THAT(chain.chain(), IsEmpty());
    chain.hover({0.5, 0.5});
    ASSERT_TRUE(knowsValues());
    EXPECT_EQ(values(ChainViewModel::levelColumn).front(), 10);
    document.close();
    EXPECT_TRUE(eventually([&] { return !document.hasImage(); }));
    EXPECT_THAT(chain.chain(), IsEmpty());
    chain.hover({0.5, 0.5});
    EXPECT_THAT(chain.chain(), IsEmpty());
}

TEST_F(Chain, HoldsAComponentThatIsNamed) {
    open(*twoPeaks());
    chain.holdNode(1);
    EXPECT_FALSE(chain.isHeld()) << "no panel shows the chain";
    chain.setActive(true);
    QSignalSpy held(&chain, &ChainViewModel::heldChanged);
    chain.hoverNode(2);
    EXPECT_EQ(chain.node(), 2U);
    EXPECT_EQ(chain.rowCount(), 3);
    chain.hoverNode(std::nullopt);
    EXPECT_EQ(chain.node(), std::nullopt);
    chain.holdNode(1);
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(chain.node(), 1U);
    EXPECT_EQ(chain.current(), 0);
    chain.hoverNode(2);
    EXPECT_EQ(chain.node(), 1U);
    chain.holdNode(3);
    EXPECT_EQ(chain.node(), 3U);
    EXPECT_EQ(held.count(), 1);
    chain.letGo();
    EXPECT_EQ(chain.node(), std::nullopt);
}

TEST_F(Chain, IsThereAsLongAsOneViewLooks) {
    open(*twoPeaks());
    const QObject one;
    const QObject other;
    QSignalSpy active(&chain, &ChainViewModel::activeChanged);
    chain.setWatched(&one, true);
    chain.setWatched(&other, true);
    chain.setWatched(&other, true);
    chain.holdNode(2);
    chain.setWatched(&one, false);
    EXPECT_TRUE(chain.isActive());
    EXPECT_TRUE(chain.isHeld());
    EXPECT_EQ(active.count(), 1);
    chain.setWatched(&other, false);
    chain.setWatched(&one, true); // at once: the chain is kept
    testing::settle();
    EXPECT_TRUE(chain.isHeld());
    chain.setWatched(&one, false);
    EXPECT_TRUE(eventually([&] { return !chain.isActive(); }));
    EXPECT_FALSE(chain.isHeld());
    EXPECT_EQ(chain.rowCount(), 0);
    EXPECT_EQ(active.count(), 2);
}

} // namespace
} // namespace pollard::vm
