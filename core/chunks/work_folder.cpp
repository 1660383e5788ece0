#include "chunks/work_folder.hpp"

#include "base/error.hpp"
#include "chunks/part_files.hpp"
#include "io/write/text_file.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#ifdef __unix__
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace pollard {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".pollard";
constexpr const char* kJob = "job";
constexpr const char* kLock = "lock";
constexpr std::size_t kMostJobBytes = std::size_t{1} << 20;
constexpr const char* kWhat = "working folder: ";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, kWhat + folder.string() + ": " + why);
}

/// Whether a file is one of a job: also with a suffix of a temporary or a second file.
bool isOfJob(const fs::path& file) { return file.filename().string().find(kEnding) != std::string::npos; }

/// Removes the files of a job, except one.
void removeFiles(const fs::path& folder, const fs::path& except) noexcept {
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem)) {
        if (isOfJob(entry->path()) && entry->path() != except) {
            fs::remove(entry->path(), problem);
        }
    }
}

void removeJob(const fs::path& folder) noexcept {
    std::error_code problem;
    fs::remove(WorkFolder::fileIn(folder, kJob), problem);
    removeFiles(folder, {});
    fs::remove(folder, problem); // fails if it has other files
}

} // namespace

WorkFolder::WorkFolder(const fs::path& folder, const std::string& job, bool resume)
    : folder_(folder), identity_(hashOf(job)) {
    std::error_code problem;
    fs::create_directories(folder_, problem);
    if (problem) {
        throw Error(ErrorCode::writeFailed, kWhat + folder_.string() + ": " + problem.message());
    }
    if (hasOthers()) {
        refuse(folder_, "has other files; name an empty folder or a new one");
    }
    lock_ = std::make_unique<Lock>(folder_);
    const std::string present = resume ? jobIn(folder_) : std::string();
    if (present == job) {
        return;
    }
    if (!present.empty()) {
        refuse(folder_, "belongs to another job: another image, filter or size of chunks; begin a new one");
    }
    removeFiles(folder_, file(kLock));
    try {
        TextFile text(file(kJob), "cannot write working folder");
        text << job;
        text.commit();
    } catch (const Error&) {
        remove();
        throw;
    }
}

WorkFolder::~WorkFolder() {
    if (removesAtEnd_) {
        remove();
    }
}

bool WorkFolder::hasOthers() const {
    std::error_code problem;
    return std::any_of(fs::directory_iterator(folder_, problem), fs::directory_iterator(),
                       [](const fs::directory_entry& entry) { return !isOfJob(entry.path()); });
}

bool WorkFolder::hasJob(const fs::path& folder) {
    std::error_code problem;
    return fs::exists(fileIn(folder, kJob), problem);
}

std::string WorkFolder::jobIn(const fs::path& folder) {
    return hasJob(folder) ? readSmallFile(fileIn(folder, kJob), "job of parts", kMostJobBytes) : std::string();
}

WorkFolder::Lock::Lock(const fs::path& folder) {
#ifdef __unix__
    descriptor_ = open(fileIn(folder, kLock).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        throw Error(ErrorCode::writeFailed, kWhat + folder.string() + ": " + std::strerror(errno));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int problem = errno;
        close(descriptor_);
        if (problem == EWOULDBLOCK) {
            refuse(folder, "another process works in it");
        }
    }
#endif
}

WorkFolder::Lock::~Lock() {
#ifdef __unix__
    close(descriptor_);
#endif
}

fs::path WorkFolder::fileIn(const fs::path& folder, const std::string& name) {
    return folder / (name + std::string(kEnding));
}

fs::path WorkFolder::file(const std::string& name, std::uint64_t number) const {
    constexpr std::size_t kDigits = 6;
    std::string digits = std::to_string(number);
    digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
    return file(name + "-" + digits);
}

std::uint64_t WorkFolder::bytes() const {
    std::uint64_t sum = 0;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder_, problem)) {
        const std::uintmax_t size = entry.file_size(problem);
        sum += problem ? 0 : size;
    }
    return sum;
}

void WorkFolder::remove() const noexcept { removeJob(folder_); }

void WorkFolder::discard(const fs::path& folder) noexcept {
    if (!hasJob(folder)) {
        return;
    }
    try {
        const Lock lock(folder);
        removeJob(folder);
    } catch (const Error&) {
        return; // another process has the folder
    }
}

} // namespace pollard
