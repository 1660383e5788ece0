#include "parts/chunk/pixel_sums.hpp"

#include "base/parallel.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace pollard {

namespace {

/// Sums of i^0 .. i^3 for i in [0, end).
struct PowerSums {
    UInt128 ones, first, second, third;

    explicit PowerSums(std::uint64_t end) noexcept
        : ones(end), first(end == 0 ? 0 : ones * (ones - 1) / 2),
          second(end == 0 ? 0 : (ones - 1) * ones * (2 * ones - 1) / 6), third(first * first) {}
    PowerSums(std::uint64_t begin, std::uint64_t end) noexcept : PowerSums(end) {
        const PowerSums before(begin);
        ones -= before.ones;
        first -= before.first;
        second -= before.second;
        third -= before.third;
    }
};

/// A stretch of a row of the whole picture: pixels [left, right) of row y of slice z.
struct Run {
    std::uint32_t left, right, y, z;
};

MomentTotals::Value momentsOf(const Run& run, const PowerSums& x) noexcept {
    const UInt128 y = run.y;
    return {x.first, x.ones * y, x.second, x.first * y, x.ones * y * y};
}
ThirdMomentTotals::Value thirdMomentsOf(const Run& run, const PowerSums& x) noexcept {
    const UInt128 y = run.y;
    return {x.third, x.second * y, x.first * y * y, x.ones * y * y * y};
}

/// Pixels of a run in the first or last row or column of the picture.
std::uint64_t borderPixels(const Run& run, const Extent& whole) noexcept {
    if (run.y == 0 || run.y + 1 == whole.height) {
        return run.right - run.left;
    }
    const std::uint64_t atLeft = run.left == 0 ? 1 : 0;
    const std::uint64_t atRight = run.right == whole.width && whole.width > 1 ? 1 : 0;
    return atLeft + atRight;
}

/// Changes of perimeter and Euler number by the pixels of a picture, in the order of falling heights and then of the
/// raster.
class OutlineChanges {
public:
    OutlineChanges(const PartJob& job, const ChunkBox& box, const Image& surroundings)
        : job_(job), image_(surroundings), x_(box.x > 0 ? box.x - 1 : 0), y_(box.y > 0 ? box.y - 1 : 0),
          eight_(job.connectivity == Connectivity::eight) {}

    [[nodiscard]] OutlineTotals::Value of(const Run& run) const {
        OutlineTotals::Value sum{};
        for (std::uint32_t x = run.left; x < run.right; ++x) {
            const unsigned before = neighboursBefore(x, run.y);
            sum.perimeter += perimeterChange(before);
            sum.euler += eulerChange(before, eight_);
        }
        return sum;
    }

private:
    /// Bits as in eulerChange().
    [[nodiscard]] unsigned neighboursBefore(std::uint32_t x, std::uint32_t y) const noexcept {
        struct Step {
            int x, y;
            bool later; ///< in raster order
        };
        static constexpr std::array<Step, 8> kSteps{{{1, 0, true},
                                                     {1, 1, true},
                                                     {0, 1, true},
                                                     {-1, 1, true},
                                                     {-1, 0, false},
                                                     {-1, -1, false},
                                                     {0, -1, false},
                                                     {1, -1, false}}};
        const Extent& whole = job_.grid.whole();
        const int own = heightAt(x, y);
        unsigned bits = 0;
        for (unsigned i = 0; i < kSteps.size(); ++i) {
            const std::uint32_t nx = x + static_cast<std::uint32_t>(kSteps[i].x); // wraps around below 0
            const std::uint32_t ny = y + static_cast<std::uint32_t>(kSteps[i].y);
            if (nx >= whole.width || ny >= whole.height) {
                continue;
            }
            const int other = heightAt(nx, ny);
            bits |= static_cast<unsigned>(kSteps[i].later ? other > own : other >= own) << i;
        }
        return bits;
    }

    [[nodiscard]] int heightAt(std::uint32_t x, std::uint32_t y) const noexcept {
        return job_.height(image_.level(std::size_t{y - y_} * image_.width() + (x - x_)));
    }

    const PartJob& job_;
    const Image& image_;
    std::uint32_t x_;
    std::uint32_t y_;
    bool eight_;
};

} // namespace

void joinPixels(const PartJob& job, const ChunkBox& box, const Image& image, const Image* surroundings,
                const ComponentTree& tree, const OpenNodes& open, Summaries& own, const JobControl& control) {
    const bool needsRuns = own.has<SquareTotal>() || own.has<BoundingBox>() || own.has<MomentTotals>() ||
                           own.has<ThirdMomentTotals>() || own.has<OutlineTotals>() || own.has<BorderCount>() ||
                           own.has<FirstPixel>();
    if (!needsRuns) {
        return;
    }
    std::optional<OutlineChanges> outline;
    if (own.has<OutlineTotals>()) {
        outline.emplace(job, box, *surroundings);
    }
    constexpr std::size_t kLocks = 1024;
    std::vector<std::mutex> locks(kLocks); // of the nodes with equal remainders
    const auto joinRun = [&](std::uint32_t node, const Run& run, std::size_t pixel) {
        const PowerSums x(run.left, run.right);
        UInt128 squares = 0;
        if (own.has<SquareTotal>()) {
            for (std::size_t i = 0; i < run.right - run.left; ++i) {
                const std::uint64_t level = image.level(pixel + i);
                squares += level * level;
            }
        }
        const OutlineTotals::Value changes = outline ? outline->of(run) : OutlineTotals::Value{};
        const std::scoped_lock lock(locks[node % kLocks]);
        const auto join = [&]<class Kind>(Kind, const typename Kind::Value& value) {
            if (own.has<Kind>()) {
                Kind::join(own.of<Kind>()[node], value);
            }
        };
        join(SquareTotal{}, squares);
        join(BoundingBox{}, {run.left, run.y, run.z, run.right - 1, run.y, run.z});
        join(MomentTotals{}, momentsOf(run, x));
        join(ThirdMomentTotals{}, thirdMomentsOf(run, x));
        join(OutlineTotals{}, changes);
        join(BorderCount{}, borderPixels(run, job.grid.whole()));
        join(FirstPixel{}, job.grid.pixel(run.left, run.y, run.z));
    };
    const Extent& extent = box.extent;
    constexpr std::size_t kRowsPerTask = 16;
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            const std::size_t start = row * extent.width;
            const auto y = box.y + static_cast<std::uint32_t>(row % extent.height);
            const auto z = box.z + static_cast<std::uint32_t>(row / extent.height);
            for (std::uint32_t x = 0; x < extent.width;) {
                const std::uint32_t node = open.nearest(tree.pixelNode[start + x]);
                const std::uint32_t left = x++;
                while (x < extent.width && open.nearest(tree.pixelNode[start + x]) == node) {
                    ++x;
                }
                joinRun(node, {box.x + left, box.x + x, y, z}, start + left);
            }
        },
        kRowsPerTask);
}

} // namespace pollard
