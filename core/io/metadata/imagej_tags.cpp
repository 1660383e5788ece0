#include "io/metadata/imagej_tags.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kSizes = 50838;
constexpr std::uint16_t kBlock = 50839;
constexpr std::uint16_t kByte = 1;
constexpr std::uint16_t kLong = 4;

template <class T> CopiedTag arrayTag(std::uint16_t number, std::uint16_t type, const std::vector<T>& values) {
    CopiedTag tag{number, type, values.size(), std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(tag.data.data(), values.data(), tag.data.size());
    return tag;
}

/// The block IJMetadata: a table of kinds and numbers of parts, then the parts.
class ImageJBlock {
public:
    using Parts = std::vector<std::vector<std::byte>>;

    void add(std::uint32_t kind, const Parts& parts) {
        append(table_, kind);
        append(table_, static_cast<std::uint32_t>(parts.size()));
        for (const auto& part : parts) {
            sizes_.push_back(static_cast<std::uint32_t>(part.size()));
            parts_.insert(parts_.end(), part.begin(), part.end());
        }
    }
    template <class T> static void append(std::vector<std::byte>& bytes, T number) {
        const auto data = std::as_bytes(std::span(&number, 1));
        bytes.insert(bytes.end(), data.begin(), data.end());
    }
    [[nodiscard]] std::vector<CopiedTag> tags() const {
        std::vector<std::byte> block;
        append(block, std::uint32_t{0x494a494a}); // "IJIJ"
        block.insert(block.end(), table_.begin(), table_.end());
        std::vector<std::uint32_t> sizes{static_cast<std::uint32_t>(block.size())};
        sizes.insert(sizes.end(), sizes_.begin(), sizes_.end());
        block.insert(block.end(), parts_.begin(), parts_.end());
        return {arrayTag(kSizes, kLong, sizes), arrayTag(kBlock, kByte, block)};
    }

private:
    std::vector<std::byte> table_;
    std::vector<std::byte> parts_;
    std::vector<std::uint32_t> sizes_;
};

/// In UTF-16 of the host's byte order; characters that are no UTF-8 become question marks.
std::vector<std::byte> utf16Of(std::string_view text) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < text.size();) {
        const auto byteAt = [&](std::size_t at) {
            return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
        };
        const std::uint32_t first = byteAt(i);
        const std::size_t more = first < 0x80       ? 0
                                 : first >> 5 == 6  ? 1
                                 : first >> 4 == 14 ? 2
                                 : first >> 3 == 30 ? 3
                                                    : 9;
        std::uint32_t code = more == 0 ? first : first & (0x3fU >> more);
        bool right = more < 9;
        for (std::size_t k = 1; right && k <= more; ++k) {
            right = byteAt(i + k) >> 6 == 2;
            code = code << 6 | (byteAt(i + k) & 0x3fU);
        }
        i += right ? more + 1 : 1;
        code = right ? code : '?';
        if (code >= 0x10000) {
            ImageJBlock::append(bytes, static_cast<std::uint16_t>(0xd800 + ((code - 0x10000) >> 10)));
            code = 0xdc00 + ((code - 0x10000) & 0x3ff);
        }
        ImageJBlock::append(bytes, static_cast<std::uint16_t>(code));
    }
    return bytes;
}

/// 256 reds, greens and blues from black to the colour.
std::vector<std::byte> tableOf(const std::array<std::uint8_t, 3>& colour) {
    constexpr int kLast = 255;
    std::vector<std::byte> table;
    for (const std::uint8_t part : colour) {
        for (int i = 0; i <= kLast; ++i) {
            table.push_back(static_cast<std::byte>((part * i + kLast / 2) / kLast));
        }
    }
    return table;
}

} // namespace

std::vector<CopiedTag> tagsOf(const ImageJMetadata& metadata) {
    ImageJBlock block;
    if (!metadata.info.empty()) {
        block.add(0x696e666f, {utf16Of(metadata.info)}); // "info"
    }
    if (std::ranges::any_of(metadata.labels, [](const std::string& label) { return !label.empty(); })) {
        ImageJBlock::Parts labels;
        std::ranges::transform(metadata.labels, std::back_inserter(labels), utf16Of);
        block.add(0x6c61626c, labels); // "labl"
    }
    if (!metadata.windows.empty()) {
        std::vector<std::byte> ranges;
        for (const ChannelWindow& window : metadata.windows) {
            ImageJBlock::append(ranges, window.low);
            ImageJBlock::append(ranges, window.high);
        }
        block.add(0x72616e67, {ranges}); // "rang"
    }
    if (!metadata.colours.empty()) {
        ImageJBlock::Parts tables;
        std::ranges::transform(metadata.colours, std::back_inserter(tables), tableOf);
        block.add(0x6c757473, tables); // "luts"
    }
    return block.tags();
}

} // namespace pollard
