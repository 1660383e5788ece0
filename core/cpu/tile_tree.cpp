#include "cpu/tile_tree.hpp"

#include <bit>
#include <utility>

namespace pollard::cpu {

TileTreeBuilder::TileTreeBuilder() {
    branches_.reserve(kPixels + 1);
    runs_.reserve(kPixels + 1);
}

template <class Pixel, bool kEight> void TileTreeBuilder::build(std::span<const Pixel> image, std::uint32_t imageWidth,
                                                                const Tile& tile, Pixel flip, TileTree& out,
                                                                std::span<std::uint32_t> runOfPixel) {
    load(image, imageWidth, tile, flip);
    sortDescending(tile);
    flood<kEight>(tile, imageWidth);
    emit(tile, imageWidth, out, runOfPixel);
}

template <class Pixel>
void TileTreeBuilder::load(std::span<const Pixel> image, std::uint32_t imageWidth, const Tile& tile, Pixel flip) {
    std::uint16_t lowest = 0xffff;
    std::uint16_t highest = 0;
    for (std::uint32_t y = 0; y < tile.height; ++y) {
        const Pixel* source = image.data() + std::size_t{tile.y0 + y} * imageWidth + tile.x0;
        std::uint16_t* target = value_.data() + (y + 1) * kPitch + 1;
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            const auto v = static_cast<std::uint16_t>(source[x] ^ flip);
            target[x] = v;
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
    }
    lowest_ = lowest;
    highest_ = highest;
    runOf_.fill(kNone);
}

void TileTreeBuilder::sortDescending(const Tile& tile) {
    const std::uint32_t range = std::uint32_t{highest_} - lowest_ + 1;
    const bool onePass = range <= kOnePassRange;
    const int lowBits = onePass ? 16 : (std::bit_width(range - 1) + 1) / 2;
    const std::uint32_t lowMask = (1U << lowBits) - 1;
    const auto keyOf = [this](std::uint32_t pixel) -> std::uint32_t { return highest_ - value_[pixel]; };
    const auto forEachPixel = [&tile](auto&& visit) {
        for (std::uint32_t y = 1; y <= tile.height; ++y) {
            for (std::uint32_t i = y * kPitch + 1, end = i + tile.width; i < end; ++i) {
                visit(i);
            }
        }
    };
    const auto toOffsets = [this](std::uint32_t first, std::uint32_t count) {
        std::uint32_t sum = 0;
        for (std::uint32_t k = first; k < first + count; ++k) {
            sum += std::exchange(counter_[k], sum);
        }
    };

    if (onePass) {
        std::fill_n(counter_.begin(), range, 0U);
        forEachPixel([&](std::uint32_t i) { ++counter_[keyOf(i)]; });
        toOffsets(0, range);
        forEachPixel([&](std::uint32_t i) { order_[counter_[keyOf(i)]++] = static_cast<std::uint16_t>(i); });
        return;
    }
    // Two stable passes over half the bits each; the counters of both fit side by side.
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
    const std::uint32_t pixels = tile.width * tile.height;
    for (std::uint32_t k = 0; k < pixels; ++k) {
        const std::uint16_t i = halfSorted_[k];
        order_[counter_[lowCount + (keyOf(i) >> lowBits)]++] = i;
    }
}

std::uint16_t TileTreeBuilder::find(std::uint16_t branch) noexcept {
    std::uint16_t next = unionFind_[branch];
    while (next != branch) {
        const std::uint16_t afterNext = unionFind_[next];
        unionFind_[branch] = afterNext;
        branch = next;
        next = afterNext;
    }
    return branch;
}

std::uint16_t TileTreeBuilder::join(std::uint16_t a, std::uint16_t b, std::uint16_t level) noexcept {
    if (branches_[a].priority < branches_[b].priority) {
        std::swap(a, b);
    }
    Branch& winner = branches_[a];
    Branch& loser = branches_[b];
    loser.saddlePlusOne = std::uint32_t{level} + 1;
    loser.into = a;
    unionFind_[b] = a;
    if (loser.runLevel == level) {
        // Both components have pixels of this level: from here on they are one node.
        if (winner.runLevel == level) {
            Run& kept = runs_[winner.run];
            runs_[loser.run].same = winner.run;
            kept.canonical = std::max(kept.canonical, runs_[loser.run].canonical);
        } else {
            winner.runLevel = level;
            winner.run = loser.run;
            runs_[loser.run].branch = a;
        }
    }
    return a;
}

template <bool kEight> void TileTreeBuilder::flood(const Tile& tile, std::uint32_t imageWidth) {
    constexpr auto kUp = static_cast<std::uint32_t>(-static_cast<std::int32_t>(kPitch));
    constexpr std::array<std::uint32_t, 8> kOffsets = {kUp, ~0U, 1, kPitch, kUp - 1, kUp + 1, kPitch - 1, kPitch + 1};
    constexpr std::size_t kNeighbours = kEight ? 8 : 4;
    branches_.assign(1, Branch{});
    runs_.assign(1, Run{});
    runBranch_[kNone] = kNone;
    unionFind_[kNone] = kNone;
    const std::uint32_t pixels = tile.width * tile.height;
    for (std::uint32_t k = 0; k < pixels; ++k) {
        const std::uint32_t i = order_[k];
        const std::uint16_t level = value_[i];
        // Nearly always the visited neighbours agree in their branch, which still lives: found without a jump that
        // depends on the picture.
        std::array<std::uint16_t, kNeighbours> beside;
        std::uint16_t branch = kNone;
        for (std::size_t d = 0; d < kNeighbours; ++d) {
            beside[d] = unionFind_[runBranch_[runOf_[i + kOffsets[d]]]];
            branch = std::max(branch, beside[d]);
        }
        unsigned others = unionFind_[branch] != branch ? 1 : 0;
        for (std::size_t d = 0; d < kNeighbours; ++d) {
            const unsigned visited = beside[d] != kNone ? 1 : 0;
            const unsigned differs = beside[d] != branch ? 1 : 0;
            others |= visited & differs;
        }
        if (others != 0) {
            branch = find(branch);
            for (std::size_t d = 0; d < kNeighbours; ++d) {
                if (beside[d] != kNone) {
                    const std::uint16_t other = find(beside[d]);
                    if (other != branch) {
                        branch = join(branch, other, level);
                    }
                    runBranch_[runOf_[i + kOffsets[d]]] = branch;
                }
            }
        } else if (branch == kNone) {
            branch = static_cast<std::uint16_t>(branches_.size());
            const std::uint32_t x = tile.x0 + i % kPitch - 1;
            const std::uint32_t y = tile.y0 + i / kPitch - 1;
            branches_.push_back(
                {kNoLevel, branchPriority(y * imageWidth + x), 0, branch, kNone, level, static_cast<std::uint16_t>(i)});
            unionFind_[branch] = branch;
        }
        Branch& owner = branches_[branch];
        if (owner.runLevel != level) {
            owner.runLevel = level;
            owner.run = static_cast<std::uint16_t>(runs_.size());
            runs_.push_back({level, branch, 0, owner.run});
            runBranch_[owner.run] = branch;
        }
        runs_[owner.run].canonical = std::max(runs_[owner.run].canonical, static_cast<std::uint16_t>(i));
        runOf_[i] = owner.run;
    }
}

void TileTreeBuilder::emit(const Tile& tile, std::uint32_t imageWidth, TileTree& out,
                           std::span<std::uint32_t> runOfPixel) {
    const auto inTile = [](std::uint32_t padded) {
        return static_cast<std::uint16_t>((padded / kPitch - 1) * kTileSide + padded % kPitch - 1);
    };
    // A branch that ends on the level of its own maximum was a part of a plateau, not a maximum: it owns no run.
    const auto isPart = [](const Branch& b) { return b.saddlePlusOne == std::uint32_t{b.top} + 1; };
    std::uint16_t count = 0;
    for (std::size_t b = 1; b < branches_.size(); ++b) {
        renumber_[b] = isPart(branches_[b]) ? kPart : count++;
    }
    const auto wholeBranch = [&](std::uint16_t b) {
        while (renumber_[b] == kPart) {
            b = branches_[b].into;
        }
        return renumber_[b];
    };
    out.branches.clear();
    out.branches.reserve(count);
    for (const Branch& b : std::span(branches_).subspan(1)) {
        if (!isPart(b)) {
            out.branches.push_back(
                {b.saddlePlusOne, b.saddlePlusOne == 0 ? std::uint16_t{0} : wholeBranch(b.into), inTile(b.seed)});
        }
    }
    // Runs: `same` turns from "run of the same node" into the final number; targets of `same` may come later.
    std::uint16_t runCount = 0;
    for (std::size_t r = 1; r < runs_.size(); ++r) {
        if (runs_[r].same == r) {
            ++runCount;
        }
    }
    out.runs.clear();
    out.runs.reserve(runCount);
    for (std::size_t r = 1; r < runs_.size(); ++r) {
        if (runs_[r].same == r) {
            halfSorted_[r] = static_cast<std::uint16_t>(out.runs.size());
            out.runs.push_back({runs_[r].level, wholeBranch(runs_[r].branch), inTile(runs_[r].canonical)});
        }
    }
    for (std::size_t r = 1; r < runs_.size(); ++r) {
        std::uint16_t s = static_cast<std::uint16_t>(r);
        while (runs_[s].same != s) {
            s = runs_[s].same;
        }
        halfSorted_[r] = halfSorted_[s];
    }
    for (std::uint32_t y = 0; y < tile.height; ++y) {
        const std::uint16_t* source = runOf_.data() + (y + 1) * kPitch + 1;
        std::uint32_t* target = runOfPixel.data() + std::size_t{tile.y0 + y} * imageWidth + tile.x0;
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            target[x] = halfSorted_[source[x]];
        }
    }
}

#define POLLARD_INSTANTIATE(Pixel, kEight)                                                                             \
    template void TileTreeBuilder::build<Pixel, kEight>(std::span<const Pixel>, std::uint32_t, const Tile&, Pixel,     \
                                                        TileTree&, std::span<std::uint32_t>)
POLLARD_INSTANTIATE(std::uint8_t, false);
POLLARD_INSTANTIATE(std::uint8_t, true);
POLLARD_INSTANTIATE(std::uint16_t, false);
POLLARD_INSTANTIATE(std::uint16_t, true);
#undef POLLARD_INSTANTIATE

} // namespace pollard::cpu
