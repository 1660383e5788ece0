#include "base/number_text.hpp"
#include "io/image_reader.hpp"
#include "io/read_support.hpp"
#include "io/samples/grey_rows.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace pollard {

namespace pfm {
namespace {

/// PfmHeader of a portable float map ("Pf" grey, "PF" colour): 32-bit floats, bottom row first.
struct PfmHeader {
    ImageInfo info;
    int sample = 0; ///< index of the sample used as grey
    bool bigEndian = false;
    long pixels = 0; ///< offset in the file
};

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged PFM: " + why);
}

bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads a word and the one white-space character after it.
std::string nextWord(const SourceFile& source, std::FILE* file) {
    constexpr std::size_t kLongest = 40;
    std::string word;
    int c = std::getc(file);
    while (isSpace(c)) {
        c = std::getc(file);
    }
    for (; c != EOF && !isSpace(c); c = std::getc(file)) {
        word += static_cast<char>(c);
        if (word.size() > kLongest) {
            fail(source, "the header is not of the format");
        }
    }
    if (word.empty() || c == EOF) {
        fail(source, "the file ends in the header");
    }
    return word;
}

std::uint32_t sideOf(const SourceFile& source, const std::string& word) {
    std::uint32_t side = 0;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!std::all_of(word.begin(), word.end(), digit) || word.size() > 9) {
        fail(source, "the size is not a number: " + word);
    }
    for (const char c : word) {
        side = side * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return side;
}

PfmHeader readPfmHeader(const SourceFile& source, const ReadOptions& options, std::FILE* file) {
    requireFirstPage(source, options.page);
    PfmHeader header;
    ImageInfo& info = header.info;
    const bool colour = nextWord(source, file) == "PF";
    info.format = "PFM";
    info.compression = "none";
    info.photometric = colour ? "RGB" : "MinIsBlack";
    info.width = sideOf(source, nextWord(source, file));
    info.height = sideOf(source, nextWord(source, file));
    const std::string scale = nextWord(source, file);
    const double factor = leadingNumber(scale).value_or(0);
    if (factor == 0 || !std::isfinite(factor)) {
        fail(source, "the scale is not a number: " + scale);
    }
    header.bigEndian = factor > 0;
    header.pixels = std::ftell(file);
    info.bits = 32;
    info.sampleFormat = "float";
    info.samples = colour ? 3 : 1;
    ReadOptions one = options;
    if (colour && one.channel.kind == ChannelChoice::Kind::luminance) {
        one.channel = {ChannelChoice::Kind::sample, 1}; // levels of three different mappings cannot be added
    }
    header.sample =
        GreyPlan::forSamples(source, one.channel, 16, info.samples, info.samples, false, info.notes).samples[0];
    return header;
}

class PfmReader final : public ImageReader {
public:
    FormatFilter filter() const override { return {"PFM", {"pfm"}}; }

    bool recognises(std::span<const std::byte> head) const override {
        return head.size() >= 3 && head[0] == std::byte{'P'} &&
               (head[1] == std::byte{'F'} || head[1] == std::byte{'f'}) && isSpace(std::to_integer<int>(head[2]));
    }

    ImageInfo info(const SourceFile& source, const ReadOptions& options) const override {
        const FilePointer file = openForReading(source.path);
        return readPfmHeader(source, options, file.get()).info;
    }

    LoadedImage read(const SourceFile& source, const ReadOptions& options, const JobControl& control) const override {
        const FilePointer file = openForReading(source.path);
        PfmHeader header = readPfmHeader(source, options, file.get());
        const std::uint32_t width = header.info.width;
        const std::uint32_t height = header.info.height;
        const auto samples = static_cast<std::size_t>(header.info.samples);
        const std::uint64_t bytes = std::uint64_t{width} * height * samples * sizeof(float);
        checkClaim(source, {width, height, 32, bytes, source.size, false}, options.limits);
        if (bytes > source.size - static_cast<std::uint64_t>(header.pixels)) {
            fail(source, "the file ends in the pixels");
        }
        Buffer<float> values(std::size_t{width} * height);
        std::vector<std::uint32_t> row(width * samples);
        const bool swap = header.bigEndian != (std::endian::native == std::endian::big);
        for (std::uint32_t y = height; y-- > 0;) {
            if (std::fread(row.data(), sizeof(float), row.size(), file.get()) != row.size()) {
                fail(source, "the file ends in row " + std::to_string(y));
            }
            for (std::uint32_t x = 0; x < width; ++x) {
                std::uint32_t word = row[x * samples + static_cast<std::size_t>(header.sample)];
                word = swap ? __builtin_bswap32(word) : word;
                values[std::size_t{y} * width + x] = std::bit_cast<float>(word);
            }
            if (y % kRowsPerCheck == 0) {
                control.report(1 - static_cast<double>(y) / height, "reading");
                control.throwIfStopped();
            }
        }
        return imageOfValues(source, {ValueType::f32, values.data(), width, height}, options, {},
                             std::move(header.info), control);
    }
};

} // namespace
} // namespace pfm

const ImageReader& pfmReader() {
    static const pfm::PfmReader reader;
    return reader;
}

} // namespace pollard
