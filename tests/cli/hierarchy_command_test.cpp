// hierarchy: tables and regions of a range of sizes equal to core's results, and refused arguments.

#include "cli_fixture.hpp"

#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/region_measures.hpp"
#include "hierarchy/region_tree.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

/// Cells of a table by the names of its columns; -1 for an empty cell.
std::map<std::string, std::vector<double>> columnsOf(const std::string& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    std::vector<std::string> names;
    std::istringstream header(line);
    for (std::string name; std::getline(header, name, ',');) {
        names.push_back(name);
    }
    std::map<std::string, std::vector<double>> columns;
    while (std::getline(stream, line)) {
        std::istringstream cells(line);
        for (const std::string& name : names) {
            std::string cell;
            std::getline(cells, cell, ',');
            columns[name].push_back(cell.empty() ? -1 : std::stod(cell));
        }
    }
    return columns;
}

class HierarchyCommand : public CliTest {
protected:
    HierarchyCommand() : image_(makeImage("a.tif", PixelType::u8, 30, 20, 60)) {}

    std::shared_ptr<const Image> image_;
};

TEST_F(HierarchyCommand, WritesALineForEachRegion) {
    const Outcome outcome = call({"hierarchy", path("a.tif"), "--by", "altitude", "--csv", path("n.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["csv_file"], path("n.csv"));
    const HierarchySpec spec{Strength::altitude, EdgeWeight::difference, Connectivity::four};
    const Hierarchy hierarchy = makeHierarchy(*image_, nullptr, spec);
    const RegionTree tree = makeRegionTree(hierarchy);
    RegionMeasures measures(hierarchy, tree, *image_, nullptr, spec);
    const auto columns = columnsOf(path("n.csv"));
    ASSERT_EQ(columns.at("node").size(), tree.nodeCount());
    for (const RegionAttribute& attribute : regionAttributes(false)) {
        const Buffer<double> expected = measures.compute(attribute);
        for (std::size_t node = 0; node < tree.nodeCount(); ++node) {
            ASSERT_NEAR(columns.at(std::string(nameOf(attribute)))[node], expected[node],
                        1e-5 * (1 + std::abs(expected[node])))
                << nameOf(attribute) << " of node " << node;
        }
    }
    EXPECT_EQ(columns.at("parent").back(), -1) << "the root has no parent";
    EXPECT_EQ(columns.at("parent").front(), tree.parent[0]);
}

TEST_F(HierarchyCommand, WritesTheLargestRegionsOfARangeOfSizes) {
    const Outcome outcome = call({"hierarchy", path("a.tif"), "--min-area", "5", "--max-area", "40", "-o",
                                  path("r.tif"), "--csv", path("n.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto columns = columnsOf(path("n.csv"));
    const std::vector<double>& area = columns.at("area");
    std::uint64_t expected = 0;
    double covered = 0;
    for (std::size_t node = 0; node < area.size(); ++node) {
        const double parent = columns.at("parent")[node];
        const bool isLast = parent < 0 || area[static_cast<std::size_t>(parent)] > 40;
        if (area[node] >= 5 && area[node] <= 40 && isLast) {
            ++expected;
            covered += area[node];
        }
    }
    EXPECT_GT(expected, 1U);
    EXPECT_EQ(outcome.json()["regions"], expected);
    std::map<unsigned, unsigned> sizes;
    const auto labels = readImage(path("r.tif"), {}).image;
    for (std::size_t i = 0; i < labels->pixelCount(); ++i) {
        ++sizes[labels->level(i)];
    }
    if (covered < static_cast<double>(labels->pixelCount())) {
        sizes.erase(0); // levels are ranks of the labels
    }
    EXPECT_EQ(sizes.size(), expected);
    for (const auto& [label, size] : sizes) {
        EXPECT_TRUE(size >= 5 && size <= 40) << size;
    }
    EXPECT_EQ(call({"hierarchy", path("a.tif"), "--output", "frontiers", "-o", path("f.tif")}).code, 0);
}

TEST_F(HierarchyCommand, RefusesWhatDoesNotFitTogether) {
    const auto refuses = [&](const Args& more, const char* words) {
        Args args{"hierarchy", path("a.tif")};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr(words));
    };
    const std::string target = path("r.tif");
    refuses({}, "give -o, --csv or both");
    refuses({"--csv", path("n.csv"), "--above", "3"}, "which -o names");
    refuses({"-o", target, "--min-area", "9", "--max-area", "3"}, "is larger than --max-area");
    refuses({"-o", target, "--min-area", "9", "--regions", "3"}, "leave out --above and --regions");
    refuses({"-o", target, "--output", "frontiers", "--above", "3"}, "all boundaries are written");
    refuses({"-o", target, "--output", "boundaries", "--max-area", "3"}, "leave out --min-area");
    EXPECT_EQ(filesInFolder(), std::vector<std::string>{"a.tif"});
}

} // namespace
} // namespace pollard::cli
