#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>

namespace pollard {

/// The folder in which a job on parts keeps its files. One process at a time has it.
class PartFolder {
public:
    /// Creates the folder, or continues with the files of the same job in it.
    /// @param job text of the job, see textOf(PartJob)
    /// @param resume keeps the files that the folder has of this job; else they are removed
    /// @throws Error(invalidArgument) if the folder has other files, or belongs to another job to be resumed, or
    /// another process has it; Error(writeFailed)
    PartFolder(const std::filesystem::path& folder, const std::string& job, bool resume);
    [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }
    /// Whether a folder has the files of a job.
    [[nodiscard]] static bool hasJob(const std::filesystem::path& folder);
    /// The text of that job; empty if there is none.
    [[nodiscard]] static std::string jobIn(const std::filesystem::path& folder);
    /// "name-000012"
    [[nodiscard]] std::filesystem::path file(const std::string& name, std::uint64_t number) const;
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_ / name; }
    /// Bytes of all files in it.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Removes the folder with its files.
    void remove() noexcept;

private:
    /// Holds a file for this process until it is destroyed.
    class Lock {
    public:
        /// @throws Error(writeFailed), Error(invalidArgument) if another process holds it
        explicit Lock(const std::filesystem::path& folder);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        int descriptor_ = -1;
    };

    /// Whether it has files besides the lock.
    [[nodiscard]] bool hasOthers() const;
    void removeFiles(std::initializer_list<const char*> except) const noexcept;

    std::filesystem::path folder_;
    std::uint64_t identity_;
    std::unique_ptr<Lock> lock_;
};

} // namespace pollard
