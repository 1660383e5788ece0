#include "formats/gdal/gdal_folder.hpp"

#include "base/error.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Whether a name of GDAL starts with a driver or a description ("HDF5:", "vrt:", "<VRTDataset>"), not with a path.
bool isGdalDescription(std::string_view name) {
    const std::size_t colon = name.find(':');
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return name.starts_with('<') ||
           (colon != std::string_view::npos && colon > 0 && std::all_of(name.begin(), name.begin() + colon, isWord));
}

/// Whether GDAL reads a file as a virtual raster (VRT).
bool isVirtualRaster(const std::filesystem::path& file) {
    // Like GDAL, looks anywhere in the first bytes.
    std::array<char, 1024> head{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), head.size());
    return std::string_view(head.data(), static_cast<std::size_t>(stream.gcount())).find("<VRTDataset") !=
           std::string_view::npos;
}

constexpr std::size_t kMostLevels = 16;
constexpr std::uint64_t kMostSources = 1'000'000;
constexpr std::uintmax_t kMostBytes = 64ULL << 20;

/// A virtual raster and the virtual rasters that contain it, the outermost first.
using Nested = std::vector<std::filesystem::path>;

std::uint64_t sourcesOf(Nested& nested, std::map<std::filesystem::path, std::uint64_t>& counted);

/// Number of sources that a virtual raster gets from the file that @p node names.
std::uint64_t sourcesOfNamed(const pugi::xml_node& node, Nested& nested,
                             std::map<std::filesystem::path, std::uint64_t>& counted) {
    const std::string_view text = node.text().get();
    if (isGdalDescription(text)) {
        throw Error(ErrorCode::formatUnsupported, "the virtual raster " + nested.back().filename().string() +
                                                      " refers to " + factText(text) + " in place of a file");
    }
    std::filesystem::path named = text;
    if (node.attribute("relativeToVRT").as_bool()) {
        named = nested.back().parent_path() / named;
    }
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::canonical(named, failed);
    if (failed || !isVirtualRaster(file)) {
        return 1;
    }
    nested.push_back(file);
    const std::uint64_t sources = sourcesOf(nested, counted);
    nested.pop_back();
    return sources;
}

struct NamedFiles final : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node& node) override {
        constexpr std::array<std::string_view, 2> kNames{"SourceFilename", "SourceDataset"};
        if (std::find(kNames.begin(), kNames.end(), node.name()) != kNames.end()) {
            found.push_back(node);
        }
        return true;
    }
    std::vector<pugi::xml_node> found;
};

std::uint64_t sourcesOf(Nested& nested, std::map<std::filesystem::path, std::uint64_t>& counted) {
    const std::filesystem::path file = nested.back();
    if (const auto known = counted.find(file); known != counted.end()) {
        return known->second;
    }
    const std::string name = file.filename().string();
    if (std::find(nested.begin(), nested.end() - 1, file) != nested.end() - 1) {
        throw Error(ErrorCode::limitExceeded, "the virtual raster " + name + " is a source of itself");
    }
    if (nested.size() > kMostLevels) {
        throw Error(ErrorCode::limitExceeded, "more than " + std::to_string(kMostLevels) +
                                                  " levels of virtual rasters, the innermost is " + name);
    }
    std::error_code failed;
    if (std::filesystem::file_size(file, failed) > kMostBytes || failed) {
        throw Error(ErrorCode::limitExceeded,
                    "the virtual raster " + name + " has more than " + std::to_string(kMostBytes) + " bytes");
    }
    pugi::xml_document document;
    if (const auto parsed = document.load_file(file.c_str()); !parsed) {
        throw Error(ErrorCode::fileDamaged, "the virtual raster " + name + " is not XML: " + parsed.description());
    }
    NamedFiles named;
    document.traverse(named);
    std::uint64_t sources = 0;
    for (const pugi::xml_node& node : named.found) {
        sources += sourcesOfNamed(node, nested, counted);
        if (sources > kMostSources) {
            throw Error(ErrorCode::limitExceeded,
                        "the virtual raster " + name + " has more than " + std::to_string(kMostSources) + " sources");
        }
    }
    counted.emplace(file, sources);
    return sources;
}

/// Counts the files from which GDAL reads the pixels of a virtual raster. Sources of nested virtual rasters count, too.
/// @param counted receives the result of each virtual raster on the way; a file listed here is not read again
/// @throws Error(limitExceeded) if a raster is a source of itself, for more than 16 nested rasters or more than a
/// million files; Error(formatUnsupported) for a description in place of a file, Error(fileDamaged) if a raster is not
/// XML, Error(fileUnreadable)
std::uint64_t countSources(const std::filesystem::path& file, std::map<std::filesystem::path, std::uint64_t>& counted) {
    Nested nested{std::filesystem::weakly_canonical(file)};
    return sourcesOf(nested, counted);
}

/// The folder that guards GDAL's calls on this thread; null for none.
thread_local GdalFolder* current = nullptr;

/// The folder of GDAL's data files; empty if there is none.
const std::filesystem::path& gdalTables() {
    static const std::filesystem::path folder = [] {
        std::error_code failed;
        const char* table = CPLFindFile("gdal", "gdalvrt.xsd");
        const auto real = table != nullptr ? std::filesystem::canonical(table, failed) : std::filesystem::path();
        return failed ? std::filesystem::path() : real.parent_path();
    }();
    return folder;
}

bool isBelow(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return !folder.empty() &&
           std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

} // namespace

GdalFolder::GdalFolder(const std::filesystem::path& file) {
    std::error_code failed;
    file_ = std::filesystem::canonical(file, failed);
    if (failed) {
        file_ = std::filesystem::absolute(file); // it has gone, which GDAL reports
    }
    root_ = file_.parent_path();
}

bool GdalFolder::isPart(const std::string& name) const {
    const std::string& file = file_.native();
    const std::size_t at = name.find(file);
    if (at == std::string::npos || at == 0 || !isGdalDescription(name)) {
        return false;
    }
    std::string_view before = std::string_view(name).substr(0, at);
    const std::string_view after = std::string_view(name).substr(at + file.size());
    if (before.back() == '"') {
        before.remove_suffix(1);
    }
    const auto isPrefix = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':'; };
    return before.ends_with(':') && std::all_of(before.begin(), before.end(), isPrefix) &&
           (after.empty() || after.front() == ':' || after.front() == '"');
}

GdalFolder* GdalFolder::use(GdalFolder* folder) noexcept { return std::exchange(current, folder); }

bool GdalFolder::admits(const std::string& name) {
    if (isPart(name)) {
        return true;
    }
    if (isGdalDescription(name)) {
        if (refusal_.empty()) {
            refusal_ = "it refers to " + factText(name) + " in place of a file";
        }
        return false;
    }
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::weakly_canonical(name, failed);
    if (!failed && name.starts_with('/') && (isBelow(path, root_) || isBelow(path, gdalTables()))) {
        return true;
    }
    if (outside_.empty()) {
        outside_ = name;
    }
    return false;
}

bool GdalFolder::admitsContent(const std::string& name) {
    if (!admits(name)) {
        return false;
    }
    try {
        if (isVirtualRaster(name)) {
            // GDAL finds such files by the name of the image; they are not counted among the sources.
            const std::string extension = std::filesystem::path(name).extension().string();
            if (extension == ".ovr" || extension == ".msk") {
                throw Error(ErrorCode::limitExceeded, name + " is a virtual raster");
            }
            (void)countSources(name, virtualRasters_);
        }
        return true;
    } catch (const std::exception& error) { // GDAL must not see it
        if (refusal_.empty()) {
            refusal_ = error.what();
        }
        return false;
    }
}

/// Functions that GDAL calls. Names of files have no prefix.
struct GdalFolder::Callbacks {
    static int stat(void*, const char* name, VSIStatBufL* status, int) noexcept {
        return current == nullptr || current->admits(name) ? ::stat64(name, status) : -1;
    }
    static void* open(void*, const char* name, const char* access) noexcept {
        const bool writes = std::string_view(access).find_first_of("wa+") != std::string_view::npos;
        if (writes || (current != nullptr && !current->admitsContent(name))) {
            errno = writes ? EROFS : ENOENT;
            return nullptr;
        }
        struct stat status {};
        std::FILE* file = std::fopen(name, "rbe");
        if (file != nullptr && (::fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))) {
            std::fclose(file);
            file = nullptr; // a device may have no end
        }
        return file;
    }
    static char** list(void*, const char* name, int most) noexcept {
        if (current != nullptr && !current->admits(name)) {
            return nullptr;
        }
        std::error_code failed;
        CPLStringList names;
        for (std::filesystem::directory_iterator entry(name, failed), end; !failed && entry != end;
             entry.increment(failed)) {
            names.AddString(entry->path().filename().c_str());
            if (most > 0 && names.size() > most) {
                break;
            }
        }
        return names.StealList();
    }
    static vsi_l_offset tell(void* file) noexcept {
        return static_cast<vsi_l_offset>(::ftello64(static_cast<std::FILE*>(file)));
    }
    static int seek(void* file, vsi_l_offset offset, int whence) noexcept {
        return ::fseeko64(static_cast<std::FILE*>(file), static_cast<off64_t>(offset), whence);
    }
    static std::size_t read(void* file, void* target, std::size_t size, std::size_t count) noexcept {
        return std::fread(target, size, count, static_cast<std::FILE*>(file));
    }
    static int atEnd(void* file) noexcept { return std::feof(static_cast<std::FILE*>(file)); }
    static int close(void* file) noexcept { return std::fclose(static_cast<std::FILE*>(file)); }

    // Names arrive without their prefix, which is the first argument.
    static int refuseStat(void* prefix, const char* name, VSIStatBufL*, int) noexcept {
        refuse(prefix, name);
        return -1;
    }
    static void* refuseOpen(void* prefix, const char* name, const char*) noexcept {
        refuse(prefix, name);
        return nullptr;
    }

private:
    static void refuse(void* prefix, const char* name) {
        if (current != nullptr && current->outside_.empty()) {
            current->outside_ = static_cast<const char*>(prefix) + std::string(name);
        }
    }
};

void GdalFolder::guardFiles() {
    (void)gdalTables(); // while all files can be read
    auto* refusing = VSIAllocFilesystemPluginCallbacksStruct();
    refusing->stat = Callbacks::refuseStat;
    refusing->open = Callbacks::refuseOpen;
    static const CPLStringList prefixes(VSIGetFileSystemsPrefixes()); // GDAL keeps the pointers
    for (int i = 0; i < prefixes.size(); ++i) {
        const std::string_view prefix = prefixes[i];
        if (prefix != "/vsimem/" && prefix != "/vsisubfile/") {
            refusing->pUserData = const_cast<char*>(prefixes[i]);
            VSIInstallPluginHandler(prefixes[i], refusing);
        }
    }
    VSIFreeFilesystemPluginCallbacksStruct(refusing);
    auto* plain = VSIAllocFilesystemPluginCallbacksStruct();
    plain->stat = Callbacks::stat;
    plain->open = Callbacks::open;
    plain->read_dir = Callbacks::list;
    plain->tell = Callbacks::tell;
    plain->seek = Callbacks::seek;
    plain->read = Callbacks::read;
    plain->eof = Callbacks::atEnd;
    plain->close = Callbacks::close;
    VSIInstallPluginHandler("", plain);
    VSIFreeFilesystemPluginCallbacksStruct(plain);
}

namespace {

constexpr int kMostEntries = 100'000;

struct CloseBase {
    void operator()(sqlite3* base) const noexcept { sqlite3_close_v2(base); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

/// The URI of a file for SQLite: other bytes than letters, digits and / are written as % and a hexadecimal number.
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
    return uri + "?immutable=1"; // SQLite then creates no locks and no further files
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

/// Whether a statement of the schema, in upper case, creates stored content. SQLite stores the first words of a
/// statement in a fixed form.
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
