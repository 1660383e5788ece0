// Grey numbers of images whose values are not their levels.
#include "vm/document/image_map.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/criteria_model.hpp"
#include "vm/filter/criterion_bounds.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "viewmodels/support/image_world.hpp"

#include <limits>

namespace pollard::vm {
namespace {

using testing::eventually;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Level 0 is -1,024 HU, as in a computed tomography of 16 bits.
ValueMapping hounsfield() {
    ValueMapping mapping;
    mapping.offset = -1024;
    mapping.exact = true;
    mapping.minimum = -1024;
    mapping.maximum = 3071;
    mapping.unit = "HU";
    mapping.file.type = ValueType::i16;
    return mapping;
}

ValueMapping ranks(std::vector<double> values) {
    ValueMapping mapping;
    mapping.exact = true;
    mapping.minimum = values.front();
    mapping.maximum = values.back();
    mapping.file.type = ValueType::f32;
    auto ranked = std::make_shared<RankedValues>();
    ranked->values = std::move(values);
    mapping.ranks = std::move(ranked);
    return mapping;
}

CriterionEntry entryOf(const Criterion& criterion) {
    CriterionEntry entry;
    entry.take(criterion);
    return entry;
}

TEST(ValueCriteria, BoundsOfValuesAreNumbersOfTheColumn) {
    const ImageUnits units{std::nullopt, hounsfield()};
    const Criterion bone{AttributeId::level, 300, kInfinity};
    EXPECT_EQ(statedCriterion(entryOf(bone), {}, units), bone) << "values as chosen";
    EXPECT_EQ(effectiveCriterion(entryOf(bone), {}, units).minimum, 1324);
    const Criterion high{AttributeId::height, 100, 200};
    EXPECT_EQ(effectiveCriterion(entryOf(high), {}, units).minimum, 100) << "distances have no offset";
    const Criterion old{AttributeId::level, 1324, kInfinity, LengthUnit::pixel, std::string(kLevels)};
    EXPECT_EQ(effectiveCriterion(entryOf(old), {}, units).minimum, 1324) << "levels of old sessions";
    EXPECT_EQ(statedCriterion(entryOf(old), {}, units), old);
    const Criterion other{AttributeId::level, 300, kInfinity, LengthUnit::pixel, "K"};
    EXPECT_FALSE(pixelBounds(other.attribute, entryOf(other).bounds(), units)) << "another unit";
}

TEST(ValueCriteria, BoundsWithoutAMappingAreLevels) {
    const Criterion mean{AttributeId::mean, 12.5, kInfinity};
    EXPECT_EQ(effectiveCriterion(entryOf(mean), {}).minimum, 12.5);
    EXPECT_EQ(statedCriterion(entryOf(mean), {}), mean);
}

TEST(ValueCriteria, TextsStateValuesWithTheirUnit) {
    const std::optional<ValueMapping> values = hounsfield();
    EXPECT_EQ(criterionText(readable({AttributeId::level, 300, kInfinity}, values)), "level >= 300 HU");
    EXPECT_EQ(
        criterionText(readable({AttributeId::level, 1324, kInfinity, LengthUnit::pixel, std::string(kLevels)}, values)),
        "level >= 300 HU");
    EXPECT_EQ(criterionText(readable({AttributeId::area, 300, kInfinity}, values)), "area >= 300");
    EXPECT_EQ(criterionText(readable({AttributeId::level, 300, kInfinity}, {})), "level >= 300");
    EXPECT_EQ(inValues({AttributeId::level, 1324, kInfinity}, values), (Criterion{AttributeId::level, 300, kInfinity}));
}

class ValuesWorld : public ::testing::Test {
protected:
    testing::ImageWorld images;
    CriteriaModel criteria{images.document};
    CriterionBounds bounds{criteria, images.document};

    void open(const ValueMapping& mapping, std::uint32_t step) {
        images.files["a"] = {{testing::makeImage(PixelType::u16, 4, 3, [step](auto x, auto) { return x * step; }),
                              nullptr, mapping, 16}};
        ASSERT_NO_FATAL_FAILURE(images.open("a"));
    }
};

TEST_F(ValuesWorld, TypedBoundsAreValues) {
    criteria.setAttribute(0, AttributeId::level);
    ASSERT_NO_FATAL_FAILURE(open(hounsfield(), 1000));
    ASSERT_TRUE(eventually([&] { return bounds.isAvailable(); }));
    EXPECT_EQ(bounds.unit(), "HU");
    EXPECT_EQ(bounds.typedDomain().minimum, bounds.domain().minimum - 1024);
    const double typed = bounds.typedDomain().minimum + 5;
    bounds.setTypedMinimum(typed);
    EXPECT_EQ(criteria.currentEntry().bounds(), (ChosenBounds{typed, std::nullopt}));
    EXPECT_EQ(bounds.typedMinimum(), typed);
    EXPECT_EQ(bounds.minimum(), typed + 1024) << "the slider is in levels";
    bounds.setMinimum(bounds.domain().minimum + 7);
    EXPECT_EQ(criteria.currentEntry().bounds().minimum, bounds.typedDomain().minimum + 7);
}

TEST_F(ValuesWorld, RanksLackDistances) {
    ASSERT_NO_FATAL_FAILURE(open(ranks({0, 0.25, 1, 4}), 1));
    FilterViewModel filter(images.document);
    EXPECT_FALSE(filter.lacksDistances());
    filter.setOutput(Output::residue);
    EXPECT_TRUE(filter.lacksDistances());
    EXPECT_NE(filter.problem(), QString());
}

TEST_F(ValuesWorld, PixelsAreReadInValues) {
    ASSERT_NO_FATAL_FAILURE(open(hounsfield(), 1000));
    ProbeViewModel probe(images.document);
    probe.setPosition({2.5, 1.5});
    EXPECT_EQ(probe.original(), 2000);
    EXPECT_EQ(probe.originalText(), "976 HU");
    EXPECT_EQ(mappingOf(images.document), hounsfield());
}

TEST_F(ValuesWorld, ThresholdsAreValues) {
    ASSERT_NO_FATAL_FAILURE(open(hounsfield(), 1000));
    ObjectsViewModel objects(images.document);
    objects.setSource(StepImage::original);
    objects.setValues(300, kInfinity);
    EXPECT_EQ(objects.levels(), (LevelRange{1324, 3000}));
    ASSERT_TRUE(objects.recipe().values);
    EXPECT_EQ(objects.recipe().values->low, 300);
    EXPECT_EQ(objects.recipe().levels, LevelRange{});
    EXPECT_EQ(objects.values().low, 300);
    objects.setLevels(1500, 2000);
    EXPECT_EQ(objects.recipe().values->low, 476);
    EXPECT_EQ(objects.recipe().values->high, 976);
    EXPECT_EQ(objects.levels(), (LevelRange{1500, 2000}));
}

TEST(DifferencesOfValues, StartAtNothing) {
    const auto differences = mappingAfter(hounsfield(), ResultValues::differences);
    ASSERT_TRUE(differences);
    EXPECT_EQ(differences->valueOf(5), 5);
    EXPECT_EQ(mappingAfter(hounsfield(), ResultValues::others), std::nullopt);
    EXPECT_EQ(mappingAfter(hounsfield(), ResultValues::levels), hounsfield());
}

TEST(EvenDisplay, RanksAreShownByTheirValues) {
    const std::optional<ValueMapping> mapping = ranks({0, 0.25, 1});
    const EvenLevels levels = evenLevelsOf(mapping, 65535);
    ASSERT_TRUE(levels);
    EXPECT_EQ((*levels)[0], 0);
    EXPECT_EQ((*levels)[1], 16384);
    EXPECT_EQ((*levels)[2], 65535);
    const auto even = evenMappingOf(mapping, 65535);
    EXPECT_NEAR(even->valueOf(16384), 0.25, 1e-5);
    const auto image = testing::makeImage(PixelType::u16, 3, 1, [](auto x, auto) { return x; });
    EXPECT_EQ(inEvenLevels(image, mapping)->level(1), 16384);
    const LevelHistogram counted = inEvenLevels(countLevels(*image), mapping);
    EXPECT_EQ(counted.counts[16384], 1U);
    EXPECT_EQ(counted.maximum, 65535);
    EXPECT_EQ(inEvenLevels(image, hounsfield()), image) << "other images are shown as they are";
}

} // namespace
} // namespace pollard::vm
