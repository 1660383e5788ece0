#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace pollard {

/// A folder of files that appears under its name only when complete. Files go to a temporary folder beside it; commit()
/// makes them durable and renames it. Without commit() the destructor removes the temporary.
class PendingFolder {
public:
    /// @param target must not exist
    /// @param what operation for messages, e.g. "cannot write OME-Zarr"
    /// @throws Error(writeFailed)
    PendingFolder(std::filesystem::path target, std::string what);
    ~PendingFolder();
    PendingFolder(const PendingFolder&) = delete;
    PendingFolder& operator=(const PendingFolder&) = delete;

    /// Writes a file and makes its folders; by several threads at once, if the names differ.
    /// @param name relative, with '/'
    /// @throws Error(writeFailed) with the system's reason
    void write(const std::string& name, std::span<const std::byte> bytes) const;
    /// @throws Error(writeFailed)
    void commit();

private:
    [[noreturn]] void fail(const std::string& why) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_; ///< empty when there is none
    std::string what_;
};

} // namespace pollard
