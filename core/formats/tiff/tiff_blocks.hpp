#pragma once

#include "formats/tiff/tiff_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// Decodes strips and tiles through one handle, on one thread.
class TiffBlockDecoder {
public:
    /// All arguments must outlive this object.
    TiffBlockDecoder(const SourceFile& source, const TiffHandle& handle, const TiffFacts& facts,
                     const TiffStorage& storage);
    ~TiffBlockDecoder();
    TiffBlockDecoder(const TiffBlockDecoder&) = delete;
    TiffBlockDecoder& operator=(const TiffBlockDecoder&) = delete;

    /// Decodes the first @p rows rows of a strip or all of a tile. Blocks omitted from the file become 0.
    /// @return false if the block is omitted
    /// @throws Error(fileDamaged) if data is missing
    bool decodeBlock(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels);

    /// Decodes one row of the image; only for strips, per strip in ascending order from nextRow(), without gaps.
    /// @throws Error(fileDamaged)
    void decodeRow(std::uint32_t y, int plane, std::vector<std::byte>& pixels);

    /// The first row that has to be decoded for row @p wanted of a strip whose first row is @p top: that row where rows
    /// can be decoded in any order, else the one after the last decoded row of the strip, if it is above, else @p top.
    [[nodiscard]] std::uint32_t nextRow(std::uint32_t strip, std::uint32_t top, std::uint32_t wanted) const;

    [[nodiscard]] bool isMissing(std::uint32_t block) const;
    /// Whether rows of a strip can be decoded individually.
    [[nodiscard]] static bool canDecodeRows(const TiffFacts& facts) noexcept;

private:
    struct Rgba;

    [[noreturn]] void fail(const std::string& where) const;
    void require(bool complete, const std::string& where) const;
    [[nodiscard]] std::string nameOf(std::uint32_t block) const;
    void chooseDecoder(std::uint32_t block);
    void decodeRgba(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels);
    [[nodiscard]] bool samePixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                  std::size_t bytes) const;
    void verifyFax(std::uint32_t block, const std::vector<std::byte>& pixels, std::size_t bytes);

    const SourceFile& source_;
    TIFF* tiff_;
    TiffMessages& messages_;
    const TiffFacts& facts_;
    const TiffStorage& storage_;
    bool deflate_ = false;
    int fastSubcodec_ = 0;
    std::unique_ptr<Rgba> rgba_;
    std::vector<std::byte> stream_; ///< a fax block, as stored
    std::vector<std::byte> again_;  ///< a fax block, decoded again
};

} // namespace pollard
