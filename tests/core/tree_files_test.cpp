#include "base/error.hpp"
#include "engine/program_facts.hpp"
#include "io/write/npy_writer.hpp"
#include "support/random_trees.hpp"
#include "support/temp_dir.hpp"
#include "tree/tree_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::HasSubstr;

class TreeFiles : public ::testing::Test {
protected:
    [[nodiscard]] std::filesystem::path path(const char* name) const { return folder_ / name; }

private:
    test::TempDir folder_;
};

/// A .npy file parsed according to its specification.
struct Npy {
    int version = 0;
    std::string dictionary;
    std::string data;

    explicit Npy(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        std::stringstream all;
        all << file.rdbuf();
        const std::string bytes = all.str();
        EXPECT_EQ(bytes.substr(0, 6), "\x93NUMPY");
        version = bytes.at(6);
        EXPECT_EQ(bytes.at(7), 0);
        const std::size_t lengthBytes = version == 1 ? 2 : 4;
        std::size_t length = 0;
        for (std::size_t i = 0; i < lengthBytes; ++i) {
            length |= std::size_t{static_cast<unsigned char>(bytes.at(8 + i))} << (8 * i);
        }
        const std::size_t start = 8 + lengthBytes + length;
        EXPECT_EQ(start % 64, 0U);
        dictionary = bytes.substr(8 + lengthBytes, length);
        EXPECT_EQ(dictionary.back(), '\n');
        data = bytes.substr(start);
    }

    template <class T> [[nodiscard]] T at(std::size_t place) const {
        T value{};
        std::memcpy(&value, data.data() + place, sizeof value);
        return value;
    }
};

TEST_F(TreeFiles, ArrayOfTheParentImageHasItsShapeAndValues) {
    testing::onRandomTrees(20, [&](const Image&, const ComponentTree& tree, auto&) {
        const Buffer<std::uint32_t> parents = canonicalParentImage(tree);
        writeNpy(path("p.npy"), measuredRowsOf(parents.span(), tree.extent()));
        const Npy read(path("p.npy"));
        EXPECT_EQ(read.version, 1);
        EXPECT_THAT(read.dictionary, HasSubstr("'descr': '<u4'"));
        EXPECT_THAT(read.dictionary, HasSubstr("'fortran_order': False"));
        EXPECT_THAT(read.dictionary,
                    HasSubstr("'shape': (" + std::to_string(tree.height) + ", " + std::to_string(tree.width) + ", )"));
        ASSERT_EQ(read.data.size(), 4 * parents.size());
        EXPECT_EQ(std::memcmp(read.data.data(), parents.span().data(), read.data.size()), 0);
    });
}

TEST_F(TreeFiles, ArrayRefusesAnotherNumberOfValues) {
    const std::vector<std::uint32_t> values(5);
    EXPECT_THROW((void)measuredRowsOf(values, {2, 3}), Error);
    EXPECT_FALSE(std::filesystem::exists(path("p.npy")));
}

/// Columns of all value types.
std::vector<std::shared_ptr<const AttributeColumn>> columnsOf(Session& session) {
    std::vector<std::shared_ptr<const AttributeColumn>> columns;
    for (const AttributeInfo& info : allAttributes()) {
        if (info.id != AttributeId::level) {
            columns.push_back(session.attribute(info.id));
        }
    }
    return columns;
}

TEST_F(TreeFiles, NodeArrayHoldsEveryColumnInItsType) {
    testing::Random random(5);
    for (int i = 0; i < 5; ++i) {
        auto session = makeCpuEngine()->openSession();
        session->open(testing::randomImage(random, 9, 7));
        session->buildTree({});
        const auto tree = session->tree();
        const auto columns = columnsOf(*session);
        std::filesystem::remove(path("n.npy"));
        auto file = writeNodeArray(path("n.npy"), *tree, columns);
        EXPECT_FALSE(std::filesystem::exists(path("n.npy"))) << "only when it is committed";
        file->commit();
        const Npy read(path("n.npy"));
        // Type and size of each field, in file order.
        const std::regex field("\\('([a-z0-9_]+)', '<([uif])([248])'\\)");
        std::vector<std::pair<std::string, std::size_t>> fields;
        std::string types;
        for (std::sregex_iterator it(read.dictionary.begin(), read.dictionary.end(), field), end; it != end; ++it) {
            fields.emplace_back((*it)[1], std::stoul((*it)[3]));
            types += (*it)[2];
        }
        ASSERT_EQ(fields.size(), 5 + columns.size());
        std::size_t rowBytes = 0;
        for (const auto& each : fields) {
            rowBytes += each.second;
        }
        ASSERT_EQ(read.data.size(), rowBytes * tree->nodeCount());
        for (std::size_t node = 0; node < tree->nodeCount(); ++node) {
            std::size_t place = node * rowBytes;
            std::map<std::string, double> row;
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const auto& [name, bytes] = fields[f];
                row[name] = types[f] == 'f'   ? read.at<double>(place)
                            : types[f] == 'i' ? read.at<std::int32_t>(place)
                            : bytes == 2      ? read.at<std::uint16_t>(place)
                            : bytes == 4      ? read.at<std::uint32_t>(place)
                                              : static_cast<double>(read.at<std::uint64_t>(place));
                place += bytes;
            }
            EXPECT_EQ(row["id"], node);
            EXPECT_EQ(row["parent"], tree->parent[node]);
            EXPECT_EQ(row["level"], tree->level[node]);
            EXPECT_EQ(row["canonical_y"] * tree->width + row["canonical_x"], tree->canonical[node]);
            for (const auto& column : columns) {
                const double value = row[std::string(attributeInfo(column->id).name)];
                EXPECT_TRUE(value == column->at(node) || (std::isnan(value) && std::isnan(column->at(node))))
                    << attributeInfo(column->id).name;
            }
        }
    }
}

TEST_F(TreeFiles, NodeArrayIsNotWrittenWhenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    const auto tree = testing::treeOf(std::make_shared<Image>(PixelType::u8, 3, 3), TreeKind::max, Connectivity::four);
    EXPECT_THROW(static_cast<void>(writeNodeArray(path("n.npy"), *tree, {}, JobControl(stop.get_token()))), Cancelled);
    EXPECT_TRUE(std::filesystem::is_empty(path("")));
}

struct Graph {
    std::set<std::uint32_t> nodes;
    std::set<std::uint32_t> dashed;
    std::map<std::uint32_t, std::uint32_t> parents;
};

Graph parsed(const std::string& dot) {
    Graph graph;
    const std::regex node(
        "  n(\\d+) \\[label=\"(\\d+)\\\\nlevel \\d+(\\\\n[a-z_]+ [-0-9.e+nan]+)*\"(, style=dashed)?\\];");
    const std::regex edge("  n(\\d+) -> n(\\d+);");
    std::istringstream lines(dot);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, node)) {
            EXPECT_EQ(match[1], match[2]);
            graph.nodes.insert(static_cast<std::uint32_t>(std::stoul(match[1])));
            if (match[4].matched) {
                graph.dashed.insert(static_cast<std::uint32_t>(std::stoul(match[1])));
            }
        } else if (std::regex_match(line, match, edge)) {
            graph.parents[static_cast<std::uint32_t>(std::stoul(match[2]))] =
                static_cast<std::uint32_t>(std::stoul(match[1]));
        } else {
            EXPECT_TRUE(line == "digraph tree {" || line == "}" || line.starts_with("  node [")) << line;
        }
    }
    return graph;
}

TEST(SubtreeDot, IsTheWholeComponentWhereThereIsRoom) {
    testing::onRandomTrees(30, [](const Image&, const ComponentTree& tree, auto& random) {
        const auto top = static_cast<std::uint32_t>(random() % tree.nodeCount());
        const Graph graph = parsed(subtreeDot(tree, top, tree.nodeCount(), {}));
        EXPECT_EQ(graph.nodes.size(), tree.subtreeEnd[top] - top);
        EXPECT_TRUE(graph.dashed.empty());
        EXPECT_EQ(graph.parents.size(), graph.nodes.size() - 1);
        for (const std::uint32_t node : graph.nodes) {
            EXPECT_TRUE(tree.contains(top, node));
            if (node != top) {
                EXPECT_EQ(graph.parents.at(node), tree.parent[node]);
            }
        }
    });
}

TEST(SubtreeDot, LeavesOutTheDeepestAndMarksWhatIsNotWhole) {
    testing::onRandomTrees(30, [](const Image&, const ComponentTree& tree, auto& random) {
        const std::size_t most = 1 + random() % 6;
        const Graph graph = parsed(subtreeDot(tree, 0, most, {}));
        EXPECT_EQ(graph.nodes.size(), std::min<std::size_t>(most, tree.nodeCount()));
        const auto depth = [&](std::uint32_t node) {
            int edges = 0;
            for (; node != 0; node = tree.parent[node]) {
                ++edges;
            }
            return edges;
        };
        int deepest = 0;
        for (const std::uint32_t node : graph.nodes) {
            deepest = std::max(deepest, depth(node));
        }
        for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
            EXPECT_TRUE(graph.nodes.contains(node) || depth(node) >= deepest) << node;
        }
        for (const std::uint32_t node : graph.nodes) {
            bool whole = true;
            for (std::uint32_t child = node + 1; child < tree.nodeCount(); ++child) {
                whole = whole && (tree.parent[child] != node || graph.nodes.contains(child));
            }
            EXPECT_EQ(graph.dashed.contains(node), !whole);
        }
    });
}

TEST(SubtreeDot, RefusesWhatIsNoNodeAndNoNumber) {
    const auto tree = testing::treeOf(std::make_shared<Image>(PixelType::u8, 3, 3), TreeKind::max, Connectivity::four);
    EXPECT_THROW(static_cast<void>(subtreeDot(*tree, 9, 5, {})), Error);
    EXPECT_THROW(static_cast<void>(subtreeDot(*tree, 0, 0, {})), Error);
    EXPECT_THROW(static_cast<void>(subtreeDot(*tree, 0, kMostDotNodes + 1, {})), Error);
}

TEST(LibraryVersions, AreNumbersWithLicences) {
    std::set<std::string> names;
    for (const LibraryVersion& library : libraryVersions()) {
        EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(library.version.at(0))) != 0)
            << library.name << ' ' << library.version;
        EXPECT_THAT(library.version, HasSubstr("."));
        EXPECT_FALSE(library.licence.empty()) << library.name;
        names.insert(library.name);
    }
    EXPECT_TRUE(names.contains("libtiff") && names.contains("oneTBB"));
}

} // namespace
} // namespace pollard
