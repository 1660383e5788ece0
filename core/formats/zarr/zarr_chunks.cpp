#include "formats/zarr/zarr_chunks.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <tbb/enumerable_thread_specific.h>
#include <tuple>

namespace pollard {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kNone = kMost; ///< position of a chunk that a shard does not have

/// @p one * @p other, the largest number on overflow.
std::uint64_t product(std::uint64_t one, std::uint64_t other) noexcept {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(one, other, &result) ? kMost : result;
}

template <std::size_t kBytes>
void copySwapped(const std::byte* in, std::size_t stride, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i, in += stride, out += kBytes) {
        std::reverse_copy(in, in + kBytes, out);
    }
}

template <std::size_t kBytes>
void copyStrided(const std::byte* in, std::size_t stride, std::size_t count, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i, in += stride, out += kBytes) {
        std::memcpy(out, in, kBytes);
    }
}

/// A row of samples.
void copyRow(const std::byte* in, std::size_t stride, std::size_t count, std::size_t sampleBytes, bool swaps,
             std::byte* out) {
    if (!swaps && stride == sampleBytes) {
        std::memcpy(out, in, count * sampleBytes);
        return;
    }
    switch (sampleBytes) {
    case 1:
        return copyStrided<1>(in, stride, count, out);
    case 2:
        return swaps ? copySwapped<2>(in, stride, count, out) : copyStrided<2>(in, stride, count, out);
    case 4:
        return swaps ? copySwapped<4>(in, stride, count, out) : copyStrided<4>(in, stride, count, out);
    default:
        return swaps ? copySwapped<8>(in, stride, count, out) : copyStrided<8>(in, stride, count, out);
    }
}

std::uint64_t littleEndian(std::span<const std::byte> bytes, bool swapped) noexcept {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        number = number << 8U | std::to_integer<std::uint64_t>(bytes[swapped ? i : 7 - i]);
    }
    return number;
}

/// Adds 1 to the last of the numbers, with carries. @returns false after the last of all numbers
bool advance(std::span<std::uint64_t> numbers, std::span<const std::uint64_t> first,
             std::span<const std::uint64_t> last) noexcept {
    for (std::size_t axis = numbers.size(); axis-- > 0;) {
        if (numbers[axis] < last[axis]) {
            ++numbers[axis];
            return true;
        }
        numbers[axis] = first[axis];
    }
    return false;
}

} // namespace

ZarrChunks::ZarrChunks(const ZarrStore& store, ZarrArray array)
    : store_(store), array_(std::move(array)), strides_(array_.shape.size()) {
    std::size_t stride = array_.sampleBytes();
    for (std::size_t i = strides_.size(); i-- > 0;) {
        const std::size_t axis = array_.coding.order.empty() ? i : array_.coding.order[i];
        strides_[axis] = stride;
        stride *= static_cast<std::size_t>(array_.chunk[axis]);
    }
}

std::uint64_t ZarrChunks::memoryFor(int threads) const noexcept {
    constexpr std::uint64_t kBuffers = 2; // of a chunk, encoded and decoded
    return product(product(array_.chunkBytes(), kBuffers), static_cast<std::uint64_t>(threads));
}

std::uint64_t ZarrChunks::chunksOf(const ZarrBox& box) const noexcept {
    std::uint64_t chunks = 1;
    for (std::size_t axis = 0; axis < box.begin.size(); ++axis) {
        const std::uint64_t side = array_.chunk[axis];
        chunks = product(chunks, (box.begin[axis] + box.count[axis] - 1) / side - box.begin[axis] / side + 1);
    }
    return chunks;
}

void ZarrChunks::read(const ZarrBox& box, std::span<std::byte> out, const JobControl& control) const {
    const std::size_t axes = array_.shape.size();
    std::vector<std::uint64_t> first(axes);
    std::vector<std::uint64_t> sides(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        first[axis] = box.begin[axis] / array_.chunk[axis];
        sides[axis] = (box.begin[axis] + box.count[axis] - 1) / array_.chunk[axis] - first[axis] + 1;
    }
    const auto chunks = static_cast<std::size_t>(chunksOf(box));
    tbb::enumerable_thread_specific<std::unique_ptr<ZarrDecoder>> decoders(
        [] { return std::make_unique<ZarrDecoder>(); });
    std::atomic<std::size_t> done{0};
    forEachIndex(
        chunks, control,
        [&](std::size_t index) {
            std::vector<std::uint64_t> numbers(axes);
            for (std::size_t axis = axes; axis-- > 0; index /= static_cast<std::size_t>(sides[axis])) {
                numbers[axis] = first[axis] + index % sides[axis];
            }
            copy(decoded(*decoders.local(), numbers), numbers, box, out.data());
            control.report(static_cast<double>(++done) / static_cast<double>(chunks), "reading");
        },
        1);
}

/// The samples of a chunk as it stores them; empty if it is missing.
std::span<const std::byte> ZarrChunks::decoded(ZarrDecoder& decoder, std::span<const std::uint64_t> chunk) const {
    std::vector<std::uint64_t> numbers(chunk.begin(), chunk.end());
    std::size_t inShard = 0;
    if (array_.shards) {
        for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
            const std::uint64_t side = array_.shards->shape[axis] / array_.chunk[axis];
            inShard = static_cast<std::size_t>(inShard * side + numbers[axis] % side);
            numbers[axis] /= side;
        }
    }
    const std::string key = array_.keyOf(numbers);
    try {
        const std::unique_ptr<ZarrValue> value = store_.find(key);
        if (!value) {
            return {};
        }
        std::uint64_t begin = 0;
        std::uint64_t bytes = value->size();
        if (array_.shards) {
            std::tie(begin, bytes) = (*indexOf(key, *value))[inShard];
            if (begin == kNone && bytes == kNone) {
                return {};
            }
            if (begin > value->size() || bytes > value->size() - begin) {
                throw Error(ErrorCode::fileDamaged, "a chunk lies outside of the shard; copy it again");
            }
        }
        // Codecs can make bytes that hardly compress somewhat longer.
        constexpr std::uint64_t kSlack = std::uint64_t{1} << 16U;
        const std::uint64_t size = array_.chunkBytes();
        if (bytes > size + size / 8 + kSlack) {
            throw Error(ErrorCode::fileDamaged,
                        std::to_string(bytes) + " bytes for a chunk of " + std::to_string(size));
        }
        value->read(begin, decoder.input(static_cast<std::size_t>(bytes)));
        return decoder.decode(array_.coding.codecs, static_cast<std::size_t>(size));
    } catch (const Error& error) {
        throw Error(error.code(), "chunk " + key + ": " + error.what());
    }
}

std::shared_ptr<const ZarrChunks::ShardIndex> ZarrChunks::indexOf(const std::string& key,
                                                                  const ZarrValue& shard) const {
    {
        const std::scoped_lock lock(mutex_);
        const auto known = std::ranges::find(indices_, key, [](const auto& each) { return each.first; });
        if (known != indices_.end()) {
            return known->second;
        }
    }
    const ZarrShards& shards = *array_.shards;
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < array_.shape.size(); ++axis) {
        count *= static_cast<std::size_t>(shards.shape[axis] / array_.chunk[axis]);
    }
    constexpr std::size_t kEntry = 16;
    constexpr std::size_t kChecksum = 4;
    const std::size_t size = count * kEntry;
    const std::size_t stored = size + kChecksum * shards.index.codecs.size();
    if (stored > shard.size()) {
        throw Error(ErrorCode::fileDamaged, "the shard is shorter than its index; copy it again");
    }
    ZarrDecoder decoder;
    shard.read(shards.indexAtEnd ? shard.size() - stored : 0, decoder.input(stored));
    std::span<const std::byte> bytes = decoder.decode(shards.index.codecs, size);
    auto index = std::make_shared<ShardIndex>(count);
    for (auto& [position, length] : *index) {
        position = littleEndian(bytes, shards.index.bigEndian);
        length = littleEndian(bytes.subspan(8), shards.index.bigEndian);
        bytes = bytes.subspan(kEntry);
    }
    constexpr std::size_t kMostKept = 64;
    const std::scoped_lock lock(mutex_);
    if (indices_.size() >= kMostKept) {
        indices_.erase(indices_.begin());
    }
    indices_.emplace_back(key, index);
    return index;
}

/// Copies the samples of a chunk that are in the box.
void ZarrChunks::copy(std::span<const std::byte> chunk, std::span<const std::uint64_t> numbers, const ZarrBox& box,
                      std::byte* out) const {
    const std::size_t axes = array_.shape.size();
    const std::size_t bytes = array_.sampleBytes();
    std::vector<std::uint64_t> first(axes); // places in the array
    std::vector<std::uint64_t> last(axes);
    std::vector<std::size_t> steps(axes); // of the axes in the box, bytes
    std::size_t step = bytes;
    for (std::size_t axis = axes; axis-- > 0;) {
        const std::uint64_t begin = numbers[axis] * array_.chunk[axis];
        first[axis] = std::max(begin, box.begin[axis]);
        last[axis] = std::min(begin + array_.chunk[axis], box.begin[axis] + box.count[axis]) - 1;
        steps[axis] = step;
        step *= static_cast<std::size_t>(box.count[axis]);
    }
    const std::size_t x = axes - 1;
    const auto count = static_cast<std::size_t>(last[x] - first[x] + 1);
    const bool swaps = bytes > 1 && array_.coding.bigEndian != (std::endian::native == std::endian::big);
    last[x] = first[x];
    std::vector<std::uint64_t> at = first;
    do {
        std::size_t from = 0;
        std::size_t to = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            from += static_cast<std::size_t>(at[axis] - numbers[axis] * array_.chunk[axis]) * strides_[axis];
            to += static_cast<std::size_t>(at[axis] - box.begin[axis]) * steps[axis];
        }
        if (chunk.empty()) {
            copyRow(array_.fill.data(), 0, count, bytes, false, out + to);
        } else {
            copyRow(chunk.data() + from, strides_[x], count, bytes, swaps, out + to);
        }
    } while (advance(at, first, last));
}

} // namespace pollard
