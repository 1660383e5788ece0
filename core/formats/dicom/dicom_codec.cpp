#include "formats/dicom/dicom_codec.hpp"

#include "base/error.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <vector>

namespace pollard {

namespace {

/// A marker of JPEG that starts a frame, with its sizes.
bool isFrameMarker(int marker) {
    constexpr int kHuffmanTables = 0xc4;
    constexpr int kExtension = 0xc8;
    constexpr int kArithmetic = 0xcc;
    constexpr int kJpegLs = 0xf7;
    return marker == kJpegLs || (marker >= 0xc0 && marker <= 0xcf && marker != kHuffmanTables && marker != kExtension &&
                                 marker != kArithmetic);
}

} // namespace

void requireJpegSizes(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame) {
    const auto fail = [&](const std::string& why) {
        throw readError(ErrorCode::fileDamaged, source.path, "damaged DICOM: " + why);
    };
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(frame[i]); };
    const auto two = [&](std::size_t i) { return byte(i) << 8 | byte(i + 1); };
    constexpr unsigned kStart = 0xffd8;
    constexpr std::size_t kHeader = 10; // marker, length, precision, height, width, components
    if (frame.size() < 2 || two(0) != kStart) {
        fail("a frame does not start as JPEG");
    }
    std::size_t at = 2;
    while (at + kHeader <= frame.size() && byte(at) == 0xff) {
        const unsigned marker = byte(at + 1);
        if (marker == 0xff) { // fill byte
            ++at;
            continue;
        }
        if (!isFrameMarker(static_cast<int>(marker))) {
            at += 2 + two(at + 2);
            continue;
        }
        const unsigned precision = byte(at + 4);
        if (two(at + 5) != header.rows || two(at + 7) != header.columns || byte(at + 9) != header.samples) {
            fail("a JPEG frame of " + std::to_string(two(at + 7)) + " x " + std::to_string(two(at + 5)) +
                 " pixels of " + std::to_string(byte(at + 9)) + " samples in a picture of " +
                 std::to_string(header.columns) + " x " + std::to_string(header.rows) + " of " +
                 std::to_string(header.samples));
        }
        if (precision == 0 || precision > static_cast<unsigned>(header.bitsAllocated)) {
            fail("a JPEG frame of " + std::to_string(precision) + " bits in a picture of " +
                 std::to_string(header.bitsAllocated));
        }
        return;
    }
    fail("a JPEG frame states no size");
}

void decodeRle(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
               std::span<std::byte> out) {
    const auto fail = [&] {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "damaged DICOM: a frame in RLE has not the bytes of its pixels");
    };
    constexpr std::size_t kHeader = 64; // number of segments and their begins
    const std::size_t sampleBytes = static_cast<std::size_t>(header.bitsAllocated) / 8;
    const std::size_t pixelBytes = sampleBytes * header.samples;
    const std::size_t pixels = header.columns * header.rows;
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(frame[i]); };
    const auto four = [&](std::size_t i) {
        return std::size_t{byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24};
    };
    if (frame.size() < kHeader || four(0) != pixelBytes || pixelBytes >= kHeader / 4) {
        fail();
    }
    for (std::size_t segment = 0; segment < pixelBytes; ++segment) {
        std::size_t at = four(4 * (segment + 1));
        const std::size_t end = segment + 1 < pixelBytes ? four(4 * (segment + 2)) : frame.size();
        if (at < kHeader || end > frame.size()) {
            fail();
        }
        // Of each sample the most significant byte comes first.
        const std::size_t place = segment / sampleBytes * sampleBytes + (sampleBytes - 1 - segment % sampleBytes);
        for (std::size_t pixel = 0; pixel < pixels;) {
            if (at + 1 >= end) {
                fail();
            }
            const unsigned code = byte(at++);
            constexpr unsigned kNone = 128;
            const bool isRun = code > kNone;
            const std::size_t count = code == kNone ? 0 : isRun ? 257 - code : code + 1;
            if (count > pixels - pixel || (!isRun && count > end - at)) {
                fail();
            }
            for (std::size_t i = 0; i < count; ++i) {
                out[(pixel + i) * pixelBytes + place] = frame[isRun ? at : at + i];
            }
            pixel += count;
            at += isRun ? 1 : count;
        }
    }
}

void decodeJpeg2000(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                    std::span<std::byte> out, const JobControl& control) {
    SourceFile stream{source.path, frame.size(), {}, frame};
    stream.head.assign(frame.begin(),
                       frame.begin() + static_cast<std::ptrdiff_t>(std::min(frame.size(), SourceFile::kHeadBytes)));
    const auto fail = [&](const std::string& why) {
        throw readError(ErrorCode::fileDamaged, source.path, "damaged DICOM: " + why);
    };
    if (!jp2Reader().recognises(stream)) {
        fail("a frame does not start as JPEG 2000");
    }
    ReadOptions options;
    options.threads = 1;
    options.channel = {ChannelChoice::Kind::sample, 0};
    const std::unique_ptr<FilePage> page = jp2Reader().open(stream, options, PageUse::pixels);
    const ImageInfo& info = page->info();
    if (info.width != header.columns || info.height != header.rows ||
        static_cast<std::uint64_t>(info.samples) != header.samples || info.bits > header.bitsAllocated) {
        fail("a JPEG 2000 frame of " + std::to_string(info.width) + " x " + std::to_string(info.height) +
             " pixels of " + std::to_string(info.samples) + " samples of " + std::to_string(info.bits) +
             " bits in a picture of " + std::to_string(header.columns) + " x " + std::to_string(header.rows) + " of " +
             std::to_string(header.samples) + " of " + std::to_string(header.bitsAllocated));
    }
    if (constexpr int kMostBits = 16; info.bits > kMostBits) {
        throw readError(ErrorCode::formatUnsupported, source.path,
                        "DICOM: JPEG 2000 of " + std::to_string(info.bits) + " bits is not supported");
    }
    std::vector<ChannelChoice> choices;
    for (std::uint64_t sample = 0; sample < header.samples; ++sample) {
        choices.push_back({ChannelChoice::Kind::sample, static_cast<int>(sample)});
    }
    const std::vector<LoadedImage> images = page->readEach(choices, control);
    const auto bytes = static_cast<std::size_t>(header.bitsAllocated) / 8;
    for (std::size_t sample = 0; sample < images.size(); ++sample) {
        const LoadedImage& loaded = images[sample];
        const auto offset = loaded.info.mapping ? static_cast<std::int32_t>(loaded.info.mapping->offset) : 0;
        std::byte* to = out.data() + sample * bytes;
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i, to += images.size() * bytes) {
            const auto value = static_cast<std::uint32_t>(static_cast<std::int32_t>(loaded.image->level(i)) + offset);
            for (std::size_t b = 0; b < bytes; ++b) {
                to[b] = static_cast<std::byte>(value >> (8 * b) & 0xffU);
            }
        }
    }
}

} // namespace pollard
