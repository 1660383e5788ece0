#pragma once

#include "cuda/components/block_sum.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/part_sums.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Mask, runs and components of a strip of several rows for pass 7, which reads them repeatedly and in dependent
/// chains. In global memory, or copied to shared memory.
struct StripView {
    const std::uint32_t* words;      ///< of the mask, from the strip's first row; the row above precedes it
    const std::uint32_t* firstRuns;  ///< per word of the strip, without padding, see StripState
    const std::uint16_t* components; ///< per run of the strip; the number of entries is a multiple of four
    std::uint32_t stride;            ///< words between the starts of two rows of the mask
    bool hasAbove;                   ///< whether there is a row above

    /// The strip in global memory.
    [[nodiscard]] POLLARD_DEVICE static StripView of(const StripState<std::uint16_t>& state, std::uint32_t strip) {
        const std::uint32_t top = strip << state.rowBits;
        return {state.mask.words + top * state.mask.stride(), state.firstRuns + state.wordAt(0, top),
                state.components + std::size_t{strip} * state.runsOfStrip,
                static_cast<std::uint32_t>(state.mask.stride()), top != 0};
    }

    /// Words of shared memory for a copy, a multiple of four.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t copyWords(std::uint32_t stride, std::uint32_t wordsOfRow,
                                                                   std::uint32_t rows, std::uint32_t runs) {
        return wordsOfMask(stride, rows) + wordsOfFirstRuns(wordsOfRow, rows) + (std::size_t{runs} + 7) / 8 * 4;
    }

    /// Starts a copy with all threads of the block; it is complete after each thread has called awaitCopies() and a
    /// barrier.
    /// @param to copyWords() words, aligned to 16 bytes
    /// @param rows,runs of the strip
    [[nodiscard]] POLLARD_DEVICE StripView copied(std::uint32_t* to, std::uint32_t wordsOfRow, std::uint32_t rows,
                                                  std::uint32_t runs, std::uint32_t threads) const {
        std::uint32_t* const mask = to;
        std::uint32_t* const numbers = mask + wordsOfMask(stride, rows);
        auto* const own = reinterpret_cast<std::uint16_t*>(numbers + wordsOfFirstRuns(wordsOfRow, rows));
        const std::uint32_t above = hasAbove ? stride : 0;
        const std::uint32_t* const from = words - above;
        for (std::uint32_t i = 2 * threadOfBlock(); i < rows * stride + above; i += 2 * threads) {
            copyAhead<8>(mask + i, from + i);
        }
        for (std::uint32_t i = threadOfBlock(); i < rows * wordsOfRow; i += threads) {
            copyAhead<4>(numbers + i, firstRuns + i);
        }
        for (std::uint32_t i = 4 * threadOfBlock(); i < runs; i += 4 * threads) {
            copyAhead<8>(own + i, components + i);
        }
        return {mask + above, numbers, own, stride, hasAbove};
    }

    /// Pixels of a row of the strip.
    [[nodiscard]] POLLARD_DEVICE RowWord at(std::uint32_t x, std::uint32_t row) const {
        const std::uint32_t* const word = words + (row * stride + x);
        return {*word, x == 0 ? 0 : *(word - 1)};
    }
    /// Pixels of the row above it.
    [[nodiscard]] POLLARD_DEVICE RowWord above(std::uint32_t x, std::uint32_t row) const {
        if (row == 0 && !hasAbove) {
            return {0, 0};
        }
        const std::uint32_t* const word = words + (row * stride + x) - stride;
        return {*word, x == 0 ? 0 : *(word - 1)};
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t wordsOfMask(std::uint32_t stride, std::uint32_t rows) {
        return (std::size_t{stride} * (rows + 1) + 3) / 4 * 4;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t wordsOfFirstRuns(std::uint32_t wordsOfRow,
                                                                          std::uint32_t rows) {
        return (std::size_t{wordsOfRow} * rows + 3) / 4 * 4;
    }
};

/// Pass 7 for strips of several rows, one block or more per strip: measures the strip's components, as many at a time
/// as shared memory allows. The pieces of their runs are sorted by component in shared memory; then one thread sums the
/// pieces of a component, or one warp if there are many, and writes its record. Parts of one object in the strip are
/// merged into one component first, and listed unless the part is the first of its object. The largest component is
/// not sorted but summed while its pieces are found, since all threads would contend for places in its list. Grey
/// levels are read piece by piece. The strip's data are copied to shared memory first, unless that costs additional
/// rounds.
/// @tparam Level pixel type of the grey image, or void if there is none
template <bool kEight, class Level> struct MeasureStrips {
    using Part = StripPart;
    using Levels = StripLevels<Level>;

    StripState<std::uint16_t> state;
    StripMeasures<Part> to;
    Levels levels;
    std::uint32_t few;    ///< most pieces summed by one thread, at least 9
    std::uint32_t large;  ///< pieces above which the largest component is not sorted; at least few
    std::uint32_t shares; ///< blocks per strip, each with a share of the components; more where there are few strips
    std::uint32_t words;  ///< of shared memory: the need of a strip, or the available amount

    [[nodiscard]] static MeasureStrips of(const StripState<std::uint16_t>& state, const StripMeasures<Part>& to,
                                          const Level* grey, const StripTuning& tuning) {
        const std::size_t fixed =
            kFixedWords + sortingWords(state.wordsOfRow << state.rowBits, state.runsOfStrip, to.slotBits);
        const std::size_t copy = StripView::copyWords(static_cast<std::uint32_t>(state.mask.stride()), state.wordsOfRow,
                                                      state.rows(), state.runsOfStrip);
        const std::size_t words = std::clamp(tuning.sharedBytes / 4, fixed + kLeastComponents * kComponentWords,
                                             fixed + copy + std::size_t{state.runsOfStrip} * kComponentWords);
        const Levels levels{grey, state.mask.width};
        const std::uint32_t shares = (tuning.measureBlocks + state.strips - 1) / state.strips;
        return {state, to, levels, tuning.fewPieces, tuning.largePieces, shares, static_cast<std::uint32_t>(words)};
    }
    [[nodiscard]] std::uint32_t blocks() const { return state.strips * shares; }
    /// Shared memory of a block.
    [[nodiscard]] std::size_t bytes() const { return std::size_t{4} * words; }

    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        const std::uint32_t strip = blockOfGrid() / shares;
        const std::uint32_t components = state.counts[strip].components;
        const std::uint32_t runs = state.counts[strip].runs;
        if (!to.room.holds(*to.totals)) {
            return; // the predicted capacity is too small: measured again later
        }
        const std::uint32_t share = ((components + shares - 1) / shares + kAtOnce - 1) / kAtOnce * kAtOnce;
        const std::uint32_t first = blockOfGrid() % shares * share;
        const std::uint32_t end = first + share < components ? first + share : components;
        if (first >= end) {
            return;
        }
        SharedArrays work;
        const std::uint32_t atOnce = layOutMemory(work, memory, strip, runs, end - first);
        for (std::uint32_t begin = first; begin < end; begin += atOnce) {
            const std::uint32_t left = end - begin;
            const Range range{strip, begin, left < atOnce ? left : atOnce, strip * state.runsOfStrip + begin};
            findOwners(range, work);
            countPieces(range, runs, work);
            const Order order = orderComponents(range, work);
            meetThreads();
            const Sums ofLargest = sortPieces(range, work);
            const bool hasLargest = *work.largest != 0;
            if (hasLargest) {
                const Sums ofWarp = ofLargest.ofWarp();
                if (threadOfBlock() % 32 == 0) {
                    work.partial[threadOfBlock() / 32] = ofWarp;
                }
            }
            meetThreads();
            measureMany(range, order, work); // takes longest
            measureFew(range, order.few, work);
            if (hasLargest && threadOfBlock() / 32 == 0) {
                const bool mine = threadOfBlock() < state.threads / 32;
                const Sums sums = (mine ? work.partial[threadOfBlock()] : Sums{}).ofWarp();
                const std::uint32_t k = largestOf(work);
                write(range, k, threadOfBlock() == 0 ? state.labels[range.firstNode + k] : 0, sums, work);
            }
            meetThreads();
        }
    }

private:
    /// Sums of pieces.
    struct Sums {
        PartSums shape;
        typename Levels::Sums levels;

        /// Sum over the threads of the warp; all threads call it.
        [[nodiscard]] POLLARD_DEVICE Sums ofWarp() const { return {shape.ofWarp(), levels.ofWarp()}; }
    };

    static constexpr std::size_t kMostWarps = 32;
    static constexpr std::size_t kSums = 4; ///< block sums computed at once
    static constexpr std::size_t kFixedWords =
        4 + std::max<std::size_t>(kSums * kBlockSumWords, kMostWarps * sizeof(Sums) / sizeof(std::uint32_t));
    static constexpr std::uint32_t kComponentWords = 2;
    static constexpr std::uint32_t kAtOnce = 4; ///< nodes per thread, loaded together
    static constexpr std::uint32_t kLeastComponents = kAtOnce;
    static constexpr std::uint16_t kPlace = 0x8000; ///< at first: the owner is given by its place in PartSlots
    static constexpr std::uint16_t kOther = 0x8000; ///< later: the component is not the first part of its object
    static constexpr std::uint32_t kAlone = 0x7fff; ///< instead of a place: no place was free
    static constexpr std::uint32_t kGroups = 6;     ///< groups of components by number of pieces

    /// Components that are measured in one round.
    struct Range {
        std::uint32_t strip;
        std::uint32_t begin; ///< in the strip
        std::uint32_t count;
        std::uint32_t firstNode;
    };

    /// Pointers into shared memory.
    struct SharedArrays {
        std::uint32_t* scratch; ///< for block sums; shares memory with `partial`
        std::uint32_t* largest; ///< if the largest component is not sorted, its pieces in the upper half and its number
                                ///< in the lower half; else 0
        std::uint32_t* place;   ///< list index of the next part
        std::uint32_t* taken;   ///< batches of components taken by warps in measureFew()
        Sums* partial;          ///< of the largest component, one per warp
        std::uint32_t* pieces;  ///< packed; used as PartSlots before
        std::uint32_t* ends;    ///< per component: number of its pieces, then the start of its list, finally the end
        std::uint16_t* owners;  ///< per component: the component that owns its pieces
        std::uint16_t* order;   ///< components by groups
        StripView view;         ///< of the strip
    };

    /// Sizes in SharedArrays::order.
    struct Order {
        std::uint32_t few; ///< components measured by one thread each
        std::uint32_t all;
    };

    /// Lays out the shared memory. @param wanted number of components, of a strip with @p runs runs
    /// @return components measured per round
    [[nodiscard]] POLLARD_DEVICE std::uint32_t layOutMemory(SharedArrays& work, std::uint32_t* memory,
                                                            std::uint32_t strip, std::uint32_t runs,
                                                            std::uint32_t wanted) const {
        const std::uint32_t rows = state.rowsOf(strip);
        const auto sorting = static_cast<std::uint32_t>(sortingWords(state.wordsOfRow * rows, runs, to.slotBits));
        work.largest = memory;
        work.place = memory + 1;
        work.taken = memory + 2;
        work.scratch = memory + 4;
        work.partial = reinterpret_cast<Sums*>(memory + 4);
        work.pieces = memory + kFixedWords;
        work.ends = work.pieces + sorting;
        work.view = StripView::of(state, strip);
        const std::uint32_t left = words - static_cast<std::uint32_t>(kFixedWords) - sorting;
        const auto copy =
            static_cast<std::uint32_t>(StripView::copyWords(work.view.stride, state.wordsOfRow, rows, runs));
        std::uint32_t atOnce = roomFor(left);
        const std::uint32_t beside = copy < left ? roomFor(left - copy) : 0;
        if (beside >= wanted || beside == atOnce) {
            work.view = work.view.copied(work.ends, state.wordsOfRow, rows, runs, state.threads);
            work.ends += copy;
            atOnce = beside;
        }
        work.owners = reinterpret_cast<std::uint16_t*>(work.ends + atOnce);
        work.order = work.owners + atOnce;
        return atOnce;
    }
    /// Largest number of components for @p left words of shared memory.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t roomFor(std::uint32_t left) const {
        const std::uint32_t room = left / kComponentWords / kAtOnce * kAtOnce;
        const std::uint32_t most = to.capacity < kAtOnce ? kAtOnce : to.capacity / kAtOnce * kAtOnce;
        return room < most ? room : most;
    }

    [[nodiscard]] POLLARD_DEVICE static std::uint32_t ownerOf(std::uint32_t k, const SharedArrays& work) {
        return work.owners[k] & ~std::uint32_t{kOther};
    }

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t sortingWords(std::uint32_t words, std::uint32_t runs,
                                                                      std::uint32_t slotBits) {
        const std::size_t pieces = std::size_t{words} + runs;
        const std::size_t most = pieces < PartSlots::words(slotBits) ? PartSlots::words(slotBits) : pieces;
        return (most + 3) / 4 * 4;
    }

    /// Number of the component that is not sorted, or kNoComponent.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t largestOf(const SharedArrays& work) {
        return *work.largest == 0 ? kNoComponent : *work.largest & 0xffffU;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t columnBits() const { return RunPiece::kPlaceBits - state.rowBits; }

    [[nodiscard]] POLLARD_DEVICE std::uint32_t group(std::uint32_t pieces) const {
        constexpr std::uint32_t kMany = kGroups - 1;
        if (pieces > few) {
            return kMany;
        }
        return pieces <= 2 ? pieces - 1 : pieces <= 4 ? 2 : pieces <= 8 ? 3 : 4;
    }

    /// Finds the owner of every component. A component that is the first part of its object owns itself; among the
    /// other parts of an object in the strip, the first one that claims the label owns them all.
    POLLARD_DEVICE void findOwners(const Range& range, const SharedArrays& work) const {
        const PartSlots slots{work.pieces, to.slotBits};
        slots.clear(state.threads);
        if (threadOfBlock() == 0) {
            *work.largest = 0;
            *work.taken = 0;
        }
        meetThreads();
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            work.ends[k] = 0;
        }
        const auto* const parents = reinterpret_cast<const FourWords*>(state.parents + range.firstNode);
        const auto* const labels = reinterpret_cast<const FourWords*>(state.labels + range.firstNode);
        for (std::uint32_t first = kAtOnce * threadOfBlock(); first < range.count; first += kAtOnce * state.threads) {
            const FourWords parent = loadFour(parents + first / kAtOnce);
            const FourWords label = loadFour(labels + first / kAtOnce);
            for (std::uint32_t i = 0; i < kAtOnce && first + i < range.count; ++i) {
                const std::uint32_t k = first + i;
                std::uint32_t owner = k;
                if (parent.words[i] != range.firstNode + k) {
                    const std::uint32_t place = slots.claim(label.words[i], k);
                    owner = kPlace | (place == PartSlots::kNowhere ? kAlone : place);
                }
                work.owners[k] = static_cast<std::uint16_t>(owner);
            }
        }
        meetThreads();
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            const std::uint32_t owner = work.owners[k];
            if ((owner & kPlace) != 0) {
                const std::uint32_t place = owner & ~std::uint32_t{kPlace};
                work.owners[k] = static_cast<std::uint16_t>(kOther | (place == kAlone ? k : slots.owner(place)));
            }
        }
        awaitCopies();
        meetThreads();
    }

    POLLARD_DEVICE void countPieces(const Range& range, std::uint32_t runs, const SharedArrays& work) const {
        const StripView& view = work.view;
        const auto count = [&](std::uint32_t component) {
            const std::uint32_t k = component - range.begin;
            if (k < range.count) {
                static_cast<void>(addTo(work.ends + ownerOf(k, work), 1));
            }
        };
        // Four at once to overlap long loads; a strip has a multiple of four entries.
        for (std::uint32_t i = threadOfBlock(); 4 * i < runs; i += state.threads) {
            const FourNumbers four = loadFour(view.components + 4 * i);
            for (std::uint32_t run = 0; run < 4; ++run) {
                if (4 * i + run < runs) {
                    count(four.numbers[run]);
                }
            }
        }
        const std::uint32_t all = state.wordsOfRow * state.rowsOf(range.strip);
        for (std::uint32_t i = threadOfBlock(); i < all; i += state.threads) {
            const RowWord at = view.at(i % state.wordsOfRow, i / state.wordsOfRow);
            if ((at.word & at.left >> 31U & 1U) != 0) { // a run continues from the previous word
                count(view.components[view.firstRuns[i] - 1]);
            }
        }
        meetThreads();
    }

    /// Finds the largest component, the start of each list of pieces, and the order of components by groups.
    [[nodiscard]] POLLARD_DEVICE Order orderComponents(const Range& range, const SharedArrays& work) const {
        const std::uint32_t share = ((range.count + state.threads - 1) / state.threads) | 1U; // odd, to avoid bank
                                                                                              // conflicts
        const std::uint32_t first = threadOfBlock() * share;
        const std::uint32_t end = first + share < range.count ? first + share : range.count;
        std::uint32_t pieces = 0;                // in the upper half, the number of parts to be listed
        std::uint32_t grouped[kGroups / 2] = {}; // counts, two groups per word
        for (std::uint32_t k = first; k < end; ++k) {
            const std::uint32_t own = work.ends[k];
            pieces += own != 0 && isOther(k, work) ? 1U << 16U | own : own;
            if (own > large) {
                raiseTo(work.largest, own << 16U | k);
            }
            for (std::uint32_t pair = 0; pair < kGroups / 2; ++pair) {
                grouped[pair] += own == 0 || group(own) / 2 != pair ? 0 : 1U << (group(own) % 2 * 16);
            }
        }
        static_assert(kGroups == 6);
        const std::uint32_t values[] = {pieces, grouped[0], grouped[1], grouped[2]};
        const auto sums = sumsOfEarlierThreads(values, state.threads, work.scratch);
        if (threadOfBlock() == 0) { // one atomic per block avoids contention on the counter
            *work.place = addTo(to.partCount, sums.of[0].all >> 16U);
        }
        std::uint32_t next[kGroups]; // indices in the order
        std::uint32_t all = 0;
        Order order{};
        for (std::uint32_t pair = 0; pair < kGroups / 2; ++pair) {
            const BlockSum& sum = sums.of[pair + 1];
            next[2 * pair] = all + (sum.before & 0xffffU);
            all += sum.all & 0xffffU;
            order.few = all; // after the last pair: all but the last group
            next[2 * pair + 1] = all + (sum.before >> 16U);
            all += sum.all >> 16U;
        }
        order.all = all;
        const std::uint32_t largest = largestOf(work);
        std::uint32_t place = sums.of[0].before & 0xffffU;
        for (std::uint32_t k = first; k < end; ++k) {
            const std::uint32_t own = work.ends[k];
            work.ends[k] = k == largest ? place + own : place; // no pieces are added to the largest's list
            place += own;
            for (std::uint32_t g = 0; g < kGroups; ++g) {
                if (own != 0 && group(own) == g) {
                    work.order[next[g]++] = static_cast<std::uint16_t>(k);
                }
            }
        }
        return order;
    }

    /// Puts each piece into the list of its component. @return this thread's sums of the largest one
    [[nodiscard]] POLLARD_DEVICE Sums sortPieces(const Range& range, const SharedArrays& work) const {
        const std::uint32_t largest = largestOf(work);
        const StripView& view = work.view;
        const std::uint32_t all = state.wordsOfRow * state.rowsOf(range.strip);
        const std::uint32_t top = range.strip << state.rowBits;
        Sums ofLargest;
        for (std::uint32_t i = threadOfBlock(); i < all; i += state.threads) {
            const std::uint32_t row = i / state.wordsOfRow;
            const std::uint32_t x = i % state.wordsOfRow;
            const RowWord lower = view.at(x, row);
            if (lower.word == 0) {
                continue;
            }
            const RowWord upper = view.above(x, row);
            const RowContacts contacts = contactsOf<kEight>(lower, upper);
            // With 8-connectivity a run that ends with the word may touch one that starts with the next.
            const bool touchesNext = kEight && (lower.word & ~upper.word) >> 31U != 0 && x + 1 < state.wordsOfRow &&
                                     (view.at(x + 1, row).word & 1U) == 0 && (view.above(x + 1, row).word & 1U) != 0;
            std::uint32_t run = view.firstRuns[i] - 1 + (contacts.lowerStarts & lower.word & (0U - lower.word) ? 1 : 0);
            std::uint32_t next = view.components[run]; // long load, issued one run loaded
            for (std::uint32_t left = lower.word; left != 0;) {
                const auto bit = static_cast<std::uint32_t>(lowestBit(left));
                const std::uint32_t pixels = firstRunOf(left);
                left &= ~pixels;
                const std::uint32_t k = next - range.begin;
                next = left != 0 ? view.components[++run] : 0;
                if (k >= range.count) {
                    continue;
                }
                const std::uint32_t touched = contacts.all & (kEight ? pixels | pixels << 1U : pixels);
                const RunPiece piece{row,
                                     32 * x + bit,
                                     countBits(pixels),
                                     contacts.lowerStarts >> bit & 1U,
                                     countBits(upper.word & pixels),
                                     countBits(touched) + (touchesNext && pixels >> 31U != 0 ? 1U : 0U)};
                const std::uint32_t owner = ownerOf(k, work);
                if (owner == largest) {
                    add(ofLargest, piece, top);
                } else {
                    work.pieces[addTo(work.ends + owner, 1)] = piece.packed(columnBits());
                }
            }
        }
        return ofLargest;
    }

    POLLARD_DEVICE void add(Sums& sums, const RunPiece& piece, std::uint32_t top) const {
        sums.shape.add(piece);
        levels.add(sums.levels, piece, top, levels.loadFirst(piece, top));
    }

    /// Sums every @p step-th piece of a sorted component, from @p from.
    [[nodiscard]] POLLARD_DEVICE Sums sumOf(const Range& range, std::uint32_t k, std::uint32_t from, std::uint32_t step,
                                            const SharedArrays& work) const {
        const std::uint32_t top = range.strip << state.rowBits;
        Sums sums;
        const std::uint32_t end = work.ends[k];
        std::uint32_t i = (k == 0 ? 0 : work.ends[k - 1]) + from;
        if (i >= end) {
            return sums;
        }
        RunPiece piece = RunPiece::unpacked(work.pieces[i], columnBits());
        auto loaded = levels.loadFirst(piece, top);
        while ((i += step) < end) { // loads the levels of a piece while it adds the previous ones
            const RunPiece next = RunPiece::unpacked(work.pieces[i], columnBits());
            const auto nextLoaded = levels.loadFirst(next, top);
            sums.shape.add(piece);
            levels.add(sums.levels, piece, top, loaded);
            piece = next;
            loaded = nextLoaded;
        }
        sums.shape.add(piece);
        levels.add(sums.levels, piece, top, loaded);
        return sums;
    }

    /// Next component of a thread.
    struct Task {
        std::uint32_t component;
        std::uint32_t label; ///< 0: none
    };

    /// Assigns the next components to the warp, those with the most pieces first.
    /// @param count number of components
    /// @return whether there were any
    [[nodiscard]] POLLARD_DEVICE bool takeTasks(const Range& range, std::uint32_t count, const SharedArrays& work,
                                                Task& task) const {
        const std::uint32_t lane = threadOfBlock() % 32;
        const std::uint32_t i = 32 * fromLane(lane == 0 ? addTo(work.taken, 1) : 0, 0) + lane;
        task = {0, 0};
        if (i < count) {
            task.component = work.order[count - 1 - i];
            task.label = state.labels[range.firstNode + task.component];
        }
        return i - lane < count;
    }

    /// One thread per component. Loading labels takes long: a warp requests the next ones before it sums.
    POLLARD_DEVICE void measureFew(const Range& range, std::uint32_t count, const SharedArrays& work) const {
        Task task;
        bool any = takeTasks(range, count, work, task);
        while (any) {
            Task next;
            any = takeTasks(range, count, work, next);
            write(range, task.component, task.label,
                  task.label != 0 ? sumOf(range, task.component, 0, 1, work) : Sums{}, work);
            task = next;
        }
    }

    /// A warp measures up to 32 components in turn and writes them together.
    POLLARD_DEVICE void measureMany(const Range& range, const Order& order, const SharedArrays& work) const {
        const std::uint32_t largest = largestOf(work);
        const std::uint32_t lane = threadOfBlock() % 32;
        const std::uint32_t warps = state.threads / 32;
        for (std::uint32_t begin = order.few + threadOfBlock() / 32; begin < order.all; begin += 32 * warps) {
            Sums own;
            std::uint32_t mine = 0;
            std::uint32_t label = 0;
            for (std::uint32_t i = 0; i < 32 && begin + i * warps < order.all; ++i) {
                const std::uint32_t k = work.order[begin + i * warps];
                if (k == largest) {
                    continue;
                }
                const Sums all = sumOf(range, k, lane, 32, work).ofWarp();
                if (lane == i) {
                    own = all;
                    mine = k;
                    label = state.labels[range.firstNode + k];
                }
            }
            write(range, mine, label, own, work);
        }
    }

    [[nodiscard]] POLLARD_DEVICE static bool isOther(std::uint32_t k, const SharedArrays& work) {
        return (work.owners[k] & kOther) != 0;
    }

    /// Writes or lists a component for each thread of the warp that has one.
    /// @param label 0: no component
    POLLARD_DEVICE void write(const Range& range, std::uint32_t k, std::uint32_t label, const Sums& sums,
                              const SharedArrays& work) const {
        const std::uint32_t top = range.strip << state.rowBits;
        const bool other = isOther(k, work); // not the first part of its object
        ObjectRecord record = sums.shape.record(top, true);
        LevelSums ofLevels;
        if constexpr (!std::is_void_v<Level>) {
            ofLevels = sums.levels.sums();
            record.greySum = ofLevels.sum;
            record.greyRange = ofLevels.range;
        }
        storeTogether(record, label != 0 && !other ? to.records + (label - 1) : nullptr);
        if (label != 0 && other) {
            storeByFour(to.parts + takePlace(work.place), Part{sums.shape, label, top, ofLevels});
        }
    }
};

} // namespace pollard::cuda
