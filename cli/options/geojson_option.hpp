#pragma once

#include "command.hpp"
#include "geo/geojson_positions.hpp"
#include "io/image_file.hpp"
#include "snake/contour/contour_files.hpp"

#include <memory>
#include <string>

namespace pollard::cli {

/// The option --geojson-in.
class GeoJsonOption {
public:
    void declare(CLI::App& command);

    /// The map for GeoJSON of a picture; null for pixels. Where map coordinates cannot be turned into degrees and the
    /// option is not given, a note has the reason.
    /// @param image as it is named on the command line
    /// @throws Error if degrees are asked for and the picture has none
    [[nodiscard]] std::shared_ptr<const MapCoordinates> mapOf(const LoadedImage& loaded, const std::string& image,
                                                              const Context& context) const;
    /// Prints a note if px that were read lie in the picture as longitudes and latitudes, too.
    void noteAmbiguous(const FiledRings& filed, const LoadedImage& loaded, const std::string& file,
                       const Context& context) const;
    /// Positions of a file without a mark.
    [[nodiscard]] GeoJsonIn unmarked() const noexcept;

private:
    std::string positions_; ///< empty: degrees where there are map coordinates
};

/// The map coordinates of a picture, to read degrees. @throws Error, naming the picture, if it has none
[[nodiscard]] std::shared_ptr<const MapCoordinates> neededMapOf(const LoadedImage& loaded, const std::string& image);

} // namespace pollard::cli
