#pragma once

#include <string>

namespace pollard::test {

/// The DICOM file in another transfer syntax, as DCMTK writes it: RLE, JPEG or JPEG-LS. Throws std::runtime_error.
[[nodiscard]] std::string encodedDicom(const std::string& file, const std::string& syntax);

} // namespace pollard::test
