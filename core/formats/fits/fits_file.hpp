#pragma once

#include "io/image_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fitsio.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Whether a file is a FITS file compressed by gzip.
[[nodiscard]] bool isGzippedFits(const SourceFile& source);

/// Random access to a FITS file: the file itself, or its unpacked content in memory if gzip compressed it.
class PlainFits {
public:
    /// @throws Error(fileDamaged); Error(limitExceeded) if the content exceeds the limits or the memory
    PlainFits(const SourceFile& source, const ReadLimits& limits);
    PlainFits(const PlainFits&) = delete;
    PlainFits& operator=(const PlainFits&) = delete;

    [[nodiscard]] const SourceFile& source() const noexcept { return plain_; }

private:
    std::vector<std::byte> bytes_; ///< empty if the file is plain
    SourceFile plain_;
};

/// An image in a FITS file: a header-data unit with two or more axes, its planes consecutive.
struct FitsUnit {
    int number = 1;                   ///< 1-based
    std::string name;                 ///< EXTNAME, may be empty
    std::vector<std::uint64_t> sides; ///< NAXIS1, NAXIS2, ...
    bool compressed = false;

    [[nodiscard]] std::uint64_t planes() const;
};

/// cfitsio on one file, opened as a plain file or in memory, without cfitsio's URLs, filters and templates. cfitsio
/// keeps messages and open files in globals, so the process uses one file at a time.
class FitsFile {
public:
    /// @throws Error(fileDamaged)
    explicit FitsFile(const SourceFile& source);
    ~FitsFile();
    FitsFile(const FitsFile&) = delete;
    FitsFile& operator=(const FitsFile&) = delete;

    /// All images among the first @p count units.
    /// @param damage set to the error that prevents reading further units, if any
    [[nodiscard]] std::vector<FitsUnit> findUnits(int count, std::string& damage);
    /// Selects the current unit.
    void moveTo(int unit);

    /// Type of the current unit's values after BZERO and BSCALE, as a constant of cfitsio (BYTE_IMG, USHORT_IMG ...).
    [[nodiscard]] int valueType();
    /// BITPIX: bits per stored value, negative for floating point.
    [[nodiscard]] int storedBits();
    /// Lets readValues() return the stored values of the current unit, without BZERO and BSCALE.
    void takeStoredValues();
    /// Rows per compressed tile, 1 without compression.
    [[nodiscard]] std::uint64_t tileRows(const FitsUnit& unit);

    /// Text of a key of the current unit; empty if there is none.
    [[nodiscard]] std::string text(const char* key);
    [[nodiscard]] std::optional<double> number(const char* key);
    /// The cards of the current unit whose keywords satisfy isSkyKeyword().
    [[nodiscard]] std::vector<std::string> skyCards();

    /// Reads @p count values from index @p first (0-based, over all planes).
    /// @param type of @p out: TBYTE, TUSHORT, TFLOAT ...
    /// @param gaps set to 1 for undefined values; if null, they are not detected and NaN is kept
    /// @throws Error(fileDamaged)
    void readValues(int type, std::uint64_t first, std::uint64_t count, void* out, char* gaps);

private:
    void require(int status, const std::string& what) const;

    const SourceFile& source_;
    std::unique_lock<std::mutex> alone_;
    void* content_; ///< of the source in memory; cfitsio reads this pointer again
    std::size_t contentBytes_;
    fitsfile* file_ = nullptr;
};

} // namespace pollard
