#include "io/tiff_decode.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <vector>

namespace pollard {

namespace {

/// Larger strips are decoded row by row: little memory, and a stop request is seen soon. Smaller ones are
/// decoded at once, which is faster (libtiff then hands Deflate to libdeflate).
constexpr std::uint64_t kWholeStripBytes = 8ULL << 20;
constexpr std::uint32_t kRowsPerCheck = 64;

class Decoder {
public:
    Decoder(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, GreyRows& rows,
            const JobControl& control)
        : source_(source), tiff_(page.handle.get()), messages_(page.handle.messages()), facts_(page.facts),
          storage_(storage), rows_(rows), control_(control) {
        planes_ = facts_.separate ? rows.plan().samples : std::vector<int>{0};
        buffers_.resize(planes_.size());
        messages_.clear();
        fax_ = facts_.compression >= COMPRESSION_CCITTRLE && facts_.compression <= COMPRESSION_CCITTFAX4;
        deflate_ = TIFFGetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC, &fastSubcodec_) == 1;
    }

    void run() {
        if (facts_.tiled) {
            decodeTiles();
        } else if (!fax_ && planes_.size() == 1 && facts_.blockRowBytes() * facts_.blockHeight > kWholeStripBytes) {
            decodeScanlines();
        } else {
            decodeStrips();
        }
        control_.report(1.0, kStage);
    }

private:
    static constexpr const char* kStage = "reading";

    void advance(std::uint32_t finishedRows) const {
        control_.report(static_cast<double>(finishedRows) / facts_.height, kStage);
        control_.throwIfStopped();
    }

    void require(bool complete, const std::string& where) const {
        if (complete && messages_.firstDamage.empty()) {
            return;
        }
        throw readError(ErrorCode::fileDamaged, source_.path,
                        where + " cannot be decoded" +
                            (messages_.firstDamage.empty() ? "" : ": " + messages_.firstDamage));
    }

    /// libdeflate, which libtiff prefers, reads zeros past the end of a stream, so that a stream cut by few
    /// bytes can give wrong last pixels and no error. What is cut is the end of the file: there zlib decodes.
    void chooseDecoder(std::uint32_t block) {
        if (deflate_) {
            TIFFSetField(tiff_, TIFFTAG_DEFLATE_SUBCODEC,
                         block == storage_.lastInFile ? DEFLATE_SUBCODEC_ZLIB : fastSubcodec_);
        }
    }

    /// Compares the block at work in two buffers; the bits that fill the last byte of a row are nobody's.
    [[nodiscard]] bool samePixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b) const {
        const std::uint64_t rowBytes = facts_.blockRowBytes();
        const std::uint64_t rowBits = std::uint64_t{facts_.blockWidth} * (facts_.bits * facts_.samplesPerBlock());
        const auto unused = static_cast<unsigned>(rowBytes * 8 - rowBits);
        for (std::uint64_t begin = 0; begin < static_cast<std::uint64_t>(decodedBytes_); begin += rowBytes) {
            const std::uint64_t last = begin + rowBytes - 1;
            if (!std::equal(a.begin() + begin, a.begin() + last, b.begin() + begin) ||
                ((a[last] ^ b[last]) >> unused) != std::byte{0}) {
                return false;
            }
        }
        return true;
    }

    /// Fax streams have neither length nor checksum, and where one ends early libtiff fills the row up or leaves
    /// rows as they were, without a word. A whole stream gives the same pixels whatever follows it and whatever
    /// was in the buffer, so it is decoded again with other bytes in both.
    void verifyFax(std::uint32_t block, const std::vector<std::byte>& pixels) {
        constexpr std::size_t kPadding = 64;
        const auto stored = static_cast<tmsize_t>(TIFFGetStrileByteCount(tiff_, block));
        stream_.assign(static_cast<std::size_t>(stored) + kPadding, std::byte{0xff});
        again_.assign(pixels.size(), std::byte{0xff});
        const tmsize_t got = facts_.tiled ? TIFFReadRawTile(tiff_, block, stream_.data(), stored)
                                          : TIFFReadRawStrip(tiff_, block, stream_.data(), stored);
        const bool decoded =
            got == stored && TIFFReadFromUserBuffer(tiff_, block, stream_.data(), static_cast<tmsize_t>(stream_.size()),
                                                    again_.data(), decodedBytes_) == 1;
        require(decoded && samePixels(pixels, again_),
                "the fax data end early: " + blockName() + std::to_string(block));
    }

    /// Decodes one strip or tile in full.
    void decodeBlock(std::uint32_t block, std::vector<std::byte>& pixels, tmsize_t expected) {
        decodedBytes_ = expected;
        chooseDecoder(block);
        if (fax_) {
            std::fill(pixels.begin(), pixels.end(), std::byte{0});
        }
        const tmsize_t got = facts_.tiled ? TIFFReadEncodedTile(tiff_, block, pixels.data(), expected)
                                          : TIFFReadEncodedStrip(tiff_, block, pixels.data(), expected);
        require(got == expected, blockName() + std::to_string(block));
        if (fax_) {
            verifyFax(block, pixels);
        }
    }

    [[nodiscard]] std::string blockName() const { return facts_.tiled ? "tile " : "strip "; }

    void put(std::uint32_t x, std::uint32_t y, std::uint32_t count, std::size_t offset) {
        if (!facts_.separate) {
            rows_.putInterleaved(x, y, count, buffers_[0].data() + offset, facts_.samples);
            return;
        }
        pointers_.clear();
        for (const auto& buffer : buffers_) {
            pointers_.push_back(buffer.data() + offset);
        }
        rows_.putPlanes(x, y, count, pointers_);
    }

    void resizeBuffers(std::uint64_t bytes) {
        for (auto& buffer : buffers_) {
            buffer.resize(bytes);
        }
    }

    void decodeStrips() {
        const std::uint64_t rowBytes = facts_.blockRowBytes();
        resizeBuffers(rowBytes * facts_.blockHeight);
        for (std::uint32_t band = 0; band < facts_.blocksDown(); ++band) {
            const std::uint32_t top = band * facts_.blockHeight;
            const std::uint32_t height = std::min(facts_.blockHeight, facts_.height - top);
            const auto expected = static_cast<tmsize_t>(rowBytes * height);
            for (std::size_t p = 0; p < planes_.size(); ++p) {
                const std::uint32_t strip = static_cast<std::uint32_t>(planes_[p]) * facts_.blocksDown() + band;
                decodeBlock(strip, buffers_[p], expected);
            }
            for (std::uint32_t y = 0; y < height; ++y) {
                put(0, top + y, facts_.width, y * rowBytes);
            }
            advance(top + height);
        }
    }

    void decodeScanlines() {
        resizeBuffers(facts_.blockRowBytes());
        for (std::uint32_t y = 0; y < facts_.height; ++y) {
            const int got = TIFFReadScanline(tiff_, buffers_[0].data(), y, static_cast<std::uint16_t>(planes_[0]));
            require(got == 1, "row " + std::to_string(y));
            put(0, y, facts_.width, 0);
            if (y % kRowsPerCheck == 0) {
                advance(y);
            }
        }
    }

    void decodeTiles() {
        const std::uint64_t rowBytes = facts_.blockRowBytes();
        const auto expected = static_cast<tmsize_t>(rowBytes * facts_.blockHeight);
        resizeBuffers(static_cast<std::uint64_t>(expected));
        for (std::uint32_t row = 0; row < facts_.blocksDown(); ++row) {
            const std::uint32_t top = row * facts_.blockHeight;
            const std::uint32_t height = std::min(facts_.blockHeight, facts_.height - top);
            for (std::uint32_t column = 0; column < facts_.blocksAcross(); ++column) {
                const std::uint32_t left = column * facts_.blockWidth;
                const std::uint32_t width = std::min(facts_.blockWidth, facts_.width - left);
                for (std::size_t p = 0; p < planes_.size(); ++p) {
                    const std::uint32_t tile =
                        (static_cast<std::uint32_t>(planes_[p]) * facts_.blocksDown() + row) * facts_.blocksAcross() +
                        column;
                    decodeBlock(tile, buffers_[p], expected);
                }
                for (std::uint32_t y = 0; y < height; ++y) {
                    put(left, top + y, width, y * rowBytes);
                }
                control_.throwIfStopped();
            }
            advance(top + height);
        }
    }

    const SourceFile& source_;
    TIFF* tiff_;
    TiffMessages& messages_;
    const TiffFacts& facts_;
    const TiffStorage& storage_;
    GreyRows& rows_;
    const JobControl& control_;
    bool fax_ = false;
    bool deflate_ = false;
    int fastSubcodec_ = DEFLATE_SUBCODEC_ZLIB;
    std::vector<int> planes_; ///< numbers of the planes that are needed
    std::vector<std::vector<std::byte>> buffers_;
    std::vector<const std::byte*> pointers_;
    tmsize_t decodedBytes_ = 0;     ///< of the block at work
    std::vector<std::byte> stream_; ///< of the block at work, as stored
    std::vector<std::byte> again_;  ///< the block at work, decoded a second time
};

} // namespace

void decodeTiff(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, GreyRows& rows,
                const JobControl& control) {
    Decoder(source, page, storage, rows, control).run();
}

} // namespace pollard
