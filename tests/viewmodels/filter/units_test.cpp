// Units of length: conditions and criteria keep their meaning for all images and displayed units, and exported tables
// equal the displayed ones.
#include "vm/base/data_table.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/session/edit_state.hpp"
#include "vm/tree/node_selection.hpp"

#include "components/objects/object_files.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>
#include <map>
#include <random>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using testing::makeImage;

constexpr double kInf = std::numeric_limits<double>::infinity();

PixelSize square(double side, const std::string& unit = "µm") { return {side, side, unit, "test"}; }

/// Blobs of many sizes.
std::shared_ptr<Image> blobs() {
    std::mt19937 random(4);
    return makeImage(PixelType::u8, 96, 80, [&](auto x, auto y) -> std::uint32_t {
        const std::uint32_t cell = x / 12 + 8 * (y / 10);
        return x % 12 < 2 + cell % 10 && y % 10 < 1 + cell % 9 ? 100 + cell : static_cast<std::uint32_t>(random() % 20);
    });
}

/// A document whose files have given pixel sizes.
class Units : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    std::map<std::string, std::optional<PixelSize>> sizes;
    DocumentViewModel document{services()};
    FilterViewModel filter{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};

    DocumentServices services() {
        DocumentServices all = DocumentServices::standard(registry);
        all.read = [this](const std::filesystem::path& path, const ReadOptions& options, const JobControl& control) {
            LoadedImage loaded = readImage(path, options, control);
            loaded.info.pixelSize = sizes.at(path.filename().string());
            return loaded;
        };
        all.readInfo = nullptr;
        return all;
    }
    void open(const char* name, const std::optional<PixelSize>& size) {
        const QString path = directory.filePath(QString::fromLatin1(name));
        if (!QFile::exists(path)) {
            writeTiff(path.toStdString(), *blobs());
        }
        sizes[name] = size;
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_EQ(document.path(), path);
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            const bool found = !objects.isActive() || objects.state() == ObjectsViewModel::State::ready;
            return found && !table.isListing() && !document.activity().isBusy() && !document.activity().isFiltering() &&
                   document.hasImage();
        });
    }
    [[nodiscard]] std::vector<std::uint32_t> listed() const {
        return table.listing() ? table.listing()->labels : std::vector<std::uint32_t>{};
    }
    /// Objects listed by the condition in px.
    [[nodiscard]] std::vector<std::uint32_t> listedBy(const char* condition) const {
        ObjectListSpec spec;
        spec.condition = ObjectCondition::parse(condition);
        return listObjects(objects.objects()->components, spec).labels;
    }
    void look() {
        objects.setActive(true);
        objects.setLevels(90, 255);
    }
    /// Number of nodes kept by a filter in px.
    [[nodiscard]] std::uint64_t keptBy(const char* criterion) {
        const auto session = registry.select("cpu").openSession({});
        session->open(document.image());
        (void)session->buildTree(document.choices().treeSpec());
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        Image out(PixelType::u8, document.image()->width(), document.image()->height());
        return session->filter(spec, out).keptNodes;
    }
};

TEST_F(Units, OfTheTableAreThoseOfTheImage) {
    EXPECT_EQ(table.unit(), LengthUnit::pixel);
    open("cells.tif", square(0.325));
    EXPECT_EQ(table.unit(), LengthUnit::micrometre) << "the file has a pixel size";
    EXPECT_EQ(table.side(), 0.325);
    EXPECT_THAT(table.units(), ::testing::ElementsAre(LengthUnit::pixel, LengthUnit::nanometre, LengthUnit::micrometre,
                                                      LengthUnit::millimetre));
    table.setUnit(LengthUnit::nanometre);
    EXPECT_EQ(table.lengthUnit(), QStringLiteral("nm"));
    // A7: a chosen unit is not used for an image in degrees or without a size.
    for (const auto& [name, size] :
         std::map<const char*, std::optional<PixelSize>>{{"degrees.tif", square(0.01, "°")},
                                                         {"arcsec.tif", square(2, "arcsec")},
                                                         {"print.tif", PixelSize{84.6, 84.6, "µm", "", true}},
                                                         {"plain.tif", std::nullopt},
                                                         {"oblong.tif", PixelSize{1, 2, "µm", ""}}}) {
        open(name, size);
        EXPECT_EQ(table.unit(), LengthUnit::pixel) << name;
        EXPECT_EQ(table.side(), 1) << name;
        EXPECT_EQ(table.titleOf(ObjectFeature::area), QStringLiteral("Area (px²)")) << name;
        EXPECT_FALSE(table.whyNoUnit().isEmpty()) << name;
        EXPECT_EQ(table.units().size(), 1U) << name;
    }
    open("map.tif", square(10, "m"));
    EXPECT_EQ(table.unit(), LengthUnit::metre);
    open("cells.tif", square(0.325));
    EXPECT_EQ(table.unit(), LengthUnit::nanometre) << "where it fits it is still chosen";
    table.setUnit(LengthUnit::pixel);
    open("map.tif", square(10, "m"));
    EXPECT_EQ(table.unit(), LengthUnit::pixel);
}

TEST_F(Units, OfAConditionStayWhenThoseOfTheTableAreSwitched) {
    // A4: 'area > 15' in µm², then px.
    open("cells.tif", square(0.5));
    look();
    table.setCondition(QStringLiteral("area > 7.25 && left + width < 44"));
    ASSERT_TRUE(rests());
    const auto before = listed();
    EXPECT_EQ(before, listedBy("area > 29 && left + width < 88"));
    ASSERT_FALSE(before.empty());
    ASSERT_LT(before.size(), objects.objects()->components.count);
    QSignalSpy changed(&table, &ObjectTableModel::conditionChanged);
    table.setUnit(LengthUnit::pixel);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.condition(), QStringLiteral("area > 7.25 µm² && left + width < 44 µm"));
    EXPECT_FALSE(changed.isEmpty()) << "visibly";
    EXPECT_EQ(listed(), before);
    EXPECT_EQ(table.statedCondition().text, table.condition());
    table.setUnit(LengthUnit::nanometre);
    ASSERT_TRUE(rests());
    EXPECT_EQ(listed(), before);
    table.setCondition(QStringLiteral("area > 29"));
    table.setUnit(LengthUnit::pixel);
    EXPECT_EQ(table.condition(), QStringLiteral("area > 29 nm²"));
}

TEST_F(Units, OfAConditionWhoseNumbersCannotBeToldAreTheNewOnesAndThatIsSaid) {
    open("cells.tif", square(0.5));
    look();
    table.setCondition(QStringLiteral("area > width * 3"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.conditionProblem(), QString());
    EXPECT_EQ(listed(), listedBy("area > width * 6"));
    EXPECT_EQ(table.statedCondition().unit, LengthUnit::micrometre) << "for a recipe";
    table.setUnit(LengthUnit::pixel);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.condition(), QStringLiteral("area > width * 3"));
    EXPECT_THAT(table.conditionNotice().toStdString(), HasSubstr("in px"));
    EXPECT_EQ(listed(), listedBy("area > width * 3"));
    table.setCondition(QStringLiteral("area > width * 4"));
    EXPECT_EQ(table.conditionNotice(), QString());
}

TEST_F(Units, OfAConditionTakeTheImageThatComes) {
    open("cells.tif", square(0.5));
    look();
    table.setCondition(QStringLiteral("area > 4 um2"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(listed(), listedBy("area > 16"));
    open("finer.tif", square(0.4));
    ASSERT_TRUE(rests());
    EXPECT_EQ(listed(), listedBy("area > 25")) << "A3";
    EXPECT_EQ(table.condition(), QStringLiteral("area > 4 um2"));
    // An image without a pixel size lists all objects and reports the reason.
    open("plain.tif", std::nullopt);
    ASSERT_TRUE(rests());
    EXPECT_THAT(table.conditionProblem().toStdString(),
                HasSubstr("“4 um2” cannot be converted to pixels. The size of a pixel is unknown"));
    EXPECT_EQ(listed().size(), objects.objects()->components.count);
    // Numbers without a unit were µm² and do not become px².
    open("cells.tif", square(0.5));
    table.setCondition(QStringLiteral("area > 4"));
    ASSERT_TRUE(rests());
    open("plain.tif", std::nullopt);
    EXPECT_EQ(table.condition(), QStringLiteral("area > 4 µm²"));
    EXPECT_FALSE(table.conditionProblem().isEmpty());
    open("cells.tif", square(0.5));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.conditionProblem(), QString());
    EXPECT_EQ(listed(), listedBy("area > 16"));
}

TEST_F(Units, OfTheTableAreThoseOfItsFiles) {
    // A5: the exported table is the displayed one, as written by "Save data as".
    open("cells.tif", square(0.5));
    look();
    table.setCondition(QStringLiteral("area > 4"));
    table.setColumnShown(ObjectFeature::holes, true);
    table.setColumnShown(ObjectFeature::imagejPerimeter, true); // measured when displayed
    table.setColumnShown(ObjectFeature::minor, false);
    ASSERT_TRUE(rests());
    table.sort(1, Qt::DescendingOrder);
    ASSERT_TRUE(rests());
    ObjectExport files(table);
    QSignalSpy saved(&files, &ObjectExport::saved);
    const auto contentOf = [&](const QString& path) {
        EXPECT_TRUE(eventually([&] { return !files.isBusy(); }));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    for (const LengthUnit unit : {LengthUnit::micrometre, LengthUnit::pixel, LengthUnit::nanometre}) {
        table.setUnit(unit);
        ASSERT_TRUE(rests());
        files.save(ObjectFile::table, directory.filePath(QStringLiteral("shown.csv")));
        const QByteArray shown = contentOf(directory.filePath(QStringLiteral("shown.csv")));
        EXPECT_EQ(shown, csvOf(tableOf(table), false).toUtf8());
        EXPECT_THAT(shown.toStdString(), HasSubstr("Area (" + unitSymbol(unit, Dimension::area) + ")"));
        files.save(ObjectFile::outlines, directory.filePath(QStringLiteral("shown.geojson")));
        const QByteArray outlines = contentOf(directory.filePath(QStringLiteral("shown.geojson")));
        EXPECT_EQ(outlines.contains(unit == LengthUnit::pixel ? "\"area\":" : "\"area_"), true);
    }
    files.savePixelTable(directory.filePath(QStringLiteral("px.csv")));
    const QByteArray pixels = contentOf(directory.filePath(QStringLiteral("px.csv")));
    EXPECT_TRUE(pixels.startsWith("label,area,left,top,"));
    EXPECT_EQ(pixels.count('\n'), table.rowCount() + 1);
}

TEST_F(Units, OfACriterionStayAsTheyWereTyped) {
    open("cells.tif", square(0.325));
    filter.setAttribute(AttributeId::area);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    filter.setBoundUnit(LengthUnit::micrometre);
    filter.setTypedMinimum(4.25);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.spec().criteria, (std::vector{Criterion{AttributeId::area, 4.25, kInf, LengthUnit::micrometre}}));
    EXPECT_EQ(toString(filter.spec().criteria.front()), "area>=4.25um2");
    EXPECT_EQ(filter.typedMinimum(), 4.25);
    EXPECT_EQ(filter.unit(), QStringLiteral("µm²"));
    EXPECT_NEAR(filter.minimum(), 40.236, 0.001) << "the slider stays in px";
    EXPECT_EQ(filter.criterionText(), QStringLiteral("area >= 4.25 µm²"));
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=41"));
    // The other bound moves on the slider, and the typed one stays.
    filter.setMaximum(200);
    EXPECT_EQ(filter.spec().criteria.front().minimum, 4.25);
    EXPECT_EQ(filter.spec().criteria.front().maximum, 21.125) << "200 px of 0.105625 µm²";
    EXPECT_EQ(filter.maximum(), 200);
    filter.setTypedMaximum(filter.typedDomain().maximum);
    EXPECT_EQ(filter.spec().criteria.front().maximum, kInf) << "the end is no bound";
    // Another unit converts the numbers.
    filter.setBoundUnit(LengthUnit::millimetre);
    EXPECT_EQ(filter.typedMinimum(), 4.25e-6);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=41"));
    filter.setBoundUnit(LengthUnit::pixel);
    EXPECT_EQ(filter.spec().criteria, std::vector{parseCriterion("area>=41")});
    filter.reset();
    filter.setAttribute(AttributeId::circularity);
    EXPECT_EQ(filter.boundUnits(), std::vector{LengthUnit::pixel});
    filter.setBoundUnit(LengthUnit::micrometre);
    EXPECT_EQ(filter.boundUnit(), LengthUnit::pixel) << "it has no dimension";
}

TEST_F(Units, OfACriterionTakeEveryImageThatComes) {
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2")};
    filter.setSpec(spec); // without an image
    open("cells.tif", square(0.5));
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=16"));
    EXPECT_EQ(filter.spec(), spec);
    EXPECT_EQ(document.resultSpec(), spec);
    open("finer.tif", square(0.4));
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=25"));
    // Decisions on nodes outside the image are the same.
    const auto selected = [&] {
        NodeSelection selection(document);
        selection.selectFiltered(true);
        EXPECT_TRUE(eventually([&] { return selection.count() > 0; }));
        return selection.count();
    };
    const int inUnits = selected();
    spec.criteria = {parseCriterion("area>=25")};
    filter.setSpec(spec);
    ASSERT_TRUE(rests());
    EXPECT_EQ(inUnits, selected());
}

TEST_F(Units, OfACriterionFollowASizeThatIsSetByHand) {
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2")};
    filter.setSpec(spec);
    open("wrong.tif", square(0.5));
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=16"));
    for (const auto& [side, criterion] : {std::pair(0.25, "area>=64"), std::pair(1.0, "area>=4")}) {
        document.pixelSizes().set(square(side));
        ASSERT_TRUE(rests());
        EXPECT_EQ(filter.keptNodes(), keptBy(criterion)) << side;
        EXPECT_EQ(document.resultSpec(), spec);
    }
    document.pixelSizes().set({});
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=16"));
}

TEST_F(Units, OfACriterionAreThoseOfTheRootToo) {
    open("cells.tif", square(0.5)); // 7680 px, 1920 µm²
    for (const auto& [criterion, kept] :
         {std::pair("area>=100um2 & area<=5000um2", false), std::pair("area>=3000um2", true)}) {
        FilterSpec spec;
        for (const QString& each : QString::fromLatin1(criterion).split(QStringLiteral(" & "))) {
            spec.criteria.push_back(parseCriterion(each.toStdString()));
        }
        filter.setSpec(spec);
        ASSERT_TRUE(rests());
        EXPECT_EQ(filter.isRootKeptAnyway(), kept) << criterion;
    }
    open("plain.tif", std::nullopt);
    EXPECT_FALSE(filter.isRootKeptAnyway()) << "the criterion takes no part";
}

TEST_F(Units, OfACriterionThatTheImageDoesNotHaveTakeNoPart) {
    open("cells.tif", square(0.5));
    FilterSpec spec;
    spec.criteria = {parseCriterion("area>=4um2"), parseCriterion("level>=30")};
    filter.setSpec(spec);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.problem(), QString());
    QSignalSpy changed(&filter, &FilterViewModel::unitChanged);
    for (const auto& [name, size] : std::map<const char*, std::optional<PixelSize>>{
             {"plain.tif", std::nullopt}, {"degrees.tif", square(0.1, "°")}}) {
        open(name, size);
        // The image is filtered by the other criteria; the ignored one reports its reason and stays unchanged.
        EXPECT_EQ(filter.keptNodes(), keptBy("level>=30")) << name;
        EXPECT_THAT(filter.problem().toStdString(), HasSubstr("criterion 'area>=4um2'")) << name;
        EXPECT_THAT(filter.criteria().index(0).data().toString().toStdString(),
                    HasSubstr("Area >= 4 µm²: takes no part"));
        EXPECT_FALSE(filter.criteria().index(0).data(CriteriaModel::keptRole).isValid());
        EXPECT_EQ(filter.spec(), spec);
        EXPECT_EQ(filter.typedMinimum(), 4);
        EXPECT_FALSE(changed.isEmpty());
    }
    filter.criteria().setEnabled(0, false);
    EXPECT_EQ(filter.problem(), QString());
    filter.criteria().setEnabled(0, true);
    filter.criteria().setMatchMode(Match::any);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.keptNodes(), keptBy("level>=30"));
    open("finer.tif", square(0.4));
    EXPECT_EQ(filter.problem(), QString());
    filter.criteria().setMatchMode(Match::all);
    filter.criteria().remove(1);
    ASSERT_TRUE(rests());
    EXPECT_EQ(filter.keptNodes(), keptBy("area>=25"));
    // On the slider of an image without a size it becomes a bound in px.
    open("plain.tif", std::nullopt);
    ASSERT_TRUE(eventually([&] { return filter.isAvailable(); }));
    filter.setMinimum(7);
    EXPECT_EQ(filter.spec().criteria, std::vector{parseCriterion("area>=7")});
    EXPECT_EQ(filter.problem(), QString());
}

TEST_F(Units, OfEarlierFiltersTakeEveryImage) {
    FilterStage stage;
    stage.filter.criteria = {parseCriterion("area>=4um2")};
    const auto earlierInPixels = [&](const char* criterion) {
        const auto session = registry.select("cpu").openSession({});
        session->open(document.image());
        (void)session->buildTree({});
        FilterSpec spec;
        spec.criteria = {parseCriterion(criterion)};
        Image out(PixelType::u8, document.image()->width(), document.image()->height());
        (void)session->filter(spec, out);
        std::vector<std::uint8_t> levels(out.pixels<std::uint8_t>().begin(), out.pixels<std::uint8_t>().end());
        return levels;
    };
    const auto shown = [&] {
        const auto result = document.result();
        return std::vector<std::uint8_t>(result->pixels<std::uint8_t>().begin(), result->pixels<std::uint8_t>().end());
    };
    open("cells.tif", square(0.5));
    document.choices().setEarlierFilters({stage});
    ASSERT_TRUE(rests());
    EXPECT_EQ(shown(), earlierInPixels("area>=16"));
    EXPECT_EQ(document.choices().earlierFilters().front().filter.criteria, stage.filter.criteria);
    EXPECT_EQ(filter.problem(), QString());
    for (const auto& [side, criterion] : {std::pair(1.0, "area>=4"), std::pair(0.25, "area>=64")}) {
        document.pixelSizes().set(square(side));
        ASSERT_TRUE(rests());
        EXPECT_EQ(shown(), earlierInPixels(criterion)) << side;
        EXPECT_TRUE(document.choices().isResultAsWanted());
    }
    document.pixelSizes().set({});
    ASSERT_TRUE(rests());
    EXPECT_EQ(shown(), earlierInPixels("area>=16"));
    document.choices().setEarlierFilters({});
    open("plain.tif", std::nullopt);
    document.choices().setEarlierFilters({stage});
    ASSERT_TRUE(rests());
    EXPECT_THAT(filter.problem().toStdString(), HasSubstr("earlier filter 1: criterion 'area>=4um2'"));
}

} // namespace
} // namespace pollard::vm
