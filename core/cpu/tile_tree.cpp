#include "cpu/tile_tree.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace pollard::cpu {

namespace {

// Conditions as all bits or none, from operations that compile without branches.
constexpr std::uint32_t ifZero(std::uint32_t x) noexcept {
    return static_cast<std::uint32_t>((std::int64_t{x} - 1) >> 63);
}
constexpr std::uint32_t ifLess(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::uint32_t>((std::int64_t{a} - std::int64_t{b}) >> 63);
}
constexpr std::uint32_t choose(std::uint32_t condition, std::uint32_t yes, std::uint32_t no) noexcept {
    return no ^ ((yes ^ no) & condition);
}

} // namespace

template <class Edges> template <class Pixel>
void TileTreeBuilder<Edges>::build(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip,
                                   TileTree& out, std::span<std::uint32_t> placeOfPixel) {
    grow(image, grid, tile, flip);
    numberIslands(out);
    emitBranches(out);
    emitRuns(out);
    emitNodes(out);
    writePlaces(grid, tile, placeOfPixel);
}

template <class Edges> template <class Pixel>
void TileTreeBuilder<Edges>::buildLinks(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile,
                                        Pixel flip, TileTree& out, std::span<std::uint32_t> placeOfPixel) {
    grow(image, grid, tile, flip);
    for (std::uint32_t k = 0; k < closedCount_; ++k) {
        number_[closedRuns_[k]] = static_cast<std::uint16_t>(openCount_ + k);
    }
    emitBranches(out);
    emitRuns(out);
    emitLinks(out);
    writePlaces(grid, tile, placeOfPixel);
}

template <class Edges> template <class Pixel>
void TileTreeBuilder<Edges>::grow(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip) {
    load(image, grid, tile, flip);
    edges_.choose(tile);
    sortDescending(tile);
    openBranches(tile, grid);
    flood(tile);
    linkRuns();
    findOpenRuns(tile, grid.extent);
    separateRuns();
}

template <class Edges> template <class Pixel>
void TileTreeBuilder<Edges>::load(std::span<const Pixel> image, const TileGrid& grid, const Tile& tile, Pixel flip) {
    std::uint16_t lowest = 0xffff;
    std::uint16_t highest = 0;
    grid.eachRow(tile, [&](std::uint32_t inTile, std::size_t pixel) {
        const Pixel* source = image.data() + pixel;
        std::uint16_t* target = edges_.levelsFrom(inTile);
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            const auto v = static_cast<std::uint16_t>(source[x] ^ flip);
            target[x] = v;
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
    });
    lowest_ = lowest;
    highest_ = highest;
}

template <class Edges> void TileTreeBuilder<Edges>::sortDescending(const Tile& tile) {
    const std::uint32_t range = std::uint32_t{highest_} - lowest_ + 1;
    const bool onePass = range <= kOnePassRange;
    const int lowBits = onePass ? 16 : (std::bit_width(range - 1) + 1) / 2;
    const std::uint32_t lowMask = (1U << lowBits) - 1;
    const auto keyOf = [this](std::uint32_t pixel) -> std::uint32_t { return highest_ - edges_.level(pixel); };
    const auto forEachPixel = [&tile](auto&& visit) {
        eachRow(kShape, tile, [&](std::uint32_t first) {
            for (std::uint32_t i = first, end = first + tile.width; i < end; ++i) {
                visit(i);
            }
        });
    };
    const auto toOffsets = [this](std::uint32_t first, std::uint32_t count) {
        std::uint32_t sum = 0;
        for (std::uint32_t k = first; k < first + count; ++k) {
            sum += std::exchange(counter_[k], sum);
        }
    };

    if (onePass) {
        // Interleaves the upper and lower half of the tile with separate counters, which halves the stalls on repeated
        // counters in smooth images.
        const auto rowStart = [&tile](std::uint32_t row) {
            return kShape.zBits == 0 ? row << kShape.xBits : kShape.rowStart(row % tile.height, row / tile.height);
        };
        const std::uint32_t rows = tile.height * tile.slices;
        const std::uint32_t half = rows / 2;
        const auto forEachOfBoth = [&](auto&& visit) {
            for (std::uint32_t row = 0; row < half; ++row) {
                const std::uint32_t upper = rowStart(row);
                const std::uint32_t lower = rowStart(row + half);
                for (std::uint32_t x = 0; x < tile.width; ++x) {
                    visit(upper + x, 0);
                    visit(lower + x, range);
                }
            }
            for (std::uint32_t row = 2 * half; row < rows; ++row) {
                for (std::uint32_t i = rowStart(row), end = i + tile.width; i < end; ++i) {
                    visit(i, range);
                }
            }
        };
        std::fill_n(counter_.begin(), 2 * range, 0U);
        forEachOfBoth([&](std::uint32_t i, std::uint32_t part) { ++counter_[part + keyOf(i)]; });
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < range; ++k) {
            sum += std::exchange(counter_[k], sum);
            sum += std::exchange(counter_[range + k], sum);
        }
        forEachOfBoth([&](std::uint32_t i, std::uint32_t part) { order_[counter_[part + keyOf(i)]++] = visitOf(i); });
        return;
    }
    // Two stable passes over half the bits each; the counters of both are adjacent.
    const std::uint32_t lowCount = lowMask + 1;
    const std::uint32_t highCount = ((range - 1) >> lowBits) + 1;
    std::fill_n(counter_.begin(), lowCount + highCount, 0U);
    forEachPixel([&](std::uint32_t i) {
        const std::uint32_t key = keyOf(i);
        ++counter_[key & lowMask];
        ++counter_[lowCount + (key >> lowBits)];
    });
    toOffsets(0, lowCount);
    toOffsets(lowCount, highCount);
    forEachPixel([&](std::uint32_t i) { halfSorted_[counter_[keyOf(i) & lowMask]++] = static_cast<std::uint16_t>(i); });
    const std::uint32_t pixels = tile.pixelCount();
    for (std::uint32_t k = 0; k < pixels; ++k) {
        const std::uint16_t i = halfSorted_[k];
        order_[counter_[lowCount + (keyOf(i) >> lowBits)]++] = visitOf(i);
    }
}

template <class Edges> std::uint16_t TileTreeBuilder<Edges>::find(std::uint16_t branch) noexcept {
    std::uint16_t last = unionFind_[unionFind_[branch]]; // rarely more than two steps
    std::uint16_t next = unionFind_[last];
    unionFind_[branch] = next;
    while (next != last) {
        last = next;
        next = unionFind_[next];
    }
    return last;
}

/// Branchless, because none of this is predictable: which branch wins, whether both are the same, which ones have
/// pixels at this level.
template <class Edges>
std::uint16_t TileTreeBuilder<Edges>::join(std::uint16_t a, std::uint16_t b, std::uint32_t pixel) noexcept {
    const std::uint32_t level = edges_.level(pixel);
    const std::uint32_t either = std::uint32_t{a} ^ b;
    const std::uint32_t winner = a ^ (either & ifLess(branches_[a].priority, branches_[b].priority));
    const std::uint32_t differ = ~ifZero(either);
    const std::uint32_t loser = choose(differ, winner ^ either, kNone);
    branches_[loser].saddlePlusOne = level + 1;
    branches_[loser].into = static_cast<std::uint16_t>(winner);
    branches_[loser].saddle = static_cast<std::uint16_t>(pixel);
    unionFind_[loser] = static_cast<std::uint16_t>(winner);
    const std::uint32_t ofLoser = current_[loser];
    const std::uint32_t ofWinner = current_[winner];
    const std::uint32_t loserHas = differ & ifZero(ofLoser >> 16 ^ level);
    const std::uint32_t winnerHas = ifZero(ofWinner >> 16 ^ level);
    // If both components have pixels at this level, they become one node.
    const std::uint32_t run = choose(loserHas, ofLoser & 0xffffU, kNone);
    same_[run] = static_cast<std::uint16_t>(choose(winnerHas, ofWinner & 0xffffU, run));
    runBranch_[run] = static_cast<std::uint16_t>(winner);
    current_[winner] = choose(loserHas & ~winnerHas, ofLoser, ofWinner);
    return static_cast<std::uint16_t>(winner);
}

/// Creates a branch for every pixel without an edge to a preceding one, in raster order.
template <class Edges> void TileTreeBuilder<Edges>::openBranches(const Tile& tile, const TileGrid& grid) {
    std::uint32_t count = 0;
    eachRow(kShape, tile, [&](std::uint32_t first) {
        for (std::uint32_t i = first, end = first + tile.width; i < end; ++i) {
            branches_[count].seed = static_cast<std::uint16_t>(i);
            count += edges_.kept(i) == 0 ? 1 : 0;
        }
    });
    for (std::uint32_t b = 0; b < count; ++b) {
        const std::uint16_t seed = branches_[b].seed;
        const auto branch = static_cast<std::uint16_t>(b);
        branches_[b] = {branchPriority(grid.pixelOf(seed, tile)), 0, branch, 0, seed};
        current_[b] = current(edges_.level(seed) ^ 1U, 0); // differs from its level, so its first run is new
        unionFind_[b] = branch;
        branchOf_[seed] = branch;
    }
    branchCount_ = count;
}

template <class Edges> void TileTreeBuilder<Edges>::flood(const Tile& tile) {
    std::iota(same_.begin(), same_.end(), std::uint16_t{0});
    std::uint32_t runCount = 0;
    const std::uint32_t pixels = tile.pixelCount();
    for (std::uint32_t k = 0; k < pixels; ++k) {
        const Visit visit = order_[k];
        const auto i = static_cast<std::uint32_t>(visit % kPixels);
        const std::uint16_t level = edges_.level(i);
        std::uint16_t& first = branchOf_[(visit >> kPixelBits) % kPixels];
        std::uint16_t branch = unionFind_[unionFind_[first]];
        if (unionFind_[branch] != branch) {
            branch = find(branch);
            first = branch;
        }
        for (auto others = static_cast<std::uint32_t>(visit >> (2 * kPixelBits)); others != 0; others &= others - 1) {
            std::uint16_t& beside = branchOf_[i + Edges::step(others)];
            branch = join(branch, find(beside), i);
            beside = branch;
        }
        // The branch's current run or a new one, branchless, because it is unpredictable. Within a level pixels are in
        // raster order, so the last one of a run is its canonical pixel.
        const std::uint32_t now = current_[branch];
        const std::uint32_t fresh = now >> 16 != level ? 0xffff'ffff : 0;
        const auto run = static_cast<std::uint16_t>((runCount & fresh) | (now & ~fresh));
        runCount -= fresh;
        current_[branch] = current(level, run);
        runBranch_[run] = branch;
        runCanonical_[run] = static_cast<std::uint16_t>(i);
        branchOf_[i] = branch;
        runOf_[i] = run;
    }
    runCount_ = runCount;
}

/// Finds the representative run of each node, and its parent. Runs are in descending order of level, so parents have
/// larger indices.
template <class Edges> void TileTreeBuilder<Edges>::linkRuns() noexcept {
    auto& last = branchNumber_;
    std::fill_n(last.begin(), branchCount_, kNone);
    for (std::uint32_t r = 0; r < runCount_; ++r) {
        auto s = static_cast<std::uint16_t>(r);
        while (same_[s] != s) {
            s = same_[s];
        }
        final_[r] = s;
        if (s == r) {
            parent_[std::exchange(last[runBranch_[r]], s)] = s;
        } else {
            parent_[r] = kNone;
        }
    }
    // The saddle is a pixel of the component in which a branch ends.
    for (std::uint32_t b = 0; b < branchCount_; ++b) {
        parent_[last[b]] = branches_[b].saddlePlusOne == 0 ? kNone : final_[runOf_[branches_[b].saddle]];
    }
}

/// Finds the components that reach a neighbouring tile; the tile's root counts as one.
template <class Edges> void TileTreeBuilder<Edges>::findOpenRuns(const Tile& tile, const Extent& image) noexcept {
    std::fill_n(isOpen_.begin(), runCount_, std::uint8_t{0});
    const auto open = [this](std::uint32_t first, std::uint32_t step, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; ++k) {
            isOpen_[final_[runOf_[first + k * step]]] = 1;
        }
    };
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        if (tile.x0 != 0) {
            open(kShape.rowStart(0, z), kShape.width(), tile.height);
        }
        if (tile.x0 + tile.width != image.width) {
            open(kShape.rowStart(0, z) + tile.width - 1, kShape.width(), tile.height);
        }
        if (tile.y0 != 0) {
            open(kShape.rowStart(0, z), 1, tile.width);
        }
        if (tile.y0 + tile.height != image.height) {
            open(kShape.rowStart(tile.height - 1, z), 1, tile.width);
        }
    }
    for (std::uint32_t y = 0; kShape.zBits != 0 && y < tile.height; ++y) {
        if (tile.z0 != 0) {
            open(kShape.rowStart(y, 0), 1, tile.width);
        }
        if (tile.z0 + tile.slices != image.slices) {
            open(kShape.rowStart(y, tile.slices - 1), 1, tile.width);
        }
    }
    isOpen_[final_[runCount_ - 1]] = 1; // lowest level, hence the root
    for (std::uint32_t r = 0; r < runCount_; ++r) {
        const std::uint16_t parent = parent_[r];
        isOpen_[parent] = static_cast<std::uint8_t>(isOpen_[parent] | isOpen_[r]);
    }
}

/// Sizes and depths of the components that reach no other tile.
template <class Edges> void TileTreeBuilder<Edges>::measureClosedRuns() noexcept {
    const std::span<const std::uint16_t> closed = std::span(closedRuns_).first(closedCount_);
    for (const std::uint16_t r : closed) {
        size_[r] = 1;
        depth_[r] = 0;
        used_[r] = 1; // the node itself
    }
    for (const std::uint16_t r : closed) { // children first
        const std::uint16_t parent = parent_[r];
        size_[parent] = static_cast<std::uint16_t>(size_[parent] + size_[r]);
        depth_[parent] = std::max(depth_[parent], static_cast<std::uint16_t>(depth_[r] + 1));
    }
}

/// Lists the representative runs, and numbers the open ones.
template <class Edges> void TileTreeBuilder<Edges>::separateRuns() noexcept {
    std::uint32_t open = 0;
    std::uint32_t closed = 0;
    for (std::uint32_t r = 0; r < runCount_; ++r) { // branchless, as in flood()
        const std::uint32_t stands = final_[r] == r ? 1 : 0;
        number_[r] = static_cast<std::uint16_t>(open);
        openRuns_[open] = static_cast<std::uint16_t>(r);
        closedRuns_[closed] = static_cast<std::uint16_t>(r);
        open += stands & isOpen_[r];
        closed += stands & (isOpen_[r] ^ 1U);
    }
    openCount_ = open;
    closedCount_ = closed;
}

/// Numbers the closed runs depth first, siblings by canonical pixel.
template <class Edges> void TileTreeBuilder<Edges>::numberIslands(TileTree& out) {
    measureClosedRuns();
    constexpr std::uint32_t kWordBits = 64;
    std::array<std::uint64_t, kPixels / kWordBits> canonical{}; // a bit per canonical pixel of an island
    for (const std::uint16_t r : std::span(closedRuns_).first(closedCount_)) {
        canonical[runCanonical_[r] / kWordBits] |= std::uint64_t{1} << (runCanonical_[r] % kWordBits);
    }
    out.islands.clear();
    std::uint16_t nodes = 0;
    for (std::uint32_t word = 0; word < canonical.size(); ++word) {
        for (std::uint64_t bits = canonical[word]; bits != 0; bits &= bits - 1) {
            const std::uint32_t pixel = word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(bits));
            const std::uint16_t r = final_[runOf_[pixel]];
            const std::uint16_t parent = parent_[r];
            if (isOpen_[parent] != 0) {
                out.islands.push_back({nodes, size_[r], depth_[r], number_[parent]});
                number_[r] = static_cast<std::uint16_t>(openCount_ + nodes);
                nodes = static_cast<std::uint16_t>(nodes + size_[r]);
            } else {
                number_[r] = used_[parent];
                used_[parent] = static_cast<std::uint16_t>(used_[parent] + size_[r]);
            }
        }
    }
    for (std::uint32_t k = closedCount_; k-- > 0;) { // parents first
        const std::uint16_t r = closedRuns_[k];
        const std::uint16_t parent = parent_[r];
        number_[r] = static_cast<std::uint16_t>(number_[r] + (number_[parent] & (isOpen_[parent] - 1U)));
    }
}

/// Numbers and writes the branches with an open run.
template <class Edges> void TileTreeBuilder<Edges>::emitBranches(TileTree& out) {
    std::fill_n(branchNumber_.begin(), branchCount_, kNoBranch);
    for (const std::uint16_t r : std::span(openRuns_).first(openCount_)) {
        branchNumber_[runBranch_[r]] = 0;
    }
    std::uint16_t count = 0;
    for (std::uint32_t b = 0; b < branchCount_; ++b) {
        if (branchNumber_[b] != kNoBranch) {
            branchNumber_[b] = count++;
        }
    }
    // If a branch with an open run ends in a branch without one, the latter ends at that level, too.
    const auto numberOf = [this](std::uint16_t b) {
        while (branchNumber_[b] == kNoBranch) {
            b = branches_[b].into;
        }
        return branchNumber_[b];
    };
    out.branches.clear();
    out.branches.reserve(count);
    for (std::uint32_t k = 0; k < branchCount_; ++k) {
        if (branchNumber_[k] != kNoBranch) {
            const Branch& b = branches_[k];
            out.branches.push_back(
                {b.saddlePlusOne, b.saddlePlusOne == 0 ? std::uint16_t{0} : numberOf(b.into), b.seed});
        }
    }
}

/// Requires emitBranches(), which numbers the branches.
template <class Edges> void TileTreeBuilder<Edges>::emitRuns(TileTree& out) {
    out.runs.resize(openCount_);
    for (std::uint32_t k = 0; k < openCount_; ++k) {
        const std::uint16_t r = openRuns_[k];
        out.runs[k] = {runLevel(r), branchNumber_[runBranch_[r]], runCanonical_[r]};
    }
}

template <class Edges> void TileTreeBuilder<Edges>::emitNodes(TileTree& out) {
    out.nodes.resize(closedCount_);
    for (const std::uint16_t r : std::span(closedRuns_).first(closedCount_)) {
        const std::uint16_t parent = parent_[r];
        const auto above = static_cast<std::uint16_t>(number_[parent] - (openCount_ & (isOpen_[parent] - 1U)));
        out.nodes[number_[r] - openCount_] = {runLevel(r), runCanonical_[r], above, size_[r]};
    }
}

template <class Edges> void TileTreeBuilder<Edges>::emitLinks(TileTree& out) {
    out.links.resize(closedCount_);
    for (std::uint32_t k = 0; k < closedCount_; ++k) {
        const std::uint16_t r = closedRuns_[k];
        out.links[k] = {runCanonical_[r], number_[parent_[r]]};
    }
}

template <class Edges> void TileTreeBuilder<Edges>::writePlaces(const TileGrid& grid, const Tile& tile,
                                                                std::span<std::uint32_t> placeOfPixel) noexcept {
    for (std::uint32_t r = 0; r < runCount_; ++r) {
        number_[r] = number_[final_[r]];
    }
    grid.eachRow(tile, [&](std::uint32_t inTile, std::size_t pixel) {
        const std::uint16_t* source = runOf_.data() + inTile;
        std::uint32_t* target = placeOfPixel.data() + pixel;
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            target[x] = number_[source[x]];
        }
    });
}

#define POLLARD_INSTANTIATE(Edges, Pixel)                                                                              \
    template void TileTreeBuilder<Edges>::build<Pixel>(std::span<const Pixel>, const TileGrid&, const Tile&, Pixel,    \
                                                       TileTree&, std::span<std::uint32_t>);                           \
    template void TileTreeBuilder<Edges>::buildLinks<Pixel>(std::span<const Pixel>, const TileGrid&, const Tile&,      \
                                                            Pixel, TileTree&, std::span<std::uint32_t>)
#define POLLARD_INSTANTIATE_BOTH(Edges)                                                                                \
    POLLARD_INSTANTIATE(Edges, std::uint8_t);                                                                          \
    POLLARD_INSTANTIATE(Edges, std::uint16_t)
POLLARD_INSTANTIATE_BOTH(TileEdges<false>);
POLLARD_INSTANTIATE_BOTH(TileEdges<true>);
POLLARD_INSTANTIATE_BOTH(BrickEdges<Connectivity::six>);
POLLARD_INSTANTIATE_BOTH(BrickEdges<Connectivity::eighteen>);
POLLARD_INSTANTIATE_BOTH(BrickEdges<Connectivity::twentySix>);
#undef POLLARD_INSTANTIATE_BOTH
#undef POLLARD_INSTANTIATE

} // namespace pollard::cpu
