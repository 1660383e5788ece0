#pragma once

#include "base/job_control.hpp"
#include "image/extent.hpp"
#include "io/write/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A NumPy array written sequentially, which appears under its name at commit(). Little-endian, in C order. (NumPy
/// Enhancement Proposal 1, "A simple file format for NumPy arrays", versions 1.0 and 2.0)
class NpyFile {
public:
    /// @param what operation for messages, e.g. "write node table"
    /// @param descr type in Python's notation: "'<u4'", or for a structured array "[('id', '<u4'), ('area', '<f8')]"
    /// @throws Error(writeFailed)
    NpyFile(const std::filesystem::path& target, std::string what, std::string_view descr,
            std::span<const std::size_t> shape);

    /// Appends little-endian values. @throws Error(writeFailed)
    void write(const void* data, std::size_t bytes) const { file_.writeAll(data, bytes); }
    /// @throws Error(writeFailed)
    void commit() { file_.commit(); }

private:
    AtomicFile file_;
};

/// Writes 32-bit values as an array of shape (height, width), or (slices, height, width) for a volume.
/// @throws Error(invalidArgument) if there is not one value a pixel; Error(writeFailed); Cancelled
void writeNpy32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                const JobControl& control = {});

} // namespace pollard
