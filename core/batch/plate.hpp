#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// The wells of a plate of OME-Zarr.
struct Plate {
    struct Well {
        std::size_t row = 0;                            ///< in rows
        std::size_t column = 0;                         ///< in columns
        std::string name;                               ///< "A/1"
        std::vector<std::filesystem::path> fields = {}; ///< existing fields; none: the well is missing
    };

    std::filesystem::path folder;     ///< "plate.zarr"
    std::vector<std::string> rows;    ///< "A", "B" ...
    std::vector<std::string> columns; ///< "1", "2" ...
    std::vector<Well> wells;          ///< by row, then by column
};

/// The plate whose field, well or folder a path names; nothing if there is none. Rows and columns are taken from the
/// plate's metadata, or else from the names of its wells, sorted as numbers. Wells outside of all rows or columns are
/// left out.
/// @throws Cancelled
[[nodiscard]] std::optional<Plate> plateOf(const std::filesystem::path& path, const JobControl& control = {});

/// A small image of a page of a file, its coarsest level shrunk to at most @p side px.
/// @throws Error as readImage(); limitExceeded if the coarsest level is large; Cancelled
[[nodiscard]] std::shared_ptr<const Image> thumbnailOf(const std::filesystem::path& path, int page, std::uint32_t side,
                                                       const JobControl& control = {});

/// Columns of the joined table of a batch, see writeJoinedTable(), as one value per well.
struct PlateValues {
    std::vector<std::string> columns; ///< "objects", then the columns of measurements as the table names them
    /// For each column and well of the plate: the number of objects in all fields, and the means over fields of the
    /// means over objects; NaN for wells without objects.
    std::vector<std::vector<double>> values;
};
/// Lines of other plates and of pages other than the first are left out, and so are columns with an entry that is no
/// number, labels, positions and sums of coordinates. @throws Error(fileUnreadable), Error(fileDamaged) for a table
/// without the column "file" or with lines of other lengths; Cancelled
[[nodiscard]] PlateValues readPlateValues(const std::filesystem::path& table, const Plate& plate,
                                          const JobControl& control = {});

} // namespace pollard
