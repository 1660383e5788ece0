#pragma once

#include "formats/zarr/zarr_codecs.hpp"
#include "formats/zarr/zarr_store.hpp"
#include "io/samples/row_sink.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// How the samples of a chunk are encoded.
struct ZarrCoding {
    /// Axes of the array in the order in which chunks store them, the slowest first; empty: the order of the array.
    std::vector<std::size_t> order;
    bool bigEndian = false;
    std::vector<ZarrCodec> codecs; ///< the first one is applied first when chunks are written
};

/// Chunks that are stored together, with an index of their positions.
struct ZarrShards {
    std::vector<std::uint64_t> shape; ///< of a shard; multiples of the chunks' sides
    ZarrCoding index;                 ///< with no other codec than CRC-32C
    bool indexAtEnd = true;
};

/// An array by its metadata in Zarr 2 or 3.
struct ZarrArray {
    static constexpr std::size_t kMostAxes = 8;

    std::string path;                 ///< in the store
    std::vector<std::uint64_t> shape; ///< 2 to kMostAxes sides, none 0
    std::vector<std::uint64_t> chunk; ///< sides of a chunk, which is decoded as a whole
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8;                       ///< 8, 16, 32 or 64
    std::array<std::byte, 8> fill{};    ///< sample of missing chunks, in host byte order, at the front
    std::string keyPrefix;              ///< before the numbers of a chunk
    char separator = '.';               ///< between the numbers of a chunk
    ZarrCoding coding;                  ///< of a chunk
    std::optional<ZarrShards> shards;   ///< if set, keys name files of shards
    std::vector<std::string> axisNames; ///< one for each axis, or none

    [[nodiscard]] std::size_t sampleBytes() const noexcept { return static_cast<std::size_t>(bits) / 8; }
    [[nodiscard]] std::size_t chunkBytes() const noexcept; ///< decoded; at most 2 GB
    /// Key of the file with a chunk, or of a shard.
    [[nodiscard]] std::string keyOf(std::span<const std::uint64_t> numbers) const;
};

/// A group or an array of a store.
struct ZarrNode {
    int version = 2; ///< of Zarr, 2 or 3
    std::string path;
    std::string metadataKey;   ///< for messages
    nlohmann::json metadata;   ///< of an array, or of a group of Zarr 3
    nlohmann::json attributes; ///< an object
    bool isArray = false;
};

/// The node at a path; nothing if there is none.
/// @throws Error(invalidArgument) for metadata that are no JSON; as textOfKey()
[[nodiscard]] std::optional<ZarrNode> readZarrNode(const ZarrStore& store, const std::string& path);

/// @throws Error(invalidArgument) for wrong metadata, Error(formatUnsupported, limitExceeded), all naming the key
[[nodiscard]] ZarrArray zarrArrayOf(const ZarrNode& node);

} // namespace pollard
