#pragma once

#include "io/image_reader.hpp"

#include <string>

namespace pollard {

/// Result of checking a FITS file before cfitsio reads it. cfitsio trusts the headers of compressed images: a tile of
/// size 0 ends the process by a division, and contradicting sizes cause writes out of bounds.
struct FitsScan {
    int soundUnits = 0;       ///< number of leading sound header-data units
    std::string damage;       ///< problem of the next unit; empty if all are sound
    bool unsupported = false; ///< the next unit is sound but of an unsupported kind
};

/// Reads the headers of all units, without data. @throws Error(fileUnreadable)
[[nodiscard]] FitsScan scanFits(const SourceFile& source);

} // namespace pollard
