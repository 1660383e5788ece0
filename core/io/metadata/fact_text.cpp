#include "io/metadata/fact_text.hpp"

#include "base/text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <charconv>

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

namespace {

template <class Number> std::optional<Number> numberOf(std::string_view text) noexcept {
    text.remove_prefix(text.size() > 1 && text[0] == '+' ? 1 : 0);
    Number number{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && stop == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

HeaderText::HeaderText(const SourceFile& source) : bytes_(std::min<std::uint64_t>(source.size, 1U << 20), '\0') {
    bytes_.resize(std::fread(bytes_.data(), 1, bytes_.size(), openForReading(source.path).get()));
}

bool HeaderText::next(std::string& line) {
    if (position_ >= bytes_.size()) {
        return false;
    }
    const std::size_t end = bytes_.find('\n', position_);
    line = bytes_.substr(position_, end == std::string::npos ? end : end - position_);
    position_ = end == std::string::npos ? bytes_.size() : end + 1;
    if (!line.empty() && line.back() == '\r') {
        line.pop_back();
    }
    return true;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t end = std::min(text.find_first_of(kWhiteSpace), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

std::optional<double> realOf(std::string_view text) noexcept { return numberOf<double>(text); }

std::optional<std::int64_t> integerOf(std::string_view text) noexcept { return numberOf<std::int64_t>(text); }

SourceFile detachedFile(const SourceFile& header, const std::string& name) {
    const std::filesystem::path path(name);
    if (name.empty() || path.has_root_path() || name.find('\0') != std::string::npos ||
        std::ranges::find(path, "..") != path.end()) {
        throw readError(ErrorCode::formatUnsupported, header.path,
                        "the data file \"" + name.substr(0, 200) + "\" must lie in the folder of the header");
    }
    return openSource(header.path.parent_path() / path);
}

std::uint64_t beginOfLast(const SourceFile& source, std::uint64_t bytes) noexcept {
    return source.size > bytes ? source.size - bytes : 0;
}

} // namespace pollard
