// Bounds of a criterion without a filter.
#include "vm/filter/criteria_model.hpp"
#include "vm/filter/criterion_bounds.hpp"

#include "viewmodels/support/image_world.hpp"

#include <QSignalSpy>

namespace pollard::vm {
namespace {

using testing::eventually;

class CriterionBoundsParts : public ::testing::Test {
protected:
    testing::ImageWorld images;
    CriteriaModel criteria{images.document};
    CriterionBounds bounds{criteria, images.document};

    void open() {
        ASSERT_NO_FATAL_FAILURE(
            images.open("a", testing::makeImage(PixelType::u8, 4, 3, [](auto x, auto) { return x; })));
        ASSERT_TRUE(eventually([&] { return bounds.isAvailable(); }));
    }
    [[nodiscard]] ChosenBounds chosen() const { return criteria.currentEntry().bounds(); }
};

TEST_F(CriterionBoundsParts, NumbersBeyondTheDomainAreClampedAndKept) {
    bounds.setMinimum(1e6);
    EXPECT_FALSE(bounds.isAvailable());
    ASSERT_NO_FATAL_FAILURE(open());
    const double most = bounds.domain().maximum;
    EXPECT_LT(most, 1e6);
    EXPECT_EQ(bounds.minimum(), most);
    bounds.setMinimum(most);
    EXPECT_EQ(chosen().minimum, 1e6);
    bounds.setRange(20, 10);
    EXPECT_EQ(chosen(), (ChosenBounds{10, 20}));
    bounds.setMaximumPosition(1);
    EXPECT_EQ(chosen(), (ChosenBounds{10, std::nullopt})) << "the end of the domain is no bound";
    bounds.reset();
    EXPECT_TRUE(chosen().isEmpty());
}

TEST_F(CriterionBoundsParts, TypedNumbersStayInTheirUnit) {
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_EQ(bounds.boundUnits(), std::vector{LengthUnit::pixel});
    QSignalSpy units(&bounds, &CriterionBounds::unitChanged);
    images.document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", {}});
    bounds.update();
    EXPECT_EQ(units.size(), 1);
    bounds.setMinimum(100);
    bounds.setBoundUnit(LengthUnit::micrometre);
    EXPECT_EQ(units.size(), 2);
    EXPECT_EQ(bounds.unit(), "µm²");
    EXPECT_EQ(chosen(), (ChosenBounds{25, std::nullopt, LengthUnit::micrometre}));
    bounds.setTypedMinimum(30);
    EXPECT_EQ(chosen().minimum, 30);
    EXPECT_EQ(bounds.minimum(), 120);
    bounds.setMaximum(200);
    EXPECT_EQ(chosen(), (ChosenBounds{30, 50, LengthUnit::micrometre})) << "a bound set in px becomes one in the unit";
    bounds.setBoundUnit(LengthUnit::pixel);
    EXPECT_EQ(chosen(), (ChosenBounds{120, 200}));
}

} // namespace
} // namespace pollard::vm
