// Objects of the open image: thresholds, table, conditions, marks.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/object_chart_model.hpp"

#include "components/shape/object_edges.hpp"
#include "components/threshold.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::IsEmpty;
using testing::makeImage;
using testing::Random;
using State = ObjectsViewModel::State;

/// Squares of growing size, level 100 + 10 * number, on a background of 20.
std::shared_ptr<Image> squares(int count) {
    return makeImage(PixelType::u8, static_cast<std::uint32_t>(count) * 12, 14,
                     [count](auto x, auto y) -> std::uint32_t {
                         const std::uint32_t number = x / 12;
                         const bool in = number < static_cast<std::uint32_t>(count) && x % 12 >= 1 &&
                                         x % 12 <= number + 1 && y >= 1 && y <= number + 1;
                         return in ? 100 + 10 * number : 20;
                     });
}

class Objects : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};

    void open(const Image& image, const std::vector<CopiedTag>& tags = {}) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(path.toStdString(), {image, {.carried = tags}}, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.hasImage();
        }));
    }
    [[nodiscard]] bool ready() {
        return eventually([&] {
            return (objects.state() == State::ready || objects.state() == State::failed) && !table.isListing() &&
                   !document.activity().isBusy() && !document.activity().isFiltering();
        });
    }
    [[nodiscard]] std::uint32_t count() const { return objects.objects() ? objects.objects()->components.count : 0; }
    [[nodiscard]] std::vector<std::uint32_t> listed() const {
        return table.listing() ? table.listing()->labels : std::vector<std::uint32_t>{};
    }

private:
    int files_ = 0;
};

TEST_F(Objects, AreFoundOnlyWhileAViewShowsThem) {
    open(*squares(5));
    testing::settle();
    EXPECT_EQ(objects.state(), State::empty);
    EXPECT_EQ(table.rowCount(), 0);
    objects.setActive(true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 5U);
    EXPECT_EQ(table.rowCount(), 5);
    EXPECT_GT(objects.levels().low, 20);
    EXPECT_LE(objects.levels().low, 100);
    objects.setActive(false);
    EXPECT_EQ(objects.objects(), nullptr);
    EXPECT_EQ(table.rowCount(), 0);
}

TEST_F(Objects, ThatWereSelectedAreKnownWhileNoViewShowsThem) {
    open(*squares(5));
    objects.setActive(true);
    ASSERT_TRUE(ready());
    const std::vector<std::uint32_t> some{4, 2};
    table.marks().select(some);
    EXPECT_EQ(table.marks().chosen().labels, some);
    const auto found = objects.objects();
    objects.setActive(false);
    EXPECT_TRUE(table.marks().selected().empty());
    EXPECT_EQ(table.marks().chosen().labels, some);
    EXPECT_EQ(table.marks().chosen().found, found);
    objects.setActive(true);
    ASSERT_TRUE(ready());
    EXPECT_TRUE(table.marks().chosen().labels.empty()) << "nothing is selected";
    table.marks().select(some);
    objects.setActive(false);
    open(*squares(3));
    EXPECT_EQ(table.marks().chosen().found, nullptr) << "another image";
}

TEST_F(Objects, FollowTheThreshold) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    objects.setLevels(115, 130);
    EXPECT_EQ(objects.threshold(), std::nullopt);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 2U) << "of 120 and 130";
    objects.setLevels(-5, 1000);
    EXPECT_EQ(objects.levels(), (LevelRange{20, 140})) << "within the levels that occur";
    objects.setLevels(130, 110);
    EXPECT_EQ(objects.levels(), (LevelRange{130, 130}));
    for (const ThresholdMethod method : kThresholdMethods) {
        objects.setThreshold(method);
        ASSERT_TRUE(ready());
        const std::uint16_t expected = automaticThreshold(method, *document.image(), nullptr);
        EXPECT_EQ(objects.objects()->low, expected);
        EXPECT_EQ(objects.levels().low, expected);
        objects.setOption(&ObjectRule::dark, true);
        ASSERT_TRUE(ready());
        EXPECT_EQ(objects.objects()->high, expected - 1);
        EXPECT_EQ(count(), 1U) << "the ground";
        objects.setOption(&ObjectRule::dark, false);
    }
    ASSERT_TRUE(ready());
    open(*makeImage(PixelType::u8, 9, 9, [](auto, auto) { return 5; }));
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.state(), State::failed);
    EXPECT_TRUE(objects.problem().contains(QStringLiteral("only one"))) << objects.problem().toStdString();
    objects.setLevels(0, 255);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 1U);
}

TEST_F(Objects, AreThoseOfTheFilteredImageOrTheOriginal) {
    objects.setActive(true);
    open(*squares(5));
    objects.setSource(StepImage::result);
    objects.setLevels(50, 255);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 5U);
    filter.setCriterion({AttributeId::area, 9, 1e9});
    ASSERT_TRUE(eventually([&] { return ready() && count() == 3; })) << "squares of 9, 16 and 25 px stay";
    EXPECT_EQ(objects.objects()->components.objects.front().greyMax, 120) << "levels are those of the original";
    objects.setSource(StepImage::original);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 5U);
}

TEST_F(Objects, AreThoseOfTheResultUnlessTheOriginalIsChosen) {
    EXPECT_EQ(objects.source(), StepImage::result);
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 5U);
    EXPECT_EQ(objects.domain(), (LevelRange{20, 140})) << "without a filter those of the original";
    for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
        filter.setOutput(output);
        filter.setCriterion({AttributeId::area, 10, 100}); // the whole image is larger
        ASSERT_TRUE(eventually([&] { return document.resultSpec() == filter.spec(); }));
        ASSERT_TRUE(ready());
        const Image& seen = *document.result();
        const std::uint16_t low = automaticThreshold(ThresholdMethod::otsu, seen, nullptr);
        const Components expected = labelComponents(thresholdMask(seen, low, maxLevelOf(seen.type()), nullptr), nullptr,
                                                    {.connectivity = Connectivity::eight, .algorithm = {}});
        EXPECT_EQ(count(), expected.count) << nameOf(output);
        EXPECT_EQ(count(), output == Output::residue ? 3U : 2U) << nameOf(output);
        EXPECT_EQ(objects.objects()->low, low);
    }
    filter.setOutput(Output::filtered);
    filter.setEnabled(false);
    ASSERT_TRUE(eventually([&] { return document.resultSpec() == filter.spec(); }));
    ASSERT_TRUE(ready());
    const auto ofResult = objects.objects();
    objects.setSource(StepImage::original);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 5U);
    EXPECT_NE(ofResult, objects.objects());
    EXPECT_TRUE(std::ranges::equal(ofResult->components.labels, objects.objects()->components.labels))
        << "a filter that is off changes nothing";
}

TEST_F(Objects, AtTheBorderAreLeftOutOfTheList) {
    objects.setActive(true);
    // Squares of 4 px: one in a corner, one at the right edge, two inside.
    open(*makeImage(PixelType::u8, 40, 30, [](auto x, auto y) {
        const auto in = [&](std::uint32_t left, std::uint32_t top) {
            return x >= left && x < left + 4 && y >= top && y < top + 4;
        };
        return in(0, 0) || in(36, 10) || in(10, 10) || in(20, 20) ? 200U : 10U;
    }));
    ASSERT_TRUE(ready());
    EXPECT_EQ(listed().size(), 4U);
    const auto found = objects.objects();
    table.marks().remove(std::vector<std::uint32_t>{1});
    ASSERT_TRUE(ready());
    objects.setOption(&ObjectRule::withoutBorder, true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.objects(), found) << "they are found all the same";
    EXPECT_EQ(table.marks().removedCount(), 1);
    EXPECT_EQ(table.listing()->atBorder, 1U) << "the one in the corner is deleted";
    EXPECT_TRUE(table.summary().contains(QStringLiteral(", 1 at the border left out")))
        << table.summary().toStdString();
    const auto inner = listed();
    EXPECT_EQ(inner.size(), 2U);
    objects.setOption(&ObjectRule::withoutBorder, false);
    table.setCondition(QStringLiteral("border == 0"));
    ASSERT_TRUE(ready());
    EXPECT_EQ(listed(), inner);
    table.setCondition(QStringLiteral("border > 0"));
    ASSERT_TRUE(ready());
    EXPECT_EQ(listed().size(), 1U);
    EXPECT_FALSE(table.summary().contains(QStringLiteral("border"))) << "none is left out for it";
}

TEST_F(Objects, HaveTheirHolesFilled) {
    objects.setActive(true);
    open(*makeImage(PixelType::u8, 20, 20, [](auto x, auto y) {
        const bool ring = x >= 5 && x < 12 && y >= 5 && y < 12 && !(x >= 7 && x < 10 && y >= 7 && y < 10);
        return ring ? 200U : 10U;
    }));
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.objects()->components.foreground, 40U);
    objects.setOption(&ObjectRule::fillHoles, true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.objects()->components.foreground, 49U);
    EXPECT_EQ(objects.objects()->components.objects.at(0).holes, 0U);
    EXPECT_EQ(objects.objects()->components.objects.at(0).greyMin, 10U) << "grey levels are those of the original";
    auto domain = std::make_shared<Mask>(20, 20, true);
    domain->set(8, 8, false);
    document.choices().setDomain(domain);
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.objects()->components.foreground, 40U) << "the hole has a pixel outside the region";
}

TEST_F(Objects, EdgesAreMeasuredWhenAColumnOrAChartShowsThem) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    EXPECT_FALSE(table.listing()->hasValuesOf(ObjectFeature::imagejPerimeter)) << "it takes time";
    table.marks().remove(std::vector<std::uint32_t>{2});
    ASSERT_TRUE(ready());
    table.setColumnShown(ObjectFeature::imagejPerimeter, true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(table.marks().removedCount(), 1) << "the objects are the same";
    const auto column = std::ranges::find(table.columns(), ObjectFeature::imagejPerimeter) - table.columns().begin();
    const QModelIndex last = table.index(table.rowCount() - 1, static_cast<int>(column));
    EXPECT_NEAR(table.data(last, Qt::UserRole).toDouble(), 20 - 4 * (2 - std::sqrt(2.0)), 1e-12) << "5 x 5 px";
    const QString help = table.headerData(static_cast<int>(column), Qt::Horizontal, Qt::ToolTipRole).toString();
    EXPECT_TRUE(help.startsWith(QStringLiteral("Perimeter (ImageJ) (px): "))) << help.toStdString();
    EXPECT_TRUE(help.endsWith(QStringLiteral("perimeter_imagej"))) << help.toStdString();
    table.sort(static_cast<int>(column), Qt::DescendingOrder);
    ASSERT_TRUE(ready());
    EXPECT_THAT(listed(), ElementsAre(5, 4, 3, 1));
}

TEST_F(Objects, AChartHasTheirEdgesMeasured) {
    ObjectChartModel chart(table);
    chart.setActive(true);
    chart.setX(ObjectFeature::border);
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    EXPECT_TRUE(table.listing()->hasValuesOf(ObjectFeature::border)) << "from the first listing on";
    EXPECT_FALSE(table.listing()->hasValuesOf(ObjectFeature::imagejCircularity));
    chart.setY(ObjectFeature::imagejCircularity);
    const auto isDrawn = [&] { return chart.chart() && chart.chart()->spec.y == ObjectFeature::imagejCircularity; };
    ASSERT_TRUE(eventually([&] { return isDrawn() && chart.chart()->objects == 5; })) << "every object has a value";
    EXPECT_TRUE(table.listing()->hasValuesOf(ObjectFeature::imagejCircularity));
}

TEST_F(Objects, LieInTheRegionAndHaveTheConnectivity) {
    objects.setActive(true);
    open(*makeImage(PixelType::u8, 20, 20, [](auto x, auto y) { return x == y ? 200U : 10U; }));
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 1U) << "8 neighbours";
    objects.setConnectivity(Connectivity::four);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 20U);
    auto domain = std::make_shared<Mask>(20, 20, false);
    for (std::uint32_t y = 0; y < 7; ++y) {
        domain->setRun(0, 20, y, true);
    }
    document.choices().setDomain(domain);
    ASSERT_TRUE(ready());
    EXPECT_EQ(count(), 7U);
}

TEST_F(Objects, OfABurstOfThresholdsTheLastOneCounts) {
    objects.setActive(true);
    open(*makeImage(PixelType::u16, 300, 200, [](auto x, auto y) { return (x * 7919 + y * 104729) % 1000; }));
    ASSERT_TRUE(ready());
    for (int low = 0; low < 200; ++low) {
        objects.setLevels(low * 5, 1000);
    }
    ASSERT_TRUE(ready());
    EXPECT_EQ(objects.objects()->low, 995);
    EXPECT_EQ(table.listing()->found, objects.objects());
    const Mask mask = thresholdMask(*document.image(), 995, 999, nullptr);
    EXPECT_EQ(objects.objects()->components.foreground, mask.count());
}

TEST_F(Objects, TableSaysWhatTheRecordsSay) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        table.setColumnShown(info.feature, true);
    }
    ASSERT_TRUE(ready());
    const ObjectEdges edges = measureEdges(objects.objects()->components, EdgeMeasure::thickness);
    ASSERT_EQ(table.columnCount(), static_cast<int>(kObjectFeatureCount));
    for (int row = 0; row < table.rowCount(); ++row) {
        for (int column = 0; column < table.columnCount(); ++column) {
            const auto label = listed()[static_cast<std::size_t>(row)];
            const ObjectFeature feature = table.columns()[static_cast<std::size_t>(column)];
            EXPECT_EQ(table.data(table.index(row, column), Qt::UserRole).toDouble(),
                      MeasuredObject(table.listing()->object(label), label, 1, edges.of(label)).valueOf(feature));
            EXPECT_FALSE(table.data(table.index(row, column)).toString().isEmpty());
        }
    }
    EXPECT_EQ(table.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Area (px²)"));
    table.setColumnShown(ObjectFeature::area, false);
    table.setColumnShown(ObjectFeature::label, false);
    EXPECT_EQ(table.columnCount(), static_cast<int>(kObjectFeatureCount) - 1) << "the label stays";
    EXPECT_TRUE(table.summary().startsWith(QStringLiteral("5 objects, "))) << table.summary().toStdString();
}

TEST_F(Objects, AreSortedByAColumnAndFilteredByACondition) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    table.sort(1, Qt::DescendingOrder);
    ASSERT_TRUE(ready());
    EXPECT_THAT(listed(), ElementsAre(5, 4, 3, 2, 1));
    table.setCondition(QStringLiteral("area >= 4 && grey_mean < 140"));
    ASSERT_TRUE(ready());
    EXPECT_THAT(listed(), ElementsAre(4, 3, 2));
    EXPECT_TRUE(table.summary().startsWith(QStringLiteral("3 of 5 objects"))) << table.summary().toStdString();
    table.setCondition(QStringLiteral("area >="));
    ASSERT_TRUE(ready());
    EXPECT_TRUE(table.conditionProblem().contains(QStringLiteral("missing at the end")));
    EXPECT_THAT(listed(), ElementsAre(4, 3, 2)) << "the last condition stays in force";
    table.setCondition(QString());
    ASSERT_TRUE(ready());
    EXPECT_TRUE(table.conditionProblem().isEmpty());
    EXPECT_EQ(listed().size(), 5U);
    objects.setLevels(115, 255);
    ASSERT_TRUE(ready());
    EXPECT_THAT(listed(), ElementsAre(3, 2, 1)) << "the order outlasts other objects";
}

// A panel shows levels and objects, which must always be of the same image.
TEST_F(Objects, AreToldTogetherWithTheLevelsThatMadeThem) {
    Random random(3);
    const auto noise = [&random](std::uint32_t side, std::uint32_t low, std::uint32_t high) {
        return makeImage(PixelType::u16, side, side,
                         [&, low, high](auto, auto) { return low + random() % (high - low); });
    };
    objects.setActive(true);
    objects.setSource(StepImage::result);
    open(*noise(60, 300, 2700));
    ASSERT_TRUE(ready());
    const LevelRange old = objects.levels();
    const LevelRange oldDomain = objects.domain();
    ASSERT_NE(old, oldDomain);
    int watched = 0;
    const auto watch = [&] {
        ++watched;
        const auto found = objects.objects();
        const bool isNew = objects.domain() != oldDomain;
        if (!found) {
            EXPECT_EQ(objects.levels(), objects.domain()) << "nothing is found yet";
        } else {
            EXPECT_EQ(found->components.width == 60, !isNew);
            EXPECT_EQ(objects.levels(), (LevelRange{std::max(found->low, objects.domain().low),
                                                    std::min(found->high, objects.domain().high)}));
        }
        EXPECT_TRUE(!isNew || objects.levels() != old);
    };
    QObject::connect(&objects, &ObjectsViewModel::settingsChanged, &objects, watch);
    QObject::connect(&objects, &ObjectsViewModel::changed, &objects, watch);
    open(*noise(700, 100, 60000));
    for (int i = 0; i < 20; ++i) { // further images while objects are being found
        filter.setMinimum(2 + i);
        testing::settle();
    }
    ASSERT_TRUE(ready());
    EXPECT_GT(watched, 4);
    EXPECT_EQ(objects.objects()->components.width, 700U);
}

TEST_F(Objects, AreMeasuredInTheUnitOfTheFile) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    EXPECT_FALSE(table.hasPhysicalUnit());
    EXPECT_FALSE(table.whyNoUnit().isEmpty());
    table.setUnit(LengthUnit::micrometre);
    EXPECT_FALSE(table.isPhysical());
    EXPECT_EQ(table.lengthUnit(), QStringLiteral("px"));
    // ImageJ's tags for a pixel width of 0.5 µm.
    const std::string text = "ImageJ=1.53t\nunit=micron\n";
    const auto tag = [](std::uint16_t number, std::uint16_t type, std::uint64_t count, const void* data,
                        std::size_t bytes) {
        CopiedTag made{number, type, count, std::vector<std::byte>(bytes)};
        std::memcpy(made.data.data(), data, bytes);
        return made;
    };
    const auto description = tag(270, 2, text.size() + 1, text.c_str(), text.size() + 1);
    const float perMicrometre = 2;
    const auto rational = [&](std::uint16_t number) { return tag(number, 5, 1, &perMicrometre, sizeof(float)); };
    open(*squares(5), {description, rational(282), rational(283)});
    ASSERT_TRUE(ready());
    ASSERT_TRUE(table.hasPhysicalUnit()) << table.whyNoUnit().toStdString();
    EXPECT_EQ(table.lengthUnit(), QStringLiteral("µm"));
    EXPECT_EQ(table.side(), 0.5);
    EXPECT_EQ(table.data(table.index(4, 1), Qt::UserRole).toDouble(), 25 * 0.25);
    table.setCondition(QStringLiteral("area > 5"));
    ASSERT_TRUE(ready());
    EXPECT_THAT(listed(), ElementsAre(5)) << "numbers of conditions are in the unit, too";
    table.setPhysical(false);
    ASSERT_TRUE(ready());
    EXPECT_EQ(table.lengthUnit(), QStringLiteral("px"));
    EXPECT_EQ(table.condition(), QStringLiteral("area > 5 µm²"));
    EXPECT_THAT(listed(), ElementsAre(5)) << "and keep their meaning";
}

TEST_F(Objects, AreSavedWithTheTagsOfTheImage) {
    const std::vector<CopiedTag> scale{{33550, 12, 3, std::vector<std::byte>(24, std::byte{1})}}; // of GeoTIFF
    open(*squares(5), scale);
    objects.setActive(true);
    ASSERT_TRUE(ready());
    ObjectExport files(table);
    QSignalSpy saved(&files, &ObjectExport::saved);
    files.save(ObjectFile::labels, directory.filePath(QStringLiteral("labels.tif")));
    ASSERT_TRUE(eventually([&] { return !saved.isEmpty(); }));
    const LoadedImage labels = readImage(directory.filePath(QStringLiteral("labels.tif")).toStdString());
    EXPECT_EQ(labels.info.carried, scale);
    EXPECT_EQ(labels.image->level(5 * 12 + 1), 1U) << "the first pixel of the first square";
}

TEST_F(Objects, AreTakenOutAndComeBack) {
    objects.setActive(true);
    open(*squares(5));
    ASSERT_TRUE(ready());
    ObjectMarks& marks = table.marks();
    marks.select(std::vector<std::uint32_t>{2, 4, 9, 2});
    EXPECT_THAT(marks.selected(), ElementsAre(2, 4));
    EXPECT_TRUE(marks.isSelected(4));
    marks.toggle(4);
    marks.toggle(1);
    EXPECT_THAT(marks.selected(), ElementsAre(2, 1));
    const auto removed = [&] {
        EXPECT_TRUE(ready());
        std::set<std::uint32_t> gone{1, 2, 3, 4, 5};
        for (const std::uint32_t label : listed()) {
            gone.erase(label);
        }
        EXPECT_EQ(marks.removedCount(), static_cast<int>(gone.size()));
        return gone;
    };
    using Gone = std::set<std::uint32_t>;
    marks.remove(marks.selected());
    EXPECT_THAT(marks.selected(), IsEmpty());
    EXPECT_EQ(removed(), (Gone{1, 2}));
    marks.keepOnly(std::vector<std::uint32_t>{4, 5}, listed());
    EXPECT_EQ(removed(), (Gone{1, 2, 3}));
    const RemovedObjects three = marks.removed();
    marks.restore(nullptr);
    EXPECT_EQ(removed(), Gone{});
    marks.restore(three);
    EXPECT_EQ(removed(), (Gone{1, 2, 3}));
    marks.restore(std::make_shared<std::vector<std::uint8_t>>(4, std::uint8_t{1}));
    EXPECT_EQ(removed(), (Gone{1, 2, 3})) << "those are of other objects";
    marks.remove(std::vector<std::uint32_t>{3, 77});
    EXPECT_EQ(marks.removed(), three) << "what was out already changes nothing";
    marks.restore(nullptr);
    marks.remove(std::vector<std::uint32_t>{3});
    objects.setLevels(50, 255);
    ASSERT_TRUE(ready());
    EXPECT_EQ(removed(), Gone{}) << "other objects start without marks";
}

} // namespace
} // namespace pollard::vm
