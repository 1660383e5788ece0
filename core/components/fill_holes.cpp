#include "components/fill_holes.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/run_bands.hpp"
#include "image/extent.hpp"
#include "image/mask_runs.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kRowsPerTask = 64;
constexpr std::size_t kRunsBetweenStops = std::size_t{1} << 20U;

/// The neighbours of the background of objects.
Connectivity dualOf(Connectivity objects) noexcept {
    switch (objects) {
    case Connectivity::four:
        return Connectivity::eight;
    case Connectivity::eight:
        return Connectivity::four;
    case Connectivity::six:
        return Connectivity::twentySix;
    case Connectivity::eighteen:
    case Connectivity::twentySix:
        break;
    }
    return Connectivity::six;
}

/// The unset pixels.
Mask complementOf(const Mask& mask, const JobControl& control) {
    Mask complement(mask.width(), mask.height(), false);
    forEachIndex(
        mask.height(), control,
        [&](std::size_t row) {
            const auto y = static_cast<std::uint32_t>(row);
            forEachRun(mask, y, false,
                       [&](std::uint32_t first, std::uint32_t last) { complement.setRun(first, last, y, true); });
        },
        kRowsPerTask);
    return complement;
}

/// Components of the complement, divided into holes and others.
class Holes {
public:
    Holes(const Mask& complement, const Extent& extent, Connectivity connectivity, const JobControl& control)
        : control_(control), extent_(extent), inVolume_(!isPlanar(connectivity)), forest_(complement, control) {
        joinRuns(forest_, bandsOf(extent, connectivity), extent, connectivity, nullptr, control);
        findRoots();
    }

    void fill(Mask& mask, const Mask* inside) {
        forEachRow([&](std::uint32_t row) { findOpen(row, inside); });
        forEachRow([&](std::uint32_t row) {
            for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
                if (open_[root_[i]] == 0) {
                    mask.setRun(forest_.run(i).first, forest_.run(i).last, row, true);
                }
            }
        });
    }

private:
    template <class Work> void forEachRow(const Work& work) const {
        forEachIndex(
            extent_.rows(), control_, [&](std::size_t row) { work(static_cast<std::uint32_t>(row)); }, kRowsPerTask);
    }

    /// Parents have smaller indices, so one pass in order suffices.
    void findRoots() {
        root_ = Buffer<std::uint32_t>(forest_.size());
        open_.assign(forest_.size(), 0);
        for (std::size_t i = 0; i < forest_.size(); ++i) {
            if (i % kRunsBetweenStops == 0) {
                control_.throwIfStopped();
            }
            const std::uint32_t parent = forest_.parent(i);
            root_[i] = parent == i ? parent : root_[parent];
        }
    }

    /// Marks the components with a run in this row that reaches the border or a pixel outside @p inside.
    void findOpen(std::uint32_t row, const Mask* inside) {
        const std::size_t end = forest_.rowStart(row + 1);
        const std::uint32_t y = row % extent_.height;
        const std::uint32_t z = row / extent_.height;
        const bool atBorder = y == 0 || y + 1 == extent_.height || (inVolume_ && (z == 0 || z + 1 == extent_.slices));
        for (std::size_t i = forest_.rowStart(row); i < end; ++i) {
            if (atBorder || forest_.run(i).first == 0 || forest_.run(i).last == extent_.width) {
                markOpen(i);
            }
        }
        if (inside == nullptr) {
            return;
        }
        std::size_t next = forest_.rowStart(row);
        forEachRun(*inside, row, false, [&](std::uint32_t first, std::uint32_t last) {
            while (next < end && forest_.run(next).last <= first) {
                ++next;
            }
            for (std::size_t i = next; i < end && forest_.run(i).first < last; ++i) {
                markOpen(i);
            }
        });
    }
    void markOpen(std::size_t run) {
        std::atomic_ref(open_[root_[run]]).store(1, std::memory_order_relaxed); // other rows may mark it too
    }

    const JobControl& control_;
    Extent extent_;
    bool inVolume_;
    RunForest forest_;
    Buffer<std::uint32_t> root_;     ///< per run
    std::vector<std::uint8_t> open_; ///< by root: 1 if it is not a hole
};

} // namespace

void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control, std::uint32_t slices) {
    const Extent extent{mask.width(), mask.height() / slices, slices};
    const auto describe = [](const Mask& each) {
        return std::to_string(each.width()) + " x " + std::to_string(each.height()) + " px";
    };
    if (inside != nullptr && (inside->width() != mask.width() || inside->height() != mask.height())) {
        throw Error(ErrorCode::invalidArgument,
                    "fill holes: a region of " + describe(*inside) + " does not fit a mask of " + describe(mask));
    }
    try {
        const Mask complement = complementOf(mask, control);
        Holes(complement, extent, dualOf(objects), control).fill(mask, inside);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "fill holes: no memory for a mask of " + describe(mask));
    }
}

} // namespace pollard
