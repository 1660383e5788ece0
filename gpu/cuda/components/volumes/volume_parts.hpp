#pragma once

#include "components/components.hpp"
#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

static_assert(std::is_trivially_copyable_v<VolumeRecord> &&
              sizeof(VolumeRecord::greyMin) + sizeof(VolumeRecord::greyMax) == sizeof(std::uint32_t));

/// Sums over voxels of an object in a strip; rows count from the strip's first.
struct VolumePart {
    std::uint32_t area = 0;
    std::uint32_t left = 0xffff'ffffU;
    std::uint32_t right = 0;
    std::uint32_t top = 0xffff'ffffU;
    std::uint32_t bottom = 0;
    std::uint32_t sumX = 0, sumY = 0, sumXY = 0, sumYY = 0;
    std::uint64_t sumXX = 0;
    std::uint32_t runsX = 0, runsY = 0, runsZ = 0;
    std::uint32_t border = 0;
    std::uint32_t euler = 0; ///< modulo 2^32
    std::uint32_t greySum = 0;
    std::uint32_t greyRange = 0xffffU; ///< as ObjectRecord::greyRange

    /// Adds the columns [x, x + length) of a row; length > 0.
    POLLARD_DEVICE void addRun(std::uint32_t x, std::uint32_t length, std::uint32_t row) {
        const std::uint32_t last = length - 1;
        const std::uint32_t sum = length * x + length * last / 2;
        area += length;
        left = x < left ? x : left;
        right = x + last > right ? x + last : right;
        top = row < top ? row : top;
        bottom = row > bottom ? row : bottom;
        sumX += sum;
        sumY += length * row;
        sumXY += sum * row;
        sumYY += length * row * row;
        sumXX +=
            std::uint64_t{length} * x * x + std::uint64_t{x} * (length * last) + last * length * (2 * length - 1) / 6;
    }

    /// Adds the sums to the record of the object. @param y,z row and slice of the strip's first row
    POLLARD_DEVICE void addTo(VolumeRecord& record, std::uint64_t y, std::uint64_t z, bool hasGrey) const {
        const std::uint64_t n = area;
        addWide(&record.area, n);
        lower(&record.left, left);
        raiseTo(&record.right, right);
        lower(&record.top, static_cast<std::uint32_t>(y) + top);
        raiseTo(&record.bottom, static_cast<std::uint32_t>(y) + bottom);
        lower(&record.front, static_cast<std::uint32_t>(z));
        raiseTo(&record.back, static_cast<std::uint32_t>(z));
        const std::uint64_t ofY = sumY + n * y;
        addSome(&record.sumX, sumX);
        addSome(&record.sumY, ofY);
        addSome(&record.sumZ, n * z);
        addSome(&record.sumXX, sumXX);
        addSome(&record.sumXY, sumXY + sumX * y);
        addSome(&record.sumYY, sumYY + 2 * y * sumY + n * y * y);
        addSome(&record.sumZZ, n * z * z);
        addSome(&record.sumXZ, sumX * z);
        addSome(&record.sumYZ, ofY * z);
        static_cast<void>(cuda::addTo(&record.runsX, runsX));
        static_cast<void>(cuda::addTo(&record.runsY, runsY));
        static_cast<void>(cuda::addTo(&record.runsZ, runsZ));
        if (border != 0) {
            static_cast<void>(cuda::addTo(&record.border, border));
        }
        addSome(reinterpret_cast<std::uint64_t*>(&record.euler),
                static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(euler)}));
        if (hasGrey) {
            addSome(&record.greySum, greySum);
            widenRange(reinterpret_cast<std::uint32_t*>(&record.greyMin), greyRange);
        }
    }

private:
    POLLARD_DEVICE static void lower(std::uint32_t* side, std::uint32_t value) {
        if (loadFresh(side) > value) {
            lowerTo(side, value);
        }
    }
    POLLARD_DEVICE static void addSome(std::uint64_t* sum, std::uint64_t value) {
        if (value != 0) {
            addWide(sum, value);
        }
    }
};

/// Parts of objects in shared memory by their label: a hash table with one array per member.
class PartTable {
public:
    static constexpr std::uint32_t kWords = 19; ///< per place
    static constexpr std::uint32_t kNoPlace = 0xffff'ffffU;

    POLLARD_DEVICE PartTable(std::uint32_t* memory, std::uint32_t bits) : memory_(memory), bits_(bits) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t places() const { return 1U << bits_; }
    POLLARD_DEVICE void clear(std::uint32_t place) const {
        for (std::uint32_t field = 0; field < kWords; ++field) {
            const bool isLeast = field == kLeft || field == kTop;
            *at(field, place) = isLeast ? 0xffff'ffffU : field == kGreyRange ? 0xffffU : 0;
        }
    }
    /// 0: the place is free.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t labelAt(std::uint32_t place) const { return *at(kLabel, place); }

    /// The place of a label, which it may take; kNoPlace if those that it looks at are taken.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t placeOf(std::uint32_t label) const {
        std::uint32_t place = (label * 0x9e37'79b1U) >> (32 - bits_);
        for (std::uint32_t tried = 0; tried < kMostTried; ++tried) {
            std::uint32_t there = loadFresh(at(kLabel, place));
            if (there == 0) {
                there = replaced(at(kLabel, place), 0, label);
            }
            if (there == 0 || there == label) {
                return place;
            }
            place = (place + 1) % places();
        }
        return kNoPlace;
    }

    POLLARD_DEVICE void add(std::uint32_t place, const VolumePart& part, bool hasGrey) const {
        add(kArea, place, part.area);
        lowerTo(at(kLeft, place), part.left);
        raiseTo(at(kRight, place), part.right);
        lowerTo(at(kTop, place), part.top);
        raiseTo(at(kBottom, place), part.bottom);
        add(kSumX, place, part.sumX);
        addSome(kSumY, place, part.sumY);
        addSome(kSumXY, place, part.sumXY);
        addSome(kSumYY, place, part.sumYY);
        addToPair(at(kSumXX, place), at(kSumXXHigh, place), part.sumXX);
        addSome(kRunsX, place, part.runsX);
        addSome(kRunsY, place, part.runsY);
        addSome(kRunsZ, place, part.runsZ);
        addSome(kBorder, place, part.border);
        addSome(kEuler, place, part.euler);
        if (hasGrey) {
            add(kGreySum, place, part.greySum);
            widenRange(at(kGreyRange, place), part.greyRange);
        }
    }
    [[nodiscard]] POLLARD_DEVICE VolumePart partAt(std::uint32_t place) const {
        VolumePart part;
        part.area = *at(kArea, place);
        part.left = *at(kLeft, place);
        part.right = *at(kRight, place);
        part.top = *at(kTop, place);
        part.bottom = *at(kBottom, place);
        part.sumX = *at(kSumX, place);
        part.sumY = *at(kSumY, place);
        part.sumXY = *at(kSumXY, place);
        part.sumYY = *at(kSumYY, place);
        part.sumXX = std::uint64_t{*at(kSumXXHigh, place)} << 32U | *at(kSumXX, place);
        part.runsX = *at(kRunsX, place);
        part.runsY = *at(kRunsY, place);
        part.runsZ = *at(kRunsZ, place);
        part.border = *at(kBorder, place);
        part.euler = *at(kEuler, place);
        part.greySum = *at(kGreySum, place);
        part.greyRange = *at(kGreyRange, place);
        return part;
    }

private:
    static constexpr std::uint32_t kMostTried = 8;

    enum Field : std::uint32_t {
        kLabel,
        kArea,
        kLeft,
        kRight,
        kTop,
        kBottom,
        kSumX,
        kSumY,
        kSumXY,
        kSumYY,
        kSumXX,
        kSumXXHigh,
        kRunsX,
        kRunsY,
        kRunsZ,
        kBorder,
        kEuler,
        kGreySum,
        kGreyRange,
    };
    static_assert(kGreyRange + 1 == kWords);

    [[nodiscard]] POLLARD_DEVICE std::uint32_t* at(std::uint32_t field, std::uint32_t place) const {
        return memory_ + (field << bits_) + place;
    }
    POLLARD_DEVICE void add(std::uint32_t field, std::uint32_t place, std::uint32_t value) const {
        static_cast<void>(addTo(at(field, place), value));
    }
    POLLARD_DEVICE void addSome(std::uint32_t field, std::uint32_t place, std::uint32_t value) const {
        if (value != 0) {
            add(field, place, value);
        }
    }

    std::uint32_t* memory_;
    std::uint32_t bits_;
};

} // namespace pollard::cuda
