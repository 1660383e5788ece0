#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace pollard {

/// A file that appears under its name only when it is complete. Writes go to a temporary with a unique name in
/// the target's directory; commit() makes it durable and renames it over the target. Without commit() the
/// destructor removes the temporary and the target stays as it was.
/// A new file gets the permissions that the umask leaves, a replaced one keeps its own; if the target is a
/// symbolic link, the file that it points to is replaced.
class AtomicFile {
public:
    /// @param what the operation for messages, e.g. "cannot write TIFF"
    /// @throws Error(writeFailed) if the directory is missing or refuses, or the target is a directory or a device
    AtomicFile(std::filesystem::path target, std::string what);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// A further descriptor of the temporary, for a library that closes what it is given.
    /// @throws Error(writeFailed)
    [[nodiscard]] int duplicateDescriptor() const;

    /// @throws Error(writeFailed) with the reason of the system
    void writeAll(const void* data, std::size_t bytes) const;

    /// Flushes to the disk and puts the file under its name. All duplicates must be closed.
    /// @throws Error(writeFailed)
    void commit();

    /// Puts several files under their names, all or none: all are flushed before the first is named, and if one is
    /// refused its name, those before it are taken back and what they replaced returns. That is kept by a further name
    /// of it meanwhile; where the file system knows no such names, the new file stays and the message tells.
    /// @throws Error(writeFailed)
    static void commitTogether(std::span<const std::unique_ptr<AtomicFile>> files);

    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }

    /// Throws Error(writeFailed) "<what>: <target>: <why>".
    [[noreturn]] void fail(const std::string& why) const;

private:
    void flush();
    void keepReplaced() noexcept;
    void takeName();
    [[nodiscard]] bool takeBack() noexcept;
    void discard() noexcept;

    std::filesystem::path target_; ///< as given, for messages
    std::filesystem::path final_;  ///< with symbolic links followed
    std::filesystem::path temporary_;
    std::filesystem::path replaced_; ///< a further name of the file that is replaced; empty if it has none
    bool isNew_ = false;             ///< nothing is replaced
    std::string what_;
    int descriptor_ = -1;
};

} // namespace pollard
