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

/// An image of a Zarr hierarchy with its reduced versions, described by NGFF 0.1 to 0.5.
struct OmeZarrImage {
    struct Axis {
        char name = 'p';  ///< 't', 'c', 'z', 'y' or 'x', 'p' for others
        std::string unit; ///< of a step, in the spelling of the file; may be empty
    };
    struct Level {
        ZarrArray array;
        std::vector<double> scale; ///< step along each axis in its unit; empty: not stated
    };

    std::string format;                     ///< "OME-Zarr 0.4", "Zarr 3" ...
    std::vector<Axis> axes;                 ///< of the arrays; the last two are y and x
    std::vector<Level> levels;              ///< at least one, the largest first; with the same samples
    std::optional<Calibration> calibration; ///< of the samples
    std::optional<NoData> noData;           ///< sample of pixels without data, from the attribute _FillValue
    std::vector<Channel> channels;          ///< one for each position of the axis 'c', or none
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> notes;
};

/// The image at the root of a store (NGFF 0.4 and 0.5, ngff.openmicroscopy.org): a group with multiscales or an array.
/// Of a plate takes the first field of the first well, of a well the first field, of several images
/// (bioformats2raw.layout 3) or labels the first. Missing images are skipped. Facts list the other images, and notes
/// tell that there are others and which are missing.
/// @throws Error(invalidArgument) for wrong metadata, Error(formatUnsupported, limitExceeded), naming the key
[[nodiscard]] OmeZarrImage readOmeZarr(const ZarrStore& store);

/// The images, or groups of images, listed by a group that is not an image.
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
