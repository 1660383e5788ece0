#include "formats/gdal/gdal_tables.hpp"

#include "base/error.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <system_error>

namespace pollard {

namespace {

constexpr int kMostEntries = 100'000;

struct CloseBase {
    void operator()(sqlite3* base) const noexcept { sqlite3_close_v2(base); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

/// A name for SQLite, which takes bytes after % as hexadecimal numbers.
std::string uriOf(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : file.string()) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/') {
            uri += c;
        } else {
            constexpr std::string_view kDigits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
        }
    }
    return uri + "?immutable=1"; // no locks, no files beside it
}

bool hasWord(std::string_view text, std::string_view word) {
    const auto isPart = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size())) {
            return true;
        }
    }
    return false;
}

/// CREATE VIRTUAL TABLE "NAME" USING RTREE(
bool isTree(std::string_view text) {
    constexpr std::string_view kStart = "CREATE VIRTUAL TABLE \"";
    if (!text.starts_with(kStart)) {
        return false;
    }
    text.remove_prefix(kStart.size());
    const std::size_t end = text.find('"');
    return end != std::string_view::npos && text.substr(end + 1).starts_with(" USING RTREE(");
}

/// Whether a statement of the schema in upper case makes plain content. SQLite stores its begin in a fixed form.
bool isPlain(std::string_view text) {
    if (text.starts_with("CREATE TABLE ")) {
        return !hasWord(text, "AS"); // of GENERATED ALWAYS AS, of which the other words can be left out
    }
    return text.starts_with("CREATE INDEX ") || text.starts_with("CREATE UNIQUE INDEX ") ||
           text.starts_with("CREATE TRIGGER ") || isTree(text);
}

} // namespace

void requirePlainTables(const std::filesystem::path& file) {
    std::error_code failed;
    std::filesystem::path log = file;
    log += "-wal";
    if (std::filesystem::file_size(log, failed) > 0 && !failed) {
        throw readError(ErrorCode::fileUnreadable, file,
                        "another program has changes of it in " + log.filename().string() +
                            "; close the file there first");
    }
    sqlite3* opened = nullptr;
    const int state = sqlite3_open_v2(uriOf(file).c_str(), &opened,
                                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    const std::unique_ptr<sqlite3, CloseBase> base(opened);
    sqlite3_stmt* prepared = nullptr;
    if (state == SQLITE_OK) {
        sqlite3_prepare_v2(base.get(), "SELECT sql, name FROM sqlite_master", -1, &prepared, nullptr);
    }
    const std::unique_ptr<sqlite3_stmt, EndStatement> statement(prepared);
    int step = statement ? SQLITE_ROW : SQLITE_ERROR;
    for (int entries = 0; step == SQLITE_ROW; ++entries) {
        step = sqlite3_step(statement.get());
        const unsigned char* sql = step == SQLITE_ROW ? sqlite3_column_text(statement.get(), 0) : nullptr;
        if (sql != nullptr) {
            std::string text = reinterpret_cast<const char*>(sql);
            std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
            if (!isPlain(text)) {
                const unsigned char* name = sqlite3_column_text(statement.get(), 1);
                throw readError(ErrorCode::formatUnsupported, file,
                                "the content of " +
                                    factText(name != nullptr ? reinterpret_cast<const char*>(name) : "a table") +
                                    " is computed, and only plain tables are read");
            }
        }
        if (entries == kMostEntries) {
            throw readError(ErrorCode::limitExceeded, file, "it has more than 100,000 tables and indexes");
        }
    }
    if (step != SQLITE_DONE) {
        throw readError(ErrorCode::fileDamaged, file,
                        "SQLite: " + factText(base ? sqlite3_errmsg(base.get()) : "no memory"));
    }
}

} // namespace pollard
