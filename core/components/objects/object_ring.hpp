#pragma once

#include "components/components.hpp"
#include "components/objects/object_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Finds the pixels around an object that belong to no object. Keep one per thread: it reuses its memory.
class RingFinder {
public:
    RingFinder(const Components& components, std::uint32_t distance) : components_(components), distance_(distance) {}

    /// Calls `function(run)` for the runs of pixels with label 0 within @p distance rows and columns of a pixel of the
    /// object, in raster order.
    /// @param runs of the object, in raster order
    template <class Function> void forEachRun(std::span<const ObjectRun> runs, const Function& function) {
        if (runs.empty()) {
            return;
        }
        widen(runs);
        const std::uint64_t last = std::min<std::uint64_t>(components_.height - 1, wide_.back().y + distance_);
        std::size_t begin = 0; // the parts [begin, end) are of rows within the distance of y
        std::size_t end = 0;
        for (std::uint64_t y = wide_.front().y - std::min<std::uint64_t>(wide_.front().y, distance_); y <= last; ++y) {
            while (begin < wide_.size() && wide_[begin].y + distance_ < y) {
                ++begin;
            }
            while (end < wide_.size() && wide_[end].y <= y + distance_) {
                ++end;
            }
            row_.assign(wide_.begin() + static_cast<std::ptrdiff_t>(begin),
                        wide_.begin() + static_cast<std::ptrdiff_t>(end));
            std::ranges::sort(row_, {}, &Part::first);
            std::uint64_t x = 0;
            for (const Part& part : row_) {
                x = std::max(x, part.first);
                x = backgroundIn(y, x, part.last, function);
            }
        }
    }

private:
    /// Columns [first, last) of a row.
    struct Part {
        std::uint64_t y;
        std::uint64_t first;
        std::uint64_t last;
    };

    /// Extends the runs to both sides, and joins those of a row that then meet.
    void widen(std::span<const ObjectRun> runs) {
        wide_.clear();
        for (const ObjectRun& run : runs) {
            const std::uint64_t y = run.first / components_.width;
            const std::uint64_t x = run.first % components_.width;
            const std::uint64_t first = x - std::min<std::uint64_t>(x, distance_);
            const std::uint64_t last = std::min<std::uint64_t>(components_.width, x + run.length + distance_);
            if (!wide_.empty() && wide_.back().y == y && first <= wide_.back().last) {
                wide_.back().last = last;
            } else {
                wide_.push_back({y, first, last});
            }
        }
    }

    /// Reports the background of columns [x, last). @return the column after it
    template <class Function>
    std::uint64_t backgroundIn(std::uint64_t y, std::uint64_t x, std::uint64_t last, const Function& function) const {
        const std::uint64_t start = y * components_.width;
        const std::uint32_t* const row = components_.labels.data() + start;
        while (x < last) {
            const std::uint64_t first = x;
            while (x < last && row[x] == 0) {
                ++x;
            }
            if (x > first) {
                function(ObjectRun{static_cast<std::uint32_t>(start + first), static_cast<std::uint32_t>(x - first)});
            }
            while (x < last && row[x] != 0) {
                ++x;
            }
        }
        return x;
    }

    const Components& components_;
    std::uint64_t distance_;
    std::vector<Part> wide_;
    std::vector<Part> row_;
};

} // namespace pollard
