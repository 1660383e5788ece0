#include "vm/lab/lab_tree.hpp"

#include "cpu/cpu_engine.hpp"
#include "player/pixel_order.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace pollard::vm {
namespace {

constexpr std::size_t kMostLevelRows = 16;

std::shared_ptr<const ComponentTree> treeOf(const teach::LabPicture& picture, TreeKind kind,
                                            Connectivity connectivity) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(std::make_shared<const Image>(teach::imageOf(picture)));
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    return session->tree();
}

void placeAcross(LabTree& tree) {
    std::vector<double> first(tree.nodes.size(), -1);
    std::vector<double> last(tree.nodes.size(), -1);
    double leaf = 0;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        if (tree.nodes[n].end == n + 1) {
            first[n] = last[n] = leaf++;
        }
    }
    tree.leaves = static_cast<std::uint32_t>(leaf);
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        LabTree::Node& node = tree.nodes[n];
        const double middle = (first[n] + last[n]) / 2;
        node.across = (middle + 0.5) / leaf;
        if (n > 0) {
            first[node.parent] = middle; // children are visited from the last to the first
            last[node.parent] = std::max(last[node.parent], middle);
        }
    }
}

void placeDown(LabTree& tree) {
    std::set<std::uint16_t> levels;
    for (const LabTree::Node& node : tree.nodes) {
        levels.insert(node.level);
    }
    std::vector<std::uint32_t> row(tree.nodes.size(), 0);
    const bool byLevel = levels.size() <= kMostLevelRows;
    for (std::size_t n = 0; n < row.size(); ++n) {
        const LabTree::Node& node = tree.nodes[n];
        if (byLevel) {
            const auto rank = static_cast<std::uint32_t>(std::distance(levels.begin(), levels.find(node.level)));
            row[n] = tree.kind == TreeKind::max ? rank : static_cast<std::uint32_t>(levels.size()) - 1 - rank;
        } else if (n > 0) {
            row[n] = row[node.parent] + 1;
        }
    }
    const std::uint32_t last = *std::ranges::max_element(row);
    tree.rows = last + 1;
    for (std::size_t n = 0; n < row.size(); ++n) {
        tree.nodes[n].down = last == 0 ? 0 : static_cast<double>(row[n]) / last;
    }
}

} // namespace

LabTree makeLabTree(const teach::LabPicture& picture, TreeKind kind, Connectivity connectivity) {
    const auto built = treeOf(picture, kind, connectivity);
    LabTree tree;
    tree.kind = kind;
    tree.connectivity = connectivity;
    tree.nodeOf.assign(built->pixelNode.data(), built->pixelNode.data() + built->pixelCount());
    for (std::size_t n = 0; n < built->nodeCount(); ++n) {
        LabTree::Node node;
        node.canonical = built->canonical[n];
        node.parent = built->parent[n];
        node.end = built->subtreeEnd[n];
        node.level = built->level[n];
        tree.nodes.push_back(node);
    }
    for (const std::uint32_t node : tree.nodeOf) {
        ++tree.nodes[node].area;
    }
    for (std::size_t n = tree.nodes.size(); n-- > 1;) {
        tree.nodes[tree.nodes[n].parent].area += tree.nodes[n].area;
    }
    placeAcross(tree);
    placeDown(tree);
    return tree;
}

} // namespace pollard::vm
