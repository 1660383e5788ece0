#include "io/volumes/volume_range.hpp"

#include "io/samples/value_rank.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <list>
#include <mutex>

namespace pollard {

namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

/// Ranges of recent volumes. A file that changed within the last seconds is not kept, because its time may not show the
/// next change.
class KnownRanges {
public:
    struct Entry {
        std::string key;
        std::uint64_t finite = 0;
        std::uint64_t low = 0; ///< bits of the sample
        std::uint64_t high = 0;
    };

    bool find(const std::string& key, Entry& found) {
        const std::scoped_lock lock(mutex_);
        const auto at = std::ranges::find(entries_, key, &Entry::key);
        if (at == entries_.end()) {
            return false;
        }
        entries_.splice(entries_.begin(), entries_, at);
        found = entries_.front();
        return true;
    }

    void add(Entry entry) {
        constexpr std::size_t kMost = 16;
        const std::scoped_lock lock(mutex_);
        entries_.push_front(std::move(entry));
        if (entries_.size() > kMost) {
            entries_.pop_back();
        }
    }

private:
    std::mutex mutex_;
    std::list<Entry> entries_;
};

KnownRanges& knownRanges() {
    static KnownRanges ranges;
    return ranges;
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
          layout.height, pages, static_cast<std::uint64_t>(sample),
          isPercentile ? std::bit_cast<std::uint64_t>(choice.low) : 0,
          isPercentile ? std::bit_cast<std::uint64_t>(choice.high) : 0}) {
        key += '\n' + std::to_string(number);
    }
    return key;
}

template <class T> std::uint64_t rawBits(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T> T fromRawBits(std::uint64_t bits) {
    T value{};
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

/// Calls @p take with spans of the chosen samples of all voxels.
template <class T, class Take> void forAllSamples(const VolumeLayout& layout, std::uint64_t pages, int sample,
                                                  const JobControl& control, const Take& take) {
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
        take(std::span<const T>(values.at<T>(0, 0), count));
        control.report(static_cast<double>(first) / static_cast<double>(voxels), "range");
    }
}

template <class T> bool isFinite(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isfinite(value);
    } else {
        return true;
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

template <class T> VolumeRange<T> rangeOfVolume(const VolumeLayout& layout, std::uint64_t pages, int sample,
                                                const MappingChoice& choice, const JobControl& control) {
    KnownRanges::Entry entry{keyOf(layout, pages, sample, choice)};
    if (!entry.key.empty() && knownRanges().find(entry.key, entry)) {
        return {entry.finite, fromRawBits<T>(entry.low), fromRawBits<T>(entry.high)};
    }
    VolumeRange<T> range{0, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    const auto forAll = [&](auto&& take) { forAllSamples<T>(layout, pages, sample, control, take); };
    forAll([&](std::span<const T> values) {
        for (const T value : values) {
            if (isFinite(value)) {
                ++range.finite;
                range.low = std::min(range.low, value);
                range.high = std::max(range.high, value);
            }
        }
    });
    if (choice.range == MappingChoice::Range::percentile && range.finite > 0) {
        const auto visit = [&](auto&& take) {
            take([&](auto&& each) {
                forAll([&](std::span<const T> values) {
                    for (const T value : values) {
                        if (isFinite(value)) {
                            each(value);
                        }
                    }
                });
            });
        };
        const auto found = quantilesOf<T, 2>(visit, {choice.low, choice.high});
        range.low = found->front();
        range.high = found->back();
    }
    if (!entry.key.empty()) {
        knownRanges().add({entry.key, range.finite, rawBits(range.low), rawBits(range.high)});
    }
    return range;
}

#define POLLARD_RANGE(T)                                                                                               \
    template VolumeRange<T> rangeOfVolume<T>(const VolumeLayout&, std::uint64_t, int, const MappingChoice&,            \
                                             const JobControl&)
POLLARD_RANGE(std::int8_t);
POLLARD_RANGE(std::int16_t);
POLLARD_RANGE(std::uint32_t);
POLLARD_RANGE(std::int32_t);
POLLARD_RANGE(std::uint64_t);
POLLARD_RANGE(std::int64_t);
POLLARD_RANGE(float);
POLLARD_RANGE(double);
#undef POLLARD_RANGE

} // namespace pollard
