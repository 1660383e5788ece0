#include "io/tiff/tile_coder.hpp"

#include "base/error.hpp"
#include "io/tiff/tiff_handle.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Tiles that one TIFF in memory takes. More would save little: the codec's tables outweigh the rest of a TIFF.
constexpr std::uint32_t kTilesPerTiff = 256;

} // namespace

/// A TIFF in memory, whose bytes are those of the tiles written last.
class TileCoder::Writing {
public:
    explicit Writing(const TileLayout& layout) : handle_(TiffHandle::createIn(bytes_)) {
        TIFF* tiff = handle_.get();
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, layout.side * kTilesPerTiff);
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.side);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, layout.bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        if (!setCompression(tiff, layout.compression, layout.effort) || TIFFWriteCheck(tiff, 1, "tile") != 1) {
            throw Error(ErrorCode::writeFailed, "cannot compress a tile: " + reason());
        }
    }

    [[nodiscard]] bool isFull() const noexcept { return next_ == kTilesPerTiff; }

    std::vector<std::byte> encode(std::span<const std::byte> pixels) {
        bytes_.clear();
        // libtiff's predictor works on a copy; only the signature lacks const.
        if (TIFFWriteEncodedTile(handle_.get(), next_++, const_cast<std::byte*>(pixels.data()),
                                 static_cast<tmsize_t>(pixels.size())) < 0) {
            throw Error(ErrorCode::writeFailed, "cannot compress a tile: " + reason());
        }
        return std::exchange(bytes_, {});
    }

    void decode(std::span<const std::byte> stored, std::span<std::byte> pixels) {
        handle_.messages().clear();
        // Reversed bits, which libtiff would restore in place, do not occur.
        if (TIFFReadFromUserBuffer(handle_.get(), 0, const_cast<std::byte*>(stored.data()),
                                   static_cast<tmsize_t>(stored.size()), pixels.data(),
                                   static_cast<tmsize_t>(pixels.size())) != 1) {
            throw Error(ErrorCode::fileDamaged, "cannot decompress a tile: " + reason());
        }
    }

private:
    [[nodiscard]] std::string reason() const {
        const std::string& text = handle_.messages().lastError;
        return text.empty() ? "unknown failure of libtiff" : text;
    }

    std::vector<std::byte> bytes_; // outlives the handle, which writes to it at its end
    TiffHandle handle_;
    std::uint32_t next_ = 0;
};

TileCoder::TileCoder(const TileLayout& layout) : layout_(layout) {}
TileCoder::~TileCoder() = default;
TileCoder::TileCoder(TileCoder&&) noexcept = default;
TileCoder& TileCoder::operator=(TileCoder&&) noexcept = default;

std::vector<std::byte> TileCoder::encode(std::span<const std::byte> pixels) {
    if (layout_.compression == TiffCompression::none) {
        return {pixels.begin(), pixels.end()};
    }
    if (!encoding_ || encoding_->isFull()) {
        encoding_ = std::make_unique<Writing>(layout_);
    }
    return encoding_->encode(pixels);
}

void TileCoder::decode(std::span<const std::byte> stored, std::span<std::byte> pixels) {
    if (layout_.compression == TiffCompression::none) {
        if (stored.size() != pixels.size()) {
            throw Error(ErrorCode::fileDamaged, "cannot read a tile: it has " + std::to_string(stored.size()) +
                                                    " bytes instead of " + std::to_string(pixels.size()));
        }
        std::memcpy(pixels.data(), stored.data(), stored.size());
        return;
    }
    if (!decoding_) {
        decoding_ = std::make_unique<Writing>(layout_);
    }
    decoding_->decode(stored, pixels);
}

} // namespace pollard
