#include "cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <tiffio.h>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::map<std::string, double>>;

std::vector<std::string> splitLine(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

Rows readCsv(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> names = splitLine(line);
    Rows rows;
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = splitLine(line);
        EXPECT_EQ(fields.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i == 0) {
                rows.emplace_back();
            }
            rows.back()[names[i]] = std::stod(fields.at(i));
        }
    }
    return rows;
}

std::vector<std::uint32_t> readTiff32(const std::string& file, std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint32_t> values(std::size_t{width} * height);
    TIFF* tiff = TIFFOpen(file.c_str(), "r");
    if (tiff == nullptr) {
        ADD_FAILURE() << "cannot open " << file;
        return {};
    }
    std::uint16_t bits = 0;
    TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    EXPECT_EQ(bits, 32);
    for (std::uint32_t y = 0; y < height; ++y) {
        EXPECT_EQ(TIFFReadScanline(tiff, values.data() + std::size_t{y} * width, y), 1);
    }
    TIFFClose(tiff);
    return values;
}

/// Reports a memory estimate above its memory.
class HugeEngine : public Engine {
    class HugeSession : public Session {
    public:
        void setImage(std::shared_ptr<const Image>) override { ADD_FAILURE() << "the estimate comes first"; }
        TreeReport build(const TreeSpec&, const JobControl&) override {
            ADD_FAILURE() << "must not be built";
            return {};
        }
        [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return nullptr; }
        std::shared_ptr<const AttributeColumn> attribute(AttributeId, const JobControl&) override { return nullptr; }
        FilterReport runFilter(const FilterSpec&, Image&, const JobControl&) override { return {}; }
        [[nodiscard]] std::uint64_t estimateTreeBytes(const Image&) const override { return std::uint64_t{1} << 60U; }
    };

public:
    [[nodiscard]] std::string name() const override { return "huge"; }
    [[nodiscard]] std::string device() const override { return "nowhere"; }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override { return std::uint64_t{1} << 30U; }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        return {{"columns", "max-tree", "huge", "test"}};
    }
    std::unique_ptr<Session> openSession(const SessionOptions&) override { return std::make_unique<HugeSession>(); }
};

class TreeCommand : public CliTest {};

TEST_F(TreeCommand, EstimatesTheMemoryOfTheAlgorithm) {
    (void)makeImage("a.tif", PixelType::u8, 100, 80, 40);
    const auto estimate = [&](const char* algorithm) {
        const Outcome outcome = call({"tree", path("a.tif"), "--algorithm", algorithm, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("estimate_bytes").get<std::uint64_t>();
    };
    constexpr std::uint64_t kPixels = 8000;
    EXPECT_EQ(estimate("branches"), 56 * kPixels + (1U << 20U));
    EXPECT_EQ(estimate("union-find"), 62 * kPixels + (2U << 20U));
    EXPECT_EQ(estimate("flooding"), 62 * kPixels + (2U << 20U));
}

TEST_F(TreeCommand, RefusesATreeBeyondTheLimitOfMemory) {
    (void)makeImage("a.tif", PixelType::u16, 1500, 1500, 40'000);
    const Outcome refused = call({"tree", path("a.tif"), "--engine", "cpu", "--memory-limit", "10M"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("tree of 1500 x 1500 px: about "));
    EXPECT_THAT(refused.err, HasSubstr("of memory needed"));
    EXPECT_EQ(call({"tree", path("a.tif"), "--engine", "cpu", "--memory-limit", "8G"}).code, 0);
    EXPECT_EQ(call({"tree", path("a.tif"), "--engine", "cpu"}).code, 0) << "a limit is that of its command";
}

TEST_F(TreeCommand, ReportsTheFieldsOfTheContract) {
    (void)makeImage("a.tif", PixelType::u8, 31, 22, 40);
    const Outcome outcome = runBinary({"tree", path("a.tif"), "--json", "--engine", "cpu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    for (const char* field : {"nodes", "leaves", "depth", "root_level", "build_ms", "estimate_bytes"}) {
        EXPECT_TRUE(json.at(field).is_number()) << field;
    }
    EXPECT_EQ(json.at("engine"), "cpu");
    EXPECT_FALSE(json.at("algorithm").get<std::string>().empty());
}

TEST_F(TreeCommand, TableAndParentImageDescribeTheSameTree) {
    constexpr std::uint32_t kWidth = 37;
    constexpr std::uint32_t kHeight = 29;
    const auto image = makeImage("a.tif", PixelType::u16, kWidth, kHeight, 300);
    for (const std::string kind : {"max", "min"}) {
        const Outcome outcome = runBinary({"tree", path("a.tif"), "--tree", kind, "--attributes", "area,mean,depth",
                                           "--nodes", path("n.csv"), "--parent", path("p.tif"), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Rows rows = readCsv(path("n.csv"));
        const auto parents = readTiff32(path("p.tif"), kWidth, kHeight);
        const Json json = outcome.json();
        ASSERT_EQ(rows.size(), json.at("nodes"));
        EXPECT_EQ(rows[0].at("level"), json.at("root_level").get<double>());
        EXPECT_EQ(rows[0].at("area"), kWidth * kHeight);

        double deepest = 0;
        std::vector<double> ownPixels(rows.size(), 0);
        std::map<std::uint32_t, std::size_t> nodeOfCanonical;
        const auto canonical = [&rows](std::size_t node) {
            return static_cast<std::uint32_t>(rows[node].at("canonical_y") * kWidth + rows[node].at("canonical_x"));
        };
        for (std::size_t node = 0; node < rows.size(); ++node) {
            const auto parent = static_cast<std::size_t>(rows[node].at("parent"));
            ASSERT_EQ(rows[node].at("id"), static_cast<double>(node));
            ASSERT_TRUE(node == 0 ? parent == 0 : parent < node);
            ASSERT_EQ(image->level(canonical(node)), rows[node].at("level"));
            ASSERT_EQ(parents[canonical(node)], canonical(parent));
            nodeOfCanonical[canonical(node)] = node;
            deepest = std::max(deepest, rows[node].at("depth"));
        }
        EXPECT_EQ(deepest, json.at("depth").get<double>());
        EXPECT_EQ(parents[canonical(0)], canonical(0)) << "the root points to itself";

        // Areas from the parent image alone.
        for (std::uint32_t pixel = 0; pixel < parents.size(); ++pixel) {
            const auto own = nodeOfCanonical.find(pixel);
            ASSERT_TRUE(nodeOfCanonical.contains(parents[pixel]));
            ++ownPixels[own != nodeOfCanonical.end() ? own->second : nodeOfCanonical.at(parents[pixel])];
        }
        for (std::size_t node = rows.size(); node-- > 1;) {
            ASSERT_EQ(rows[node].at("area"), ownPixels[node]);
            ownPixels[static_cast<std::size_t>(rows[node].at("parent"))] += ownPixels[node];
        }
    }
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif", "n.csv", "p.tif"));
}

TEST_F(TreeCommand, WritesTheSameFilesWithOneThreadAndWithTwo) {
    (void)makeImage("a.tif", PixelType::u16, 301, 257, 4000);
    const auto content = [this](const std::string& threads) {
        EXPECT_EQ(
            call({"tree", path("a.tif"), "--attributes", "all", "--nodes", path("n.csv"), "--threads", threads}).code,
            0);
        std::ifstream stream(path("n.csv"));
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    EXPECT_TRUE(content("1") == content("2"));
}

TEST_F(TreeCommand, NamesColumnsOnceAndInTheOrderAskedFor) {
    (void)makeImage("a.tif", PixelType::u8, 5, 5, 3);
    ASSERT_EQ(call({"tree", path("a.tif"), "--attributes", "mean, area,mean,level", "--nodes", path("n.csv")}).code, 0);
    std::ifstream stream(path("n.csv"));
    std::string header;
    std::getline(stream, header);
    EXPECT_EQ(header, "id,parent,level,canonical_x,canonical_y,mean,area");
}

TEST_F(TreeCommand, WritesNumPyArraysOfTheSameTree) {
    (void)makeImage("a.tif", PixelType::u16, 23, 17, 100);
    const Outcome outcome = call({"tree", path("a.tif"), "--attributes", "area,level", "--nodes", path("n.npy"),
                                  "--parent", path("p.npy"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(call({"tree", path("a.tif"), "--parent", path("p.tif")}).code, 0);
    const auto bytes = [this](const char* name) {
        std::ifstream stream(path(name), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const auto parents = readTiff32(path("p.tif"), 23, 17);
    const std::string array = bytes("p.npy");
    ASSERT_GT(array.size(), 4 * parents.size());
    EXPECT_EQ(std::memcmp(array.data() + array.size() - 4 * parents.size(), parents.data(), 4 * parents.size()), 0);
    const std::string nodes = bytes("n.npy");
    EXPECT_THAT(nodes, HasSubstr("'area'"));
    EXPECT_THAT(nodes, HasSubstr("'shape': (" + std::to_string(outcome.json().at("nodes").get<int>()) + ", )"));
}

TEST_F(TreeCommand, WritesAGraphOfASubtree) {
    (void)makeImage("a.tif", PixelType::u8, 23, 17, 100);
    const Outcome outcome = call({"tree", path("a.tif"), "--attributes", "area", "--dot", path("t.dot"), "--dot-nodes",
                                  "4", "--dot-node", "1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("dot_file"), path("t.dot"));
    std::ifstream stream(path("t.dot"));
    const std::string dot(std::istreambuf_iterator<char>(stream), {});
    EXPECT_THAT(dot, ::testing::StartsWith("digraph tree {"));
    EXPECT_THAT(dot, HasSubstr("n1 [label=\"1\\nlevel "));
    EXPECT_THAT(dot, HasSubstr("area "));
    EXPECT_EQ(call({"tree", path("a.tif"), "--dot", path("u.dot"), "--dot-nodes", "0"}).code, 2);
    EXPECT_EQ(call({"tree", path("a.tif"), "--dot", path("u.dot"), "--dot-node", "99999"}).code, 1);
    EXPECT_EQ(call({"tree", path("a.tif"), "--dot", path("u.dot"), "--nodes", path("u.dot")}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("u.dot")));
}

TEST_F(TreeCommand, BuildsTheSameTreeWithEveryGrid) {
    (void)makeImage("a.tif", PixelType::u8, 40, 30, 20);
    const auto tree = [this](const Args& grid) {
        Args args{"tree", path("a.tif"), "--json"};
        args.insert(args.end(), grid.begin(), grid.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    };
    const Json standard = tree({});
    EXPECT_EQ(standard.at("grid"), "auto");
    for (const std::string grid : {"auto", "on", "off"}) {
        const Json json = tree({"--grid", grid});
        EXPECT_EQ(json.at("grid"), grid);
        EXPECT_EQ(json.at("algorithm"), standard.at("algorithm"));
        EXPECT_EQ(json.at("nodes"), standard.at("nodes"));
    }
    EXPECT_THAT(call({"tree", path("a.tif"), "--grid", "off"}).out, HasSubstr("branches, grid off, "));
    EXPECT_THAT(call({"tree", path("a.tif")}).out, ::testing::Not(HasSubstr("grid")));
}

TEST_F(TreeCommand, RefusesWhatCannotFitIntoMemoryBeforeItIsBuilt) {
    (void)makeImage("a.tif", PixelType::u8, 5, 5, 3);
    EngineRegistry registry{makeCpuEngine()};
    registry.add(std::make_unique<HugeEngine>());
    std::ostringstream out;
    std::ostringstream err;
    const Args args{"tree", path("a.tif"), "--engine", "huge"};
    EXPECT_EQ(runCli(args, out, err, registry), 1);
    EXPECT_THAT(err.str(), IsErrorAbout("5 x 5 px: its tree needs 1.0 EiB, engine huge has 1.0 GiB"));
}

TEST_F(TreeCommand, IsCancelledWithoutLeavingFiles) {
    (void)makeImage("a.tif", PixelType::u8, 50, 50, 30);
    std::stop_source stop;
    stop.request_stop();
    EngineRegistry registry{makeCpuEngine()};
    std::ostringstream out;
    std::ostringstream err;
    const Args args{"tree", path("a.tif"), "--nodes", path("n.csv"), "--parent", path("p.tif")};
    EXPECT_EQ(runCli(args, out, err, registry, {.stop = stop.get_token()}), 1);
    EXPECT_EQ(err.str(), "pollard-cli: cancelled\n");
    EXPECT_EQ(out.str(), "");
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(TreeCommand, StopsCleanlyAtCtrlC) {
    (void)makeImage("a.tif", PixelType::u16, 3000, 3000, 65536);
    for (const int milliseconds : {150, 400}) {
        const Outcome outcome = interruptBinary(
            {"tree", path("a.tif"), "--attributes", "all", "--nodes", path("n.csv"), "--parent", path("p.tif")},
            milliseconds);
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(outcome.err, "pollard-cli: cancelled\n");
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
    }
}

} // namespace
} // namespace pollard::cli
