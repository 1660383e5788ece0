// Every command on a volume: a result of all voxels, or one sentence that refuses it.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <functional>
#include <sstream>

namespace pollard::cli {
namespace {

constexpr std::size_t kSlice = 8 * 6;

class VolumeAudit : public CliTest {
protected:
    /// Two slices of 1 with a 0 in each.
    void SetUp() override {
        Image volume(PixelType::u8, Extent{8, 6, 2});
        std::ranges::fill(volume.pixels<std::uint8_t>(), std::uint8_t{1});
        volume.pixels<std::uint8_t>()[0] = volume.pixels<std::uint8_t>()[kSlice] = 0;
        writeTiff(path("v.tif"), {volume, {.scene = {.axes = {{'z', 2, {}}}}}});
        for (const bool isVolume : {false, true}) {
            ReadStep read;
            read.volume = isVolume;
            saveRecipe({"r", "", "", {read, FilterStep{}}}, path(isVolume ? "volume.json" : "page.json"));
            saveRecipe({"r", "", "", {read, ObjectsStep{}}}, path(isVolume ? "objects.json" : "page_objects.json"));
        }
    }
    /// Pixels of all pages of a result.
    [[nodiscard]] std::size_t pixelsIn(const std::string& name) const {
        const ImageInfo info = readImageInfo(path(name));
        return std::size_t{info.width} * info.height * static_cast<std::size_t>(info.pages);
    }
};

using Pixels = std::function<std::size_t(const Json&)>;

/// How a command is called, and the pixels that its result is about.
struct Entry {
    std::string command;
    Args page;      ///< arguments for a page
    Args volume;    ///< and for the volume
    Pixels pixels;  ///< by the printed result
    std::string no; ///< the error for the volume; empty if the result has all voxels
};

TEST_F(VolumeAudit, EveryCommandTakesAllVoxelsOrRefusesThem) {
    const std::string image = path("v.tif");
    const auto file = [this](const std::string& name) { return [=, this](const Json&) { return pixelsIn(name); }; };
    const auto on = [&](Args args) {
        Args volume = args;
        args.insert(args.begin(), image);
        volume.insert(volume.begin(), {image, "--volume"});
        return std::pair{args, volume};
    };
    const std::string images = " works on images, not on volumes";
    std::vector<Entry> entries;
    const auto add = [&](const std::string& command, const Args& args, Pixels pixels, const std::string& no = {}) {
        auto [page, volume] = on(args);
        entries.push_back({command, std::move(page), std::move(volume), std::move(pixels), no});
    };
    add("info", {}, [](const Json& json) {
        return json.at("read_width").get<std::size_t>() * json.at("read_height").get<std::size_t>() *
               json.value("slices", 1U);
    });
    add("tree", {"--attributes", "area"},
        [](const Json& json) { return json.at("attributes").at(0).at("max").get<std::size_t>(); });
    add("filter", {"--keep", "area>=1", "-o", path("f.tif")}, file("f.tif"));
    add("profile", {"--thresholds", "1", "-o", path("p.tif")}, file("p.tif"));
    add("spectrum", {}, // the mass of the pixels of 1
        [](const Json& json) { return json.at("total").get<std::size_t>() / (kSlice - 1) * kSlice; });
    add("h-maxima", {"--h", "1", "-o", path("h.tif")}, file("h.tif"));
    add("operator", {"--operator", "opening", "--radius", "1", "-o", path("o.tif")}, file("o.tif"));
    add("hierarchy", {"-o", path("r.tif")}, file("r.tif"));
    add("watershed", {"-o", path("w.tif")}, file("w.tif"));
    add("mser", {"--min-area", "1", "--labels", path("m.tif")}, file("m.tif"));
    add("components", {"--threshold", "1", "--labels", path("c.tif")}, file("c.tif"));
    add(
        "track", {"--threshold", "1", "--csv", path("t.csv")},
        [](const Json& json) { return json.at("frames").get<std::size_t>() / 2 * kSlice; }, "track" + images);
    add("snake", {"--init", "1,1,5,4", "--mask", path("s.tif")}, file("s.tif"), "snake" + images);
    add("bench", {"--bits", "8", "--repeat", "1", "--algorithms", "branches"},
        [](const Json& json) { return json.at("results").at(0).at("pixels").get<std::size_t>(); });
    entries.push_back({"learn",
                       {image, "--keep", "1,1", "--drop", "0,0", "--attributes", "area", "--any-size"},
                       {image, "--volume", "--keep", "1,1,1", "--drop", "0,0,1", "--attributes", "area", "--any-size"},
                       [](const Json& json) { // "area<=N", one less than all pixels
                           return std::stoul(json.at("criteria").at(0).get<std::string>().substr(6)) + 1;
                       },
                       {}});
    entries.push_back({"score",
                       {image, image},
                       {image, image, "--volume"},
                       [](const Json& json) { return json.at("pixels").get<std::size_t>(); },
                       {}});
    const Args tuned{image, "--score", image, "--vary", "objects.threshold=1"};
    entries.push_back({"tune",
                       Args{path("page_objects.json")},
                       Args{path("objects.json")},
                       [](const Json& json) { return json.at("pixels").get<std::size_t>(); },
                       {}});
    for (Args* const args : {&entries.back().page, &entries.back().volume}) {
        args->insert(args->end(), tuned.begin(), tuned.end());
    }
    entries.push_back({"run",
                       {path("page.json"), image, "-o", path("out")},
                       {path("volume.json"), image, "-o", path("out")},
                       file("out/v.tif"),
                       {}});
    const std::vector<std::string> without{"engines", "algorithms",
                                           "part"}; // take no image, except the verbs of `part`

    for (const Entry& entry : entries) {
        for (const bool isVolume : {false, true}) {
            Args args = isVolume ? entry.volume : entry.page;
            args.insert(args.begin(), entry.command);
            args.emplace_back("--json");
            const Outcome outcome = call(args);
            if (isVolume && !entry.no.empty()) {
                EXPECT_EQ(outcome.code, 2) << entry.command;
                EXPECT_THAT(outcome.err, IsErrorAbout(entry.no));
                continue;
            }
            ASSERT_EQ(outcome.code, 0) << entry.command << ": " << outcome.err;
            EXPECT_EQ(entry.pixels(outcome.json()), isVolume ? 2 * kSlice : kSlice) << entry.command;
        }
    }

    // "command: 'nothing': unknown (there are engines, info, ...)"
    std::string known = call({"nothing"}).err;
    known = known.substr(known.find("there are ") + 10);
    std::istringstream names(known.substr(0, known.find(')')));
    std::size_t count = 0;
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
        ++count;
        EXPECT_TRUE(std::ranges::find(entries, name, &Entry::command) != entries.end() ||
                    std::ranges::find(without, name) != without.end())
            << "no entry for the command " << name;
    }
    EXPECT_EQ(count, entries.size() + without.size());
}

TEST_F(VolumeAudit, TheOptionIsRefusedBesideARecipe) {
    EXPECT_THAT(call({"run", path("page.json"), path("v.tif"), "-o", path("out"), "--volume"}).err,
                IsErrorAbout("the recipe says whether it reads volumes"));
    EXPECT_THAT(call({"engines", "--volume"}).err, IsErrorAbout("'--volume': unknown"));
    EXPECT_THAT(call({"track", path("v.tif"), "--recipe", path("volume.json")}).err,
                IsErrorAbout("tracking: works on images, but the recipe 'r' reads a volume"));
}

} // namespace
} // namespace pollard::cli
