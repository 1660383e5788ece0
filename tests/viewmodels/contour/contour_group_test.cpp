// Several contours that evolve together, and forbidden pixels.
#include "viewmodels/support/open_contours.hpp"
#include "vm/contour/contour_export.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/chart_tables.hpp"

#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_group.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <random>

namespace pollard::vm {
namespace {

using testing::Disc;
using testing::discs;
using testing::eventually;
using testing::squareAround;

class ContourGroup : public testing::OpenContours {
protected:
    const std::vector<Contour> starts{squareAround(45, 50, 12), squareAround(115, 50, 12), squareAround(80, 85, 9)};

    void begin() {
        open(*discs(160, 110, {{45, 50, 26}, {115, 50, 26}, {80, 85, 14}}));
        contours.startFrom(starts, QStringLiteral("test"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(contours.runs().contourCount(), 3) << contours.runs().problem().toStdString();
    }
    [[nodiscard]] SnakeGroup direct(const std::vector<Contour>& from,
                                    const std::shared_ptr<const Mask>& forbidden = {}) const {
        return SnakeGroup({document.image(), nullptr, from, contours.settings().spec(), forbidden, {}});
    }
    static std::vector<Contour> nodesOf(const SnakeGroup& group) {
        std::vector<Contour> nodes;
        for (std::size_t i = 0; i < group.size(); ++i) {
            nodes.push_back(group.state(i).nodes);
        }
        return nodes;
    }
};

TEST_F(ContourGroup, RecordsEveryStateAsTheGroupHasIt) {
    begin();
    finish();
    const ContourRecord& record = contours.runs().currentRun()->record;
    SnakeGroup group = direct(starts);
    int number = 0;
    for (;;) {
        ASSERT_LT(number, record.count());
        ASSERT_EQ(record.allNodes(number), nodesOf(group)) << "state " << number;
        for (std::size_t i = 0; i < group.size(); ++i) {
            const ContourRecord::Figures told = record.figures(number, i);
            ASSERT_EQ(told.inside, group.state(i).inside);
            ASSERT_EQ(told.energy, group.energy());
            ASSERT_EQ(told.outside, group.background()) << "state " << number << ", contour " << i;
        }
        if (!group.advance()) {
            break;
        }
        ++number;
        ASSERT_EQ(record.moverOf(number), group.last());
        ASSERT_EQ(record.state(number).energy, group.state(group.last()).energy);
    }
    EXPECT_EQ(number, record.count() - 1);
    EXPECT_GT(number, 40);
    EXPECT_EQ(contours.runs().allNodes(), nodesOf(group));
}

TEST_F(ContourGroup, NeverOverlap) {
    open(*discs(120, 60, {{60, 30, 24}})); // one object for two contours
    contours.startFrom({squareAround(48, 30, 8), squareAround(74, 30, 8)}, {});
    ASSERT_TRUE(rests());
    finish();
    const ContourRecord& record = contours.runs().currentRun()->record;
    for (int number = 0; number < record.count(); number += 7) {
        RowCounts taken(Mask(120, 60, false));
        taken.fill(record.nodes(number, 0), true);
        EXPECT_EQ(taken.inside(record.nodes(number, 1)), 0) << "state " << number;
    }
    contours.startFrom({squareAround(48, 30, 10), squareAround(60, 30, 10)}, {});
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().contains(QStringLiteral("overlap")))
        << contours.runs().problem().toStdString();
}

TEST_F(ContourGroup, FiguresAndHistogramsAreThoseOfTheContourAtHand) {
    begin();
    ContourHistograms histograms(contours);
    finish();
    for (const int at : {1, 2, 0}) {
        contours.runs().setContour(at);
        EXPECT_EQ(contours.runs().contour(), at);
        EXPECT_EQ(contours.runs().nodes(), contours.runs().allNodes()[static_cast<std::size_t>(at)]);
        const auto figures = contours.runs().figures();
        const Image mask = contourMask(contours.runs().nodes(), 160, 110);
        std::int64_t pixels = 0;
        for (std::size_t i = 0; i < mask.pixelCount(); ++i) {
            pixels += mask.level(i) != 0 ? 1 : 0;
        }
        EXPECT_EQ(figures->inside.pixels, pixels);
        ASSERT_TRUE(eventually([&] { return histograms.levels() && !histograms.isBusy(); }));
        const auto levels = histograms.levels();
        const Image all = contourLabels(contours.runs().allNodes(), 160, 110);
        std::vector<double> inside(levels->inside.shares.size());
        std::vector<double> outside(inside.size());
        for (std::size_t i = 0; i < all.pixelCount(); ++i) {
            const double bin = std::floor((document.image()->level(i) - levels->low) / levels->step);
            if (bin >= 0 && bin < static_cast<double>(inside.size())) {
                const auto place = static_cast<std::size_t>(bin);
                inside[place] += mask.level(i) != 0 ? 1 : 0;
                outside[place] += all.level(i) == 0 ? 1 : 0;
            }
        }
        for (std::size_t bin = 0; bin < inside.size(); ++bin) {
            ASSERT_NEAR(levels->inside.shares[bin] * static_cast<double>(figures->inside.pixels), inside[bin], 1e-6);
            ASSERT_NEAR(levels->outside.shares[bin] * static_cast<double>(figures->outside.pixels), outside[bin], 1e-6);
        }
    }
    contours.runs().setContour(7);
    EXPECT_EQ(contours.runs().contour(), 0);
}

TEST_F(ContourGroup, TheTableOfTheChartIsThatOfTheContourAtHand) {
    ASSERT_NO_FATAL_FAILURE(begin());
    ASSERT_NO_FATAL_FAILURE(finish());
    contours.runs().setContour(1);
    const DataTable table = tableOf(contours);
    const ContourRecord& record = contours.runs().currentRun()->record;
    ASSERT_EQ(table.rows.size(), record.count());
    for (int state = 0; state < record.count(); ++state) {
        const ContourRecord::Figures figures = record.figures(state, 1);
        EXPECT_EQ(table.rows[state][1].toDouble(), figures.energy);
        EXPECT_EQ(table.rows[state][2].toInt(), static_cast<int>(figures.nodes));
        EXPECT_EQ(table.rows[state][3].toLongLong(), figures.inside.pixels);
    }
    EXPECT_NE(record.figures(0, 0).inside.pixels, record.figures(record.count() - 1, 1).inside.pixels);
}

TEST_F(ContourGroup, ContoursJoinAndLeave) {
    begin();
    contours.startFrom({squareAround(20, 95, 6)}, {}, true);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().contourCount(), 4) << contours.runs().problem().toStdString();
    EXPECT_EQ(contours.runs().contour(), 3) << "the new one is at hand";
    EXPECT_EQ(contours.runs().all().size(), 1U) << "a run that has not moved is changed itself";
    contours.runs().setContour(1);
    contours.removeContour(3);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().allNodes(), starts);
    EXPECT_EQ(contours.runs().contour(), 1);
    finish();
    contours.playback().scrub(9);
    const std::vector<Contour> before = contours.runs().allNodes();
    contours.removeContour(0);
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().currentRun()->parentState, 9);
    EXPECT_EQ(contours.runs().allNodes(), (std::vector<Contour>{before[1], before[2]}));
    contours.removeContour(0);
    ASSERT_TRUE(rests());
    contours.removeContour(0);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().contourCount(), 1) << "the last one stays";
    // Both of two contours added at once join.
    contours.startFrom({squareAround(20, 95, 6)}, {}, true);
    contours.startFrom({squareAround(140, 95, 6)}, {}, true);
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().contourCount(), 3) << contours.runs().problem().toStdString();
}

TEST_F(ContourGroup, ADraggedNodeMovesItsContourAlone) {
    begin();
    contours.runs().setContour(2);
    contours.beginDrag(0);
    contours.dragTo({starts[2][0].x - 3.0, starts[2][0].y - 2.0});
    EXPECT_EQ(contours.runs().allNodes(), starts) << "until it is let go";
    contours.endDrag();
    ASSERT_TRUE(rests());
    std::vector<Contour> expected = starts;
    expected[2][0] = {starts[2][0].x - 3, starts[2][0].y - 2};
    EXPECT_EQ(contours.runs().allNodes(), expected);
    EXPECT_EQ(contours.runs().contour(), 2);
}

TEST_F(ContourGroup, StartFromShapesObjectsAndSelectedComponents) {
    open(*testing::makeImage(PixelType::u8, 100, 80, [](auto x, auto y) -> std::uint32_t {
        const bool left = x >= 10 && x < 30 && y >= 30 && y < 50;
        const bool right = x >= 60 && x < 90 && y >= 20 && y < 60;
        return left || right ? (x == 70 && y == 40 ? 250 : 200) : 10;
    }));
    contours.startFromShapes({{RegionShape::Kind::rectangle, {{5, 5}, {20, 20}}},
                              {RegionShape::Kind::polygon, {{50, 10}, {70, 10}, {60, 30}}}});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().allNodes(),
              (std::vector<Contour>{{{5, 5}, {20, 5}, {20, 20}, {5, 20}}, {{50, 10}, {70, 10}, {60, 30}}}));
    ObjectsViewModel objects(document);
    objects.setActive(true);
    ASSERT_TRUE(eventually([&] { return objects.state() == ObjectsViewModel::State::ready; }));
    ASSERT_EQ(objects.objects()->components.count, 2U);
    contours.startFromObjects(objects.objects(), {1, 2});
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().contourCount(), 2) << contours.runs().problem().toStdString();
    const std::vector<Contour> ofObjects = contours.runs().allNodes();
    const auto tree = document.tree();
    const auto nodeAt = [&](std::size_t x, std::size_t y) { return tree->pixelNode[y * 100 + x]; };
    // The peak is inside the right one and gets no contour of its own.
    contours.startFromNodes(
        std::make_shared<const NodeSet>(makeNodeSet({nodeAt(15, 40), nodeAt(65, 40), nodeAt(70, 40)})));
    ASSERT_TRUE(rests());
    EXPECT_THAT(contours.runs().allNodes(), ::testing::UnorderedElementsAreArray(ofObjects));
    contours.startFromNodes(std::make_shared<const NodeSet>());
    EXPECT_FALSE(contours.runs().problem().isEmpty());
}

TEST_F(ContourGroup, FilesHoldAllContours) {
    begin();
    finish();
    ContourExport exporter(contours);
    const auto save = [&](ContourFile file) {
        const QString path = pathOf("out.") + suffixOf(file, 3);
        exporter.save(file, path);
        EXPECT_TRUE(eventually([&] { return !exporter.isBusy(); }));
        QFile read(path);
        EXPECT_TRUE(read.open(QIODevice::ReadOnly)) << path.toStdString();
        return read.readAll();
    };
    const QByteArray outlines = save(ContourFile::outline);
    EXPECT_EQ(contoursIn(outlines.toStdString()), contours.runs().allNodes());
    EXPECT_EQ(outlines.count(R"(,"mean":)"), 3);
    EXPECT_EQ(outlines.count(R"(,"outside_mean":)"), 3);
    EXPECT_EQ(outlines.count("page"), 0);
    EXPECT_EQ(save(ContourFile::drawing).count("<path"), 3);
    EXPECT_TRUE(save(ContourFile::region).startsWith("PK"));
    static_cast<void>(save(ContourFile::mask));
    const LoadedImage mask = readImage(pathOf("out.tif").toStdString(), {});
    const Image labels = contourLabels(contours.runs().allNodes(), 160, 110);
    for (std::size_t i = 0; i < labels.pixelCount(); ++i) {
        ASSERT_EQ(mask.image->level(i), labels.level(i));
    }
    const QByteArray trace = save(ContourFile::trace);
    EXPECT_TRUE(trace.startsWith("contour,iteration"));
    EXPECT_EQ(trace.count('\n'), 1 + 3 + contours.runs().stateCount() - 1);
}

TEST_F(ContourGroup, ForbiddenPixelsAreThoseOfTheSameRunWithAMask) {
    open(*discs(160, 110, {{60, 50, 30}}));
    contours.startFrom({squareAround(60, 50, 12)}, {});
    ASSERT_TRUE(rests());
    ForbiddenArea& area = contours.settings().forbidden();
    area.setBrush(9);
    area.beginStroke({40.2, 10.7}, false);
    area.strokeTo({42, 60});
    EXPECT_EQ(area.mask(), nullptr) << "until the stroke ends";
    area.endStroke();
    ASSERT_TRUE(rests());
    ASSERT_NE(area.mask(), nullptr);
    ASSERT_EQ(contours.runs().currentRun()->forbidden, area.mask());
    finish();
    SnakeGroup group = direct({squareAround(60, 50, 12)}, area.mask());
    while (group.advance()) {
    }
    EXPECT_EQ(contours.runs().nodes(), group.state(0).nodes);
    EXPECT_EQ(RowCounts(*area.mask()).inside(contours.runs().nodes()), 0);
    SnakeGroup without = direct({squareAround(60, 50, 12)});
    while (without.advance()) {
    }
    EXPECT_NE(contours.runs().nodes(), without.state(0).nodes) << "it was in the way";
    // A run has its own area, and pixels that become forbidden leave its contours.
    const auto first = area.mask();
    area.clear();
    ASSERT_TRUE(rests());
    ASSERT_EQ(contours.runs().all().size(), 2U);
    EXPECT_EQ(contours.runs().currentRun()->forbidden, nullptr);
    contours.selectRun(0);
    EXPECT_EQ(area.mask(), first);
    EXPECT_EQ(contours.runs().all().size(), 2U);
    area.beginStroke({60, 50}, false);
    area.endStroke();
    ASSERT_TRUE(rests());
    EXPECT_TRUE(contours.runs().problem().isEmpty()) << contours.runs().problem().toStdString();
    ASSERT_EQ(contours.runs().all().size(), 3U);
    EXPECT_TRUE(area.mask()->test(60, 50));
    EXPECT_EQ(RowCounts(*area.mask()).inside(contours.runs().nodes()), 0);
    const auto second = area.mask();
    area.setBrush(200);
    area.beginStroke({60, 50}, false);
    area.endStroke();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().problem(),
              QStringLiteral("The start overlaps the forbidden area. Erase it there, or draw "
                             "another start."));
    EXPECT_EQ(area.mask(), second) << "it went back";
    EXPECT_EQ(contours.runs().all().size(), 3U);
}

TEST_F(ContourGroup, TheForbiddenAreaComesFromAnImageOrComponents) {
    const auto image = discs(60, 50, {{30, 25, 10}});
    open(*image);
    ForbiddenArea& area = contours.settings().forbidden();
    const auto mask = testing::makeImage(PixelType::u8, 60, 50,
                                         [](auto x, auto y) -> std::uint32_t { return x < 7 && y > 3 ? x : 0; });
    writeTiff(pathOf("m.tif").toStdString(), *mask, {.compression = TiffCompression::none});
    area.load(pathOf("m.tif"), {});
    ASSERT_TRUE(rests());
    ASSERT_NE(area.mask(), nullptr);
    for (std::uint32_t y = 0; y < 50; ++y) {
        for (std::uint32_t x = 0; x < 60; ++x) {
            ASSERT_EQ(area.mask()->test(x, y), mask->level(y * 60 + x) != 0);
        }
    }
    QStringList failures;
    QObject::connect(&area, &ForbiddenArea::failed, [&](const QString&, const QString& text) { failures << text; });
    writeTiff(pathOf("small.tif").toStdString(), *discs(20, 20, {}), {.compression = TiffCompression::none});
    area.load(pathOf("small.tif"), {});
    ASSERT_TRUE(rests());
    ASSERT_EQ(failures.size(), 1);
    EXPECT_TRUE(failures.front().contains(QStringLiteral("20 x 20 px"))) << failures.front().toStdString();
    EXPECT_NE(area.mask(), nullptr);
    const auto tree = document.tree();
    const std::uint32_t node = tree->pixelNode[25 * 60 + 30];
    area.takeNodes(std::make_shared<const NodeSet>(NodeSet{node}));
    ASSERT_TRUE(rests());
    for (std::uint32_t i = 0; i < 60 * 50; ++i) {
        ASSERT_EQ(area.mask()->test(i % 60, i / 60), tree->contains(node, tree->pixelNode[i]));
    }
    open(*discs(61, 50, {}));
    EXPECT_EQ(area.mask(), nullptr);
}

TEST_F(ContourGroup, TheForbiddenAreaIsThatOfThePartThatIsRead) {
    open(*discs(60, 50, {{30, 25, 10}}));
    const auto mask =
        testing::makeImage(PixelType::u8, 60, 50, [](auto x, auto y) -> std::uint32_t { return (x * 7 + y * 5) % 3; });
    writeTiff(pathOf("m.tif").toStdString(), *mask, {.compression = TiffCompression::none});
    const auto readPart = [this](const PixelRegion& part) {
        document.reading().setReadRegion(part);
        ASSERT_TRUE(eventually([&] { return document.request().region == part && !document.activity().isBusy(); }));
    };
    ASSERT_NO_FATAL_FAILURE(readPart({5, 4, 40, 30}));
    ForbiddenArea& area = contours.settings().forbidden();
    area.load(pathOf("m.tif"), {});
    ASSERT_TRUE(rests());
    ASSERT_NE(area.mask(), nullptr);
    for (std::uint32_t i = 0; i < 40 * 30; ++i) {
        ASSERT_EQ(area.mask()->test(i % 40, i / 40), mask->level((i / 40 + 4) * 60 + i % 40 + 5) != 0) << i;
    }
    ASSERT_NO_FATAL_FAILURE(readPart({6, 4, 40, 30})); // as large
    EXPECT_EQ(area.mask(), nullptr);
}

TEST(ForbiddenStroke, SetsThePixelsNearTheLine) {
    std::mt19937 random(5);
    const auto place = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)) - 10 + 0.5; };
    for (int round = 0; round < 200; ++round) {
        const QPointF from(place(90), place(70));
        const QPointF to = round % 5 == 0 ? from : QPointF(round % 7 == 0 ? from.x() : place(90), place(70));
        const double radius = 0.5 * (1 + static_cast<double>(random() % 25));
        const bool value = round % 2 == 0;
        Mask mask(70, 50, !value);
        paintStroke(mask, from, to, radius, value);
        const QPointF way = to - from;
        const double length = QPointF::dotProduct(way, way);
        for (std::uint32_t y = 0; y < 50; ++y) {
            for (std::uint32_t x = 0; x < 70; ++x) {
                const QPointF centre(x + 0.5, y + 0.5);
                const double along =
                    length > 0 ? std::clamp(QPointF::dotProduct(centre - from, way) / length, 0.0, 1.0) : 0;
                const QPointF away = centre - (from + along * way);
                const double distance = std::hypot(away.x(), away.y());
                if (std::abs(distance - radius) > 1e-9) {
                    ASSERT_EQ(mask.test(x, y) == value, distance < radius) << round << ": " << x << ", " << y;
                }
            }
        }
    }
}

TEST_F(ContourGroup, TheLawIsChosenByTheNoise) {
    std::mt19937 random(8);
    open(*testing::makeImage(PixelType::u16, 120, 100, [&](auto x, auto y) {
        const double level = std::hypot(x - 60.0, y - 50.0) < 25 ? 900 : 200;
        return static_cast<std::uint32_t>(std::poisson_distribution<int>(level)(random));
    }));
    ASSERT_TRUE(contours.settings().isLawAutomatic());
    contours.startFrom({squareAround(60, 50, 28)}, {});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.settings().spec().law, RegionLaw::poisson);
    EXPECT_EQ(contours.runs().currentRun()->spec.law, RegionLaw::poisson);
    contours.setLaw(RegionLaw::gaussian);
    EXPECT_FALSE(contours.settings().isLawAutomatic());
    ASSERT_TRUE(rests());
    contours.startFrom({squareAround(60, 50, 28)}, {});
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().currentRun()->spec.law, RegionLaw::gaussian);
    QStringList notices;
    QObject::connect(&contours.runs(), &ContourRuns::noticeRaised, &contours,
                     [&](const QString& text) { notices << text; });
    contours.chooseLaw();
    ASSERT_TRUE(eventually([&] { return !notices.isEmpty(); }));
    EXPECT_TRUE(notices.front().contains(QStringLiteral("Poisson"))) << notices.front().toStdString();
    ASSERT_TRUE(rests());
    EXPECT_EQ(contours.runs().currentRun()->spec.law, RegionLaw::poisson);
}

} // namespace
} // namespace pollard::vm
