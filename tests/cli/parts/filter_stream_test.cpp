#include "formats/tiff/tiff_writer.hpp"

#include "cli/cli_fixture.hpp"
#include "cli/comb_image.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string bytesOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::uint16_t> levelsOf(const Image& image) {
    std::vector<std::uint16_t> levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

/// The tag with scale and offset.
std::vector<CopiedTag> gdalMetadataOf(const LoadedImage& loaded) {
    constexpr int kGdalMetadata = 42112;
    std::vector<CopiedTag> tags;
    std::ranges::copy_if(loaded.info.carried, std::back_inserter(tags),
                         [](const CopiedTag& tag) { return tag.tag == kGdalMetadata; });
    return tags;
}

/// Images of several chunks, the smallest of which are 512 px wide.
class FilterStream : public CliTest {
protected:
    /// Filters in memory and in chunks and compares the pixels and the counts.
    void expectEqual(const std::string& image, const Args& options) {
        const auto with = [&](const std::string& target, const Args& more) {
            Args args{"filter", path(image), "-o", path(target), "--json"};
            args.insert(args.end(), options.begin(), options.end());
            args.insert(args.end(), more.begin(), more.end());
            return args;
        };
        const Outcome whole = call(with("whole.tif", {}));
        const Outcome chunks = call(with("chunks.tif", {"--stream", "--chunk", "512"}));
        ASSERT_EQ(whole.code, 0) << whole.err;
        ASSERT_EQ(chunks.code, 0) << chunks.err;
        const LoadedImage expected = readImage(path("whole.tif"));
        const LoadedImage found = readImage(path("chunks.tif"));
        EXPECT_EQ(levelsOf(*found.image), levelsOf(*expected.image));
        EXPECT_EQ(found.info.bits, expected.info.bits);
        EXPECT_EQ(found.info.pixelSize, expected.info.pixelSize);
        EXPECT_EQ(gdalMetadataOf(found), gdalMetadataOf(expected));
        for (const char* field : {"kept", "removed", "changed_pixels", "nodes", "bits", "width", "height"}) {
            EXPECT_EQ(chunks.json().at(field), whole.json().at(field)) << field;
        }
        EXPECT_GT(chunks.json().at("chunk_trees"), 1);
        std::filesystem::remove(path("chunks.tif"));
    }
};

TEST_F(FilterStream, EqualsTheFilterInMemory) {
    makeImage("a.tif", PixelType::u8, 1100, 700, 60);
    makeImage("b.tif", PixelType::u16, 530, 1040, 60000);
    expectEqual("a.tif", {"--keep", "area>=20"});
    expectEqual("a.tif", {"--keep", "perimeter<=60", "--rule", "viterbi", "--output", "residue"});
    expectEqual("a.tif", {"--keep", "elongation>=2", "--keep", "area>=4", "--tree", "min", "--connectivity", "8",
                          "--rule", "subtractive"});
    expectEqual("b.tif",
                {"--keep", "volume>=20000", "--keep", "centroid_x<=300", "--match", "any", "--output", "mask"});
    expectEqual("b.tif", {"--keep", "dynamics>=9000", "--prominent", "extinction_area:200", "--rule", "max"});
    expectEqual("b.tif", {"--keep", "area<=50", "--keep", "height>=5000", "--output", "labels", "--rule", "max"});
}

TEST_F(FilterStream, TakesValuesNoDataAndPartsOfFiles) {
    std::vector<float> values(std::size_t{700} * 600);
    std::mt19937 random(7);
    for (float& value : values) {
        value = random() % 50 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 1000) / 8;
    }
    std::ofstream(path("f.raw"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    expectEqual("f.raw", {"--keep", "area>=9", "--raw", "700x600:f32"});
    expectEqual("f.raw", {"--keep", "area>=9", "--raw", "700x600:f32", "--tree", "min", "--output", "labels"});
    expectEqual("f.raw", {"--keep", "area>=9", "--raw", "1400x600:i16"});
    expectEqual("f.raw", {"--keep", "sum>=0", "--raw", "1400x600:i16"});
    expectEqual("f.raw", {"--keep", "sum<=-300", "--keep", "area>=3", "--match", "any", "--tree", "min", "--raw",
                          "1400x600:i16", "--output", "labels"});
    makeImage("a.tif", PixelType::u8, 1100, 700, 60);
    expectEqual("a.tif", {"--keep", "area>=9", "--region", "100,50,900,600"});
}

TEST_F(FilterStream, CutsWhereMemoryIsShort) {
    writeTiff(path("comb.tif"), testing::combImage(1024, 1024));
    const auto filtered = [&](const std::string& keep, const std::string& target, const Args& more) {
        Args args{"filter", path("comb.tif"), "-o", path(target), "--json", "--keep", keep};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const Args scarce{"--stream", "--chunk", "512", "--memory", "64M"};
    const Outcome refused = filtered("mean>=9", "refused.tif", scarce);
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("nodes reach over the seams"));
    const Outcome whole = filtered("area>=50", "whole.tif", {});
    const Outcome ample = filtered("area>=50", "ample.tif", {"--stream", "--chunk", "512", "--memory", "4G"});
    const Outcome cut = filtered("area>=50", "cut.tif", scarce);
    ASSERT_EQ(cut.code, 0) << cut.err;
    EXPECT_EQ(bytesOf(path("cut.tif")), bytesOf(path("ample.tif")));
    EXPECT_EQ(levelsOf(*readImage(path("cut.tif")).image), levelsOf(*readImage(path("whole.tif")).image));
    EXPECT_EQ(ample.json().at("nodes"), whole.json().at("nodes"));
    for (const char* field : {"removed", "changed_pixels"}) {
        EXPECT_EQ(cut.json().at(field), whole.json().at(field)) << field;
    }
    for (const char* field : {"kept", "nodes"}) {
        EXPECT_TRUE(cut.json().at(field).is_null()) << field;
    }
    EXPECT_LT(cut.json().at("largest_merge").get<std::uint64_t>(),
              ample.json().at("largest_merge").get<std::uint64_t>() / 4);
}

TEST_F(FilterStream, LeavesOnlyTheResult) {
    makeImage("a.tif", PixelType::u8, 1100, 700, 60);
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=20", "--stream"}).code, 0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif"));
    ASSERT_EQ(call({"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=20", "--stream", "--workdir",
                    path("work")})
                  .code,
              0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif"));
}

TEST_F(FilterStream, ContinuesAfterKillsAnywhere) {
    makeImage("a.tif", PixelType::u16, 1600, 1600, 60000);
    const Args args{"filter",   path("a.tif"), "-o",  path("o.tif"), "--keep",    "area>=20",   "--output", "labels",
                    "--stream", "--chunk",     "512", "--resume",    "--workdir", path("work"), "--quiet"};
    Args once = args;
    once[3] = path("once.tif");
    once.erase(std::ranges::find(once, "--resume"));
    ASSERT_EQ(call(once).code, 0);
    EXPECT_GT(killUntilDone(args, "o.tif", "once.tif"), 2);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif", "once.tif"));
}

TEST_F(FilterStream, AStopLeavesNothingButAFolderThatWasNamed) {
    makeImage("a.tif", PixelType::u16, 3000, 3000, 60000);
    Args args{"filter", path("a.tif"), "-o", path("o.tif"), "--keep", "area>=20", "--stream", "--chunk", "512"};
    EXPECT_NE(interruptBinary(args, 300).code, 0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
    args.insert(args.end(), {"--workdir", path("work")});
    EXPECT_NE(interruptBinary(args, 300).code, 0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "work"));
}

TEST_F(FilterStream, RefusesWhatNeedsTheWholeTree) {
    makeImage("a.tif", PixelType::u8, 40, 30, 60);
    const auto refusal = [&](const Args& more, int code) {
        Args args{"filter", path("a.tif"), "-o", path("o.tif"), "--stream"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, code);
        EXPECT_FALSE(std::filesystem::exists(path("o.tif")));
        return outcome.err;
    };
    EXPECT_THAT(refusal({"--keep", "stability<=1"}, 1), IsErrorAbout("attribute 'stability'"));
    EXPECT_THAT(refusal({"--keep", "area>=2", "--shrink", "2"}, 2), HasSubstr("--shrink"));
    EXPECT_THAT(refusal({"--keep", "area>=2", "--keep-at", "1,1"}, 2), HasSubstr("picked"));
    EXPECT_THAT(refusal({"--keep", "area>=2", "--memory", "much"}, 2), HasSubstr("--memory"));
}

} // namespace
} // namespace pollard::cli
