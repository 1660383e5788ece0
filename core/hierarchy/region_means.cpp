#include "hierarchy/region_means.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <span>

namespace pollard {

namespace {

void add(std::uint64_t& sum, std::uint64_t value) { std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed); }

} // namespace

RegionMeans::RegionMeans(const Hierarchy& hierarchy, const Image& image, const Mask* valid, const JobControl& control)
    : hierarchy_(hierarchy) {
    const Extent& extent = hierarchy.extent();
    if (image.extent() != extent) {
        throw Error(ErrorCode::invalidArgument, "means of regions: the image is not of the hierarchy's size");
    }
    constexpr std::size_t kBasinBytes = 7 * sizeof(std::uint32_t) + sizeof(Sums); // the arrays, and two of order()
    requireAvailable("means of regions: image of " + text(extent), kBasinBytes * hierarchy.basinCount());
    try {
        order(control);
        before_.resize(hierarchy.basinCount() + 1); // first the sums of the basin before a place
        const std::span<const std::uint32_t> basins = hierarchy.basins().span();
        dispatch(image.type(), [&]<class Pixel>(Pixel) {
            const std::span<const Pixel> levels = image.pixels<Pixel>();
            forEachRange(levels.size(), control, [&](std::size_t begin, std::size_t end) {
                for (std::size_t pixel = begin; pixel != end;) {
                    const std::uint32_t basin = basins[pixel];
                    Sums sums;
                    for (; pixel != end && basins[pixel] == basin; ++pixel) {
                        if (valid == nullptr || valid->test(static_cast<std::uint32_t>(pixel % extent.width),
                                                            static_cast<std::uint32_t>(pixel / extent.width))) {
                            sums.levels += levels[pixel];
                            ++sums.pixels;
                        }
                    }
                    add(before_[place_[basin] + std::size_t{1}].levels, sums.levels);
                    add(before_[place_[basin] + std::size_t{1}].pixels, sums.pixels);
                }
            });
        });
        for (std::size_t i = 1; i < before_.size(); ++i) {
            before_[i].levels += before_[i - 1].levels;
            before_[i].pixels += before_[i - 1].pixels;
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "means of regions: not enough memory for an image of " + text(hierarchy.extent()));
    }
}

void RegionMeans::order(const JobControl& control) {
    const std::span<const Hierarchy::Join> joins = hierarchy_.joins();
    const std::size_t basins = joins.size();
    std::vector<std::uint32_t> inOrder(hierarchy_.strengths().size()); // the basin that joins at each merge
    for (std::uint32_t basin = 0; basin < basins; ++basin) {
        if (joins[basin].merge != Hierarchy::kNoMerge) {
            inOrder[joins[basin].merge] = basin;
        }
    }
    behind_.resize(basins);
    count_.assign(basins, 1);
    first_.resize(basins + 1);
    control.throwIfStopped();
    for (const std::uint32_t basin : inOrder) { // all that join a basin precede its own merge
        const std::uint32_t into = joins[basin].into;
        behind_[basin] = count_[into];
        count_[into] += count_[basin];
        ++first_[into + std::size_t{1}];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) {
        first_[i] += first_[i - 1];
    }
    control.throwIfStopped();
    joining_.resize(inOrder.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const std::uint32_t basin : inOrder) {
        joining_[next[joins[basin].into]++] = basin;
    }
    control.throwIfStopped();
    place_.resize(basins);
    std::uint32_t free = 0;
    for (std::uint32_t basin = 0; basin < basins; ++basin) {
        if (joins[basin].merge == Hierarchy::kNoMerge) {
            place_[basin] = free;
            free += count_[basin];
        }
    }
    std::for_each(inOrder.rbegin(), inOrder.rend(),
                  [&](std::uint32_t basin) { place_[basin] = place_[joins[basin].into] + behind_[basin]; });
}

std::uint32_t RegionMeans::of(std::uint32_t basin, std::uint32_t merges) const {
    const std::span<const std::uint32_t> all =
        std::span(joining_).subspan(first_[basin], first_[basin + std::size_t{1}] - first_[basin]);
    const auto joined = std::ranges::partition_point(
        all, [&](std::uint32_t other) { return hierarchy_.joins()[other].merge < merges; });
    const std::uint32_t count = joined == all.end() ? count_[basin] : behind_[*joined];
    const Sums& before = before_[place_[basin]];
    const Sums& after = before_[std::size_t{place_[basin]} + count];
    const std::uint64_t pixels = after.pixels - before.pixels;
    return pixels == 0 ? 0 : static_cast<std::uint32_t>((after.levels - before.levels) / pixels);
}

} // namespace pollard
