#pragma once

#include "base/error.hpp"
#include "io/image_reader.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace pollard {

/// "cannot read image: <path>: <why>", on one line and without control characters.
[[nodiscard]] Error readError(ErrorCode code, const std::filesystem::path& path, const std::string& why);

/// What the header of a file says it holds.
struct PixelClaim {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    int bits = 0;                   ///< per sample
    std::uint64_t decodedBytes = 0; ///< of all samples, as stored (packed)
    std::uint64_t storedBytes = 0;  ///< bytes of the file that hold pixels
    bool compressed = false;
};

/// Compares a claim with the file and the limits, before any memory is taken for pixels.
/// @throws Error(fileDamaged) if a side is 0 or uncompressed pixels do not fit the file,
///         Error(limitExceeded) for too many pixels, an implausible expansion or more than the memory allows
void checkClaim(const SourceFile& source, const PixelClaim& claim, const ReadLimits& limits);

/// Formats with one page call this. @throws Error(invalidArgument) if @p page is not 0
void requireFirstPage(const SourceFile& source, int page);

/// "1.5 GB" for messages.
[[nodiscard]] std::string sizeText(std::uint64_t bytes);

/// The file ends before byte @p needed, where its content would: "the file is cut off: it has 20,000 of at least
/// 43,577 bytes; copy it again".
[[nodiscard]] Error cutOffError(const SourceFile& source, std::uint64_t needed);

/// Bytes of memory that a new job may take; the largest number if the system does not say.
[[nodiscard]] std::uint64_t availableMemory();

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

/// @throws Error(fileUnreadable)
[[nodiscard]] FilePointer openForReading(const std::filesystem::path& path);

} // namespace pollard
