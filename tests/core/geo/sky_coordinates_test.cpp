// Positions in the sky, against astropy.wcs 'WCS(header).all_pix2world([[x, rows - 1 - y]], 0)'.

#include "geo/sky_coordinates.hpp"
#include "support/sky_cards.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace pollard::testing {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

TEST(SkyCoordinates, AreThoseOfAstropyWithPolynomials) {
    POLLARD_NEED_WCS();
    const auto sky = SkyCoordinates::of(sipHeader());
    ASSERT_NE(sky, nullptr);
    EXPECT_TRUE(sky->isEquatorial());
    EXPECT_EQ(sky->frame(), "FK5");
    const SkyPoint place = sky->at(33, 12);
    EXPECT_NEAR(place.longitude, 150.1015718570, 1e-9);
    EXPECT_NEAR(place.latitude, 2.2057433030, 1e-9);
}

TEST(SkyCoordinates, AreThoseOfAstropyInGalacticCoordinatesWithAMatrix) {
    POLLARD_NEED_WCS();
    SkyHeader header;
    header.height = 100;
    header.cards = {
        "CTYPE1  = 'GLON-CAR'",           "CTYPE2  = 'GLAT-CAR'",           "CRVAL1  =                 10.0",
        "CRVAL2  =                  0.0", "CRPIX1  =                 40.5", "CDELT1  =                -0.01",
        "CDELT2  =                 0.02", "PC1_1   =                  0.9", "PC1_2   =                 -0.1",
        "PC2_1   =                  0.2", "PC2_2   =                 0.95"};
    const auto sky = SkyCoordinates::of(header);
    ASSERT_NE(sky, nullptr);
    EXPECT_EQ(sky->longitudeName(), "glon");
    EXPECT_EQ(sky->latitudeName(), "glat");
    EXPECT_EQ(sky->frame(), "");
    EXPECT_NEAR(sky->at(33, 12).longitude, 10.1465, 1e-9);
    EXPECT_NEAR(sky->at(33, 12).latitude, 1.646, 1e-9);
}

/// A reduced part has other pixels, and its cards other numbers: the position is unchanged.
TEST(SkyCoordinates, OfAReducedPartAreThoseOfTheWhole) {
    POLLARD_NEED_WCS();
    const SkyHeader whole = sipHeader();
    std::optional<SkyHeader> part = whole;
    moveFirst(part, 10, 20, 0);
    shrinkPixels(part, 2, 4, 1);
    SkyHeader written; // of 20 rows
    written.height = 20;
    written.cards = part->cardsFor(20);
    const auto first = SkyCoordinates::of(whole);
    const auto second = SkyCoordinates::of(part);
    const auto third = SkyCoordinates::of(written);
    ASSERT_TRUE(first && second && third);
    for (const auto& [x, y] : std::array<std::array<double, 2>, 3>{{{0, 0}, {3, 7}, {39, 19}}}) {
        const SkyPoint expected = first->at(10 + (x + 0.5) * 2 - 0.5, 20 + (y + 0.5) * 4 - 0.5);
        for (const auto& other : {second, third}) {
            EXPECT_NEAR(other->at(x, y).longitude, expected.longitude, 1e-10);
            EXPECT_NEAR(other->at(x, y).latitude, expected.latitude, 1e-10);
        }
    }
}

TEST(SkyCoordinates, AreMissingWithoutPlacesInTheSky) {
    EXPECT_EQ(SkyCoordinates::of(std::nullopt), nullptr);
    SkyHeader header;
    header.cards = {"CTYPE1  = 'LINEAR  '", "CRPIX1  = 'none'", "CTYPE2  = ''", "CD1_1   = 1E999"};
    EXPECT_EQ(SkyCoordinates::of(header), nullptr);
}

TEST(SkyHeader, OfTheWholeImageHasTheCardsOfTheFile) {
    const SkyHeader whole = sipHeader();
    EXPECT_EQ(whole.cardsFor(100), whole.cards);
    EXPECT_EQ(whole.text("CTYPE1"), "RA---TAN-SIP");
    EXPECT_EQ(whole.text("RADESYS"), "FK5");
    EXPECT_EQ(whole.text("CTYPE3"), "");
}

TEST(SkyHeader, OfAPartHasAnotherReferenceAndTheSameScale) {
    std::optional<SkyHeader> part = sipHeader();
    moveFirst(part, 10, 20, 0);
    const auto cards = part->cardsFor(50); // rows 20 to 69 from the top; 30 are below
    EXPECT_THAT(cards, Contains(StartsWith("CRPIX1  =                 30.5 / column of the reference")));
    EXPECT_THAT(cards, Contains(StartsWith("CRPIX2  =                30.25")));
    EXPECT_THAT(cards, Contains(StartsWith("CD2_1   =              1.1D-05")));
    EXPECT_EQ(cards.size(), sipHeader().cards.size());
}

TEST(SkyHeader, OfAReducedImageHasDefaultsThatChange) {
    std::optional<SkyHeader> sky = SkyHeader{};
    sky->cards = {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "PC1_2   =                  0.5"};
    sky->height = 8;
    shrinkPixels(sky, 2, 4, 1);
    const auto cards = sky->cardsFor(2);
    EXPECT_THAT(cards, Contains(StartsWith("CDELT1  =                  2.0")));
    EXPECT_THAT(cards, Contains(StartsWith("CDELT2  =                  4.0")));
    EXPECT_THAT(cards, Contains(StartsWith("PC1_2   =                  1.0")));
    EXPECT_THAT(cards, Contains(StartsWith("CRPIX1  =                 0.25")));
    EXPECT_THAT(cards, Contains(StartsWith("CRPIX2  =                0.375")));
}

TEST(SkyHeader, KnowsItsKeywords) {
    for (const char* const keyword : {"CRPIX1", "CRPIX12", "CD1_2A", "PV2_13", "A_ORDER", "BP_1_0", "LONPOLE",
                                      "WCSAXESB", "RADESYS", "EQUINOX", "WAT1_001", "CTYPE2"}) {
        EXPECT_TRUE(isSkyKeyword(keyword)) << keyword;
    }
    for (const char* const keyword : {"", "NAXIS1", "BZERO", "CRPIX", "OBJECT", "CD1_2AB", "CTYPE", "A_1"}) {
        EXPECT_FALSE(isSkyKeyword(keyword)) << keyword;
    }
}

} // namespace
} // namespace pollard::testing
