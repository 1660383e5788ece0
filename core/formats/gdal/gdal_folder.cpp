#include "formats/gdal/gdal_folder.hpp"

#include "base/error.hpp"
#include "formats/gdal/gdal_virtual_raster.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cstdio>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

/// The folder of the calls on this thread.
thread_local GdalFolder* current = nullptr;

/// The folder of GDAL's own tables; empty if there is none.
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
            // Those that GDAL finds by their names beside an image are not counted among its sources.
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

/// Functions for GDAL. Names of files arrive as they are, without a prefix.
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

} // namespace pollard
