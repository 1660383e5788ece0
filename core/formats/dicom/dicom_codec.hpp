#pragma once

#include "formats/dicom/dicom_header.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace pollard {

/// Decodes a frame of JPEG or JPEG-LS with DCMTK, in builds that have it. Samples lie side by side, in all of
/// their bits, little-endian.
/// @param out one byte more than the frame has if its bytes are odd
/// @returns the photometric interpretation of the samples
/// @throws Error(fileDamaged, outOfMemory)
std::string decodeWithDcmtk(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                            std::span<std::byte> out);

/// Only in builds that have it.
[[nodiscard]] std::string dcmtkVersion();

/// Decodes a frame of JPEG 2000. @throws Error(fileDamaged, formatUnsupported, limitExceeded), Cancelled
void decodeJpeg2000(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                    std::span<std::byte> out, const JobControl& control);

/// Decodes a frame of RLE (DICOM PS3.5, annex G). @throws Error(fileDamaged) if bytes are missing
void decodeRle(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
               std::span<std::byte> out);

/// Compares the sizes that a JPEG or JPEG-LS stream states with those of the data set. @throws Error(fileDamaged)
void requireJpegSizes(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame);

} // namespace pollard
