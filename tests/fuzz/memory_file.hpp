#pragma once

#include "support/temp_dir.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace pollard::fuzz {

/// A file in memory with a path, for readers that require one.
class MemoryFile {
public:
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Replaces the content.
    void assign(const std::uint8_t* data, std::size_t size);
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    int descriptor_ = -1;
    std::filesystem::path path_;
};

/// As MemoryFile, on a disk, alone in a folder.
class FolderFile {
public:
    explicit FolderFile(const std::string& name = "file") : path_(folder_ / name) {}

    /// Replaces the content.
    void assign(const std::uint8_t* data, std::size_t size);
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    test::TempDir folder_;
    std::filesystem::path path_;
};

} // namespace pollard::fuzz
