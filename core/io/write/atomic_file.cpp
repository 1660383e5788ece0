#include "io/write/atomic_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iterator>
#include <random>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

namespace fs = std::filesystem;

constexpr int kNameAttempts = 100;

constexpr std::string_view kPart = ".part-"; ///< in the names of temporaries
constexpr int kDigits = 12;                  ///< after kPart

std::string uniqueSuffix() {
    std::random_device random; // reads 32 bits a call
    std::uint64_t bits = std::uint64_t{random()} << 32U | random();
    std::string suffix(kPart);
    for (int i = 0; i < kDigits; ++i, bits >>= 4U) {
        suffix += "0123456789abcdef"[bits & 15U];
    }
    return suffix;
}

/// Keeps the temporary's name within the length limit.
fs::path temporaryFor(const fs::path& target) {
    constexpr std::size_t kKeep = 200;
    return target.parent_path() / ("." + target.filename().string().substr(0, kKeep) + uniqueSuffix());
}

/// Whether a file has the name of a temporary, possibly with an ending.
bool isOfTemporary(const fs::path& path) {
    const std::string name = path.filename().string();
    const std::size_t part = name.rfind(kPart);
    return name.starts_with('.') && part != std::string::npos &&
           name.find_first_not_of("0123456789abcdef", part + kPart.size()) >= part + kPart.size() + kDigits;
}

} // namespace

void syncDirectory(const fs::path& directory) noexcept {
    const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

AtomicFile::AtomicFile(fs::path target, std::string what)
    : target_(std::move(target)), final_(target_), isNested_(isOfTemporary(target_)), what_(std::move(what)) {
    if (!target_.has_filename()) {
        fail("is not a file name");
    }
    if (target_ == "-") {
        fail("standard output is not written; give the name of a file");
    }
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        fail("is a pipe or a device; give the name of a file");
    }
    if (fs::is_symlink(fs::symlink_status(target_, error))) {
        final_ = fs::weakly_canonical(target_, error);
        if (error) {
            fail(error.message());
        }
    }
    if (fs::is_directory(status)) {
        fail("is a directory");
    }
    const fs::path directory = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
    if (!fs::is_directory(directory, error)) {
        fail("the directory " + directory.string() + " does not exist");
    }
    for (int attempt = 0; attempt < kNameAttempts && descriptor_ < 0; ++attempt) {
        temporary_ = isNested_ && attempt == 0 ? final_ : temporaryFor(final_);
        descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) {
            break;
        }
    }
    if (descriptor_ < 0) {
        fail(std::strerror(errno));
    }
    struct stat old {};
    if (::stat(final_.c_str(), &old) == 0) {
        // Best effort: file systems without permissions must not fail the write.
        [[maybe_unused]] const int kept = ::fchmod(descriptor_, old.st_mode & 0777);
    }
}

AtomicFile::~AtomicFile() { discard(); }

int AtomicFile::duplicateDescriptor() const {
    const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) {
        fail(std::strerror(errno));
    }
    return copy;
}

void AtomicFile::writeAll(const void* data, std::size_t bytes) const {
    const char* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor_, next, bytes);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(std::strerror(errno));
        }
        next += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void AtomicFile::replaceBy(const fs::path& other) {
    const int descriptor = ::open(other.c_str(), O_RDWR | O_CLOEXEC);
    struct stat own {};
    if (descriptor >= 0 && ::fstat(descriptor_, &own) == 0) {
        [[maybe_unused]] const int kept =
            ::fchmod(descriptor, own.st_mode & 0777); // best effort, as in the constructor
    }
    if (descriptor < 0 || ::rename(other.c_str(), temporary_.c_str()) != 0) {
        const std::string why = std::strerror(errno);
        if (descriptor >= 0) {
            ::close(descriptor);
        }
        ::unlink(other.c_str());
        fail(why);
    }
    ::close(descriptor_);
    descriptor_ = descriptor;
}

void AtomicFile::commit() {
    flush();
    renameToTarget();
    if (!isNested_) {
        syncDirectory(final_.parent_path());
    }
}

void AtomicFile::commitTogether(const FileSet& files) {
    if (const std::exception_ptr failure = commitSets({&files, 1}).front()) {
        std::rethrow_exception(failure);
    }
}

std::vector<std::exception_ptr> AtomicFile::commitSets(std::span<const FileSet> sets) {
    std::vector<std::exception_ptr> failures = flushSets(sets);
    std::set<fs::path> folders;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (failures[i]) {
            continue;
        }
        try {
            nameSet(sets[i]);
        } catch (const Error&) {
            failures[i] = std::current_exception();
        }
        for (const auto& file : sets[i]) {
            folders.insert(file->final_.parent_path());
        }
    }
    std::ranges::for_each(folders, syncDirectory);
    return failures;
}

/// Makes all temporaries durable and closes them, several at a time: a disk takes about as long for many files at once
/// as for one.
/// @return the first failure of each set, null if there is none
std::vector<std::exception_ptr> AtomicFile::flushSets(std::span<const FileSet> sets) {
    constexpr std::size_t kAtOnce = 16;
    std::vector<AtomicFile*> files;
    for (const FileSet& set : sets) {
        std::ranges::transform(set, std::back_inserter(files), &std::unique_ptr<AtomicFile>::get);
    }
    std::vector<std::exception_ptr> failed(files.size());
    std::atomic<std::size_t> next = 0;
    const auto flushNext = [&] {
        for (std::size_t i = next++; i < files.size(); i = next++) {
            try {
                files[i]->flush();
            } catch (const std::exception&) {
                failed[i] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(kAtOnce);
        try {
            while (others.size() + 1 < std::min(files.size(), kAtOnce)) {
                others.emplace_back(flushNext);
            }
        } catch (const std::system_error&) { // fewer threads do the work
        }
        flushNext();
    }
    std::vector<std::exception_ptr> failures;
    auto of = failed.begin();
    for (const FileSet& set : sets) {
        const auto end = of + static_cast<std::ptrdiff_t>(set.size());
        const auto first = std::find_if(of, end, [](const std::exception_ptr& each) { return each != nullptr; });
        failures.push_back(first == end ? nullptr : *first);
        of = end;
    }
    return failures;
}

/// Renames durable files; if one fails, undoes the renames before it.
void AtomicFile::nameSet(const FileSet& files) {
    std::size_t named = 0;
    try {
        for (; named < files.size(); ++named) {
            if (files.size() > 1) {
                files[named]->linkReplaced();
            }
            files[named]->renameToTarget();
        }
    } catch (const Error& error) {
        std::string left;
        while (named > 0) {
            AtomicFile& file = *files[--named];
            if (!file.undoRename()) {
                left += (left.empty() ? "; already replaced: " : ", ") + file.target_.string();
            }
        }
        throw Error(error.code(), error.what() + left);
    }
}

/// Makes the temporary durable and closes it.
void AtomicFile::flush() {
    if (!isNested_ && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
        fail(std::strerror(errno));
    }
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) {
        const std::string why = std::strerror(errno);
        discard();
        fail(why);
    }
}

void AtomicFile::linkReplaced() noexcept {
    try {
        const fs::path name = temporaryFor(final_);
        if (::link(final_.c_str(), name.c_str()) == 0) {
            replaced_ = name;
        } else {
            isNew_ = errno == ENOENT;
        }
    } catch (const std::exception&) {
        replaced_.clear(); // undoRename() then returns false
    }
}

void AtomicFile::renameToTarget() {
    if (::rename(temporary_.c_str(), final_.c_str()) != 0) {
        const std::string why = std::strerror(errno);
        discard();
        fail(why);
    }
    temporary_.clear();
}

/// Undoes renameToTarget().
/// @return whether the target is restored
bool AtomicFile::undoRename() noexcept {
    const bool isBack =
        isNew_ ? ::unlink(final_.c_str()) == 0 : !replaced_.empty() && ::rename(replaced_.c_str(), final_.c_str()) == 0;
    if (isBack) {
        replaced_.clear();
    }
    return isBack;
}

void AtomicFile::fail(const std::string& why) const {
    throw Error(ErrorCode::writeFailed, what_ + ": " + target_.string() + ": " + why);
}

void AtomicFile::discard() noexcept {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        descriptor_ = -1;
    }
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
        temporary_.clear();
    }
    if (!replaced_.empty()) {
        ::unlink(replaced_.c_str());
        replaced_.clear();
    }
}

namespace {

constexpr std::array<std::string_view, 69> kKnown{
    // images
    ".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".j2k", ".gif", ".bmp", ".webp", ".pgm", ".ppm", ".pbm", ".pnm",
    ".pfm", ".fits", ".fit", ".fts", ".dcm", ".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd", ".zarr", ".vrt",
    ".img", ".asc", ".nc", ".exr", ".czi", ".lif", ".svs", ".psd", ".heic",
    // vector files
    ".gpkg", ".fgb", ".shp", ".kml", ".kmz", ".geojson", ".json", ".gml", ".sqlite", ".gpx", ".dxf", ".svg", ".pdf",
    ".wkt", ".tab", ".mif", ".topojson",
    // tables and arrays
    ".csv", ".tsv", ".xls", ".xlsx", ".ods", ".npy", ".npz", ".h5", ".hdf5", ".mat", ".parquet", ".xml", ".html",
    // others
    ".roi", ".zip", ".dot"};

} // namespace

std::string knownEnding(const std::filesystem::path& path) {
    const std::string name = lowered(path.filename().string());
    std::string_view found;
    for (const std::string_view ending : kKnown) {
        if (name.size() > ending.size() && name.ends_with(ending) && ending.size() > found.size()) {
            found = ending;
        }
    }
    return std::string(found);
}

std::string endingList(std::span<const std::string_view> endings) {
    std::string list;
    for (std::size_t i = 0; i < endings.size(); ++i) {
        list += i == 0 ? "" : i + 1 == endings.size() ? " or " : ", ";
        list += endings[i];
    }
    return list;
}

std::string endingProblem(const std::filesystem::path& path, std::span<const std::string_view> written) {
    const std::string ending = knownEnding(path);
    const auto isWritten = [&](std::string_view one) { return std::ranges::find(written, one) != written.end(); };
    if (ending.empty() || isWritten(ending) || (ending == ".json" && isWritten(".geojson"))) {
        return {};
    }
    return "'" + path.string() + "': " + ending + " is the ending of another format; the name must end in " +
           endingList(written);
}

} // namespace pollard
