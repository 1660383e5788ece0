#include "formats/fits/fits_file.hpp"

#include "io/metadata/fact_text.hpp"
#include "io/metadata/sky_header.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <zlib.h>

namespace pollard {

namespace {

struct CloseGzip {
    void operator()(gzFile file) const noexcept { gzclose(file); }
};
using GzipPointer = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip>;

bool isGzip(const SourceFile& source) {
    return source.content.empty() && source.head.size() > 2 && source.head[0] == std::byte{0x1f} &&
           source.head[1] == std::byte{0x8b};
}

GzipPointer openGzip(const SourceFile& source) {
    GzipPointer file(gzopen(source.path.c_str(), "rb"));
    if (!file) {
        throw readError(ErrorCode::fileUnreadable, source.path, "cannot be opened");
    }
    return file;
}

std::uint64_t mostBytes(const SourceFile& source, const ReadLimits& limits) {
    constexpr std::uint64_t kFree = 256ULL << 20; // allowed for any file; more may be a decompression bomb
    const std::uint64_t memory = limits.maxDecodedBytes != 0 ? limits.maxDecodedBytes : availableMemory() / 2;
    const double expanded = limits.maxExpansion * static_cast<double>(source.size);
    return std::min(memory, std::max(kFree, expanded < 1e18 ? static_cast<std::uint64_t>(expanded) : UINT64_MAX));
}

std::vector<std::byte> unpacked(const SourceFile& source, const ReadLimits& limits) {
    constexpr std::size_t kStep = 1U << 20;
    const std::uint64_t most = mostBytes(source, limits);
    const GzipPointer file = openGzip(source);
    std::vector<std::byte> bytes;
    for (;;) {
        const std::size_t used = bytes.size();
        bytes.resize(used + kStep);
        const int got = gzread(file.get(), bytes.data() + used, kStep);
        if (got < 0) {
            throw readError(ErrorCode::fileDamaged, source.path, "the data compressed by gzip are damaged");
        }
        bytes.resize(used + static_cast<std::size_t>(got));
        if (bytes.size() > most) {
            throw readError(ErrorCode::limitExceeded, source.path,
                            "the data compressed by gzip need more than the allowed " + sizeText(most));
        }
        if (static_cast<std::size_t>(got) < kStep) {
            break;
        }
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (status != Z_OK && status != Z_STREAM_END) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the data compressed by gzip end early; copy the file again");
    }
    return bytes;
}

} // namespace

bool isGzippedFits(const SourceFile& source) {
    constexpr std::string_view kStart = "SIMPLE  =";
    if (!isGzip(source)) {
        return false;
    }
    std::array<char, kStart.size()> start{};
    const GzipPointer file = openGzip(source);
    return gzread(file.get(), start.data(), start.size()) == static_cast<int>(start.size()) &&
           std::string_view(start.data(), start.size()) == kStart;
}

PlainFits::PlainFits(const SourceFile& source, const ReadLimits& limits)
    : bytes_(isGzip(source) ? unpacked(source, limits) : std::vector<std::byte>()), plain_(source) {
    if (!bytes_.empty()) {
        plain_.size = bytes_.size();
        plain_.content = bytes_;
        plain_.head.assign(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(
                                                                std::min(bytes_.size(), SourceFile::kHeadBytes)));
    }
}

namespace {

constexpr int kMaxAxes = 9;

std::mutex& libraryMutex() {
    static std::mutex mutex;
    return mutex;
}

/// Most detailed message of cfitsio's last error.
std::string libraryMessage(int status) {
    std::array<char, FLEN_STATUS> text{};
    fits_get_errstatus(status, text.data());
    std::string message = text.data();
    std::array<char, FLEN_ERRMSG> detail{};
    std::string last;
    while (fits_read_errmsg(detail.data()) != 0) {
        last = detail.data();
    }
    return message + (last.empty() ? "" : ": " + factText(last));
}

} // namespace

std::uint64_t FitsUnit::planes() const {
    std::uint64_t count = 1;
    for (std::size_t i = 2; i < sides.size(); ++i) {
        count = sides[i] != 0 && count > UINT64_MAX / sides[i] ? UINT64_MAX : count * sides[i];
    }
    return count;
}

FitsFile::FitsFile(const SourceFile& source)
    : source_(source), alone_(libraryMutex()), content_(const_cast<std::byte*>(source.content.data())),
      contentBytes_(source.content.size()) {
    int status = 0;
    fits_clear_errmsg();
    if (source.content.empty()) {
        fits_open_diskfile(&file_, source.path.c_str(), READONLY, &status);
    } else { // is only read
        fits_open_memfile(&file_, "memory", READONLY, &content_, &contentBytes_, 0, nullptr, &status);
    }
    require(status, "the file cannot be opened");
}

FitsFile::~FitsFile() {
    int status = 0;
    if (file_ != nullptr) {
        fits_close_file(file_, &status);
    }
    fits_clear_errmsg();
}

void FitsFile::require(int status, const std::string& what) const {
    if (status != 0) {
        throw readError(status == MEMORY_ALLOCATION ? ErrorCode::outOfMemory : ErrorCode::fileDamaged, source_.path,
                        "damaged FITS: " + what + ": " + libraryMessage(status));
    }
}

std::vector<FitsUnit> FitsFile::findUnits(int count, std::string& damage) {
    std::vector<FitsUnit> units;
    for (int number = 1; number <= count; ++number) {
        int status = 0;
        int kind = 0;
        fits_movabs_hdu(file_, number, &kind, &status);
        if (status == END_OF_FILE) {
            break;
        }
        int axes = 0;
        std::array<LONGLONG, kMaxAxes> sides{};
        // cfitsio reports a compressed image as an image, though it is stored as a table.
        const bool compressed = status == 0 && fits_is_compressed_image(file_, &status) != 0;
        const bool image = status == 0 && (kind == IMAGE_HDU || compressed);
        if (image) {
            fits_get_img_dim(file_, &axes, &status);
            fits_get_img_sizell(file_, kMaxAxes, sides.data(), &status);
        }
        if (status != 0) {
            damage = "unit " + std::to_string(number) + ": " + libraryMessage(status);
            break;
        }
        const bool empty = axes < 2 || axes > kMaxAxes ||
                           std::any_of(sides.begin(), sides.begin() + axes, [](LONGLONG side) { return side <= 0; });
        if (!image || empty) {
            continue;
        }
        FitsUnit unit;
        unit.number = number;
        unit.name = text("EXTNAME");
        unit.sides.assign(sides.begin(), sides.begin() + axes);
        unit.compressed = compressed;
        units.push_back(std::move(unit));
    }
    return units;
}

void FitsFile::moveTo(int unit) {
    int status = 0;
    fits_movabs_hdu(file_, unit, nullptr, &status);
    require(status, "unit " + std::to_string(unit) + " cannot be read");
}

int FitsFile::valueType() {
    int status = 0;
    int type = 0;
    fits_get_img_equivtype(file_, &type, &status);
    require(status, "the type of the values");
    // cfitsio reads unsigned 64-bit values by convention, but reports another type here.
    constexpr double kUnsignedZero = 9223372036854775808.0;
    const bool isUnsigned = type == LONGLONG_IMG && number("BZERO") == kUnsignedZero && !number("BSCALE").has_value();
    const bool byOne = type == LONGLONG_IMG && number("BZERO") == kUnsignedZero && number("BSCALE") == 1.0;
    return isUnsigned || byOne ? ULONGLONG_IMG : type;
}

int FitsFile::storedBits() {
    int status = 0;
    int bits = 0;
    fits_get_img_type(file_, &bits, &status);
    require(status, "the type of the values");
    return bits;
}

void FitsFile::takeStoredValues() {
    int status = 0;
    fits_set_bscale(file_, 1, 0, &status);
    require(status, "the scale of the values");
}

std::uint64_t FitsFile::tileRows(const FitsUnit& unit) {
    constexpr double kMostRows = 1e9;
    return unit.compressed ? static_cast<std::uint64_t>(std::clamp(number("ZTILE2").value_or(1), 1.0, kMostRows)) : 1;
}

std::string FitsFile::text(const char* key) {
    int status = 0;
    std::array<char, FLEN_VALUE> value{};
    fits_read_key(file_, TSTRING, key, value.data(), nullptr, &status);
    fits_clear_errmsg();
    return status == 0 ? factText(value.data()) : std::string();
}

std::optional<double> FitsFile::number(const char* key) {
    int status = 0;
    double value = 0;
    fits_read_key(file_, TDOUBLE, key, &value, nullptr, &status);
    fits_clear_errmsg();
    return status == 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<std::string> FitsFile::skyCards() {
    constexpr std::size_t kMost = 4000;
    int status = 0;
    int count = 0;
    fits_get_hdrspace(file_, &count, nullptr, &status);
    std::vector<std::string> cards;
    for (int i = 1; i <= count && status == 0 && cards.size() < kMost; ++i) {
        std::array<char, FLEN_CARD> card{};
        fits_read_record(file_, i, card.data(), &status);
        std::string line = card.data();
        std::ranges::replace_if(
            line, [](char letter) { return letter < ' ' || letter > '~'; }, ' ');
        constexpr std::size_t kKeyword = 8;
        constexpr std::size_t kLength = 80;
        const std::string word = line.substr(0, std::min(line.find(' '), kKeyword));
        if (status == 0 && line.compare(std::min(kKeyword, line.size()), 2, "= ") == 0 && isSkyKeyword(word)) {
            line.resize(kLength, ' ');
            cards.push_back(std::move(line));
        }
    }
    fits_clear_errmsg();
    return cards;
}

void FitsFile::readValues(int type, std::uint64_t first, std::uint64_t count, void* out, char* gaps) {
    int status = 0;
    int any = 0;
    const auto from = static_cast<LONGLONG>(first) + 1;
    const auto values = static_cast<LONGLONG>(count);
    if (gaps == nullptr) {
        fits_read_img(file_, type, from, values, nullptr, out, &any, &status);
    } else {
        fits_read_imgnull(file_, type, from, values, out, gaps, &any, &status);
    }
    require(status, "the pixels cannot be read");
}

} // namespace pollard
