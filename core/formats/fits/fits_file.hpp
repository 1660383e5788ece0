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

    /// All images among the first @p count units. @param damage set to the error that prevents reading later ones, if
    /// any
    [[nodiscard]] std::vector<FitsUnit> findUnits(int count, std::string& damage);
    /// Selects the current unit.
    void moveTo(int unit);

    /// Type of the current unit's values after BZERO and BSCALE, as a constant of cfitsio (BYTE_IMG, USHORT_IMG ...).
    [[nodiscard]] int valueType();
    /// BITPIX: bits per stored value, negative for floating point.
    [[nodiscard]] int storedBits();
    /// Makes readValues() give the stored values of the current unit, without BZERO and BSCALE.
    void takeStoredValues();
    /// Rows per compressed tile, 1 without compression.
    [[nodiscard]] std::uint64_t tileRows(const FitsUnit& unit);

    /// Text of a key of the current unit; empty if there is none.
    [[nodiscard]] std::string text(const char* key);
    [[nodiscard]] std::optional<double> number(const char* key);
    /// The cards of the current unit with keywords of isSkyKeyword().
    [[nodiscard]] std::vector<std::string> skyCards();

    /// Reads @p count values from index @p first (0-based, over all planes). @p gaps is set to 1 for undefined values;
    /// if null, they are not detected and NaN is kept. @param type of @p out: TBYTE, TUSHORT, TFLOAT ... @throws
    /// Error(fileDamaged)
    void readValues(int type, std::uint64_t first, std::uint64_t count, void* out, char* gaps);

private:
    void require(int status, const std::string& what) const;

    const SourceFile& source_;
    std::unique_lock<std::mutex> alone_;
    void* content_; ///< of the source in memory, which cfitsio asks for again
    std::size_t contentBytes_;
    fitsfile* file_ = nullptr;
};

} // namespace pollard
