#pragma once

#include "kernels/loop_machine.hpp"

#include "attributes/attribute.hpp"
#include "cuda/nodes/node_measures.hpp"
#include "cuda/nodes/tree_filter_run.hpp"
#include "cuda/tree/pixel_views.hpp"
#include "engine/engine.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/forest.hpp"
#include "image/image.hpp"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace pollard::testing {

/// Runs the device's steps of a filter on the host, with a tree and attributes in host memory.
template <class Machine = LoopMachine> class FilterOnHost {
public:
    using Run = cuda::TreeFilterRun<Machine>;
    using Ranked = cuda::RankedNodes<LoopMachine::Buffer<std::uint32_t>>;
    using Column = typename Run::Column;

    FilterOnHost(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns)
        : tree_(tree), spec_(spec),
          ranked_(Ranked::make(machine_, tree.subtreeEnd.data(), static_cast<std::uint32_t>(tree.nodeCount()))),
          run_(planOf(tree), tree.leafCount, &ranked_, spec, machine_) {
        std::vector<Column> copies;
        for (const auto& column : columns.criteria) {
            copies.push_back(copyOf(*column));
        }
        std::vector<const Column*> pointers;
        for (const Column& copy : copies) {
            pointers.push_back(&copy);
        }
        std::vector<std::uint8_t> forest;
        if (!spec.forest.trees.empty()) {
            const auto kept = meetForest(tree, spec, columns, {});
            forest.assign(kept.begin(), kept.end());
        }
        if (columns.prominence != nullptr) {
            const Column prominence = copyOf(*columns.prominence);
            run_.decide(pointers, &prominence, forest);
        } else {
            run_.decide(pointers, nullptr, forest);
        }
    }

    FilterReport filter(const Image& image, Image& out) {
        cuda::NodeMeasures<Machine> measures(planOf(tree_));
        const auto value = run_.values(measures.ownPixels(machine_).data(), maxLevelOf(image.type()));
        dispatch(image.type(), [&]<class T>(T) {
            const cuda::FrameView<T> frame{tree_.pixelNode.data(), value.data(),   image.pixels<T>().data(),
                                           image.width(),          image.height(), spec_.output == Output::residue};
            for (std::size_t p = 0; p < image.pixelCount(); ++p) {
                out.pixels<T>()[p] = frame.value(p);
            }
        });
        unsigned long long counts[cuda::kFilterCounts];
        run_.readCounts(counts);
        FilterReport report;
        report.keptNodes = counts[cuda::kKeptNodes];
        report.removedNodes = tree_.nodeCount() - report.keptNodes;
        report.changedPixels = counts[cuda::kChangedPixels];
        report.unknownPicks = static_cast<std::uint32_t>(counts[cuda::kUnknownPicks]);
        return report;
    }

    [[nodiscard]] LabelImage labels() {
        const auto [ofNode, count] = run_.labels();
        LabelImage image{Buffer<std::uint32_t>(tree_.pixelCount()), tree_.width, tree_.height, count};
        machine_.each(cuda::WritePixelLabels{tree_.pixelNode.data(), ofNode.data(), image.labels.data()},
                      tree_.pixelCount());
        return image;
    }

private:
    static Column copyOf(const AttributeColumn& column) {
        return std::visit(
            []<class T>(const Buffer<T>& values) {
                LoopMachine::Buffer<T> copy(values.size());
                std::copy(values.begin(), values.end(), copy.data());
                return Column(std::move(copy));
            },
            column.values);
    }

    const ComponentTree& tree_;
    const FilterSpec& spec_;
    Machine machine_;
    Ranked ranked_;
    Run run_;
};

/// Random criteria on any attributes of a tree. Bounds are values of nodes, so that equality is frequent, or lie
/// between or beyond them, or are missing.
/// Some filters have a forest, prominence, and picks, some of which refer to no node.
template <class Column> FilterSpec randomFilter(Random& random, const ComponentTree& tree, Column&& column) {
    FilterSpec spec;
    const auto attributes = allAttributes();
    for (std::uint32_t c = random() % 4; c > 0; --c) {
        Criterion criterion{attributes[random() % attributes.size()].id};
        const std::shared_ptr<const AttributeColumn> values = column(criterion.attribute);
        const auto value = [&] {
            const double v = values->at(random() % values->size());
            constexpr double kShift[] = {0, 0, 0, 0.5, -0.5, 1e30, -1e30};
            return v + kShift[random() % 7];
        };
        if (random() % 3 != 0) {
            criterion.minimum = value();
        }
        if (random() % 3 == 0) {
            criterion.maximum = value();
        }
        if (random() % 40 == 0) {
            criterion.minimum = std::numeric_limits<double>::quiet_NaN();
        }
        spec.criteria.push_back(criterion);
    }
    spec.match = random() % 2 == 0 ? Match::all : Match::any;
    for (std::uint32_t t = random() % 3 == 0 ? 1 + random() % 4 : 0; t > 0; --t) {
        spec.forest.trees.push_back(randomTree(random, column));
    }
    if (random() % 3 == 0) {
        spec.prominent = Prominent{kAllProminences[random() % kAllProminences.size()], random() % 12};
    }
    const auto pick = [&] {
        const auto pixels = static_cast<std::uint32_t>(tree.pixelCount());
        return random() % 3 == 0 ? random() % (pixels + 2) : tree.canonical[random() % tree.nodeCount()];
    };
    for (std::uint32_t k = random() % 3 == 0 ? random() % 5 : 0; k > 0; --k) {
        spec.removed.push_back(pick());
    }
    for (std::uint32_t k = random() % 3 == 0 ? random() % 5 : 0; k > 0; --k) {
        spec.kept.push_back(pick());
    }
    for (std::uint32_t k = random() % 4 == 0 ? random() % 4 : 0; k > 0; --k) {
        spec.only.push_back(pick());
    }
    return spec;
}

} // namespace pollard::testing
