#include "formats/dicom/dicom_pixels.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "formats/dicom/dicom_header.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

static_assert(std::endian::native == std::endian::little, "samples are converted as they lie in memory");

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged DICOM: " + why);
}

[[noreturn]] void refuse(const SourceFile& source, const std::string& what) {
    throw readError(ErrorCode::formatUnsupported, source.path, "DICOM: " + what);
}

/// Whether a marker of JPEG or JPEG-LS starts the header of a frame, which states its size.
bool isFrameMarker(int marker) {
    constexpr int kHuffmanTables = 0xc4;
    constexpr int kExtension = 0xc8;
    constexpr int kArithmetic = 0xcc;
    constexpr int kJpegLs = 0xf7;
    return marker == kJpegLs || (marker >= 0xc0 && marker <= 0xcf && marker != kHuffmanTables && marker != kExtension &&
                                 marker != kArithmetic);
}

/// Compares the size that a JPEG or JPEG-LS stream states with the size in the header. @throws Error(fileDamaged)
void requireJpegSizes(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame) {
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(frame[i]); };
    const auto two = [&](std::size_t i) { return byte(i) << 8 | byte(i + 1); };
    constexpr unsigned kStart = 0xffd8;
    constexpr std::size_t kHeader = 10; // marker, length, precision, height, width, components
    if (frame.size() < 2 || two(0) != kStart) {
        fail(source, "a frame does not start as JPEG");
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
            fail(source, "a JPEG frame of " + std::to_string(two(at + 7)) + " x " + std::to_string(two(at + 5)) +
                             " pixels of " + std::to_string(byte(at + 9)) + " samples in an image of " +
                             std::to_string(header.columns) + " x " + std::to_string(header.rows) + " of " +
                             std::to_string(header.samples));
        }
        if (precision == 0 || precision > static_cast<unsigned>(header.bitsAllocated)) {
            fail(source, "a JPEG frame of " + std::to_string(precision) + " bits in an image of " +
                             std::to_string(header.bitsAllocated));
        }
        return;
    }
    fail(source, "a JPEG frame states no size");
}

/// Decodes a frame of RLE (DICOM PS3.5, annex G). @throws Error(fileDamaged) if bytes are missing
void decodeRle(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
               std::span<std::byte> out) {
    const auto failForBytes = [&] { fail(source, "a frame in RLE has not the bytes of its pixels"); };
    constexpr std::size_t kHeader = 64; // number of segments and where each begins
    const std::size_t sampleBytes = static_cast<std::size_t>(header.bitsAllocated) / 8;
    const std::size_t pixelBytes = sampleBytes * header.samples;
    const std::size_t pixels = header.columns * header.rows;
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(frame[i]); };
    const auto four = [&](std::size_t i) {
        return std::size_t{byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24};
    };
    if (frame.size() < kHeader || four(0) != pixelBytes || pixelBytes >= kHeader / 4) {
        failForBytes();
    }
    for (std::size_t segment = 0; segment < pixelBytes; ++segment) {
        std::size_t at = four(4 * (segment + 1));
        const std::size_t end = segment + 1 < pixelBytes ? four(4 * (segment + 2)) : frame.size();
        if (at < kHeader || end > frame.size()) {
            failForBytes();
        }
        // The most significant byte of a sample comes first.
        const std::size_t place = segment / sampleBytes * sampleBytes + (sampleBytes - 1 - segment % sampleBytes);
        for (std::size_t pixel = 0; pixel < pixels;) {
            if (at + 1 >= end) {
                failForBytes();
            }
            const unsigned code = byte(at++);
            constexpr unsigned kNone = 128;
            const bool isRun = code > kNone;
            const std::size_t count = code == kNone ? 0 : isRun ? 257 - code : code + 1;
            if (count > pixels - pixel || (!isRun && count > end - at)) {
                failForBytes();
            }
            for (std::size_t i = 0; i < count; ++i) {
                out[(pixel + i) * pixelBytes + place] = frame[isRun ? at : at + i];
            }
            pixel += count;
            at += isRun ? 1 : count;
        }
    }
}

/// Decodes a frame of JPEG 2000. @throws Error(fileDamaged, formatUnsupported, limitExceeded), Cancelled
void decodeJpeg2000(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                    std::span<std::byte> out, const JobControl& control) {
    SourceFile stream{source.path, frame.size(), {}, frame};
    stream.head.assign(frame.begin(),
                       frame.begin() + static_cast<std::ptrdiff_t>(std::min(frame.size(), SourceFile::kHeadBytes)));
    if (!jp2Reader().recognises(stream)) {
        fail(source, "a frame does not start as JPEG 2000");
    }
    ReadOptions options;
    options.threads = 1;
    options.channel = {ChannelChoice::Kind::sample, 0};
    const std::unique_ptr<FilePage> page = jp2Reader().open(stream, options, PageUse::pixels);
    const ImageInfo& info = page->info();
    if (info.width != header.columns || info.height != header.rows ||
        static_cast<std::uint64_t>(info.samples) != header.samples || info.bits > header.bitsAllocated) {
        fail(source, "a JPEG 2000 frame of " + std::to_string(info.width) + " x " + std::to_string(info.height) +
                         " pixels of " + std::to_string(info.samples) + " samples of " + std::to_string(info.bits) +
                         " bits in an image of " + std::to_string(header.columns) + " x " +
                         std::to_string(header.rows) + " of " + std::to_string(header.samples) + " of " +
                         std::to_string(header.bitsAllocated));
    }
    if (constexpr int kMostBits = 16; info.bits > kMostBits) {
        refuse(source, "JPEG 2000 of " + std::to_string(info.bits) + " bits is not supported");
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

/// A part of a file.
struct DicomFragment {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

/// The fragments of each frame of encapsulated pixels (DICOM PS3.5, A.4).
class DicomFragments {
public:
    /// @throws Error(fileDamaged) for fragments that do not make up the frames, Error(limitExceeded)
    DicomFragments(const SourceFile& source, const DicomHeader& header);

    [[nodiscard]] std::span<const DicomFragment> ofFrame(std::uint64_t frame) const;

private:
    /// Nothing at the delimiter of the sequence.
    std::optional<DicomFragment> next();
    void startByTable(const DicomFragment& table, std::uint64_t frames);

    const SourceFile& source_;
    FilePointer file_;
    std::uint64_t position_;
    std::uint32_t mark_ = 0; ///< of the last item or delimiter
    std::vector<DicomFragment> fragments_;
    std::vector<std::size_t> starts_; ///< index of the first fragment of each frame
};

constexpr std::uint32_t kFragment = 0xe000fffe; // FFFE,E000 in little-endian order
constexpr std::uint32_t kLast = 0xe0ddfffe;
constexpr std::uint64_t kFragmentHeader = 8;

DicomFragments::DicomFragments(const SourceFile& source, const DicomHeader& header)
    : source_(source), file_(openForReading(source)), position_(header.begin) {
    const DicomFragment table = next().value_or(DicomFragment{});
    while (const auto fragment = next()) {
        if (constexpr std::size_t kMost = 1 << 22; fragments_.size() == kMost) {
            throw readError(ErrorCode::limitExceeded, source_.path,
                            "DICOM pixels in more than " + std::to_string(kMost) + " fragments");
        }
        fragments_.push_back(*fragment);
    }
    if (mark_ != kLast) {
        fail(source_, "the fragments of the pixels are not delimited");
    }
    if (header.frames == 1) {
        starts_ = {0};
    } else if (fragments_.size() == header.frames) {
        for (std::size_t i = 0; i < fragments_.size(); ++i) {
            starts_.push_back(i);
        }
    } else {
        startByTable(table, header.frames);
    }
    file_.reset();
}

std::span<const DicomFragment> DicomFragments::ofFrame(std::uint64_t frame) const {
    const std::size_t begin = starts_.at(frame);
    const std::size_t end = frame + 1 < starts_.size() ? starts_[frame + 1] : fragments_.size();
    return std::span(fragments_).subspan(begin, end - begin);
}

std::optional<DicomFragment> DicomFragments::next() {
    std::array<std::uint32_t, 2> words{};
    if (::fseeko(file_.get(), static_cast<off_t>(position_), SEEK_SET) != 0 ||
        std::fread(words.data(), 1, kFragmentHeader, file_.get()) != kFragmentHeader) {
        throw cutOffError(source_, position_ + kFragmentHeader);
    }
    mark_ = words[0];
    if (mark_ != kFragment) {
        return std::nullopt;
    }
    const DicomFragment fragment{position_ + kFragmentHeader, words[1]};
    if (fragment.bytes > source_.size - fragment.begin) {
        throw cutOffError(source_, fragment.begin + fragment.bytes);
    }
    position_ = fragment.begin + fragment.bytes;
    return fragment;
}

void DicomFragments::startByTable(const DicomFragment& table, std::uint64_t frames) {
    if (table.bytes != frames * sizeof(std::uint32_t) || fragments_.empty()) {
        fail(source_,
             std::to_string(fragments_.size()) + " fragments do not make " + std::to_string(frames) + " frames");
    }
    std::vector<std::uint32_t> offsets(frames);
    if (::fseeko(file_.get(), static_cast<off_t>(table.begin), SEEK_SET) != 0 ||
        std::fread(offsets.data(), sizeof(std::uint32_t), offsets.size(), file_.get()) != offsets.size()) {
        throw cutOffError(source_, table.begin + table.bytes);
    }
    const std::uint64_t origin = fragments_.front().begin - kFragmentHeader;
    std::size_t fragment = 0;
    for (const std::uint32_t offset : offsets) {
        while (fragment < fragments_.size() && fragments_[fragment].begin - kFragmentHeader - origin < offset) {
            ++fragment;
        }
        if (fragment == fragments_.size() || fragments_[fragment].begin - kFragmentHeader - origin != offset ||
            (!starts_.empty() && starts_.back() == fragment)) {
            fail(source_, "the table of frames does not agree with the fragments");
        }
        starts_.push_back(fragment);
    }
}

enum class Scheme { none, rle, jpeg, jpeg2000, other };

constexpr std::string_view kJpegLs = "JPEG-LS";

struct Syntax {
    std::string_view uid;
    Scheme scheme;
    std::string_view name;
};

constexpr std::array<Syntax, 15> kSyntaxes{{
    {"1.2.840.10008.1.2", Scheme::none, "none"},
    {"1.2.840.10008.1.2.1", Scheme::none, "none"},
    {"1.2.840.10008.1.2.5", Scheme::rle, "RLE"},
    {"1.2.840.10008.1.2.4.50", Scheme::jpeg, "JPEG"},
    {"1.2.840.10008.1.2.4.51", Scheme::jpeg, "JPEG"},
    {"1.2.840.10008.1.2.4.53", Scheme::jpeg, "JPEG"},
    {"1.2.840.10008.1.2.4.55", Scheme::jpeg, "JPEG"},
    {"1.2.840.10008.1.2.4.57", Scheme::jpeg, "lossless JPEG"},
    {"1.2.840.10008.1.2.4.70", Scheme::jpeg, "lossless JPEG"},
    {"1.2.840.10008.1.2.4.80", Scheme::jpeg, kJpegLs},
    {"1.2.840.10008.1.2.4.81", Scheme::jpeg, kJpegLs},
    {"1.2.840.10008.1.2.4.90", Scheme::jpeg2000, "JPEG 2000"},
    {"1.2.840.10008.1.2.4.91", Scheme::jpeg2000, "JPEG 2000"},
    {"1.2.840.10008.1.2.4.201", Scheme::jpeg2000, "HTJ2K"},
    {"1.2.840.10008.1.2.4.203", Scheme::jpeg2000, "HTJ2K"},
}};

Syntax syntaxOf(const DicomHeader& header) {
    const auto* found = std::ranges::find(kSyntaxes, header.syntax, &Syntax::uid);
    if (found != kSyntaxes.end()) {
        return *found;
    }
    // Private syntaxes of pixels that are stored without compression.
    return {header.syntax, header.isEncapsulated ? Scheme::other : Scheme::none, "none"};
}

/// Bytes of a frame as stored without compression.
std::uint64_t storedBytes(const DicomHeader& header) {
    return header.columns * header.rows * header.samples * (static_cast<std::uint64_t>(header.bitsAllocated) / 8);
}

class DicomPages final : public PageDecoder {
public:
    DicomPages(SourceFile source, DicomHeader header, const DicomSamples& samples, std::vector<std::uint32_t> order)
        : source_(std::move(source)), header_(std::move(header)), samples_(samples), order_(std::move(order)) {
        if (header_.isEncapsulated) {
            fragments_.emplace(source_, header_);
        }
        if (samples_.isPalette) {
            readPalette();
        }
    }

    void decode(std::uint64_t page, std::span<std::byte> out, const JobControl& control) const override {
        control.throwIfStopped();
        const std::uint64_t frame = order_.empty() ? page : order_.at(page);
        const std::uint64_t bytes = storedBytes(header_);
        Buffer<std::byte> stored(bytes + bytes % 2);
        if (stored.size() > bytes) {
            stored[bytes] = std::byte{};
        }
        std::string photometric = header_.photometric;
        if (header_.isEncapsulated) {
            photometric = decompress(fragments_->ofFrame(frame), stored.span(), control);
        } else {
            readBytes({header_.begin + frame * bytes, bytes}, stored.data());
        }
        if (samples_.kind == SampleKind::real) {
            std::memcpy(out.data(), stored.data(), bytes);
            return;
        }
        switch (header_.bitsAllocated) {
        case 8:
            convert<std::uint8_t>(stored, photometric, out);
            break;
        case 16:
            convert<std::uint16_t>(stored, photometric, out);
            break;
        default: // 32
            convert<std::uint32_t>(stored, photometric, out);
        }
    }

private:
    void readBytes(const DicomFragment& part, std::byte* out) const {
        const FilePointer file = openForReading(source_);
        if (::fseeko(file.get(), static_cast<off_t>(part.begin), SEEK_SET) != 0 ||
            std::fread(out, 1, part.bytes, file.get()) != part.bytes) {
            throw cutOffError(source_, part.begin + part.bytes);
        }
    }

    std::string decompress(std::span<const DicomFragment> fragments, std::span<std::byte> out,
                           const JobControl& control) const {
        std::size_t bytes = 0;
        for (const DicomFragment& fragment : fragments) {
            bytes += fragment.bytes;
        }
        // Zeros after a frame of JPEG-LS end DCMTK's search of its segments, which does not end with the frame.
        // Segments of 64 kB and a thumbnail of 255 x 255 colours fit.
        constexpr std::size_t kZeros = 1 << 18;
        const Syntax syntax = syntaxOf(header_);
        std::vector<std::byte> frame(bytes + (syntax.name == kJpegLs ? kZeros : 0));
        std::size_t at = 0;
        for (const DicomFragment& fragment : fragments) {
            readBytes(fragment, frame.data() + at);
            at += fragment.bytes;
        }
        if (syntax.scheme == Scheme::jpeg2000) {
            decodeJpeg2000(source_, header_, frame, out, control);
            return header_.samples == 3 ? "RGB" : header_.photometric;
        }
        if (syntax.scheme == Scheme::rle) {
            decodeRle(source_, header_, frame, out);
            return header_.photometric;
        }
        requireJpegSizes(source_, header_, frame);
        if (constexpr std::uint64_t kMost = UINT32_MAX; out.size() > kMost || frame.size() > kMost) {
            refuse(source_, "compressed frames of more than 4 GB are not supported");
        }
#ifdef POLLARD_WITH_DCMTK
        std::ranges::fill(out, std::byte{}); // the decoder may leave out rows of a damaged frame
        return decodeWithDcmtk(source_, header_, frame, out);
#else
        refuse(source_,
               "compressed pixels (" + compressionOf(source_, header_) + ") are read only in builds with DCMTK");
#endif
    }

    void readPalette() {
        for (std::size_t c = 0; c < palette_.size(); ++c) {
            const DicomPalette& column = header_.palette[c];
            const std::size_t bytes = column.bits == 16 ? 2 : 1;
            std::vector<std::byte> stored(column.entries * bytes);
            readBytes({column.begin, stored.size()}, stored.data());
            for (std::size_t i = 0; i < column.entries; ++i) {
                std::uint16_t value = 0;
                std::memcpy(&value, stored.data() + i * bytes, bytes);
                palette_[c].push_back(value);
            }
        }
    }

    template <class T>
    void convert(Buffer<std::byte>& stored, const std::string& photometric, std::span<std::byte> out) const {
        T* const samples = reinterpret_cast<T*>(stored.data());
        const auto count = static_cast<std::size_t>(header_.columns * header_.rows * header_.samples);
        const auto bits = static_cast<unsigned>(header_.bitsStored);
        const unsigned shift = static_cast<unsigned>(header_.highBit + 1) - bits;
        const T mask = static_cast<T>(~std::uint64_t{0} >> (64 - bits));
        const T sign = header_.isSigned ? static_cast<T>(T{1} << (bits - 1)) : T{0};
        const T turned = samples_.isInverted ? (header_.isSigned ? static_cast<T>(~T{0}) : mask) : T{0};
        for (std::size_t i = 0; i < count; ++i) {
            const T value = static_cast<T>(samples[i] >> shift) & mask;
            samples[i] = static_cast<T>(static_cast<T>(static_cast<T>(value ^ sign) - sign) ^ turned);
        }
        if (samples_.isPalette) {
            samples_.bits == 8 ? putPalette<T, std::uint8_t>(samples, count, out)
                               : putPalette<T, std::uint16_t>(samples, count, out);
            return;
        }
        auto* const to = reinterpret_cast<T*>(out.data());
        if (samples_.isColour && header_.isPlanar && !header_.isEncapsulated) {
            const std::size_t pixels = count / 3;
            for (std::size_t i = 0; i < count; ++i) {
                to[i] = samples[i % 3 * pixels + i / 3];
            }
        } else {
            std::memcpy(to, samples, count * sizeof(T));
        }
        if constexpr (sizeof(T) == 1) {
            if (samples_.isColour && photometric.starts_with("YBR_FULL")) {
                makeRgb(to, count);
            }
        }
    }

    /// Full-range YCbCr (ITU-T T.871), as YBR_FULL is.
    static void makeRgb(std::uint8_t* samples, std::size_t count) {
        for (std::uint8_t* at = samples; at + 2 < samples + count; at += 3) {
            const double luma = at[0];
            const double blue = at[1] - 128.0;
            const double red = at[2] - 128.0;
            const auto level = [](double value) {
                return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
            };
            at[0] = level(luma + 1.402 * red);
            at[1] = level(luma - 0.344136 * blue - 0.714136 * red);
            at[2] = level(luma + 1.772 * blue);
        }
    }

    /// Samples beyond the ends of the palette have its first or last colour.
    template <class T, class Out> void putPalette(const T* samples, std::size_t count, std::span<std::byte> out) const {
        auto* to = reinterpret_cast<Out*>(out.data());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t c = 0; c < palette_.size(); ++c) {
                const auto last = static_cast<std::int64_t>(palette_[c].size()) - 1;
                const std::int64_t entry = static_cast<std::int64_t>(samples[i]) - header_.palette[c].first;
                *to++ =
                    static_cast<Out>(palette_[c][static_cast<std::size_t>(std::clamp<std::int64_t>(entry, 0, last))]);
            }
        }
    }

    SourceFile source_;
    DicomHeader header_;
    DicomSamples samples_;
    std::vector<std::uint32_t> order_;
    std::optional<DicomFragments> fragments_; ///< of encapsulated pixels
    std::array<std::vector<std::uint16_t>, 3> palette_;
};

/// Bits of a sample and its kind, except for integers of one sample.
void setKind(const SourceFile& source, const DicomHeader& header, DicomSamples& samples) {
    const bool isReal = header.pixels != kDicomPixels;
    samples.bits = header.bitsAllocated;
    if (isReal) {
        const int wanted = header.pixels == kDicomFloatPixels ? 32 : 64;
        if (header.bitsAllocated != wanted || header.samples != 1 || header.isEncapsulated) {
            fail(source, "floating-point pixels of " + std::to_string(header.bitsAllocated) + " bits");
        }
        samples.kind = SampleKind::real;
        return;
    }
    if (header.bitsAllocated != 8 && header.bitsAllocated != 16 && header.bitsAllocated != 32) {
        refuse(source, std::to_string(header.bitsAllocated) + "-bit samples are not supported");
    }
    if (header.bitsStored < 1 || header.bitsStored > header.bitsAllocated || header.highBit >= header.bitsAllocated ||
        header.highBit + 1 < header.bitsStored) {
        fail(source, std::to_string(header.bitsStored) + " bits up to bit " + std::to_string(header.highBit) + " of " +
                         std::to_string(header.bitsAllocated));
    }
    samples.kind = header.isSigned ? SampleKind::signedInteger : SampleKind::unsignedInteger;
}

void setColour(const SourceFile& source, const DicomHeader& header, DicomSamples& samples) {
    const std::string& photometric = header.photometric;
    const bool isGrey = photometric.empty() || photometric == "MONOCHROME1" || photometric == "MONOCHROME2";
    if (isGrey && header.samples == 1) {
        const DicomPlane& plane = header.firstPlane();
        const bool isScaled = plane.slope.value_or(1) != 1 || plane.intercept.value_or(0) != 0;
        samples.isInverted = photometric == "MONOCHROME1" && !isScaled && samples.kind != SampleKind::real;
        return;
    }
    samples.isPalette = photometric == "PALETTE COLOR" && header.samples == 1;
    samples.isYcc = photometric.starts_with("YBR_FULL") && header.samples == 3;
    const bool isCompressedYcc = photometric.starts_with("YBR_") && header.samples == 3 && header.isEncapsulated;
    const bool isRgb = photometric == "RGB" && header.samples == 3;
    if (!samples.isPalette && !isRgb && !isCompressedYcc && photometric != "YBR_FULL") {
        refuse(source,
               std::to_string(header.samples) + " samples of \"" + factText(photometric, 20) + "\" are not supported");
    }
    if (header.samples != (samples.isPalette ? 1U : 3U) || samples.kind != SampleKind::unsignedInteger ||
        samples.bits > (samples.isYcc ? 8 : 16)) {
        refuse(source, "colours of signed or wide samples are not supported");
    }
    samples.isColour = true;
    if (samples.isPalette) {
        for (const DicomPalette& column : header.palette) {
            const std::uint64_t bytes = column.bits == 16 ? 2 : 1;
            if ((column.bits != 8 && column.bits != 16) || column.bits != header.palette[0].bits || column.begin == 0 ||
                column.bytes < column.entries * bytes) {
                refuse(source, "a palette without tables of 8 or 16 bits is not supported");
            }
        }
        samples.bits = header.palette[0].bits;
    }
}

} // namespace

DicomSamples samplesOf(const SourceFile& source, const DicomHeader& header) {
    if (header.pixels == 0) {
        throw readError(ErrorCode::formatUnsupported, source.path, "the DICOM file has no image");
    }
    if (header.columns == 0 || header.rows == 0) {
        fail(source, "an image of " + std::to_string(header.columns) + " x " + std::to_string(header.rows) + " pixels");
    }
    DicomSamples samples;
    setKind(source, header, samples);
    setColour(source, header, samples);
    if (header.isEncapsulated != (syntaxOf(header).scheme != Scheme::none)) {
        fail(source, header.isEncapsulated ? "pixels in fragments without compression"
                                           : "compressed pixels that are not in fragments");
    }
    if (!header.isEncapsulated) {
        const std::uint64_t frame = storedBytes(header);
        if (header.frames > source.size / frame || header.frames * frame > source.size - header.begin) {
            throw cutOffError(source, header.frames > (UINT64_MAX - header.begin) / frame
                                          ? UINT64_MAX
                                          : header.begin + header.frames * frame);
        }
        if (header.length < header.frames * frame) {
            fail(source, "the pixels have " + std::to_string(header.length) + " bytes where " +
                             std::to_string(header.frames * frame) + " are needed");
        }
    }
    samples.isPlain = !header.isEncapsulated && !samples.isPalette && !samples.isYcc && !samples.isInverted &&
                      !(samples.isColour && header.isPlanar) &&
                      (samples.kind == SampleKind::real || header.bitsStored == header.bitsAllocated);
    return samples;
}

std::string compressionOf(const SourceFile& source, const DicomHeader& header) {
    const Syntax syntax = syntaxOf(header);
    if (syntax.scheme == Scheme::other) {
        refuse(source, "the transfer syntax " + factText(header.syntax, 64) + " is not supported");
    }
    return std::string(syntax.name);
}

std::unique_ptr<PageDecoder> dicomPages(const SourceFile& source, const DicomHeader& header,
                                        const DicomSamples& samples, std::vector<std::uint32_t> order) {
    return std::make_unique<DicomPages>(source, header, samples, std::move(order));
}

} // namespace pollard
