// The parts of the attribute plane without a tree.
#include "vm/tree/counted_plane.hpp"

#include "viewmodels/support/image_world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const AttributeColumn> column(AttributeId id, const std::vector<std::uint32_t>& values) {
    Buffer<std::uint32_t> copied(values.size());
    std::ranges::copy(values, copied.begin());
    const auto [low, high] = std::ranges::minmax(values);
    return std::make_shared<const AttributeColumn>(
        AttributeColumn{id, std::move(copied), static_cast<double>(low), static_cast<double>(high)});
}

/// Four columns of areas 1 to 8, and two rows of heights 0 to 7.
class PlaneParts : public ::testing::Test {
protected:
    PlaneRequest request{column(AttributeId::area, {8, 1, 2, 3, 4, 5, 6, 7}), BinSpec{4, BinScale::linear, {}, {}},
                         column(AttributeId::height, {0, 1, 2, 3, 4, 5, 6, 7}), BinSpec{2, BinScale::linear, {}, {}}};
    CountedPlane plane{request, attributePlane(*request.x, request.binsX, *request.y, request.binsY)};
    PlaneRectangle rectangle{{3, 6}, {0, 3}};
    PlaneCriteria criteria;

    CriteriaModel::State apply(bool inverse) { return criteria.apply(rectangle, inverse, *request.x, *request.y); }
};

TEST_F(PlaneParts, PlacesBecomeCellsAndCellsBecomeValues) {
    const QRectF places(QPointF(0.3, 0.1), QPointF(0.6, 0.4));
    const PlaneCells cells{{1, 2}, {0, 0}};
    EXPECT_EQ(plane.cellsAt(places), cells);
    EXPECT_EQ(plane.rectangleOf(cells), rectangle);
    EXPECT_EQ(plane.cellsOf(rectangle), cells);
    EXPECT_EQ(plane.nodesIn(cells), 1U) << "area 3 has height 3";
    EXPECT_EQ(plane.placesOf(rectangle), QRectF(QPointF(0.25, 0), QPointF(0.75, 0.5)));
    EXPECT_EQ(plane.cellsBetween(places), (PlaneCells{{1, 1}, {0, 0}}));
    EXPECT_EQ(plane.moved(cells, 5, 5), (PlaneCells{{2, 3}, {1, 1}}));
    EXPECT_EQ(plane.resized(cells, -5, 5), (PlaneCells{{1, 1}, {0, 1}}));
}

TEST_F(PlaneParts, NodesHavePlacesAndMarkCells) {
    EXPECT_EQ(plane.placeOf(1), QPointF(0.0625, 0.1875));
    EXPECT_EQ(plane.placeOf(8), std::nullopt);
    EXPECT_THAT(plane.marked(makeNodeSet({0, 3, 9})), ElementsAre(0, 1, 0, 1, 0, 0, 0, 0));
    EXPECT_THAT(plane.readout({0.3, 0.1}).toStdString(), ::testing::StartsWith("area 3 to 4 px, height 0 to 3"));
    EXPECT_THAT(plane.readout({0.3, 0.1}).toStdString(), ::testing::EndsWith(": 1 component"));
    EXPECT_TRUE(plane.readout({1.5, 0.1}).isEmpty());
}

TEST_F(PlaneParts, RectanglesBecomeCriteria) {
    criteria.begin({{CriterionEntry{}}, 0, Match::all});
    const CriteriaModel::State inside = apply(false);
    ASSERT_EQ(inside.entries.size(), 2U);
    EXPECT_EQ(inside.match, Match::all);
    EXPECT_EQ(inside.entries[0].bounds(), (ChosenBounds{3, 6}));
    EXPECT_EQ(inside.entries[1].attribute, AttributeId::height);
    EXPECT_EQ(inside.entries[1].bounds(), (ChosenBounds{0, 3}));
    const CriteriaModel::State outside = apply(true);
    ASSERT_EQ(outside.entries.size(), 3U) << "no height is below 0";
    EXPECT_EQ(outside.match, Match::any);
    EXPECT_EQ(outside.entries[0].bounds(), (ChosenBounds{std::nullopt, 2}));
    EXPECT_EQ(outside.entries[1].bounds(), (ChosenBounds{7, std::nullopt}));
    EXPECT_EQ(outside.entries[2].bounds(), (ChosenBounds{4, std::nullopt}));
    EXPECT_TRUE(criteria.isInverse());
    EXPECT_EQ(criteria.recall(inside, AttributeId::height, AttributeId::area), std::nullopt);
    EXPECT_EQ(criteria.recall(inside, AttributeId::area, AttributeId::height),
              (PlaneCriteria::Found{rectangle, false}));
    EXPECT_FALSE(criteria.isInverse());
}

TEST_F(PlaneParts, BoundsChangedElsewhereMoveTheRectangle) {
    testing::ImageWorld images;
    CriteriaModel model(images.document);
    criteria.begin(model.state());
    model.setState(apply(false));
    model.setCurrent(1);
    model.setBounds(0, {4, 5});
    EXPECT_TRUE(criteria.follow(model.state()));
    EXPECT_EQ(criteria.rectangleIn(model, rectangle), (PlaneRectangle{{4, 5}, {0, 3}}));
    model.add(AttributeId::level);
    EXPECT_FALSE(criteria.follow(model.state()));
}

} // namespace
} // namespace pollard::vm
