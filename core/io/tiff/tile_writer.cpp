#include "io/tiff/tile_writer.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/tiff/pending_tiff.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace pollard {

std::vector<TileKey> tilesIn(const TileStore& store) {
    std::vector<TileKey> tiles;
    for (std::uint32_t level = 0; level < store.layout().levels(); ++level) {
        for (std::uint64_t number = 0; number < store.layout().tilesAt(level); ++number) {
            if (store.has({level, number})) {
                tiles.push_back({level, number});
            }
        }
    }
    return tiles;
}

TileWriter::TileWriter(const std::filesystem::path& file, std::filesystem::path target)
    : target_(std::move(target)), descriptor_(::open(file.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
        fail(std::strerror(errno));
    }
}

TileWriter::~TileWriter() { ::close(descriptor_); }

void TileWriter::copy(const TileStore& store, std::span<const std::uint64_t> places, const JobControl& control) {
    const std::vector<TileKey> tiles = tilesIn(store);
    if (tiles.size() != places.size()) {
        throw Error(ErrorCode::invalidArgument, "cannot write tiled TIFF: " + target_.string() + ": " +
                                                    std::to_string(places.size()) + " places for " +
                                                    std::to_string(tiles.size()) + " tiles");
    }
    std::atomic<std::size_t> done{0};
    forEachIndex(
        tiles.size(), control,
        [&](std::size_t i) {
            control.throwIfStopped();
            std::uint64_t at = places[i];
            const std::vector<std::byte> stored = at == 0 ? std::vector<std::byte>() : store.readStored(tiles[i]);
            std::span<const std::byte> left = stored;
            while (!left.empty()) {
                const ssize_t written = ::pwrite(descriptor_, left.data(), left.size(), static_cast<off_t>(at));
                if (written < 0 && errno == EINTR) {
                    continue;
                }
                if (written <= 0) {
                    fail(std::strerror(errno));
                }
                at += static_cast<std::uint64_t>(written);
                left = left.subspan(static_cast<std::size_t>(written));
            }
            control.report(static_cast<double>(++done) / static_cast<double>(tiles.size()), "writing");
        },
        1);
}

void TileWriter::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
        fail(std::strerror(errno));
    }
}

void TileWriter::fail(const char* why) const {
    throw Error(ErrorCode::writeFailed, std::string(kWriteTiff) + ": " + target_.string() + ": " + why);
}

} // namespace pollard
