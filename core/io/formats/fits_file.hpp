#pragma once

#include "io/image_reader.hpp"

#include <array>
#include <cstdint>
#include <fitsio.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// An image in a FITS file: a header-data unit of two or more axes, its planes one after the other.
struct FitsUnit {
    int number = 1;                   ///< of the unit, from 1
    std::string name;                 ///< EXTNAME, may be empty
    std::vector<std::uint64_t> sides; ///< NAXIS1, NAXIS2, ...
    bool compressed = false;

    [[nodiscard]] std::uint64_t planes() const;
};

/// cfitsio on one file, opened as a plain file: never as one of cfitsio's URLs, filters or templates. cfitsio keeps
/// its messages and open files in globals, so one file at a time is worked on in the process.
class FitsFile {
public:
    /// @throws Error(fileDamaged)
    explicit FitsFile(const SourceFile& source);
    ~FitsFile();
    FitsFile(const FitsFile&) = delete;
    FitsFile& operator=(const FitsFile&) = delete;

    /// All images of the first @p count units. @param damage what keeps later ones from being read, if something does
    [[nodiscard]] std::vector<FitsUnit> findUnits(int count, std::string& damage);
    /// Makes the unit the current one.
    void moveTo(int unit);

    /// Type of the current unit's values after BZERO and BSCALE, as cfitsio's constants (BYTE_IMG, USHORT_IMG ...).
    [[nodiscard]] int valueType();
    /// BITPIX: bits of a stored value, negative for floating point.
    [[nodiscard]] int storedBits();
    /// Rows that are compressed together, 1 without compression.
    [[nodiscard]] std::uint64_t tileRows(const FitsUnit& unit);

    /// Text of a key of the current unit; empty if it has none.
    [[nodiscard]] std::string text(const char* key);
    [[nodiscard]] std::optional<double> number(const char* key);

    /// Reads @p count values from number @p first (0-based, over all planes); @p gaps gets 1 where there is no value;
    /// with null nothing is looked for and NaN stays NaN. @param type of @p out: TBYTE, TUSHORT, TFLOAT ... @throws
    /// Error(fileDamaged)
    void readValues(int type, std::uint64_t first, std::uint64_t count, void* out, char* gaps);

private:
    void require(int status, const std::string& what) const;

    const SourceFile& source_;
    std::unique_lock<std::mutex> alone_;
    fitsfile* file_ = nullptr;
};

} // namespace pollard
