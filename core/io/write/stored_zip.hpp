#pragma once

#include "io/write/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// CRC-32 of bytes, as in ISO 3309 and the zip format.
[[nodiscard]] std::uint32_t crc32Of(std::span<const std::byte> bytes) noexcept;

/// A zip archive of uncompressed files, which appears under its name at commit(). (PKWARE, "APPNOTE.TXT - .ZIP File
/// Format Specification", version 2.0 features)
class StoredZip {
public:
    static constexpr std::size_t kMostFiles = 65535;

    /// @param what operation for messages, e.g. "write regions"
    /// @throws Error(writeFailed)
    StoredZip(const std::filesystem::path& target, std::string what);

    /// Adds a file.
    /// @param name ASCII
    /// @throws Error(limitExceeded) beyond kMostFiles or 4 GB; Error(writeFailed)
    void add(std::string_view name, std::span<const std::byte> content);
    /// @throws Error(limitExceeded) beyond 4 GB; Error(writeFailed)
    void commit();

private:
    struct Entry {
        std::string name;
        std::uint32_t crc = 0;
        std::uint32_t bytes = 0;
        std::uint32_t offset = 0;
    };
    void write(const std::vector<std::byte>& bytes);

    AtomicFile file_;
    std::string what_;
    std::vector<std::byte> buffer_;
    std::uint64_t written_ = 0; ///< including the buffer
    std::vector<Entry> entries_;
};

} // namespace pollard
