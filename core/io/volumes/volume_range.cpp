#include "io/volumes/volume_range.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <list>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

/// Facts about recent volumes. A file that changed within the last seconds is not kept, because its time may not show
/// the next change.
class VolumeFactsCache {
public:
    using Facts = std::shared_ptr<ValueStatistics>;

    /// Null if there are none.
    Facts find(const std::string& key) {
        const std::scoped_lock lock(mutex_);
        const auto at = std::ranges::find(entries_, key, &Entry::key);
        if (at == entries_.end()) {
            return nullptr;
        }
        entries_.splice(entries_.begin(), entries_, at);
        return entries_.front().facts;
    }

    void add(std::string key, Facts facts) {
        constexpr std::size_t kMost = 16;
        const std::scoped_lock lock(mutex_);
        entries_.push_front({std::move(key), std::move(facts)});
        if (entries_.size() > kMost) {
            entries_.pop_back();
        }
    }

private:
    struct Entry {
        std::string key;
        Facts facts;
    };

    std::mutex mutex_;
    std::list<Entry> entries_;
};

VolumeFactsCache& volumeFactsCache() {
    static VolumeFactsCache volumes;
    return volumes;
}

/// Text that differs between volumes; empty for a file that may still change within the resolution of its time.
std::string keyOf(const VolumeLayout& layout, std::uint64_t pages, int sample, const MappingChoice& choice) {
    constexpr std::chrono::seconds kSettled{3};
    std::error_code error;
    const auto time = std::filesystem::last_write_time(layout.data.path, error);
    if (error || std::filesystem::file_time_type::clock::now() - time < kSettled) {
        return {};
    }
    std::string key = layout.data.path.string();
    const bool isPercentile = choice.range == MappingChoice::Range::percentile;
    for (const std::uint64_t number :
         {layout.data.size, static_cast<std::uint64_t>(time.time_since_epoch().count()), layout.begin, layout.skip,
          static_cast<std::uint64_t>(layout.coding), static_cast<std::uint64_t>(layout.kind),
          static_cast<std::uint64_t>(layout.bits), std::uint64_t{layout.bigEndian}, layout.samples, layout.width,
          layout.height, pages, static_cast<std::uint64_t>(sample), std::bit_cast<std::uint64_t>(layout.scale.slope),
          std::bit_cast<std::uint64_t>(layout.scale.intercept), static_cast<std::uint64_t>(choice.range),
          std::uint64_t{choice.proportional}, isPercentile ? std::bit_cast<std::uint64_t>(choice.low) : 0,
          isPercentile ? std::bit_cast<std::uint64_t>(choice.high) : 0}) {
        key += '\n' + std::to_string(number);
    }
    return key;
}

/// Calls @p take with grids of the chosen samples of all voxels.
void forAllSamples(const VolumeLayout& layout, std::uint64_t pages, int sample, const JobControl& control,
                   const std::function<void(const ValueGrid&, const ValueGaps&)>& take) {
    PageRows rows(layout, control);
    const std::uint64_t voxels = pages * layout.width * layout.height;
    const std::uint64_t most = std::min<std::uint64_t>(voxels, rows.partVoxels());
    const ValuePlan plan = layout.planOf(sample);
    ValueBuffer values(plan.type(), static_cast<std::uint32_t>(most), 1);
    GapMap gaps(values.grid().width, 1);
    ValueRows converter(plan, values, gaps);
    const int stride = static_cast<int>(layout.samples);
    for (std::uint64_t first = 0; first < voxels; first += most) {
        const auto count = static_cast<std::size_t>(std::min(most, voxels - first));
        const std::byte* samples = rows.part(first, count);
        converter.put({0, 0, count}, {{&samples, 1}, stride, 0});
        const ValueGrid grid = layout.gridOf(sample, values.grid().data, static_cast<std::uint32_t>(count), 1);
        take(grid, {{}, maskOfPadding(layout, grid)});
        control.report(static_cast<double>(first) / static_cast<double>(voxels), "range");
    }
}

} // namespace

PageRows::PageRows(const VolumeLayout& layout, const JobControl& control)
    : layout_(layout), control_(control), stream_(openSamples(layout, control)),
      partVoxels_(std::max<std::size_t>(1, kPartBytes / layout.voxelBytes())),
      swaps_(layout.bits > 8 && layout.coding != VolumeLayout::Coding::text &&
             layout.bigEndian != (std::endian::native == std::endian::big)) {}

const std::byte* PageRows::part(std::uint64_t firstVoxel, std::size_t count) {
    control_.throwIfStopped();
    const std::size_t bytes = count * layout_.voxelBytes();
    const std::size_t sampleBytes = layout_.sampleBytes();
    part_.resize(std::max(part_.size(), bytes));
    stream_->read(firstVoxel * layout_.voxelBytes(), part_.data(), bytes);
    if (swaps_) {
        for (std::byte* at = part_.data(); at != part_.data() + bytes; at += sampleBytes) {
            std::reverse(at, at + sampleBytes);
        }
    }
    return part_.data();
}

void PageRows::read(std::uint64_t page, const PixelRegion& region, const Take& take) {
    const std::uint64_t first = page * layout_.width * layout_.height;
    for (std::uint32_t y = 0; y < region.height; ++y) {
        for (std::uint32_t x = 0; x < region.width;) {
            const std::size_t count = std::min<std::size_t>(region.width - x, partVoxels_);
            take({x, y, count}, part(first + (std::uint64_t{region.y} + y) * layout_.width + region.x + x, count));
            x += static_cast<std::uint32_t>(count);
        }
    }
}

std::shared_ptr<ValueStatistics> statisticsOfVolume(const VolumeLayout& layout, std::uint64_t pages, int sample,
                                                    const MappingChoice& choice, const JobControl& control) {
    std::string key = keyOf(layout, pages, sample, choice);
    if (auto known = key.empty() ? nullptr : volumeFactsCache().find(key)) {
        return known;
    }
    auto facts = std::make_shared<ValueStatistics>();
    facts->setCountsOfParts();
    const auto add = [&](const ValueGrid& part, const ValueGaps& gaps) {
        (void)levelsOfValues(part, choice, gaps, control.withoutProgress(), facts.get());
    };
    const double zero = 0;
    const ValueGrid one = layout.gridOf(sample, &zero, 1, 1);
    collectValues(
        *facts, [&] { add(one, {}); }, [&](int) { forAllSamples(layout, pages, sample, control, add); });
    if (!key.empty()) {
        volumeFactsCache().add(std::move(key), facts);
    }
    return facts;
}

} // namespace pollard
