#include "json/json_file.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace pollard {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kIndent = 2;

std::string oneLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void appendReadable(const Json& json, std::size_t depth, std::string& text) {
    const bool nested = std::any_of(json.begin(), json.end(), [](const Json& each) { return each.is_structured(); });
    if (!json.is_structured() || json.empty() || (json.is_array() && !nested)) {
        text += oneLine(json);
        return;
    }
    text += json.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        text += first ? "\n" : ",\n";
        first = false;
        text.append((depth + 1) * kIndent, ' ');
        if (json.is_object()) {
            text += oneLine(key) + ": ";
        }
        appendReadable(value, depth + 1, text);
    }
    text += '\n';
    text.append(depth * kIndent, ' ');
    text += json.is_object() ? '}' : ']';
}

} // namespace

std::string readSmallFile(const std::filesystem::path& path, const std::string& kind, std::size_t maxBytes) {
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        throw Error(code, "cannot read " + kind + ": " + path.string() + ": " + why);
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) {
        refuse(ErrorCode::fileNotFound, "there is no such file");
    }
    if (std::filesystem::is_directory(status)) {
        refuse(ErrorCode::fileUnreadable, "it is a folder");
    }
    std::ifstream file(path, std::ios::binary);
    constexpr std::size_t kPiece = 1U << 20;
    std::string text;
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    text.reserve(problem ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size, maxBytes)) + kPiece);
    while (file && text.size() <= maxBytes) {
        const std::size_t before = text.size();
        text.resize(before + std::min(kPiece, maxBytes + 1 - before));
        file.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
        text.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad()) {
        refuse(ErrorCode::fileUnreadable, "it cannot be read");
    }
    if (text.size() > maxBytes) {
        refuse(ErrorCode::limitExceeded, "more than " + std::to_string(maxBytes >> 20U) + " MiB is no " + kind);
    }
    return text;
}

void namingFile(const std::filesystem::path& path, const std::string& kind, const std::function<void()>& parse) {
    try {
        parse();
    } catch (const Error& error) {
        std::string why = error.what();
        const std::string prefix = kind + ": ";
        why.erase(0, why.starts_with(prefix) ? prefix.size() : 0);
        throw Error(error.code(), prefix + path.string() + ": " + why);
    }
}

std::string readableText(const Json& json) {
    std::string text;
    appendReadable(json, 0, text);
    return text + '\n';
}

} // namespace pollard
