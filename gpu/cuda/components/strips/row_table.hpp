#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sums of a component in one word of the mask: pixels of one row.
struct WordSums {
    std::uint32_t pixels = 0;
    std::uint64_t sumX = 0;
    std::uint64_t sumXX = 0;
    std::uint32_t left = 0xffff'ffffU;
    std::uint32_t right = 0;
    std::uint32_t sides = 0; ///< runs minus columns shared with the row above, modulo 2^32
    std::uint32_t euler = 0; ///< runs minus contacts with the row above, modulo 2^32
    std::uint32_t greyMin = 0xffff'ffffU;
    std::uint32_t greyMax = 0;
    std::uint32_t greySum = 0;

    /// Adds columns x .. x + length - 1; length > 0.
    POLLARD_HOST_DEVICE void addRun(std::uint32_t x, std::uint32_t length) {
        const std::uint32_t last = length - 1;
        pixels += length;
        sumX += std::uint64_t{length} * x + length * last / 2;
        sumXX +=
            std::uint64_t{length} * x * x + std::uint64_t{x} * (length * last) + last * length * (2 * length - 1) / 6;
        left = x < left ? x : left;
        right = x + last;
    }
    POLLARD_HOST_DEVICE void addGrey(std::uint32_t level) {
        greyMin = level < greyMin ? level : greyMin;
        greyMax = level > greyMax ? level : greyMax;
        greySum += level;
    }
};

/// Sums of components of a one-row strip in shared memory, one array per kind of sum.
template <bool kGrey> class RowTable {
public:
    static constexpr std::uint32_t kFields = 9 + (kGrey ? 4 : 0);

    POLLARD_DEVICE RowTable(std::uint32_t* memory, std::uint32_t capacity) : memory_(memory), capacity_(capacity) {}

    POLLARD_DEVICE void clear(std::uint32_t k) const {
        for (std::uint32_t field = 0; field < kFields; ++field) {
            const bool least = field == kLeft || (kGrey && field == kGreyMin);
            *at(field, k) = least ? 0xffff'ffffU : 0;
        }
    }

    POLLARD_DEVICE void add(std::uint32_t k, const WordSums& sums) const {
        add(kPixels, k, sums.pixels);
        addToPair(at(kSumX, k), at(kSumXHigh, k), sums.sumX);
        addToPair(at(kSumXX, k), at(kSumXXHigh, k), sums.sumXX);
        lowerTo(at(kLeft, k), sums.left);
        raiseTo(at(kRight, k), sums.right);
        addSome(kSides, k, sums.sides);
        addSome(kEuler, k, sums.euler);
        if constexpr (kGrey) {
            lowerTo(at(kGreyMin, k), sums.greyMin);
            raiseTo(at(kGreyMax, k), sums.greyMax);
            addToPair(at(kGreySum, k), at(kGreySumHigh, k), sums.greySum);
        }
    }
    /// Adds a contact of a run without a pixel in the word that contains the contact.
    POLLARD_DEVICE void addContact(std::uint32_t k) const { add(kEuler, k, 0xffff'ffffU); }

    /// Adds component @p from, which becomes empty.
    POLLARD_DEVICE void merge(std::uint32_t k, std::uint32_t from) const {
        add(kPixels, k, *at(kPixels, from));
        addToPair(at(kSumX, k), at(kSumXHigh, k), joined(kSumX, kSumXHigh, from));
        addToPair(at(kSumXX, k), at(kSumXXHigh, k), joined(kSumXX, kSumXXHigh, from));
        lowerTo(at(kLeft, k), *at(kLeft, from));
        raiseTo(at(kRight, k), *at(kRight, from));
        addSome(kSides, k, *at(kSides, from));
        addSome(kEuler, k, *at(kEuler, from));
        if constexpr (kGrey) {
            lowerTo(at(kGreyMin, k), *at(kGreyMin, from));
            raiseTo(at(kGreyMax, k), *at(kGreyMax, from));
            addToPair(at(kGreySum, k), at(kGreySumHigh, k), joined(kGreySum, kGreySumHigh, from));
        }
        *at(kPixels, from) = 0;
    }
    [[nodiscard]] POLLARD_DEVICE bool isEmpty(std::uint32_t k) const { return *at(kPixels, k) == 0; }

    /// @param row image row
    /// @param first whether this is the first part of its object
    [[nodiscard]] POLLARD_DEVICE ObjectRecord record(std::uint32_t k, std::uint32_t row, bool first) const {
        ObjectRecord record{};
        record.area = *at(kPixels, k);
        record.left = *at(kLeft, k);
        record.right = *at(kRight, k);
        record.top = row;
        record.bottom = row;
        record.sumX = joined(kSumX, kSumXHigh, k);
        record.sumXX = joined(kSumXX, kSumXXHigh, k);
        record.sumY = record.area * row;
        record.sumYY = record.sumY * row;
        record.sumXY = record.sumX * row;
        record.perimeter = 2 * (record.area + extended(*at(kSides, k)));
        record.holes = (first ? 1 : 0) - extended(*at(kEuler, k));
        if constexpr (kGrey) {
            record.greySum = joined(kGreySum, kGreySumHigh, k);
            record.greyRange = *at(kGreyMax, k) << 16U | *at(kGreyMin, k);
        }
        return record;
    }

private:
    enum Field : std::uint32_t {
        kPixels,
        kSumX,
        kSumXHigh,
        kSumXX,
        kSumXXHigh,
        kLeft,
        kRight,
        kSides,
        kEuler,
        kGreyMin,
        kGreyMax,
        kGreySum,
        kGreySumHigh,
    };

    [[nodiscard]] POLLARD_DEVICE std::uint32_t* at(std::uint32_t field, std::uint32_t k) const {
        return memory_ + (field * capacity_ + k);
    }
    POLLARD_DEVICE void add(std::uint32_t field, std::uint32_t k, std::uint32_t value) const {
        static_cast<void>(addTo(at(field, k), value));
    }
    POLLARD_DEVICE void addSome(std::uint32_t field, std::uint32_t k, std::uint32_t value) const {
        if (value != 0) {
            add(field, k, value);
        }
    }
    [[nodiscard]] POLLARD_DEVICE std::uint64_t joined(std::uint32_t low, std::uint32_t high, std::uint32_t k) const {
        return std::uint64_t{*at(high, k)} << 32U | *at(low, k);
    }
    /// Sign-extends a small number modulo 2^32 to modulo 2^64.
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t extended(std::uint32_t value) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
    }

    std::uint32_t* memory_;
    std::uint32_t capacity_;
};

} // namespace pollard::cuda
