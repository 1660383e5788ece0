#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_tags.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <tiffio.h>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

template <class T> CopiedTag makeTag(std::uint16_t tag, std::uint16_t type, const std::vector<T>& values) {
    CopiedTag made{tag, type, values.size(), {}};
    made.data.resize(values.size() * sizeof(T));
    std::memcpy(made.data.data(), values.data(), made.data.size());
    return made;
}

CopiedTag makeText(std::uint16_t tag, const std::string& text) {
    return makeTag(tag, TIFF_ASCII, std::vector<char>(text.c_str(), text.c_str() + text.size() + 1));
}

std::vector<double> doublesOf(const std::vector<CopiedTag>& tags, std::uint16_t number) {
    return geoValues<double>(tags, number, TIFF_DOUBLE);
}

CopiedTag keyDirectory(bool points) {
    const std::uint16_t raster = points ? 2 : 1;
    return makeTag<std::uint16_t>(kGeoKeyDirectoryTag, TIFF_SHORT,
                                  {1,
                                   1,
                                   0,
                                   5,
                                   kModelTypeKey,
                                   0,
                                   1,
                                   1,
                                   kRasterTypeKey,
                                   0,
                                   1,
                                   raster,
                                   kCitationKey,
                                   kGeoAsciiParamsTag,
                                   22,
                                   0,
                                   kProjectedCrsKey,
                                   0,
                                   1,
                                   32632,
                                   kProjLinearUnitsKey,
                                   0,
                                   1,
                                   9001});
}

std::vector<CopiedTag> allGeoTags(bool points = false) {
    return {makeTag<float>(TIFFTAG_XRESOLUTION, TIFF_RATIONAL, {300.0F}),
            makeTag<float>(TIFFTAG_YRESOLUTION, TIFF_RATIONAL, {200.0F}),
            makeTag<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, {2}),
            makeTag<double>(kModelPixelScaleTag, TIFF_DOUBLE, {10, 20, 0}),
            makeTag<double>(kModelTiepointTag, TIFF_DOUBLE, {0, 0, 0, 500000, 5400000, 0}),
            keyDirectory(points),
            makeTag<double>(kGeoDoubleParamsTag, TIFF_DOUBLE, {6378137, 298.257223563}),
            makeText(kGeoAsciiParamsTag, "WGS 84 / UTM zone 32N|"),
            makeText(kGdalMetadataTag, "<GDALMetadata><Item name=\"a\">b</Item></GDALMetadata>"),
            makeText(kGdalNoDataTag, "-9999")};
}

/// Position of the centre of pixel (column, row), by the definition in GeoTIFF 1.1, 7.1.
std::array<double, 2> placeOfCentre(const std::vector<CopiedTag>& tags, double column, double row) {
    const GeoTransform map = geoTransform(tags).value();
    const double shift = GeoKeys(tags).pixelIsPoint() ? 0.0 : 0.5;
    const double x = column + shift;
    const double y = row + shift;
    return {map.x[0] + map.x[1] * x + map.x[2] * y, map.y[0] + map.y[1] * x + map.y[2] * y};
}

void expectSamePlaces(const std::vector<CopiedTag>& whole, const std::vector<CopiedTag>& part, double left, double top,
                      double scaleX, double scaleY) {
    for (const double column : {0.0, 1.0, 17.0}) {
        for (const double row : {0.0, 3.0, 40.0}) {
            // Centre of the part's pixel in pixels of the whole.
            const double x = left + (column + 0.5) * scaleX - 0.5;
            const double y = top + (row + 0.5) * scaleY - 0.5;
            const auto expected = placeOfCentre(whole, x, y);
            const auto got = placeOfCentre(part, column, row);
            EXPECT_NEAR(got[0], expected[0], 1e-6);
            EXPECT_NEAR(got[1], expected[1], 1e-6);
        }
    }
}

TEST(CropTags, KeepsEveryPixelAtItsPlace) {
    for (const bool points : {false, true}) {
        for (const double scale : {1.0, 2.0, 3.0, 7.5}) {
            SCOPED_TRACE((points ? "points, scale " : "areas, scale ") + std::to_string(scale));
            const auto whole = allGeoTags(points);
            expectSamePlaces(whole, cropTags(whole, {100, 60, 30, 40}, scale), 100, 60, scale, scale);
            expectSamePlaces(whole, cropTags(whole, {5, 0, 30, 40}, scale, 2 * scale), 5, 0, scale, 2 * scale);
        }
    }
}

TEST(CropTags, MovesATransformationThatRotates) {
    for (const bool points : {false, true}) {
        const std::vector<CopiedTag> whole = {keyDirectory(points),
                                              makeTag<double>(kModelTransformationTag, TIFF_DOUBLE,
                                                              {8, 6, 0, 1000, 6, -8, 0, 2000, 0, 0, 0, 0, 0, 0, 0, 1})};
        const auto part = cropTags(whole, {11, 22, 5, 5}, 4, 2);
        expectSamePlaces(whole, part, 11, 22, 4, 2);
        EXPECT_EQ(doublesOf(part, kModelTransformationTag)[15], 1);
    }
}

TEST(CropTags, KeepsThePixelOfALoneTiePointAndMovesControlPoints) {
    const auto lone = cropTags(allGeoTags(), {100, 60, 1, 1}, 2);
    EXPECT_THAT(doublesOf(lone, kModelTiepointTag), ElementsAre(0, 0, 0, 501000, 5398800, 0));
    EXPECT_THAT(doublesOf(lone, kModelPixelScaleTag), ElementsAre(20, 40, 0));

    const std::vector<CopiedTag> control = {makeTag<double>(
        kModelTiepointTag, TIFF_DOUBLE, {100, 60, 0, 7.5, 47.5, 0, 300, 160, 0, 7.7, 47.4, 0, 0, 0, 0, 7.1, 47.9, 0})};
    EXPECT_THAT(doublesOf(cropTags(control, {100, 60, 1, 1}, 2), kModelTiepointTag),
                ElementsAre(0, 0, 0, 7.5, 47.5, 0, 100, 50, 0, 7.7, 47.4, 0, -50, -30, 0, 7.1, 47.9, 0));
}

TEST(CropTags, MovesRationalPolynomials) {
    std::vector<double> values(92, 0.25);
    values[2] = 1000; // line offset
    values[3] = 2000; // sample offset
    values[7] = 900;  // line scale
    values[8] = 1800; // sample scale
    const auto part = cropTags({makeTag(kRpcCoefficientTag, TIFF_DOUBLE, values)}, {100, 50, 9, 9}, 2, 4);
    const auto got = doublesOf(part, kRpcCoefficientTag);
    EXPECT_DOUBLE_EQ(got[2], (1000.5 - 50) / 4 - 0.5);
    EXPECT_DOUBLE_EQ(got[3], (2000.5 - 100) / 2 - 0.5);
    EXPECT_DOUBLE_EQ(got[7], 225);
    EXPECT_DOUBLE_EQ(got[8], 900);
    EXPECT_EQ(got[4], 0.25);
    EXPECT_EQ(got[91], 0.25);
}

TEST(CropTags, ScalesResolutionAndLeavesAllElse) {
    const auto whole = allGeoTags();
    const auto part = cropTags(whole, {1, 2, 3, 4}, 2, 4);
    ASSERT_EQ(part.size(), whole.size());
    const std::vector<std::uint16_t> changed = {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION, kModelPixelScaleTag,
                                                kModelTiepointTag};
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool moves = std::find(changed.begin(), changed.end(), whole[i].tag) != changed.end();
        EXPECT_EQ(part[i] == whole[i], !moves) << whole[i].tag;
    }
    float resolution = 0;
    std::memcpy(&resolution, part[0].data.data(), sizeof resolution);
    EXPECT_EQ(resolution, 150.0F);
    std::memcpy(&resolution, part[1].data.data(), sizeof resolution);
    EXPECT_EQ(resolution, 50.0F);
    EXPECT_EQ(cropTags(whole, {0, 0, 3, 4}, 1), whole);
}

TEST(CropTags, LeavesOddTagsAlone) {
    const std::vector<CopiedTag> odd = {
        makeTag<float>(kModelTiepointTag, TIFF_FLOAT, {1, 2, 3, 4, 5, 6}),
        makeTag<double>(kModelTransformationTag, TIFF_DOUBLE, {1, 2, 3}),
        makeTag<double>(kModelPixelScaleTag, TIFF_DOUBLE, {1}),
        {kModelTiepointTag, TIFF_DOUBLE, 6, std::vector<std::byte>(5)},
        makeTag<double>(kRpcCoefficientTag, TIFF_DOUBLE, {1, 2, 3}),
        makeTag<std::uint16_t>(kGeoKeyDirectoryTag, TIFF_SHORT, {1, 1, 0, 60000, 1025, 0, 1}),
        makeTag<float>(TIFFTAG_XRESOLUTION, TIFF_RATIONAL, {1, 2})};
    EXPECT_EQ(cropTags(odd, {7, 8, 9, 10}, 3), odd);
    ImageInfo info;
    info.carried = odd;
    describeGeoTags(info);
    EXPECT_TRUE(info.facts.empty());
    EXPECT_FALSE(info.pixelSize);
}

TEST(GeoFacts, NameSystemCornerAndPixel) {
    ImageInfo info;
    info.carried = allGeoTags();
    describeGeoTags(info);
    EXPECT_THAT(info.facts, ElementsAre(Pair("Coordinate system", "WGS 84 / UTM zone 32N (EPSG:32632)"),
                                        Pair("Upper left corner", "500000, 5400000"),
                                        Pair("Map units per pixel", "10 x 20"), Pair("No-data value", "-9999")));
    ASSERT_TRUE(info.pixelSize);
    EXPECT_EQ(*info.pixelSize, (PixelSize{10, 20, "m", "GeoTIFF", false}));

    info = {};
    info.carried = allGeoTags(true); // points: the corner is half a pixel up and left
    describeGeoTags(info);
    EXPECT_THAT(info.facts, ::testing::Contains(Pair("Upper left corner", "499995, 5400010")));
}

TEST(GeoFacts, KnowDegreesAndFeet) {
    ImageInfo info;
    info.carried = {makeTag<double>(kModelPixelScaleTag, TIFF_DOUBLE, {0.25, 0.25, 0}),
                    makeTag<double>(kModelTiepointTag, TIFF_DOUBLE, {0, 0, 0, -180, 90, 0}),
                    makeTag<std::uint16_t>(kGeoKeyDirectoryTag, TIFF_SHORT,
                                           {1, 1, 0, 2, kModelTypeKey, 0, 1, 2, kGeodeticCrsKey, 0, 1, 4326})};
    describeGeoTags(info);
    EXPECT_THAT(info.facts, ::testing::Contains(Pair("Coordinate system", "EPSG:4326")));
    EXPECT_EQ(info.pixelSize, (PixelSize{0.25, 0.25, "°", "GeoTIFF", false}));

    info.carried[2] = makeTag<std::uint16_t>(kGeoKeyDirectoryTag, TIFF_SHORT,
                                             {1, 1, 0, 2, kModelTypeKey, 0, 1, 1, kProjLinearUnitsKey, 0, 1, 9002});
    info.pixelSize.reset();
    describeGeoTags(info);
    ASSERT_TRUE(info.pixelSize);
    EXPECT_DOUBLE_EQ(info.pixelSize->x, 0.25 * 0.3048);
    EXPECT_EQ(info.pixelSize->unit, "m");
}

TEST(GeoFacts, SurviveNonsense) {
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        ImageInfo info;
        info.carried = allGeoTags();
        info.carried[3] = makeTag<double>(kModelPixelScaleTag, TIFF_DOUBLE, {bad, bad, 0});
        describeGeoTags(info);
        EXPECT_EQ(info.pixelSize.has_value(), bad == -1.0);
    }
}

TEST(FactText, IsAlwaysOneLineOfUtf8) {
    EXPECT_EQ(factText("  a\r\n b\t\x01 "), "a b");
    EXPECT_EQ(factText("\xb5m"), "µm");
    EXPECT_EQ(factText("µm"), "µm");
    EXPECT_EQ(factText("\xe2\x82"), "â\xc2\x82");
    EXPECT_EQ(factText("abcdef", 3), "abc…");
    EXPECT_EQ(factText("aµµ", 4), "aµ…");
    EXPECT_EQ(factText(""), "");
    EXPECT_EQ(factNumber(0.25), "0.25");
}

} // namespace

} // namespace pollard::test
