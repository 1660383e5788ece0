#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A file that gets its name only when complete. Writes a temporary file with a unique name in the target's directory;
/// commit() makes it durable and renames it over the target. Without commit() the destructor removes the temporary file
/// and the target is unchanged. A new file has the permissions left by the umask, a replaced file keeps its
/// permissions; if the target is a symbolic link, its destination is replaced. A target that is beside the temporary()
/// of another file, with its name and an ending, is not made durable: the other file takes it by replaceBy().
class AtomicFile {
public:
    using FileSet = std::vector<std::unique_ptr<AtomicFile>>; ///< files that get their names together or not at all

    /// @param what operation for messages, e.g. "cannot write TIFF"
    /// @throws Error(writeFailed) if the directory is missing or not writable, or the target is a directory or a device
    AtomicFile(std::filesystem::path target, std::string what);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Another descriptor of the temporary, for a library that closes its argument.
    /// @throws Error(writeFailed)
    [[nodiscard]] int duplicateDescriptor() const;

    /// @throws Error(writeFailed) with the system's reason
    void writeAll(const void* data, std::size_t bytes) const;

    /// Takes a file that a writer made under the name of temporary() with an ending, in place of the temporary, whose
    /// permissions it gets. @throws Error(writeFailed) after removing @p other
    void replaceBy(const std::filesystem::path& other);

    /// Makes the file durable and renames it over the target. All duplicates must be closed.
    /// @throws Error(writeFailed)
    void commit();

    /// Commits several files, all or none: flushes all files before the first is renamed; if a rename fails, undoes
    /// earlier renames and restores the replaced files. Meanwhile an additional hard link keeps replaced files; on file
    /// systems without hard links, the new file stays and the message says so.
    /// @throws Error(writeFailed)
    static void commitTogether(const FileSet& files);

    /// As commitTogether() for each set, whatever happens to the others. Flushes the files of all sets at a time, which
    /// takes about as long as one file, and each folder once.
    /// @return the failure of each set, null if there is none
    [[nodiscard]] static std::vector<std::exception_ptr> commitSets(std::span<const FileSet> sets);

    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }

    /// Throws Error(writeFailed) "<what>: <target>: <why>".
    [[noreturn]] void fail(const std::string& why) const;

private:
    [[nodiscard]] static std::vector<std::exception_ptr> flushSets(std::span<const FileSet> sets);
    static void nameSet(const FileSet& files);
    void flush();
    void linkReplaced() noexcept;
    void renameToTarget();
    [[nodiscard]] bool undoRename() noexcept;
    void discard() noexcept;

    std::filesystem::path target_; ///< as passed, for messages
    std::filesystem::path final_;  ///< with symbolic links resolved
    std::filesystem::path temporary_;
    std::filesystem::path replaced_; ///< hard link to the replaced file; empty if there is none
    bool isNew_ = false;             ///< no file is replaced
    bool isNested_;                  ///< the target belongs to another file, which makes it durable
    std::string what_;
    int descriptor_ = -1;
};

/// Makes new names in a directory durable; file systems that cannot are ignored.
void syncDirectory(const std::filesystem::path& directory) noexcept;

/// The ending of a file's name in lower case if it belongs to a well-known format: ".csv", ".nii.gz"; else empty.
[[nodiscard]] std::string knownEnding(const std::filesystem::path& path);

/// ".gpkg, .fgb or .csv"
[[nodiscard]] std::string endingList(std::span<const std::string_view> endings);

/// Why a file with this name is not written: its ending belongs to another format. Empty if the name ends in one of
/// @p written or has no known ending, and for GeoJSON as .json.
/// @param written endings in lower case with the dot
[[nodiscard]] std::string endingProblem(const std::filesystem::path& path, std::span<const std::string_view> written);

} // namespace pollard
