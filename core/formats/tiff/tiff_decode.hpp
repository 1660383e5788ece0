#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiff_facts.hpp"
#include "io/samples/row_sink.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace pollard {

/// Source and destination of decoding.
struct TiffDecodeJob {
    PixelRegion region;                                 ///< of the stored image; sinks count from its corner
    std::function<std::unique_ptr<RowSink>()> makeSink; ///< called once per thread
    std::vector<GapMap*> gaps = {};                     ///< receive omitted blocks, which count as 0 otherwise
    bool parallel = true;
};

/// Decodes the strips or tiles that overlap the region, on all threads of the caller's arena, each with its own handle.
/// Large strips are decoded row by row to limit memory. The result does not depend on the number of threads; of several
/// damaged blocks the first is reported. Checks for a stop and reports progress after each block, or few rows of a
/// large strip.
/// @throws Error(fileDamaged) for an incomplete block; Cancelled
void decodeTiff(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, const TiffDecodeJob& job,
                const JobControl& control);

} // namespace pollard
