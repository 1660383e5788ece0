#pragma once

#include "base/job_control.hpp"
#include "io/tiff/tile_layout.hpp"
#include "parts/picture_filter.hpp"
#include "ranks/ranks.hpp"

#include <cstdint>
#include <filesystem>

namespace pollard::mpi {

/// The working folder of a rank.
[[nodiscard]] std::filesystem::path rankFolder(const PictureFilter& request, int rank);

/// The store of the filtered tiles of a rank.
[[nodiscard]] std::filesystem::path rankTiles(const PictureFilter& request, int rank);

/// Writes the target of a request by all ranks, with the bytes of writeFiltered(): each rank copies the tiles of its
/// store. Rank 0 makes those tiles of the reduced versions that no store has, writes the directories, and gives the
/// file its name when all tiles are durable.
/// @param layout of all stores, which are closed
/// @param job of the store of this rank
/// @throws as TiledTiff and TileWriter; Cancelled
void writeByAllRanks(const PictureFilter& request, const PictureChunks& chunks, Ranks& ranks, const TileLayout& layout,
                     std::uint64_t job, const JobControl& control);

} // namespace pollard::mpi
