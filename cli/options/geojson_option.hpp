#pragma once

#include "command.hpp"
#include "geo/earth_polygons.hpp"
#include "io/image_file.hpp"
#include "snake/contour/contour_files.hpp"

#include <memory>
#include <string>

namespace pollard::cli {

/// The option --geojson-in.
class GeoJsonOption {
public:
    void declare(CLI::App& command);

    /// Map for an image's GeoJSON; null for pixels. If map coordinates cannot be converted to degrees and the option
    /// is not set, prints a note with the reason.
    /// @param image as named on the command line
    /// @throws Error if degrees are requested and the image has no map coordinates
    [[nodiscard]] std::shared_ptr<const MapCoordinates> mapOf(const LoadedImage& loaded, const std::string& image,
                                                              const Context& context) const;
    /// Prints a note if px from a file would also be in the image as longitudes and latitudes.
    void noteAmbiguous(const FileRings& filed, const LoadedImage& loaded, const std::string& file,
                       const Context& context) const;
    /// Unit of positions in a file without a mark.
    [[nodiscard]] GeoJsonIn unmarked() const noexcept;

private:
    std::string positions_; ///< empty: degrees if there are map coordinates
};

/// Map coordinates of an image, to read degrees. @throws Error, naming the image, if it has none
[[nodiscard]] std::shared_ptr<const MapCoordinates> neededMapOf(const LoadedImage& loaded, const std::string& image);

} // namespace pollard::cli
