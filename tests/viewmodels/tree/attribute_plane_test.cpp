// The plane of two attributes with a real document: its counts, the rectangle as a filter, the lasso, the mark.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/naive_bins.hpp"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::makeImage;
using testing::Random;
using Plane = AttributePlaneViewModel;
using Side = Plane::Side;

/// Blunt peaks of many sizes and heights on a sloping background; 64 x 64 with a few hundred components.
std::shared_ptr<Image> peaks() {
    Random random(4);
    auto image = makeImage(PixelType::u8, 64, 64, [](auto x, auto) { return 10 + x / 8; });
    auto pixels = image->pixels<std::uint8_t>();
    for (int i = 0; i < 60; ++i) {
        const std::uint32_t side = 1 + random() % 9;
        const std::uint32_t left = random() % (64 - side);
        const std::uint32_t top = random() % (64 - side);
        const std::uint32_t level = 20 + random() % 200;
        for (std::uint32_t y = top; y < top + side; ++y) {
            for (std::uint32_t x = left; x < left + side; ++x) {
                pixels[y * std::size_t{64} + x] = static_cast<std::uint8_t>(level + (x + y) % 3);
            }
        }
    }
    return image;
}

class AttributePlaneModel : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    ChainViewModel chain{document, filter};
    Plane plane{document, filter, chain};

    void open(const Image& image) {
        const QString path = directory.filePath(QStringLiteral("p%1.tif").arg(++files_));
        writeTiff(path.toStdString(), image, {.compression = TiffCompression::none});
        document.open(path);
        ASSERT_TRUE(rests());
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready)
            << document.activity().lastError().toStdString();
    }
    void openAndCount(const Image& image) {
        ASSERT_NO_FATAL_FAILURE(open(image));
        plane.setActive(true);
        ASSERT_TRUE(ready());
    }
    [[nodiscard]] bool rests() {
        return eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); });
    }
    [[nodiscard]] bool ready() {
        return eventually([&] { return plane.state() == Plane::State::ready; });
    }
    [[nodiscard]] const AttributePlane& cells() const { return plane.counted()->plane; }
    /// A rectangle between places inside two corner cells.
    [[nodiscard]] QRectF placesOf(std::array<int, 2> x, std::array<int, 2> y) const {
        const auto middle = [](const Bins& bins, const PlaneAxis& axis, int bin) {
            const auto i = static_cast<std::size_t>(bin);
            return (axis.values.placeOf(bins.edges[i]) + axis.values.placeOf(bins.edges[i + 1])) / 2;
        };
        const auto counted = plane.counted();
        return {QPointF(middle(counted->plane.x, counted->x, x[0]), middle(counted->plane.y, counted->y, y[0])),
                QPointF(middle(counted->plane.x, counted->x, x[1]), middle(counted->plane.y, counted->y, y[1]))};
    }
    [[nodiscard]] std::array<int, 2> randomCells(Random& random, std::size_t bins) const {
        const auto draw = [&] { return static_cast<int>(random() % static_cast<std::uint32_t>(bins)); };
        const auto [low, high] = std::minmax({draw(), draw()});
        return {low, high};
    }
    [[nodiscard]] std::uint64_t nodesIn(std::array<int, 2> x, std::array<int, 2> y) const {
        std::uint64_t sum = 0;
        for (int row = y[0]; row <= y[1]; ++row) {
            for (int column = x[0]; column <= x[1]; ++column) {
                sum += cells().at(static_cast<std::size_t>(column), static_cast<std::size_t>(row));
            }
        }
        return sum;
    }

private:
    int files_ = 0;
};

TEST_F(AttributePlaneModel, CountsNothingWhileNobodyLooks) {
    EXPECT_EQ(plane.state(), Plane::State::empty);
    ASSERT_NO_FATAL_FAILURE(open(*peaks()));
    EXPECT_EQ(plane.state(), Plane::State::empty);
    plane.setActive(true);
    EXPECT_EQ(plane.state(), Plane::State::computing);
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.attribute(Side::x), AttributeId::area);
    EXPECT_EQ(plane.attribute(Side::y), AttributeId::height);
    EXPECT_TRUE(plane.isLogarithmic(Side::x));
    std::uint64_t sum = 0;
    for (const std::uint32_t count : cells().counts) {
        sum += count;
        EXPECT_LE(count, plane.counted()->largest);
    }
    EXPECT_EQ(sum, document.tree()->nodeCount());
    plane.setActive(false);
    EXPECT_EQ(plane.counted(), nullptr);
}

TEST_F(AttributePlaneModel, ARectangleFiltersAsABruteForceOverItsCellsForEveryRule) {
    const auto image = peaks();
    ASSERT_NO_FATAL_FAILURE(openAndCount(*image));
    const auto nodes = testing::naiveTree(*image, TreeKind::max, document.choices().connectivity());
    std::vector<std::array<double, 2>> values(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        values[n] = {testing::naiveAttribute(nodes, n, AttributeId::area, *image, TreeKind::max),
                     testing::naiveAttribute(nodes, n, AttributeId::height, *image, TreeKind::max)};
    }
    Random random(6);
    for (const bool inverse : {false, true}) {
        plane.setInverse(inverse);
        for (const Rule rule : kAllRules) {
            filter.setRule(rule);
            const auto x = randomCells(random, cells().x.count());
            const auto y = randomCells(random, cells().y.count());
            plane.brush(placesOf(x, y));
            ASSERT_TRUE(rests());
            std::vector<char> meets(nodes.size());
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                const auto within = [](const Bins& bins, double value, std::array<int, 2> range) {
                    const auto bin = testing::naiveBin(bins, value);
                    return bin >= static_cast<std::uint32_t>(range[0]) && bin <= static_cast<std::uint32_t>(range[1]);
                };
                meets[n] = (within(cells().x, values[n][0], x) && within(cells().y, values[n][1], y)) != inverse;
            }
            FilterSpec spec;
            spec.rule = rule;
            const auto expected = testing::naiveOutput(nodes, *image, spec, testing::naiveDecision(nodes, meets, spec));
            const Image& result = *document.result();
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                ASSERT_EQ(result.level(p), expected.pixels[p])
                    << nameOf(rule) << ' ' << inverse << " at " << p << ": " << filter.criterionText().toStdString();
            }
            EXPECT_EQ(plane.nodesInside(), nodesIn(x, y));
        }
    }
}

TEST_F(AttributePlaneModel, CountsWhatLiesInARectangleOfCellsAtOnceAndInAnyOtherSoon) {
    const auto image = peaks();
    ASSERT_NO_FATAL_FAILURE(openAndCount(*image));
    const auto nodesWithin = [&](const Plane::Rectangle& rectangle) {
        const auto counted = plane.counted();
        std::uint64_t count = 0;
        for (std::size_t n = 0; n < counted->valuesX->size(); ++n) {
            const double x = counted->valuesX->at(n);
            const double y = counted->valuesY->at(n);
            count += x >= rectangle.x.low && x <= rectangle.x.high && y >= rectangle.y.low && y <= rectangle.y.high;
        }
        return count;
    };
    QSignalSpy counted(&plane, &Plane::insideCounted);
    for (const AttributeId up : {AttributeId::height, AttributeId::mean}) { // integers and non-integers
        plane.setAttribute(Side::y, up);
        ASSERT_TRUE(ready());
        Random random(9);
        for (int repeat = 0; repeat < 40; ++repeat) {
            plane.brush(placesOf(randomCells(random, cells().x.count()), randomCells(random, cells().y.count())));
            ASSERT_EQ(plane.nodesInside(), nodesWithin(*plane.rectangle()));
        }
        EXPECT_EQ(counted.count(), 0) << "known with the rectangle";
        plane.brush(
            placesOf({2, static_cast<int>(cells().x.count()) - 1}, {0, static_cast<int>(cells().y.count()) - 1}));
        ASSERT_TRUE(rests());
    }
    // A typed bound is inside a cell.
    const double low = plane.rectangle()->y.low;
    const double within = low + (cells().y.edges[1] - cells().y.edges[0]) / 3;
    int row = 0;
    while (filter.criteria().entry(row).attribute != AttributeId::mean) {
        ++row;
    }
    ChosenBounds bounds = filter.criteria().entry(row).bounds();
    bounds.minimum = within;
    filter.criteria().setBounds(row, bounds);
    ASSERT_NE(plane.rectangle()->y.low, low);
    EXPECT_FALSE(plane.nodesInside().has_value());
    ASSERT_TRUE(eventually([&] { return plane.nodesInside().has_value(); }));
    EXPECT_EQ(plane.nodesInside(), nodesWithin(*plane.rectangle()));
    EXPECT_EQ(counted.count(), 1);
}

TEST_F(AttributePlaneModel, FiltersTheExampleOfItsDocumentation) {
    constexpr std::array kRow{1U, 5U, 5U, 1U, 9U, 1U, 3U};
    ASSERT_NO_FATAL_FAILURE(openAndCount(*makeImage(PixelType::u8, 7, 1, [&](auto x, auto) { return kRow[x]; })));
    ASSERT_EQ(document.tree()->nodeCount(), 4U);
    const auto shown = [&] {
        EXPECT_TRUE(rests());
        std::vector<int> levels;
        for (std::size_t p = 0; p < kRow.size(); ++p) {
            levels.push_back(document.result()->level(p));
        }
        return levels;
    };
    ASSERT_THAT(cells().x.edges, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    ASSERT_THAT(cells().y.edges, ElementsAre(2, 3, 4, 5, 6, 7, 8, 9));
    plane.brush(placesOf({0, 1}, {1, 6}));
    EXPECT_EQ(*plane.rectangle(), (Plane::Rectangle{{1, 2}, {3, 8}}));
    EXPECT_THAT(shown(), ElementsAre(1, 5, 5, 1, 9, 1, 1));
    plane.setInverse(true);
    EXPECT_THAT(shown(), ElementsAre(1, 1, 1, 1, 1, 1, 3));
    plane.brush(placesOf({0, 1}, {2, 6})); // from the height of the component of level 5 on
    EXPECT_EQ(*plane.rectangle(), (Plane::Rectangle{{1, 2}, {4, 8}}));
    EXPECT_THAT(shown(), ElementsAre(1, 1, 1, 1, 1, 1, 3));
}

TEST_F(AttributePlaneModel, BothCriteriaAreOneRequestAndClearingBringsBackThoseOfBefore) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    filter.setCriterion({AttributeId::level, 20, 150});
    filter.criteria().add(AttributeId::area);
    filter.criteria().setEnabled(1, false);
    ASSERT_TRUE(rests());
    const FilterSpec before = filter.spec();
    const CriteriaModel::State state = filter.criteria().state();
    QSignalSpy changes(&filter, &FilterViewModel::specChanged);
    QSignalSpy rectangles(&plane, &Plane::rectangleChanged);
    plane.brush(placesOf({3, 20}, {5, 30}));
    EXPECT_EQ(changes.count(), 1);
    EXPECT_GE(rectangles.count(), 1);
    const Plane::Rectangle rectangle = *plane.rectangle();
    EXPECT_THAT(filter.spec().criteria, ElementsAre(Criterion{AttributeId::level, 20, 150},
                                                    Criterion{AttributeId::area, rectangle.x.low, rectangle.x.high},
                                                    Criterion{AttributeId::height, rectangle.y.low, rectangle.y.high}));
    EXPECT_EQ(rectangle.x.low, cells().x.edges[3]);
    EXPECT_EQ(rectangle.x.high, cells().x.edges[21] - 1) << "whole numbers";
    plane.brush(placesOf({3, 20}, {5, 30}));
    EXPECT_EQ(changes.count(), 1) << "the same rectangle";
    plane.clear();
    EXPECT_EQ(changes.count(), 2);
    EXPECT_EQ(filter.spec(), before);
    EXPECT_EQ(filter.criteria().state(), state) << "what was off, too";
    EXPECT_FALSE(plane.rectangle());
    plane.clear();
    EXPECT_EQ(changes.count(), 2);
}

TEST_F(AttributePlaneModel, ABurstOf200MovesEndsWithTheExactImage) {
    Random noise(8);
    const auto image =
        makeImage(PixelType::u16, 160, 120, [&](auto x, auto y) { return (x * y) % 900 + noise() % 80; });
    ASSERT_NO_FATAL_FAILURE(openAndCount(*image));
    const int columns = static_cast<int>(cells().x.count());
    const int rows = static_cast<int>(cells().y.count());
    plane.brush(placesOf({columns / 4, columns / 2}, {rows / 4, rows / 2}));
    Random random(12);
    for (int i = 0; i < 200; ++i) {
        plane.moveBy(static_cast<int>(random() % 9) - 4, static_cast<int>(random() % 9) - 4);
        if (i % 7 == 0) {
            QCoreApplication::processEvents();
        }
    }
    ASSERT_TRUE(rests());
    EXPECT_LE(document.worker().statistics(Lane::filter).maxInFlight, 2);
    ASSERT_EQ(document.resultSpec(), filter.spec());
    ASSERT_EQ(filter.spec().criteria.size(), 2U);
    const auto session = registry.select("cpu").openSession();
    session->open(image);
    (void)session->buildTree(document.choices().treeSpec());
    Image expected(image->type(), image->width(), image->height());
    FilterSpec spec;
    spec.criteria = {{AttributeId::area, plane.rectangle()->x.low, plane.rectangle()->x.high},
                     {AttributeId::height, plane.rectangle()->y.low, plane.rectangle()->y.high}};
    (void)session->filter(spec, expected);
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        ASSERT_EQ(document.result()->level(p), expected.level(p));
    }
}

TEST_F(AttributePlaneModel, MovesKeepTheSizeInCellsAndStayOnThePlane) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    plane.brush(placesOf({2, 6}, {3, 9}));
    const QRectF first = *plane.rectanglePlaces();
    plane.moveBy(1, 0);
    EXPECT_EQ(plane.rectangle()->x.low, cells().x.edges[3]);
    plane.moveBy(-1, 0);
    EXPECT_EQ(*plane.rectanglePlaces(), first);
    plane.reshape(first);
    EXPECT_EQ(*plane.rectanglePlaces(), first) << "its sides are edges already";
    plane.reshape(first.translated(0.3, 0.2));
    EXPECT_NEAR(plane.rectanglePlaces()->left(), first.left() + 0.3, 0.02);
    EXPECT_NEAR(plane.rectanglePlaces()->bottom(), first.bottom() + 0.2, 0.02);
    plane.reshape(first);
    plane.moveBy(-1000, 1000);
    EXPECT_EQ(plane.rectangle()->x.low, cells().x.edges[0]);
    EXPECT_EQ(plane.rectangle()->x.high, cells().x.edges[5] - 1);
    EXPECT_EQ(plane.rectangle()->y.high, cells().y.edges.back() - 1);
    EXPECT_EQ(plane.rectanglePlaces()->bottom(), 1);
    plane.resizeBy(-1000, 0);
    EXPECT_EQ(plane.rectangle()->x.high, cells().x.edges[1] - 1) << "one cell is left";
    plane.resizeBy(2, 0);
    EXPECT_EQ(plane.rectangle()->x.high, cells().x.edges[3] - 1);
    // The whole plane gives no criteria.
    plane.brush(QRectF(-1, -1, 3, 3));
    EXPECT_TRUE(filter.spec().criteria.empty());
}

TEST_F(AttributePlaneModel, TheRectangleFollowsItsCriteriaAndLeavesOtherChangesAlone) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    plane.brush(placesOf({2, 12}, {3, 30}));
    filter.criteria().setCurrent(1);
    EXPECT_TRUE(plane.rectangle()) << "looking at a criterion is no change";
    filter.criteria().setCurrent(0);
    ASSERT_EQ(filter.attribute(), AttributeId::area);
    const double low = plane.rectangle()->x.low + 1;
    filter.setMinimum(low);
    ASSERT_TRUE(plane.rectangle());
    EXPECT_EQ(plane.rectangle()->x.low, low);
    const FilterSpec present = filter.spec();
    filter.criteria().add(AttributeId::mean);
    EXPECT_FALSE(plane.rectangle());
    EXPECT_EQ(filter.spec(), present);
    plane.brush(placesOf({4, 9}, {3, 30}));
    filter.setSpec({});
    EXPECT_FALSE(plane.rectangle());
    EXPECT_TRUE(filter.spec().criteria.empty());
}

TEST_F(AttributePlaneModel, AxesChangePlacesWithTheRectangle) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    plane.brush(placesOf({2, 12}, {3, 30}));
    ASSERT_TRUE(rests());
    const FilterSpec spec = filter.spec();
    const Plane::Rectangle before = *plane.rectangle();
    const AttributePlane counted = cells();
    plane.setAttribute(Side::x, AttributeId::height);
    EXPECT_EQ(plane.attribute(Side::y), AttributeId::area);
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.rectangle()->x, before.y);
    EXPECT_EQ(plane.rectangle()->y, before.x);
    EXPECT_EQ(filter.spec(), spec);
    EXPECT_EQ(cells().x.edges.front(), counted.y.edges.front());
    EXPECT_EQ(columnSums(cells()).front(), rowSums(counted).front());
    plane.moveBy(1, 0);
    ASSERT_EQ(filter.spec().criteria.size(), 2U) << "the same two criteria";
    // Another attribute: the filter stays.
    plane.setAttribute(Side::x, AttributeId::mean);
    EXPECT_FALSE(plane.rectangle());
    ASSERT_TRUE(ready());
    EXPECT_EQ(filter.spec().criteria.size(), 2U);
    EXPECT_EQ(plane.counted()->x.attribute, AttributeId::mean);
}

TEST_F(AttributePlaneModel, ScalesAreChosenByTheValuesUntilAPersonChooses) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    EXPECT_TRUE(plane.isLogarithmic(Side::x));
    plane.setLogarithmic(Side::x, false);
    ASSERT_TRUE(ready());
    EXPECT_EQ(cells().x.scale, BinScale::linear);
    plane.setAttribute(Side::x, AttributeId::hu1);
    ASSERT_TRUE(ready());
    EXPECT_FALSE(plane.isLogarithmic(Side::x));
    plane.setAttribute(Side::x, AttributeId::euler);
    ASSERT_TRUE(ready());
    ASSERT_LT(document.attribute(AttributeId::euler)->minimum, 0);
    EXPECT_FALSE(plane.canBeLogarithmic(Side::x));
    plane.setLogarithmic(Side::x, true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(cells().x.scale, BinScale::linear);
}

TEST_F(AttributePlaneModel, ALassoChoosesTheNodesOfABruteForceTest) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    std::shared_ptr<const std::vector<std::uint32_t>> chosen;
    QObject::connect(&plane, &Plane::nodesChosen, &plane, [&](const auto& nodes) { chosen = nodes; });
    const QList<QPointF> polygon{{0.05, 0.1}, {0.9, 0.3}, {0.6, 0.95}, {0.4, 0.2}, {0.1, 0.7}};
    plane.choose(polygon);
    ASSERT_TRUE(eventually([&] { return chosen != nullptr; }));
    const auto counted = plane.counted();
    std::vector<std::uint32_t> expected;
    for (std::uint32_t n = 0; n < document.tree()->nodeCount(); ++n) {
        const double x = counted->x.placeOf(counted->valuesX->at(n));
        const double y = counted->y.placeOf(counted->valuesY->at(n));
        bool inside = false;
        for (qsizetype i = 0; i < polygon.size(); ++i) {
            const QPointF a = polygon[i];
            const QPointF b = polygon[(i + 1) % polygon.size()];
            if ((a.y() > y) != (b.y() > y) && x < a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y())) {
                inside = !inside;
            }
        }
        if (inside) {
            expected.push_back(n);
        }
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_LT(expected.size(), document.tree()->nodeCount());
    EXPECT_EQ(*chosen, expected);
    EXPECT_TRUE(filter.spec().criteria.empty()) << "choosing filters nothing";
}

TEST_F(AttributePlaneModel, MarksTheCurrentComponentOfTheChain) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    EXPECT_FALSE(plane.markedPlace());
    chain.setActive(true);
    QSignalSpy marks(&plane, &Plane::markChanged);
    chain.hold({30.5, 30.5});
    EXPECT_GE(marks.count(), 1);
    for (int row = 0; row < chain.rowCount(); ++row) {
        chain.setCurrent(row);
        const auto place = plane.markedPlace();
        ASSERT_TRUE(place);
        const auto node = *chain.node();
        const auto area = static_cast<std::uint32_t>(plane.counted()->valuesX->at(node));
        // The readout has the component's own values.
        const QString text = plane.readout(*place);
        EXPECT_TRUE(text.contains(QStringLiteral("area"))) << text.toStdString();
        plane.brush(QRectF(*place, *place));
        EXPECT_LE(plane.rectangle()->x.low, area);
        EXPECT_GE(plane.rectangle()->x.high, area);
        plane.clear();
    }
    chain.letGo();
    EXPECT_FALSE(plane.markedPlace());
}

TEST_F(AttributePlaneModel, ReadsCellsAndTellsWhatHasNoPlace) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    EXPECT_TRUE(plane.readout({-0.1, 0.5}).isEmpty());
    EXPECT_TRUE(plane.readout({0.5, 1.1}).isEmpty());
    // The root is the largest of all.
    const QString corner = plane.readout(placesOf({static_cast<int>(cells().x.count()) - 1, 0}, {0, 0}).topLeft());
    EXPECT_TRUE(corner.contains(QStringLiteral("area"))) << corner.toStdString();
    EXPECT_TRUE(corner.contains(QStringLiteral("height"))) << corner.toStdString();
    EXPECT_TRUE(plane.summary().contains(QStringLiteral("components")));
    plane.setAttribute(Side::y, AttributeId::holes);
    ASSERT_TRUE(ready());
    EXPECT_FALSE(plane.isLogarithmic(Side::y)) << "most components have none";
    plane.setLogarithmic(Side::y, true);
    ASSERT_TRUE(ready());
    ASSERT_GT(cells().outside, 0U);
    EXPECT_TRUE(plane.summary().contains(QStringLiteral("have no place")));
}

TEST_F(AttributePlaneModel, ANewTreeIsCountedAnewAndKeepsTheRectangle) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*peaks()));
    plane.brush(placesOf({2, 12}, {3, 30}));
    const Plane::Rectangle before = *plane.rectangle();
    const auto old = plane.counted();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return plane.counted() != old && plane.state() == Plane::State::ready; }));
    EXPECT_EQ(plane.counted()->valuesX->size(), document.tree()->nodeCount());
    ASSERT_TRUE(rests());
    ASSERT_TRUE(plane.rectangle());
    const auto ofMinTree = plane.counted();
    document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(eventually([&] { return plane.counted() != ofMinTree && plane.state() == Plane::State::ready; }));
    ASSERT_TRUE(rests());
    EXPECT_EQ(*plane.rectangle(), before);
    document.close();
    ASSERT_TRUE(rests());
    EXPECT_EQ(plane.state(), Plane::State::empty);
    EXPECT_EQ(plane.counted(), nullptr);
}

// The list of criteria shows bounds within the range of the present tree, and so does the plane.
TEST_F(AttributePlaneModel, TheRectangleIsWhatItsCriteriaDemandOfEveryImage) {
    const auto contrast = [](std::uint32_t side, std::uint32_t high) {
        return testing::makeImage(PixelType::u16, side, side, [=](auto x, auto y) {
            const auto peak = static_cast<std::uint32_t>(high * (1 + (x / 7 + 3 * (y / 7)) % 9) / 9);
            return x % 7 == 3 && y % 7 == 3 ? peak : x % 7 == 0 || y % 7 == 0 ? 0U : peak / 3;
        });
    };
    ASSERT_NO_FATAL_FAILURE(openAndCount(*contrast(60, 40000)));
    const auto last = [](const Bins& bins) { return static_cast<int>(bins.count()) - 1; };
    plane.brush(placesOf({0, last(cells().x) / 2}, {last(cells().y) / 4, last(cells().y)}));
    ASSERT_TRUE(rests());
    const Plane::Rectangle drawn = *plane.rectangle();
    const CriteriaModel& criteria = filter.criteria();
    int told = 0;
    const auto watch = [&] {
        if (!plane.rectangle()) {
            return;
        }
        ++told;
        for (int row = 0; row < criteria.count(); ++row) {
            const Criterion demanded = criteria.criterion(row);
            const ValueDomain domain = criteria.domainOf(demanded.attribute).values;
            const Plane::Range range =
                demanded.attribute == AttributeId::area ? plane.rectangle()->x : plane.rectangle()->y;
            EXPECT_EQ(range.low, std::max(demanded.minimum, domain.minimum));
            EXPECT_EQ(range.high, std::min(demanded.maximum, domain.maximum));
        }
        if (plane.nodesInside()) {
            EXPECT_LE(*plane.nodesInside(), document.tree()->nodeCount());
        }
    };
    QObject::connect(&plane, &Plane::changed, &plane, watch);
    QObject::connect(&plane, &Plane::rectangleChanged, &plane, watch);
    QObject::connect(&plane, &Plane::insideCounted, &plane, watch);
    ASSERT_NO_FATAL_FAILURE(open(*contrast(90, 200)));
    ASSERT_TRUE(ready());
    EXPECT_GT(told, 2);
    ASSERT_TRUE(plane.rectangle());
    EXPECT_LE(plane.rectangle()->y.high, 200) << "no node of this image is higher";
    EXPECT_NE(*plane.rectangle(), drawn);
    ASSERT_TRUE(eventually([&] { return plane.nodesInside().has_value(); }));
    ASSERT_NO_FATAL_FAILURE(open(*contrast(60, 40000)));
    ASSERT_TRUE(ready());
    EXPECT_EQ(*plane.rectangle(), drawn) << "what was chosen is not forgotten";
}

TEST_F(AttributePlaneModel, AConstantImageHasOneCell) {
    ASSERT_NO_FATAL_FAILURE(openAndCount(*makeImage(PixelType::u8, 5, 4, [](auto, auto) { return 9U; })));
    EXPECT_EQ(plane.counted()->largest, 1U);
    plane.brush(QRectF(0, 0, 1, 1));
    ASSERT_TRUE(rests());
    EXPECT_EQ(document.result()->level(0), 9);
}

TEST_F(AttributePlaneModel, SelectedComponentsAreMarkedInTheirCells) {
    open(*peaks());
    plane.setActive(true);
    ASSERT_TRUE(ready());
    EXPECT_EQ(plane.selectedCells(), nullptr);
    Random random(9);
    const auto count = static_cast<std::uint32_t>(document.tree()->nodeCount());
    for (int round = 0; round < 10; ++round) {
        const auto nodes =
            std::make_shared<const NodeSet>(makeNodeSet({random() % count, random() % count, random() % count}));
        plane.setSelected(nodes);
        ASSERT_TRUE(eventually([&] { return plane.selectedCells() != nullptr; }));
        const Plane::Counted& counted = *plane.counted();
        std::vector<std::uint8_t> expected(counted.plane.counts.size(), 0);
        for (const std::uint32_t node : *nodes) { // the cell whose edges enclose both values
            for (std::size_t row = 0; row < counted.plane.y.count(); ++row) {
                for (std::size_t column = 0; column < counted.plane.x.count(); ++column) {
                    const auto in = [](const Bins& bins, std::size_t bin, double value) {
                        const bool last = bin + 1 == bins.count() && bins.lastClosed && value == bins.edges[bin + 1];
                        return value >= bins.edges[bin] && (value < bins.edges[bin + 1] || last);
                    };
                    if (in(counted.plane.x, column, counted.valuesX->at(node)) &&
                        in(counted.plane.y, row, counted.valuesY->at(node))) {
                        expected[row * counted.plane.x.count() + column] = 1;
                    }
                }
            }
        }
        EXPECT_EQ(*plane.selectedCells(), expected);
    }
    plane.swapAxes();
    EXPECT_EQ(plane.selectedCells(), nullptr) << "of another plane";
    EXPECT_TRUE(eventually([&] { return plane.selectedCells() != nullptr; }));
    plane.setSelected(std::make_shared<const NodeSet>());
    EXPECT_EQ(plane.selectedCells(), nullptr);
}

/// The undo history with the filter set by the plane.
class AttributePlaneUndo : public AttributePlaneModel {
protected:
    NodeSelection selection{document};
    RegionViewModel region{document};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    EditHistory history{{document, filter, selection, region, objects, table}};
};

TEST_F(AttributePlaneUndo, ShowsTheRectanglesAgain) {
    openAndCount(*peaks());
    const auto brush = [this](std::array<int, 2> x, std::array<int, 2> y) {
        history.beginGesture();
        plane.brush(placesOf(x, y));
        history.endGesture();
        EXPECT_TRUE(plane.rectangle());
        return plane.rectangle();
    };
    for (const bool inverse : {false, true}) {
        plane.setInverse(inverse);
        history.stack().clear();
        const auto first = brush({2, 9}, {3, 12});
        const FilterSpec firstSpec = filter.spec();
        const auto second = brush({4, 11}, {1, 7});
        const FilterSpec secondSpec = filter.spec();
        ASSERT_NE(firstSpec, secondSpec);
        history.undo();
        EXPECT_EQ(plane.rectangle(), first) << inverse;
        EXPECT_EQ(filter.spec(), firstSpec);
        history.undo();
        EXPECT_FALSE(plane.rectangle()) << inverse;
        history.redo();
        EXPECT_EQ(plane.rectangle(), first) << inverse;
        EXPECT_EQ(filter.spec(), firstSpec);
        history.redo();
        EXPECT_EQ(plane.rectangle(), second) << inverse;
        EXPECT_EQ(filter.spec(), secondSpec);
        // It is a rectangle again: it can be moved and removed.
        plane.moveBy(1, 0);
        EXPECT_NE(plane.rectangle(), second);
        plane.clear();
        EXPECT_FALSE(plane.rectangle());
        EXPECT_TRUE(filter.spec().criteria.empty());
        filter.setSpec({});
    }
}

} // namespace
} // namespace pollard::vm
