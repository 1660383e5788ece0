// Objects of a volume in the window: of all slices, from both sources, their table, files, classes, undo and sessions.
#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/measured_channels.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/recipe/object_chart_model.hpp"

#include "base/text.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/outlines.hpp"
#include "components/threshold.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/text_file.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Workspace;
using Source = ObjectsViewModel::Source;
using State = ObjectsViewModel::State;

constexpr Extent kExtent{13, 11, 7};
constexpr std::array kNeighbours{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};

/// Blobs and noise, so that objects have many sizes.
std::shared_ptr<const Image> randomVolume(unsigned seed, const Extent& extent = kExtent) {
    testing::Random random(seed);
    auto volume = std::make_shared<Image>(PixelType::u8, extent);
    std::uint32_t index = 0;
    for (std::uint8_t& level : volume->pixels<std::uint8_t>()) {
        const Voxel at = voxelAt(index++, extent);
        const bool blob = (at.x / 4 + at.y / 3 + at.z / 3 + seed) % 3 == 0;
        level = static_cast<std::uint8_t>((blob ? 120 : 20) + random() % 100);
    }
    return volume;
}

/// Labels by flood filling in raster order.
std::vector<std::uint32_t> flooded(const Image& volume, LevelRange levels, Connectivity connectivity) {
    const Extent& extent = volume.extent();
    const int most = connectivity == Connectivity::six ? 1 : connectivity == Connectivity::eighteen ? 2 : 3;
    const auto isIn = [&](std::size_t p) { return volume.level(p) >= levels.low && volume.level(p) <= levels.high; };
    std::vector<std::uint32_t> labels(volume.pixelCount(), 0);
    std::uint32_t count = 0;
    for (std::uint32_t start = 0; start < labels.size(); ++start) {
        if (labels[start] != 0 || !isIn(start)) {
            continue;
        }
        std::vector<std::uint32_t> waiting{start};
        labels[start] = ++count;
        while (!waiting.empty()) {
            const Voxel at = voxelAt(waiting.back(), extent);
            waiting.pop_back();
            for (int bit = 0; bit < 27; ++bit) {
                const int dx = bit % 3 - 1;
                const int dy = bit / 3 % 3 - 1;
                const int dz = bit / 9 - 1;
                const std::int64_t x = std::int64_t{at.x} + dx;
                const std::int64_t y = std::int64_t{at.y} + dy;
                const std::int64_t z = std::int64_t{at.z} + dz;
                if (std::abs(dx) + std::abs(dy) + std::abs(dz) > most || x < 0 || y < 0 || z < 0 || x >= extent.width ||
                    y >= extent.height || z >= extent.slices) {
                    continue;
                }
                const auto next = static_cast<std::uint32_t>((z * extent.height + y) * extent.width + x);
                if (labels[next] == 0 && isIn(next)) {
                    labels[next] = count;
                    waiting.push_back(next);
                }
            }
        }
    }
    return labels;
}

/// Some features by definition.
struct NaiveObject {
    std::uint64_t area = 0;
    std::uint32_t front = 0xffff'ffff;
    std::uint32_t back = 0;
    std::uint64_t sumZ = 0;
    std::uint64_t greySum = 0;
    std::uint64_t border = 0;
};

std::vector<NaiveObject> naiveObjects(const std::vector<std::uint32_t>& labels, const Image& grey) {
    const Extent& extent = grey.extent();
    std::vector<NaiveObject> objects(std::ranges::max(labels));
    for (std::uint32_t p = 0; p < labels.size(); ++p) {
        if (labels[p] == 0) {
            continue;
        }
        const Voxel at = voxelAt(p, extent);
        NaiveObject& object = objects[labels[p] - 1];
        ++object.area;
        object.front = std::min(object.front, at.z);
        object.back = std::max(object.back, at.z);
        object.sumZ += at.z;
        object.greySum += grey.level(p);
        object.border += at.x == 0 || at.y == 0 || at.z == 0 || at.x + 1 == extent.width || at.y + 1 == extent.height ||
                                 at.z + 1 == extent.slices
                             ? 1
                             : 0;
    }
    return objects;
}

class VolumeObjects : public ::testing::Test {
protected:
    QTemporaryDir directory;
    Workspace space;
    DocumentViewModel& document = space.document;
    ObjectsViewModel& objects = space.objects;
    ObjectTableModel& table = space.table;
    std::shared_ptr<const Image> volume = randomVolume(1);

    [[nodiscard]] QString path(const QString& name) const { return directory.filePath(name); }
    void open(const PlaneFacts& facts = {}) {
        writeVoxels(path("volume.nii").toStdString(), {*volume, facts});
        objects.setActive(true);
        ASSERT_TRUE(space.open(path("volume.nii")));
        ASSERT_TRUE(document.isVolume());
        ASSERT_EQ(objects.state(), State::ready) << objects.problem().toStdString();
        ASSERT_TRUE(objects.objects()->components.isVolume());
        table.setUnit(LengthUnit::pixel);
        ASSERT_TRUE(space.rests());
    }
    void openImage() {
        const auto image = testing::makeImage(PixelType::u8, 30, 20, [](auto x, auto y) { return x * y % 200; });
        writeTiff(path("picture.tif").toStdString(), *image);
        ASSERT_TRUE(space.open(path("picture.tif")));
        ASSERT_FALSE(document.isVolume());
    }
    void show(int slice) {
        document.setSlice(slice);
        ASSERT_TRUE(eventually([&] { return document.shown().slice == static_cast<std::uint32_t>(slice); }));
        ASSERT_TRUE(space.rests());
    }
    void filterBy(const char* criterion, Output output = Output::filtered) {
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        spec.output = output;
        document.requestFilter(spec);
        ASSERT_TRUE(space.rests());
    }
    /// All slices of the filtered volume.
    [[nodiscard]] Image filtered() const {
        const auto engine = makeCpuEngine();
        const auto session = engine->openSession();
        session->open(volume);
        (void)session->buildTree(document.shown().treeSpec);
        Image out(volume->type(), volume->extent());
        (void)session->filter(document.resultSpec(), out);
        return out;
    }
    void expectThoseOf(const Image& source) const {
        ASSERT_EQ(objects.state(), State::ready) << objects.problem().toStdString();
        const FoundObjects& found = *objects.objects();
        ASSERT_TRUE(found.components.isVolume());
        const std::vector<std::uint32_t> labels = flooded(source, {found.low, found.high}, objects.connectivity());
        ASSERT_TRUE(std::ranges::equal(found.components.labels, labels));
        const std::vector<NaiveObject> expected = naiveObjects(labels, *volume);
        ASSERT_EQ(found.components.count, expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const VolumeRecord object{found.components.objects[i], found.components.depths[i]};
            ASSERT_EQ(object.area, expected[i].area);
            ASSERT_EQ(object.front, expected[i].front);
            ASSERT_EQ(object.back, expected[i].back);
            ASSERT_EQ(object.sumZ, expected[i].sumZ);
            ASSERT_EQ(object.greySum, expected[i].greySum) << "grey levels are those of the original";
            ASSERT_EQ(object.border, expected[i].border);
        }
    }
    [[nodiscard]] std::vector<std::uint32_t> rows() const { return table.listing()->labels; }
    [[nodiscard]] std::string written(ObjectFile kind, const QString& name) {
        ObjectExport exporter(table);
        exporter.save(kind, path(name));
        EXPECT_TRUE(eventually([&] { return !exporter.isBusy(); }));
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
        return file.readAll().toStdString();
    }
};

TEST_F(VolumeObjects, AreThoseOfAllVoxels) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        volume = randomVolume(seed);
        ASSERT_NO_FATAL_FAILURE(open());
        objects.setSource(Source::original);
        for (const Connectivity connectivity : kNeighbours) {
            objects.setConnectivity(connectivity);
            for (const int low : {90, 150, 200}) {
                objects.setLevels(low, low == 150 ? 190 : 255);
                ASSERT_TRUE(space.rests());
                ASSERT_EQ(objects.objects()->low, low);
                ASSERT_NO_FATAL_FAILURE(expectThoseOf(*volume)) << seed << ' ' << low;
            }
        }
        objects.setThreshold(ThresholdMethod::otsu);
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(objects.objects()->low, automaticThreshold(ThresholdMethod::otsu, *volume, nullptr))
            << "by the levels of all slices";
        ASSERT_NO_FATAL_FAILURE(expectThoseOf(*volume));
        document.close();
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(objects.state(), State::empty);
    }
}

TEST_F(VolumeObjects, OfTheResultAreThoseOfTheFilteredVolume) {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_EQ(objects.source(), Source::result);
    ASSERT_NO_FATAL_FAILURE(filterBy("area>=40"));
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(filtered())) << "by Otsu's method";
    ObjectSettings settings = objects.settings();
    settings.rule.method.reset();
    settings.rule.levels = {70, 0xffff};
    objects.setSettings(settings);
    for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
        for (const char* criterion : {"area>=4", "area>=40", "area<=20"}) {
            ASSERT_NO_FATAL_FAILURE(filterBy(criterion, output));
            ASSERT_NO_FATAL_FAILURE(expectThoseOf(filtered())) << criterion;
        }
    }
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(space.rests());
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(filtered())) << "of another tree";
    objects.setSource(Source::original);
    ASSERT_TRUE(space.rests());
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(*volume));
}

TEST_F(VolumeObjects, LieWithinTheRegionOfEverySlice) {
    ASSERT_NO_FATAL_FAILURE(open());
    objects.setSource(Source::original);
    objects.setLevels(150, 255);
    RegionShape shape;
    shape.kind = RegionShape::Kind::rectangle;
    shape.points = {{2, 3}, {10, 9}};
    space.region.setState({{shape}, -1, false});
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(document.choices().domain());
    Image inside(PixelType::u8, kExtent);
    for (std::uint32_t p = 0; p < kExtent.pixelCount(); ++p) {
        const Voxel at = voxelAt(p, kExtent);
        const bool isIn = at.x >= 2 && at.x < 10 && at.y >= 3 && at.y < 9;
        inside.pixels<std::uint8_t>()[p] = isIn ? static_cast<std::uint8_t>(volume->level(p)) : std::uint8_t{0};
    }
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(inside));
    space.region.setState({{}, -1, false});
    ASSERT_TRUE(space.rests());
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(*volume));
}

TEST_F(VolumeObjects, StayWhileSlicesAreSeen) {
    ASSERT_NO_FATAL_FAILURE(open());
    for (const Source source : {Source::result, Source::original}) {
        objects.setSource(source);
        ASSERT_TRUE(space.rests());
        const auto found = objects.objects();
        const auto listing = table.listing();
        QSignalSpy changes(&objects, &ObjectsViewModel::changed);
        QSignalSpy made(&document.volumeFetch(), &VolumeFetch::made);
        for (const int z : {0, 5, 2, 6}) {
            ASSERT_NO_FATAL_FAILURE(show(z));
            for (std::uint32_t y = 0; y < kExtent.height; ++y) {
                for (std::uint32_t x = 0; x < kExtent.width; ++x) {
                    const std::size_t voxel = (static_cast<std::size_t>(z) * kExtent.height + y) * kExtent.width + x;
                    ASSERT_EQ(table.labelAt(QPointF(x + 0.5, y + 0.5)), found->components.labels[voxel]);
                }
            }
        }
        EXPECT_EQ(changes.count(), 0);
        EXPECT_EQ(made.count(), 0);
        EXPECT_EQ(objects.objects(), found);
        EXPECT_EQ(table.listing(), listing);
    }
    EXPECT_EQ(table.labelAt(QPointF(kExtent.width + 0.5, 1)), 0U);
    const auto& records = objects.objects()->components.depths;
    for (std::uint32_t label = 1; label <= records.size(); ++label) {
        objects.showSliceOf(label);
        ASSERT_EQ(document.slice(), static_cast<int>((records[label - 1].front + records[label - 1].back) / 2));
    }
}

TEST_F(VolumeObjects, AreListedByConditionOrderAndBorder) {
    ASSERT_NO_FATAL_FAILURE(open());
    objects.setConnectivity(Connectivity::six);
    objects.setLevels(170, 255);
    ASSERT_TRUE(space.rests());
    const auto& records = objects.objects()->components.objects;
    ASSERT_GT(records.size(), 5U);
    EXPECT_EQ(table.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Volume (px³)"));
    EXPECT_FALSE(table.isColumnShown(ObjectFeature::circularity));
    EXPECT_TRUE(table.isColumnShown(ObjectFeature::sphericity));
    table.setColumnShown(ObjectFeature::euler, true);
    EXPECT_EQ(table.columns().back(), ObjectFeature::euler) << "in the order of the features";

    table.setCondition(QStringLiteral("slices >= 2 && area > 3"));
    table.sortBy(ObjectFeature::centroidZ, true);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(table.conditionProblem(), QString());
    const auto& depths = objects.objects()->components.depths;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t label = 1; label <= records.size(); ++label) {
        if (depths[label - 1].slices() >= 2 && records[label - 1].area > 3) {
            expected.push_back(label);
        }
    }
    ASSERT_FALSE(expected.empty());
    const MeasuredObjects measured(objects.objects()->components);
    std::ranges::stable_sort(expected, std::ranges::greater(),
                             [&](std::uint32_t label) { return measured.value(label, ObjectFeature::centroidZ); });
    EXPECT_EQ(rows(), expected);

    table.marks().remove(std::vector{expected.front()});
    ASSERT_TRUE(space.rests());
    expected.erase(expected.begin());
    EXPECT_EQ(rows(), expected);
    table.setCondition({});
    objects.setOption(&ObjectRule::withoutBorder, true);
    ASSERT_TRUE(space.rests());
    const auto isAtSide = [&](std::uint32_t label) {
        const ComponentRecord& record = records[label - 1];
        return record.left == 0 || record.top == 0 || record.right + 1 == kExtent.width ||
               record.bottom + 1 == kExtent.height;
    };
    EXPECT_TRUE(std::ranges::none_of(rows(), isAtSide));
    EXPECT_TRUE(std::ranges::any_of(rows(), [&](std::uint32_t label) { return depths[label - 1].border > 0; }))
        << "the first and last slice count by choice only";
    EXPECT_TRUE(objects.settings().rule.borderXy);
    objects.setOption(&ObjectRule::borderXy, false);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(std::ranges::none_of(rows(), [&](std::uint32_t label) { return depths[label - 1].border > 0; }));
    EXPECT_EQ(rows().size() + table.listing()->atBorder + 1, records.size());
    EXPECT_THAT(table.summary().toStdString(), HasSubstr("% of the volume"));

    table.setCondition(QStringLiteral("circularity > 0.8"));
    EXPECT_THAT(table.conditionProblem().toStdString(), HasSubstr("circularity"));
    table.setCondition(QStringLiteral("area > 3 um2"));
    EXPECT_THAT(table.conditionProblem().toStdString(), HasSubstr("does not fit"));
    EXPECT_THAT(completionAt(QStringLiteral("spher"), 5).features.front().example.toStdString(),
                HasSubstr("sphericity"));
}

TEST_F(VolumeObjects, HaveUnitsOfTheVoxelSize) {
    ASSERT_NO_FATAL_FAILURE(open({.scene = {.pixelSize = PixelSize{0.5, 0.25, "µm", "test", false, 2}}}));
    ASSERT_TRUE(table.hasPhysicalUnit()) << table.whyNoUnit().toStdString();
    table.setUnit(LengthUnit::micrometre);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(table.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Volume (µm³)"));
    const auto& records = objects.objects()->components.objects;
    const ObjectUnit unit = objectUnitOf(LengthUnit::micrometre, document.pixelSizes().present(), true);
    EXPECT_NEAR(unit.sides.y, 0.25, 1e-6);
    EXPECT_NEAR(unit.sides.z, 2, 1e-6);
    for (int row = 0; row < table.rowCount(); ++row) {
        const std::uint32_t label = rows()[static_cast<std::size_t>(row)];
        for (int column = 0; column < table.columnCount(); ++column) {
            const ObjectFeature feature = table.columns()[static_cast<std::size_t>(column)];
            ASSERT_EQ(decimalOf(table.index(row, column).data(Qt::UserRole).toDouble()),
                      decimalOf(MeasuredObjects(objects.objects()->components, nullptr, unit).value(label, feature)));
        }
    }
    table.setCondition(QStringLiteral("area > 2"));
    ASSERT_TRUE(space.rests());
    for (const std::uint32_t label : rows()) {
        EXPECT_GT(static_cast<double>(records[label - 1].area) * unit.sides.volume(), 2);
    }
    EXPECT_GT(table.listing()->rows.size(), rows().size());
    const auto listed = rows();
    for (const char* same : {"area > 2 um3", "area > 8 px3", "area > 2000000000 nm3"}) {
        table.setCondition(QString::fromLatin1(same));
        ASSERT_TRUE(space.rests());
        EXPECT_EQ(table.conditionProblem(), QString()) << same;
        EXPECT_EQ(rows(), listed) << same;
    }
    objects.classes().setClasses({{"large", 0xff0000, "area > 2 um3"}});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(objects.classes().problemOf(0), QString());
    EXPECT_EQ(objects.classes().counts(), (std::vector<std::size_t>{listed.size(), 0})) << "of the listed objects";
    table.setCondition(QStringLiteral("area > 2"));
    table.setUnit(LengthUnit::pixel);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(table.conditionNotice().isEmpty()) << "its numbers are in the new unit";
    EXPECT_EQ(table.condition(), QStringLiteral("area > 2"));
    table.setCondition(QStringLiteral("area > 2 um3"));
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(rows(), listed);
    table.setCondition(QStringLiteral("width > 3 um"));
    EXPECT_THAT(table.conditionProblem().toStdString(), HasSubstr("in a unit of length"));
}

TEST_F(VolumeObjects, AreOrderedByTheSizeOfAVoxel) {
    ASSERT_NO_FATAL_FAILURE(open({.scene = {.pixelSize = PixelSize{1, 1, "µm", "test", false, 1}}}));
    objects.setConnectivity(Connectivity::six);
    objects.setLevels(170, 255);
    table.sortBy(ObjectFeature::sphericity, false);
    ASSERT_TRUE(space.rests());
    const auto expected = [this] {
        const ObjectUnit unit = objectUnitOf(table.unit(), document.pixelSizes().present(), true);
        std::vector<std::uint32_t> labels(objects.objects()->components.count);
        std::iota(labels.begin(), labels.end(), 1U);
        std::ranges::stable_sort(labels, {}, [&](std::uint32_t label) {
            return MeasuredObjects(objects.objects()->components, nullptr, unit)
                .value(label, ObjectFeature::sphericity);
        });
        return labels;
    };
    const auto before = expected();
    EXPECT_EQ(rows(), before);
    document.pixelSizes().set(PixelSize{9, 9, "µm", "test"}); // the distance of the slices stays
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(rows(), expected());
}

TEST_F(VolumeObjects, HaveNoUnitWithoutTheDistanceOfSlices) {
    ASSERT_NO_FATAL_FAILURE(open());
    document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test", false, 0});
    EXPECT_THAT(table.whyNoUnit().toStdString(), HasSubstr("between the slices"));
    EXPECT_THAT(table.units(), ElementsAre(LengthUnit::pixel));
}

TEST_F(VolumeObjects, AreWrittenAsTheCommandLineDoes) {
    ASSERT_NO_FATAL_FAILURE(open({.scene = {.pixelSize = PixelSize{0.5, 0.5, "µm", "test", false, 2}}}));
    objects.classes().setClasses({{"long", 0xff0000, "slices >= 3"}, {"rest", 0x00ff00, "area >= 1"}});
    table.setCondition(QStringLiteral("area >= 2"));
    table.setUnit(LengthUnit::pixel);
    ASSERT_TRUE(space.rests());
    const Components& found = objects.objects()->components;
    ObjectExport exporter(table);
    exporter.savePixelTable(path("pixels.csv"));
    ASSERT_TRUE(eventually([&] { return !exporter.isBusy(); }));
    const auto classified = std::make_shared<const ClassifiedObjects>(
        classifyObjects(MeasuredObjects(found), objects.classes().classes(),
                        std::vector<ClassCondition>{{parsedCondition("slices >= 3")}, {parsedCondition("area >= 1")}}));
    const std::vector<ObjectColumn> further{classColumn(classified)};
    {
        TextFile file(path("expected.csv").toStdString(), "write");
        const ObjectUnit unit = objectUnitOf(LengthUnit::pixel, document.pixelSizes().present(), true);
        writeObjectTable(file, MeasuredObjects(found, nullptr, unit), rows(), tableFeatures(found.connectivity), {},
                         further);
        file.commit();
    }
    const auto contentOf = [this](const char* name) {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll().toStdString();
    };
    EXPECT_EQ(contentOf("pixels.csv"), contentOf("expected.csv"));
    EXPECT_THAT(contentOf("pixels.csv"), HasSubstr(",long\n"));

    table.setUnit(LengthUnit::micrometre);
    table.setCondition({});
    objects.classes().setClasses({});
    ASSERT_TRUE(space.rests());
    {
        TextFile file(path("shown.csv").toStdString(), "write");
        TableFeatures shown;
        for (const ObjectFeature feature : table.columns()) {
            shown.features.push_back(objectFeatureInfo(feature, true));
        }
        const ObjectUnit unit = objectUnitOf(LengthUnit::micrometre, document.pixelSizes().present(), true);
        writeObjectTable(file, MeasuredObjects(found, nullptr, unit), rows(), shown);
        file.commit();
    }
    const auto withoutHead = [](const std::string& text) { return text.substr(text.find('\n')); };
    EXPECT_EQ(withoutHead(written(ObjectFile::table, "table.csv")), withoutHead(contentOf("shown.csv")));
}

TEST_F(VolumeObjects, AreWrittenAsLabelsOfAllSlices) {
    ASSERT_NO_FATAL_FAILURE(open());
    table.setCondition(QStringLiteral("area >= 3"));
    ASSERT_TRUE(space.rests());
    ASSERT_LT(rows().size(), objects.objects()->components.count);
    const Components& found = objects.objects()->components;
    for (const QString name : {"labels.nii.gz", "labels.nrrd", "labels.tif"}) {
        (void)written(ObjectFile::labels, name);
        const LoadedImage read = readVolume(path(name).toStdString());
        ASSERT_EQ(read.image->extent(), kExtent);
        ASSERT_TRUE(read.info.mapping && read.info.mapping->exact) << "of 32 bits";
        for (std::size_t i = 0; i < found.labels.size(); ++i) {
            const std::uint32_t label = table.listing()->lists(found.labels[i]) ? found.labels[i] : 0;
            ASSERT_EQ(read.info.mapping->valueOf(read.image->level(i)), label) << name.toStdString();
        }
    }
}

TEST_F(VolumeObjects, AreWrittenAsOutlinesInTheirSlices) {
    ASSERT_NO_FATAL_FAILURE(open({.scene = {.pixelSize = PixelSize{0.5, 0.5, "µm", "test", false, 2}}}));
    table.setUnit(LengthUnit::micrometre);
    table.setCondition(QStringLiteral("slices >= 2"));
    ASSERT_TRUE(space.rests());
    const Components& found = objects.objects()->components;
    {
        TextFile file(path("expected.geojson").toStdString(), "write");
        writeObjectOutlines(file, found, rows(), {}, nullptr,
                            objectUnitOf(LengthUnit::micrometre, document.pixelSizes().present(), true));
        file.commit();
    }
    writeObjectRois(path("expected.zip").toStdString(), found, rows());
    const auto contentOf = [this](const char* name) {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll().toStdString();
    };
    EXPECT_THAT(contentOf("expected.geojson"), HasSubstr("\"area_um3\":"));
    EXPECT_EQ(written(ObjectFile::outlines, "o.geojson"), contentOf("expected.geojson"));
    EXPECT_EQ(written(ObjectFile::regions, "o.zip"), contentOf("expected.zip"));

    ObjectExport exporter(table);
    QSignalSpy failed(&exporter, &ObjectExport::failed);
    exporter.save(ObjectFile::vector, path("o.gpkg"));
    ASSERT_TRUE(eventually([&] { return !exporter.isBusy(); }));
    ASSERT_EQ(failed.count(), 1);
    EXPECT_THAT(failed.front().at(1).toString().toStdString(), HasSubstr("o.gpkg: a volume has no place on a map"));
    EXPECT_FALSE(QFile::exists(path("o.gpkg")));
}

TEST_F(VolumeObjects, AreSortedIntoClassesAndCharted) {
    ASSERT_NO_FATAL_FAILURE(open());
    objects.classes().setClasses({{"deep", 0xff0000, "slices >= 2"}, {"wrong", 0x00ff00, "circularity > 0"}});
    ObjectChartModel chart(table);
    chart.setX(ObjectFeature::centroidZ);
    chart.setY(ObjectFeature::sphericity);
    chart.setActive(true);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(objects.classes().problemOf(1).isEmpty());
    const MeasuredObjects records(objects.objects()->components);
    for (std::uint32_t label = 1; label <= records.size(); ++label) {
        const ObjectClass* const own = table.listing()->classified->classOf(label);
        EXPECT_EQ(own != nullptr, records.value(label, ObjectFeature::slices) >= 2);
    }
    ASSERT_TRUE(eventually([&] { return chart.chart() && chart.chart()->objects == records.size(); }));
    for (const ChartPoint& point : chart.chart()->points) {
        EXPECT_NEAR(chart.chart()->x.valueAt(point.x), records.value(point.label, ObjectFeature::centroidZ), 1e-4);
    }
    ASSERT_NO_FATAL_FAILURE(openImage());
    EXPECT_TRUE(chart.x() == ObjectFeature::area && chart.y() == ObjectFeature::circularity)
        << "images have no such features";
}

TEST_F(VolumeObjects, BecomeThoseOfPagesAndOfImages) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(objects.connectivity(), Connectivity::twentySix) << "corresponds to the 8 neighbours of images";
    objects.setConnectivity(Connectivity::eighteen);
    table.setCondition(QStringLiteral("sphericity > 0.1"));
    table.sortBy(ObjectFeature::slices, true);
    ASSERT_TRUE(space.rests());
    document.setVolume(false);
    ASSERT_TRUE(space.rests());
    ASSERT_FALSE(document.isVolume());
    ASSERT_EQ(objects.state(), State::ready);
    EXPECT_FALSE(objects.objects()->components.isVolume());
    EXPECT_EQ(objects.connectivity(), Connectivity::eight);
    EXPECT_EQ(objects.objects()->components.connectivity, Connectivity::eight);
    EXPECT_TRUE(table.isColumnShown(ObjectFeature::circularity));
    EXPECT_FALSE(table.isColumnShown(ObjectFeature::sphericity));
    EXPECT_FALSE(table.conditionProblem().isEmpty());
    EXPECT_EQ(table.sortKey(), ObjectQuantity(ObjectFeature::label));
    EXPECT_EQ(rows().size(), objects.objects()->components.count) << "a condition that does not apply lists all";
    document.setVolume(true);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(objects.objects()->components.isVolume());
    EXPECT_EQ(objects.objects()->components.connectivity, Connectivity::eighteen);
    EXPECT_EQ(table.conditionProblem(), QString());
    ASSERT_NO_FATAL_FAILURE(openImage());
    EXPECT_FALSE(objects.objects()->components.isVolume());
    objects.setConnectivity(Connectivity::four);
    ASSERT_TRUE(space.open(path("volume.nii")));
    EXPECT_EQ(objects.objects()->components.connectivity, Connectivity::six);
}

TEST_F(VolumeObjects, HaveNoEulerNumberWith18Neighbours) {
    ASSERT_NO_FATAL_FAILURE(open());
    table.setCondition(QStringLiteral("euler <= 1"));
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(rows().empty());
    objects.setConnectivity(Connectivity::eighteen);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(rows().empty()) << "an undefined value meets no comparison";
}

TEST_F(VolumeObjects, HaveTheirHolesFilled) {
    ASSERT_NO_FATAL_FAILURE(open());
    objects.setSource(Source::original);
    objects.setLevels(60, 255);
    for (const Connectivity connectivity : kNeighbours) {
        objects.setConnectivity(connectivity);
        objects.setOption(&ObjectRule::fillHoles, false);
        ASSERT_TRUE(space.rests());
        const std::uint64_t before = objects.objects()->components.foreground;
        objects.setOption(&ObjectRule::fillHoles, true);
        ASSERT_TRUE(space.rests());
        const Components& found = objects.objects()->components;
        Mask mask = thresholdMask(*volume, objects.objects()->low, objects.objects()->high, nullptr);
        fillHoles(mask, nullptr, connectivity, {}, kExtent.slices);
        EXPECT_EQ(found.foreground, mask.count());
        EXPECT_GE(found.foreground, before);
        for (std::size_t i = 0; i < found.labels.size(); ++i) {
            const auto row = static_cast<std::uint32_t>(i / kExtent.width);
            ASSERT_EQ(found.labels[i] != 0, mask.test(static_cast<std::uint32_t>(i % kExtent.width), row));
        }
    }
}

TEST_F(VolumeObjects, LeaveOutWhatWorksOnImagesOnly) {
    ASSERT_NO_FATAL_FAILURE(open());
    ObjectTracksViewModel tracks(document, objects, table);
    EXPECT_THAT(tracks.whyNot().toStdString(), HasSubstr("not in a volume"));
    EXPECT_TRUE(tracks.canShowPages()) << "the way out";
    space.contours.startFromObjects(objects.objects(), {1});
    EXPECT_THAT(space.contours.runs().problem().toStdString(), HasSubstr("not on volumes"));
}

TEST_F(VolumeObjects, FollowTheLastOfManyRequests) {
    volume = randomVolume(3, {60, 50, 40});
    ASSERT_NO_FATAL_FAILURE(open());
    for (int round = 0; round < 30; ++round) {
        FilterSpec spec;
        spec.criteria = {parseCriterion("area>=" + std::to_string(3 + round))};
        document.requestFilter(spec);
        document.setSlice(round);
        objects.setConnectivity(kNeighbours[static_cast<std::size_t>(round) % 3]);
        if (round % 7 == 0) {
            objects.setSource(round % 2 == 0 ? Source::original : Source::result);
        }
        if (round % 5 == 0) {
            (void)eventually([&] { return document.slice() == static_cast<int>(document.shown().slice); });
        }
    }
    objects.setSource(Source::result);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(document.resultSpec().criteria.front(), parseCriterion("area>=32"));
    ASSERT_NO_FATAL_FAILURE(expectThoseOf(filtered()));
}

TEST_F(VolumeObjects, AreDroppedWithTheDocumentWhileTheyAreFound) {
    volume = randomVolume(4, {90, 80, 70});
    for (int round = 0; round < 6; ++round) {
        writeVoxels(path("volume.nii").toStdString(), *volume);
        objects.setActive(true);
        document.open(path("volume.nii"));
        ASSERT_TRUE(eventually([&] { return document.isVolume(); }));
        if (round % 2 == 0) {
            ASSERT_TRUE(eventually([&] { return objects.state() != State::empty; }));
        }
        document.close();
        EXPECT_EQ(objects.state(), State::empty);
        EXPECT_FALSE(objects.objects());
        if (round % 3 == 0) {
            ASSERT_TRUE(space.rests());
        }
    }
    objects.setActive(false);
    ASSERT_TRUE(space.open(path("volume.nii")));
    EXPECT_EQ(objects.state(), State::empty) << "not active";
    document.volumeFetch().request();
}

TEST_F(VolumeObjects, ComeBackByUndoAndSessions) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_FALSE(space.history.stack().canUndo());
    objects.setConnectivity(Connectivity::six);
    ASSERT_TRUE(space.rests());
    objects.setConnectivity(Connectivity::eighteen);
    ASSERT_TRUE(space.rests());
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(objects.objects()->components.connectivity, Connectivity::six);
    space.history.redo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(objects.objects()->components.connectivity, Connectivity::eighteen);
    table.marks().remove(std::vector<std::uint32_t>{2, 3});
    ASSERT_TRUE(space.rests());
    const std::vector<std::uint32_t> listed = rows();
    ASSERT_TRUE(space.save(path("work.pollard")));
    Workspace other;
    other.objects.setActive(true);
    ASSERT_TRUE(other.openSession(path("work.pollard")));
    ASSERT_TRUE(other.document.isVolume());
    EXPECT_EQ(other.objects.connectivity(), Connectivity::eighteen);
    ASSERT_TRUE(other.table.listing());
    EXPECT_EQ(other.table.listing()->labels, listed);
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(rows().size(), listed.size() + 2);
}

} // namespace
} // namespace pollard::vm
