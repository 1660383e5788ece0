#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A block's stretch of a long list: a piece per warp, processed in turns with one place per thread. The places of a
/// warp's turn are adjacent, so that one bit for each makes one word.
/// @tparam kThreads_ threads of a block, whole warps
template <std::uint32_t kThreads_> struct ListStretch {
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kWarp = 32;
    static constexpr std::uint32_t kWarps = kThreads / kWarp;
    static constexpr std::uint32_t kTurns = 4;
    static constexpr std::uint32_t kOfWarp = kTurns * kWarp;
    static constexpr std::uint32_t kOfBlock = kTurns * kThreads;
    static_assert(kThreads % kWarp == 0);

    std::uint32_t begin; ///< index in the list
    std::uint32_t left;  ///< places from there to the end; the block takes at most kOfBlock
    std::uint32_t warp, lane;

    POLLARD_DEVICE ListStretch(std::uint32_t count, std::uint32_t block)
        : begin(block * kOfBlock), left(count - begin), warp(threadOfBlock() / kWarp), lane(threadOfBlock() % kWarp) {}

    /// First place of the warp's turn in the list, and whether the thread has a place in that turn.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t firstOf(std::uint32_t turn) const {
        return begin + warp * kOfWarp + turn * kWarp;
    }
    [[nodiscard]] POLLARD_DEVICE bool hasPlace(std::uint32_t turn) const {
        return warp * kOfWarp + turn * kWarp + lane < left;
    }
    /// Mask of the lower lanes.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t earlierLanes() const { return (std::uint32_t{1} << lane) - 1; }

    /// Number of blocks for a list of @p count places.
    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t count) noexcept {
        return count / kOfBlock + (count % kOfBlock != 0 ? 1 : 0);
    }
};

// The *trunk*: in most images one branch, up from the root, has a third of the pixels or more. They need no sort: its
// runs are its levels, so a table of the lowest pixel of each level describes them.
//
// Pixels are numbered as in the build, rotated, unless stated otherwise.

constexpr std::uint32_t kNoBranch = 0xffff'ffff;
constexpr std::uint32_t kNoPixel = 0xffff'ffff;

struct TrunkFacts {
    unsigned long long levels; ///< number of the trunk's levels, which are its runs
    std::uint32_t branch;      ///< its number; kNoBranch if no branch is large enough
    std::uint32_t others;      ///< number of pixels of other branches
};

/// The trunk's pixels, in device memory.
struct Trunk {
    TrunkFacts* facts;
    std::uint32_t* words; ///< one bit per pixel: set for pixels of the trunk
    std::uint32_t* first; ///< per level: the trunk's lowest pixel; kNoPixel if there is none
    std::uint32_t* below; ///< per level: 1 + the next lower level of the trunk, or 0

    [[nodiscard]] static constexpr std::size_t wordCount(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

    [[nodiscard]] POLLARD_DEVICE bool contains(std::size_t pixel) const {
        return (words[pixel / 32] >> (pixel % 32) & 1U) != 0;
    }
};

/// Chooses the trunk, in one block: takes the branches of a few pixels spread over the image, and chooses the branch
/// with the most pixels in a larger sample, or none if they are too few. The tree does not depend on the choice.
template <class Level, std::uint32_t kThreads_> struct ChooseTrunk {
    struct Shape {
        static constexpr std::uint32_t kThreads = kThreads_;
    };
    static constexpr std::uint32_t kCandidates = 32;
    static constexpr std::uint32_t kSamples = 2048;
    static constexpr std::uint32_t kLeastShare = 8; ///< smallest share of the pixels: one in this many

    struct Memory {
        std::uint32_t candidates[kCandidates];
        std::uint32_t counts[kCandidates];
    };

    PixelBranches<Level> branches;
    std::uint32_t pixels;
    TrunkFacts* facts;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        for (std::uint32_t c = threadOfBlock(); c < kCandidates; c += Shape::kThreads) {
            memory.candidates[c] = branchOf(c * (kSamples / kCandidates) + kSamples / kCandidates / 2);
            memory.counts[c] = 0;
        }
        meetThreads();
        for (std::uint32_t sample = threadOfBlock(); sample < kSamples; sample += Shape::kThreads) {
            const std::uint32_t branch = branchOf(sample);
            for (std::uint32_t c = 0; c < kCandidates; ++c) {
                if (memory.candidates[c] == branch) { // the first of equal candidates
                    static_cast<void>(addTo(&memory.counts[c], 1));
                    break;
                }
            }
        }
        meetThreads();
        if (threadOfBlock() == 0) {
            std::uint32_t best = 0;
            for (std::uint32_t c = 1; c < kCandidates; ++c) {
                best = memory.counts[c] > memory.counts[best] ? c : best;
            }
            facts->branch = memory.counts[best] >= kSamples / kLeastShare ? memory.candidates[best] : kNoBranch;
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE std::uint32_t branchOf(std::uint32_t sample) const {
        const auto pixel = static_cast<std::uint32_t>(std::uint64_t{pixels} * sample / kSamples);
        return branches.of(pixel, branches.image[pixel]);
    }
};

/// Separates the pixels of the trunk from the others, one block per stretch of the image. The blocks may be launched in
/// several groups: with the minima found by the first blocks, the rest saves most atomic operations.
template <class Level, std::uint32_t kThreads_> struct PartTrunk {
    using Shape = ListStretch<kThreads_>;
    struct Memory {
        std::uint32_t others; ///< count of the block
    };

    PixelBranches<Level> branches;
    std::uint32_t pixels;
    std::uint32_t firstBlock;
    Trunk trunk;
    std::uint32_t* branchOfPixel; ///< may be branches.codes
    std::uint32_t* others;        ///< per block: number of pixels of other branches

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t block = firstBlock + blockOfGrid();
        const Shape stretch(pixels, block);
        const std::uint32_t chosen = trunk.facts->branch;
        if (threadOfBlock() == 0) {
            memory.others = 0;
        }
        meetThreads();
        std::uint32_t count = 0;
        for (std::uint32_t turn = 0; turn < Shape::kTurns; ++turn) {
            const std::uint32_t first = stretch.firstOf(turn);
            const bool isTrunk = stretch.hasPlace(turn) && takes(first + stretch.lane, chosen);
            const std::uint32_t inside = ballot(stretch.hasPlace(turn));
            const std::uint32_t bits = ballot(isTrunk);
            if (stretch.lane == 0 && inside != 0) {
                trunk.words[first / Shape::kWarp] = bits;
            }
            count += countBits(inside & ~bits);
        }
        if (stretch.lane == 0) {
            static_cast<void>(addTo(&memory.others, count));
        }
        meetThreads();
        if (threadOfBlock() == 0) {
            others[block] = memory.others;
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE bool takes(std::uint32_t pixel, std::uint32_t chosen) const {
        const std::uint32_t level = branches.image[pixel];
        const std::uint32_t branch = branches.of(pixel, level);
        branchOfPixel[pixel] = branch;
        if (branch != chosen) {
            return false;
        }
        if (loadCached(&trunk.first[level]) > pixel) { // it only falls, so a stale value is safe
            lowerTo(&trunk.first[level], pixel);
        }
        return true;
    }
};

/// Prepares the levels of the trunk for the scans, and stores the number of other pixels. Returns 1 if the trunk has
/// the level. One thread per level.
struct CountTrunkLevels {
    Trunk trunk;
    const std::uint32_t* othersOfAll; ///< total after the prefix sum of PartTrunk::others
    std::uint32_t* rank;              ///< per level: 1 if the trunk has it; an exclusive sum follows

    POLLARD_DEVICE std::uint32_t operator()(std::size_t level) const {
        const bool isThere = trunk.first[level] != kNoPixel;
        trunk.below[level] = isThere ? static_cast<std::uint32_t>(level) + 1 : 0; // an exclusive running maximum
                                                                                  // follows
        rank[level] = isThere ? 1 : 0;
        if (level == 0) {
            trunk.facts->others = *othersOfAll;
        }
        return isThere ? 1 : 0;
    }
};

/// Makes the sort keys of the other pixels, in order. One block per stretch of the image.
template <class Level, std::uint32_t kThreads_> struct MakeOtherKeys {
    using Shape = ListStretch<kThreads_>;
    struct Memory {
        std::uint32_t others[Shape::kWarps];
    };

    RotatedLevels<Level> image;
    std::uint32_t pixels;
    const std::uint32_t* branchOfPixel;
    Trunk trunk;
    const std::uint32_t* before; ///< per block: number of keys of earlier blocks
    PixelKeys keys;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const Shape stretch(pixels, blockOfGrid());
        std::uint32_t count = 0;
        for (std::uint32_t turn = 0; turn < Shape::kTurns; ++turn) {
            count += countBits(othersOf(stretch, turn));
        }
        if (stretch.lane == 0) {
            memory.others[stretch.warp] = count;
        }
        meetThreads();
        std::uint32_t place = before[blockOfGrid()];
        for (std::uint32_t warp = 0; warp < stretch.warp; ++warp) {
            place += memory.others[warp];
        }
        for (std::uint32_t turn = 0; turn < Shape::kTurns; ++turn) {
            const std::uint32_t bits = othersOf(stretch, turn);
            if ((bits >> stretch.lane & 1U) != 0) {
                const std::uint32_t pixel = stretch.firstOf(turn) + stretch.lane;
                keys.set(place + countBits(bits & stretch.earlierLanes()), branchOfPixel[pixel], image[pixel], pixel);
            }
            place += countBits(bits);
        }
    }

private:
    /// Mask of the pixels of a turn that are outside the trunk.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t othersOf(const Shape& stretch, std::uint32_t turn) const {
        const std::uint32_t inside = ballot(stretch.hasPlace(turn));
        return inside != 0 ? inside & ~trunk.words[stretch.firstOf(turn) / Shape::kWarp] : 0;
    }
};

/// Links the trunk's pixels in a parent image: to the lowest pixel of their level, and that to the lowest pixel of the
/// next lower level. The lowest of all is linked to itself and stored in firstPixel. One thread per pixel.
template <class Level> struct LinkTrunk {
    RotatedLevels<Level> image;
    Trunk trunk;
    std::uint32_t lastPixel;
    std::uint32_t* parents;    ///< by image pixel, not rotated
    std::uint32_t* firstPixel; ///< per branch: image pixel, not rotated

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        if (!trunk.contains(pixel)) {
            return;
        }
        const std::uint32_t level = image[pixel];
        std::uint32_t parent = trunk.first[level];
        if (parent == pixel) {
            const std::uint32_t below = trunk.below[level];
            if (below != 0) {
                parent = trunk.first[below - 1];
            } else {
                firstPixel[trunk.facts->branch] = lastPixel - parent;
            }
        }
        parents[lastPixel - pixel] = lastPixel - parent;
    }
};

// Pass 6 for a tree: numbers the runs of the trunk after the runs of the sorted pixels.

/// Writes the trunk's runs. One thread per level.
template <class Level> struct WriteTrunkRuns {
    Trunk trunk;
    const std::uint32_t* rank; ///< per level: number of lower levels of the trunk
    std::uint32_t firstRun;
    RunTable<Level> runs;
    std::uint32_t* firstOfBranch;
    std::uint32_t* endOfBranch;

    POLLARD_DEVICE void operator()(std::size_t level) const {
        if (trunk.first[level] == kNoPixel) {
            return;
        }
        const std::uint32_t run = firstRun + rank[level];
        const std::uint32_t branch = trunk.facts->branch;
        runs.pixel[run] = trunk.first[level];
        runs.level[run] = static_cast<Level>(level);
        runs.branch[run] = branch;
        if (run == firstRun) {
            firstOfBranch[branch] = run;
            endOfBranch[branch] = run + static_cast<std::uint32_t>(trunk.facts->levels);
        }
    }
};

/// Writes the runs of the trunk's pixels. One thread per pixel.
template <class Level> struct WriteTrunkPixels {
    RotatedLevels<Level> image;
    Trunk trunk;
    const std::uint32_t* rank;
    std::uint32_t firstRun;
    std::uint32_t lastPixel;
    std::uint32_t* runOfPixel; ///< by image pixel, not rotated

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        if (trunk.contains(pixel)) {
            runOfPixel[lastPixel - pixel] = firstRun + rank[image[pixel]];
        }
    }
};

} // namespace pollard::cuda
