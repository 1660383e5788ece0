#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/rims/rim_forest.hpp"
#include "cuda/rims/rim_tile.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Pass 2: joins the rims along all edges between tiles, with any number of threads.
template <class Level, class Shape> struct JoinRims {
    LevelView<Level> image;
    std::uint32_t width; ///< of the image, px
    std::uint32_t tileColumns;
    const RimEdge* edges;
    const RimCounts* counts;
    const std::uint16_t* codes;
    const std::uint32_t* firstSlot;
    RimLinks links;
    const volatile std::uint32_t* stop; ///< see StopFlag; once nonzero, the remaining edges are left out

    POLLARD_DEVICE void operator()(std::uint32_t thread, std::uint32_t threads) const {
        // Steps between two reads of the stop flag over the bus: some hundred microseconds.
        constexpr std::uint32_t kTurnsPerLook = 1024;
        const std::uint32_t end = counts->edges;
        std::uint64_t next = thread;
        RimJoin join;
        for (std::uint32_t turn = 1;; ++turn) {
            if (turn % kTurnsPerLook == 0 && *stop != 0) {
                return;
            }
            if (!join.active()) {
                if (next >= end) {
                    return;
                }
                const RimEdge edge = edges[next];
                next += threads;
                join.start(links, recordOf(edge.one), recordOf(edge.other));
            }
            join.step(links);
        }
    }

private:
    /// Record of the slot of a pixel's node, which must have one.
    [[nodiscard]] POLLARD_DEVICE SlotRecord::Word recordOf(std::uint32_t pixel) const {
        const std::uint32_t tile = pixel / width / Shape::kHeight * tileColumns + pixel % width / Shape::kWidth;
        return SlotRecord::make(image[pixel], firstSlot[tile] + (codes[pixel] & RimCode::kPayload));
    }
};

/// Pass 3, one thread per slot: links the slot to the root of its level, and raises the root's canonical pixel to the
/// last pixel of all its slots. A root keeps its link to the parent node.
template <class Level> struct SettleRims {
    RimForest<Level> forest;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        using Record = SlotRecord;
        const auto slot = static_cast<std::uint32_t>(i);
        const Record::Word own = Record::make(forest.levels[slot], slot);
        Record::Word node = own;
        Record::Word parent = loadFresh(forest.links + slot);
        while (parent != Record::kNone && Record::level(parent) == Record::level(own)) {
            const Record::Word further = loadFresh(forest.links + Record::slot(parent));
            if (further != Record::kNone && Record::level(further) == Record::level(own)) {
                lowerTo(forest.links + Record::slot(node), further); // minimum: never undoes the final link stored by
                                                                     // the node's own thread
            }
            node = parent;
            parent = further;
        }
        if (node != own) {
            storeFresh(forest.links + slot, node);
            raiseTo(forest.canonical + Record::slot(node), forest.parents[slot]);
        }
    }
};

/// Pass 4, one thread per slot: writes the parent of the slot's last pixel and, in slots that are not roots, the
/// canonical pixel of the node.
template <class Level> struct NameRims {
    RimForest<Level> forest;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        using Record = SlotRecord;
        const auto slot = static_cast<std::uint32_t>(i);
        const Record::Word link = forest.links[slot];
        if (link == Record::kNone) {
            forest.parents[slot] = forest.canonical[slot]; // the root of the tree
            return;
        }
        const std::uint32_t to = rootOf(Record::slot(link));
        if (Record::level(link) == forest.levels[slot]) {
            const std::uint32_t canonical = loadFresh(forest.canonical + to);
            const std::uint32_t own = forest.parents[slot];
            forest.parents[slot] = canonical != own ? canonical : parentOfNode(to);
            storeFresh(forest.canonical + slot, canonical); // not a root: no other thread reads it
            return;
        }
        const std::uint32_t canonical = loadFresh(forest.canonical + slot);
        forest.parents[slot] = canonical != forest.parents[slot] ? canonical : loadFresh(forest.canonical + to);
    }

private:
    /// The root of the level of a slot.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t rootOf(std::uint32_t slot) const {
        const SlotRecord::Word link = forest.links[slot];
        return link != SlotRecord::kNone && SlotRecord::level(link) == forest.levels[slot] ? SlotRecord::slot(link)
                                                                                           : slot;
    }
    /// The canonical pixel of the parent of a root's node; for the root of the tree, its own.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t parentOfNode(std::uint32_t root) const {
        const SlotRecord::Word link = forest.links[root];
        return loadFresh(forest.canonical + (link == SlotRecord::kNone ? root : rootOf(SlotRecord::slot(link))));
    }
};

/// Pass 5, one block per tile: writes the canonical parent image.
template <class Level, class Shape_> struct WriteRimParents {
    using Shape = Shape_;
    struct Memory {};

    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    const std::uint16_t* codes;
    const std::uint32_t* firstSlot;
    RimForest<Level> forest;
    std::uint32_t* parents; ///< per pixel

    POLLARD_DEVICE void operator()(Memory&) const {
        constexpr std::uint32_t kBatch = Shape::kStripHeight < 8 ? Shape::kStripHeight : 8;
        const std::uint32_t left = blockOfGrid() % tileColumns * Shape::kWidth;
        const std::uint32_t top = blockOfGrid() / tileColumns * Shape::kHeight;
        const std::uint32_t x = left + threadOfBlock() % Shape::kWidth;
        if (x >= width) {
            return;
        }
        const std::uint32_t corner = top * width + left;
        const std::uint32_t slots = firstSlot[blockOfGrid()];
        const std::uint32_t begin = top + threadOfBlock() / Shape::kWidth * Shape::kStripHeight;
        const std::uint32_t end = begin + Shape::kStripHeight < height ? begin + Shape::kStripHeight : height;
        for (std::uint32_t first = begin; first < end; first += kBatch) {
            std::uint16_t batch[kBatch] = {}; // several loads in flight
            for (std::uint32_t k = 0; k < kBatch; ++k) {
                if (first + k < end) {
                    batch[k] = codes[(first + k) * width + x];
                }
            }
            for (std::uint32_t k = 0; k < kBatch; ++k) {
                if (first + k < end) {
                    parents[(first + k) * width + x] = parentOf(batch[k], corner, slots);
                }
            }
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE std::uint32_t parentOf(std::uint32_t code, std::uint32_t corner,
                                                        std::uint32_t slots) const {
        const std::uint32_t payload = code & RimCode::kPayload;
        if ((code & RimCode::kSlot) == 0) {
            return corner + payload / Shape::kWidth * width + payload % Shape::kWidth;
        }
        return (code & RimCode::kOwnSlot) != 0 ? forest.parents[slots + payload] : forest.canonical[slots + payload];
    }
};

} // namespace pollard::cuda
