#pragma once

#include "io/image_reader.hpp"

#include <string>

namespace pollard {

/// How far a FITS file can be given to cfitsio, which trusts the headers of compressed images: a tile of no size ends
/// the process by a division, and sizes that contradict each other make it write where it must not.
struct FitsScan {
    int soundUnits = 0;       ///< leading header-data units that are sound
    std::string damage;       ///< what is wrong with the next one; empty if all are sound
    bool unsupported = false; ///< the next one is only of a kind that is not read
};

/// Reads the headers of all units, but no data. @throws Error(fileUnreadable)
[[nodiscard]] FitsScan scanFits(const SourceFile& source);

} // namespace pollard
