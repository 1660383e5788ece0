#pragma once

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"
#include "support/naive_attributes.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace pollard::testing {

/// Whether the node @p ancestor is @p n or an ancestor of @p n, by walking up.
inline bool holds(const std::vector<NaiveNode>& nodes, std::size_t ancestor, std::size_t n) {
    while (n != ancestor && nodes[n].parent != n) {
        n = nodes[n].parent;
    }
    return n == ancestor;
}

/// Decisions of a filter, node by node.
struct NaiveDecision {
    std::vector<char> keep; ///< 1 for the root
    bool rootCounts = false;
};

/// The pruning with the fewest changes, with the costs of keeping and removing each node by definition; the largest if
/// there are several. Children have larger indices than their parents.
inline std::vector<char> naiveViterbi(const std::vector<NaiveNode>& nodes, const std::vector<char>& meets,
                                      const std::vector<char>& forced) {
    constexpr long kNever = 1L << 40;
    const std::size_t count = nodes.size();
    std::vector<long> stay(count);
    std::vector<long> go(count);
    for (std::size_t n = count; n-- > 0;) {
        stay[n] += meets[n] != 0 ? 0 : 1;
        go[n] += meets[n] != 0 ? 1 : 0;
        go[n] += forced[n] != 0 ? kNever : 0;
        if (n != 0) {
            stay[nodes[n].parent] += std::min(stay[n], go[n]);
            go[nodes[n].parent] += go[n];
        }
    }
    std::vector<char> keep(count, 1);
    for (std::size_t n = 1; n < count; ++n) {
        keep[n] = keep[nodes[n].parent] != 0 && stay[n] <= go[n] ? 1 : 0;
    }
    return keep;
}

/// The decisions by definition.
/// @param meets whether each node meets criteria and prominence
inline NaiveDecision naiveDecision(const std::vector<NaiveNode>& nodes, std::vector<char> meets,
                                   const FilterSpec& spec) {
    const std::size_t count = nodes.size();
    const auto picked = [&](const std::vector<std::uint32_t>& picks, std::size_t n) {
        return std::ranges::find(picks, nodes[n].canonical) != picks.end();
    };
    std::vector<char> gone(count, 0);
    std::vector<char> forced(count, 0);
    for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t m = 0; m < count; ++m) {
            gone[n] = gone[n] != 0 || (picked(spec.removed, m) && holds(nodes, m, n));
        }
    }
    for (std::size_t n = 0; n < count; ++n) {
        if (picked(spec.kept, n) && gone[n] == 0) {
            meets[n] = 1;
            for (std::size_t m = 0; m < count; ++m) {
                forced[m] = forced[m] != 0 || holds(nodes, m, n);
            }
        }
    }
    NaiveDecision decision{meets, meets[0] != 0};
    for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t m = 0; m < count; ++m) {
            if (spec.rule == Rule::min && holds(nodes, m, n)) { // forced nodes need not meet a criterion
                decision.keep[n] = (decision.keep[n] || forced[n]) && (meets[m] || forced[m]);
            } else if (spec.rule == Rule::max && holds(nodes, n, m)) {
                decision.keep[n] = decision.keep[n] || meets[m];
            }
        }
    }
    if (spec.rule == Rule::max) {
        decision.rootCounts = decision.keep[0] != 0;
    } else if (spec.rule == Rule::viterbi) {
        decision.keep = naiveViterbi(nodes, meets, forced);
    }
    for (std::size_t n = 0; n < count; ++n) {
        bool inside = spec.only.empty();
        for (std::size_t m = 0; m < count; ++m) {
            inside = inside || (picked(spec.only, m) && holds(nodes, m, n));
        }
        gone[n] = gone[n] != 0 || !inside;
        decision.keep[n] = decision.keep[n] != 0 && gone[n] == 0;
    }
    decision.rootCounts = decision.rootCounts && gone[0] == 0;
    decision.keep[0] = 1;
    return decision;
}

struct NaiveFilterResult {
    std::vector<std::uint16_t> pixels;
    std::vector<std::uint32_t> labels;
    std::uint32_t labelCount = 0;
    std::uint64_t kept = 0;
    std::uint64_t changed = 0;
};

/// A random decision tree. Bounds are values of nodes, or differences of two.
template <class Column> DecisionTree randomTree(Random& random, Column&& column) {
    const auto attributes = allAttributes();
    DecisionTree tree(1 + random() % 6);
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        ForestNode& node = tree[i];
        node.condition.attribute = attributes[random() % attributes.size()].id;
        node.around = random() % 2 == 0 ? 1 : 2 + random() % 3;
        const std::shared_ptr<const AttributeColumn> values = column(node.condition.attribute);
        const auto value = [&] { return values->at(random() % values->size()); };
        node.condition.maximum = node.around == 1 ? value() : value() - value();
        const auto next = [&]() -> std::uint32_t {
            const auto later = static_cast<std::uint32_t>(tree.size() - i - 1);
            return later == 0 || random() % 3 == 0 ? ForestNode::kDrop + random() % 2 : i + 1 + random() % later;
        };
        node.met = next();
        node.otherwise = next();
    }
    return tree;
}

/// Whether more than half of the decision trees keep a node.
inline bool naiveForest(const std::vector<NaiveNode>& nodes, std::size_t n, const Forest& forest,
                        const std::function<double(std::size_t, AttributeId)>& attribute) {
    std::size_t votes = 0;
    for (const DecisionTree& tree : forest.trees) {
        std::uint32_t next = 0;
        while (next != ForestNode::kKeep && next != ForestNode::kDrop) {
            const ForestNode& node = tree[next];
            const Criterion& asked = node.condition;
            double value = attribute(n, asked.attribute);
            if (node.around > 1) {
                std::size_t around = nodes[n].parent;
                while (around != 0 && nodes[around].support.size() < nodes[n].support.size() * node.around) {
                    around = nodes[around].parent;
                }
                const double other = attribute(around, asked.attribute);
                value = attributeInfo(asked.attribute).grey == Grey::none ? value / other : value - other;
                value = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
            }
            next = value >= asked.minimum && value <= asked.maximum ? node.met : node.otherwise;
        }
        votes += next == ForestNode::kKeep ? 1 : 0;
    }
    return forest.trees.empty() || 2 * votes > forest.trees.size();
}

/// Whether each node meets the criteria and the forest.
inline std::vector<char> naiveMeets(const std::vector<NaiveNode>& nodes, const FilterSpec& spec,
                                    const std::function<double(std::size_t, AttributeId)>& attribute) {
    std::vector<char> meets(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        bool all = true;
        bool any = spec.criteria.empty();
        for (const Criterion& c : spec.criteria) {
            const double value = attribute(n, c.attribute);
            const bool in = value >= c.minimum && value <= c.maximum;
            all = all && in;
            any = any || in;
        }
        meets[n] = (spec.match == Match::all ? all : any) && naiveForest(nodes, n, spec.forest, attribute);
    }
    return meets;
}

/// Output of a filter by definition, pixel by pixel.
inline NaiveFilterResult naiveOutput(const std::vector<NaiveNode>& nodes, const Image& image, const FilterSpec& spec,
                                     const NaiveDecision& decision) {
    const std::vector<char>& keep = decision.keep;
    NaiveFilterResult result;
    result.pixels.resize(image.pixelCount());
    result.labels.resize(image.pixelCount());
    std::map<std::uint32_t, std::size_t> nodeOfPixel;
    for (std::size_t n = 0; n < nodes.size(); ++n) { // smaller components come later
        result.kept += keep[n] != 0 ? 1 : 0;
        for (const std::uint32_t p : nodes[n].support) {
            nodeOfPixel[p] = n;
        }
    }
    std::map<std::size_t, std::uint32_t> labelOf;
    for (std::uint32_t p = 0; p < image.pixelCount(); ++p) {
        int filtered = nodes[0].level;
        bool found = false;
        int raised = 0;                          // sum of the contrasts of kept nodes
        std::size_t outermost = ~std::size_t{0}; // the largest kept component
        for (std::size_t n = nodeOfPixel[p]; n != 0; n = nodes[n].parent) {
            if (keep[n] != 0) {
                raised += nodes[n].level - nodes[nodes[n].parent].level;
                filtered = found ? filtered : nodes[n].level;
                found = true;
                outermost = n;
            }
        }
        if (spec.rule == Rule::subtractive) {
            filtered = nodes[0].level + raised;
        }
        outermost = decision.rootCounts ? 0 : outermost;
        const bool inMask = outermost != ~std::size_t{0};
        if (inMask) {
            const auto number = static_cast<std::uint32_t>(labelOf.size() + 1);
            result.labels[p] = labelOf.try_emplace(outermost, number).first->second;
        }
        const int original = image.level(p);
        result.changed += filtered != original ? 1 : 0;
        const std::uint16_t maxLevel = maxLevelOf(image.type());
        switch (spec.output) {
        case Output::filtered:
            result.pixels[p] = static_cast<std::uint16_t>(filtered);
            break;
        case Output::residue:
            result.pixels[p] = static_cast<std::uint16_t>(std::abs(original - filtered));
            break;
        case Output::mask:
            result.pixels[p] = inMask ? maxLevel : std::uint16_t{0};
            break;
        case Output::labels:
            result.pixels[p] = static_cast<std::uint16_t>(inMask ? (result.labels[p] - 1) % maxLevel + 1 : 0);
            break;
        }
    }
    result.labelCount = static_cast<std::uint32_t>(labelOf.size());
    return result;
}

/// The filter by definition; prominence must be handled by the caller.
inline NaiveFilterResult naiveFilter(const std::vector<NaiveNode>& nodes, const Image& image, TreeKind kind,
                                     const FilterSpec& spec) {
    const auto attribute = [&](std::size_t n, AttributeId id) { return naiveAttribute(nodes, n, id, image, kind); };
    return naiveOutput(nodes, image, spec, naiveDecision(nodes, naiveMeets(nodes, spec, attribute), spec));
}

} // namespace pollard::testing
