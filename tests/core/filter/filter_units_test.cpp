// Criteria in units of length and in pixels.

#include "base/error.hpp"
#include "core/recipe/recipe_support.hpp"
#include "engine/engine.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "io/metadata/scene_units.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

namespace pollard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kInf = std::numeric_limits<double>::infinity();

PixelSize square(double side, const std::string& unit = "µm") { return {side, side, unit, "test"}; }

/// Units of an image whose levels are its values.
ImageUnits unitsOf(const std::optional<PixelSize>& size) { return {size, std::nullopt}; }

std::string reasonAgainst(const std::string& criterion) {
    try {
        return "read as " + toString(parseCriterion(criterion));
    } catch (const Error& error) {
        return error.what();
    }
}

std::string refusal(const FilterSpec& spec, const std::optional<PixelSize>& size) {
    try {
        (void)inPixels(spec, unitsOf(size));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return error.what();
    }
    return {};
}

FilterSpec specOf(const std::string& criterion) {
    FilterSpec spec;
    spec.criteria.push_back(parseCriterion(criterion));
    return spec;
}

TEST(CriterionUnits, AreReadInEverySpelling) {
    for (const char* text : {"area>=15um2", "area >= 15 um2", "area>=15 µm²", "area>=15 μm^2", "area>=15um^2",
                             "15 um2<=area", "area>=1.5e1um2", "  15um² <= area "}) {
        const Criterion criterion = parseCriterion(text);
        EXPECT_EQ(criterion, (Criterion{AttributeId::area, 15, kInf, LengthUnit::micrometre})) << text;
        EXPECT_EQ(toString(criterion), "area>=15um2");
    }
    EXPECT_EQ(parseCriterion("major>=3.2 µm"), (Criterion{AttributeId::major, 3.2, kInf, LengthUnit::micrometre}));
    EXPECT_EQ(parseCriterion("area>=2 ha"), (Criterion{AttributeId::area, 2, kInf, LengthUnit::hectare}));
    EXPECT_EQ(parseCriterion("width<=0.5 mm"), (Criterion{AttributeId::width, -kInf, 0.5, LengthUnit::millimetre}));
    EXPECT_EQ(parseCriterion("10 px<=width<=20px"), parseCriterion("10<=width<=20"));
    EXPECT_EQ(parseCriterion("area>10px2"), parseCriterion("area>10")) << "pixels are whole";
    EXPECT_EQ(parseCriterion("10um2<=area<=50um2"), (Criterion{AttributeId::area, 10, 50, LengthUnit::micrometre}));
    // The second bound in the unit of the first, exact to its digits.
    EXPECT_EQ(parseCriterion("10um2<=area<=0.5mm2"),
              (Criterion{AttributeId::area, 10, 500'000, LengthUnit::micrometre}));
    EXPECT_EQ(parseCriterion("0.3m<=width<=0.7km"), (Criterion{AttributeId::width, 0.3, 700, LengthUnit::metre}));
    EXPECT_EQ(parseCriterion("1nm<=width<=1e305km").maximum, kInf);
    EXPECT_EQ(parseCriterion("1m2<=area<3ha"),
              (Criterion{AttributeId::area, 1, std::nextafter(30'000.0, 0.0), LengthUnit::metre}));
}

TEST(CriterionUnits, StandOnlyBehindNumbersOfTheirKind) {
    EXPECT_THAT(reasonAgainst("area>=15um"), AllOf(HasSubstr("'area' is an area"), HasSubstr("'um' is a length"),
                                                   HasSubstr("um2"), Not(HasSubstr("\n"))));
    EXPECT_THAT(reasonAgainst("width>=15um2"), AllOf(HasSubstr("'width' is a length"), HasSubstr("'um2' is an area")));
    EXPECT_THAT(reasonAgainst("width>=2ha"), HasSubstr("'ha' is an area"));
    EXPECT_THAT(reasonAgainst("circularity>0.5um"), HasSubstr("'circularity' is neither a length nor an area"));
    EXPECT_THAT(reasonAgainst("level>5px"), HasSubstr("'level' is neither"));
    EXPECT_THAT(reasonAgainst("volume>5px2"), HasSubstr("'volume' is neither"));
    EXPECT_THAT(reasonAgainst("border<5um"), HasSubstr("'border' is neither"));
    EXPECT_THAT(reasonAgainst("10um2<=area<=50"), HasSubstr("one bound has a unit"));
    EXPECT_THAT(reasonAgainst("10<=area<=50um2"), HasSubstr("one bound has a unit"));
    EXPECT_THAT(reasonAgainst("10px2<=area<=50um2"), HasSubstr("one bound is in pixels"));
    EXPECT_THAT(reasonAgainst("10um<=area<=50um2"), HasSubstr("'um' is a length"));
    EXPECT_THAT(reasonAgainst("area>=15furlong"), AllOf(HasSubstr("'furlong' is left over"), HasSubstr("um")));
    EXPECT_THAT(reasonAgainst("area>=15um4"), HasSubstr("'um4' is left over"));
    EXPECT_THAT(reasonAgainst("width>=15um3"), AllOf(HasSubstr("is a length"), HasSubstr("'um3' is a volume")));
    EXPECT_THAT(reasonAgainst("volume>=15mm3"), HasSubstr("'area' counts the voxels"));
    EXPECT_THAT(reasonAgainst("1mm2<=area<=50um3"), HasSubstr("one bound is a volume, the other is not"));
    EXPECT_THAT(reasonAgainst("1mm2<=area<=50um2"), HasSubstr("no value can meet it"));
}

TEST(CriterionUnits, FollowTheUnitThatEveryAttributeSays) {
    std::map<Dimension, std::set<std::string>> names;
    for (const AttributeInfo& info : allAttributes()) {
        const Dimension dimension = info.dimension;
        names[dimension].emplace(info.name);
        if (dimension != Dimension::none) {
            EXPECT_EQ(info.unit, "px") << info.name;
        } else if (info.unit == "px") {
            EXPECT_EQ(info.name, "border") << "counts pixels of an edge";
        }
    }
    EXPECT_EQ(names[Dimension::area], (std::set<std::string>{"area", "bbox_area", "extinction_area"}));
    EXPECT_EQ(names[Dimension::length], (std::set<std::string>{"width", "height_px", "bbox_diagonal", "centroid_x",
                                                               "centroid_y", "major", "minor", "perimeter"}));
}

TEST(CriterionUnits, AreWrittenSoThatTheyReadBackTheSame) {
    EXPECT_EQ(toString(parseCriterion("area>15um2")), "area>15um2");
    EXPECT_EQ(toString(parseCriterion("10um2<area<0.5mm2")), "10um2<area<5e+05um2");
    EXPECT_EQ(toString(parseCriterion("major==3.2mm")), "major==3.2mm");
    std::mt19937_64 random(11);
    for (int i = 0; i < 20'000; ++i) {
        const auto all = allAttributes();
        const AttributeId id = all[random() % all.size()].id;
        const Dimension dimension = attributeInfo(id).dimension;
        if (dimension == Dimension::none) {
            continue;
        }
        const auto bound = [&random] {
            const double value = static_cast<double>(random() % 1'000'000) / std::pow(10.0, random() % 7);
            switch (random() % 5) {
            case 0:
                return std::nextafter(value, kInf);
            case 1:
                return std::nextafter(value, -kInf);
            case 2:
                return random() % 2 == 0 ? kInf : -kInf;
            case 3:
                return std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100);
            default:
                return value;
            }
        };
        double low = bound();
        double high = bound();
        if (low > high) {
            std::swap(low, high);
        }
        const std::size_t units = dimension == Dimension::area ? kLengthUnits.size() : kLengthUnits.size() - 1;
        const Criterion criterion{id, low, high, kLengthUnits[random() % units]};
        const std::string text = toString(criterion);
        ASSERT_EQ(parseCriterion(text), criterion) << text;
        ASSERT_EQ(toString(parseCriterion(text)), text);
    }
}

/// Bounds for integer numbers of pixels.
CriterionBounds<std::uint64_t> wholeBounds(const std::string& criterion, const PixelSize& size) {
    return boundsOf<std::uint64_t>(inPixels(parseCriterion(criterion), unitsOf(size)));
}

TEST(CriterionUnits, AreExactWhereFloatingPointIsNot) {
    const PixelSize size = square(0.1);
    EXPECT_NE(15 / (0.1 * 0.1), 1500) << "the plain quotient is beside it";
    EXPECT_EQ(wholeBounds("area>=15um2", size).minimum, 1500U);
    EXPECT_EQ(wholeBounds("area<=15um2", size).maximum, 1500U);
    EXPECT_EQ(wholeBounds("area>15um2", size).minimum, 1501U);
    EXPECT_EQ(wholeBounds("area<15um2", size).maximum, 1499U);
    EXPECT_EQ(wholeBounds("area==15um2", size).minimum, 1500U);
    EXPECT_EQ(wholeBounds("area==15um2", size).maximum, 1500U);
    EXPECT_EQ(inPixels(parseCriterion("major>=3.2um"), unitsOf(size)).minimum, 32);
    EXPECT_EQ(wholeBounds("area>15um2", square(0.325)).minimum, 143U) << "142.01 px";
    EXPECT_EQ(wholeBounds("area>15um2", square(0.1625)).minimum, 569U) << "568.05 px: none of the cells (A3)";
    EXPECT_EQ(wholeBounds("area>=2ha", square(10, "m")).minimum, 200U);
    EXPECT_EQ(wholeBounds("area>=1mm2", square(500, "nm")).minimum, 4'000'000U);
    EXPECT_EQ(wholeBounds("area>=9um2", square(0.1 * 3)).minimum, 100U) << "0.30000000000000004 is 0.3";
    EXPECT_EQ(inPixels(parseCriterion("area>=15um2"), unitsOf(PixelSize{0.1, 0.3, "µm", "test"})).minimum, 500);
}

TEST(CriterionUnits, OfVolumesFollowTheSidesOfAVoxel) {
    PixelSize voxel{0.5, 0.25, "mm", "test"};
    voxel.z = 2;
    const ImageUnits volume{voxel, std::nullopt, true};
    const auto least = [&](const std::string& criterion) {
        return inPixels(parseCriterion(criterion), volume).minimum;
    };
    EXPECT_EQ(least("area>=20mm3"), 80);
    EXPECT_EQ(least("area>=0.02 cm³"), 80);
    EXPECT_EQ(least("area>=2e10um^3"), 80);
    EXPECT_EQ(least("area>20mm3"), std::nextafter(80, kInf));
    EXPECT_EQ(least("bbox_area>=20mm3"), 80);
    EXPECT_EQ(least("extinction_area>=20mm3"), 80);
    EXPECT_EQ(least("width>=5mm"), 10);
    EXPECT_EQ(least("height_px>=5mm"), 20);
    EXPECT_EQ(least("slices_px>=5mm"), 2.5);
    EXPECT_EQ(least("major>=5mm"), 10) << "axes are in widths of a voxel";
    EXPECT_EQ(least("surface>=5mm2"), 20);
    EXPECT_EQ(least("area>=20px3"), 20);
    EXPECT_EQ(toString(parseCriterion("area>20mm3")), "area>20mm3");
    EXPECT_EQ(parseCriterion(toString(parseCriterion("1um3<=area<2mm^3"))), parseCriterion("1um3<=area<2e9um3"));
    const auto problem = [](const std::string& criterion, const ImageUnits& units) {
        return criterionProblem(parseCriterion(criterion), units);
    };
    EXPECT_EQ(problem("area>=20mm3", volume), "");
    EXPECT_THAT(problem("area>=20mm2", volume), HasSubstr("give for instance mm3"));
    EXPECT_THAT(problem("area>=20mm3", unitsOf(square(1))), HasSubstr("the image has no volumes"));
    voxel.z = 0;
    EXPECT_THAT(problem("area>=20mm3", {voxel, std::nullopt, true}), HasSubstr("the distance between the slices"));
    EXPECT_THAT(problem("width>=20mm", {voxel, std::nullopt, true}), HasSubstr("the distance between the slices"));
}

TEST(CriterionUnits, AgreeWithWholeNumbersForAnySize) {
    std::mt19937_64 random(3);
    const auto below = [&random](std::uint64_t count) { return static_cast<std::int64_t>(random() % count); };
    const std::array<std::int64_t, 9> powers{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    const std::array<std::pair<LengthUnit, int>, 2> units{{{LengthUnit::micrometre, 0}, {LengthUnit::millimetre, 3}}};
    for (int i = 0; i < 100'000; ++i) {
        // Size X / 10^p µm by Y / 10^p µm, bound B / 10^q in a unit of 10^e µm.
        const std::int64_t x = 1 + below(9999);
        const std::int64_t y = i % 2 == 0 ? x : 1 + below(9999);
        const auto p = static_cast<std::size_t>(below(5));
        const auto q = static_cast<std::size_t>(below(5));
        const auto [unit, e] = units[static_cast<std::size_t>(below(2))];
        const bool area = y != x || below(2) == 0;
        const std::int64_t pixel = area ? x * y : x;
        const std::size_t shift = (area ? 2 : 1) * (p + static_cast<std::size_t>(e));
        if (shift + q > 15) {
            continue;
        }
        // Every other bound is an integer number of pixels if the digits allow it.
        std::int64_t bound = 1 + below(100'000);
        if (below(2) == 0 && e == 0 && (area ? 2 : 1) * p <= 8) {
            const std::int64_t scale = powers[(area ? 2 : 1) * p];
            const std::int64_t pixels = 1 + below(1000);
            bound = pixels * pixel * powers[q] % scale == 0 ? pixels * pixel * powers[q] / scale : bound;
        }
        std::int64_t above = bound; // bound * 10^shift px of pixel * 10^q
        bool fits = true;
        for (std::size_t s = 0; s < shift; ++s) {
            fits = fits && above < std::numeric_limits<std::int64_t>::max() / 10;
            above = fits ? above * 10 : above;
        }
        const std::int64_t beneath = pixel * powers[q];
        if (!fits || above / beneath > 1'000'000'000) {
            continue;
        }
        const std::int64_t rest = above % beneath;
        const bool near = rest != 0 && std::min(rest, beneath - rest) < above / 1'000'000'000'000;
        if (near || bound > 1'000'000'000'000) {
            continue; // more digits than preserved
        }
        const std::int64_t whole = above / beneath;
        const bool exact = rest == 0;
        const PixelSize size{static_cast<double>(x) / static_cast<double>(powers[p]),
                             static_cast<double>(y) / static_cast<double>(powers[p]), "µm", "test"};
        const double value = static_cast<double>(bound) / static_cast<double>(powers[q]);
        const AttributeId id = area ? AttributeId::area : AttributeId::perimeter;
        const auto bounds = [&, unit = unit](double low, double high) {
            return boundsOf<std::uint64_t>(inPixels(Criterion{id, low, high, unit}, unitsOf(size)));
        };
        ASSERT_EQ(static_cast<std::int64_t>(bounds(value, kInf).minimum), exact ? whole : whole + 1)
            << x << ' ' << y << ' ' << p << ' ' << bound << ' ' << q << ' ' << e;
        ASSERT_EQ(static_cast<std::int64_t>(bounds(std::nextafter(value, kInf), kInf).minimum), whole + 1);
        const auto most = bounds(-kInf, value);
        ASSERT_EQ(most.empty ? -1 : static_cast<std::int64_t>(most.maximum), whole);
        const auto less = bounds(-kInf, std::nextafter(value, -kInf));
        ASSERT_EQ(less.empty ? -1 : static_cast<std::int64_t>(less.maximum), exact ? whole - 1 : whole);
    }
}

TEST(CriterionUnits, OfPixelsBecomeTheShortestNumberThatMeansThem) {
    EXPECT_EQ(shortestInUnit(142, LengthUnit::micrometre, Dimension::area, square(0.325)), 14.99875);
    EXPECT_EQ(shortestInUnit(1500, LengthUnit::micrometre, Dimension::area, square(0.1)), 15);
    EXPECT_EQ(shortestInUnit(7, LengthUnit::pixel, Dimension::area, square(0.1)), 7);
    std::mt19937_64 random(5);
    for (int i = 0; i < 20'000; ++i) {
        const PixelSize size = square(std::ldexp(static_cast<double>(1 + random() % 1'000'000), -10) / 3);
        const auto pixels = static_cast<double>(1 + random() % 4'000'000'000);
        for (const Dimension dimension : {Dimension::length, Dimension::area}) {
            const double stated = shortestInUnit(pixels, LengthUnit::micrometre, dimension, size);
            ASSERT_EQ(pixelsOf(stated, LengthUnit::micrometre, dimension, size), pixels) << size.x;
        }
    }
}

TEST(CriterionUnits, HaveNoMeaningWithoutTheSizeOfAPixelInTheScene) {
    const FilterSpec spec = specOf("area>=15um2");
    EXPECT_THAT(refusal(spec, std::nullopt),
                AllOf(HasSubstr("criterion 'area>=15um2'"), HasSubstr("has no pixel size"), HasSubstr("--pixel-size"),
                      HasSubstr("Image panel"), Not(HasSubstr("\n"))));
    PixelSize size = square(0.5);
    EXPECT_EQ(refusal(spec, size), "");
    size.print = true;
    EXPECT_THAT(refusal(spec, size), HasSubstr("one for printing"));
    for (const char* angle : {"°", "arcsec", "arcmin", "mas", "deg"}) {
        EXPECT_THAT(refusal(spec, square(0.5, angle)), HasSubstr("in degrees are not offered")) << angle;
    }
    EXPECT_THAT(refusal(spec, square(0.5, "cubit")), HasSubstr("'cubit', which is no unit of length"));
    EXPECT_THAT(refusal(spec, square(0)), HasSubstr("has no pixel size"));
    EXPECT_THAT(refusal(spec, square(kInf)), HasSubstr("has no pixel size"));
    // Areas of pixels that are not square are exact; lengths depend on the direction.
    const PixelSize oblong{0.5, 0.51, "µm", "test"};
    EXPECT_EQ(refusal(spec, oblong), "");
    EXPECT_THAT(refusal(specOf("major>=3um"), oblong), HasSubstr("not square"));
    EXPECT_EQ(refusal(specOf("major>=3um"), PixelSize{0.5, 0.5004, "µm", "test"}), "");
    EXPECT_EQ(refusal(specOf("area>=15"), std::nullopt), "") << "pixels need no size";
    EXPECT_EQ(inPixels(specOf("area>=15"), {}), specOf("area>=15"));
    EXPECT_EQ(inPixels(parseCriterion("area>=-infum2"), unitsOf(square(1))).minimum, -kInf);
}

TEST(CriterionUnits, ThatHaveNoMeaningCanBeLeftOut) {
    FilterSpec spec = specOf("area>=15um2");
    spec.criteria.push_back(parseCriterion("level>=3"));
    spec.criteria.push_back(parseCriterion("major>=3um"));
    EXPECT_EQ(inPixelsWherePossible(spec, {}).criteria, std::vector{parseCriterion("level>=3")});
    EXPECT_EQ(inPixelsWherePossible(spec, unitsOf(PixelSize{1, 2, "µm", ""})).criteria.size(), 2U);
    EXPECT_EQ(inPixelsWherePossible(spec, unitsOf(square(0.5))), inPixels(spec, unitsOf(square(0.5))));
}

TEST(CriterionUnits, AreNeverTakenForPixelsByAnEngine) {
    std::mt19937 random(1);
    const auto image = makeImage(PixelType::u8, 16, 16, [&](auto, auto) { return random() % 7; });
    const auto session = cpu().openSession({});
    session->open(image);
    (void)session->buildTree({});
    Image out(PixelType::u8, 16, 16);
    const FilterSpec spec = specOf("area>=15um2");
    EXPECT_THROW((void)session->filter(spec, out), Error);
    EXPECT_THROW((void)session->labels(spec), Error);
    EXPECT_THROW(requirePixels(spec), Error);
    EXPECT_NO_THROW((void)session->filter(inPixels(spec, unitsOf(square(2))), out));
}

TEST(SceneUnits, AreThoseThatNumbersOfTheImageAreReadableIn) {
    using enum LengthUnit;
    EXPECT_EQ(readableUnit(square(0.325)), micrometre);
    EXPECT_EQ(readableUnit(square(65, "nm")), nanometre);
    EXPECT_EQ(readableUnit(square(0.1)), micrometre) << "ten of them are one";
    EXPECT_EQ(readableUnit(square(10, "m")), metre);
    EXPECT_EQ(readableUnit(square(200, "m")), kilometre);
    for (const auto& none : {std::optional<PixelSize>(), std::optional(square(0.01, "°")),
                             std::optional(PixelSize{1, 1, "µm", "", true})}) {
        EXPECT_EQ(readableUnit(none), pixel);
        EXPECT_EQ(readableUnits(none, Dimension::area), std::vector{pixel});
    }
    EXPECT_EQ(readableUnits(square(0.325), Dimension::length), (std::vector{pixel, nanometre, micrometre, millimetre}));
    EXPECT_EQ(readableUnits(square(10, "m"), Dimension::area),
              (std::vector{pixel, centimetre, metre, kilometre, hectare}));
    const PixelSize oblong{1, 2, "µm", ""};
    EXPECT_EQ(readableUnits(oblong, Dimension::length), std::vector{pixel});
    EXPECT_GT(readableUnits(oblong, Dimension::area).size(), 1U);
}

} // namespace
} // namespace pollard::testing
