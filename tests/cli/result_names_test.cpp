#include "cli_fixture.hpp"

#include "io/write/atomic_file.hpp"

#include <array>
#include <filesystem>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class ResultNames : public CliTest {};

TEST_F(ResultNames, OfOtherFormatsAreRefusedBeforeTheWork) {
    (void)makeImage("a.tif", PixelType::u8, 20, 20, 9);
    const std::vector<std::pair<Args, const char*>> outputs{
        {{"components", path("a.tif"), "--threshold", "5", "--csv"}, ".csv"},
        {{"components", path("a.tif"), "--threshold", "5", "--geojson"}, ".geojson"},
        {{"components", path("a.tif"), "--threshold", "5", "--vector"}, ".gpkg, .fgb or .csv"},
        {{"components", path("a.tif"), "--threshold", "5", "--labels"}, ".tif"},
        {{"tree", path("a.tif"), "--nodes"}, ".csv or .npy"},
        {{"tree", path("a.tif"), "--parent"}, ".tif"},
        {{"tree", path("a.tif"), "--dot"}, ".dot"},
        {{"mser", path("a.tif"), "--csv"}, ".csv"},
        {{"spectrum", path("a.tif"), "--csv"}, ".csv"},
        {{"track", path("a.tif"), "--threshold", "5", "--csv"}, ".csv"},
        {{"track", path("a.tif"), "--threshold", "5", "--events"}, ".csv"},
        {{"snake", path("a.tif"), "--init", "2,2,9,9", "--trace"}, ".csv"},
        {{"snake", path("a.tif"), "--init", "2,2,9,9", "--svg"}, ".svg"},
        {{"snake", path("a.tif"), "--init", "2,2,9,9", "--roi"}, ".roi or .zip"},
        {{"snake", path("a.tif"), "--init", "2,2,9,9", "--vector"}, ".gpkg, .fgb or .csv"}};
    const std::vector<std::string> before = filesInFolder();
    for (const auto& [line, written] : outputs) {
        for (const char* ending : {".kml", ".JSON", ".xlsx", ".png"}) {
            if (line.back() == "--geojson" && std::string_view(ending) == ".JSON") {
                continue; // GeoJSON is JSON
            }
            Args args = line;
            args.push_back(path(std::string("o") + ending));
            const Outcome outcome = call(args);
            EXPECT_NE(outcome.code, 0) << line.back() << ending;
            EXPECT_THAT(outcome.err, HasSubstr(written)) << line.back() << ending;
            EXPECT_EQ(filesInFolder(), before);
        }
    }
}

TEST_F(ResultNames, WithoutAKnownEndingAreKept) {
    (void)makeImage("a.tif", PixelType::u8, 20, 20, 9);
    for (const char* name : {"table", "table.txt", "table.2024", "table.csv", "TABLE.CSV"}) {
        EXPECT_EQ(call({"components", path("a.tif"), "--threshold", "5", "--csv", path(name)}).code, 0) << name;
        EXPECT_TRUE(std::filesystem::exists(path(name)));
    }
}

TEST_F(ResultNames, ImagesAreWrittenAsPngAndJpeg) {
    (void)makeImage("a.tif", PixelType::u8, 20, 20, 9);
    (void)makeImage("w.tif", PixelType::u16, 20, 20, 9);
    const auto filter = [&](const char* source, const char* target, const Args& more = {}) {
        Args args{"filter", path(source), "--keep", "area>=1", "-o", path(target)};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    EXPECT_EQ(filter("a.tif", "o.png").code, 0);
    EXPECT_EQ(readImage(path("o.png")).info.format, "PNG");
    EXPECT_EQ(filter("a.tif", "o.jpg").code, 0);
    EXPECT_EQ(readImage(path("o.jpg")).info.format, "JPEG");
    EXPECT_EQ(filter("a.tif", "m.png", {"--output", "mask"}).code, 0);
    const std::vector<std::string> before = filesInFolder();
    const Outcome wide = filter("w.tif", "p.jpg");
    EXPECT_EQ(wide.code, 1);
    EXPECT_THAT(wide.err, HasSubstr("write .tif or .png"));
    EXPECT_EQ(filter("a.tif", "m.jpg", {"--output", "mask"}).code, 1);
    EXPECT_EQ(filter("a.tif", "l.png", {"--output", "labels"}).code, 2) << "refused before the work";
    EXPECT_EQ(filesInFolder(), before);
}

TEST_F(ResultNames, LabelsOfAnImageCanBeAnArray) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 9);
    ASSERT_EQ(call({"components", path("a.tif"), "--threshold", "5", "--labels", path("l.npy")}).code, 0);
    EXPECT_EQ(std::filesystem::file_size(path("l.npy")) % 64, 20U * 10 * 4 % 64) << "a header of whole 64 bytes";
}

TEST(NameEnding, KnowsDoubledOnes) {
    EXPECT_EQ(knownEnding("a/b.NII.gz"), ".nii.gz");
    EXPECT_EQ(knownEnding("b.csv"), ".csv");
    EXPECT_EQ(knownEnding(".csv"), "") << "a name, not an ending";
    EXPECT_EQ(knownEnding("b"), "");
    const std::array<std::string_view, 2> written{".csv", ".npy"};
    EXPECT_EQ(endingProblem("b.dat", written), "");
    EXPECT_NE(endingProblem("b.png", written), "");
}

} // namespace
} // namespace pollard::cli
