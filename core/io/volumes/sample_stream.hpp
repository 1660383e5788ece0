#pragma once

#include "base/job_control.hpp"
#include "io/volumes/volume_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// The decoded samples of a volume, read forwards in bounded memory.
class SampleStream {
public:
    virtual ~SampleStream() = default;

    /// Reads @p bytes bytes from @p position, counted from the first sample, which must not lie before the end of the
    /// previous read. Samples from text are in host byte order, others in the byte order of the file.
    /// @throws Error(fileDamaged), Cancelled
    virtual void read(std::uint64_t position, std::byte* out, std::size_t bytes) = 0;
};

/// @p layout and @p control must outlive the stream. @throws Error(fileUnreadable)
[[nodiscard]] std::unique_ptr<SampleStream> openSamples(const VolumeLayout& layout, const JobControl& control);

/// Whether the file starts with a gzip member.
[[nodiscard]] bool isGzip(const SourceFile& source) noexcept;

/// The first @p count bytes of a file, or of the content of a gzip file; fewer if it ends or is damaged before.
[[nodiscard]] std::string leadingBytes(const SourceFile& source, std::size_t count);

} // namespace pollard
