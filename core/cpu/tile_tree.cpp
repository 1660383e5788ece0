#include "cpu/tile_tree.hpp"

#include <bit>
#include <utility>

namespace pollard::cpu {

template <class Pixel, bool kEight> void TileTreeBuilder::build(std::span<const Pixel> image, std::uint32_t imageWidth,
                                                                const Tile& tile, Pixel flip, TileTree& out,
                                                                std::span<std::uint32_t> runOfPixel) {
    load(image, imageWidth, tile, flip);
    edges_.choose<kEight>(tile);
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
        std::uint16_t* target = edges_.row(y);
        for (std::uint32_t x = 0; x < tile.width; ++x) {
            const auto v = static_cast<std::uint16_t>(source[x] ^ flip);
            target[x] = v;
            lowest = std::min(lowest, v);
            highest = std::max(highest, v);
        }
    }
    lowest_ = lowest;
    highest_ = highest;
}

void TileTreeBuilder::sortDescending(const Tile& tile) {
    const std::uint32_t range = std::uint32_t{highest_} - lowest_ + 1;
    const bool onePass = range <= kOnePassRange;
    const int lowBits = onePass ? 16 : (std::bit_width(range - 1) + 1) / 2;
    const std::uint32_t lowMask = (1U << lowBits) - 1;
    const auto keyOf = [this](std::uint32_t pixel) -> std::uint32_t { return highest_ - edges_.level(pixel); };
    const auto forEachPixel = [&tile](auto&& visit) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            for (std::uint32_t i = y * kTileSide, end = i + tile.width; i < end; ++i) {
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
    Branch& loser = branches_[b];
    loser.saddlePlusOne = std::uint32_t{level} + 1;
    loser.into = a;
    unionFind_[b] = a;
    if (current_[b] >> 16 == level) {
        // Both components have pixels of this level: from here on they are one node.
        const auto run = static_cast<std::uint16_t>(current_[b]);
        if (current_[a] >> 16 == level) {
            runs_[run].same = static_cast<std::uint16_t>(current_[a]);
        } else {
            current_[a] = current_[b];
            runs_[run].branch = a;
        }
    }
    return a;
}

template <bool kEight> void TileTreeBuilder::flood(const Tile& tile, std::uint32_t imageWidth) {
    std::uint32_t branchCount = 0;
    std::uint32_t runCount = 0;
    const std::uint32_t pixels = tile.width * tile.height;
    for (std::uint32_t k = 0; k < pixels; ++k) {
        const std::uint32_t i = order_[k];
        const std::uint16_t level = edges_.level(i);
        std::uint32_t kept = edges_.kept(i);
        std::uint16_t branch = 0;
        if (kept != 0) {
            const auto take = [&]() -> std::uint16_t& {
                const std::uint32_t beside = i + TileEdges::step(kept);
                kept &= kept - 1;
                return branchOf_[beside];
            };
            std::uint16_t& first = take();
            branch = unionFind_[first];
            if (unionFind_[branch] != branch) {
                branch = find(branch);
                first = branch;
            }
            while (kept != 0) {
                std::uint16_t& beside = take();
                const std::uint16_t other = find(beside);
                if (other != branch) {
                    branch = join(branch, other, level);
                }
                beside = branch;
            }
        } else {
            branch = static_cast<std::uint16_t>(branchCount++);
            const std::uint32_t x = tile.x0 + i % kTileSide;
            const std::uint32_t y = tile.y0 + i / kTileSide;
            branches_[branch] = {branchPriority(y * imageWidth + x), 0, branch, level, static_cast<std::uint16_t>(i)};
            current_[branch] = current(static_cast<std::uint16_t>(level ^ 1), 0);
            unionFind_[branch] = branch;
        }
        // The current run of the branch, or a new one: by arithmetic, since nothing predicts which it is. Within a
        // level pixels come in raster order, hence the last one of a run is its canonical pixel.
        const std::uint32_t now = current_[branch];
        const std::uint32_t fresh = now >> 16 != level ? 0xffff'ffff : 0;
        const auto run = static_cast<std::uint16_t>((runCount & fresh) | (now & ~fresh));
        runCount -= fresh;
        current_[branch] = current(level, run);
        runs_[run] = {level, branch, static_cast<std::uint16_t>(i), run};
        branchOf_[i] = branch;
        runOf_[i] = run;
    }
    branchCount_ = branchCount;
    runCount_ = runCount;
}

void TileTreeBuilder::emit(const Tile& tile, std::uint32_t imageWidth, TileTree& out,
                           std::span<std::uint32_t> runOfPixel) {
    // A branch that ends on the level of its own maximum was a part of a plateau, not a maximum: it owns no run.
    const auto isPart = [](const Branch& b) { return b.saddlePlusOne == std::uint32_t{b.top} + 1; };
    std::uint16_t count = 0;
    for (std::size_t b = 0; b < branchCount_; ++b) {
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
    for (const Branch& b : std::span(branches_).first(branchCount_)) {
        if (!isPart(b)) {
            out.branches.push_back(
                {b.saddlePlusOne, b.saddlePlusOne == 0 ? std::uint16_t{0} : wholeBranch(b.into), b.seed});
        }
    }
    // Runs: `same` turns from "run of the same node" into the final number; targets of `same` may come later.
    std::uint16_t runCount = 0;
    for (std::size_t r = 0; r < runCount_; ++r) {
        if (runs_[r].same == r) {
            ++runCount;
        }
    }
    out.runs.clear();
    out.runs.reserve(runCount);
    for (std::size_t r = 0; r < runCount_; ++r) {
        if (runs_[r].same == r) {
            halfSorted_[r] = static_cast<std::uint16_t>(out.runs.size());
            out.runs.push_back({runs_[r].level, wholeBranch(runs_[r].branch), runs_[r].canonical});
        }
    }
    for (std::size_t r = 0; r < runCount_; ++r) {
        std::uint16_t s = static_cast<std::uint16_t>(r);
        while (runs_[s].same != s) {
            s = runs_[s].same;
        }
        halfSorted_[r] = halfSorted_[s];
    }
    for (std::uint32_t y = 0; y < tile.height; ++y) {
        const std::uint16_t* source = runOf_.data() + y * kTileSide;
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
