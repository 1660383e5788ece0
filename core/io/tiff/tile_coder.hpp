#pragma once

#include "io/tiff/tile_layout.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pollard {

/// Encodes and decodes the pixels of single tiles as libtiff stores them in a file. For one thread at a time.
class TileCoder {
public:
    /// @param layout valid, see TileLayout::problem()
    explicit TileCoder(const TileLayout& layout);
    ~TileCoder();
    TileCoder(TileCoder&&) noexcept;
    TileCoder& operator=(TileCoder&&) noexcept;

    /// The stored bytes of a tile, the same for the same pixels.
    /// @param pixels layout.tileBytes() bytes
    /// @throws Error(writeFailed) with libtiff's reason
    [[nodiscard]] std::vector<std::byte> encode(std::span<const std::byte> pixels);

    /// The pixels of a tile. Leaves @p stored as it is.
    /// @param pixels receives layout.tileBytes() bytes
    /// @throws Error(fileDamaged) with libtiff's reason
    void decode(std::span<const std::byte> stored, std::span<std::byte> pixels);

private:
    class Writing;

    TileLayout layout_;
    std::unique_ptr<Writing> encoding_;
    std::unique_ptr<Writing> decoding_;
};

} // namespace pollard
