#pragma once

#include "base/error.hpp"
#include "base/system.hpp"
#include "io/image_reader.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace pollard {

/// Rows between two checks for a stop while rows are decoded.
inline constexpr std::uint32_t kRowsPerCheck = 64;

/// "cannot read image: <path>: <why>", on one line and without control characters.
[[nodiscard]] Error readError(ErrorCode code, const std::filesystem::path& path, const std::string& why);

/// Calls @p work, and names the file in its errors.
template <class Work> auto namingFile(const std::filesystem::path& path, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw readError(error.code(), path, error.what());
    }
}

/// The file with the metadata of a Zarr group or array in a folder: "zarr.json", ".zgroup", ".zarray" or ".zattrs";
/// empty for other folders.
[[nodiscard]] std::filesystem::path zarrMetadataIn(const std::filesystem::path& folder);

/// Checks that @p path is a regular, non-empty file, or a folder of Zarr, and reads its first bytes.
/// @throws Error(fileNotFound, fileUnreadable)
[[nodiscard]] SourceFile openSource(const std::filesystem::path& path);

/// Size of the pixels according to a file's header.
struct PixelClaim {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    int bits = 0;                   ///< per sample
    std::uint64_t decodedBytes = 0; ///< all samples, packed as stored
    std::uint64_t storedBytes = 0;  ///< bytes of the file with pixels
    bool compressed = false;
    std::uint64_t omittedBytes = 0; ///< decoded bytes of blocks that the file omits, which need no stored bytes
};

/// Checks a claim against the file and the limits, before memory is allocated for pixels.
/// @throws Error(fileDamaged) if a side is 0 or uncompressed pixels do not fit the file, Error(limitExceeded) for too
/// many pixels, an implausible expansion or insufficient memory
void checkClaim(const SourceFile& source, const PixelClaim& claim, const ReadLimits& limits);

/// Compares the decoded bytes of compressed pixels with the stored bytes; the part of checkClaim() that does not depend
/// on memory. @throws Error(limitExceeded)
void checkExpansion(const SourceFile& source, const PixelClaim& claim, double limit);

/// For single-page formats. @throws Error(invalidArgument) if @p page is not 0
void requireFirstPage(const SourceFile& source, int page);

/// "page 7 does not exist, the file has pages 0 to 5"
[[nodiscard]] Error noSuchIndex(const std::filesystem::path& path, const std::string& name, const std::string& index,
                                const std::string& last, const std::string& whole);

/// @param name of one of the @p count elements of @p whole, such as "page"
/// @throws Error(invalidArgument) unless @p index is in 0 to count - 1
template <class Index, class Count> void requireIndex(const std::filesystem::path& path, const std::string& name,
                                                      Index index, Count count, const std::string& whole) {
    if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, count)) {
        throw noSuchIndex(path, name, std::to_string(index), std::to_string(count - 1), whole);
    }
}

/// Compares bytes with the limit, or with the free memory if there is no limit. @param subject with its verb: "8
/// channels need"
/// @throws Error(limitExceeded)
void requireMemory(const std::filesystem::path& path, const std::string& subject, std::uint64_t bytes,
                   const ReadLimits& limits);

/// Reports the progress of row @p y, and checks for a stop, every few rows. @throws Cancelled
void passRow(const JobControl& control, std::uint32_t y, std::uint32_t height);

/// "1.5 GB" for messages.
[[nodiscard]] std::string sizeText(std::uint64_t bytes);

/// Error for a file that ends before byte @p needed: "the file is cut off: it has 20,000 of at least 43,577 bytes; copy
/// it again".
[[nodiscard]] Error cutOffError(const SourceFile& source, std::uint64_t needed);

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

/// @throws Error(fileUnreadable)
[[nodiscard]] FilePointer openForReading(const std::filesystem::path& path);
/// The file, or the content in memory, which must outlive the stream. @throws Error(fileUnreadable)
[[nodiscard]] FilePointer openForReading(const SourceFile& source);

/// Kind and remedy of a file that people mistake for an image: a pointer of Git LFS, a web page, an Analyze header,
/// pixels with a separate header, metadata without pixels; empty for all other files.
[[nodiscard]] std::string foreignContent(const SourceFile& source);

} // namespace pollard
