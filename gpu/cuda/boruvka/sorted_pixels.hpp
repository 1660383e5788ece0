#pragma once

#include "base/compiler.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Range of key bits to sort by, counted from the lowest.
struct SortedBits {
    int first;
    int end;
};

/// Layout of branch, level and pixel in the 64 bits of a sort key, from the highest to the lowest bits. If they do not
/// fit, the pixel is stored beside the key.
struct KeyLayout {
    std::uint32_t branchBits, levelBits;
    std::uint32_t pixelBits; ///< 0: the pixel is stored beside the key

    /// @param branches,pixels their numbers
    [[nodiscard]] static KeyLayout of(std::uint32_t branches, std::uint32_t levelBits, std::uint32_t pixels,
                                      bool mayPack = true) noexcept {
        const auto bits = [](std::uint32_t count) {
            return static_cast<std::uint32_t>(std::bit_width(count > 1 ? count - 1 : 1U));
        };
        const bool isPacked = mayPack && bits(branches) + levelBits + bits(pixels) <= 64;
        return {bits(branches), levelBits, isPacked ? bits(pixels) : 0};
    }
    [[nodiscard]] bool isPacked() const noexcept { return pixelBits != 0; }
    /// The bits to sort by. Keys are generated in the order of pixels, which a stable sort keeps for equal bits.
    [[nodiscard]] SortedBits sortedBits() const noexcept {
        return {static_cast<int>(pixelBits), static_cast<int>(pixelBits + levelBits + branchBits)};
    }

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t make(std::uint32_t branch, std::uint32_t level,
                                                         std::uint32_t pixel) const noexcept {
        const std::uint64_t node = std::uint64_t{branch} << levelBits | level;
        return node << pixelBits | (pixelBits != 0 ? pixel : 0U);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t branch(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key >> (levelBits + pixelBits));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t level(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key >> pixelBits) & ((1U << levelBits) - 1);
    }
};

/// All pixels ordered by branch, level, number. A *run* is the pixels of one branch and level.
struct SortedPixels {
    const std::uint64_t* keys;
    const std::uint32_t* pixels; ///< nullptr if the keys hold them
    KeyLayout layout;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixel(std::size_t k) const noexcept {
        return pixels != nullptr ? pixels[k]
                                 : static_cast<std::uint32_t>(keys[k] & ((std::uint64_t{1} << layout.pixelBits) - 1));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t branch(std::size_t k) const noexcept {
        return layout.branch(keys[k]);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t level(std::size_t k) const noexcept {
        return layout.level(keys[k]);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool startsBranch(std::size_t k) const noexcept {
        return k == 0 || branch(k) != branch(k - 1);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool startsRun(std::size_t k) const noexcept {
        return k == 0 || !isSameRun(k, k - 1);
    }
    /// First place of the run of place @p k, by exponential and then binary search: at most two reads per bit of the
    /// run's length.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t startOfRun(std::uint32_t k) const noexcept {
        std::uint32_t end = k; // in the run
        std::uint32_t step = 1;
        while (step <= end && isSameRun(end - step, k)) {
            end -= step;
            step *= 2;
        }
        std::uint32_t start = step <= end ? end - step + 1 : 0; // not after the run's start
        while (start < end) {
            const std::uint32_t middle = start + (end - start) / 2;
            if (isSameRun(middle, k)) {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        return end;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isSameRun(std::size_t one, std::size_t other) const noexcept {
        return (keys[one] ^ keys[other]) >> layout.pixelBits == 0;
    }
};
static_assert(std::is_trivially_copyable_v<SortedPixels>);

// Pass 4: the sort keys of all pixels.

/// The branch of a pixel: starts at the branch known in its tile and follows at most one link per round of pass 3
/// through the frozen components.
template <class Level> struct PixelBranches {
    RotatedLevels<Level> image;
    const std::uint32_t* codes;
    FrozenComponents components;
    std::uint32_t frozenCount;

    [[nodiscard]] POLLARD_DEVICE std::uint32_t of(std::uint32_t pixel, std::uint32_t level) const {
        const std::uint32_t code = codes[pixel];
        if ((code & BranchCode::kFrozenBit) == 0) {
            return frozenCount + code;
        }
        std::uint32_t branch = code & ~BranchCode::kFrozenBit;
        const std::uint64_t height = pixelKey(level, pixel);
        std::uint64_t hook = components.hook[branch];
        while (hook != EdgeKey::kNone && EdgeKey::reaches(hook, height)) {
            branch = components.joined[branch];
            hook = components.hook[branch];
        }
        return branch;
    }
};

/// Writes sort keys.
struct PixelKeys {
    KeyLayout layout;
    std::uint64_t* keys;
    std::uint32_t* pixels; ///< nullptr if the layout is packed

    POLLARD_DEVICE void set(std::size_t place, std::uint32_t branch, std::uint32_t level, std::uint32_t pixel) const {
        keys[place] = layout.make(branch, level, pixel);
        if (pixels != nullptr) {
            pixels[place] = pixel;
        }
    }
};

/// Makes the sort keys of all pixels. One thread per pixel.
template <class Level> struct MakeKeys {
    PixelBranches<Level> branches;
    PixelKeys keys;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto pixel = static_cast<std::uint32_t>(i);
        const std::uint32_t level = branches.image[i];
        keys.set(i, branches.of(pixel, level), level, pixel);
    }
};

// Pass 6: the runs of the sorted pixels, in order. A run stands for a node, and its first pixel is the canonical one.
// The lowest run of a branch is only an *alias* if the saddle at which the branch ends has the same level: its pixels
// belong to the node of the saddle.

constexpr std::uint32_t kNoRun = 0xffff'ffff;

/// Arrays per run.
template <class Level> struct RunTable {
    std::uint32_t* pixel; ///< the first one
    Level* level;
    std::uint32_t* branch;
};

/// Arrays per branch. Branches that lost all their pixels to others have no run.
struct BranchTable {
    std::uint32_t* first;  ///< its lowest run; kNoRun if there is none
    std::uint32_t* end;    ///< one past its highest run
    std::uint32_t* saddle; ///< run of the saddle at which its lowest run meets other branches; kNoRun for the root
    std::uint8_t* isAlias; ///< whether its lowest run is an alias
    std::uint32_t* attach; ///< the run, not an alias, to which its lowest run is attached or belongs; kNoRun for the
                           ///< root

    /// The lowest run that is a node; end[b] if there is none.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t lowest(std::uint32_t b) const noexcept {
        return first[b] + isAlias[b];
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isAliasRun(std::uint32_t run, std::uint32_t b) const noexcept {
        return isAlias[b] != 0 && run == first[b];
    }
};

/// 1 at the start of a run; the inclusive sum numbers the runs from 1.
struct StartsRun {
    SortedPixels sorted;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::uint32_t k) const noexcept {
        return sorted.startsRun(k) ? 1 : 0;
    }
};

/// Writes the run of each pixel, the table of runs and the ends of the branches. One thread per place.
template <class Level> struct WriteRuns {
    SortedPixels sorted;
    const std::uint32_t* runsUpTo; ///< per place: inclusive sum of StartsRun
    std::uint32_t lastPlace;
    std::uint32_t lastPixel;
    std::uint32_t* runOfPixel; ///< by image pixel, not rotated
    RunTable<Level> runs;
    std::uint32_t* firstOfBranch; ///< kNoRun at the start
    std::uint32_t* endOfBranch;

    POLLARD_DEVICE void operator()(std::size_t k) const {
        const std::uint32_t run = runsUpTo[k] - 1;
        const std::uint32_t pixel = sorted.pixel(k);
        const std::uint32_t branch = sorted.branch(k);
        runOfPixel[lastPixel - pixel] = run;
        if (sorted.startsRun(k)) {
            runs.pixel[run] = pixel;
            runs.level[run] = static_cast<Level>(sorted.level(k));
            runs.branch[run] = branch;
            if (sorted.startsBranch(k)) {
                firstOfBranch[branch] = run;
            }
        }
        if (k == lastPlace || sorted.branch(k + 1) != branch) {
            endOfBranch[branch] = run + 1;
        }
    }
};

// Pass 7: attaches the branches to each other.

/// Finds the run of each branch's saddle. Returns 1 if the branch's lowest run is an alias. One thread per branch.
template <class Level> struct LinkBranches {
    RunTable<Level> runs;
    const std::uint32_t* runOfPixel; ///< by image pixel, not rotated
    std::uint32_t lastPixel;
    const std::uint64_t* frozenHook;
    const std::uint32_t* closedSaddles;
    std::uint32_t frozenCount;
    BranchTable branches;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t b) const {
        const std::uint32_t first = branches.first[b];
        const bool isFrozen = b < frozenCount;
        branches.isAlias[b] = 0;
        branches.saddle[b] = kNoRun;
        if (first == kNoRun || (isFrozen && frozenHook[b] == EdgeKey::kNone)) {
            return 0;
        }
        const std::uint32_t pixel = isFrozen ? EdgeKey::saddle(frozenHook[b]) : closedSaddles[b - frozenCount];
        const std::uint32_t run = runOfPixel[lastPixel - pixel];
        branches.saddle[b] = run;
        const std::uint32_t isAlias = runs.level[run] == runs.level[first] ? 1 : 0;
        branches.isAlias[b] = static_cast<std::uint8_t>(isAlias);
        return isAlias;
    }
};

/// Follows chains of aliases to a run that is a node. One thread per branch; the tree of branches is shallow.
struct AttachBranches {
    const std::uint32_t* branchOfRun;
    BranchTable branches;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        std::uint32_t run = branches.saddle[b];
        while (run != kNoRun) {
            const std::uint32_t branch = branchOfRun[run];
            if (!branches.isAliasRun(run, branch)) {
                break;
            }
            run = branches.saddle[branch];
        }
        branches.attach[b] = run;
    }
};

} // namespace pollard::cuda
