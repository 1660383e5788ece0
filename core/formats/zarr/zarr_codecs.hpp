#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// A codec of Zarr from bytes to bytes.
enum class ZarrCodec : std::uint8_t {
    deflate, ///< gzip or zlib
    zstd,
    lz4, ///< a block preceded by its decoded length, as in numcodecs
    blosc,
    crc32c, ///< a checksum after the bytes
};

enum class Deflate : std::uint8_t { any /*!< gzip members or a zlib stream */, raw };

/// Decodes into the front of @p out. @returns the decoded bytes
/// @throws Error(fileDamaged) for damaged or more bytes
[[nodiscard]] std::size_t inflated(std::span<const std::byte> in, std::span<std::byte> out, Deflate form);

/// CRC-32C of bytes. (RFC 3720, appendix B.4)
[[nodiscard]] std::uint32_t crc32cOf(std::span<const std::byte> bytes) noexcept;

/// Decodes chunks; reuses memory for the next chunk. Not thread-safe.
class ZarrDecoder {
public:
    ZarrDecoder();
    ~ZarrDecoder();
    ZarrDecoder(const ZarrDecoder&) = delete;
    ZarrDecoder& operator=(const ZarrDecoder&) = delete;

    /// Memory for @p size encoded bytes, valid until the next call.
    [[nodiscard]] std::span<std::byte> input(std::size_t size);
    /// Decodes the input with the codecs, given in the order in which they were applied for encoding.
    /// @returns exactly @p size bytes, valid until the next call of input()
    /// @throws Error(fileDamaged) for damaged bytes or another size
    [[nodiscard]] std::span<const std::byte> decode(std::span<const ZarrCodec> codecs, std::size_t size);

private:
    struct Zstd;

    [[nodiscard]] std::size_t apply(ZarrCodec codec, std::span<const std::byte> in, std::span<std::byte> out);

    std::unique_ptr<Zstd> zstd_;
    Buffer<std::byte> bytes_[2]; ///< before and after a codec
    std::size_t size_ = 0;       ///< of the input
};

/// Compresses bytes by Blosc with Zstandard, with the bytes of samples shuffled. @param bytes at most 2 GB
/// @throws std::bad_alloc
[[nodiscard]] std::vector<std::byte> bloscCompressed(std::span<const std::byte> bytes, std::size_t sampleBytes);

} // namespace pollard
