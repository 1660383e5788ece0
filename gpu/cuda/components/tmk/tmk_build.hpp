#pragma once

#include "cuda/components/ha4/ha4_build.hpp"
#include "cuda/components/tmk/tree_passes.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard::cuda {

/// Objects without gaps, in the preorder of a tree.
template <class Machine> struct CompactObjects {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

    Buffer<std::uint32_t> labels;
    Buffer<FeatureSums> sums;
    Buffer<std::uint32_t> count; ///< 1 element
};

/// The tree merge kernel, which measures the objects of a label image ("Parallel Algorithm for Connected-Component
/// Analysis Using CUDA", Algorithms 16(2), 80, 2023): initialisation, tree merging in shared and then in global memory,
/// size update, balancing. docs/algorithms.md lists the differences from the printed text. The list and its length stay
/// in device memory.
/// @tparam kNodes nodes that a block merges in shared memory; a power of two
template <class Machine, std::uint32_t kNodes> class TmkAnalysis {
    template <class T> using Buffer = typename Machine::template Buffer<T>;

public:
    TmkAnalysis(Machine& machine, const DeviceMask& mask)
        : machine_(machine), mask_(mask), nodeCount_(tmk::nodesOfRow(mask.width) * mask.height) {}

    /// @param labels per pixel: a number for each object, where the mask is set
    /// @param grey null: no image
    /// @param most upper bound of the number of objects
    template <class Level>
    [[nodiscard]] CompactObjects<Machine> run(const std::uint32_t* labels, const Level* grey, std::uint32_t most) {
        links_ = make<tmk::Links>(nodeCount_);
        sums_ = make<FeatureSums>(nodeCount_);
        machine_.each(tmk::MakeNodes<Level>{mask_, labels, grey, nodes()}, nodeCount_);
        machine_.finish("initialise");
        Buffer<std::uint32_t> root = mergeTrees();
        Buffer<std::uint32_t> sizes = make<std::uint32_t>(nodeCount_);
        machine_.fill(sizes.data(), nodeCount_, 0);
        machine_.each(tmk::CountNodes{links_.data(), sizes.data()}, nodeCount_);
        machine_.finish("sizes");
        CompactObjects<Machine> objects{make<std::uint32_t>(most), make<FeatureSums>(most), make<std::uint32_t>(1)};
        machine_.each(tmk::CompactNodes{nodes(), sizes.data(), root.data(), objects.labels.data(), objects.sums.data()},
                      nodeCount_);
        machine_.each(tmk::ReadCount{root.data(), sizes.data(), objects.count.data()}, 1);
        machine_.finish("balance");
        links_.reset();
        sums_.reset();
        return objects;
    }

private:
    template <class T> [[nodiscard]] Buffer<T> make(std::size_t count) {
        return machine_.template make<T>(count, "trees of objects");
    }
    [[nodiscard]] tmk::MergeTree nodes() { return {links_.data(), sums_.data()}; }

    /// Merges all trees into one and returns its root.
    [[nodiscard]] Buffer<std::uint32_t> mergeTrees() {
        using InBlock = tmk::MergeInBlock<kNodes>;
        std::uint32_t trees = InBlock::blocks(nodeCount_);
        Buffer<std::uint32_t> roots = make<std::uint32_t>(trees);
        machine_.blocks(InBlock{nodes(), nodeCount_, roots.data()}, trees);
        machine_.finish("merge in blocks");
        Buffer<std::uint32_t> merged = make<std::uint32_t>(trees / 2 + 1);
        for (auto bits = static_cast<std::uint32_t>(std::countr_zero(kNodes)); trees > 1; ++bits) {
            machine_.each(tmk::MergeRightNode{nodes(), nodeCount_, bits, roots.data()},
                          tmk::MergeRightNode::count(nodeCount_, bits));
            machine_.each(tmk::MergeRoots{roots.data(), trees, merged.data()}, (trees + 1) / 2);
            std::swap(roots, merged);
            trees = (trees + 1) / 2;
        }
        machine_.finish("merge globally");
        return roots;
    }

    Machine& machine_;
    DeviceMask mask_;
    std::uint32_t nodeCount_;
    Buffer<tmk::Links> links_;
    Buffer<FeatureSums> sums_;
};

/// Labels the objects by Ha4Build with two pixels per thread (the paper accepts any labels and uses the algorithm of
/// Playne & Hawick), measures them by TmkAnalysis, and numbers labels and records densely in raster order ("number",
/// "records").
template <class Machine, std::uint32_t kNodes> class TmkBuild {
public:
    TmkBuild(Machine& machine, const DeviceMask& mask) : machine_(machine), mask_(mask), labelling_(machine, mask) {}

    template <class Level>
    [[nodiscard]] PassObjects<Machine> run(const PassInput<Level>& input, bool labels, bool features) {
        PassObjects<Machine> objects;
        labelling_.findRoots();
        labelling_.relabel();
        objects.count = labelling_.count();
        objects.foreground = labelling_.foreground();
        if (features && objects.count > 0) {
            auto compact =
                TmkAnalysis<Machine, kNodes>(machine_, mask_).run(labelling_.labels(), input.grey, objects.count);
            objects.records = machine_.template make<ComponentRecord>(objects.count, "records of objects");
            machine_.each(tmk::WriteInOrder{compact.labels.data(), compact.sums.data(), labelling_.numbers(),
                                            input.grey != nullptr, objects.records.data()},
                          objects.count);
            machine_.finish("records");
        }
        if (labels) {
            labelling_.number();
            objects.labels = labelling_.takeLabels();
        }
        return objects;
    }

private:
    Machine& machine_;
    DeviceMask mask_;
    Ha4Build<Machine, std::uint64_t> labelling_;
};

} // namespace pollard::cuda
