// Objects of one channel, measured in all channels of the image.

#include "vm/document/document_view_model.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_chart_model.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/channel_files.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <string>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::makeImage;
const MeasureChoice kAll{.all = true, .channels = {}};

class ObjectChannels : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};

    /// Pages that are channels: squares of 3, 4, .. px a side in the first one; the others have 10, 20, .. in the first
    /// square, 30 more in each next one, and @p more in all.
    QString write(const std::vector<std::string>& channels, std::uint32_t count = 3, std::uint32_t more = 0) const {
        const QString path = directory.filePath(QStringLiteral("c%1.tif").arg(more));
        PlaneFacts facts;
        facts.scene.axes = {{'c', static_cast<int>(channels.size()), channels}};
        writeTiff(path.toStdString(),
                  {static_cast<int>(channels.size()),
                   [&facts, count, more](int page, const JobControl&) {
                       return Plane{ownedRows(makeImage(PixelType::u8, count * 12, 14,
                                                        [page, more](auto x, auto y) -> std::uint32_t {
                                                            const std::uint32_t number = x / 12;
                                                            const bool in = x % 12 >= 1 && x % 12 <= number % 8 + 3 &&
                                                                            y >= 1 && y <= number % 8 + 3;
                                                            return !in         ? 0
                                                                   : page == 0 ? 200
                                                                               : static_cast<std::uint32_t>(page) * 10 +
                                                                                     number % 4 * 30 + more;
                                                        })),
                                    facts};
                   }},
                  {.arePages = true});
        return path;
    }
    void open(const QString& path) {
        document.open(path);
        ASSERT_TRUE(eventually([&] {
            return !document.activity().isBusy() && !document.activity().isFiltering() && document.hasImage();
        }));
        objects.setSource(StepImage::original);
        objects.setActive(true);
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return eventually([&] {
            return objects.state() != ObjectsViewModel::State::computing && !table.isListing() &&
                   !objects.channels().isReading() && !document.activity().isBusy();
        });
    }
    [[nodiscard]] int columnOf(const QString& title) const {
        for (int column = 0; column < table.columnCount(); ++column) {
            if (table.headerData(column, Qt::Horizontal, Qt::DisplayRole) == title) {
                return column;
            }
        }
        return -1;
    }
    [[nodiscard]] std::vector<double> valuesOf(const QString& title) const {
        std::vector<double> values;
        for (int row = 0; row < table.rowCount(); ++row) {
            values.push_back(table.index(row, columnOf(title)).data(Qt::UserRole).toDouble());
        }
        return values;
    }
};

TEST_F(ObjectChannels, AreOfferedForImagesOfSeveralChannels) {
    EXPECT_FALSE(objects.channels().isOffered());
    open(write({"DAPI", "GFP", "Cy5"}));
    EXPECT_TRUE(objects.channels().isOffered());
    EXPECT_EQ(objects.channels().choice(), MeasureChoice());
    EXPECT_EQ(objects.channels().planes(), nullptr) << "nothing is read before it is asked for";
    EXPECT_EQ(columnOf(QStringLiteral("mean[GFP]")), -1);
    const QString grey = directory.filePath(QStringLiteral("g.tif"));
    writeTiff(grey.toStdString(), *makeImage(PixelType::u8, 8, 8, [](auto x, auto) { return x; }));
    open(grey);
    EXPECT_FALSE(objects.channels().isOffered());
}

TEST_F(ObjectChannels, AreMeasuredInVolumes) {
    const QString path = directory.filePath(QStringLiteral("v.ome.tif"));
    test::writeStack(path.toStdString(), {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}}, 12, 9,
                     [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const bool inside = x >= 3 && x < 7 && y >= 2 && y < 6;
                         return !inside ? 0 : at[0] == 0 ? 900 : 10 * (at[1] + 1);
                     });
    open(path);
    ASSERT_TRUE(document.isVolume());
    objects.channels().setChoice({.all = true, .channels = {}, .pairs = false, .ring = 4});
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[DAPI]")), ElementsAre(900));
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(20)) << "of 10, 20 and 30 in the slices";
    EXPECT_THAT(valuesOf(QStringLiteral("sum[GFP]")), ElementsAre(16 * 60));
    EXPECT_EQ(columnOf(QStringLiteral("ring[GFP]")), -1) << "rings are in images";
    document.setSlice(2);
    ASSERT_TRUE(eventually([&] { return document.shown().slice == 2; }));
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(20));
}

TEST_F(ObjectChannels, CountTheObjectsOfAnotherChannel) {
    // Two nuclei with two spots and one spot; one spot lies outside.
    const QString path = directory.filePath(QStringLiteral("s.ome.tif"));
    test::writeStack(path.toStdString(), {{'c', 2, {"DAPI", "RFP"}}}, 30, 12,
                     [](const std::vector<int>& at, std::uint32_t x, std::uint32_t y) {
                         const bool nucleus = y >= 2 && y < 10 && ((x >= 2 && x < 12) || (x >= 16 && x < 24));
                         const bool weak = y == 8 && x == 20;
                         const bool spot = y >= 4 && y < 6 && (x == 4 || x == 8 || x == 20 || x == 27);
                         return at[0] == 0 ? (nucleus ? 800 : 10) : spot ? 900 : weak ? 300 : 10;
                     });
    open(path);
    objects.channels().setCounted(CountedChannel{"RFP", 500});
    ASSERT_TRUE(rests());
    EXPECT_THAT(objects.channels().columns(), ElementsAre("count[RFP]")) << "nothing else is measured";
    EXPECT_THAT(valuesOf(QStringLiteral("count[RFP]")), ElementsAre(2, 1));
    objects.channels().setCounted(CountedChannel{"RFP", 200});
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("count[RFP]")), ElementsAre(2, 2)) << "with the weak one";
    objects.channels().setChoice({.all = false, .channels = {"RFP"}});
    table.setCondition(QStringLiteral("count[RFP] > 1 && max[RFP] > 500"));
    objects.channels().setCounted(CountedChannel{"RFP", 500});
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.conditionProblem(), QString());
    EXPECT_THAT(valuesOf(QStringLiteral("count[RFP]")), ElementsAre(2));
    objects.channels().setCounted(CountedChannel{"RFP", std::nullopt});
    table.setCondition({});
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("count[RFP]")), ElementsAre(2, ::testing::Ge(1))) << "by Otsu's threshold";
    objects.channels().setCounted(CountedChannel{"none", 1});
    ASSERT_TRUE(rests());
    EXPECT_EQ(columnOf(QStringLiteral("count[RFP]")), -1);
    EXPECT_EQ(columnOf(QStringLiteral("count[none]")), -1) << "the image lacks this channel";
}

TEST_F(ObjectChannels, AddColumnsOfEveryChannel) {
    open(write({"DAPI", "GFP", "Cy5"}));
    const int before = table.columnCount();
    objects.channels().setChoice(kAll);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.columnCount(), before + 18) << "six measurements of three channels";
    EXPECT_THAT(valuesOf(QStringLiteral("mean[DAPI]")), ElementsAre(200, 200, 200));
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(10, 40, 70));
    EXPECT_THAT(valuesOf(QStringLiteral("sum[Cy5]")), ElementsAre(20 * 9, 50 * 16, 80 * 25));
    EXPECT_THAT(valuesOf(QStringLiteral("stddev[Cy5]")), ElementsAre(0, 0, 0));
    EXPECT_TRUE(table.headerData(columnOf(QStringLiteral("mean[GFP]")), Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("GFP")));

    table.sort(columnOf(QStringLiteral("mean[GFP]")), Qt::DescendingOrder);
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(70, 40, 10));

    objects.setLevels(0, 0);
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(0)) << "the background";
    objects.setLevels(100, 255);
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(70, 40, 10)) << "other objects are measured again";

    objects.channels().setChoice({});
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.columnCount(), before);
    EXPECT_EQ(objects.channels().planes(), nullptr);
    EXPECT_EQ(table.sortKey(), ObjectFeature::label);
    EXPECT_EQ(table.rowCount(), 3);
}

TEST_F(ObjectChannels, AreReadAgainForAnotherFile) {
    open(write({"DAPI", "GFP"}));
    objects.channels().setChoice(kAll);
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(10, 40, 70));
    open(write({"DAPI", "GFP"}, 3, 1)); // of the same size and channels
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(11, 41, 71));
}

TEST_F(ObjectChannels, SelectRowsByConditions) {
    open(write({"DAPI", "GFP", "Cy5"}));
    table.setCondition(QStringLiteral("mean[GFP] > 20 && area < 20"));
    EXPECT_FALSE(table.conditionProblem().isEmpty()) << "the channels are not measured";
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.rowCount(), 3);
    objects.channels().setChoice(kAll);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(table.conditionProblem().isEmpty()) << table.conditionProblem().toStdString();
    EXPECT_THAT(valuesOf(QStringLiteral("Label")), ElementsAre(2));
    table.setCondition(QStringLiteral("mean[gfp] <= sum[Cy5] / 20"));
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("Label")), ElementsAre(2, 3)) << "any case of letters";
    table.setCondition(QStringLiteral("mean[YFP] > 20"));
    EXPECT_TRUE(table.conditionProblem().contains(QStringLiteral("DAPI, GFP, Cy5")))
        << table.conditionProblem().toStdString();
    table.setCondition(QStringLiteral("mode[GFP] > 20"));
    EXPECT_FALSE(table.conditionProblem().isEmpty());
}

TEST_F(ObjectChannels, AreCompletedInConditions) {
    const std::vector<std::string> columns{"mean[DAPI]", "sum[DAPI]", "mean[GFP (488)]", "sum[GFP (488)]"};
    const auto words = [&](const char* text) {
        const QString typed = QString::fromUtf8(text);
        QStringList found;
        for (const FeatureWord& each : completionAt(typed, typed.size(), false, columns).features) {
            found << each.word;
        }
        return found;
    };
    EXPECT_EQ(words("area > 5 && mea"), (QStringList{QStringLiteral("grey_mean"), QStringLiteral("mean[DAPI]"),
                                                     QStringLiteral("mean[GFP (488)]")}));
    EXPECT_EQ(words("gfp"), (QStringList{QStringLiteral("mean[GFP (488)]"), QStringLiteral("sum[GFP (488)]")}));
    EXPECT_EQ(words("sum[d"), QStringList{QStringLiteral("sum[DAPI]")});
    const ConditionCompletion inside = completionAt(QStringLiteral("1 < mean[x] - 2"), 9, false, columns);
    EXPECT_EQ(inside.word, (TextSpan{4, 7})) << "up to the bracket";
    EXPECT_EQ(TypedCondition(QStringLiteral("mean[Area and, é] > 5")).stored(), QStringLiteral("mean[Area and, é] > 5"))
        << "names of channels are kept";
    EXPECT_EQ(shownCondition(QStringLiteral("mean[area.5] > 5")), QStringLiteral("mean[area.5] > 5"));
}

TEST_F(ObjectChannels, AreInChartsAndFiles) {
    open(write({"DAPI", "GFP"}));
    objects.channels().setChoice(kAll);
    ASSERT_TRUE(rests());
    ObjectChartModel chart(table);
    chart.setActive(true);
    chart.setX(ObjectQuantity(std::string("mean[GFP]")));
    chart.setY(ObjectFeature::area);
    ASSERT_TRUE(eventually([&] { return chart.chart() && chart.chart()->spec.x.isColumn(); }));
    EXPECT_EQ(chart.chart()->objects, 3U);
    EXPECT_EQ(chart.chart()->x.low, 10);
    EXPECT_EQ(chart.chart()->x.high, 70);

    ObjectExport exporter(table);
    const auto written = [&](ObjectFile kind) {
        const QString path = directory.filePath(QStringLiteral("o.") + suffixOf(kind));
        exporter.save(kind, path);
        EXPECT_TRUE(eventually([&] { return !exporter.isBusy(); }));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    const QList<QByteArray> lines = written(ObjectFile::table).split('\n');
    EXPECT_TRUE(lines.at(0).contains("mean[DAPI],sum[DAPI]")) << lines.at(0).toStdString();
    EXPECT_TRUE(lines.at(1).endsWith("10,90,10,10,0,10")) << lines.at(1).toStdString();
    EXPECT_TRUE(written(ObjectFile::outlines).contains(R"("mean[GFP]":10,)"));
    exporter.savePixelTable(directory.filePath(QStringLiteral("p.csv")));
    ASSERT_TRUE(eventually([&] { return !exporter.isBusy(); }));
    QFile pixels(directory.filePath(QStringLiteral("p.csv")));
    ASSERT_TRUE(pixels.open(QIODevice::ReadOnly));
    EXPECT_TRUE(pixels.readLine().contains("median[GFP]"));

    objects.channels().setChoice({});
    EXPECT_EQ(chart.x(), ObjectFeature::area) << "a column that is gone";
}

TEST_F(ObjectChannels, SayWhyTheyAreNotRead) {
    const QString path = write({"DAPI", "GFP"});
    open(path);
    ASSERT_TRUE(QFile::remove(path));
    objects.channels().setChoice(kAll);
    ASSERT_TRUE(rests());
    EXPECT_FALSE(objects.channels().stateText().isEmpty());
    EXPECT_EQ(table.rowCount(), 3) << "the table stays";
    EXPECT_EQ(table.index(0, columnOf(QStringLiteral("mean[GFP]"))).data().toString(), QStringLiteral("–"));
    objects.channels().setChoice({});
    EXPECT_TRUE(objects.channels().stateText().isEmpty());
}

TEST_F(ObjectChannels, CanBeSomeWithPairsAndARing) {
    open(write({"DAPI", "GFP", "Cy5"}));
    const int before = table.columnCount();
    MeasuredChannels& channels = objects.channels();
    channels.setChosen(1, true);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.columnCount(), before + 6);
    EXPECT_THAT(valuesOf(QStringLiteral("mean[GFP]")), ElementsAre(10, 40, 70));
    EXPECT_EQ(columnOf(QStringLiteral("mean[Cy5]")), -1);
    EXPECT_EQ(channels.planes()->planes.size(), 1U) << "others are not read";
    EXPECT_EQ(channels.choiceText(), QStringLiteral("GFP"));

    channels.setChosen(2, true);
    MeasureChoice choice = channels.choice();
    choice.pairs = true;
    choice.ring = 1;
    channels.setChoice(choice);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.columnCount(), before + 17) << "rings of two channels, and three coefficients of one pair";
    EXPECT_THAT(valuesOf(QStringLiteral("manders1[GFP,Cy5]")), ElementsAre(1, 1, 1));
    EXPECT_THAT(valuesOf(QStringLiteral("ring[Cy5]")), ElementsAre(0, 0, 0));
    EXPECT_EQ(channels.choiceText(), QStringLiteral("GFP, Cy5, pairs, ring 1 px"));
    EXPECT_FALSE(table.helpOf(ObjectQuantity(std::string("ring[Cy5]"))).contains(QStringLiteral(": \n")))
        << "it is defined";
    table.setCondition(QStringLiteral("manders1[GFP,Cy5] > 0.5 && ring[GFP] < 1"));
    EXPECT_EQ(table.conditionProblem(), QString());
    table.setCondition({});

    objects.setLevels(0, 0); // the background is the object
    ASSERT_TRUE(rests());
    EXPECT_THAT(valuesOf(QStringLiteral("ring[GFP]")), ElementsAre((8 * 10 + 12 * 40 + 16 * 70) / 36.0))
        << "the edges of the squares";
    choice.ring = 3; // the same columns
    channels.setChoice(choice);
    ASSERT_TRUE(rests());
    EXPECT_EQ(table.listing()->measures.spec.ring, 3U);
    EXPECT_THAT(valuesOf(QStringLiteral("ring[GFP]")), ElementsAre((9 * 10 + 16 * 40 + 25 * 70) / 50.0))
        << "the whole squares";

    channels.setChosen(0, true);
    EXPECT_TRUE(channels.choice().all);
    channels.setChosen(1, false);
    EXPECT_EQ(channels.choice().channels, (std::vector<std::string>{"DAPI", "Cy5"}));
}

} // namespace
} // namespace pollard::vm
