#include "analysis/component_means.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

namespace pollard {

namespace {

void requireExtent(const ComponentTree& tree, const Image& image) {
    if (image.extent() != tree.extent()) {
        throw Error(ErrorCode::invalidArgument, "means of components: an image of " + text(image.extent()) +
                                                    " px for a tree of " + text(tree.extent()) + " px");
    }
}

} // namespace

ComponentMeans::ComponentMeans(std::shared_ptr<const ComponentTree> tree, const Image& image, const Mask* valid,
                               const JobControl& control)
    : tree_(std::move(tree)), type_(image.type()), mean_(tree_->nodeCount()) {
    requireExtent(*tree_, image);
    if (valid != nullptr && Extent{valid->width(), valid->height()} != tree_->extent()) {
        throw Error(ErrorCode::invalidArgument, "means of components: a mask of " + std::to_string(valid->width()) +
                                                    " x " + std::to_string(valid->height()) + " px for a tree of " +
                                                    text(tree_->extent()) + " px");
    }
    Buffer<std::uint32_t> count(tree_->nodeCount());
    Buffer<std::uint64_t> sum(tree_->nodeCount());
    std::ranges::fill(count.span(), 0U);
    std::ranges::fill(sum.span(), std::uint64_t{0});
    const std::uint32_t width = tree_->extent().width;
    forEachIndex(tree_->pixelCount(), control, [&](std::size_t p) {
        const auto x = static_cast<std::uint32_t>(p % width);
        if (valid == nullptr || valid->test(x, static_cast<std::uint32_t>(p / width))) {
            const std::uint32_t node = tree_->pixelNode[p];
            std::atomic_ref(sum[node]).fetch_add(image.level(p), std::memory_order_relaxed);
            std::atomic_ref(count[node]).fetch_add(1, std::memory_order_relaxed);
        }
    });
    sweepUp(*tree_, control, [&](std::uint32_t node, std::uint32_t parent) {
        sum[parent] += sum[node];
        count[parent] += count[node];
    });
    forEachIndex(tree_->nodeCount(), control, [&](std::size_t node) {
        const std::uint64_t pixels = count[node];
        mean_[node] =
            pixels == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>((2 * sum[node] + pixels) / (2 * pixels));
    });
}

void ComponentMeans::paint(std::span<const std::uint8_t> keep, Image& out, const JobControl& control) const {
    requireExtent(*tree_, out);
    if (keep.size() != tree_->nodeCount() || out.type() != type_) {
        throw Error(ErrorCode::invalidArgument, "means of components: decisions on " + std::to_string(keep.size()) +
                                                    " of " + std::to_string(tree_->nodeCount()) +
                                                    " nodes, for an image of " + std::to_string(bitsOf(out.type())) +
                                                    " bits");
    }
    Buffer<std::uint16_t> shown(tree_->nodeCount());
    shown[0] = mean_[0];
    sweepDown(*tree_, control, [&](std::uint32_t node, std::uint32_t parent) {
        shown[node] = keep[node] != 0 ? mean_[node] : shown[parent];
    });
    dispatch(type_, [&]<class Pixel>(Pixel) {
        const std::span<Pixel> pixels = out.pixels<Pixel>();
        forEachIndex(pixels.size(), control,
                     [&](std::size_t p) { pixels[p] = static_cast<Pixel>(shown[tree_->pixelNode[p]]); });
    });
}

} // namespace pollard
