#pragma once

#include "cuda/components/ha4/feature_table.hpp"
#include "cuda/components/ha4/segment_forest.hpp"

#include <cstdint>

namespace pollard::cuda::ha4 {

/// Base of the passes over segments: one warp per word; the thread at the start of a segment adds its measurements to
/// the features of the root.
template <class Word> struct SegmentPass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {};

    /// Pixels [x, x + count) of row y; `at` is the first pixel's position in its word.
    struct Segment {
        Word own;
        std::uint32_t column, at, x, y, count;
    };

    DeviceMask mask;
    const std::uint32_t* labels; ///< the forest, flat or not
    RootNumbers numbers;
    FeatureTable features; ///< of the roots, in raster order

protected:
    template <class Add> POLLARD_DEVICE void forSegment(const Add& add) const {
        const WarpPlace place = WarpPlace::of(columnsOf<Word>(mask.width));
        if (place.row >= mask.height) {
            return;
        }
        const Word own = maskWord<Word>(mask, place.column, place.row);
        const std::uint32_t at = pixelOf(own, place.lane);
        if (!isStart(own, at)) {
            return;
        }
        const std::uint32_t x = place.column * kPixels<Word> + at;
        const std::uint32_t root = rootOf(labels, place.row * mask.width + x);
        add(Segment{own, place.column, at, x, place.row, endDistance(own, at)}, numbers.of(root));
    }
};

/// The paper's features (algorithm 6): area, sums of x and y, bounding box; in 64 bits, because the sum of x reaches
/// 2^32 at 2049 x 2049 px. The paper stores them at the root's pixel, in arrays as long as the image; here arrays have
/// one entry per object.
template <class Word> struct FeaturesPass : SegmentPass<Word> {
    POLLARD_DEVICE void operator()(typename SegmentPass<Word>::Memory&) const {
        this->forSegment([this](const typename SegmentPass<Word>::Segment& segment, std::uint32_t object) {
            const std::uint64_t count = segment.count;
            this->features.add(FeatureTable::area, object, count);
            this->features.add(FeatureTable::x, object, (2 * std::uint64_t{segment.x} + count - 1) * count / 2);
            this->features.add(FeatureTable::y, object, segment.y * count);
            this->features.lower(FeatureTable::left, object, segment.x);
            this->features.lower(FeatureTable::top, object, segment.y);
            this->features.raise(FeatureTable::right, object, segment.x + segment.count - 1);
            this->features.raise(FeatureTable::bottom, object, segment.y);
        });
    }
};

/// Added to the paper, by its method: second moments, perimeter and holes.
template <class Word> struct MomentsPass : SegmentPass<Word> {
    using typename SegmentPass<Word>::Segment;

    POLLARD_DEVICE void operator()(typename SegmentPass<Word>::Memory&) const {
        this->forSegment([this](const Segment& segment, std::uint32_t object) {
            const std::uint64_t n = segment.count;
            const std::uint64_t x = segment.x;
            const std::uint64_t y = segment.y;
            const std::uint64_t between = n * (n - 1) / 2;
            const std::uint64_t squares = n * (n - 1) * (2 * n - 1) / 6;
            this->features.add(FeatureTable::xx, object, n * x * x + 2 * x * between + squares);
            this->features.add(FeatureTable::xy, object, (n * x + between) * y);
            this->features.add(FeatureTable::yy, object, n * y * y);
            const Contacts contacts = contactsOf(segment);
            this->features.add(FeatureTable::perimeter, object, 2 * (contacts.runs + n - contacts.shared));
            this->features.add(FeatureTable::holesLessOne, object, contacts.pieces - contacts.runs);
        });
    }

private:
    struct Contacts {
        std::uint64_t runs;   ///< runs that start with the segment: 1 or 0
        std::uint64_t pieces; ///< contacts with runs of the row above that start in the segment
        std::uint64_t shared; ///< columns of these contacts
    };

    [[nodiscard]] POLLARD_DEVICE Contacts contactsOf(const Segment& segment) const {
        const Word above = wordAbove(segment.column, segment.y);
        const Word inSegment = (segment.count == kPixels<Word> ? ~Word{0} : (Word{1} << segment.count) - 1)
                               << segment.at;
        const Word both = above & inSegment;
        std::uint64_t goesOn = 0; // whether the run, and its contact, started in the previous word
        std::uint64_t touchedBefore = 0;
        if (segment.at == 0 && segment.column > 0) {
            const Word before = maskWord<Word>(this->mask, segment.column - 1, segment.y);
            goesOn = before >> (kPixels<Word> - 1);
            touchedBefore = (before & wordAbove(segment.column - 1, segment.y)) >> (kPixels<Word> - 1);
        }
        const Word starts = both & ~(both << 1U | static_cast<Word>(touchedBefore));
        return {1 - goesOn, bitsOf(starts), bitsOf(both)};
    }

    [[nodiscard]] POLLARD_DEVICE Word wordAbove(std::uint32_t column, std::uint32_t y) const {
        return y > 0 ? maskWord<Word>(this->mask, column, y - 1) : 0;
    }
};

/// Added to the paper, by its method: sum and range of the grey levels.
template <class Word, class Level> struct GreyPass : SegmentPass<Word> {
    const Level* grey; ///< per pixel

    POLLARD_DEVICE void operator()(typename SegmentPass<Word>::Memory&) const {
        this->forSegment([this](const typename SegmentPass<Word>::Segment& segment, std::uint32_t object) {
            const Level* const levels = grey + (std::size_t{segment.y} * this->mask.width + segment.x);
            std::uint32_t sum = 0;
            std::uint32_t smallest = levels[0];
            std::uint32_t largest = smallest;
            for (std::uint32_t i = 0; i < segment.count; ++i) {
                const std::uint32_t level = levels[i];
                sum += level;
                smallest = level < smallest ? level : smallest;
                largest = level > largest ? level : largest;
            }
            this->features.add(FeatureTable::grey, object, sum);
            this->features.lower(FeatureTable::greyMin, object, smallest);
            this->features.raise(FeatureTable::greyMax, object, largest);
        });
    }
};

} // namespace pollard::cuda::ha4
