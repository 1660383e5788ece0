#pragma once

#include "cuda/tree/numbering_steps.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

// Runs the steps of the device's numbering in loops on the host, with the scans and the sort of the standard library.

namespace pollard::testing {

template <class Step> void forEach(const Step& step, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        step(i);
    }
}

/// Results of the Euler tour, per node of the input.
struct TourResult {
    std::vector<std::uint32_t> numberAndEnd; ///< element 2v: preorder number; 2v + 1: end of the subtree
    std::uint32_t depth = 0;
    std::uint32_t longestSegment = 0;
};

/// @param parent per node; the root's own number for the root
inline TourResult numberOnHost(const std::vector<std::uint32_t>& parent) {
    using namespace cuda;
    const auto n = static_cast<std::uint32_t>(parent.size());
    std::vector<std::uint32_t> node(n);
    std::iota(node.begin(), node.end(), 0U);
    std::vector<std::uint32_t> key(n);
    std::transform(node.begin(), node.end(), key.begin(), [&](auto v) { return parent[v] == v ? n : parent[v]; });
    std::stable_sort(node.begin(), node.end(), [&](auto a, auto b) { return key[a] < key[b]; });
    std::vector<std::uint32_t> sorted(n);
    std::transform(node.begin(), node.end(), sorted.begin(), [&](auto v) { return key[v]; });

    TourResult result;
    result.numberAndEnd.assign(2 * std::size_t{n}, kNoElement);
    std::uint32_t* tour = result.numberAndEnd.data();
    forEach(LinkTour{sorted.data(), node.data(), n, tour}, n);
    const std::uint32_t root = node.back();
    const TourCut cut(2 * n);
    std::vector<TourSegment> segments(cut.slotCount());
    std::vector<TourSegment> joined(cut.slotCount());
    forEach(MeasureSegment{cut, &root, tour, segments.data()}, segments.size());
    for (const TourSegment& segment : segments) {
        result.longestSegment = std::max(result.longestSegment, segment.steps);
    }
    for (int round = JoinSegments::rounds(cut.slotCount()); round > 0; --round) {
        forEach(JoinSegments{segments.data(), joined.data()}, segments.size());
        std::swap(segments, joined);
    }
    const NumberSegment number{cut, &root, tour, segments.data()};
    // Backwards: the order in which threads come must not matter.
    for (std::size_t slot = segments.size(); slot-- > 0;) {
        result.depth = std::max(result.depth, number(slot));
    }
    return result;
}

/// The tree of a canonical parent image.
inline ComponentTree treeOnHost(const Image& image, TreeKind kind, Connectivity connectivity,
                                Buffer<std::uint32_t> parentImage) {
    using namespace cuda;
    const std::size_t pixels = image.pixelCount();
    std::vector<std::uint32_t> mask(wordsOf(pixels), 0);
    std::vector<std::uint32_t> before(wordsOf(pixels) + 1, 0);
    dispatch(image.type(), [&]<class T>(T) {
        const IsCanonical<T> isCanonical{{image.pixels<T>().data(), flipOf<T>(kind)}, parentImage.data()};
        for (std::size_t p = 0; p < pixels; ++p) {
            mask[p / 32] |= isCanonical(p) ? 1U << (p % 32) : 0U;
        }
    });
    for (std::size_t w = 0; w < mask.size(); ++w) {
        before[w + 1] = before[w] + static_cast<std::uint32_t>(std::popcount(mask[w]));
    }
    const RankIndex index{mask.data(), before.data()};
    const std::uint32_t n = before.back();
    std::vector<std::uint32_t> canonicalOf(n);
    std::vector<std::uint32_t> parent(n);
    std::vector<std::uint32_t> node(n);
    forEach(ListNodes{index, parentImage.data(), n, canonicalOf.data(), parent.data(), node.data()}, pixels);
    for (std::uint32_t v = 0; v < n; ++v) {
        parent[v] = parent[v] == n ? v : parent[v];
    }
    const TourResult tour = numberOnHost(parent);

    ComponentTree tree;
    tree.kind = kind;
    tree.connectivity = connectivity;
    tree.pixelType = image.type();
    tree.width = image.width();
    tree.height = image.height();
    tree.depth = tour.depth;
    tree.parent = Buffer<std::uint32_t>(n);
    tree.subtreeEnd = Buffer<std::uint32_t>(n);
    tree.canonical = Buffer<std::uint32_t>(n);
    tree.level = Buffer<std::uint16_t>(n);
    dispatch(image.type(), [&]<class T>(T) {
        const WriteNodes<T> write{index,
                                  parentImage.data(),
                                  canonicalOf.data(),
                                  tour.numberAndEnd.data(),
                                  image.pixels<T>().data(),
                                  tree.parent.data(),
                                  tree.subtreeEnd.data(),
                                  tree.canonical.data(),
                                  tree.level.data()};
        for (std::uint32_t v = 0; v < n; ++v) {
            tree.leafCount += write(v);
        }
    });
    forEach(WritePixelNodes{index, tour.numberAndEnd.data(), parentImage.data()}, pixels);
    tree.pixelNode = std::move(parentImage);
    return tree;
}

} // namespace pollard::testing
