// Units of length on the command line: criteria, conditions, tables and recipes use the size of each image.

#include "cli_fixture.hpp"

#include "components/components.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

namespace pollard::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class UnitsCommand : public CliTest {
protected:
    /// Noise of two and more levels, with pixels of this side in µm; 0: no size in the file.
    void make(const std::string& name, float side) const {
        std::mt19937 random(8);
        const auto image = testing::makeImage(PixelType::u8, 80, 60,
                                              [&](auto, auto) { return random() % 5 < 2 ? 3 + random() % 9 : 1; });
        std::vector<CopiedTag> tags;
        if (side > 0) { // ImageJ's form
            const std::string text = "ImageJ=1.53t\nunit=micron\n";
            tags.push_back(tag(270, 2, text.size() + 1, text.c_str(), text.size() + 1));
            const float perMicrometre = 1 / side;
            tags.push_back(tag(282, 5, 1, &perMicrometre, sizeof(float)));
            tags.push_back(tag(283, 5, 1, &perMicrometre, sizeof(float)));
        }
        writeTiff(path(name), {*image, {.carried = tags}}, {.compression = TiffCompression::none});
    }
    [[nodiscard]] std::string contentOf(const std::string& name) const {
        std::ifstream stream(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] static std::size_t lines(const std::string& text) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

private:
    static CopiedTag tag(std::uint16_t number, std::uint16_t type, std::uint64_t count, const void* data,
                         std::size_t bytes) {
        CopiedTag made{number, type, count, std::vector<std::byte>(bytes)};
        std::memcpy(made.data.data(), data, bytes);
        return made;
    }
};

TEST_F(UnitsCommand, FilterTakesThePixelsOfTheImage) {
    make("half.tif", 0.5F);
    make("quarter.tif", 0.25F);
    make("plain.tif", 0);
    const auto filtered = [&](const char* image, const char* criterion) {
        const Outcome outcome = call({"filter", path(image), "-o", path("out.tif"), "--keep", criterion, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    };
    const auto half = filtered("half.tif", "area>=1.5um2");
    const std::string image = contentOf("out.tif");
    EXPECT_EQ(half["criteria"], Json::array({"area>=1.5um2"})) << "as it was given";
    EXPECT_EQ(half["kept"], filtered("half.tif", "area>=6")["kept"]);
    EXPECT_EQ(contentOf("out.tif"), image);
    EXPECT_EQ(filtered("quarter.tif", "area>=1.5 µm²")["kept"], filtered("plain.tif", "area>=24")["kept"]);
    EXPECT_NE(half["kept"], filtered("quarter.tif", "area>=1.5um2")["kept"]);
    const Outcome refused = call({"filter", path("plain.tif"), "-o", path("no.tif"), "--keep", "area>=1.5um2"});
    EXPECT_NE(refused.code, 0);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("plain.tif: criterion 'area>=1.5um2': the image has no pixel size"),
                                   HasSubstr("--pixel-size")));
    EXPECT_FALSE(std::filesystem::exists(path("no.tif")));
    const Outcome wrong = call({"filter", path("half.tif"), "-o", path("no.tif"), "--keep", "area>=1.5um"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("'area' is an area"));
}

TEST_F(UnitsCommand, ComponentsWriteMeasuresAndConditionsInUnits) {
    make("half.tif", 0.5F);
    make("plain.tif", 0);
    const auto run = [&](const char* image, Args more) {
        Args args{"components", path(image), "--threshold", "3", "--csv", path("t.csv"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const Outcome pixels = run("half.tif", {});
    ASSERT_EQ(pixels.code, 0) << pixels.err;
    const std::string plain = contentOf("t.csv");
    EXPECT_TRUE(plain.starts_with("label,area,left,top,width,height,centroid_x,")) << "px as ever";
    EXPECT_FALSE(pixels.json().contains("listed"));
    EXPECT_EQ(run("half.tif", {"--unit", "px"}).code, 0);
    EXPECT_EQ(contentOf("t.csv"), plain);

    ASSERT_EQ(run("half.tif", {"--unit", "um"}).code, 0);
    const std::string units = contentOf("t.csv");
    EXPECT_TRUE(units.starts_with("label,area_um2,left_um,top_um,width_um,height_um,centroid_x_um,"));
    const auto secondCell = [](const std::string& text) {
        const std::size_t row = text.find('\n') + 1;
        return std::stod(text.substr(text.find(',', row) + 1));
    };
    EXPECT_EQ(secondCell(units), secondCell(plain) / 4);
    EXPECT_EQ(lines(units), lines(plain));

    const Outcome some =
        run("half.tif", {"--where", "area >= 1.5 um2", "--labels", path("l.tif"), "--geojson", path("o.geojson")});
    ASSERT_EQ(some.code, 0) << some.err;
    const auto listed = some.json()["listed"].get<std::size_t>();
    EXPECT_EQ(lines(contentOf("t.csv")), listed + 1);
    EXPECT_GT(listed, 3U);
    EXPECT_LT(listed, some.json()["count"].get<std::size_t>());
    const std::string table = contentOf("t.csv");
    const std::string labels = contentOf("l.tif");
    ASSERT_EQ(run("half.tif", {"--where", "area >= 6", "--labels", path("l.tif")}).code, 0);
    EXPECT_EQ(contentOf("t.csv"), table);
    EXPECT_EQ(contentOf("l.tif"), labels);
    std::size_t features = 0;
    const std::string outlines = contentOf("o.geojson");
    for (std::size_t at = 0; (at = outlines.find("\"type\":\"Feature\"", at)) != std::string::npos; ++at) {
        ++features;
    }
    EXPECT_EQ(features, listed);
    // Only listed objects keep their label in the label image.
    const auto image = readImage(path("l.tif")).image;
    std::set<std::uint32_t> numbers;
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        numbers.insert(image->level(p));
    }
    numbers.erase(0);
    EXPECT_EQ(numbers.size(), listed);

    for (const Args& more : {Args{"--unit", "um"}, Args{"--where", "area >= 1.5 um2"}}) {
        const Outcome refused = run("plain.tif", more);
        EXPECT_NE(refused.code, 0);
        EXPECT_THAT(refused.err, AllOf(HasSubstr("plain.tif"), HasSubstr("the image has no pixel size")));
    }
    EXPECT_EQ(run("half.tif", {"--unit", "furlong"}).code, 2);
    EXPECT_EQ(run("half.tif", {"--unit", "um2"}).code, 2);
    EXPECT_THAT(run("half.tif", {"--where", "area > 3 um"}).err, HasSubstr("area is an area"));
}

TEST_F(UnitsCommand, RunTakesThePixelsOfEachImageAndNamesTheOneWithout) {
    make("half.tif", 0.5F);
    make("quarter.tif", 0.25F);
    make("plain.tif", 0);
    std::ofstream(path("units.json")) << R"({"pollard_recipe": 1, "name": "units", "steps": [{"id": "objects",
        "version": 2, "parameters": {"threshold": "hand", "levels": [3, 255], "connectivity": 4,
        "condition": "area >= 1.5 um2", "files": ["csv"]}}]})";
    const auto rowsOf = [&](const char* image, const char* condition) {
        const Outcome outcome =
            call({"components", path(image), "--threshold", "3", "--csv", path("c.csv"), "--where", condition});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return contentOf("c.csv");
    };
    const Outcome outcome =
        call({"run", path("units.json"), path("half.tif"), path("quarter.tif"), path("plain.tif"), "-o", path("out")});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("plain.tif"), HasSubstr("the image has no pixel size")));
    std::map<std::string, std::string> tables;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("out"))) {
        std::ifstream stream(entry.path(), std::ios::binary);
        tables[entry.path().filename().string()] = {std::istreambuf_iterator<char>(stream), {}};
    }
    EXPECT_EQ(tables["half-objects.csv"], rowsOf("half.tif", "area >= 6"));
    EXPECT_EQ(tables["quarter-objects.csv"], rowsOf("quarter.tif", "area >= 24"));
    EXPECT_FALSE(tables.contains("plain-objects.csv"));
}

TEST_F(UnitsCommand, RunWritesTablesInTheUnitAskedFor) {
    make("half.tif", 0.5F);
    make("plain.tif", 0);
    std::ofstream(path("r.json")) << R"({"pollard_recipe": 1, "name": "all", "steps": [{"id": "objects",
        "version": 1, "parameters": {"threshold": "hand", "levels": [3, 255], "connectivity": 4, "files": ["csv"]}}]})";
    const Outcome outcome =
        call({"run", path("r.json"), path("half.tif"), "-o", path("out"), "--unit", "um", "--table", path("all.csv")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(call({"components", path("half.tif"), "--threshold", "3", "--csv", path("c.csv"), "--unit", "um"}).code,
              0);
    EXPECT_EQ(contentOf("out/half-objects.csv"), contentOf("c.csv"));
    EXPECT_THAT(contentOf("all.csv"), HasSubstr("area_um2"));
    const Outcome without = call({"run", path("r.json"), path("plain.tif"), "-o", path("other"), "--unit", "um"});
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, AllOf(HasSubstr("plain.tif"), HasSubstr("the image has no pixel size")));
    EXPECT_FALSE(std::filesystem::exists(path("other/plain-objects.csv")));
    EXPECT_EQ(call({"run", path("r.json"), path("half.tif"), "-o", path("other"), "--unit", "um2"}).code, 2);
}

} // namespace
} // namespace pollard::cli
