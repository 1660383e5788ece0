#include "parts/part_folder.hpp"

#include "base/error.hpp"
#include "io/write/text_file.hpp"
#include "parts/record_file.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
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

constexpr const char* kJobFile = "job.json";
constexpr const char* kLockFile = "lock";
constexpr std::size_t kMostJobBytes = std::size_t{1} << 20;
constexpr const char* kWhat = "working folder: ";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, kWhat + folder.string() + ": " + why);
}

fs::path withoutSlash(const fs::path& folder) {
    const fs::path normal = folder.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

/// Name of a folder that is being removed.
fs::path removedName(fs::path folder) { return folder += ".removed"; }

} // namespace

PartFolder::PartFolder(const fs::path& folder, const std::string& job, bool resume)
    : folder_(withoutSlash(folder)), identity_(hashOf(job)) {
    std::error_code problem;
    fs::remove_all(removedName(folder_), problem);
    fs::create_directories(folder_, problem);
    if (problem) {
        throw Error(ErrorCode::writeFailed, kWhat + folder_.string() + ": " + problem.message());
    }
    const bool isOurs = fs::exists(file(kJobFile), problem);
    if (!isOurs && hasOthers()) {
        refuse(folder_, "has files of others; name an empty folder or a new one");
    }
    lock_ = std::make_unique<Lock>(folder_);
    if (isOurs && resume && readSmallFile(file(kJobFile), "job of parts", kMostJobBytes) != job) {
        refuse(folder_,
               "belongs to another job: another picture, filter or size of chunks; start anew instead of resuming");
    }
    if (isOurs && !resume) {
        removeFiles({kLockFile});
    }
    if (!isOurs || !resume) {
        try {
            TextFile text(file(kJobFile), "cannot write working folder");
            text << job;
            text.commit();
        } catch (const Error&) {
            remove();
            throw;
        }
    }
}

bool PartFolder::hasOthers() const {
    std::error_code problem;
    return std::any_of(fs::directory_iterator(folder_, problem), fs::directory_iterator(),
                       [](const fs::directory_entry& entry) { return entry.path().filename() != kLockFile; });
}

bool PartFolder::hasJob(const fs::path& folder) {
    std::error_code problem;
    return fs::exists(folder / kJobFile, problem);
}

std::string PartFolder::jobIn(const fs::path& folder) {
    return hasJob(folder) ? readSmallFile(folder / kJobFile, "job of parts", kMostJobBytes) : std::string();
}

PartFolder::Lock::Lock(const fs::path& folder) {
#ifdef __unix__
    descriptor_ = open((folder / kLockFile).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
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

PartFolder::Lock::~Lock() {
#ifdef __unix__
    close(descriptor_);
#endif
}

fs::path PartFolder::file(const std::string& name, std::uint64_t number) const {
    constexpr std::size_t kDigits = 6;
    std::string digits = std::to_string(number);
    digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
    return folder_ / (name + "-" + digits);
}

std::uint64_t PartFolder::bytes() const {
    std::uint64_t sum = 0;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder_, problem)) {
        const std::uintmax_t size = entry.file_size(problem);
        sum += problem ? 0 : size;
    }
    return sum;
}

void PartFolder::remove() noexcept {
    // Under another name first: killed meanwhile, no half of the files is taken for a job.
    std::error_code problem;
    fs::rename(folder_, removedName(folder_), problem);
    fs::remove_all(problem ? folder_ : removedName(folder_), problem);
}

void PartFolder::removeFiles(std::initializer_list<const char*> except) const noexcept {
    std::error_code problem;
    for (fs::directory_iterator entry(folder_, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem)) {
        const fs::path name = entry->path().filename();
        if (std::ranges::none_of(except, [&](const char* each) { return name == each; })) {
            fs::remove_all(entry->path(), problem);
        }
    }
}

} // namespace pollard
