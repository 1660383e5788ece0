#include "formats/zarr/zarr_codecs.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <blosc.h>
#include <cstring>
#include <limits>
#include <lz4.h>
#include <new>
#include <string>
#include <utility>
#include <zlib.h>
#include <zstd.h>

namespace pollard {

namespace {

constexpr std::size_t kMostInt = std::numeric_limits<int>::max();

[[noreturn]] void fail(const char* codec) {
    throw Error(ErrorCode::fileDamaged, std::string("the bytes of ") + codec + " are damaged");
}

std::uint32_t littleEndian(std::span<const std::byte> bytes) noexcept {
    std::uint32_t number = 0;
    for (std::size_t i = 4; i-- > 0;) {
        number = number << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return number;
}

/// Tables of CRC-32C for 8 bytes at a time.
constexpr auto kCrcTables = [] {
    constexpr std::uint32_t kPolynomial = 0x82f6'3b78;
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1U ^ ((crc & 1U) != 0 ? kPolynomial : 0);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t table = 1; table < tables.size(); ++table) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[table - 1][byte];
            tables[table][byte] = before >> 8U ^ tables[0][before & 0xffU];
        }
    }
    return tables;
}();

std::size_t lz4Decoded(std::span<const std::byte> in, std::span<std::byte> out) {
    constexpr std::size_t kLength = 4;
    if (in.size() < kLength || in.size() > kMostInt || littleEndian(in) > out.size()) {
        fail("LZ4");
    }
    const int size =
        LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()) + kLength, reinterpret_cast<char*>(out.data()),
                            static_cast<int>(in.size() - kLength), static_cast<int>(std::min(out.size(), kMostInt)));
    if (size < 0 || static_cast<std::uint32_t>(size) != littleEndian(in)) {
        fail("LZ4");
    }
    return static_cast<std::size_t>(size);
}

std::size_t bloscDecoded(std::span<const std::byte> in, std::span<std::byte> out) {
    std::size_t size = 0;
    if (in.size() < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(in.data(), in.size(), &size) != 0 ||
        size > out.size()) {
        fail("Blosc");
    }
    if (size > 0 && blosc_decompress_ctx(in.data(), out.data(), size, 1) != static_cast<int>(size)) {
        fail("Blosc");
    }
    return size;
}

std::span<const std::byte> withoutChecksum(std::span<const std::byte> in) {
    constexpr std::size_t kBytes = 4;
    if (in.size() < kBytes || crc32cOf(in.first(in.size() - kBytes)) != littleEndian(in.last(kBytes))) {
        throw Error(ErrorCode::fileDamaged, "the CRC-32C is wrong");
    }
    return in.first(in.size() - kBytes);
}

} // namespace

std::size_t inflated(std::span<const std::byte> in, std::span<std::byte> out, Deflate form) {
    constexpr int kWindowBits = 15;
    constexpr int kAnyHeader = 32;
    struct Stream : z_stream {
        explicit Stream(int bits) : z_stream{} {
            if (inflateInit2(this, bits) != Z_OK) {
                throw std::bad_alloc();
            }
        }
        ~Stream() { inflateEnd(this); }
        Stream(const Stream&) = delete;
        Stream& operator=(const Stream&) = delete;
    };
    constexpr std::size_t kMost = std::size_t{1} << 30U; // of zlib's counts of bytes
    Stream stream(form == Deflate::raw ? -kWindowBits : kWindowBits + kAnyHeader);
    std::byte none{};
    std::size_t taken = 0;
    std::size_t done = 0;
    while (true) {
        const std::size_t inStep = std::min(in.size() - taken, kMost);
        const std::size_t outStep = std::min(out.size() - done, kMost);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data())) + taken;
        stream.avail_in = static_cast<uInt>(inStep);
        stream.next_out = reinterpret_cast<Bytef*>(outStep > 0 ? out.data() + done : &none);
        stream.avail_out = static_cast<uInt>(outStep);
        const int result = inflate(&stream, Z_NO_FLUSH);
        const std::size_t read = inStep - stream.avail_in;
        const std::size_t written = outStep - stream.avail_out;
        taken += read;
        done += written;
        if (result == Z_MEM_ERROR) {
            throw std::bad_alloc();
        }
        if (result == Z_STREAM_END) {
            if (taken == in.size() || form == Deflate::raw || inflateReset(&stream) != Z_OK) {
                return done;
            }
        } else if (result != Z_OK || (read == 0 && written == 0)) {
            fail("Deflate");
        }
    }
}

std::uint32_t crc32cOf(std::span<const std::byte> bytes) noexcept {
    const auto& tables = kCrcTables;
    std::uint32_t crc = ~0U;
    while (bytes.size() >= 8) {
        const std::uint32_t low = crc ^ littleEndian(bytes);
        const std::uint32_t high = littleEndian(bytes.subspan(4));
        crc = tables[7][low & 0xffU] ^ tables[6][low >> 8U & 0xffU] ^ tables[5][low >> 16U & 0xffU] ^
              tables[4][low >> 24U] ^ tables[3][high & 0xffU] ^ tables[2][high >> 8U & 0xffU] ^
              tables[1][high >> 16U & 0xffU] ^ tables[0][high >> 24U];
        bytes = bytes.subspan(8);
    }
    for (const std::byte byte : bytes) {
        crc = crc >> 8U ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
    }
    return ~crc;
}

struct ZarrDecoder::Zstd {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    Zstd() {
        if (context == nullptr) {
            throw std::bad_alloc();
        }
    }
    ~Zstd() { ZSTD_freeDCtx(context); }
    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;
};

ZarrDecoder::ZarrDecoder() = default;
ZarrDecoder::~ZarrDecoder() = default;

std::span<std::byte> ZarrDecoder::input(std::size_t size) {
    if (bytes_[0].size() < size) {
        bytes_[0] = {};
        bytes_[0] = Buffer<std::byte>(size);
    }
    size_ = size;
    return bytes_[0].span().first(size);
}

std::span<const std::byte> ZarrDecoder::decode(std::span<const ZarrCodec> codecs, std::size_t size) {
    std::span<const std::byte> bytes = bytes_[0].span().first(size_);
    while (!codecs.empty()) {
        const ZarrCodec codec = codecs.back();
        codecs = codecs.first(codecs.size() - 1);
        if (codec == ZarrCodec::crc32c) {
            bytes = withoutChecksum(bytes);
            continue;
        }
        // The output of a codec that another one compresses again can be somewhat larger.
        constexpr std::size_t kSlack = std::size_t{1} << 16U;
        const std::size_t most = codecs.empty() ? size : size + size / 8 + kSlack;
        if (bytes_[1].size() < most) {
            bytes_[1] = {};
            bytes_[1] = Buffer<std::byte>(most);
        }
        const std::size_t done = apply(codec, bytes, bytes_[1].span().first(most));
        bytes = bytes_[1].span().first(done);
        if (!codecs.empty()) {
            std::swap(bytes_[0], bytes_[1]);
        }
    }
    if (bytes.size() != size) {
        throw Error(ErrorCode::fileDamaged,
                    std::to_string(bytes.size()) + " bytes where " + std::to_string(size) + " were announced");
    }
    return bytes;
}

std::size_t ZarrDecoder::apply(ZarrCodec codec, std::span<const std::byte> in, std::span<std::byte> out) {
    switch (codec) {
    case ZarrCodec::deflate:
        return inflated(in, out, Deflate::any);
    case ZarrCodec::lz4:
        return lz4Decoded(in, out);
    case ZarrCodec::blosc:
        return bloscDecoded(in, out);
    case ZarrCodec::zstd:
    case ZarrCodec::crc32c:
        break;
    }
    if (!zstd_) {
        zstd_ = std::make_unique<Zstd>();
    }
    const std::size_t size = ZSTD_decompressDCtx(zstd_->context, out.data(), out.size(), in.data(), in.size());
    if (ZSTD_isError(size) != 0) {
        fail("Zstandard");
    }
    return size;
}

std::vector<std::byte> bloscCompressed(std::span<const std::byte> bytes, std::size_t sampleBytes) {
    constexpr int kLevel = 3;
    std::vector<std::byte> out(bytes.size() + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(kLevel, BLOSC_SHUFFLE, sampleBytes, bytes.size(), bytes.data(), out.data(),
                                        out.size(), BLOSC_ZSTD_COMPNAME, 0, 1);
    if (size <= 0) {
        throw std::bad_alloc();
    }
    out.resize(static_cast<std::size_t>(size));
    return out;
}

} // namespace pollard
