#include "formats/fits/fits_scan.hpp"

#include "base/text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

namespace pollard {

namespace {

constexpr std::size_t kCard = 80;
constexpr std::uint64_t kBlock = 2880;
constexpr int kMaxUnits = 100000;
constexpr std::uint64_t kMaxCards = 1 << 20;
constexpr std::int64_t kMaxFitsAxes = 999;
constexpr std::int64_t kMaxCompressedAxes = 6;
constexpr std::int64_t kMaxFitsSide = 1LL << 40;
constexpr std::int64_t kMaxTileValues = 1LL << 28;

/// Only thrown within this file.
struct ScanFailure {
    std::string why;
    bool unsupported = false;
};

[[noreturn]] void damaged(const std::string& why) { throw ScanFailure{why}; }

/// Keys that define sizes. They must not occur twice with different values, because programs differ in which they use.
bool isChecked(std::string_view key) {
    constexpr std::array<std::string_view, 16> kStarts = {
        "NAXIS", "BITPIX", "PCOUNT",   "GCOUNT",  "ZNAXIS", "ZTILE",    "ZIMAGE",   "ZBITPIX",
        "ZNAME", "ZVAL",   "ZCMPTYPE", "TFIELDS", "TFORM",  "XTENSION", "ZDITHER0", "THEAP"};
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) { return key.starts_with(start); });
}

class HeaderCards {
public:
    void add(std::string_view card) {
        const std::string_view key = trimmed(card.substr(0, 8), " ");
        if (card.find('\0') != std::string_view::npos) {
            damaged("the header holds bytes that are no text");
        }
        if (!isChecked(key)) {
            return;
        }
        // cfitsio accepts such a card for the key nevertheless.
        const bool plain = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; });
        if (!plain || card.substr(8, 2) != "= ") {
            damaged("the card of " + std::string(key) + " is not of the format");
        }
        std::string_view value = trimmed(card.substr(10), " ");
        if (value.starts_with('\'')) {
            value = trimmed(value.substr(1, value.find('\'', 1) - 1), " ");
        } else {
            value = trimmed(value.substr(0, value.find('/')), " ");
        }
        const auto [at, fresh] = values_.emplace(key, value);
        if (!fresh && at->second != value) {
            damaged(std::string(key) + " is there twice");
        }
    }

    [[nodiscard]] std::string text(const std::string& key) const {
        const auto at = values_.find(key);
        return at == values_.end() ? std::string() : at->second;
    }

    /// An integer from @p low to @p high; @p fallback if missing. @throws ScanFailure
    [[nodiscard]] std::int64_t number(const std::string& key, std::int64_t low, std::int64_t high,
                                      std::optional<std::int64_t> fallback = std::nullopt) const {
        const auto at = values_.find(key);
        if (at == values_.end()) {
            if (!fallback) {
                damaged(key + " is missing");
            }
            return *fallback;
        }
        const std::string& value = at->second;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc{} || end != value.data() + value.size() || number < low || number > high) {
            damaged(key + " is " + value);
        }
        return number;
    }

private:
    std::map<std::string, std::string, std::less<>> values_;
};

std::int64_t times(std::int64_t a, std::int64_t b) {
    if (b != 0 && a > INT64_MAX / b) {
        damaged("the sizes are too large");
    }
    return a * b;
}

void requireBits(const HeaderCards& cards, const char* key) {
    const std::int64_t bits = cards.number(key, -64, 64);
    constexpr std::array<std::int64_t, 6> kBits = {8, 16, 32, 64, -32, -64};
    if (std::find(kBits.begin(), kBits.end(), bits) == kBits.end()) {
        damaged(std::string(key) + " is " + std::to_string(bits));
    }
}

/// Checks the compression parameters in pairs ZNAMEn, ZVALn.
void checkParameters(const HeaderCards& cards) {
    for (int i = 1; i <= 99; ++i) {
        const std::string name = cards.text("ZNAME" + std::to_string(i));
        const std::string key = "ZVAL" + std::to_string(i);
        if (name == "BLOCKSIZE") {
            const std::int64_t size = cards.number(key, 16, 32);
            if (size != 16 && size != 32) {
                damaged("a block size of " + std::to_string(size));
            }
        } else if (name == "BYTEPIX") {
            const std::int64_t bytes = cards.number(key, 1, 4);
            const std::int64_t bits = cards.number("ZBITPIX", -64, 64);
            if (bytes == 3 || (bits > 0 && bytes * 8 != bits)) {
                damaged("values of " + std::to_string(bytes) + " bytes in a " + std::to_string(bits) + "-bit image");
            }
        }
    }
}

void checkCompressed(const HeaderCards& cards) {
    const std::string method = cards.text("ZCMPTYPE");
    if (method != "RICE_1" && method != "RICE_ONE" && method != "GZIP_1" && method != "GZIP_2" &&
        method != "NOCOMPRESS") {
        // cfitsio's HCOMPRESS and PLIO decoders write as much as the stream states, regardless of the buffer size.
        throw ScanFailure{"compression " + method + " is not supported, only RICE_1, GZIP_1 and GZIP_2", true};
    }
    requireBits(cards, "ZBITPIX");
    const std::int64_t axes = cards.number("ZNAXIS", 1, kMaxCompressedAxes);
    std::int64_t tiles = 1;
    std::int64_t values = 1;
    for (std::int64_t axis = 1; axis <= axes; ++axis) {
        const std::int64_t side = cards.number("ZNAXIS" + std::to_string(axis), 1, kMaxFitsSide);
        const std::int64_t tile = cards.number("ZTILE" + std::to_string(axis), 1, kMaxTileValues, axis == 1 ? side : 1);
        tiles = times(tiles, (side - 1) / tile + 1);
        values = times(values, std::min(tile, side));
    }
    if (values > kMaxTileValues) {
        damaged("compressed tiles of " + std::to_string(values) + " values");
    }
    if (const std::int64_t rows = cards.number("NAXIS2", 0, kMaxFitsSide); rows != tiles) {
        damaged(std::to_string(tiles) + " compressed tiles are needed, the table has " + std::to_string(rows));
    }
    (void)cards.number("TFIELDS", 1, 999);
    (void)cards.number("ZDITHER0", 1, 10000, 1);
    checkParameters(cards);
}

/// Bytes of the data after the header.
std::uint64_t dataBytes(const HeaderCards& cards) {
    requireBits(cards, "BITPIX");
    const std::int64_t axes = cards.number("NAXIS", 0, kMaxFitsAxes);
    std::int64_t values = axes == 0 ? 0 : 1;
    for (std::int64_t axis = 1; axis <= axes; ++axis) {
        const std::int64_t side = cards.number("NAXIS" + std::to_string(axis), 0, kMaxFitsSide);
        // Random groups, an obsolete structure without an image, have a first side of 0.
        values = axis == 1 && side == 0 && axes > 1 ? values : times(values, side);
    }
    const std::int64_t parameters = cards.number("PCOUNT", 0, INT64_MAX, 0);
    const std::int64_t groups = cards.number("GCOUNT", 0, INT64_MAX, 1);
    if (values > INT64_MAX - parameters) {
        damaged("the sizes are too large");
    }
    const std::int64_t bytes = std::abs(cards.number("BITPIX", -64, 64)) / 8;
    return static_cast<std::uint64_t>(times(times(values + parameters, groups), bytes));
}

class Scanner {
public:
    explicit Scanner(const SourceFile& source) : source_(source), file_(openForReading(source)) {}

    FitsScan run() {
        FitsScan scan;
        std::uint64_t at = 0;
        try {
            while (at < source_.size && scan.soundUnits < kMaxUnits && isUnit(at)) {
                at = endOfUnit(at);
                ++scan.soundUnits;
            }
        } catch (const ScanFailure& failure) {
            scan.damage = "unit " + std::to_string(scan.soundUnits + 1) + ": " + failure.why;
            scan.unsupported = failure.unsupported;
        }
        return scan;
    }

private:
    /// Any data may follow the last unit ("special records").
    bool isUnit(std::uint64_t at) {
        std::array<char, 9> start{};
        if (at == 0) {
            return true;
        }
        seek(at);
        return std::fread(start.data(), 1, start.size(), file_.get()) == start.size() &&
               std::string_view(start.data(), start.size()) == "XTENSION=";
    }

    void seek(std::uint64_t at) {
        if (::fseeko(file_.get(), static_cast<off_t>(at), SEEK_SET) != 0) {
            damaged("the file ends in a header");
        }
    }

    /// @returns offset of the next unit
    std::uint64_t endOfUnit(std::uint64_t at) {
        seek(at);
        HeaderCards cards;
        std::array<char, kCard> card{};
        std::uint64_t count = 0;
        bool ended = false;
        while (!ended) {
            if (++count > kMaxCards || std::fread(card.data(), 1, kCard, file_.get()) != kCard) {
                damaged("the header does not end");
            }
            const std::string_view text(card.data(), kCard);
            cards.add(text);
            ended = trimmed(text.substr(0, 8), " ") == "END";
        }
        const std::uint64_t data = at + (count * kCard + kBlock - 1) / kBlock * kBlock;
        const std::uint64_t bytes = dataBytes(cards);
        if (bytes > 0 && (data > source_.size || bytes > source_.size - data)) {
            damaged("the data are to end at byte " + std::to_string(data + std::min(bytes, UINT64_MAX / 2)) +
                    ", the file has " + std::to_string(source_.size));
        }
        if (cards.text("ZIMAGE") == "T") {
            checkCompressed(cards);
        }
        return data + (bytes + kBlock - 1) / kBlock * kBlock;
    }

    const SourceFile& source_;
    FilePointer file_;
};

} // namespace

FitsScan scanFits(const SourceFile& source) { return Scanner(source).run(); }

} // namespace pollard
