#pragma once

#include "base/job_control.hpp"
#include "io/write/planes.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace pollard {

/// A folder of files that gets its name only when complete. Files are written to a temporary folder in the same place;
/// commit() makes them durable and renames the folder. Without commit() the destructor removes the temporary.
class PendingFolder {
public:
    /// @param target must not exist
    /// @param what operation for messages, e.g. "cannot write OME-Zarr"
    /// @throws Error(writeFailed)
    PendingFolder(std::filesystem::path target, std::string what);
    ~PendingFolder();
    PendingFolder(const PendingFolder&) = delete;
    PendingFolder& operator=(const PendingFolder&) = delete;

    /// Writes a file and creates its folders. Several threads may write files of different names.
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

/// Writes an image, or the slices of a volume, as a folder of NGFF 0.4 in Zarr 2: axes (z,) y, x, before them c if
/// channels are described; reduced versions of the slices until both sides are at most 512 px; chunks of 512 x 512 px
/// of one slice, compressed by Blosc with Zstandard. Chunks of zeros are left out. Several planes are channels, each
/// with the first channel of its scene. Arrays state the unit of values and the integer sample of pixels without data
/// by the attributes of CF; floats are NaN there. Integers whose values are no integers, and all samples of a source in
/// Zarr, keep their scale, which the attributes state; other samples become values, see inValues().
///
/// Pixels of 32 bits are labels: they get the metadata of a label image, with a table of properties if there is one,
/// and offset, step, channels and means do not count. Memory: 2^24 pixels or, of wide images, a row of chunks, and as
/// much for all reduced versions.
///
/// The folder appears when it is complete; it must not exist before. On any failure nothing is left.
/// @throws Error(writeFailed); Error(invalidArgument) for pixels of 64 bits, for several planes of labels, and for
/// channels that differ in size, in the type of their samples or in the sample of pixels without data; exceptions of
/// planes and their rows; Cancelled
void writeZarr(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
