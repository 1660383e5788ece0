#include "components/fill_holes.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "components/run_bands.hpp"
#include "image/mask_runs.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerBand = 256;
constexpr std::size_t kRunsBetweenStops = std::size_t{1} << 20U;

template <class Work> void forEachBand(std::uint32_t height, const JobControl& control, const Work& work) {
    const std::uint32_t bands = (height + kRowsPerBand - 1) / kRowsPerBand;
    tbb::parallel_for(std::uint32_t{0}, bands, [&](std::uint32_t band) {
        control.throwIfStopped();
        const std::uint32_t first = band * kRowsPerBand;
        work(first, height - first > kRowsPerBand ? first + kRowsPerBand : height);
    });
}

/// The unset pixels.
Mask complementOf(const Mask& mask, const JobControl& control) {
    Mask complement(mask.width(), mask.height(), false);
    forEachBand(mask.height(), control, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t y = begin; y < end; ++y) {
            forEachRun(mask, y, false,
                       [&](std::uint32_t first, std::uint32_t last) { complement.setRun(first, last, y, true); });
        }
    });
    return complement;
}

/// Components of the complement, divided into holes and others.
class Holes {
public:
    Holes(const Mask& complement, Connectivity connectivity, const JobControl& control)
        : control_(control), width_(complement.width()), height_(complement.height()), forest_(complement, control) {
        forEachBand(height_, control, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t y = begin + 1; y < end; ++y) {
                forest_.joinWithRowAbove(y, connectivity, nullptr);
            }
        });
        for (std::uint32_t y = kRowsPerBand; y < height_; y += kRowsPerBand) {
            control.throwIfStopped();
            forest_.joinWithRowAbove(y, connectivity, nullptr);
        }
        findRoots();
    }

    void fill(Mask& mask, const Mask* inside) {
        forEachBand(height_, control_, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t y = begin; y < end; ++y) {
                findOpen(y, inside);
            }
        });
        forEachBand(height_, control_, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t y = begin; y < end; ++y) {
                for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
                    if (open_[root_[i]] == 0) {
                        mask.setRun(forest_.run(i).first, forest_.run(i).last, y, true);
                    }
                }
            }
        });
    }

private:
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
    void findOpen(std::uint32_t y, const Mask* inside) {
        const std::size_t end = forest_.rowStart(y + 1);
        const bool atBorder = y == 0 || y + 1 == height_;
        for (std::size_t i = forest_.rowStart(y); i < end; ++i) {
            if (atBorder || forest_.run(i).first == 0 || forest_.run(i).last == width_) {
                markOpen(i);
            }
        }
        if (inside == nullptr) {
            return;
        }
        std::size_t next = forest_.rowStart(y);
        forEachRun(*inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
            while (next < end && forest_.run(next).last <= first) {
                ++next;
            }
            for (std::size_t i = next; i < end && forest_.run(i).first < last; ++i) {
                markOpen(i);
            }
        });
    }
    void markOpen(std::size_t run) {
        std::atomic_ref(open_[root_[run]]).store(1, std::memory_order_relaxed); // other bands may mark it too
    }

    const JobControl& control_;
    std::uint32_t width_;
    std::uint32_t height_;
    RunForest forest_;
    Buffer<std::uint32_t> root_;     ///< per run
    std::vector<std::uint8_t> open_; ///< by root: 1 if it is not a hole
};

} // namespace

void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control) {
    const auto describe = [](const Mask& each) {
        return std::to_string(each.width()) + " x " + std::to_string(each.height()) + " px";
    };
    if (inside != nullptr && (inside->width() != mask.width() || inside->height() != mask.height())) {
        throw Error(ErrorCode::invalidArgument,
                    "fill holes: a region of " + describe(*inside) + " does not fit a mask of " + describe(mask));
    }
    try {
        const Mask complement = complementOf(mask, control);
        const Connectivity dual = objects == Connectivity::four ? Connectivity::eight : Connectivity::four;
        Holes(complement, dual, control).fill(mask, inside);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "fill holes: no memory for a mask of " + describe(mask));
    }
}

} // namespace pollard
