#include "cpu/attributes/sizes.hpp"

#include "attributes/formulas.hpp"
#include "base/parallel.hpp"
#include "cpu/attributes/moments.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>

namespace pollard::cpu {

Buffer<std::uint32_t> areasOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own, const JobControl& control) {
    Buffer<std::uint32_t> area(tree.nodeCount());
    copyAll(own.span(), area.span(), control);
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { area[parent] += area[i]; });
    return area;
}

Buffer<NodeBox> boxesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    Buffer<NodeBox> boxes(tree.nodeCount());
    const PixelPlace place(tree.width);
    forEachIndex(boxes.size(), control, [&](std::size_t i) {
        NodeBox box{tree.width, tree.height, 0, 0};
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            const std::uint32_t x = place.column(p, y);
            box = joined(box, {x, y, x, y});
        }
        boxes[i] = box;
    });
    sweepUp(tree, control,
            [&](std::uint32_t i, std::uint32_t parent) { boxes[parent] = joined(boxes[parent], boxes[i]); });
    return boxes;
}

Buffer<std::uint32_t> borderPixelsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    fillAll(count.span(), 0U, control);
    const std::size_t width = tree.width;
    const std::size_t height = tree.height;
    const auto addSlice = [&](std::span<const std::uint32_t> nodes) {
        const auto add = [&](std::size_t x, std::size_t y) { ++count[nodes[y * width + x]]; };
        for (std::size_t x = 0; x < width; ++x) {
            add(x, 0);
            if (height > 1) {
                add(x, height - 1);
            }
        }
        for (std::size_t y = 1; y + 1 < height; ++y) {
            add(0, y);
            if (width > 1) {
                add(width - 1, y);
            }
        }
    };
    const std::size_t slicePixels = tree.extent().slicePixels();
    for (std::size_t z = 0; z < tree.slices; ++z) {
        const std::span<const std::uint32_t> nodes = tree.pixelNode.span().subspan(z * slicePixels, slicePixels);
        if (tree.slices > 1 && (z == 0 || z + 1 == tree.slices)) {
            for (const std::uint32_t node : nodes) {
                ++count[node];
            }
        } else {
            addSlice(nodes);
        }
    }
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { count[parent] += count[i]; });
    return count;
}

Buffer<std::uint32_t> depthsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> depth(tree.nodeCount());
    depth[0] = 0;
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) { depth[i] = depth[parent] + 1; });
    return depth;
}

Buffer<std::uint32_t> childCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    fillAll(count.span(), 0U, control);
    sweepUp(tree, control, [&](std::uint32_t, std::uint32_t parent) { ++count[parent]; });
    return count;
}

Buffer<std::uint32_t> leafCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    forEachIndex(count.size(), control, [&](std::size_t i) { count[i] = tree.subtreeEnd[i] == i + 1 ? 1 : 0; });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { count[parent] += count[i]; });
    return count;
}

namespace {

std::uint16_t distance(std::uint16_t a, std::uint16_t b) noexcept {
    return static_cast<std::uint16_t>(std::abs(a - b));
}

} // namespace

Buffer<std::uint16_t> farthestLevelsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint16_t> farthest(tree.nodeCount());
    copyAll(tree.level.span(), farthest.span(), control);
    if (tree.kind == TreeKind::max) {
        sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
            farthest[parent] = std::max(farthest[parent], farthest[i]);
        });
    } else {
        sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
            farthest[parent] = std::min(farthest[parent], farthest[i]);
        });
    }
    return farthest;
}

Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint16_t> farthest = farthestLevelsOf(tree, control);
    forEachIndex(farthest.size(), control,
                 [&](std::size_t i) { farthest[i] = distance(farthest[i], tree.level[tree.parent[i]]); });
    return farthest;
}

Buffer<std::uint64_t> levelSumsOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                  const JobControl& control) {
    Buffer<std::uint64_t> sum(tree.nodeCount());
    forEachIndex(sum.size(), control, [&](std::size_t i) { sum[i] = std::uint64_t{own[i]} * tree.level[i]; });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { sum[parent] += sum[i]; });
    return sum;
}

Buffer<double> variancesOf(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                           const Buffer<std::uint32_t>& area, const Buffer<std::uint64_t>& sum,
                           const JobControl& control) {
    SumArray<std::uint64_t> squares(tree.nodeCount());
    forEachIndex(tree.nodeCount(), control, [&](std::size_t i) {
        const std::uint64_t level = tree.level[i];
        squares.set(i, own[i] * (level * level));
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { squares.add(parent, squares[i]); });
    squares.prepareResults();
    forEachIndex(tree.nodeCount(), control,
                 [&](std::size_t i) { squares.setResult(i, varianceOf(area[i], sum[i], squares[i])); });
    return squares.release();
}

namespace {

/// Packed changes of perimeter and Euler number by the present neighbours, bits as in eulerChange().
constexpr std::array<std::uint64_t, 256> tableOf(bool eight) noexcept {
    std::array<std::uint64_t, 256> table{};
    for (unsigned bits = 0; bits < 256; ++bits) {
        table[bits] = packOutline(perimeterChange(bits), eulerChange(bits, eight));
    }
    return table;
}

constexpr auto kFour = tableOf(false);
constexpr auto kEight = tableOf(true);

/// Bits of the neighbours that precede a pixel, see neighboursBefore().
class PrecedingNeighbours {
public:
    explicit PrecedingNeighbours(const ComponentTree& tree) noexcept
        : nodes_(tree.pixelNode.data()), width_(tree.width), height_(tree.height) {}

    /// Computes them for the pixels [x, x + count) of a row.
    void ofStretch(std::size_t x, std::size_t y, std::size_t count, std::uint8_t* out) const noexcept {
        const std::size_t end = x + count;
        if (y == 0 || y + 1 == height_) {
            for (; x != end; ++x) {
                *out++ = ofBorderPixel(x, y);
            }
            return;
        }
        if (x == 0) {
            *out++ = ofBorderPixel(x++, y);
        }
        const std::size_t inner = std::min(end, width_ - 1);
        if (x < inner) {
            const std::uint32_t* at = nodes_ + y * width_ + x;
            ofInnerPixels(at, at - width_, at + width_, inner - x, out);
            out += inner - x;
            x = inner;
        }
        if (x < end) {
            *out = ofBorderPixel(x, y);
        }
    }

private:
    /// The common case: without border checks, so that it is vectorised.
    static void ofInnerPixels(const std::uint32_t* at, const std::uint32_t* above, const std::uint32_t* below,
                              std::size_t count, std::uint8_t* __restrict out) noexcept {
        for (std::size_t i = 0; i != count; ++i) {
            const std::uint32_t node = at[i];
            const auto bit = [](bool before, unsigned place) { return static_cast<unsigned>(before) << place; };
            out[i] = static_cast<std::uint8_t>(bit(at[i + 1] > node, 0) | bit(below[i + 1] > node, 1) |
                                               bit(below[i] > node, 2) | bit((below - 1)[i] > node, 3) |
                                               bit((at - 1)[i] >= node, 4) | bit((above - 1)[i] >= node, 5) |
                                               bit(above[i] >= node, 6) | bit(above[i + 1] >= node, 7));
        }
    }

    [[nodiscard]] std::uint8_t ofBorderPixel(std::size_t x, std::size_t y) const noexcept {
        return static_cast<std::uint8_t>(neighboursBefore(nodes_, width_, height_, x, y));
    }

    const std::uint32_t* nodes_;
    std::size_t width_;
    std::size_t height_;
};

} // namespace

Buffer<std::uint64_t> outlinesOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint64_t> packed(tree.nodeCount());
    fillAll(packed.span(), std::uint64_t{0}, control);
    const auto& changes = tree.connectivity == Connectivity::four ? kFour : kEight;
    const PrecedingNeighbours before(tree);
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t kStretch = 2048; // fits the L1 cache
        std::array<std::uint8_t, kStretch> neighbours;
        // Adjacent pixels often share their node and then take one addition.
        std::uint32_t node = tree.pixelNode[begin];
        std::uint64_t change = 0;
        const auto flush = [&] {
            if (change != 0) {
                std::atomic_ref(packed[node]).fetch_add(change, std::memory_order_relaxed);
            }
        };
        while (begin != end) {
            const std::size_t x = begin % tree.width;
            const std::size_t count = std::min({kStretch, end - begin, tree.width - x});
            before.ofStretch(x, begin / tree.width, count, neighbours.data());
            for (std::size_t i = 0; i != count; ++i) {
                if (tree.pixelNode[begin + i] != node) {
                    flush();
                    node = tree.pixelNode[begin + i];
                    change = 0;
                }
                change += changes[neighbours[i]];
            }
            begin += count;
        }
        flush();
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { packed[parent] += packed[i]; });
    return packed;
}

} // namespace pollard::cpu
