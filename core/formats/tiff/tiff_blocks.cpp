#include "formats/tiff/tiff_blocks.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>

namespace pollard {

namespace {

bool isFax(const TiffFacts& facts) {
    return facts.compression >= COMPRESSION_CCITTRLE && facts.compression <= COMPRESSION_CCITTFAX4;
}

} // namespace

/// libtiff's conversion of whole blocks to 8-bit RGB.
struct TiffBlockDecoder::Rgba {
    TIFFRGBAImage image{};
    bool begun = false;
    std::vector<std::uint32_t> raster;

    Rgba() = default;
    Rgba(const Rgba&) = delete;
    Rgba& operator=(const Rgba&) = delete;
    ~Rgba() {
        if (begun) {
            TIFFRGBAImageEnd(&image);
        }
    }
};

TiffBlockDecoder::TiffBlockDecoder(const SourceFile& source, const TiffHandle& handle, const TiffFacts& facts,
                                   const TiffStorage& storage)
    : source_(source), tiff_(handle.get()), messages_(handle.messages()), facts_(facts), storage_(storage) {
    messages_.clear();
    deflate_ = TIFFGetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC, &fastSubcodec_) == 1;
    if (facts.viaRgba) {
        rgba_ = std::make_unique<Rgba>();
        std::array<char, 1024> why{};
        rgba_->begun = TIFFRGBAImageBegin(&rgba_->image, tiff_, 1, why.data()) == 1;
        if (!rgba_->begun) {
            throw readError(ErrorCode::fileDamaged, source.path,
                            std::string("the colours cannot be decoded: ") + why.data());
        }
        rgba_->image.req_orientation = rgba_->image.orientation; // keeps the stored order of rows and columns
    }
}

TiffBlockDecoder::~TiffBlockDecoder() = default;

bool TiffBlockDecoder::canDecodeRows(const TiffFacts& facts) noexcept {
    return !facts.tiled && !facts.viaRgba && !isFax(facts) && facts.compression != COMPRESSION_JBIG;
}

void TiffBlockDecoder::fail(const std::string& where) const {
    throw readError(ErrorCode::fileDamaged, source_.path,
                    where + " cannot be decoded" + (messages_.firstDamage.empty() ? "" : ": " + messages_.firstDamage));
}

void TiffBlockDecoder::require(bool complete, const std::string& where) const {
    if (!complete || !messages_.firstDamage.empty()) {
        fail(where);
    }
}

std::string TiffBlockDecoder::nameOf(std::uint32_t block) const {
    return (facts_.tiled ? "tile " : "strip ") + std::to_string(block);
}

bool TiffBlockDecoder::isMissing(std::uint32_t block) const {
    return storage_.missing != 0 && TIFFGetStrileByteCount(tiff_, block) == 0;
}

/// libdeflate, which libtiff prefers, reads zeros past the end of a stream, so that a slightly truncated stream can
/// give wrong last pixels without an error. Truncation affects the last block of the file, which zlib decodes.
void TiffBlockDecoder::chooseDecoder(std::uint32_t block) {
    if (deflate_) {
        TIFFSetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC,
                     block == storage_.lastInFile ? DEFLATE_SUBCODEC_ZLIB : fastSubcodec_);
    }
}

bool TiffBlockDecoder::decodeBlock(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels) {
    messages_.clear(); // from an earlier failed block
    const std::size_t bytes = facts_.blockRowBytes() * (facts_.tiled ? facts_.blockHeight : rows);
    pixels.resize(bytes);
    if (isMissing(block)) {
        std::fill(pixels.begin(), pixels.end(), std::byte{0});
        return false;
    }
    if (rgba_) {
        decodeRgba(block, rows, pixels);
        return true;
    }
    chooseDecoder(block);
    if (isFax(facts_)) {
        std::fill(pixels.begin(), pixels.end(), std::byte{0});
    }
    const auto expected = static_cast<tmsize_t>(bytes);
    const tmsize_t got = facts_.tiled ? TIFFReadEncodedTile(tiff_, block, pixels.data(), expected)
                                      : TIFFReadEncodedStrip(tiff_, block, pixels.data(), expected);
    require(got == expected, nameOf(block));
    if (isFax(facts_)) {
        verifyFax(block, pixels, bytes);
    }
    return true;
}

void TiffBlockDecoder::decodeRow(std::uint32_t y, int plane, std::vector<std::byte>& pixels) {
    messages_.clear();
    messages_.nextRow = 0;
    pixels.resize(facts_.blockRowBytes());
    const int got = TIFFReadScanline(tiff_, pixels.data(), y, static_cast<std::uint16_t>(plane));
    require(got == 1, "row " + std::to_string(y));
    messages_.nextRow = y + 1;
}

std::uint32_t TiffBlockDecoder::nextRow(std::uint32_t strip, std::uint32_t top, std::uint32_t wanted) const {
    if (facts_.compression == COMPRESSION_NONE) {
        return std::max(wanted, top);
    }
    const std::uint32_t next = messages_.nextRow;
    const bool isIn = next == TIFFCurrentRow(tiff_) && TIFFCurrentStrip(tiff_) == strip;
    return isIn && next > top && next <= wanted ? next : top;
}

void TiffBlockDecoder::decodeRgba(std::uint32_t block, std::uint32_t rows, std::vector<std::byte>& pixels) {
    const std::uint32_t left = block % facts_.blocksAcross() * facts_.blockWidth;
    const std::uint32_t top = block / facts_.blocksAcross() * facts_.blockHeight;
    const std::uint32_t width = std::min(facts_.blockWidth, facts_.width - left);
    rgba_->raster.resize(std::size_t{width} * rows);
    rgba_->image.row_offset = static_cast<int>(top);
    rgba_->image.col_offset = static_cast<int>(left);
    require(TIFFRGBAImageGet(&rgba_->image, rgba_->raster.data(), width, rows) == 1, nameOf(block));
    const std::size_t rowBytes = facts_.blockRowBytes();
    for (std::uint32_t y = 0; y < rows; ++y) {
        std::byte* out = pixels.data() + y * rowBytes;
        for (std::uint32_t x = 0; x < width; ++x, out += 4) {
            const std::uint32_t colour = rgba_->raster[std::size_t{y} * width + x];
            out[0] = static_cast<std::byte>(TIFFGetR(colour));
            out[1] = static_cast<std::byte>(TIFFGetG(colour));
            out[2] = static_cast<std::byte>(TIFFGetB(colour));
            out[3] = static_cast<std::byte>(TIFFGetA(colour));
        }
    }
}

/// Compares a block in two buffers, except the padding bits of rows.
bool TiffBlockDecoder::samePixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                                  std::size_t bytes) const {
    const std::size_t rowBytes = facts_.blockRowBytes();
    const std::uint64_t rowBits =
        std::uint64_t{facts_.blockWidth} * static_cast<unsigned>(facts_.decodedBits * facts_.samplesPerBlock());
    const auto unused = static_cast<unsigned>(rowBytes * 8 - rowBits);
    for (std::size_t begin = 0; begin < bytes; begin += rowBytes) {
        const std::size_t last = begin + rowBytes - 1;
        const auto from = a.begin() + static_cast<std::ptrdiff_t>(begin);
        if (!std::equal(from, from + static_cast<std::ptrdiff_t>(rowBytes - 1),
                        b.begin() + static_cast<std::ptrdiff_t>(begin)) ||
            ((a[last] ^ b[last]) >> unused) != std::byte{0}) {
            return false;
        }
    }
    return true;
}

/// Fax streams have neither length nor checksum; if one ends early, libtiff silently pads the row or leaves rows
/// unchanged. A complete stream gives the same pixels for any bytes after it and in the buffer, so it is decoded again
/// with different ones.
void TiffBlockDecoder::verifyFax(std::uint32_t block, const std::vector<std::byte>& pixels, std::size_t bytes) {
    constexpr std::size_t kPadding = 64;
    const auto stored = static_cast<tmsize_t>(TIFFGetStrileByteCount(tiff_, block));
    stream_.assign(static_cast<std::size_t>(stored) + kPadding, std::byte{0xff});
    again_.assign(pixels.size(), std::byte{0xff});
    const tmsize_t got = facts_.tiled ? TIFFReadRawTile(tiff_, block, stream_.data(), stored)
                                      : TIFFReadRawStrip(tiff_, block, stream_.data(), stored);
    const bool decoded =
        got == stored && TIFFReadFromUserBuffer(tiff_, block, stream_.data(), static_cast<tmsize_t>(stream_.size()),
                                                again_.data(), static_cast<tmsize_t>(bytes)) == 1;
    require(decoded && samePixels(pixels, again_, bytes), "the fax data end early: " + nameOf(block));
}

} // namespace pollard
