#include "base/text.hpp"
#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kMaxMaxval = 65535;

/// Netpbm formats P1 to P6: bitmap, grey and colour, as text or binary.
class PnmStream {
public:
    explicit PnmStream(const SourceFile& source) : source_(source), file_(openForReading(source.path)) {}

    int next() { return std::getc(file_.get()); }

    void read(std::byte* out, std::size_t bytes, const std::string& where) {
        if (std::fread(out, 1, bytes, file_.get()) != bytes) {
            fail("the file ends in " + where);
        }
    }

    /// First character that is neither white space nor part of a comment.
    int skipSpace() {
        int c = next();
        while (isSpace(c) || c == '#') {
            if (c == '#') {
                while (c != '\n' && c != '\r' && c != EOF) {
                    c = next();
                }
            } else {
                c = next();
            }
        }
        return c;
    }

    /// Parses an unsigned decimal number and the character after it, which must be white space or the end.
    std::uint32_t number(const std::string& what, std::uint32_t largest) {
        int c = skipSpace();
        if (c == EOF) {
            fail("the file ends before " + what);
        }
        std::uint64_t value = 0;
        bool any = false;
        for (; c >= '0' && c <= '9'; c = next(), any = true) {
            value = value * 10 + static_cast<unsigned>(c - '0');
            if (value > largest) {
                fail(what + " exceeds " + std::to_string(largest));
            }
        }
        if (c == '#') {
            std::ungetc(c, file_.get());
        } else if (!any || !(isSpace(c) || c == EOF)) {
            fail(what + " is not a number");
        }
        return static_cast<std::uint32_t>(value);
    }

    /// Parses a 0 or 1 of a text bitmap, where white space is optional.
    std::uint16_t bit(const std::string& where) {
        const int c = skipSpace();
        if (c == EOF) {
            fail("the file ends in " + where);
        }
        if (c != '0' && c != '1') {
            fail(where + " holds something else than 0 and 1");
        }
        return static_cast<std::uint16_t>(c - '0');
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw readError(ErrorCode::fileDamaged, source_.path, "damaged PNM: " + why);
    }

private:
    static bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    const SourceFile& source_;
    FilePointer file_;
};

/// How the samples of a row are stored.
struct PnmLayout {
    bool bitmap = false;
    bool raw = false;
    std::uint32_t maxval = 1;

    /// Bits per sample in a binary row.
    [[nodiscard]] int rowBits() const noexcept { return bitmap ? 1 : maxval < 256 ? 8 : 16; }
};

/// Parses the samples of a text row to 16 bits in host order.
void readTextRow(PnmStream& stream, const PnmLayout& layout, const std::string& where,
                 std::vector<std::uint16_t>& row) {
    for (std::uint16_t& sample : row) {
        sample = layout.bitmap ? stream.bit(where)
                               : static_cast<std::uint16_t>(stream.number("a value of " + where, layout.maxval));
    }
}

void readRawRow(PnmStream& stream, const PnmLayout& layout, const std::string& where, std::vector<std::byte>& packed,
                std::vector<std::uint16_t>& row) {
    stream.read(packed.data(), packed.size(), where);
    for (std::size_t i = 0; i < row.size(); ++i) {
        switch (layout.rowBits()) {
        case 1:
            row[i] = std::to_integer<std::uint16_t>(packed[i / 8] >> (7 - i % 8) & std::byte{1});
            break;
        case 8:
            row[i] = std::to_integer<std::uint16_t>(packed[i]);
            break;
        default: // big-endian
            row[i] = static_cast<std::uint16_t>(std::to_integer<unsigned>(packed[2 * i]) << 8 |
                                                std::to_integer<unsigned>(packed[2 * i + 1]));
        }
        if (row[i] > layout.maxval) {
            stream.fail(where + " has the value " + std::to_string(row[i]) + ", the largest is to be " +
                        std::to_string(layout.maxval));
        }
    }
}

class PnmPage final : public FilePage {
public:
    PnmPage(const SourceFile& source, const ReadOptions& options) : FilePage(source, options), stream_(source) {
        requireFirstPage(source, options.page);
        constexpr std::uint32_t kMaxSide = std::numeric_limits<std::uint32_t>::max();
        stream_.next(); // 'P'
        const int kind = stream_.next() - '0';
        layout_.raw = kind > 3;
        layout_.bitmap = kind == 1 || kind == 4;
        const bool colour = kind == 3 || kind == 6;
        info_.width = stream_.number("the width", kMaxSide);
        info_.height = stream_.number("the height", kMaxSide);
        if (!layout_.bitmap) {
            layout_.maxval = stream_.number("the largest value", kMaxMaxval);
            if (layout_.maxval == 0) {
                stream_.fail("the largest value is 0");
            }
        }
        info_.format = layout_.bitmap ? "PBM" : colour ? "PPM" : "PGM";
        info_.compression = layout_.raw ? "none" : "text";
        info_.photometric = layout_.bitmap ? "MinIsWhite" : colour ? "RGB" : "MinIsBlack";
        info_.bits = static_cast<int>(std::bit_width(layout_.maxval));
        info_.samples = colour ? 3 : 1;
        plan_ =
            GreyPlan::forSamples(source, options.channel, info_.bits, info_.samples, info_.samples, false, info_.notes);
        if (layout_.bitmap) { // inverted with the conversion to 16 bits
            info_.notes.emplace_back("MinIsWhite: grey levels inverted");
        }
    }

    LoadedImage read(const JobControl& control) override {
        const std::uint64_t samplesInRow = std::uint64_t{info_.width} * info_.samples;
        // A text sample takes a digit and, except in bitmaps, a separator: at least its decoded size.
        const std::uint64_t rowBytes = layout_.raw ? (samplesInRow * layout_.rowBits() + 7) / 8 : samplesInRow;
        checkClaim(source_, {info_.width, info_.height, info_.bits, rowBytes * info_.height, source_.size, false},
                   options_.limits);
        auto image = std::make_shared<Image>(plan_.type, info_.width, info_.height);
        plan_.bits = 16;
        GreyRows rows(source_, plan_, *image);
        std::vector<std::uint16_t> row(samplesInRow);
        std::vector<std::byte> packed(layout_.raw ? rowBytes : 0);
        for (std::uint32_t y = 0; y < info_.height; ++y) {
            const std::string where = "row " + std::to_string(y);
            if (layout_.raw) {
                readRawRow(stream_, layout_, where, packed, row);
            } else {
                readTextRow(stream_, layout_, where, row);
            }
            if (layout_.bitmap) {
                for (std::uint16_t& sample : row) {
                    sample ^= 1;
                }
            }
            rows.putInterleaved(0, y, info_.width, reinterpret_cast<const std::byte*>(row.data()), info_.samples);
            passRow(control, y, info_.height);
        }
        control.report(1.0, "reading");
        return {std::move(image), nullptr, info_};
    }

private:
    PnmStream stream_;
    PnmLayout layout_;
    GreyPlan plan_;
};

bool isPnm(const SourceFile& source) {
    const auto at = [&](std::size_t i) { return std::to_integer<char>(source.head[i]); };
    return source.head.size() >= 3 && at(0) == 'P' && at(1) >= '1' && at(1) <= '6' &&
           (at(2) == ' ' || at(2) == '#' || (at(2) >= '\t' && at(2) <= '\r'));
}

[[noreturn]] void failPfm(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged PFM: " + why);
}

bool isPfmSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads a word and the one white-space character after it.
std::string nextPfmWord(const SourceFile& source, std::FILE* file) {
    constexpr std::size_t kLongest = 40;
    std::string word;
    int c = std::getc(file);
    while (isPfmSpace(c)) {
        c = std::getc(file);
    }
    for (; c != EOF && !isPfmSpace(c); c = std::getc(file)) {
        word += static_cast<char>(c);
        if (word.size() > kLongest) {
            failPfm(source, "the header is not of the format");
        }
    }
    if (word.empty() || c == EOF) {
        failPfm(source, "the file ends in the header");
    }
    return word;
}

std::uint32_t pfmSide(const SourceFile& source, const std::string& word) {
    std::uint32_t side = 0;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!std::all_of(word.begin(), word.end(), digit) || word.size() > 9) {
        failPfm(source, "the size is not a number: " + word);
    }
    for (const char c : word) {
        side = side * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return side;
}

/// A portable float map ("Pf" grey, "PF" colour): 32-bit floats, bottom row first.
class PfmPage final : public FilePage {
public:
    PfmPage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), file_(openForReading(source.path)) {
        requireFirstPage(source, options.page);
        const bool colour = nextPfmWord(source, file_.get()) == "PF";
        info_.format = "PFM";
        info_.compression = "none";
        info_.photometric = colour ? "RGB" : "MinIsBlack";
        info_.width = pfmSide(source, nextPfmWord(source, file_.get()));
        info_.height = pfmSide(source, nextPfmWord(source, file_.get()));
        const std::string scale = nextPfmWord(source, file_.get());
        const double factor = leadingNumber(scale).value_or(0);
        if (factor == 0 || !std::isfinite(factor)) {
            failPfm(source, "the scale is not a number: " + scale);
        }
        bigEndian_ = factor > 0;
        pixels_ = std::ftell(file_.get());
        info_.bits = 32;
        info_.sampleFormat = "float";
        info_.samples = colour ? 3 : 1;
        ChannelChoice channel = options.channel;
        if (colour && channel.kind == ChannelChoice::Kind::luminance) {
            channel = {ChannelChoice::Kind::sample, 1}; // levels of three different mappings cannot be added
        }
        sample_ =
            GreyPlan::forSamples(source, channel, 16, info_.samples, info_.samples, false, info_.notes).samples[0];
    }

    LoadedImage read(const JobControl& control) override {
        const std::uint32_t width = info_.width;
        const std::uint32_t height = info_.height;
        const auto samples = static_cast<std::size_t>(info_.samples);
        const std::uint64_t bytes = std::uint64_t{width} * height * samples * sizeof(float);
        checkClaim(source_, {width, height, 32, bytes, source_.size, false}, options_.limits);
        if (bytes > source_.size - static_cast<std::uint64_t>(pixels_)) {
            failPfm(source_, "the file ends in the pixels");
        }
        Buffer<float> values(std::size_t{width} * height);
        std::vector<std::uint32_t> row(width * samples);
        const bool swap = bigEndian_ != (std::endian::native == std::endian::big);
        for (std::uint32_t y = height; y-- > 0;) {
            if (std::fread(row.data(), sizeof(float), row.size(), file_.get()) != row.size()) {
                failPfm(source_, "the file ends in row " + std::to_string(y));
            }
            for (std::uint32_t x = 0; x < width; ++x) {
                std::uint32_t word = row[x * samples + static_cast<std::size_t>(sample_)];
                word = swap ? __builtin_bswap32(word) : word;
                values[std::size_t{y} * width + x] = std::bit_cast<float>(word);
            }
            passRow(control, height - 1 - y, height);
        }
        return imageOfValues(source_, {ValueType::f32, values.data(), width, height}, options_, {}, info_, control);
    }

private:
    FilePointer file_;
    int sample_ = 0; ///< used as grey
    bool bigEndian_ = false;
    long pixels_ = 0; ///< offset in the file
};

bool isPfm(const SourceFile& source) {
    return source.head.size() >= 3 && (source.startsWith("PF") || source.startsWith("Pf")) &&
           isPfmSpace(std::to_integer<int>(source.head[2]));
}

} // namespace

const ImageReader& pnmReader() {
    static const ImageReader reader{
        .filter = {"PNM", {"pgm", "ppm", "pbm", "pnm"}}, .recognises = isPnm, .open = openAs<PnmPage>};
    return reader;
}

const ImageReader& pfmReader() {
    static const ImageReader reader{.filter = {"PFM", {"pfm"}}, .recognises = isPfm, .open = openAs<PfmPage>};
    return reader;
}

} // namespace pollard
