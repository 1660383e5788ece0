#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cpu/tile_grid.hpp"
#include "cpu/tile_tree.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::cpu {

/// Merge tree of an image as links between branches: a branch joins one of higher priority at its saddle level (the
/// triplet of Smirnov and Morozov, "Triplet merge trees", 2017, with pseudo-random priorities instead of the order of
/// the maxima, so that chains stay short for any image).
///
/// connect() is lock-free and may run on many threads at once. For any interleaving, representative() returns the same
/// results afterwards: the branch of highest priority among those connected at a level.
class BranchForest {
public:
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    BranchForest() = default;
    explicit BranchForest(std::size_t branches) : links_(branches), priorities_(branches) {}

    [[nodiscard]] std::size_t size() const noexcept { return links_.size(); }

    /// Initialises a branch; @p saddlePlusOne is 0 if the branch joins no other yet.
    void set(std::uint32_t branch, std::uint32_t priority, std::uint32_t saddlePlusOne, std::uint32_t into) noexcept {
        priorities_[branch] = priority;
        links_[branch] = pack(saddlePlusOne, into);
    }

    /// Level at which the branch ends, plus one; 0 for the root's branch.
    [[nodiscard]] std::uint32_t saddlePlusOne(std::uint32_t branch) const noexcept { return saddleOf(load(branch)); }
    [[nodiscard]] std::uint32_t into(std::uint32_t branch) const noexcept { return intoOf(load(branch)); }

    /// The branch of the highest priority in the component that contains @p branch at @p level.
    [[nodiscard]] std::uint32_t representative(std::uint32_t branch, std::uint32_t level) const noexcept {
        std::uint64_t link = load(branch);
        while (saddleOf(link) > level) {
            branch = intoOf(link);
            link = load(branch);
        }
        return branch;
    }

    /// Connects branches @p a and @p b at @p level and below.
    void connect(std::uint32_t a, std::uint32_t b, std::uint32_t level) noexcept {
        while (true) {
            a = representative(a, level);
            b = representative(b, level);
            if (a == b) {
                return;
            }
            if (priorities_[a] > priorities_[b]) {
                std::swap(a, b);
            }
            std::uint64_t old = load(a);
            if (saddleOf(old) > level) {
                continue; // another thread has linked a meanwhile
            }
            if (!std::atomic_ref(links_[a]).compare_exchange_strong(old, pack(level + 1, b),
                                                                    std::memory_order_acq_rel)) {
                continue;
            }
            if (saddleOf(old) == 0) {
                return;
            }
            // The replaced link implies that b's component joins another one further down.
            a = intoOf(old);
            level = saddleOf(old) - 1;
        }
    }

private:
    static std::uint64_t pack(std::uint32_t saddlePlusOne, std::uint32_t into) noexcept {
        return std::uint64_t{saddlePlusOne} << 32 | into;
    }
    static std::uint32_t saddleOf(std::uint64_t link) noexcept { return static_cast<std::uint32_t>(link >> 32); }
    static std::uint32_t intoOf(std::uint64_t link) noexcept { return static_cast<std::uint32_t>(link); }

    std::uint64_t load(std::uint32_t branch) const noexcept {
        // In C++20 atomic_ref does not accept const; a load does not modify.
        return std::atomic_ref(const_cast<std::uint64_t&>(links_[branch])).load(std::memory_order_acquire);
    }

    Buffer<std::uint64_t> links_;
    Buffer<std::uint32_t> priorities_;
};

/// The tile trees of a whole image, with their seams joined. Branches and runs depend on several tiles; islands or
/// links (see TileTree) on one.
struct BranchRuns {
    TileGrid grid;
    BranchForest forest;
    Buffer<std::uint32_t> placeOfPixel;       ///< per pixel: run in its tile or, offset by the number of runs, node
    std::vector<std::uint32_t> branchBase;    ///< per tile: index of its first branch; then the total
    std::vector<std::uint32_t> runBase;       ///< per tile: index of its first run; then the total
    std::vector<std::vector<TileRun>> runs;   ///< per tile; levels as in the tree (flipped for a min-tree)
    std::vector<std::uint32_t> islandBase;    ///< per tile: index of its first island; then the total
    std::vector<std::vector<TileNode>> nodes; ///< per tile: nodes of its islands
    std::size_t nodeCount = 0;                ///< over all tiles
    Buffer<TileIsland> islands;
    std::vector<std::vector<TileLink>> links; ///< per tile
};

/// Form of the components that touch no seam.
enum class TileParts : std::uint8_t { islands, links };

/// Stage 1: the tree of every tile, in parallel.
[[nodiscard]] BranchRuns buildTileTrees(const Image& image, const TreeSpec& spec, TileParts parts,
                                        const JobControl& control);

/// Stage 2: joins the branches of neighbouring tiles, in parallel.
void joinSeams(BranchRuns& runs, const Image& image, const TreeSpec& spec, const JobControl& control);

} // namespace pollard::cpu
