#pragma once

#include "base/job_control.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A NumPy array written sequentially; the file gets its name at commit(). Little-endian, in C order. (NumPy
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

/// Writes values, see inValues(), or labels as an array of shape (height, width); before them (slices) for a volume,
/// and (planes) for several planes.
/// @throws Error(invalidArgument) for planes that differ in size or type; Error(writeFailed); exceptions of planes and
/// their rows; Cancelled
void writeNpy(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
