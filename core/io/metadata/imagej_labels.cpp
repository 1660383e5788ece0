#include "io/metadata/imagej_description.hpp"

#include <algorithm>

namespace pollard {

namespace {

constexpr std::uint32_t kMagic = 0x494a494a;  // "IJIJ"
constexpr std::uint32_t kLabels = 0x6c61626c; // "labl"
constexpr std::size_t kMaxLabels = 100'000;
constexpr std::size_t kMaxUnits = 1000; ///< UTF-16 code units per label

std::uint32_t numberAt(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width, bool bigEndian) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < width; ++i) {
        number = number << 8 | bytes[at + (bigEndian ? i : width - 1 - i)];
    }
    return number;
}

void append(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

std::string utf8Of(std::span<const std::uint8_t> utf16, bool bigEndian) {
    constexpr std::uint32_t kReplacement = 0xfffd;
    std::string text;
    const std::size_t units = std::min(utf16.size() / 2, kMaxUnits);
    for (std::size_t i = 0; i < units; ++i) {
        std::uint32_t code = numberAt(utf16, 2 * i, 2, bigEndian);
        if (code >= 0xd800 && code < 0xe000) {
            const std::uint32_t low = i + 1 < units ? numberAt(utf16, 2 * i + 2, 2, bigEndian) : 0;
            const bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
            code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : kReplacement;
            i += pair ? 1 : 0;
        }
        append(text, code);
    }
    return text;
}

} // namespace

std::vector<std::string> imageJLabels(std::span<const std::uint8_t> block, std::span<const std::uint32_t> sizes,
                                      bool bigEndian) {
    // The first part lists the others: four letters and a number of parts each.
    constexpr std::size_t kEntry = 8;
    if (sizes.empty() || sizes[0] < 4 || sizes[0] > block.size() || numberAt(block, 0, 4, bigEndian) != kMagic) {
        return {};
    }
    std::vector<std::string> labels;
    std::size_t part = 1;
    std::size_t at = sizes[0];
    for (std::size_t entry = 4; entry + kEntry <= sizes[0]; entry += kEntry) {
        const bool wanted = numberAt(block, entry, 4, bigEndian) == kLabels;
        const std::uint32_t count = numberAt(block, entry + 4, 4, bigEndian);
        if (count > sizes.size() - part || (wanted && count > kMaxLabels)) {
            return {};
        }
        for (std::uint32_t i = 0; i < count; ++i, ++part) {
            if (sizes[part] > block.size() - at) {
                return {};
            }
            if (wanted) {
                labels.push_back(utf8Of(block.subspan(at, sizes[part]), bigEndian));
            }
            at += sizes[part];
        }
    }
    return labels;
}

} // namespace pollard
