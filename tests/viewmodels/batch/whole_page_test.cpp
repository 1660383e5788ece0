// Criteria of a part or a reduced version on the whole page.
#include "vm/batch/overview.hpp"

#include <QLocale>
#include <gtest/gtest.h>

#include <limits>

namespace pollard::vm {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

ImageInfo infoWithLevels() {
    ImageInfo info;
    info.width = 256;
    info.height = 192;
    info.level = 2;
    info.levels = {{1024, 768}, {512, 384}, {256, 192}};
    info.pixelSize = PixelSize{2, 2, "µm", ""};
    return info;
}

ShownPart enlargedBy(double factor) {
    ShownPart shown;
    shown.factor = factor;
    return shown;
}

Criterion on(AttributeId id, double minimum, double maximum = kNone) { return {id, minimum, maximum}; }

TEST(WholePage, FactorIsThatOfTheLevelAndOfShrinking) {
    OpenRequest request;
    EXPECT_EQ(ShownPart::of(request, infoWithLevels()).factor, 1);
    request.level = 2;
    EXPECT_EQ(ShownPart::of(request, infoWithLevels()).factor, 4);
    request.shrink = 2;
    request.region = PixelRegion{10, 20, 30, 40};
    const ShownPart shown = ShownPart::of(request, infoWithLevels());
    EXPECT_EQ(shown.factor, 8);
    EXPECT_EQ(shown.x, 40);
    EXPECT_EQ(shown.y, 80);
}

TEST(WholePage, APartOfTheFullResolutionIsOneMoreConversion) {
    ShownPart level = enlargedBy(8);
    ShownPart part;
    part.x = 100;
    part.y = 40;
    EXPECT_EQ(onWholePage(on(AttributeId::area, 10), level, part), on(AttributeId::area, 640));
    EXPECT_EQ(onWholePage(on(AttributeId::area, 640), part, level), on(AttributeId::area, 10));
    EXPECT_EQ(onWholePage(on(AttributeId::width, 3, 9), level, part), on(AttributeId::width, 24, 72));
    // The middle of shown pixel 20 is at 164 px of the page, 64 px in the part; centres are at whole numbers.
    EXPECT_EQ(onWholePage(on(AttributeId::centroidX, 20), level, part), on(AttributeId::centroidX, 63.5));
    EXPECT_EQ(onWholePage(on(AttributeId::centroidX, 63.5), part, level), on(AttributeId::centroidX, 20));
}

TEST(WholePage, BoundsGrowByTheDimensionOfTheirAttribute) {
    const ShownPart shown = enlargedBy(4);
    const auto grown = [&](AttributeId id) { return onWholePage(on(id, 10), shown).minimum; };
    for (const AttributeId length : {AttributeId::width, AttributeId::heightPx, AttributeId::bboxDiagonal,
                                     AttributeId::major, AttributeId::perimeter, AttributeId::border}) {
        EXPECT_EQ(grown(length), 40) << attributeInfo(length).name;
    }
    for (const AttributeId area : {AttributeId::area, AttributeId::bboxArea, AttributeId::volume, AttributeId::sum}) {
        EXPECT_EQ(grown(area), 160) << attributeInfo(area).name;
    }
    for (const AttributeId same :
         {AttributeId::level, AttributeId::contrast, AttributeId::height, AttributeId::mean, AttributeId::variance,
          AttributeId::elongation, AttributeId::circularity, AttributeId::holes, AttributeId::leaves}) {
        EXPECT_EQ(grown(same), 10) << attributeInfo(same).name;
    }
    EXPECT_EQ(onWholePage(on(AttributeId::area, -kNone, 7), shown), on(AttributeId::area, -kNone, 112));
}

TEST(WholePage, BoundsOfWholeNumbersStayWholeNumbers) {
    EXPECT_EQ(onWholePage(on(AttributeId::area, 3), enlargedBy(2.5)).minimum, 19);
    EXPECT_EQ(onWholePage(on(AttributeId::major, 3), enlargedBy(2.5)).minimum, 7.5);
}

TEST(WholePage, BoundsInUnitsStayExceptPositionsInAPart) {
    ShownPart shown = enlargedBy(4);
    shown.pixelSize = PixelSize{2, 2, "µm", ""};
    const Criterion area{AttributeId::area, 15, kNone, LengthUnit::micrometre};
    const Criterion place{AttributeId::centroidX, 6, kNone, LengthUnit::micrometre};
    EXPECT_EQ(onWholePage(area, shown), area);
    EXPECT_EQ(onWholePage(place, shown), place);
    shown.x = 100;
    EXPECT_EQ(onWholePage(area, shown), area);
    EXPECT_EQ(onWholePage(place, shown), on(AttributeId::centroidX, 100 + 3.5 * 4 - 0.5)) << "6 um are 3 shown px";
}

TEST(WholePage, PositionsAreThoseOfTheSamePlace) {
    ShownPart shown = enlargedBy(2);
    shown.y = 50;
    EXPECT_EQ(onWholePage(on(AttributeId::centroidX, 0), shown).minimum, 0.5) << "the middle of two pixels";
    EXPECT_EQ(onWholePage(on(AttributeId::centroidY, 0), shown).minimum, 50.5);
}

TEST(WholePage, CriteriaWithoutAnEffectOnTheShownImageAreDropped) {
    FilterSpec filter;
    filter.criteria = {on(AttributeId::area, 10), {AttributeId::area, 15, kNone, LengthUnit::micrometre}};
    const FilterSpec whole = onWholePage(filter, enlargedBy(2)); // without a pixel size
    EXPECT_EQ(whole.criteria, (std::vector{on(AttributeId::area, 40)}));
}

TEST(WholePage, TextHasBothNumbers) {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    OpenRequest request;
    request.level = 3;
    const auto text = [&](const Criterion& criterion) { return wholePageText(criterion, enlargedBy(8), request); };
    EXPECT_EQ(text(on(AttributeId::area, 100)), QStringLiteral("Area >= 6,400 px (100 px on the shown level)"));
    EXPECT_EQ(text(on(AttributeId::width, 10, 20)),
              QStringLiteral("80 <= Width <= 160 px (10 to 20 px on the shown level)"));
    EXPECT_EQ(text(on(AttributeId::contrast, 12)), QStringLiteral("Contrast >= 12"));
    request.level = 0;
    EXPECT_EQ(text(on(AttributeId::area, 1)), QStringLiteral("Area >= 64 px (1 px in the shrunk image)"));
}

} // namespace
} // namespace pollard::vm
