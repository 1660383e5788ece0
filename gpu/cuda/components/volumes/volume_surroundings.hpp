#pragma once

#include "cuda/components/row_contacts.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/volumes/volume_rows.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Contribution of 32 voxels of a row to their objects, without their positions: bits of voxels, to be counted.
struct WordSurroundings {
    std::uint32_t starts = 0;  ///< of runs along x
    std::uint32_t sharedY = 0; ///< faces shared with the row before in the slice
    std::uint32_t sharedZ = 0; ///< and with the slice before
    std::uint32_t more[6] = {};
    std::uint32_t fewer[3] = {}; ///< of the Euler number: `more` add to it, and `fewer` take from it

    [[nodiscard]] POLLARD_DEVICE std::uint32_t euler(std::uint32_t bits) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t one : more) {
            sum += countBits(one & bits);
        }
        for (const std::uint32_t one : fewer) {
            sum -= countBits(one & bits);
        }
        return sum;
    }
};

/// 32 voxels of a row and those beside them; 0 outside the volume.
struct WideWord {
    std::uint32_t left, word, right;

    /// Bit x says whether voxel x - 1, or x + 1, is set.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t before() const { return word << 1U | left >> 31U; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t next() const { return word >> 1U | right << 31U; }
};

/// The surroundings of the words of a padded mask; Euler numbers are those of VolumeRecord.
template <Connectivity kNeighbours> struct VolumeSurroundings {
    StripState<std::uint16_t> state;
    PaddedRows rows;

    /// @param row of the padded mask, in slice @p z and its row @p y
    [[nodiscard]] POLLARD_DEVICE WordSurroundings of(std::uint32_t x, std::uint32_t row, std::uint32_t y,
                                                     std::uint32_t z) const {
        const WideWord own = at(x, row, true);
        const WideWord above = at(x, row - 1, y > 0);
        const WideWord before = at(x, row - rows.rowsOfSlice, z > 0);
        WordSurroundings found;
        found.starts = startsOfRuns(own.word, own.left);
        found.sharedY = own.word & above.word;
        found.sharedZ = own.word & before.word;
        if constexpr (kNeighbours == Connectivity::six) {
            addSquaresAndCubes(found, own, above, before, at(x, row - rows.rowsOfSlice - 1, z > 0 && y > 0));
        } else if constexpr (kNeighbours == Connectivity::twentySix) {
            addContacts(found, own, above, before, at(x, row - rows.rowsOfSlice - 1, z > 0 && y > 0),
                        at(x, row - rows.rowsOfSlice + 1, z > 0 && y + 1 < rows.height));
        }
        return found;
    }

private:
    [[nodiscard]] POLLARD_DEVICE WideWord at(std::uint32_t x, std::uint32_t row, bool isInside) const {
        if (!isInside) {
            return {0, 0, 0};
        }
        return {x == 0 ? 0 : state.mask.word(x - 1, row), state.mask.word(x, row),
                x + 1 == state.wordsOfRow ? 0 : state.mask.word(x + 1, row)};
    }

    /// Pairs of neighbouring bits, at the second.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t pairs(std::uint32_t word, std::uint32_t left) {
        return word & (word << 1U | left >> 31U);
    }

    /// Centres - edges between neighbours + full squares - full cubes, each at its last voxel. Those along x are in the
    /// number of runs.
    POLLARD_DEVICE static void addSquaresAndCubes(WordSurroundings& to, const WideWord& own, const WideWord& above,
                                                  const WideWord& before, const WideWord& beforeAbove) {
        const std::uint32_t leftY = own.left & above.left;
        const std::uint32_t leftZ = own.left & before.left;
        const std::uint32_t yz = to.sharedY & to.sharedZ & beforeAbove.word;
        to.more[0] = to.starts;
        to.more[1] = pairs(to.sharedY, leftY);
        to.more[2] = pairs(to.sharedZ, leftZ);
        to.more[3] = yz;
        to.fewer[0] = to.sharedY;
        to.fewer[1] = to.sharedZ;
        to.fewer[2] = pairs(yz, leftY & leftZ & beforeAbove.left);
    }

    /// The new faces, edges and corners of a run sum up to 1 - c(S) - c(Q) + c(P), with c(X) the number of runs of X
    /// that touch the run or its corners: P is the row before it, S that row or the one below it, Q that row, the one
    /// above the run or the one above both.
    POLLARD_DEVICE static void addContacts(WordSurroundings& to, const WideWord& own, const WideWord& above,
                                           const WideWord& before, const WideWord& beforeAbove,
                                           const WideWord& beforeBelow) {
        const std::uint32_t inS = before.word | beforeBelow.word;
        const std::uint32_t inQ = before.word | above.word | beforeAbove.word;
        const std::uint32_t atP = before.word | before.before();
        const std::uint32_t atS = inS | before.before() | beforeBelow.before();
        const std::uint32_t atQ = inQ | before.before() | above.before() | beforeAbove.before();
        // At the first column a run of X counts if it has that column or the one before it, else where it starts.
        to.more[0] = to.starts & ~atS;
        to.more[1] = to.starts & ~atQ;
        to.more[2] = own.word & ~before.word & before.next();
        to.fewer[0] = to.starts & ~atP;
        to.fewer[1] = own.word & ~inS & (before.next() | beforeBelow.next());
        to.fewer[2] = own.word & ~inQ & (before.next() | above.next() | beforeAbove.next());
    }
};

} // namespace pollard::cuda
