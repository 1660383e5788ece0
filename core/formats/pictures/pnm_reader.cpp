#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"

#include <bit>
#include <cstdio>
#include <limits>
#include <vector>

namespace pollard {

namespace {

constexpr std::uint32_t kMaxMaxval = 65535;

/// Netpbm formats P1 to P6: bitmap, grey and colour, as text or binary.
class PnmStream {
public:
    explicit PnmStream(const SourceFile& source) : source_(source), file_(openForReading(source.path)) {}

    [[nodiscard]] const SourceFile& source() const noexcept { return source_; }

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

struct PnmHeader {
    ImageInfo info;
    GreyPlan plan;
    bool bitmap = false;
    bool raw = false;
    std::uint32_t maxval = 1;

    /// Bits per sample in a binary row.
    [[nodiscard]] int rowBits() const noexcept { return bitmap ? 1 : maxval < 256 ? 8 : 16; }
    [[nodiscard]] std::size_t rowBytes() const noexcept {
        return (std::size_t{info.width} * info.samples * rowBits() + 7) / 8;
    }
};

PnmHeader readPnmHeader(const ReadOptions& options, PnmStream& stream) {
    const SourceFile& source = stream.source();
    requireFirstPage(source, options.page);
    constexpr std::uint32_t kMaxSide = std::numeric_limits<std::uint32_t>::max();
    stream.next(); // 'P'
    const int kind = stream.next() - '0';
    PnmHeader header;
    header.raw = kind > 3;
    header.bitmap = kind == 1 || kind == 4;
    const bool colour = kind == 3 || kind == 6;
    ImageInfo& info = header.info;
    info.width = stream.number("the width", kMaxSide);
    info.height = stream.number("the height", kMaxSide);
    if (!header.bitmap) {
        header.maxval = stream.number("the largest value", kMaxMaxval);
        if (header.maxval == 0) {
            stream.fail("the largest value is 0");
        }
    }
    info.format = header.bitmap ? "PBM" : colour ? "PPM" : "PGM";
    info.compression = header.raw ? "none" : "text";
    info.photometric = header.bitmap ? "MinIsWhite" : colour ? "RGB" : "MinIsBlack";
    info.bits = static_cast<int>(std::bit_width(header.maxval));
    info.samples = colour ? 3 : 1;
    header.plan =
        GreyPlan::forSamples(source, options.channel, info.bits, info.samples, info.samples, false, info.notes);
    if (header.bitmap) {
        header.plan.inverted = true;
        info.notes.emplace_back("MinIsWhite: grey levels inverted");
    }
    return header;
}

/// Parses the samples of a text row to 16 bits in host order.
void readTextRow(PnmStream& stream, const PnmHeader& header, const std::string& where,
                 std::vector<std::uint16_t>& row) {
    for (std::uint16_t& sample : row) {
        sample = header.bitmap ? stream.bit(where)
                               : static_cast<std::uint16_t>(stream.number("a value of " + where, header.maxval));
    }
}

void readRawRow(PnmStream& stream, const PnmHeader& header, const std::string& where, std::vector<std::byte>& packed,
                std::vector<std::uint16_t>& row) {
    stream.read(packed.data(), packed.size(), where);
    for (std::size_t i = 0; i < row.size(); ++i) {
        switch (header.rowBits()) {
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
        if (row[i] > header.maxval) {
            stream.fail(where + " has the value " + std::to_string(row[i]) + ", the largest is to be " +
                        std::to_string(header.maxval));
        }
    }
}

class PnmReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"PNM", {"pgm", "ppm", "pbm", "pnm"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        const auto at = [&](std::size_t i) { return std::to_integer<char>(head[i]); };
        return head.size() >= 3 && at(0) == 'P' && at(1) >= '1' && at(1) <= '6' &&
               (at(2) == ' ' || at(2) == '#' || (at(2) >= '\t' && at(2) <= '\r'));
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        PnmStream stream(source);
        return readPnmHeader(options, stream).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        PnmStream stream(source);
        PnmHeader header = readPnmHeader(options, stream);
        const ImageInfo& info = header.info;
        const std::uint64_t samplesInRow = std::uint64_t{info.width} * info.samples;
        // A text sample takes a digit and, except in bitmaps, a separator: at least its decoded size.
        checkClaim(source,
                   {info.width, info.height, info.bits, (header.raw ? header.rowBytes() : samplesInRow) * info.height,
                    source.size, false},
                   options.limits);
        auto image = std::make_shared<Image>(header.plan.type, info.width, info.height);
        header.plan.inverted = false; // done below, with the conversion to 16 bits
        const bool inverted = header.bitmap;
        header.plan.bits = 16;
        GreyRows rows(source, std::move(header.plan), *image);
        std::vector<std::uint16_t> row(samplesInRow);
        std::vector<std::byte> packed(header.raw ? header.rowBytes() : 0);
        for (std::uint32_t y = 0; y < info.height; ++y) {
            const std::string where = "row " + std::to_string(y);
            if (header.raw) {
                readRawRow(stream, header, where, packed, row);
            } else {
                readTextRow(stream, header, where, row);
            }
            if (inverted) {
                for (std::uint16_t& sample : row) {
                    sample ^= 1;
                }
            }
            rows.putInterleaved(0, y, info.width, reinterpret_cast<const std::byte*>(row.data()), info.samples);
            if (y % kRowsPerCheck == 0) {
                control.report(static_cast<double>(y) / info.height, "reading");
                control.throwIfStopped();
            }
        }
        control.report(1.0, "reading");
        return {std::move(image), nullptr, std::move(header.info)};
    }
};

} // namespace

const ImageReader& pnmReader() {
    static const PnmReader reader;
    return reader;
}

} // namespace pollard
