#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Last pass: adds the parts of objects to the records of their first parts. Four threads share a part and update one
/// sector of memory at a time.
/// @tparam Part has label and record()
template <class Part> struct AddParts {
    static constexpr std::uint32_t kThreads = 256;
    static constexpr std::uint32_t kShare = 4; ///< threads per part

    struct {
        std::uint32_t threads; ///< per block
    } state;
    std::uint32_t blocks;
    const Part* parts;
    const std::uint32_t* count;
    ObjectRecord* records; ///< record i belongs to label i + 1
    bool grey;

    /// Number of blocks for at most @p most parts; beyond some hundred thousand a thread has several.
    [[nodiscard]] static std::uint32_t blocksOf(std::uint32_t most) {
        constexpr std::uint32_t kMost = 4096;
        const std::uint32_t wanted = (most - 1) / (kThreads / kShare) + 1;
        return wanted < kMost ? wanted : kMost;
    }

    POLLARD_DEVICE void operator()(std::uint32_t*) const {
        const std::uint32_t end = *count;
        const std::uint32_t place = threadOfBlock() % kShare;
        for (std::uint64_t i = (std::uint64_t{blockOfGrid()} * state.threads + threadOfBlock()) / kShare; i < end;
             i += std::uint64_t{blocks} * state.threads / kShare) {
            const Part part = loadByFour(parts + i);
            add(part.record(), records + (part.label - 1), place);
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t ofFour(std::uint32_t place, std::uint64_t a, std::uint64_t b,
                                                             std::uint64_t c, std::uint64_t d) {
        return place < 2 ? (place == 0 ? a : b) : (place == 2 ? c : d);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t* at(ObjectRecord* to, std::size_t offset) {
        return reinterpret_cast<std::uint64_t*>(to) + offset / sizeof(std::uint64_t);
    }

    POLLARD_DEVICE void add(const ObjectRecord& part, ObjectRecord* to, std::uint32_t place) const {
        static_assert(offsetof(ObjectRecord, sumYY) == offsetof(ObjectRecord, sumY) + 24);
        addWide(at(to, offsetof(ObjectRecord, sumY)) + place,
                ofFour(place, part.sumY, part.sumXX, part.sumXY, part.sumYY));
        const std::uint64_t value = ofFour(place, part.area, part.sumX, part.perimeter, part.holes);
        if (value != 0) {
            addWide(at(to, place < 2
                               ? (place == 0 ? offsetof(ObjectRecord, area) : offsetof(ObjectRecord, sumX))
                               : (place == 2 ? offsetof(ObjectRecord, perimeter) : offsetof(ObjectRecord, holes))),
                    value);
        }
        if (place == 3) {
            if (grey) {
                addWide(&to->greySum, part.greySum);
                widenRange(&to->greyRange, part.greyRange);
            }
            return;
        }
        // The first part contains the top row.
        std::uint32_t* const edge = place == 0 ? &to->left : place == 1 ? &to->right : &to->bottom;
        const std::uint32_t reached = place == 0 ? part.left : place == 1 ? part.right : part.bottom;
        const std::uint32_t known = loadFresh(edge);
        if (place == 0 && reached < known) {
            lowerTo(edge, reached);
        } else if (place != 0 && reached > known) {
            raiseTo(edge, reached);
        }
    }
};

} // namespace pollard::cuda
