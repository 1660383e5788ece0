#include "io/metadata/fact_text.hpp"

#include "base/number_text.hpp"

#include <algorithm>

namespace pollard {

namespace {

/// Length in bytes of the UTF-8 character at the start, 0 if there is none.
std::size_t characterBytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Overlong forms, surrogates and code points beyond Unicode.
    const bool wrong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) ||
                       (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90);
    return wrong ? 0 : length;
}

std::string latin1(char c) {
    const auto code = static_cast<unsigned char>(c);
    return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
}

} // namespace

std::string factText(std::string_view text, std::size_t maxBytes) {
    constexpr std::string_view kMore = "…";
    std::string out;
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    while (!text.empty()) {
        const std::size_t length = characterBytes(text);
        std::string character = length == 0 ? latin1(text[0]) : std::string(text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
        if (isControl(character[0])) {
            character = " ";
        }
        if (character == " " && (out.empty() || out.back() == ' ')) {
            continue;
        }
        if (out.size() + character.size() > maxBytes) {
            return out + std::string(kMore);
        }
        out += character;
    }
    if (!out.empty() && out.back() == ' ') {
        out.pop_back();
    }
    return out;
}

std::string factNumber(double value) { return generalText(value, 10); }

} // namespace pollard
