#pragma once

#include "base/job_control.hpp"
#include "io/grey_rows.hpp"
#include "io/tiff_facts.hpp"

namespace pollard {

/// Decodes all strips or tiles of a page into grey rows, block by block in file order.
/// Stop requests are honoured and progress is reported after each block (or few rows of a large strip).
/// @throws Error(fileDamaged) as soon as one block is not complete; Cancelled
void decodeTiff(const SourceFile& source, const TiffPage& page, const TiffStorage& storage, GreyRows& rows,
                const JobControl& control);

} // namespace pollard
