#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/recipe.hpp"

#include <cstring>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

/// All commands that write an image, on sources with different forms of pixel size.
class TrueSizes : public CliTest {
protected:
    /// Two bright boxes on noise.
    void makeSource(const std::string& name, const PlaneFacts& facts, const TiffWriteOptions& options = {}) const {
        Image image(PixelType::u8, 60, 40);
        std::uint32_t noise = 7;
        for (std::uint32_t y = 0; y < 40; ++y) {
            for (std::uint32_t x = 0; x < 60; ++x) {
                noise = noise * 1664525 + 1013904223;
                const bool inside = (x >= 8 && x < 25 && y >= 8 && y < 30) || (x >= 40 && x < 52 && y >= 15 && y < 34);
                image.pixels<std::uint8_t>()[y * 60 + x] =
                    static_cast<std::uint8_t>((inside ? 190 : 90) + (noise >> 29));
            }
        }
        writeTiff(path(name), {image, facts}, options);
    }
    template <class T>
    static CopiedTag tag(std::uint16_t number, std::uint16_t type, std::uint64_t count, const std::vector<T>& values) {
        CopiedTag made{number, type, count, std::vector<std::byte>(values.size() * sizeof(T))};
        std::memcpy(made.data.data(), values.data(), made.data.size());
        return made;
    }
    static std::vector<CopiedTag> printerTags() {
        return {tag<float>(282, 5, 1, {72}), tag<float>(283, 5, 1, {72}), tag<std::uint16_t>(296, 3, 1, {2})};
    }
    /// Microscope with a print resolution next to the true size; a size that looks like a print resolution; a map.
    std::vector<std::string> makeSources() const {
        makeSource("microscope.tif",
                   {.carried = printerTags(), .scene = {PixelSize{4.05296, 2.5, "µm", "", false, 3}, "DAPI", {}}});
        makeSource("coarse.tif", {.carried = {}, .scene = {PixelSize{100, 100, "µm", "", false}, "", {}}});
        std::vector<CopiedTag> map = printerTags();
        map.push_back(tag<double>(33550, 12, 3, {10, 20, 0}));
        map.push_back(tag<double>(33922, 12, 6, {0, 0, 0, 500000, 5.4e6, 0}));
        map.push_back(tag<std::uint16_t>(34735, 3, 12, {1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632}));
        makeSource("map.tif", {.carried = map});
        return {"microscope.tif", "coarse.tif", "map.tif"};
    }
    [[nodiscard]] Json infoOf(const std::string& name) const {
        const Outcome outcome = call({"info", path(name), "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    }
    void expectSameScene(const std::string& written, const std::string& source) const {
        SCOPED_TRACE(written);
        const Json after = infoOf(written);
        const Json before = infoOf(source);
        const Json& found = after.at("pixel_size");
        const Json& wanted = before.at("pixel_size");
        ASSERT_TRUE(found.is_object());
        for (const char* key : {"unit", "print"}) {
            EXPECT_EQ(found.at(key), wanted.at(key)) << key;
        }
        for (const char* key : {"x", "y"}) {
            EXPECT_NEAR(found.at(key).get<double>(), wanted.at(key).get<double>(), 1e-6 * wanted.at(key).get<double>());
        }
        EXPECT_EQ(found.at("z").is_null(), wanted.at("z").is_null());
        if (!wanted.at("z").is_null()) {
            EXPECT_NEAR(found.at("z").get<double>(), wanted.at("z").get<double>(), 1e-6);
        }
        for (const char* fact : {"Coordinate system", "Upper left corner", "Map units per pixel"}) {
            EXPECT_EQ(after.at("facts").value(fact, ""), before.at("facts").value(fact, "")) << fact;
        }
    }
    void expectDone(const Args& args) const {
        const Outcome outcome = call(args);
        ASSERT_EQ(outcome.code, 0) << args.front() << ": " << outcome.err;
    }
};

TEST_F(TrueSizes, OfASourceAreInWhateverACommandWrites) {
    for (const std::string& source : makeSources()) {
        SCOPED_TRACE(source);
        const std::string in = path(source);
        const std::string out = path("out.tif");
        for (const char* output : {"filtered", "residue", "mask", "labels"}) {
            expectDone({"filter", in, "-o", out, "--keep", "area>=9", "--output", output});
            expectSameScene("out.tif", source);
        }
        const std::vector<Args> commands = {
            {"tree", in, "--parent", out},
            {"components", in, "--threshold", "140", "--labels", out},
            {"mser", in, "--labels", out},
            {"h-maxima", in, "--h", "20", "-o", out},
            {"profile", in, "--attribute", "area", "--thresholds", "5,50", "-o", out},
            {"snake", in, "--init", "4,4,24,30", "--mask", out},
        };
        for (const Args& command : commands) {
            SCOPED_TRACE(command.front());
            expectDone(command);
            expectSameScene("out.tif", source);
        }
        EXPECT_EQ(infoOf("out.tif").at("pages"), 1);
        EXPECT_EQ(infoOf("out.tif").at("facts").value("Channel", ""), source == "microscope.tif" ? "DAPI" : "");
    }
}

TEST_F(TrueSizes, OfASourceAreInWhateverARecipeWrites) {
    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {140, 255}, Connectivity::four};
    objects.files = {ObjectFile::labels};
    ContoursStep contour;
    contour.starts = {{RegionShape::Kind::rectangle, {{4, 4}, {28, 34}}}};
    contour.files = {ContourFile::mask};
    saveRecipe({"Test", "", "", {objects, contour}}, path("r.json"));
    const std::vector<std::string> sources = makeSources();
    for (const std::string& source : sources) {
        SCOPED_TRACE(source);
        expectDone({"run", path("r.json"), path(source), "-o", path("out")});
        const std::string stem = source.substr(0, source.find('.'));
        int images = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path("out"))) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with(stem) && name.ends_with(".tif")) {
                ++images;
                expectSameScene("out/" + name, source);
            }
        }
        EXPECT_GE(images, 2) << "labels and contour";
    }
}

TEST_F(TrueSizes, AreShrunkAndCroppedWithTheImage) {
    makeSources();
    const std::string out = path("out.tif");
    expectDone({"filter", path("microscope.tif"), "-o", out, "--keep", "area>=2", "--shrink", "2"});
    const Json size = infoOf("out.tif").at("pixel_size");
    EXPECT_DOUBLE_EQ(size.at("x").get<double>(), 2 * 4.05296);
    EXPECT_DOUBLE_EQ(size.at("y").get<double>(), 5);
    EXPECT_DOUBLE_EQ(size.at("z").get<double>(), 3) << "the distance of slices is kept";
    expectDone({"filter", path("microscope.tif"), "-o", out, "--keep", "area>=2", "--region", "4,4,20,20"});
    expectSameScene("out.tif", "microscope.tif");
}

TEST_F(TrueSizes, AreToldWithTheDistanceOfSlices) {
    makeSources();
    EXPECT_THAT(call({"info", path("microscope.tif")}).out, HasSubstr("4.05296 x 2.5 x 3 µm (ImageJ)"));
    EXPECT_THAT(call({"info", path("coarse.tif")}).out, HasSubstr("100 x 100 µm (ImageJ)"));
}

TEST_F(TrueSizes, OfFilesThatAreCutOffAreNotTheProblem) {
    makeSource("whole.tif", {}, {.compression = TiffCompression::none});
    std::filesystem::copy_file(path("whole.tif"), path("cut.tif"));
    std::filesystem::resize_file(path("cut.tif"), 2000);
    const Outcome outcome = call({"info", path("cut.tif")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, IsErrorAbout("cut.tif: the file is cut off: it has 2,000 of at least "));
    EXPECT_THAT(outcome.err, HasSubstr("copy it again"));
}

} // namespace
} // namespace pollard::cli
