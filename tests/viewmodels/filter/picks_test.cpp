#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/filter/picks_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/node_decision.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <cstring>
#include <map>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::makeImage;
using testing::Random;
using PickEffect = PicksModel::PickEffect;

struct BuiltTree {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const AttributeColumn> area;
};

BuiltTree build(const std::shared_ptr<const Image>& image, TreeKind kind, Connectivity connectivity) {
    const std::unique_ptr<Engine> engine = makeCpuEngine();
    auto session = engine->openSession();
    session->open(image);
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    return {session->tree(), session->attribute(AttributeId::area)};
}

/// By the definition: the smallest of all nodes that contain the pixel, are no farther than the displayed level, are
/// large enough and not inside a removed one.
std::optional<std::uint32_t> naivePick(const BuiltTree& built, const PickQuestion& question, double smallest) {
    const ComponentTree& tree = *built.tree;
    std::optional<std::uint32_t> best;
    for (std::uint32_t n = 1; n < tree.nodeCount(); ++n) {
        bool fits = tree.contains(n, tree.pixelNode[question.pixel]) && built.area->at(n) >= smallest;
        if (question.shownLevel) {
            fits = fits && (tree.kind == TreeKind::max ? tree.level[n] <= *question.shownLevel
                                                       : tree.level[n] >= *question.shownLevel);
        }
        for (std::uint32_t gone = 1; gone < tree.nodeCount(); ++gone) {
            const bool removed = std::ranges::find(question.removed, tree.canonical[gone]) != question.removed.end();
            fits = fits && !(removed && tree.contains(gone, n));
        }
        if (fits && (!best || built.area->at(n) < built.area->at(*best))) {
            best = n;
        }
    }
    return best;
}

TEST(NodePicking, FindsTheSmallestComponentThatIsSeenOnThousandsOfTrees) {
    Random random(5);
    for (int round = 0; round < 1500; ++round) {
        const auto width = static_cast<std::uint32_t>(1 + random() % 7);
        const auto height = static_cast<std::uint32_t>(1 + random() % 6);
        const bool wide = random() % 2 == 0;
        const auto levels = static_cast<std::uint32_t>(2 + random() % 6);
        const auto image = makeImage(wide ? PixelType::u16 : PixelType::u8, width, height,
                                     [&](auto, auto) { return random() % levels * (wide ? 1000 : 10); });
        const BuiltTree built = build(image, random() % 2 == 0 ? TreeKind::max : TreeKind::min,
                                      random() % 2 == 0 ? Connectivity::four : Connectivity::eight);
        std::vector<std::uint32_t> removed;
        for (std::size_t i = random() % 3; i > 0; --i) { // some are not nodes
            removed.push_back(static_cast<std::uint32_t>(random() % (image->pixelCount() + 2)));
        }
        PickQuestion question;
        question.pixel = static_cast<std::uint32_t>(random() % image->pixelCount());
        question.removed = removed;
        if (random() % 2 == 0) {
            question.shownLevel = image->level(random() % image->pixelCount());
        }
        const auto smallest = static_cast<double>(random() % 6);
        ASSERT_EQ(pickNode(*built.tree, question, [&](std::uint32_t n) { return built.area->at(n) >= smallest; }),
                  naivePick(built, question, smallest))
            << "round " << round;
    }
}

TEST(NodePicking, KnowsTheNodesOfCanonicalPixelsOnly) {
    const auto image = makeImage(PixelType::u8, 4, 1, [](auto x, auto) { return x / 2; });
    const BuiltTree built = build(image, TreeKind::max, Connectivity::four);
    EXPECT_EQ(nodeOfCanonical(*built.tree, 1), 0U); // of two equal pixels the last one is canonical
    EXPECT_EQ(nodeOfCanonical(*built.tree, 3), 1U);
    EXPECT_EQ(nodeOfCanonical(*built.tree, 0), std::nullopt);
    EXPECT_EQ(nodeOfCanonical(*built.tree, 99), std::nullopt);
}

/// The real engine with a dark image with a bright block (level 100, 6 x 6 px at 2,2) that has a peak (200, 2 x 2 px
/// at 4,4), and a smaller block (50, 4 x 4 px at 12,2).
class Picks : public ::testing::Test {
protected:
    EngineRegistry registry{makeCpuEngine()};
    std::shared_ptr<const Image> image = makeImage(PixelType::u8, 20, 10, [](auto x, auto y) {
        const auto within = [&](unsigned left, unsigned top, unsigned side) {
            return x >= left && x < left + side && y >= top && y < top + side;
        };
        return within(4, 4, 2) ? 200 : within(2, 2, 6) ? 100 : within(12, 2, 4) ? 50 : 10;
    });
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    PicksModel& picks = filter.picks();
    QAbstractItemModelTester tester{&picks, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QSignalSpy specs{&filter, &FilterViewModel::specChanged};

    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.read = [this](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{image, nullptr, {}};
            loaded.info.width = image->width();
            loaded.info.height = image->height();
            loaded.info.bits = bitsOf(image->type());
            loaded.info.samples = 1;
            loaded.info.pages = 2;
            return loaded;
        };
        return services;
    }
    void SetUp() override {
        document.open("a.tif");
        ASSERT_TRUE(rests());
        picks.setMinimumArea(1);
    }
    [[nodiscard]] bool rests() {
        return eventually(
            [&] { return document.hasImage() && !document.activity().isBusy() && !document.activity().isFiltering(); });
    }
    [[nodiscard]] int resultAt(int x, int y) const {
        return document.result()->level(static_cast<std::size_t>(y * 20 + x));
    }
};

TEST_F(Picks, ClickingRemovesWhatIsSeenFromThePeakOutwards) {
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    EXPECT_EQ(specs.size(), 1);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 100);
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown())); // the same place: the block
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 10);
    EXPECT_EQ(resultAt(2, 2), 10);
    EXPECT_EQ(resultAt(12, 2), 50) << "nothing else goes";
    EXPECT_FALSE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown())) << "only the root is left";
    EXPECT_FALSE(picks.pickAt({-3, 4}, PickEffect::removed, document.shown()));
    EXPECT_FALSE(picks.pickAt({400, 4}, PickEffect::removed, document.shown()));
    EXPECT_EQ(specs.size(), 2);
    EXPECT_EQ(picks.count(), 2);
    EXPECT_EQ(picks.summary(), "2 removed");
    EXPECT_THAT(picks.data(picks.index(1), Qt::DisplayRole).toString().toStdString(), HasSubstr("36 px"));
    picks.remove(1); // restores the block without its peak
    EXPECT_EQ(specs.size(), 3);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 100);
    picks.clear();
    EXPECT_EQ(specs.size(), 4);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 200);
    EXPECT_EQ(filter.spec(), FilterSpec{});
}

TEST_F(Picks, TwoQuickClicksTakeTwoComponents) {
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown())); // before the first pick is filtered
    EXPECT_EQ(picks.count(), 2);
    EXPECT_FALSE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
}

TEST_F(Picks, TheSmallestAreaIsRespected) {
    picks.setMinimumArea(5);
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown())); // the peak has 4 px
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 10);
    picks.setMinimumArea(-7);
    EXPECT_EQ(picks.minimumArea(), 1);
}

TEST_F(Picks, WhatTheCriteriaRemovedIsNotPickedAgain) {
    filter.setMinimum(5);
    ASSERT_TRUE(rests());
    ASSERT_EQ(resultAt(4, 4), 100);
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 10) << "the block is what is seen, not its peak";
    picks.clear();
    filter.setOutput(Output::residue); // the residue picks the same component
    ASSERT_TRUE(rests());
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    filter.setOutput(Output::filtered);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 10);
}

TEST_F(Picks, KeepingBringsBackWhatTheCriteriaRemove) {
    filter.setMinimum(20); // removes the peak and the smaller block
    ASSERT_TRUE(rests());
    ASSERT_EQ(resultAt(13, 3), 10);
    EXPECT_TRUE(picks.pickAt({13, 3}, PickEffect::kept, document.shown()));
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(13, 3), 50);
    EXPECT_EQ(resultAt(4, 4), 100);
    EXPECT_EQ(picks.summary(), "1 kept");
    EXPECT_TRUE(picks.pickAt({13, 3}, PickEffect::removed, document.shown())); // another effect for the same component
    EXPECT_EQ(picks.count(), 1);
    EXPECT_THAT(filter.spec().kept, IsEmpty());
    EXPECT_EQ(filter.spec().removed.size(), 1U);
}

TEST_F(Picks, StayWithTheirImageOnly) {
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    ASSERT_TRUE(rests());
    document.choices().setTreeKind(TreeKind::min); // its nodes have other canonical pixels
    ASSERT_TRUE(rests());
    EXPECT_EQ(picks.count(), 1);
    document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 100);
    std::vector<int> seen;
    QObject::connect(&document, &DocumentViewModel::frameReady, &document, [&] { seen.push_back(resultAt(4, 4)); });
    document.reading().setPage(1);
    ASSERT_TRUE(rests());
    EXPECT_EQ(picks.count(), 0);
    ASSERT_FALSE(seen.empty());
    EXPECT_THAT(seen, ::testing::Each(200)) << "the new page was never shown with the picks of the old one";
}

TEST_F(Picks, AreOffWithTheFilterAndTakenWithAWholeOne) {
    EXPECT_TRUE(picks.pickAt({4.5, 4.5}, PickEffect::removed, document.shown()));
    const FilterSpec made = filter.spec();
    ASSERT_EQ(made.removed.size(), 1U);
    filter.setEnabled(false);
    EXPECT_EQ(filter.spec(), FilterSpec{});
    filter.setEnabled(true);
    EXPECT_EQ(filter.spec(), made);
    specs.clear();
    filter.setSpec({});
    EXPECT_EQ(picks.count(), 0);
    filter.setSpec(made);
    EXPECT_EQ(filter.spec(), made);
    EXPECT_EQ(specs.size(), 2);
}

TEST_F(Picks, TellEveryChangeOfTheToolOnce) {
    QSignalSpy tool(&picks, &PicksModel::pickingChanged);
    picks.setPicking(true);
    picks.setPicking(true);
    EXPECT_EQ(tool.size(), 1);
    EXPECT_TRUE(picks.isPicking());
}

TEST_F(Picks, OnlyTheMostProminentStay) {
    filter.setProminentOnly(true);
    EXPECT_EQ(specs.size(), 1);
    filter.setProminentCount(1);
    EXPECT_EQ(specs.size(), 2);
    ASSERT_TRUE(rests());
    EXPECT_EQ(resultAt(4, 4), 200);
    EXPECT_EQ(resultAt(13, 3), 10);
    filter.setProminence(Prominence::extinctionArea);
    EXPECT_EQ(specs.size(), 3);
    filter.setProminentCount(0);
    EXPECT_EQ(filter.prominentCount(), 1);
    EXPECT_EQ(specs.size(), 3);
    EXPECT_EQ(filter.spec().prominent, (Prominent{Prominence::extinctionArea, 1}));
    ASSERT_TRUE(rests());
    filter.setProminentOnly(false);
    EXPECT_EQ(filter.spec(), FilterSpec{});
    EXPECT_EQ(filter.prominence(), Prominence::extinctionArea) << "the choice is remembered";
    ASSERT_TRUE(rests());
}

TEST(FilterStates, HaveTheirPicksSorted) {
    FilterViewModel::State state;
    state.picks = {{9, PickEffect::removed}, {8, PickEffect::kept}, {4, PickEffect::removed},
                   {2, PickEffect::only},    {3, PickEffect::kept}, {1, PickEffect::only}};
    const FilterSpec spec = specOf(state);
    EXPECT_THAT(spec.removed, ElementsAre(4, 9));
    EXPECT_THAT(spec.kept, ElementsAre(3, 8));
    EXPECT_THAT(spec.only, ElementsAre(1, 2));
}

} // namespace
} // namespace pollard::vm
