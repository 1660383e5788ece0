#pragma once

#include "base/job_control.hpp"
#include "io/samples/row_sink.hpp"
#include "io/tiff/tiff_facts.hpp"

#include <functional>
#include <memory>

namespace pollard {

/// What is to be decoded and where it goes.
struct TiffDecodeJob {
    PixelRegion region;                                 ///< of the stored picture; (0, 0) of the sinks is its corner
    std::function<std::unique_ptr<RowSink>()> makeSink; ///< called once per thread
    GapMap* gaps = nullptr; ///< takes the blocks that the file leaves out; null if they count as 0
    bool parallel = true;
};

/// Decodes the strips or tiles that meet the region, on all threads of the caller's arena, each with a handle of its
/// own. Large strips are decoded row by row, which takes little memory. The result does not depend on the number of
/// threads; of several damaged blocks the first one is reported. Stop requests are honoured and progress is reported
/// after each block, or few rows of a large strip.
/// @throws Error(fileDamaged) if one block is not complete; Cancelled
void decodeTiff(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, const TiffDecodeJob& job,
                const JobControl& control);

} // namespace pollard
