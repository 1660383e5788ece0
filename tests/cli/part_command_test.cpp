#include "formats/tiff/tiff_writer.hpp"

#include "cli_fixture.hpp"
#include "comb_image.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class PartCommand : public CliTest {
protected:
    /// Calls a verb, which must succeed. @return its JSON
    Json part(Args args) const {
        args.insert(args.begin(), "part");
        args.emplace_back("--json");
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << args.at(1) << ": " << outcome.err;
        return outcome.code == 0 ? outcome.json() : Json();
    }
    /// The line with which a verb fails.
    std::string problem(Args args) const {
        args.insert(args.begin(), "part");
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 1) << args.at(1) << ": " << outcome.out;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        return outcome.err;
    }
    [[nodiscard]] std::string bytesOf(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    Json plan(const std::string& image, const std::string& job, Args options) const {
        options.insert(options.begin(), {"plan", image, "-o", job, "--chunk", "512"});
        return part(options);
    }

    /// Two tasks of the 2 x 2 chunks of an image, merged.
    void makeTwoTasks() {
        (void)makeImage("a.tif", PixelType::u8, 700, 600, 5);
        image_ = path("a.tif");
        job_ = path("job.json");
        ASSERT_EQ(plan(image_, job_, {"--keep", "area>=3"}).value("chunks", 0), 4);
        (void)part({"build", job_, image_, "--chunks", "0:1", "-o", path("p0")});
        (void)part({"build", job_, image_, "--chunks", "2:3", "-o", path("p1")});
        (void)part({"merge", job_, path("p0"), path("p1"), "-o", path("m")});
    }

    std::string image_;
    std::string job_;
};

/// A folder of `merge` and the folders that it merged.
struct Merge {
    std::string folder;
    Args inputs;
};

TEST_F(PartCommand, EqualsFilterForAnyGroupsAndOrderOfMerges) {
    const std::vector<Args> filters{
        {"--keep", "area>=6"},
        {"--keep", "rectangularity>=0.6", "--rule", "subtractive", "--tree", "min", "--connectivity", "8"},
        {"--keep", "perimeter<=40", "--rule", "viterbi", "--output", "mask", "--compression", "none"},
        {"--keep", "3<=area<=60", "--output", "labels", "--region", "10,20,1200,1100"},
        {"--keep", "depth>=2", "--keep", "dynamics>=2", "--output", "residue"},
        {"--prominent", "dynamics:30", "--rule", "subtractive", "--tree", "min"},
        {"--keep", "extinction_area>=9", "--keep", "depth<=1", "--match", "any", "--rule", "max", "--output", "labels"},
        {"--keep", "extinction_volume>=900", "--prominent", "extinction_volume:300", "--rule", "viterbi", "--tree",
         "min"},
    };
    std::mt19937 random(7);
    for (std::size_t i = 0; i < filters.size(); ++i) {
        const std::string name = std::to_string(i);
        (void)makeImage(name + ".tif", i % 2 == 0 ? PixelType::u8 : PixelType::u16, 1300, 1200, i % 2 == 0 ? 4 : 900);
        const std::string image = path(name + ".tif");
        const std::string job = path(name + ".json");
        const Json planned = plan(image, job, filters[i]);
        ASSERT_EQ(planned.value("chunks", 0U), 9U);
        const bool decides = planned.value("sweeps", 0) == 2;
        Args parts;
        for (std::uint64_t first = 0; first < 9;) {
            const std::uint64_t end = std::min<std::uint64_t>(9, first + 1 + random() % 4);
            parts.push_back(path(name + "-part" + std::to_string(first)));
            (void)part({"build", job, image, "-o", parts.back(), "--chunks",
                        std::to_string(first) + ":" + std::to_string(end - 1)});
            first = end;
        }
        Args open = parts;
        std::vector<Merge> merges;
        while (open.size() > 1) {
            std::ranges::shuffle(open, random);
            Merge merge{path(name + "-merge" + std::to_string(merges.size())), {}};
            for (std::size_t count = std::min<std::size_t>(open.size(), 2 + random() % 2); count > 0; --count) {
                merge.inputs.push_back(open.back());
                open.pop_back();
            }
            Args args{"merge", job, "-o", merge.folder};
            args.insert(args.end(), merge.inputs.begin(), merge.inputs.end());
            (void)part(args);
            open.push_back(merge.folder);
            merges.push_back(std::move(merge));
        }
        const auto onMerge = [&](const char* verb, const Merge& merge) {
            Args args{verb, job, merge.folder};
            args.insert(args.end(), merge.inputs.begin(), merge.inputs.end());
            (void)part(args);
        };
        const auto split = [&] {
            std::for_each(merges.rbegin(), merges.rend(), [&](const Merge& merge) { onMerge("split", merge); });
        };
        split();
        EXPECT_EQ(decides, i >= 6);
        if (decides) {
            for (const std::string& folder : parts) {
                (void)part({"decide", job, image, folder});
            }
            std::ranges::for_each(merges, [&](const Merge& merge) { onMerge("collect", merge); });
            split();
        }
        const bool labels = std::ranges::find(filters[i], "labels") != filters[i].end();
        for (const std::string& folder : parts) {
            if (labels) {
                (void)part({"count", job, image, folder});
            }
        }
        for (const std::string& folder : parts) {
            Args args{"apply", job, image, folder};
            if (labels) {
                args.emplace_back("--numbered");
                args.insert(args.end(), parts.begin(), parts.end());
            }
            (void)part(args);
        }
        Args args{"finish", job, image, "-o", path("parts.tif")};
        args.insert(args.end(), parts.begin(), parts.end());
        const Json finished = part(args);
        Args whole{"filter", image, "-o", path("whole.tif"), "--chunk", "4096", "--json"};
        whole.insert(whole.end(), filters[i].begin(), filters[i].end());
        const Outcome outcome = call(whole);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(bytesOf("parts.tif") == bytesOf("whole.tif")) << name;
        EXPECT_EQ(finished.value("changed_pixels", 0), outcome.json().value("changed_pixels", 1));
    }
}

TEST_F(PartCommand, CutsPartsWhereMemoryIsShort) {
    image_ = path("comb.tif");
    job_ = path("job.json");
    writeTiff(image_, testing::combImage(1024, 1024));
    ASSERT_EQ(plan(image_, job_, {"--keep", "area>=50"}).value("chunks", 0), 4);
    const auto openNodes = [&](const Args& args) {
        Args all = args;
        all.insert(all.end(), {"--memory", "64M"});
        return part(all).value("open_nodes", std::uint64_t{0});
    };
    EXPECT_LE(openNodes({"build", job_, image_, "--chunks", "0:1", "-o", path("p0")}), 512U * 50U + 2)
        << "and a root per chunk";
    (void)openNodes({"build", job_, image_, "--chunks", "2:3", "-o", path("p1")});
    (void)part({"merge", job_, path("p0"), path("p1"), "-o", path("m"), "--memory", "4M"});
    (void)part({"split", job_, path("m"), path("p0"), path("p1")});
    EXPECT_TRUE(part({"apply", job_, image_, path("p0"), "--memory", "64M"}).at("nodes").is_null());
    (void)part({"apply", job_, image_, path("p1")});
    (void)part({"finish", job_, image_, path("p0"), path("p1"), "-o", path("parts.tif")});
    ASSERT_EQ(
        call({"filter", image_, "--keep", "area>=50", "--stream", "--chunk", "512", "-o", path("whole.tif")}).code, 0);
    EXPECT_TRUE(bytesOf("parts.tif") == bytesOf("whole.tif"));
}

TEST_F(PartCommand, PassesOverTheImageOnlyInThePlan) {
    (void)makeImage("a.tif", PixelType::u16, 600, 700, 9000,
                    {{42113, 2, 2, {std::byte{'7'}, std::byte{0}}}}); // no data
    const std::string image = path("a.tif");
    const std::string job = path("job.json");
    ASSERT_EQ(plan(image, job, {"--keep", "area>=4"}).value("chunks", 0), 4);
    EXPECT_THAT(bytesOf("job.json"), HasSubstr("levels"));
    (void)part({"build", job, image, "--chunks", "0:3", "-o", path("p")});
    (void)part({"apply", job, image, path("p")}); // all chunks: no results are needed
    (void)part({"finish", job, image, path("p"), "-o", path("o.tif")});
    ASSERT_EQ(call({"filter", image, "-o", path("f.tif"), "--keep", "area>=4", "--stream"}).code, 0);
    EXPECT_TRUE(bytesOf("o.tif") == bytesOf("f.tif"));
}

TEST_F(PartCommand, DecidesInOneTaskThatHasAllChunks) {
    (void)makeImage("a.tif", PixelType::u8, 600, 700, 90);
    const std::string image = path("a.tif");
    const std::string job = path("job.json");
    const Args filter{"--keep", "dynamics>=20", "--rule", "max"};
    ASSERT_EQ(plan(image, job, filter).value("sweeps", 0), 2);
    (void)part({"build", job, image, "--chunks", "0:3", "-o", path("p")});
    (void)part({"apply", job, image, path("p")});
    (void)part({"finish", job, image, path("p"), "-o", path("o.tif")});
    ASSERT_EQ(call({"filter", image, "-o", path("f.tif"), "--keep", "dynamics>=20", "--rule", "max", "--stream"}).code,
              0);
    EXPECT_TRUE(bytesOf("o.tif") == bytesOf("f.tif"));
}

TEST_F(PartCommand, RefusesAWrongOrderOfTwoSweepsInOneLine) {
    (void)makeImage("a.tif", PixelType::u8, 700, 600, 90);
    const std::string image = path("a.tif");
    const std::string job = path("job.json");
    ASSERT_EQ(plan(image, job, {"--prominent", "dynamics:5", "--rule", "viterbi"}).value("sweeps", 0), 2);
    (void)part({"build", job, image, "--chunks", "0:1", "-o", path("p0")});
    (void)part({"build", job, image, "--chunks", "2:3", "-o", path("p1")});
    (void)part({"merge", job, path("p0"), path("p1"), "-o", path("m")});
    EXPECT_THAT(problem({"decide", job, image, path("p0")}), HasSubstr("values"));
    EXPECT_THAT(problem({"collect", job, path("m"), path("p0"), path("p1")}), HasSubstr("decisions"));
    (void)part({"split", job, path("m"), path("p0"), path("p1")});
    { // values of another number of nodes
        const std::string good = bytesOf("p0/values.pollard");
        std::ofstream(path("p0/values.pollard"), std::ios::binary) << bytesOf("p1/values.pollard");
        EXPECT_THAT(problem({"decide", job, image, path("p0")}), HasSubstr("open nodes"));
        std::ofstream(path("p0/values.pollard"), std::ios::binary) << good;
    }
    EXPECT_THAT(problem({"apply", job, image, path("p0")}), HasSubstr("results"));
    (void)part({"decide", job, image, path("p0")});
    EXPECT_THAT(problem({"collect", job, path("m"), path("p0"), path("p1")}), HasSubstr("decisions"));
    (void)part({"decide", job, image, path("p1")});
    EXPECT_THAT(problem({"collect", job, path("m"), path("p1"), path("p0")}), HasSubstr("in another order"));
    EXPECT_THAT(problem({"decide", job, image, path("m")}), HasSubstr("is the folder of a merge"));
}

TEST_F(PartCommand, ContinuesAStoppedBuild) {
    makeTwoTasks();
    const std::string before = bytesOf("p0/part.pollard");
    const auto time = std::filesystem::last_write_time(path("p0/step-000000.pollard"));
    (void)part({"build", job_, image_, "--chunks", "0:1", "-o", path("p0")});
    EXPECT_EQ(std::filesystem::last_write_time(path("p0/step-000000.pollard")), time);
    EXPECT_EQ(bytesOf("p0/part.pollard"), before);
}

TEST_F(PartCommand, RefusesFilesOfOthersInOneLine) {
    makeTwoTasks();
    ASSERT_EQ(plan(image_, path("other.json"), {"--keep", "area>=4"}).value("chunks", 0), 4);
    EXPECT_THAT(problem({"merge", path("other.json"), path("p0"), path("p1"), "-o", path("x")}),
                HasSubstr("belongs to another job"));
    EXPECT_THAT(problem({"merge", job_, path("p0"), path("p0"), "-o", path("x")}),
                HasSubstr("two of the parts have chunk 0"));
    EXPECT_THAT(problem({"merge", job_, path("p0"), "-o", path("p0")}), HasSubstr("of the result and of a part"));
    EXPECT_THAT(problem({"split", job_, path("m"), path("p1"), path("p0")}), HasSubstr("in another order"));
    EXPECT_THAT(problem({"split", job_, path("m"), path("p0")}), HasSubstr("merged from 2 parts, not 1"));
    EXPECT_THAT(problem({"split", job_, path("p0"), path("p1")}), HasSubstr("inputs"));
    EXPECT_THAT(problem({"apply", job_, image_, path("p0")}), HasSubstr("results")); // before split
    EXPECT_THAT(problem({"apply", job_, image_, path("m")}), HasSubstr("is the folder of a merge"));
    EXPECT_THAT(problem({"count", job_, image_, path("p0")}), HasSubstr("--output labels"));
    EXPECT_THAT(problem({"build", job_, image_, "--chunks", "3:4", "-o", path("x")}), HasSubstr("chunks 0 to 3"));
    EXPECT_THAT(problem({"build", image_, image_, "--chunks", "0", "-o", path("x")}), HasSubstr("plan of a job"));
    EXPECT_THAT(problem({"decide", job_, image_, path("p0")}), HasSubstr("two sweeps"));
    EXPECT_THAT(problem({"collect", job_, path("m"), path("p0"), path("p1")}), HasSubstr("two sweeps"));

    (void)part({"split", job_, path("m"), path("p0"), path("p1")});
    (void)part({"apply", job_, image_, path("p0")});
    EXPECT_THAT(problem({"finish", job_, image_, path("p0"), "-o", path("o.tif")}), HasSubstr("have 2 of 4 chunks"));
    EXPECT_THAT(problem({"finish", job_, image_, path("p0"), path("p1"), "-o", path("o.tif")}), HasSubstr("counts"));
    EXPECT_FALSE(std::filesystem::exists(path("o.tif")));
    EXPECT_EQ(call({"part", "build", job_, image_, "--chunks", "3:1", "-o", path("x")}).code, 2);
    EXPECT_EQ(call({"part"}).code, 2);
}

TEST_F(PartCommand, RefusesDamagedFilesAndAnotherImageInOneLine) {
    makeTwoTasks();
    const std::string good = bytesOf("p1/part.pollard");
    std::ofstream(path("p1/part.pollard"), std::ios::binary) << good.substr(0, good.size() / 2);
    EXPECT_THAT(problem({"merge", job_, path("p0"), path("p1"), "-o", path("x")}), HasSubstr("is cut off"));
    std::string bad = good;
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
    std::ofstream(path("p1/part.pollard"), std::ios::binary) << bad;
    EXPECT_THAT(problem({"merge", job_, path("p0"), path("p1"), "-o", path("x")}), HasSubstr("damaged"));
    (void)makeImage("b.tif", PixelType::u8, 700, 600, 6);
    EXPECT_THAT(problem({"build", job_, path("b.tif"), "--chunks", "0", "-o", path("x")}),
                HasSubstr("is not the image of the job"));
}

} // namespace
} // namespace pollard::cli
