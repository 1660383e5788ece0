// Parts of volumes, smaller versions and voxels without data on the command line.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class VolumePartCommands : public CliTest {
protected:
    static constexpr Extent kExtent{9, 7, 8};

    /// Levels at random, with a voxel size; as TIFF, NIfTI and compressed NIfTI.
    void SetUp() override {
        Image volume(PixelType::u8, kExtent);
        std::uint32_t state = 1;
        for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
            state = state * 1664525 + 1013904223;
            level = static_cast<std::uint8_t>(state >> 24U);
        }
        PixelSize size{0.5, 0.5, "µm", "OME-XML"};
        size.z = 2;
        writeTiff(path("v.tif"), {volume, {.scene = {.pixelSize = size, .axes = {{'z', 8, {}}}}}});
        for (const char* const name : {"v.nii", "v.nii.gz", "v.nrrd"}) {
            ASSERT_EQ(call({"filter", path("v.tif"), "--volume", "--keep", "area>=1", "-o", path(name)}).code, 0);
        }
    }
    /// A filter that keeps everything.
    [[nodiscard]] LoadedImage read(const std::string& name, Args more, const std::string& target = "o.tif") {
        more.insert(more.begin(),
                    {"filter", path(name), "--volume", "--keep", "area>=1", "-o", path(target), "--quiet"});
        const Outcome outcome = call(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return readVolume(path(target));
    }
    static std::vector<std::uint16_t> levelsOf(const LoadedImage& loaded) {
        std::vector<std::uint16_t> levels;
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
            levels.push_back(loaded.image->level(i));
        }
        return levels;
    }
};

TEST_F(VolumePartCommands, RegionsHaveSlices) {
    const LoadedImage whole = readVolume(path("v.tif"));
    for (const char* const name : {"v.tif", "v.nii", "v.nii.gz", "v.nrrd"}) {
        const LoadedImage part = read(name, {"--region", "2,1,3,5,4,2"});
        ASSERT_EQ(part.image->extent(), (Extent{5, 4, 2}));
        for (std::uint32_t i = 0; i < part.image->pixelCount(); ++i) {
            const Voxel at = voxelAt(i, part.image->extent());
            ASSERT_EQ(part.image->level(i), whole.image->level(((at.z + 3) * 7 + at.y + 1) * 9 + at.x + 2)) << name;
        }
        ASSERT_TRUE(part.info.pixelSize);
        EXPECT_EQ(part.info.pixelSize->z, 2);
        EXPECT_EQ(read(name, {"--region", "2,1,5,4"}).image->extent(), (Extent{5, 4, 8})) << "of each slice";
        EXPECT_EQ(read(name, {"--region", "0,0,0,9,7,8"}).image->extent(), kExtent);
    }
    const Json info = call({"info", path("v.nii.gz"), "--volume", "--region", "0,0,6,3,3,2", "--json"}).json();
    EXPECT_EQ(info.at("slices"), 2);
    EXPECT_EQ(info.at("read_width"), 3);
    EXPECT_EQ(info.at("page"), 6);
    const Outcome automatic = call({"info", path("v.tif"), "--volume=auto", "--region", "0,0,6,3,3,2", "--json"});
    ASSERT_EQ(automatic.code, 0) << automatic.err;
    EXPECT_EQ(automatic.json().at("slices"), 2);
}

TEST_F(VolumePartCommands, RegionsAreRefusedInOneLine) {
    const auto failure = [this](const std::string& region, const std::string& option = "--volume",
                                const std::string& name = "v.tif") {
        const Outcome outcome = call({"info", path(name), option, "--region", region});
        EXPECT_EQ(outcome.code, outcome.err.find("cannot read") == std::string::npos ? 2 : 1) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        return outcome.err;
    };
    for (const char* const wrong : {"1,2,3,4,5", "0,0,0,9,7,8,1", "0,0,0,9,7,0", "0,0,0,0,7,8", "0,0,z,9,7,8",
                                    "0,0,-1,9,7,8", "0,0,0,9,7,4294967296"}) {
        EXPECT_THAT(failure(wrong), IsErrorAbout("x,y,z,width,height,slices")) << wrong;
    }
    EXPECT_THAT(failure("1,2,3"), IsErrorAbout("must be x,y,width,height in px"));
    EXPECT_THAT(failure("0,0,0,9,7,8", "--pages"), IsErrorAbout("is a part of a volume, which --volume takes"));
    EXPECT_THAT(call({"snake", path("v.tif"), "--init", "1,1,4,4", "--region", "0,0,0,9,7,8"}).err,
                IsErrorAbout("is a part of a volume"));
    EXPECT_THAT(failure("0,0,7,9,7,2"), IsErrorAbout("within the 8 slices"));
    EXPECT_THAT(failure("0,0,7,9,7,1"), IsErrorAbout("one slice is a page"));
    EXPECT_THAT(failure("3,0,0,9,7,8"), IsErrorAbout("within the 9 x 7 px"));
    makePages("t.tif", 1);
    EXPECT_THAT(failure("0,0,0,2,2,2", "--volume=auto", "t.tif"), IsErrorAbout("is a part of a volume"));
}

TEST_F(VolumePartCommands, PartsStateTheirOwnPlace) {
    // With axis directions and origin.
    std::ofstream file(path("r.nrrd"), std::ios::binary);
    file << "NRRD0004\ntype: uint8\ndimension: 3\nspace: right-anterior-superior\nsizes: 2 2 4\n"
         << "space directions: (1,0,0) (0,1,0) (0,0,3)\nspace units: \"mm\" \"mm\" \"mm\"\n"
         << "space origin: (10,20,30)\nencoding: raw\n\n"
         << "0123456789abcdef";
    file.close();
    const auto factsOf = [](const LoadedImage& loaded) {
        std::string text;
        for (const auto& [name, fact] : loaded.info.facts) {
            text += name + ": " + fact + '\n';
        }
        return text;
    };
    EXPECT_THAT(factsOf(read("r.nrrd", {}, "o.nrrd")), HasSubstr("Origin: (10,20,30)"));
    const LoadedImage part = read("r.nrrd", {"--region", "0,0,1,2,2,3"}, "o.nrrd");
    EXPECT_THAT(factsOf(part), HasSubstr("Origin: (10,20,33)"));
    EXPECT_EQ(part.info.pixelSize->z, 3);
    const LoadedImage small = read("r.nrrd", {"--shrink", "2"}, "o.nrrd");
    EXPECT_THAT(factsOf(small), HasSubstr("Origin: (10.5,20.5,31.5)")) << "the centre of the first block";
    EXPECT_EQ(small.info.pixelSize->z, 6);
}

TEST_F(VolumePartCommands, ShrinkMakesBlocksOneVoxel) {
    const LoadedImage whole = readVolume(path("v.tif"));
    for (const char* const name : {"v.tif", "v.nii", "v.nii.gz", "v.nrrd"}) {
        for (const char* const target : {"o.tif", "o.nii.gz", "o.nrrd"}) {
            const LoadedImage small = read(name, {"--shrink", "2"}, target);
            ASSERT_EQ(small.image->extent(), (Extent{5, 4, 4}));
            for (std::uint32_t i = 0; i < small.image->pixelCount(); ++i) {
                const Voxel at = voxelAt(i, small.image->extent());
                int sum = 0;
                int count = 0;
                for (std::uint32_t v = 0; v < whole.image->pixelCount(); ++v) {
                    const Voxel from = voxelAt(v, kExtent);
                    if (from.x / 2 == at.x && from.y / 2 == at.y && from.z / 2 == at.z) {
                        sum += whole.image->level(v);
                        ++count;
                    }
                }
                ASSERT_EQ(small.image->level(i), (2 * sum + count) / (2 * count)) << name << ' ' << i;
            }
            ASSERT_TRUE(small.info.pixelSize);
            EXPECT_EQ(small.info.pixelSize->x, 1) << name << ' ' << target;
            EXPECT_EQ(small.info.pixelSize->y, 1);
            EXPECT_EQ(small.info.pixelSize->z, 4);
        }
    }
    EXPECT_THAT(call({"info", path("v.tif"), "--volume", "--shrink", "8"}).err, IsErrorAbout("leaves one of 8 slices"));
}

TEST_F(VolumePartCommands, RecipesReadParts) {
    ReadStep step;
    step.volume = true;
    step.region = PixelRegion{1, 2, 6, 4};
    step.slices = SliceRange{2, 5};
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("area>=3")};
    saveRecipe({"r", "", "", {step, filter}}, path("r.json"));
    for (const char* const name : {"v.tif", "v.nii.gz"}) {
        const Outcome outcome = call({"run", path("r.json"), path(name), "-o", path("out"), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("files").at(0).at("slices"), 5);
        const std::string result = name == std::string("v.tif") ? "out/v.tif" : "out/v.nii.tif";
        ASSERT_EQ(call({"filter", path(name), "--volume", "--region", "1,2,2,6,4,5", "--keep", "area>=3", "-o",
                        path("f.tif")})
                      .code,
                  0);
        EXPECT_EQ(levelsOf(readVolume(path(result))), levelsOf(readVolume(path("f.tif"))));
    }
}

/// Volumes of 4 x 3 x 5 voxels, some of which have no data.
class VolumeGapCommands : public CliTest {
protected:
    static constexpr Extent kExtent{4, 3, 5};
    static constexpr int kNoData = 99;

    /// Bright bars along z: A of 5 voxels, of which the third has no data, B of 3 voxels. One voxel of the background
    /// has no data, either.
    static int levelAt(const Voxel& at) {
        const bool isGap = (at.x == 1 && at.y == 1 && at.z == 2) || (at.x == 0 && at.y == 0 && at.z == 0);
        const bool isBar = (at.x == 1 && at.y == 1) || (at.x == 3 && at.y == 0 && at.z < 3);
        return isGap ? kNoData : isBar ? 50 : 10;
    }
    void SetUp() override {
        Image volume(PixelType::u8, kExtent);
        std::string reals;
        for (std::uint32_t i = 0; i < volume.pixelCount(); ++i) {
            const int level = levelAt(voxelAt(i, kExtent));
            volume.pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(level);
            const float value = level == kNoData ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(level);
            char bytes[sizeof value];
            std::memcpy(bytes, &value, sizeof value);
            reals.append(bytes, sizeof bytes);
        }
        CopiedTag tag{42113, 2, 3, std::vector<std::byte>(3)};
        std::memcpy(tag.data.data(), "99", 3);
        writeTiff(path("v.tif"), {volume, {.carried = {tag}, .scene = {.axes = {{'z', 5, {}}}}}});
        std::ofstream(path("v.raw"), std::ios::binary) << reals;
        std::ofstream file(path("v.nrrd"), std::ios::binary);
        file << "NRRD0004\ntype: float\ndimension: 3\nsizes: 4 3 5\nkinds: space space space\nendian: little\n"
             << "encoding: raw\n\n"
             << reals;
    }
    /// The arguments of a command on one of the files.
    [[nodiscard]] Args on(const std::string& command, const std::string& name, Args more) const {
        Args args{command, path(name), "--volume"};
        if (name == "v.raw") {
            args.insert(args.end(), {"--raw", "4x3:f32:pages=5"});
        }
        args.insert(args.end(), more.begin(), more.end());
        args.emplace_back("--json");
        return args;
    }
    [[nodiscard]] Json jsonOf(const std::string& command, const std::string& name, const Args& more) const {
        const Outcome outcome = call(on(command, name, more));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    }
    /// By the name: levels of the file, or whole numbers from the lowest value on.
    static int levelOf(const std::string& name, int value) { return name == "v.tif" ? value : value - 10; }
};

TEST_F(VolumeGapCommands, TakeNoPart) {
    for (const std::string name : {"v.tif", "v.raw", "v.nrrd"}) {
        const Json info = jsonOf("info", name, {});
        EXPECT_EQ(info.at("invalid_pixels"), 2) << name;
        EXPECT_EQ(info.at("min"), 10);
        EXPECT_EQ(info.at("max"), 50);
        EXPECT_NEAR(info.at("mean").get<double>(), (51 * 10 + 7 * 50) / 58.0, 1e-9);

        // The gap parts bar A: its parts of 2 voxels go, B of 3 stays.
        const Json filtered = jsonOf("filter", name, {"--keep", "area>=3", "-o", path("f.tif")});
        const LoadedImage result = readVolume(path("f.tif"));
        ASSERT_EQ(result.image->extent(), kExtent);
        for (std::uint32_t i = 0; i < result.image->pixelCount(); ++i) {
            const Voxel at = voxelAt(i, kExtent);
            const int before = levelAt(at);
            if (before != kNoData) {
                ASSERT_EQ(result.image->level(i), levelOf(name, at.x == 3 ? before : 10)) << name << ", voxel " << i;
            }
        }
        if (name == "v.tif") {
            EXPECT_EQ(result.info.invalidPixels, 2U) << "the result marks them";
            EXPECT_EQ(result.image->level(0), kNoData);
        }
        EXPECT_EQ(filtered.at("nodes"), 4) << "two parts of A, B and the root";

        (void)jsonOf("filter", name, {"--keep", "area>=1", "--output", "labels", "-o", path("l.tif")});
        const LoadedImage labels = readVolume(path("l.tif"));
        EXPECT_EQ(labels.image->level(0), 0);

        EXPECT_EQ(jsonOf("tree", name, {}).at("nodes"), 4);
        EXPECT_EQ(jsonOf("h-maxima", name, {"--h", "1", "-o", path("h.tif")}).at("maxima"), 3);
        EXPECT_EQ(jsonOf("profile", name, {"--thresholds", "3", "-o", path("p.tif")}).at("pages"), 1);
        EXPECT_EQ(readVolume(path("p.tif")).image->level(16 + 1), levelOf(name, 10));
        EXPECT_EQ(jsonOf("spectrum", name, {}).at("nodes"), 4);
        EXPECT_EQ(jsonOf("mser", name, {"--min-area", "1", "--max-area", "10", "--delta", "5"}).at("count"), 3);

        const Json all = jsonOf("components", name, {"--threshold", "0", "--labels", path("c.tif")});
        EXPECT_EQ(all.at("foreground"), 58) << "voxels without data are in no object";
        const std::string half = std::to_string(levelOf(name, 30));
        EXPECT_EQ(jsonOf("components", name, {"--threshold", half}).at("count"), 3);
        EXPECT_EQ(jsonOf("components", name, {"--threshold", "otsu"}).at("count"), 3);
    }
}

TEST_F(VolumeGapCommands, OfRecipesTakeNoPart) {
    ReadStep read;
    read.volume = true;
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("area>=3")};
    for (const Output output : {Output::filtered, Output::labels}) {
        filter.filter.output = output;
        saveRecipe({"r", "", "", {read, filter}}, path("r.json"));
        ASSERT_EQ(call({"run", path("r.json"), path("v.tif"), "-o", path("out")}).code, 0);
        ASSERT_EQ(call({"filter", path("v.tif"), "--volume", "--keep", "area>=3", "--output",
                        output == Output::labels ? "labels" : "filtered", "-o", path("f.tif")})
                      .code,
                  0);
        std::ifstream one(path("out/v.tif"), std::ios::binary);
        std::ifstream other(path("f.tif"), std::ios::binary);
        EXPECT_EQ((std::string{std::istreambuf_iterator<char>(one), {}}),
                  (std::string{std::istreambuf_iterator<char>(other), {}}));
    }
}

TEST_F(VolumeGapCommands, AreRefusedByFormatsThatCannotMarkThem) {
    for (const char* const target : {"o.nii", "o.nrrd"}) {
        EXPECT_THAT(call(on("filter", "v.tif", {"--keep", "area>=1", "-o", path(target)})).err,
                    IsErrorAbout("has pixels without data, which this format cannot mark; write .tif or .fits"));
        EXPECT_FALSE(std::filesystem::exists(path(target)));
    }
}

TEST_F(VolumeGapCommands, CountInRangesAndShrinkingWhereTheyHaveData) {
    const Json range = jsonOf("info", "v.raw", {"--range", "0%:50%"});
    EXPECT_EQ(range.at("mapping").at("offset"), 10);
    EXPECT_EQ(range.at("mapping").at("step"), 1) << "more than half of the voxels have the lowest value";
    EXPECT_EQ(range.at("mapping").at("clipped"), 7);
    EXPECT_EQ(jsonOf("info", "v.nrrd", {"--range", "0%:50%"}).at("mapping"), range.at("mapping"));
    (void)jsonOf("filter", "v.tif", {"--shrink", "2", "--keep", "area>=1", "-o", path("s.tif")});
    const LoadedImage small = readVolume(path("s.tif"));
    ASSERT_EQ(small.image->extent(), (Extent{2, 2, 3}));
    EXPECT_EQ(small.image->level(0), (5 * 10 + 2 * 50 + 3) / 7) << "seven voxels of the first block have data";
}

} // namespace
} // namespace pollard::cli
