// Any values of a Zarr store: an error in one line, or an image whose samples can be read. The input has records of a
// key, a line break, the number of bytes in two bytes, little-endian, and the bytes.
#include "promise.hpp"
#include "support/zarr_memory.hpp"

#include "base/error.hpp"
#include "formats/zarr/ome_zarr.hpp"
#include "formats/zarr/zarr_chunks.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace pollard;
using fuzz::require;

void fill(std::string_view input, test::MemoryStore& store) {
    while (!input.empty()) {
        const std::size_t line = input.find('\n');
        if (line == std::string_view::npos || input.size() - line < 3) {
            return;
        }
        const std::string key(input.substr(0, line));
        const auto low = static_cast<unsigned char>(input[line + 1]);
        const auto high = static_cast<unsigned char>(input[line + 2]);
        input.remove_prefix(line + 3);
        const std::size_t size = std::min<std::size_t>(low | high << 8U, input.size());
        store.values[key] = std::string(input.substr(0, size));
        input.remove_prefix(size);
    }
}

/// Reads a box at the end of a level.
void read(const ZarrStore& store, const ZarrArray& array) {
    constexpr std::uint64_t kMostSide = 24;
    constexpr std::uint64_t kMostBytes = 1U << 20U;
    const ZarrChunks chunks(store, array);
    ZarrBox box{array.shape, array.shape};
    std::uint64_t bytes = array.sampleBytes();
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
        box.count[axis] = std::min(array.shape[axis], kMostSide);
        box.begin[axis] = array.shape[axis] - box.count[axis];
        bytes *= box.count[axis];
    }
    require(array.chunkBytes() > 0, "chunks of samples");
    if (array.chunkBytes() > kMostBytes || bytes > kMostBytes || chunks.chunksOf(box) > 4096) {
        return;
    }
    std::vector<std::byte> samples(bytes);
    chunks.read(box, samples, {});
    const auto ones = std::ranges::count(samples, std::byte{1}); // touches all, so that unset bytes are found
    require(static_cast<std::uint64_t>(ones) <= bytes, "as many samples as the box has");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    test::MemoryStore store;
    fill({reinterpret_cast<const char*>(data), size}, store);
    try {
        const OmeZarrImage image = readOmeZarr(store);
        require(!image.levels.empty() && image.axes.size() == image.levels.front().array.shape.size(),
                "an axis for each side");
        require(image.axes[image.axes.size() - 1].name == 'x' && image.axes[image.axes.size() - 2].name == 'y',
                "y and x at the end");
        for (const OmeZarrImage::Level& level : image.levels) {
            require(level.array.chunk.size() == level.array.shape.size(), "a side of a chunk for each axis");
            require(level.scale.empty() || level.scale.size() == level.array.shape.size(), "a step for each axis");
            read(store, level.array);
        }
        const OmeZarrList list = readOmeZarrList(store);
        require(list.paths.empty() == list.title.empty(), "a list has a title");
    } catch (const Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
