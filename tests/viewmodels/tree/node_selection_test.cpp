// The selection in a tree, and facts on one component and on all selected ones.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/inspector_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::IsEmpty;
using testing::makeImage;
using testing::Random;

class Selection : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};
    NodeSelection selection{document};
    SelectionSummary summary{document, selection};
    InspectorViewModel inspector{document, chain};

    void SetUp() override {
        Random random(12);
        open(*makeImage(PixelType::u8, 24, 20, [&](auto, auto) { return random() % 16; }));
    }
    void open(const Image& image) {
        const QString path = directory.filePath(QStringLiteral("s%1.tif").arg(++files_));
        writeTiff(path.toStdString(), image, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_GT(document.tree()->nodeCount(), 20U);
    }
    [[nodiscard]] bool rests() {
        return eventually(
            [&] { return !document.activity().isBusy() && !document.activity().isFiltering() && document.tree(); });
    }
    [[nodiscard]] const ComponentTree& tree() const { return *document.tree(); }

private:
    int files_ = 0;
};

TEST_F(Selection, ChangesAsItIsTold) {
    const QAbstractItemModelTester tester(&selection);
    selection.select({5, 2, 5});
    EXPECT_THAT(*selection.nodes(), ElementsAre(2, 5));
    EXPECT_TRUE(selection.isSelected(5));
    EXPECT_FALSE(selection.isSelected(3));
    selection.select({3}, SetChange::add);
    selection.select({2}, SetChange::subtract);
    EXPECT_THAT(*selection.nodes(), ElementsAre(3, 5));
    selection.restore(std::make_shared<const NodeSet>(NodeSet{2, 5}));
    EXPECT_THAT(*selection.nodes(), ElementsAre(2, 5));
    selection.select({7}, SetChange::add);
    QSignalSpy changes(&selection, &NodeSelection::changed);
    selection.select({7}, SetChange::add); // already selected
    EXPECT_EQ(changes.size(), 0);
    selection.select({std::numeric_limits<std::uint32_t>::max()}, SetChange::add); // not a node
    EXPECT_EQ(changes.size(), 0);
}

TEST_F(Selection, LargeSetsAreJoinedToo) {
    const auto image =
        makeImage(PixelType::u16, 700, 600, [](auto x, auto y) { return (x * 31 + y * 17) % 2 * 5 + x % 7; });
    open(*image);
    ASSERT_GT(tree().nodeCount(), NodeSelection::kMostNodesAtOnce / 2 + 1);
    std::vector<std::uint32_t> even;
    std::vector<std::uint32_t> odd;
    for (std::uint32_t node = 0; node < tree().nodeCount(); ++node) {
        (node % 2 == 0 ? even : odd).push_back(node);
    }
    selection.select(even);
    ASSERT_TRUE(eventually([&] { return *selection.nodes() == even; }));
    selection.select(odd, SetChange::add);
    EXPECT_TRUE(eventually([&] { return selection.nodes()->size() == tree().nodeCount(); }));
    // The last request counts, even while an earlier one is running.
    selection.select(even);
    selection.clear();
    selection.select(odd, SetChange::add);
    EXPECT_TRUE(eventually([&] { return *selection.nodes() == odd; }));
}

TEST_F(Selection, TellsWhichPixelsItsComponentsHold) {
    Random random(4);
    for (int i = 0; i < 20; ++i) {
        const auto count = static_cast<std::uint32_t>(tree().nodeCount());
        const NodeSet nodes = makeNodeSet({1 + random() % (count - 1), 1 + random() % (count - 1)});
        selection.select(nodes);
        ASSERT_TRUE(eventually([&] { return selection.extent() != nullptr; }));
        const auto pixels = std::ranges::count_if(tree().pixelNode, [&](std::uint32_t node) {
            return std::ranges::any_of(nodes, [&](std::uint32_t each) { return tree().contains(each, node); });
        });
        EXPECT_EQ(selection.extent()->pixels, static_cast<std::uint64_t>(pixels));
        const bool apart = nodes.size() == 2 && !tree().contains(nodes[0], nodes[1]);
        EXPECT_EQ(selection.extent()->components, apart ? 2U : 1U);
        selection.clear();
        EXPECT_EQ(selection.extent(), nullptr);
    }
}

TEST_F(Selection, NamesKeepSelectionsUntilAnotherTree) {
    selection.select({1, 4});
    selection.store(QStringLiteral("  two "));
    selection.store(QString());
    selection.select({6});
    selection.store(QStringLiteral("one"));
    ASSERT_EQ(selection.rowCount(), 2);
    EXPECT_EQ(selection.index(0).data().toString(), QStringLiteral("two (2)"));
    selection.recall(0, SetChange::add);
    EXPECT_THAT(*selection.nodes(), ElementsAre(1, 4, 6));
    selection.store(QStringLiteral("two"));
    EXPECT_EQ(selection.rowCount(), 2);
    selection.forget(1);
    EXPECT_EQ(selection.rowCount(), 1);
    selection.recall(0);
    EXPECT_THAT(*selection.nodes(), ElementsAre(1, 4, 6));
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return rests() && tree().kind == TreeKind::min; }));
    EXPECT_EQ(selection.rowCount(), 0);
    EXPECT_THAT(*selection.nodes(), IsEmpty());
}

TEST_F(Selection, TakesWhatTheFilterKeepsAndRemoves) {
    filter.setCriterion({AttributeId::contrast, 2, std::numeric_limits<double>::infinity()});
    ASSERT_TRUE(rests());
    selection.selectFiltered(true);
    ASSERT_TRUE(eventually([&] { return selection.count() > 0; }));
    const auto contrast = document.attribute(AttributeId::contrast);
    ASSERT_TRUE(contrast);
    NodeSet kept;
    NodeSet removed;
    for (std::uint32_t node = 0; node < tree().nodeCount(); ++node) {
        (contrast->at(node) >= 2 ? kept : removed).push_back(node);
    }
    ASSERT_FALSE(removed.empty());
    EXPECT_EQ(*selection.nodes(), kept);
    selection.selectFiltered(false);
    EXPECT_TRUE(eventually([&] { return *selection.nodes() == removed; }));
}

TEST_F(Selection, SummaryIsThatOfTheSelectedValues) {
    selection.select({3, 8, 9, 14});
    summary.setAttribute(AttributeId::area);
    EXPECT_EQ(summary.values(), nullptr) << "no panel shows the summary";
    summary.setActive(true);
    ASSERT_TRUE(eventually([&] { return summary.values() != nullptr; }));
    const auto area = document.attribute(AttributeId::area);
    double sum = 0;
    for (const std::uint32_t node : *selection.nodes()) {
        sum += area->at(node);
    }
    EXPECT_EQ(summary.values()->summary.sum, sum);
    EXPECT_EQ(summary.values()->summary.count, 4U);
    const auto& counts = summary.values()->histogram.counts;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 4U);
    EXPECT_FALSE(summary.facts().empty());
    summary.setAttribute(AttributeId::mean);
    ASSERT_TRUE(
        eventually([&] { return summary.values() && summary.values()->histogram.attribute == AttributeId::mean; }));
    selection.clear();
    EXPECT_EQ(summary.values(), nullptr);
    EXPECT_TRUE(summary.facts().empty());
}

TEST_F(Selection, InspectorShowsTheCurrentComponent) {
    const QAbstractItemModelTester tester(&inspector);
    chain.setWatched(&inspector, true);
    chain.holdNode(7);
    EXPECT_FALSE(inspector.node()) << "no panel shows the inspector";
    inspector.setActive(true);
    ASSERT_EQ(inspector.node(), 7U);
    ASSERT_TRUE(eventually([&] { return inspector.cutout() && inspector.value(AttributeId::area); }));
    const ComponentCutout& cutout = *inspector.cutout();
    EXPECT_EQ(cutout.component.pixels, static_cast<std::uint64_t>(*inspector.value(AttributeId::area)));
    const auto marked = std::ranges::count_if(cutout.marks, [](std::uint32_t mark) { return mark != 0; });
    EXPECT_EQ(marked, static_cast<std::ptrdiff_t>(cutout.component.pixels)) << "a small image is not shrunk";
    EXPECT_FALSE(inspector.summary().isEmpty());

    ASSERT_TRUE(inspector.isGroupOpen(0));
    EXPECT_FALSE(inspector.value(AttributeId::perimeter)) << "its group is closed";
    for (int group = 0; group < inspector.rowCount(); ++group) {
        inspector.setGroupOpen(group, true);
    }
    ASSERT_TRUE(eventually([&] {
        return std::ranges::all_of(allAttributes(),
                                   [&](const AttributeInfo& info) { return inspector.value(info.id).has_value(); });
    }));
    int attributes = 0;
    for (int group = 0; group < inspector.rowCount(); ++group) {
        const QModelIndex parent = inspector.index(group, 0);
        for (int row = 0; row < inspector.rowCount(parent); ++row, ++attributes) {
            const QString text = inspector.index(row, InspectorViewModel::valueColumn, parent).data().toString();
            EXPECT_FALSE(text.isEmpty() || text == QStringLiteral("…"));
        }
    }
    EXPECT_EQ(attributes, static_cast<int>(allAttributes().size()));
    chain.letGo();
    EXPECT_FALSE(inspector.node());
    EXPECT_EQ(inspector.cutout(), nullptr);
    EXPECT_TRUE(inspector.summary().isEmpty());
}

TEST_F(Selection, InspectorCutsOutNoMoreOftenThanIsSeen) {
    inspector.setActive(true);
    chain.setWatched(&inspector, true);
    int made = 0;
    QObject::connect(&inspector, &InspectorViewModel::cutoutChanged, &inspector,
                     [&] { made += inspector.cutout() ? 1 : 0; });
    QElapsedTimer passed;
    passed.start();
    constexpr int kMovements = 24;
    for (int i = 0; i < kMovements; ++i) {
        chain.holdNode(static_cast<std::uint32_t>(i % 8));
        QTest::qWait(8); // how often within a time is the subject; enough for a cut-out of such a small image
    }
    EXPECT_LE(made, 2 + passed.elapsed() / 40);
    const auto area = [&] { return inspector.value(AttributeId::area); };
    ASSERT_TRUE(eventually([&] { return inspector.cutout() && area(); }));
    EXPECT_EQ(inspector.node(), (kMovements - 1) % 8);
    EXPECT_EQ(inspector.cutout()->component.pixels, static_cast<std::uint64_t>(*area())) << "the last one is cut out";
}

TEST_F(Selection, InspectorShowsTheImageThatTheFilterAtHandWorksOn) {
    FilterStage earlier;
    earlier.filter.criteria.push_back({AttributeId::level, 0, 3});
    document.choices().setEarlierFilters({earlier});
    ASSERT_TRUE(rests());
    ASSERT_NE(document.input(), document.image());
    inspector.setActive(true);
    chain.setWatched(&inspector, true);
    chain.holdNode(0); // the whole image
    ASSERT_TRUE(eventually([&] { return inspector.cutout() != nullptr; }));
    const Image& shown = *inspector.cutout()->levels;
    ASSERT_EQ(shown.pixelCount(), document.input()->pixelCount());
    bool differs = false;
    for (std::size_t p = 0; p < shown.pixelCount(); ++p) {
        ASSERT_EQ(shown.level(p), document.input()->level(p));
        differs = differs || shown.level(p) != document.image()->level(p);
    }
    EXPECT_TRUE(differs);
}

TEST(ComponentCutout, OfAVolumeShowsOneSlice) {
    auto volume = std::make_shared<Image>(PixelType::u8, Extent{12, 10, 5});
    std::ranges::fill(volume->pixels<std::uint8_t>(), std::uint8_t{3});
    const auto at = [](std::size_t x, std::size_t y, std::size_t z) { return (z * 10 + y) * 12 + x; };
    for (std::size_t z = 1; z < 4; ++z) {
        for (std::size_t x = 4; x < 4 + z; ++x) {
            volume->pixels<std::uint8_t>()[at(x, 6, z)] = 200;
        }
    }
    auto session = EngineRegistry(makeCpuEngine()).find("cpu")->openSession();
    session->open(volume);
    session->buildTree({TreeKind::max, Connectivity::six, {}});
    const ComponentTree& tree = *session->tree();
    const ComponentBox box = boxOfComponent(tree, 1);
    EXPECT_EQ(box.box, (PixelRegion{4, 6, 3, 1}));
    EXPECT_EQ(box.pixels, 6U);
    EXPECT_EQ(box.front, 1U);
    EXPECT_EQ(box.slices, 3U);
    EXPECT_EQ(slicesOf(box, 8), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(slicesOf(box, 2), (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(slicesOf({{}, 1, 4, 1}, 8), (std::vector<std::uint32_t>{4}));
    EXPECT_EQ(slicesOf({{}, 1, 10, 101}, 5), (std::vector<std::uint32_t>{10, 35, 60, 85, 110}));
    for (const std::uint32_t slice : {1U, 2U, 3U}) {
        const ComponentCutout cutout = cutOut(tree, *volume, 1, box, slice, 100);
        const auto marked = std::ranges::count_if(cutout.marks, [](std::uint32_t mark) { return mark != 0; });
        EXPECT_EQ(marked, static_cast<std::ptrdiff_t>(slice));
        EXPECT_EQ(std::ranges::count(cutout.levels->pixels<std::uint8_t>(), 200), static_cast<std::ptrdiff_t>(slice));
    }
}

TEST(ComponentCutout, OfALargeComponentIsShrunk) {
    auto session = EngineRegistry(makeCpuEngine()).find("cpu")->openSession();
    session->open(makeImage(PixelType::u16, 500, 90, [](auto x, auto y) -> std::uint32_t {
        return x >= 10 && x < 490 && y >= 20 && y < 70 ? 900 + x % 3 : 5;
    }));
    session->buildTree({});
    const ComponentTree& tree = *session->tree();
    const ComponentCutout cutout = cutOut(tree, Image(PixelType::u16, 500, 90), 1, boxOfComponent(tree, 1), 0, 100);
    EXPECT_EQ(cutout.component.box, (PixelRegion{10, 20, 480, 50}));
    EXPECT_EQ(cutout.component.pixels, 480U * 50U);
    EXPECT_EQ(cutout.levels->width(), 100U);
    EXPECT_EQ(cutout.levels->height(), 18U);
    EXPECT_EQ(cutout.marks.size(), 1800U);
    EXPECT_EQ(cutout.marks.front(), 0U) << "a margin is around it";
    EXPECT_EQ(cutout.marks[9 * 100 + 50], ComponentCutout::kInside);
}

} // namespace
} // namespace pollard::vm
