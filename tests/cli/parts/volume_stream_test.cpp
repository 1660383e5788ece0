// Volumes and several channels in chunks.
#include "cli/cli_fixture.hpp"

#include "base/compiler.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/write/volume_writer.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string contentOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Noise with plateaus.
Image noiseVolume(PixelType type, const Extent& extent, std::uint32_t levels, unsigned seed) {
    Image image(type, extent);
    std::mt19937 random(seed);
    dispatch(type, [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::size_t p = 0; p < pixels.size(); ++p) {
            const std::size_t before = p >= extent.slicePixels() && random() % 2 == 0 ? extent.slicePixels() : 1;
            pixels[p] = p >= before && random() % 3 != 0 ? pixels[p - before] : static_cast<T>(random() % levels);
        }
    });
    return image;
}

PixelSize voxelSize() {
    PixelSize size{0.5, 0.5, "µm", "OME-XML"};
    size.z = 2;
    return size;
}

/// The address space of programs that are started while this exists.
class AddressSpace {
public:
    explicit AddressSpace(std::uint64_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    ~AddressSpace() { setrlimit(RLIMIT_AS, &before_); }
    AddressSpace(const AddressSpace&) = delete;
    AddressSpace& operator=(const AddressSpace&) = delete;

private:
    rlimit before_{};
};

class VolumeStream : public CliTest {
protected:
    void makeVolume(const std::string& name, PixelType type, const Extent& extent, std::uint32_t levels) const {
        const Image volume = noiseVolume(type, extent, levels, extent.width);
        if (name.ends_with(".tif")) {
            writeTiff(
                path(name),
                {volume, {.scene = {.pixelSize = voxelSize(), .axes = {{'z', static_cast<int>(extent.slices), {}}}}}});
        } else {
            writeVoxels(path(name), {volume, {.scale = {0.5, -100, {}}, .scene = {.pixelSize = voxelSize()}}});
        }
    }

    [[nodiscard]] Args filterOf(const std::string& image, const std::string& target, const Args& options,
                                const Args& more = {}) const {
        Args args{"filter", path(image), "-o", path(target), "--json"};
        args.insert(args.end(), options.begin(), options.end());
        args.insert(args.end(), more.begin(), more.end());
        return args;
    }

    /// Filters in memory and in chunks and compares the files and the counts.
    void expectEqual(const std::string& image, const Args& options, const std::string& ending = ".tif",
                     const std::string& chunk = "7") const {
        SCOPED_TRACE(image + ": " + ::testing::PrintToString(options));
        const Outcome whole = call(filterOf(image, "whole" + ending, options));
        const Outcome chunks = call(filterOf(image, "chunks" + ending, options, {"--stream", "--chunk", chunk}));
        ASSERT_EQ(whole.code, 0) << whole.err;
        ASSERT_EQ(chunks.code, 0) << chunks.err;
        EXPECT_TRUE(contentOf(path("whole" + ending)) == contentOf(path("chunks" + ending))) << "files differ";
        for (const char* field : {"kept", "removed", "changed_pixels", "nodes", "bits", "width", "height"}) {
            EXPECT_EQ(chunks.json().at(field), whole.json().at(field)) << field;
        }
        for (const char* field : {"slices", "labels", "channels"}) {
            EXPECT_EQ(chunks.json().contains(field), whole.json().contains(field)) << field;
            if (whole.json().contains(field)) {
                EXPECT_EQ(chunks.json().at(field), whole.json().at(field)) << field;
            }
        }
        EXPECT_GT(chunks.json().at("chunk_trees"), 1);
        std::filesystem::remove(path("chunks" + ending));
    }
    void expectEqualVolume(const std::string& image, Args options, const std::string& ending = ".tif",
                           const std::string& chunk = "7") const {
        options.emplace_back("--volume");
        expectEqual(image, options, ending, chunk);
    }
};

TEST_F(VolumeStream, EqualsTheFilterInMemory) {
    makeVolume("a.tif", PixelType::u8, {20, 15, 12}, 40);
    makeVolume("b.tif", PixelType::u16, {17, 9, 23}, 60000);
    expectEqualVolume("a.tif", {"--keep", "area>=20"});
    expectEqualVolume("a.tif", {"--keep", "area>=20", "--compression", "none"}, ".nii");
    expectEqualVolume("a.tif", {"--keep", "dynamics>=9", "--connectivity", "26", "--output", "labels"});
    expectEqualVolume("a.tif", {"--keep", "area<=9", "--rule", "viterbi", "--output", "residue"}, ".nrrd");
    expectEqualVolume("b.tif", {"--keep", "slices_px>=3", "--connectivity", "18", "--tree", "min", "--output", "mask"});
    expectEqualVolume("b.tif", {"--keep", "volume>=20000", "--rule", "subtractive"}, ".nii.gz", "4");
    expectEqualVolume("b.tif", {"--keep", "area>=3", "--prominent", "extinction_area:20", "--rule", "max"});
    expectEqualVolume("b.tif", {"--keep", "area>=3", "--output", "labels"}, ".nrrd", "1");
    expectEqualVolume("b.tif", {"--keep", "area>=3", "--region", "2,1,4,12,7,15"});
}

TEST_F(VolumeStream, ReadsAllFilesOfVolumes) {
    for (const char* const name : {"a.nii", "a.nii.gz", "a.nrrd"}) {
        makeVolume(name, PixelType::u16, {14, 11, 9}, 60000);
        expectEqualVolume(name, {"--keep", "area>=9"});
        expectEqualVolume(name, {"--keep", "area>=9", "--range", "minmax"}, ".nii");
    }
    std::filesystem::create_directory(path("slices"));
    for (int i = 0; i < 8; ++i) {
        makeImage("slices/s" + std::to_string(i) + ".tif", PixelType::u8, 15, 12, 50U + static_cast<unsigned>(i));
    }
    expectEqualVolume("slices", {"--keep", "area>=9", "--output", "labels"});
    std::vector<float> values(std::size_t{12} * 10 * 8);
    std::mt19937 random(7);
    for (float& value : values) {
        value = random() % 30 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 1000) / 8;
    }
    std::ofstream(path("f.raw"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    for (const char* const output : {"filtered", "labels", "residue"}) {
        for (const char* const tree : {"max", "min"}) {
            // Chunks take differences from a range of values, see docs/values.md.
            const char* const range = output == std::string_view("residue") ? "minmax" : "auto";
            expectEqualVolume("f.raw", {"--keep", "area>=9", "--raw", "12x10:f32:pages=8", "--tree", tree, "--output",
                                        output, "--range", range});
        }
    }
}

TEST_F(VolumeStream, ContinuesAfterKillsAnywhere) {
    makeVolume("a.tif", PixelType::u16, {96, 96, 96}, 60000);
    const Args options{"--volume", "--keep", "area>=20", "--output", "labels", "--stream", "--chunk", "24"};
    ASSERT_EQ(call(filterOf("a.tif", "once.tif", options)).code, 0);
    const Args args = filterOf("a.tif", "o.tif", options, {"--resume", "--workdir", path("work")});
    EXPECT_GT(killUntilDone(args, "o.tif", "once.tif"), 2);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif", "once.tif"));
}

TEST_F(VolumeStream, NeedsNoMoreMemoryThanAllowed) {
#if defined(POLLARD_ASAN)
    GTEST_SKIP() << "the sanitizer takes terabytes of address space";
#endif
    makeVolume("a.tif", PixelType::u8, {256, 256, 200}, 100);
    const Args options{"--volume", "--keep", "area>=50", "--threads", "2"};
    ASSERT_EQ(call(filterOf("a.tif", "whole.tif", options)).code, 0);
    const AddressSpace limit(std::uint64_t{450} << 20); // for the program, its threads and the work
    const Outcome chunks = runBinary(filterOf("a.tif", "chunks.tif", options, {"--memory", "100M"}));
    ASSERT_EQ(chunks.code, 0) << chunks.err;
    EXPECT_TRUE(contentOf(path("chunks.tif")) == contentOf(path("whole.tif")));
    EXPECT_GT(chunks.json().at("chunk_trees"), 10);
}

TEST_F(VolumeStream, IsChosenByItselfForVolumesThatDoNotFit) {
    std::ofstream(path("large.raw")).close();
    std::filesystem::resize_file(path("large.raw"), std::uint64_t{65000} * 65000 * 4); // takes no place on the disk
    const Outcome outcome =
        call(filterOf("large.raw", "o.tif",
                      {"--volume", "--keep", "area>=2", "--raw", "65000x65000:u8:pages=4", "--max-pixels", "1000"}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("the volume of 65,000 x 65,000 x 4 px takes about"));
    EXPECT_THAT(outcome.err, HasSubstr("filtered in chunks (--stream)"));
    EXPECT_THAT(filesInFolder(), ElementsAre("large.raw"));
}

TEST_F(VolumeStream, LeavesOnlyTheResultAndRefusesInOneLine) {
    makeVolume("a.tif", PixelType::u8, {20, 15, 12}, 40);
    ASSERT_EQ(call(filterOf("a.tif", "o.tif", {"--volume", "--keep", "area>=2", "--stream"})).code, 0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif"));
    std::filesystem::remove(path("o.tif"));
    const auto refusal = [&](const Args& more, const std::string& target, int code) {
        const Outcome outcome = call(filterOf("a.tif", target, {"--volume", "--stream"}, more));
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(refusal({"--keep", "area>=2um2"}, "o.tif", 1), HasSubstr("in a volume 'area' is a volume"));
    EXPECT_THAT(refusal({"--keep", "perimeter>=2"}, "o.tif", 1), IsErrorAbout("perimeter"));
    EXPECT_THAT(refusal({"--keep", "area>=2", "--shrink", "2"}, "o.tif", 2), IsErrorAbout("--shrink"));
    EXPECT_THAT(refusal({"--keep", "area>=2"}, "o.png", 2), IsErrorAbout("output"));
    EXPECT_THAT(refusal({"--keep", "area>=2"}, "a.tif", 2), IsErrorAbout("the input"));
    // Pixels without data stay NaN.
    const std::vector<float> values(24, std::numeric_limits<float>::quiet_NaN());
    std::ofstream(path("n.raw"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    const Outcome outcome =
        call(filterOf("n.raw", "o.nii", {"--volume", "--stream", "--raw", "3x2:f32:pages=4", "--keep", "area>=2"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(readImage(path("o.nii")).info.invalidPixels, 6U);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "n.raw", "o.nii"));
}

/// Channels in chunks, the smallest of which are 512 px wide.
class ChannelStream : public VolumeStream {
protected:
    void makeChannels(const std::string& name, PixelType type, int count, const SampleLayout& layout) const {
        writeTiff(path(name),
                  {count,
                   [&](int plane, const JobControl&) {
                       return Plane{ownedRows(std::make_shared<Image>(
                           noiseVolume(type, {600, 530, 1}, 200, static_cast<unsigned>(plane))))};
                   }},
                  {.samples = layout});
    }
    void expectEqualChannels(const std::string& image, Args options) const {
        options.insert(options.end(), {"--channel", "all"});
        expectEqual(image, options, ".tif", "512");
    }
};

TEST_F(ChannelStream, EqualsTheFilterInMemory) {
    using Colours = SampleLayout::Colours;
    const std::vector<SampleLayout> layouts = {
        {.samples = 3, .colours = Colours::rgb},
        {.samples = 4, .colours = Colours::rgb, .alpha = 3},
        {.samples = 4, .colours = Colours::rgb, .planar = true, .alpha = 3},
        {.samples = 2},
        {.samples = 1},
    };
    for (const SampleLayout& layout : layouts) {
        makeChannels("a.tif", layout.planar ? PixelType::u16 : PixelType::u8, layout.samples, layout);
        expectEqualChannels("a.tif", {"--keep", "area>=20"});
        expectEqualChannels("a.tif", {"--keep", "area>=20", "--output", "residue", "--tree", "min"});
    }
    makeChannels("p.tif", PixelType::u16, 3, {}); // pages
    expectEqualChannels("p.tif", {"--keep", "area>=20", "--output", "mask"});
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "p.tif", "whole.tif"));
}

TEST_F(ChannelStream, TakesCriteriaOfChannelsAndValues) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3, .colours = SampleLayout::Colours::rgb});
    expectEqualChannels("a.tif", {"--keep", "area>=5", "--keep", "red:height>=40", "--keep", "2:area<=90"});
    expectEqualChannels("a.tif", {"--keep", "area>=5", "--region", "10,20,560,505"});
    std::vector<float> values(std::size_t{2} * 530 * 520);
    std::mt19937 random(7);
    for (float& value : values) {
        value = static_cast<float>(random() % 1000) / 8;
    }
    std::ofstream(path("f.raw"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
    expectEqualChannels("f.raw", {"--keep", "area>=9", "--raw", "530x520:f32:samples=2"});
}

TEST_F(ChannelStream, ContinuesAfterKillsAnywhere) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3, .colours = SampleLayout::Colours::rgb});
    const Args options{"--channel", "all", "--keep", "area>=20", "--stream", "--chunk", "512"};
    ASSERT_EQ(call(filterOf("a.tif", "once.tif", options)).code, 0);
    const Args args = filterOf("a.tif", "o.tif", options, {"--resume", "--workdir", path("work")});
    EXPECT_GT(killUntilDone(args, "o.tif", "once.tif"), 1);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "o.tif", "once.tif"));
}

TEST_F(ChannelStream, RefusesWhatNeedsWholeChannels) {
    makeChannels("a.tif", PixelType::u8, 3, {.samples = 3, .colours = SampleLayout::Colours::rgb});
    const auto refusal = [&](const Args& more, int code) {
        const Outcome outcome = call(filterOf("a.tif", "o.tif", {"--stream", "--keep", "area>=2"}, more));
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(refusal({"--guide", "red"}, 2), IsErrorAbout("--guide"));
    EXPECT_THAT(refusal({"--channel", "all", "--output", "labels"}, 2), IsErrorAbout("labels"));
    EXPECT_THAT(refusal({"--channel", "all", "--shrink", "2"}, 2), IsErrorAbout("--shrink"));
    EXPECT_THAT(refusal({"--channel", "all", "--keep-at", "1,1"}, 2), IsErrorAbout("picked"));
    EXPECT_THAT(refusal({"--channel", "all", "--volume"}, 2), IsErrorAbout("--volume"));
    EXPECT_THAT(refusal({"--channel", "all", "--keep", "entropy<=1"}, 1), IsErrorAbout("channel red: attribute"));
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

} // namespace
} // namespace pollard::cli
