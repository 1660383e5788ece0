#include "io/volumes/header_text.hpp"

#include "base/text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <charconv>

namespace pollard {

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
