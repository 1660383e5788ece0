#pragma once

#include "base/job_control.hpp"
#include "io/tiff/tile_store.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

/// All tiles that a store has, ascending by level and number.
[[nodiscard]] std::vector<TileKey> tilesIn(const TileStore& store);

/// Copies stored tiles to their places in a file that other threads and processes write, too, each at places of its
/// own; see TiledTiff.
class TileWriter {
public:
    /// @param file that is there @param target its later name, for messages @throws Error(writeFailed)
    TileWriter(const std::filesystem::path& file, std::filesystem::path target);
    ~TileWriter();
    TileWriter(const TileWriter&) = delete;
    TileWriter& operator=(const TileWriter&) = delete;

    /// Copies the tiles of a store as they are stored, in parallel on the threads of the arena.
    /// @param places offset in the file per tile of tilesIn(); 0 leaves the tile out
    /// @throws Error(invalidArgument) for another number of places; exceptions of TileStore::readStored();
    /// Error(writeFailed); Cancelled
    void copy(const TileStore& store, std::span<const std::uint64_t> places, const JobControl& control);

    /// Makes the copied tiles durable. @throws Error(writeFailed)
    void sync();

private:
    [[noreturn]] void fail(const char* why) const;

    std::filesystem::path target_;
    int descriptor_;
};

} // namespace pollard
