// Contour files, read back.

#include "base/error.hpp"
#include "core/io/io_support.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_output.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace pollard::testing {
namespace {

using test::readBytes;
using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A big-endian 16-bit number.
std::int32_t bigAt(const std::string& bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes.at(at)) << 8 | static_cast<unsigned char>(bytes.at(at + 1));
}

Contour randomContour(Random& random, std::size_t nodes) {
    Contour contour(nodes);
    std::ranges::generate(contour, [&] {
        return ContourNode{static_cast<std::int32_t>(random() % 30000), static_cast<std::int32_t>(random() % 30000)};
    });
    return contour;
}

TEST(ContourFiles, TakesTheOuterRings) {
    const char* const kRing = R"([[1,2],[5.4,2],[5.4,1.6],[9,8],[1,2]],[[3,3],[4,4],[4,3]])";
    const auto expectRing = [](const std::string& text) {
        EXPECT_THAT(contoursIn(text), ElementsAre(Contour{{1, 2}, {5, 2}, {9, 8}})) << text;
    };
    const std::string polygon = R"({"type":"Polygon","coordinates":[)" + std::string(kRing) + "]}";
    expectRing(polygon);
    expectRing(R"({"type":"MultiPolygon","coordinates":[[)" + std::string(kRing) + "]]}");
    const std::string feature = R"({"type":"Feature","properties":null,"geometry":)" + polygon + "}";
    expectRing(feature);
    expectRing(R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},)" + feature + "]}");
    expectRing(R"({"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},)" + polygon + "]}");
}

TEST(ContourFiles, TakesAllPolygonsInTheirOrder) {
    const auto polygon = [](int x) {
        const std::string left = std::to_string(x);
        return "[[[" + left + ",0],[" + left + ",9],[30,9]]]";
    };
    const auto feature = [](const std::string& type, const std::string& coordinates) {
        return R"({"type":"Feature","geometry":{"type":")" + type + R"(","coordinates":)" + coordinates + "}}";
    };
    const std::string text = R"({"type":"FeatureCollection","features":[)" + feature("Polygon", polygon(1)) + ',' +
                             feature("MultiPolygon", "[" + polygon(2) + "," + polygon(3) + "]") + ',' +
                             feature("Polygon", polygon(4)) + "]}";
    const std::vector<Contour> contours = contoursIn(text);
    ASSERT_EQ(contours.size(), 4U);
    for (std::size_t i = 0; i < contours.size(); ++i) {
        const auto x = static_cast<std::int32_t>(i + 1);
        EXPECT_EQ(contours[i], (Contour{{x, 0}, {x, 9}, {30, 9}}));
    }
}

TEST(ContourFiles, RefusesWhatIsNoPolygon) {
    for (const char* text :
         {"", "[]", "{}", "7", R"({"type":"Polygon"})", R"({"type":"Polygon","coordinates":[]})",
          R"({"type":"Polygon","coordinates":7})", R"({"type":"Polygon","coordinates":[7]})",
          R"({"type":"Polygon","coordinates":[[7]]})", R"({"type":"Polygon","coordinates":[[[1]]]})",
          R"({"type":"Polygon","coordinates":[[["a","b"]]]})", R"({"type":"Polygon","coordinates":[[[-1,2]]]})",
          R"({"type":"FeatureCollection","features":{}})", R"({"type":"Feature","geometry":{"type":"Feature"}})"}) {
        EXPECT_THROW((void)contoursIn(text), Error) << text;
    }
}

TEST(ContourFiles, GeojsonReadsBack) {
    const TempDir folder;
    Random random(201);
    for (std::size_t count = 1; count < 5; ++count) {
        std::vector<LabelledContour> filed;
        std::vector<Contour> contours;
        for (std::size_t i = 0; i < count; ++i) {
            contours.push_back(randomContour(random, 3 + random() % 40));
            filed.push_back({contours.back(), static_cast<std::uint32_t>(i + 1), std::nullopt});
        }
        writeContourGeojson(folder / "c.geojson", filed);
        EXPECT_EQ(readContours(folder / "c.geojson"), contours);
        EXPECT_EQ(readBytes(folder / "c.geojson").starts_with(R"({"type":"Feature",)"), count == 1);
    }
    writeContourGeojson(folder / "c.geojson", std::vector<LabelledContour>{{{{0, 0}, {9, 0}, {9, 9}}, 2, 7}});
    EXPECT_THAT(readBytes(folder / "c.geojson"), HasSubstr(R"("properties":{"label":2,"page":7})"));
    writeContourGeojson(
        folder / "c.geojson",
        std::vector<LabelledContour>{{{{0, 0}, {9, 0}, {9, 9}}, 1, {}, "page", {{"area", 40.5}, {"mean", {}}}}});
    EXPECT_THAT(readBytes(folder / "c.geojson"), HasSubstr(R"("properties":{"area":40.5,"mean":null})"));
}

TEST(ContourFiles, SvgDrawsClosedPathsOverTheImage) {
    const TempDir folder;
    Random random(202);
    const std::vector<LabelledContour> filed{{randomContour(random, 5), 1, std::nullopt},
                                             {randomContour(random, 9), 2, std::nullopt}};
    writeContourSvg(folder / "c.svg", filed, 30000, 20000, "a < b & \n c");
    const std::string text = readBytes(folder / "c.svg");
    EXPECT_THAT(text, HasSubstr(R"(viewBox="0 0 30000 20000")"));
    EXPECT_THAT(text, HasSubstr("<title>a &lt; b &amp;   c</title>"));
    const std::regex path(R"re( d="([^"]*)Z"/>)re");
    std::vector<Contour> drawn;
    for (std::sregex_iterator i(text.begin(), text.end(), path), end; i != end; ++i) {
        std::istringstream numbers((*i)[1].str());
        Contour& contour = drawn.emplace_back();
        char letter = 0;
        char comma = 0;
        for (ContourNode node; numbers >> letter >> node.x >> comma >> node.y;) {
            EXPECT_EQ(letter, contour.empty() ? 'M' : 'L');
            contour.push_back(node);
        }
    }
    EXPECT_THAT(drawn, ElementsAre(filed[0].nodes, filed[1].nodes));
}

TEST(ContourFiles, RoisReadBack) {
    const TempDir folder;
    Random random(203);
    std::vector<LabelledContour> filed;
    std::vector<std::string> rois;
    for (std::uint32_t label = 1; label <= 10; ++label) {
        filed.push_back({randomContour(random, 3 + random() % 40), label, std::nullopt});
        const Contour& contour = filed.back().nodes;
        writeContourRois(folder / "c.roi", std::span(filed).last(1));
        const std::string roi = rois.emplace_back(readBytes(folder / "c.roi"));
        EXPECT_TRUE(roi.starts_with("Iout"));
        EXPECT_EQ(roi.at(6), 0) << "a polygon";
        const auto corners = static_cast<std::size_t>(bigAt(roi, 16));
        ASSERT_EQ(roi.size(), 64 + 4 * corners);
        Contour read;
        for (std::size_t i = 0; i < corners; ++i) {
            read.push_back(
                {bigAt(roi, 10) + bigAt(roi, 64 + 2 * i), bigAt(roi, 8) + bigAt(roi, 64 + 2 * (corners + i))});
        }
        EXPECT_EQ(read, contour);
        const auto [left, right] = std::ranges::minmax(contour, {}, &ContourNode::x);
        const auto [top, bottom] = std::ranges::minmax(contour, {}, &ContourNode::y);
        EXPECT_EQ((std::array{bigAt(roi, 8), bigAt(roi, 10), bigAt(roi, 12), bigAt(roi, 14)}),
                  (std::array{top.y, left.x, bottom.y, right.x}));
    }
    EXPECT_THROW(writeContourRois(folder / "several.roi", filed), Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "several.roi"));
    writeContourRois(folder / "set.zip", filed);
    const std::string set = readBytes(folder / "set.zip");
    std::size_t at = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) {
        const std::string name = (i + 1 < 10 ? "0" : "") + std::to_string(i + 1) + ".roi";
        at = set.find(name + rois[i], at); // in the order of the contours, uncompressed
        ASSERT_NE(at, std::string::npos) << name;
    }
    filed.resize(1);
    filed[0].page = 3;
    writeContourRois(folder / "set.zip", filed);
    EXPECT_THAT(readBytes(folder / "set.zip"), HasSubstr("3-1.roi"));
}

TEST(ContourFiles, RefusesWhatRoisCannotHold) {
    const TempDir folder;
    const auto write = [&](const Contour& contour) {
        writeContourRois(folder / "c.roi", std::vector<LabelledContour>{{contour, 1, std::nullopt}});
    };
    EXPECT_NO_THROW(write({{0, 0}, {32767, 0}, {32767, 32767}}));
    EXPECT_THROW(write({{0, 0}, {32768, 0}, {9, 9}}), Error);
    EXPECT_THROW(write({{0, 0}, {9, 32768}, {9, 9}}), Error);
    EXPECT_NO_THROW(write(Contour(65535)));
    EXPECT_THROW(write(Contour(65536)), Error);
}

TEST(ContourFiles, RefusesFilesThatAreNone) {
    const TempDir folder;
    EXPECT_THROW((void)readContours(folder / "none.geojson"), Error);
    std::ofstream(folder / "empty.geojson").flush();
    EXPECT_THROW((void)readContours(folder / "empty.geojson"), Error);
    EXPECT_THROW((void)readContours(folder.path()), Error);
    std::ofstream(folder / "text.geojson") << "text";
    try {
        (void)readContours(folder / "text.geojson");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("text.geojson"));
    }
}

TEST(TraceFile, HasALineAState) {
    const TempDir folder;
    SnakeState state;
    state.kind = SnakeStep::move;
    state.round = 7;
    state.reach = 4;
    state.nodes.resize(5);
    state.energy = 1.5;
    state.inside = {4, 8, 20};    // mean 2, variance 1
    state.outside = {10, 30, 90}; // mean 3, variance 0
    TraceFile plain(folder / "plain.csv");
    plain.add(state);
    plain.commit();
    const std::string names = "iteration,kind,step,nodes,energy,inside_pixels,inside_mean,inside_variance,"
                              "outside_mean,outside_variance\n";
    EXPECT_EQ(readBytes(folder / "plain.csv"), names + "7,move,4,5,1.5,4,2,1,3,0\n");
    TraceFile keyed(folder / "keyed.csv", {.page = 0, .contour = 1});
    keyed.add(state, {.page = 3, .contour = 2});
    EXPECT_FALSE(std::filesystem::exists(folder / "keyed.csv"));
    keyed.commit();
    EXPECT_EQ(readBytes(folder / "keyed.csv"), "page,contour," + names + "3,2,7,move,4,5,1.5,4,2,1,3,0\n");
}

} // namespace
} // namespace pollard::testing
