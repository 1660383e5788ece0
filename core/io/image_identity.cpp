#include "io/image_identity.hpp"

#include "io/read_support.hpp"

#include <bit>
#include <chrono>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

using Range = MappingChoice::Range;

/// FNV-1a, finished by a mixing of bits.
class Hash {
public:
    void add(std::string_view bytes) noexcept {
        for (const char byte : bytes) {
            value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100'0000'01b3ULL;
        }
        addNumber(bytes.size());
    }
    template <class Number> void addNumber(Number number) noexcept {
        for (auto bits = static_cast<std::uint64_t>(number), i = std::uint64_t{0}; i < 8; ++i, bits >>= 8) {
            value_ = (value_ ^ (bits & 0xff)) * 0x100'0000'01b3ULL;
        }
    }
    void addReal(double number) noexcept { addNumber(std::bit_cast<std::uint64_t>(number)); }
    [[nodiscard]] std::uint64_t value() const noexcept {
        std::uint64_t mixed = value_ ^ value_ >> 32;
        mixed *= 0xd6e8'feb8'6659'fd93ULL;
        return mixed ^ mixed >> 32;
    }

private:
    std::uint64_t value_ = 0xcbf2'9ce4'8422'2325ULL;
};

void addOptions(const ReadOptions& options, Hash& hash) {
    hash.addNumber(options.page);
    hash.addNumber(options.level);
    hash.add(options.channel.text());
    hash.addNumber(options.channel.kind);
    hash.addNumber(options.mapping.range);
    const bool hasEnds = options.mapping.range == Range::percentile || options.mapping.range == Range::fixed;
    hash.addReal(hasEnds ? options.mapping.low : 0);
    hash.addReal(hasEnds ? options.mapping.high : 0);
    if (options.mapping.proportional) {
        hash.add("proportional");
    }
    const PixelRegion region = options.region.value_or(PixelRegion{});
    for (const std::uint32_t number : {region.x, region.y, region.width, region.height}) {
        hash.addNumber(number);
    }
    if (options.ignoreAlpha) {
        hash.add("without alpha");
    }
    hash.addNumber(options.raw.has_value());
    const RawLayout raw = options.raw.value_or(RawLayout{});
    hash.addNumber(raw.width);
    hash.addNumber(raw.height);
    hash.addNumber(raw.type);
    hash.addNumber(raw.bigEndian);
    hash.addNumber(raw.samples);
    hash.addNumber(raw.offset);
    if (options.slices) {
        hash.addNumber(options.slices->first);
        hash.addNumber(options.slices->count);
    }
}

void addFile(const std::filesystem::path& path, Hash& hash) {
    const SourceFile source = openSource(path);
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    if (error) {
        throw readError(ErrorCode::fileUnreadable, path, error.message());
    }
    hash.addNumber(source.size);
    hash.addNumber(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
    hash.add({reinterpret_cast<const char*>(source.head.data()), source.head.size()});
}

} // namespace

std::uint64_t identityOf(std::span<const std::filesystem::path> files, const ReadOptions& options) {
    Hash hash;
    for (const std::filesystem::path& file : files) {
        addFile(file, hash);
    }
    addOptions(options, hash);
    return hash.value();
}

} // namespace pollard
