#include "cpu/attributes/outline.hpp"

#include "attributes/formulas.hpp"
#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace pollard::cpu {

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
class NeighboursBefore {
public:
    explicit NeighboursBefore(const ComponentTree& tree) noexcept
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
    std::memset(packed.data(), 0, packed.bytes());
    const auto& changes = tree.connectivity == Connectivity::four ? kFour : kEight;
    const NeighboursBefore before(tree);
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
