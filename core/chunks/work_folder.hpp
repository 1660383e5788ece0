#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace pollard {

/// The folder in which a job in chunks keeps its files. It is locked by one process at a time. The files have the
/// ending .pollard; other files in the folder are not touched.
class WorkFolder {
public:
    /// Creates the folder, or continues with the files of the same job in it.
    /// @param job text of the job, see textOf(PartJob)
    /// @param resume keeps the files of this job in the folder; else they are removed
    /// @throws Error(invalidArgument) if the folder has other files, or belongs to another job to be resumed, or
    /// another process has it; Error(writeFailed)
    WorkFolder(const std::filesystem::path& folder, const std::string& job, bool resume);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }
    [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }
    /// Whether a folder has the files of a job.
    [[nodiscard]] static bool hasJob(const std::filesystem::path& folder);
    /// The text of the folder's job; empty if there is none.
    [[nodiscard]] static std::string jobIn(const std::filesystem::path& folder);
    /// "name.pollard"
    [[nodiscard]] static std::filesystem::path fileIn(const std::filesystem::path& folder, const std::string& name);
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return fileIn(folder_, name); }
    /// "name-000012.pollard"
    [[nodiscard]] std::filesystem::path file(const std::string& name, std::uint64_t number) const;
    /// Bytes of all files in the folder.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Removes the files of a job, and the folder if it is then empty. If the process is killed in the meantime, the
    /// remaining files cannot be resumed.
    void remove() const noexcept;
    /// Removes the files of a job of an earlier run, as remove(), unless another process has the folder.
    static void discard(const std::filesystem::path& folder) noexcept;
    /// Makes the destructor remove the files; without this call they stay.
    void removeAtEnd() noexcept { removesAtEnd_ = true; }

private:
    /// Locks a file for this process until it is destroyed.
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

    /// Whether the folder has files without the ending.
    [[nodiscard]] bool hasOthers() const;

    std::filesystem::path folder_;
    std::uint64_t identity_;
    std::unique_ptr<Lock> lock_;
    bool removesAtEnd_ = false;
};

} // namespace pollard
