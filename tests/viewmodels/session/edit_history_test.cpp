// One undo history: after any edits, going back and forth shows the previous states, byte for byte.
#include "vm/session/edit_history.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "base/compiler.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>

#include <functional>
#include <limits>
#include <numeric>
#include <string>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::IsEmpty;
using testing::makeImage;
using testing::Random;
using PickEffect = PicksModel::PickEffect;

constexpr double kNone = std::numeric_limits<double>::infinity();

class History : public ::testing::Test {
protected:
    EngineRegistry registry{makeCpuEngine()};
    std::shared_ptr<const Image> image;
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    NodeSelection selection{document};
    RegionViewModel region{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    EditHistory history{{document, filter, selection, region, objects, table}};
    QUndoStack& stack = history.stack();

    /// The visible state.
    struct Seen {
        std::vector<std::uint16_t> image;
        FilterViewModel::State filter;
        TreeStep tree;
        std::vector<RegionShape> shapes;
        bool inverted = false;
        NodeSet selected;
        ObjectSettings objects;
        std::uint32_t objectCount = 0;
        std::vector<std::uint8_t> removed;

        bool operator==(const Seen&) const = default;
        friend void PrintTo(const Seen& seen, std::ostream* out) {
            *out << "image " << std::accumulate(seen.image.begin(), seen.image.end(), 0U) << ", "
                 << seen.filter.criteria.entries.size() << " criteria, " << seen.filter.picks.size() << " picks, rule "
                 << nameOf(seen.filter.rule) << ", output " << nameOf(seen.filter.output) << ", on "
                 << seen.filter.enabled << ", prominent " << seen.filter.prominentOnly << ' '
                 << seen.filter.prominent.count << ", tree " << static_cast<int>(seen.tree.kind) << ' '
                 << static_cast<int>(seen.tree.connectivity) << ", " << seen.shapes.size() << " shapes, inverted "
                 << seen.inverted << ", selected " << ::testing::PrintToString(seen.selected) << ", objects "
                 << static_cast<int>(seen.objects.of) << ' '
                 << (seen.objects.rule.method ? nameOf(*seen.objects.rule.method) : "hand") << ' '
                 << seen.objects.rule.dark << ' ' << seen.objects.rule.levels.low << ' '
                 << seen.objects.rule.levels.high << ", " << seen.objectCount << " objects, removed "
                 << ::testing::PrintToString(seen.removed);
        }
    };

    DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry);
        services.read = [this](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{image, nullptr, {}};
            loaded.info.width = image->width();
            loaded.info.height = image->height();
            loaded.info.bits = bitsOf(image->type());
            loaded.info.samples = 1;
            loaded.info.pages = 1;
            return loaded;
        };
        return services;
    }
    void SetUp() override {
        Random random(77);
        image = makeImage(PixelType::u8, 40, 30, [&](auto x, auto y) { return random() % 6 * 20 + x / 8 + y / 9; });
        objects.setActive(true);
        document.open(QStringLiteral("a.tif"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(stack.count(), 0);
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            const auto listing = table.listing();
            return document.hasImage() && !document.activity().isBusy() && !document.activity().isFiltering() &&
                   document.result() && !region.isBusy() && objects.state() != ObjectsViewModel::State::computing &&
                   !table.isListing() && (listing ? listing->found : nullptr) == objects.objects();
        });
    }
    [[nodiscard]] Seen seen() const {
        Seen now;
        const Image& result = *document.result();
        for (std::size_t p = 0; p < result.pixelCount(); ++p) {
            now.image.push_back(result.level(p));
        }
        now.filter = filter.state();
        now.filter.criteria.current = 0;
        now.tree = {document.choices().treeKind(), document.choices().connectivity()};
        now.shapes = region.shapes();
        now.inverted = region.isInverted();
        now.selected = *selection.nodes();
        now.objects = objects.settings();
        now.objectCount =
            objects.objects() ? static_cast<std::uint32_t>(objects.objects()->components.objects.size()) : 0;
        now.removed = table.marks().removed() ? *table.marks().removed() : std::vector<std::uint8_t>{};
        return now;
    }
    /// A random edit; may change nothing.
    void edit(Random& random) {
        const auto below = [&](std::uint32_t end) { return random() % end; };
        CriteriaModel& criteria = filter.criteria();
        const auto canonical = [&] {
            const auto tree = document.tree();
            return tree->canonical[below(static_cast<std::uint32_t>(tree->nodeCount()))];
        };
        const auto row = [&] { return static_cast<int>(below(static_cast<std::uint32_t>(criteria.count()))); };
        const std::vector<std::function<void()>> edits{
            [&] { filter.setMinimum(1.0 + below(40)); },
            [&] { filter.setRange(below(10), 10.0 + below(400)); },
            [&] { filter.setAttribute(below(2) == 0 ? AttributeId::area : AttributeId::height); },
            [&] { criteria.add(AttributeId::level); },
            [&] { criteria.remove(row()); },
            [&] { criteria.setEnabled(row(), below(2) == 0); },
            [&] { criteria.setCurrent(row()); },
            [&] { criteria.setMatchMode(below(2) == 0 ? Match::all : Match::any); },
            [&] {
                criteria.setCriterion(row(), {AttributeId::contrast, 1.0 + below(20), kNone});
            },
            [&] { filter.setRule(kAllRules[below(kAllRules.size())]); },
            [&] { filter.setOutput(kAllOutputs[below(kAllOutputs.size())]); },
            [&] { filter.setProminentOnly(below(2) == 0); },
            [&] { filter.setProminentCount(static_cast<int>(1 + below(20))); },
            [&] { filter.setEnabled(below(3) != 0); },
            [&] { filter.reset(); },
            [&] { filter.picks().pick(canonical(), below(2) == 0 ? PickEffect::removed : PickEffect::kept); },
            [&] { filter.picks().keepOnly(canonical()); },
            [&] { filter.picks().remove(0); },
            [&] { filter.picks().clear(); },
            [&] { document.choices().setTreeKind(below(2) == 0 ? TreeKind::max : TreeKind::min); },
            [&] { document.choices().setConnectivity(below(2) == 0 ? Connectivity::four : Connectivity::eight); },
            [&] {
                selection.select({below(30), below(60)}, below(2) == 0 ? SetChange::replace : SetChange::add);
            },
            [&] { selection.clear(); },
            [&] {
                const double x = below(20);
                region.add({RegionShape::Kind::rectangle, {{x, 2}, {x + 5 + below(15), 25}}});
            },
            [&] { region.setInverted(below(2) == 0); },
            [&] { region.removeSelected(); },
            [&] { region.clear(); },
            [&] { objects.setLevels(static_cast<int>(below(60)), static_cast<int>(60 + below(60))); },
            [&] { objects.setThreshold(ThresholdMethod::otsu); },
            [&] { objects.setOption(&ObjectRule::dark, below(2) == 0); },
            [&] { objects.setSource(static_cast<ObjectsViewModel::Source>(below(2))); },
            [&] { objects.setOption(&ObjectRule::fillHoles, below(2) == 0); },
            [&] { objects.setOption(&ObjectRule::withoutBorder, below(2) == 0); },
            [&] { objects.setSplit(kAllSplits[below(2)]); },
            [&] { objects.setSplitStrength(below(5) / 4.); },
            [&] {
                objects.channels().setChoice({below(2) == 1, {}, below(2) == 1, static_cast<std::uint32_t>(below(3))});
            },
            [&] {
                table.marks().remove(std::vector<std::uint32_t>{1 + below(8), 1 + below(8)});
            },
        };
        edits[below(static_cast<std::uint32_t>(edits.size()))]();
    }
};

/// By the seed of its edits.
class RandomHistory : public History, public ::testing::WithParamInterface<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHistory, ::testing::Values(5, 6, 7, 8, 12));

TEST_P(RandomHistory, ComesBackToEverythingThatWasSeenAndGoesForthAgain) {
    Random random(GetParam());
#ifdef POLLARD_ASAN
    constexpr int kSequences = 1;
#else
    constexpr int kSequences = 4;
#endif
    for (int sequence = 0; sequence < kSequences; ++sequence) {
        stack.clear();
        std::vector<Seen> states{seen()};
        for (int i = 0; i < 25; ++i) {
            const int before = stack.count();
            edit(random);
            ASSERT_TRUE(rests());
            ASSERT_LE(stack.count(), before + 1) << "an edit is one entry";
            if (stack.count() > before) {
                EXPECT_FALSE(stack.undoText().isEmpty());
                states.push_back(seen());
            } else {
                ASSERT_EQ(seen(), states.back()) << "what changes something is an entry";
            }
        }
        ASSERT_EQ(stack.count() + 1, static_cast<int>(states.size()));
        for (int round = 0; round < 2; ++round) {
            for (std::size_t i = states.size() - 1; i-- > 0;) {
                const QString text = stack.undoText();
                stack.undo();
                ASSERT_TRUE(rests());
                ASSERT_EQ(stack.count() + 1, static_cast<int>(states.size()))
                    << "after " << text.toStdString() << " came " << stack.undoText().toStdString();
                ASSERT_EQ(seen(), states[i]) << "sequence " << sequence << ", undone: " << text.toStdString();
            }
            ASSERT_FALSE(stack.canUndo());
            for (std::size_t i = 1; i < states.size(); ++i) {
                const QString text = stack.redoText();
                stack.redo();
                ASSERT_TRUE(rests());
                ASSERT_EQ(stack.count() + 1, static_cast<int>(states.size()))
                    << "after " << text.toStdString() << " came " << stack.undoText().toStdString();
                ASSERT_EQ(seen(), states[i]) << "sequence " << sequence << ", redone: " << text.toStdString();
            }
            ASSERT_FALSE(stack.canRedo());
        }
        // All at once, before any job is done.
        while (stack.canUndo()) {
            stack.undo();
        }
        ASSERT_TRUE(rests());
        ASSERT_EQ(seen(), states.front());
        stack.setIndex(stack.count());
        ASSERT_TRUE(rests());
        ASSERT_EQ(seen(), states.back());
    }
}

TEST_F(History, SaysWhatWasDone) {
    const auto textOf = [&](const std::function<void()>& edit) {
        const int before = stack.count();
        edit();
        EXPECT_TRUE(rests());
        EXPECT_EQ(stack.count(), before + 1) << stack.undoText().toStdString();
        return stack.undoText();
    };
    objects.setSource(StepImage::original);
    ASSERT_TRUE(rests());
    EXPECT_EQ(textOf([&] { filter.setMinimum(120); }), QStringLiteral("area at least 120"));
    EXPECT_EQ(textOf([&] { filter.setRange(20, 90); }), QStringLiteral("area from 20 to 90"));
    EXPECT_EQ(textOf([&] { filter.reset(); }), QStringLiteral("any area"));
    EXPECT_EQ(textOf([&] { filter.criteria().add(AttributeId::level); }), QStringLiteral("new criterion"));
    EXPECT_EQ(textOf([&] { filter.criteria().setEnabled(0, false); }), QStringLiteral("criterion off"));
    EXPECT_EQ(textOf([&] { filter.criteria().remove(1); }), QStringLiteral("removed criterion"));
    EXPECT_EQ(textOf([&] { filter.setRule(Rule::max); }), QStringLiteral("rule Max"));
    EXPECT_EQ(textOf([&] { filter.setOutput(Output::residue); }), QStringLiteral("output Residue"));
    EXPECT_EQ(textOf([&] { filter.picks().pick(document.tree()->canonical[3], PickEffect::removed); }),
              QStringLiteral("removed component"));
    EXPECT_EQ(textOf([&] { filter.picks().keepOnly(document.tree()->canonical[4]); }),
              QStringLiteral("only one component"));
    EXPECT_EQ(textOf([&] { filter.picks().clear(); }), QStringLiteral("cleared picks"));
    EXPECT_EQ(textOf([&] { document.choices().setTreeKind(TreeKind::min); }), QStringLiteral("min-tree"));
    EXPECT_EQ(textOf([&] { document.choices().setConnectivity(Connectivity::eight); }),
              QStringLiteral("8-connectivity"));
    EXPECT_EQ(textOf([&] { selection.select({2, 5, 7}); }), QStringLiteral("selection of 3 components"));
    EXPECT_EQ(textOf([&] { objects.setLevels(30, 90); }), QStringLiteral("objects of levels 30 to 90"));
    EXPECT_EQ(textOf([&] { table.marks().remove(std::vector<std::uint32_t>{1}); }),
              QStringLiteral("deletion of an object"));
    EXPECT_EQ(textOf([&] { region.selectAll(); }), QStringLiteral("new shape of the region"));
    EXPECT_EQ(textOf([&] { filter.setEnabled(false); }), QStringLiteral("filter off"));
}

TEST_F(History, AGestureIsOneEntryAndOneThatEndsWhereItBeganIsNone) {
    history.beginGesture();
    for (int i = 2; i < 200; ++i) {
        filter.setMinimum(i);
    }
    EXPECT_EQ(stack.count(), 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("area at least 199"));
    history.beginGesture();
    filter.setMinimum(300);
    filter.setMinimum(199);
    EXPECT_EQ(stack.count(), 1);
    filter.setMinimum(250);
    history.endGesture();
    filter.setMinimum(260);
    filter.setMinimum(270);
    EXPECT_EQ(stack.count(), 4);
    stack.undo();
    stack.undo();
    EXPECT_EQ(filter.minimum(), 250);
    stack.undo();
    EXPECT_EQ(filter.minimum(), 199);
    stack.undo();
    EXPECT_EQ(filter.spec(), FilterSpec{});
}

TEST_F(History, AGroupIsOneEntryWithItsOwnName) {
    PresetViewModel presets(document, filter, QString());
    const FilterViewModel::State before = filter.state();
    filter.setMinimum(7);
    stack.clear();
    const FilterViewModel::State mine = filter.state();
    ASSERT_NE(mine, before);
    int preset = 0;
    while (presets.find(presets.name(preset)) < 0) {
        ++preset;
    }
    {
        const EditHistory::Group group(history, QStringLiteral("preset A"));
        presets.apply(preset);
        document.choices().setConnectivity(Connectivity::eight);
    }
    ASSERT_TRUE(rests());
    EXPECT_EQ(stack.count(), 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("preset A"));
    stack.undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.state(), mine);
    EXPECT_EQ(document.choices().connectivity(), Connectivity::four);
}

TEST_F(History, SelectionComesBackWithItsTree) {
    selection.select({3, 8});
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    EXPECT_THAT(*selection.nodes(), IsEmpty());
    EXPECT_EQ(stack.count(), 2) << "it ended by itself";
    selection.select({1});
    stack.undo();
    stack.undo();
    ASSERT_TRUE(rests());
    EXPECT_THAT(*selection.nodes(), ElementsAre(3, 8));
    stack.undo();
    EXPECT_THAT(*selection.nodes(), IsEmpty());
    stack.redo();
    stack.redo();
    stack.redo();
    ASSERT_TRUE(rests());
    EXPECT_THAT(*selection.nodes(), ElementsAre(1));
    EXPECT_EQ(document.choices().treeKind(), TreeKind::min);
}

TEST_F(History, AStateTakenLaterIsAnEntry) {
    filter.setMinimum(9);
    selection.select({2});
    const EditState state = history.state();
    filter.setMinimum(30);
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(rests());
    const Seen before = seen();
    const int count = stack.count();
    history.setState(state, QStringLiteral("session"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(stack.count(), count + 1);
    EXPECT_EQ(stack.undoText(), QStringLiteral("session"));
    EXPECT_EQ(filter.minimum(), 9);
    EXPECT_THAT(*selection.nodes(), ElementsAre(2));
    stack.undo();
    ASSERT_TRUE(rests());
    EXPECT_EQ(seen(), before);
}

TEST_F(History, EndsWithTheImage) {
    filter.setMinimum(9);
    filter.picks().pick(document.tree()->canonical[3], PickEffect::removed);
    selection.select({2});
    EXPECT_EQ(stack.count(), 3);
    document.open(QStringLiteral("b.tif"));
    ASSERT_TRUE(eventually([&] { return document.path().endsWith(QStringLiteral("b.tif")); }));
    ASSERT_TRUE(rests());
    EXPECT_EQ(stack.count(), 0);
    filter.setMinimum(11);
    stack.undo();
    EXPECT_EQ(filter.minimum(), 9) << "as it was when the image came";
}

TEST_F(History, RemembersNoMoreEntriesThanItSays) {
    for (int i = 0; i < EditHistory::kMostEntries + 20; ++i) {
        filter.setMinimum(2 + i);
    }
    EXPECT_EQ(stack.count(), EditHistory::kMostEntries);
    while (stack.canUndo()) {
        stack.undo();
    }
    EXPECT_EQ(filter.minimum(), 21);
}

} // namespace
} // namespace pollard::vm
