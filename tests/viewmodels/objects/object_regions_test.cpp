// Objects as best components, regions of a watershed and regions of a hierarchy.
#include "vm/objects/object_regions.hpp"

#include "vm/objects/best_learning.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "components/best/best_weights.hpp"
#include "components/labelled_components.hpp"
#include "engine/best_objects.hpp"
#include "engine/find_objects.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::makeImage;
using testing::Random;
using testing::Workspace;
using Labels = std::vector<std::uint32_t>;

constexpr std::uint32_t kWidth = 90;

/// Bright discs on a dark ground with a little noise, two of which touch.
std::shared_ptr<Image> discs(unsigned seed = 1) {
    Random random(seed);
    return makeImage(PixelType::u8, kWidth, 60, [&](std::uint32_t x, std::uint32_t y) {
        double level = 20;
        for (const auto& [cx, cy, r] :
             std::array<std::array<double, 3>, 4>{{{15, 18, 9}, {31, 20, 9}, {60, 30, 8}, {75, 47, 8}}}) {
            level = std::max(level, 20 + 180 / (1 + std::exp(2 * (std::hypot(x - cx, y - cy) - r))));
        }
        return static_cast<std::uint32_t>(level) + random() % 4;
    });
}

class ObjectRegionsTest : public ::testing::Test {
protected:
    QTemporaryDir directory;
    Workspace space;
    ObjectRegions& regions = space.objects.regions();

    [[nodiscard]] QString write(const Image& image, const char* name = "discs.tif") const {
        const QString path = directory.filePath(QString::fromLatin1(name));
        writeTiff(path.toStdString(), {image, {}}, {.compression = TiffCompression::none});
        return path;
    }
    void open(FindBy way) {
        ASSERT_TRUE(space.open(write(*discs())));
        space.objects.setSource(StepImage::original);
        space.objects.setActive(true);
        regions.setWay(way);
        ASSERT_TRUE(space.rests());
        ASSERT_EQ(space.objects.state(), ObjectsViewModel::State::ready) << space.objects.problem().toStdString();
    }
    [[nodiscard]] Labels shown(const Workspace& in) const {
        const auto found = in.objects.objects();
        return found ? Labels(found->components.labels.begin(), found->components.labels.end()) : Labels{};
    }
    [[nodiscard]] Labels shown() const { return shown(space); }
    void showSlice(std::uint32_t slice) {
        space.document.setSlice(static_cast<int>(slice));
        ASSERT_TRUE(testing::eventually([&] { return space.document.shown().plane().at == slice; }));
        ASSERT_TRUE(space.rests());
    }
    [[nodiscard]] std::uint32_t labelAt(std::uint32_t x, std::uint32_t y) const {
        return shown()[std::size_t{y} * kWidth + x];
    }
    [[nodiscard]] std::shared_ptr<const BestCandidates> candidates() const {
        const auto engine = makeCpuEngine();
        return findBestCandidates(*engine, *space.document.image(), nullptr, {}, Polarity::bright);
    }
    [[nodiscard]] BestChoice choice() const { return regions.best().choiceFor({}, false); }
    /// The labels that core finds for the settings.
    [[nodiscard]] Labels ofCore() {
        const ObjectRule rule = space.objects.settings().rule;
        const Image& image = *space.document.image();
        const auto engine = makeCpuEngine();
        const ObjectSource source{image, nullptr, {}, {}, &image};
        const Components found = findObjects(*engine, rule, source, rule.levelsOf(image, nullptr, {}), {});
        return {found.labels.begin(), found.labels.end()};
    }
};

TEST_F(ObjectRegionsTest, EveryWayFindsTheObjectsOfItsRule) {
    open(FindBy::best);
    EXPECT_EQ(space.objects.objects()->components.count, 4U) << "separate where they touch";
    EXPECT_EQ(shown(), ofCore());
    EXPECT_NEAR(regions.expectedSizeIn(LengthUnit::pixel), 220, 60);
    for (const FindBy way : {FindBy::hierarchy, FindBy::watershed, FindBy::threshold, FindBy::best}) {
        regions.setWay(way);
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(regions.way(), way);
        EXPECT_EQ(shown(), ofCore()) << static_cast<int>(way);
        EXPECT_EQ(space.table.rowCount(), static_cast<int>(space.objects.objects()->components.count));
    }
}

TEST_F(ObjectRegionsTest, StrictnessAndSizeChooseAgain) {
    open(FindBy::best);
    std::uint32_t last = space.objects.objects()->components.count;
    for (const double strictness : {.01, .3, .6, .9, .99}) {
        regions.setStrictness(strictness);
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(shown(), ofCore()) << strictness;
    }
    EXPECT_LT(space.objects.objects()->components.count, last);
    regions.setStrictness(7);
    EXPECT_EQ(regions.best().strictness, .99);
    regions.setStrictness(.35);
    regions.setSize(1e9, LengthUnit::pixel);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.objects()->components.count, 0U);
    regions.setSize(0, LengthUnit::pixel);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.objects()->components.count, last);
    EXPECT_EQ(regions.best(), BestRule{});
}

TEST_F(ObjectRegionsTest, ClicksForceAndForbidObjects) {
    open(FindBy::best);
    const Labels before = shown();
    regions.mark({60.5, 30.5}, 2);
    EXPECT_THAT(regions.best().marks, ElementsAre(BestMark{60, 30, false}));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(labelAt(60, 30), 0U);
    EXPECT_EQ(shown(), ofCore());
    regions.setStrictness(.99);
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(labelAt(15, 18), 0U);
    regions.mark({15.5, 18.5}, 2);
    ASSERT_TRUE(space.rests());
    EXPECT_NE(labelAt(15, 18), 0U) << "forced";
    EXPECT_EQ(labelAt(60, 30), 0U);
    regions.setStrictness(.35);
    regions.mark({61.9, 31}, 2);
    EXPECT_THAT(regions.best().marks, ElementsAre(BestMark{15, 18, true})) << "the second click takes it back";
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(shown(), before);
    regions.mark({-1, 5}, 2);
    regions.mark({5, 500}, 2);
    EXPECT_EQ(regions.best().marks.size(), 1U) << "beside the image";
    regions.clearMarks();
    EXPECT_TRUE(regions.best().marks.empty());
}

TEST_F(ObjectRegionsTest, AnswersAboutTheLeastSureCandidatesAreMarks) {
    open(FindBy::best);
    BestLearning& learning = space.objects.learning();
    const auto expected = [&] {
        const auto region = candidates()->leastSure(choice(), 1).at(0);
        const Voxel at = voxelAt(static_cast<std::uint32_t>(region.pixel), space.document.image()->extent());
        return BestMark{at.x, at.y, region.isObject, at.z};
    };
    const auto asks = [&] { return testing::eventually([&] { return learning.question().has_value(); }); };
    EXPECT_FALSE(learning.question());
    learning.askNext();
    ASSERT_TRUE(asks());
    EXPECT_EQ(learning.question(), expected());
    std::vector<BestMark> marks;
    for (const bool isObject : {false, true, false}) {
        BestMark mark = *learning.question();
        mark.isObject = isObject;
        marks.push_back(mark);
        learning.answer(isObject);
        EXPECT_EQ(regions.best().marks, marks);
        EXPECT_FALSE(learning.question()) << "the objects follow first";
        ASSERT_TRUE(asks());
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(learning.question(), expected());
        EXPECT_EQ(shown(), ofCore());
    }
    const BestMark first = *learning.question();
    learning.askNext();
    EXPECT_NE(learning.question(), first) << "asked without an answer";
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(regions.best().marks.size(), 2U);
    EXPECT_FALSE(learning.question()) << "of other objects";
    regions.setWay(FindBy::threshold);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(learning.canAsk());
    EXPECT_FALSE(learning.canLearn());
}

TEST_F(ObjectRegionsTest, WeightsAreLearnedFromTheListedObjects) {
    open(FindBy::best);
    BestLearning& learning = space.objects.learning();
    const auto learns = [&] {
        Labels accepted = shown();
        for (std::uint32_t& label : accepted) {
            label = space.table.listing()->lists(label) ? label : 0;
        }
        const BestLesson lesson(*candidates(), std::nullopt, accepted);
        const std::array lessons{&lesson};
        const BestWeights expected = learnBestWeights(lessons);
        learning.learn(space.table.listing());
        EXPECT_TRUE(testing::eventually([&] { return !learning.isBusy(); }));
        EXPECT_TRUE(space.rests());
        EXPECT_NE(expected, BestWeights{});
        EXPECT_EQ(regions.best().weights, expected) << learning.problem().toStdString();
        return expected;
    };
    const BestWeights ofAll = learns();
    EXPECT_TRUE(learning.hasWeights());
    EXPECT_EQ(shown(), ofCore());
    EXPECT_EQ(space.history.stack().undoText(), QStringLiteral("weights of best components"));
    EXPECT_EQ(space.objects.recipeForPages().best->weights, ofAll);
    learning.useBuiltInWeights();
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(learning.hasWeights());
    space.table.marks().remove(std::vector<std::uint32_t>{1});
    ASSERT_TRUE(space.rests());
    EXPECT_NE(learns(), ofAll);
    learning.useBuiltInWeights();
    ASSERT_TRUE(space.rests());
    space.labelEdits.remove({2});
    ASSERT_TRUE(testing::eventually([&] { return !space.labelEdits.isBusy(); }));
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(learning.canAsk()) << "marks have no effect on edited objects";
    EXPECT_NE(learns(), ofAll);
}

TEST_F(ObjectRegionsTest, ClicksMarkVoxelsOfTheSeenSlice) {
    constexpr Extent kExtent{60, 40, 24};
    const auto volume = testing::makeVolume(PixelType::u8, kExtent, [](auto x, auto y, auto z) {
        const double away = std::min(std::hypot(x - 16., y - 18., z - 12.), std::hypot(x - 42., y - 20., z - 12.));
        return static_cast<std::uint32_t>(20 + 180 / (1 + std::exp(2 * (away - 8))));
    });
    PlaneFacts facts;
    facts.scene.pixelSize = PixelSize{2, 2, "µm", "NIfTI", false, 2};
    const QString path = directory.filePath(QStringLiteral("balls.nii"));
    writeVoxels(path.toStdString(), {*volume, facts});
    ASSERT_TRUE(space.open(path));
    ASSERT_TRUE(space.document.isVolume());
    space.objects.setSource(StepImage::original);
    space.objects.setActive(true);
    regions.setWay(FindBy::best);
    ASSERT_TRUE(space.rests());
    ASSERT_EQ(space.objects.state(), ObjectsViewModel::State::ready) << space.objects.problem().toStdString();
    EXPECT_EQ(space.objects.objects()->components.count, 2U);
    const double size = regions.expectedSizeIn(LengthUnit::pixel);
    EXPECT_NEAR(size, 2145, 500);
    EXPECT_DOUBLE_EQ(regions.expectedSizeIn(LengthUnit::micrometre), 8 * size) << "a volume";

    showSlice(11);
    regions.mark({42.5, 20.5}, 2);
    const BestMark none{42, 20, false, 11};
    EXPECT_THAT(regions.best().marks, ElementsAre(none));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.objects()->components.count, 1U);
    EXPECT_EQ(regions.placeOf(none, {VolumeAxis::z, 11}), QPointF(42, 20));
    EXPECT_EQ(regions.placeOf(none, {VolumeAxis::z, 12}), std::nullopt);
    EXPECT_EQ(regions.placeOf(none, {VolumeAxis::y, 20}), QPointF(42, 11));
    EXPECT_EQ(regions.placeOf(none, {VolumeAxis::x, 42}), QPointF(11, 20));
    showSlice(3);
    EXPECT_THAT(regions.best().marks, ElementsAre(none)) << "of the volume";
    regions.mark({42.5, 20.5}, 2);
    EXPECT_EQ(regions.best().marks.size(), 2U) << "the other mark is in another slice";
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(regions.unmetMarks(), 1U) << "the other mark excludes the ball";
    showSlice(11);
    regions.mark({42.5, 20.5}, 2);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(regions.best().marks.size(), 1U);
}

TEST_F(ObjectRegionsTest, UndoTakesMarksBackAndPagesForgetThem) {
    open(FindBy::best);
    QUndoStack& stack = space.history.stack();
    regions.mark({60.5, 30.5}, 2);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(stack.undoText(), QStringLiteral("forced or forbidden object"));
    stack.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(regions.best().marks.empty());
    EXPECT_NE(labelAt(60, 30), 0U);
    stack.redo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(labelAt(60, 30), 0U);
    EXPECT_TRUE(space.objects.recipeForPages().best->marks.empty());
    regions.setMarking(true);
    ASSERT_TRUE(space.open(write(*discs(2), "other.tif")));
    EXPECT_TRUE(regions.best().marks.empty()) << "they are of the pixels of another image";
    EXPECT_FALSE(regions.isMarking());
    EXPECT_EQ(regions.way(), FindBy::best);
}

TEST_F(ObjectRegionsTest, OneSliderCutsTheHierarchy) {
    open(FindBy::hierarchy);
    EXPECT_LE(*regions.regionCount(), 100U) << "not all basins at first";
    const Image& image = *space.document.image();
    for (const Strength strength : kAllStrengths) {
        const std::size_t before = *regions.regionCount();
        regions.setStrength(strength);
        ASSERT_TRUE(space.rests());
        EXPECT_LE(*regions.regionCount(), before) << "another strength keeps the number";
        EXPECT_GT(*regions.regionCount(), 1U);
        const Hierarchy core = makeHierarchy(image, nullptr, {strength, EdgeWeight::difference, Connectivity::eight});
        std::size_t last = image.pixelCount() + 1;
        for (const int position : {0, 1, 250, 600, 900, 1000}) {
            regions.setCut(regions.cutScale()->at(position));
            ASSERT_TRUE(space.rests());
            const auto cut = static_cast<std::uint64_t>(regions.cut());
            const LabelImage expected = pollard::regions(core, cut);
            EXPECT_EQ(shown(), Labels(expected.labels.begin(), expected.labels.end()));
            EXPECT_EQ(*regions.regionCount(), expected.count);
            EXPECT_LE(expected.count, last) << "fewer to the right";
            EXPECT_NEAR(regions.cutScale()->positionOf(regions.cut()), position, cut < 20 ? 700 : 30);
            last = expected.count;
        }
        EXPECT_EQ(last, 1U);
        regions.setCut(regions.cutScale()->at(400));
        ASSERT_TRUE(space.rests());
    }
    regions.setWeight(EdgeWeight::maximum);
    EXPECT_EQ(regions.cutScale(), std::nullopt) << "of the new hierarchy, which is being made";
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(regions.cutScale());
    EXPECT_EQ(shown(), ofCore());
}

TEST_F(ObjectRegionsTest, AWatershedSeparatesWhatTouchesInTheThreshold) {
    open(FindBy::threshold);
    EXPECT_EQ(space.objects.objects()->components.count, 3U);
    regions.setWay(FindBy::watershed);
    regions.setRelief(Relief::distance);
    regions.setLeast(2);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.objects()->components.count, 4U);
    EXPECT_EQ(shown(), ofCore());
    EXPECT_EQ(regions.leastUnit(), QStringLiteral("px"));
    regions.setLeast(regions.leastScale().most);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.objects()->components.count, 3U) << "one seed for each object";
    regions.setLeast(2);
    regions.setLines(true);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(shown(), ofCore());
    for (const SeedMeasure by : kAllSeedMeasures) {
        regions.setSeeds(by);
        regions.setLeast(regions.leastScale().at(300));
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(shown(), ofCore()) << nameOf(by);
    }
    regions.setRelief(Relief::levels);
    EXPECT_EQ(regions.watershed().least, 0) << "distances are no values";
}

TEST_F(ObjectRegionsTest, SessionsHaveEveryWay) {
    const QString path = directory.filePath(QStringLiteral("work.pollard"));
    open(FindBy::best);
    for (const FindBy way : {FindBy::best, FindBy::watershed, FindBy::hierarchy}) {
        regions.setWay(way);
        if (way == FindBy::best) {
            regions.setSize(150, LengthUnit::pixel);
            regions.setStrictness(.4);
            ASSERT_TRUE(space.rests());
            regions.mark({60.5, 30.5}, 2);
            regions.mark({2.5, 2.5}, 2);
        }
        regions.setRelief(Relief::distance);
        regions.setLeast(3);
        ASSERT_TRUE(space.rests());
        ASSERT_TRUE(space.save(path));
        Workspace other;
        other.objects.setActive(true);
        ASSERT_TRUE(other.openSession(path));
        EXPECT_EQ(other.objects.settings(), space.objects.settings()) << static_cast<int>(way);
        EXPECT_EQ(shown(other), shown());
    }
}

TEST(ObjectRules, HaveNoConflictsInTheWindow) {
    Random random(4);
    for (int round = 0; round < 2000; ++round) {
        ObjectRule rule;
        rule.fillHoles = random() % 2 == 0;
        rule.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        rule.split = random() % 2 == 0 ? std::optional(ObjectSplit{}) : std::nullopt;
        rule.above = random() % 2 == 0 ? std::optional(BackgroundThreshold{}) : std::nullopt;
        const auto way = static_cast<FindBy>(random() % 4);
        rule.best = way == FindBy::best ? std::optional(BestRule{}) : std::nullopt;
        rule.watershed = way == FindBy::watershed ? std::optional(WatershedRule{}) : std::nullopt;
        rule.hierarchy = way == FindBy::hierarchy ? std::optional(HierarchyRule{}) : std::nullopt;
        const ObjectRule fit = withoutConflicts(rule);
        EXPECT_FALSE(fit.conflict());
        EXPECT_EQ(wayOf(fit), way);
        EXPECT_EQ(withoutConflicts(fit), fit);
        if (way == FindBy::threshold) {
            EXPECT_EQ(fit, rule);
        }
    }
}

TEST(LogScales, GrowByAConstantFactor) {
    const LogScale scale{0, .5, 4000};
    EXPECT_EQ(scale.at(0), 0);
    EXPECT_EQ(scale.at(1), .5);
    EXPECT_EQ(scale.at(LogScale::kSteps), 4000);
    EXPECT_NEAR(scale.at(501) / scale.at(401), scale.at(301) / scale.at(201), 1e-9);
    for (int position = 0; position <= LogScale::kSteps; ++position) {
        EXPECT_EQ(scale.positionOf(scale.at(position)), position);
    }
    const LogScale linear{-7, -5, 5}; // of values below 0
    EXPECT_EQ(linear.at(0), -7);
    EXPECT_EQ(linear.at(1), -5);
    EXPECT_EQ(linear.positionOf(linear.at(500)), 500);
    EXPECT_EQ((LogScale{0, 3, 3}).at(1), 3);
    EXPECT_EQ((LogScale{0, 3, 3}).positionOf(3), LogScale::kSteps);
}

TEST_F(ObjectRegionsTest, LabelsOfAFileKeepTheirNumbers) {
    const auto labels = makeImage(PixelType::u16, kWidth, 60, [](std::uint32_t x, std::uint32_t y) {
        return y > 20 ? 0 : x < 10 ? 700 : x > 80 ? 700 : x > 40 && x < 50 ? 3 : 0;
    });
    (void)write(*labels, "discs_labels.tif");
    open(FindBy::labels);
    EXPECT_EQ(regions.labelFile(), QStringLiteral("{stem}_labels.tif"));
    const auto found = space.objects.objects();
    EXPECT_THAT(found->components.numbers, ElementsAre(3, 700));
    EXPECT_EQ(found->components.objects[1].area, 19U * 21);
    EXPECT_EQ(found->components.numberOf(labelAt(0, 0)), 700U);
    EXPECT_EQ(space.table.listing()->value(2, ObjectFeature::label), 700);
    // Another file by its path, which becomes a name for other images, too.
    const QString other = write(*labels, "discs.truth.tif");
    regions.chooseLabelFile(other);
    EXPECT_EQ(regions.labelFile(), QStringLiteral("{stem}.truth.tif"));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.state(), ObjectsViewModel::State::ready);
    regions.setLabelFile(QStringLiteral("none.tif"));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(space.objects.state(), ObjectsViewModel::State::failed);
    EXPECT_TRUE(space.objects.problem().contains(QStringLiteral("none.tif")));
    regions.setWay(FindBy::threshold);
    regions.setWay(FindBy::labels);
    EXPECT_EQ(regions.labelFile(), QStringLiteral("none.tif")) << "a way keeps its settings";
}

} // namespace
} // namespace pollard::vm
