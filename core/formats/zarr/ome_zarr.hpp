#pragma once

#include "formats/zarr/zarr_array.hpp"
#include "image/channel.hpp"
#include "io/image_file.hpp"
#include "io/samples/no_data.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// An image of a Zarr hierarchy with its reduced versions, as NGFF 0.1 to 0.5 describe it.
struct OmeZarrImage {
    struct Axis {
        char name = 'p';  ///< 't', 'c', 'z', 'y' or 'x', 'p' for others
        std::string unit; ///< of a step, as the file names it; may be empty
    };
    struct Level {
        ZarrArray array;
        std::vector<double> scale; ///< step along each axis in its unit; empty: not stated
    };

    std::string format;                     ///< "OME-Zarr 0.4", "Zarr 3" ...
    std::vector<Axis> axes;                 ///< of the arrays; the last two are y and x
    std::vector<Level> levels;              ///< one at least, the largest first; of the same samples
    std::optional<Calibration> calibration; ///< of the samples
    std::optional<NoData> noData;           ///< sample of pixels without data, by the attribute _FillValue
    std::vector<Channel> channels;          ///< one a position of the axis 'c', or none
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;
};

/// The image at the root of a store: of a group with multiscales, or an array. Of a plate the first field of its
/// first well, of a well its first field, of several images (bioformats2raw.layout 3) or labels the first, of those
/// that are there, with the list of the others in facts, and notes on them and on listed ones that are missing. (NGFF
/// 0.4 and 0.5, ngff.openmicroscopy.org)
/// @throws Error(invalidArgument) for wrong metadata, Error(formatUnsupported, limitExceeded), naming the key
[[nodiscard]] OmeZarrImage readOmeZarr(const ZarrStore& store);

/// Images, or groups of them, that a group without an image of its own lists.
struct OmeZarrList {
    std::string title;                     ///< "Wells", "Fields of the well", "Labels" or "Images"
    std::vector<std::string> paths;        ///< in the store; none: an image
    std::vector<bool> exists;              ///< whether there is a group or an array; set by readOmeZarrList()
    std::vector<std::string> rows = {};    ///< names of the rows of a plate, as far as stated
    std::vector<std::string> columns = {}; ///< and of its columns
};
/// The list at the root of a store. @throws as readOmeZarr()
[[nodiscard]] OmeZarrList readOmeZarrList(const ZarrStore& store);

} // namespace pollard
