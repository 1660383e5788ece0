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

/// A portable float map ("Pf" grey, "PF" colour): 32-bit floats, bottom row first.
class PfmPage final : public FilePage {
public:
    PfmPage(const SourceFile& source, const ReadOptions& options)
        : FilePage(source, options), file_(openForReading(source.path)) {
        requireFirstPage(source, options.page);
        const bool colour = nextWord(source, file_.get()) == "PF";
        info_.format = "PFM";
        info_.compression = "none";
        info_.photometric = colour ? "RGB" : "MinIsBlack";
        info_.width = sideOf(source, nextWord(source, file_.get()));
        info_.height = sideOf(source, nextWord(source, file_.get()));
        const std::string scale = nextWord(source, file_.get());
        const double factor = leadingNumber(scale).value_or(0);
        if (factor == 0 || !std::isfinite(factor)) {
            fail(source, "the scale is not a number: " + scale);
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
            fail(source_, "the file ends in the pixels");
        }
        Buffer<float> values(std::size_t{width} * height);
        std::vector<std::uint32_t> row(width * samples);
        const bool swap = bigEndian_ != (std::endian::native == std::endian::big);
        for (std::uint32_t y = height; y-- > 0;) {
            if (std::fread(row.data(), sizeof(float), row.size(), file_.get()) != row.size()) {
                fail(source_, "the file ends in row " + std::to_string(y));
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
           isSpace(std::to_integer<int>(source.head[2]));
}

} // namespace
} // namespace pfm

const ImageReader& pfmReader() {
    static const ImageReader reader{.filter = {"PFM", {"pfm"}}, .recognises = pfm::isPfm, .open = openAs<pfm::PfmPage>};
    return reader;
}

} // namespace pollard
