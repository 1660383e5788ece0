#include "cpu/attributes/outline.hpp"

#include "attributes/formulas.hpp"
#include "cpu/parallel.hpp"
#include "cpu/tree_sweeps.hpp"

#include <array>
#include <cstddef>

namespace pollard::cpu {

namespace {

/// Changes by the eight neighbours that are there, bits as in eulerChange().
struct Changes {
    std::array<std::int8_t, 256> perimeter{};
    std::array<std::int8_t, 256> euler{};
};

constexpr Changes tableOf(bool eight) noexcept {
    Changes table;
    for (unsigned bits = 0; bits < 256; ++bits) {
        table.perimeter[bits] = static_cast<std::int8_t>(perimeterChange(bits));
        table.euler[bits] = static_cast<std::int8_t>(eulerChange(bits, eight));
    }
    return table;
}

constexpr Changes kFour = tableOf(false);
constexpr Changes kEight = tableOf(true);

/// Bits of the neighbours that enter before a pixel. Of pixels of one node the first in raster order enters first.
class NeighboursBefore {
public:
    explicit NeighboursBefore(const ComponentTree& tree) noexcept
        : nodes_(tree.pixelNode.data()), width_(tree.width), height_(tree.height), step_(tree.width) {}

    [[nodiscard]] unsigned operator()(std::uint32_t pixel, std::uint32_t x, std::uint32_t y,
                                      std::uint32_t node) const noexcept {
        const std::uint32_t* at = nodes_ + pixel;
        const bool left = x > 0;
        const bool right = x + 1 < width_;
        unsigned bits = 0;
        const auto add = [&](unsigned bit, bool before) { bits |= static_cast<unsigned>(before) << bit; };
        add(0, right && at[1] > node);
        add(4, left && at[-1] >= node);
        if (y + 1 < height_) {
            add(1, right && at[step_ + 1] > node);
            add(2, at[step_] > node);
            add(3, left && at[step_ - 1] > node);
        }
        if (y > 0) {
            add(5, left && at[-step_ - 1] >= node);
            add(6, at[-step_] >= node);
            add(7, right && at[-step_ + 1] >= node);
        }
        return bits;
    }

private:
    const std::uint32_t* nodes_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::ptrdiff_t step_;
};

} // namespace

NodeOutlines outlinesOf(const ComponentTree& tree, const PixelList& list, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    NodeOutlines out{Buffer<std::uint64_t>(n), Buffer<std::int32_t>(n)};
    const Changes& changes = tree.connectivity == Connectivity::four ? kFour : kEight;
    const PixelPlace place(tree.width);
    const NeighboursBefore before(tree);
    forEachIndex(n, control, [&](std::size_t i) {
        std::int64_t perimeter = 0; // negative where pixels fill gaps; the sum over a component is not
        std::int32_t euler = 0;
        for (const std::uint32_t p : list.of(i)) {
            const std::uint32_t y = place.row(p);
            const unsigned bits = before(p, place.column(p, y), y, static_cast<std::uint32_t>(i));
            perimeter += changes.perimeter[bits];
            euler += changes.euler[bits];
        }
        out.perimeter[i] = static_cast<std::uint64_t>(perimeter);
        out.euler[i] = euler;
    });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        out.perimeter[parent] += out.perimeter[i];
        out.euler[parent] += out.euler[i];
    });
    return out;
}

} // namespace pollard::cpu
