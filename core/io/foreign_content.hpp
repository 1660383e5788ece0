#pragma once

#include "io/image_reader.hpp"

#include <string>

namespace pollard {

/// The kind of a file that people take for an image and that no reader reads, with the remedy: a pointer of Git LFS, a
/// web page, an Analyze header, the pixels beside a header, metadata without pixels; empty for all others.
[[nodiscard]] std::string foreignContent(const SourceFile& source);

} // namespace pollard
