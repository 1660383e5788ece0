#pragma once

#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

/// Place and size of a shown part or reduced version on its page at full resolution.
struct ShownPart {
    double factor = 1; ///< px of the page per shown px, in each direction
    double x = 0;      ///< px of the page at the left of the shown image
    double y = 0;
    std::optional<PixelSize> pixelSize;  ///< of a shown pixel
    std::optional<ValueMapping> mapping; ///< of its levels to values

    [[nodiscard]] ImageUnits units() const { return {pixelSize, mapping}; }

    /// @param info of the shown image
    [[nodiscard]] static ShownPart of(const OpenRequest& request, const ImageInfo& info);
};

/// A criterion for the shown image as it applies to the whole page, or to another part or version of it. Bounds in
/// pixels are converted: lengths grow by the ratio of the factors, areas and sums over areas by its square, positions
/// move. Bounds in units stay, except positions in a part, which become pixels. Values without a size, such as levels,
/// ratios and numbers of nodes, stay.
/// @pre criterionProblem() of the shown image is empty
[[nodiscard]] Criterion onWholePage(const Criterion& criterion, const ShownPart& shown, const ShownPart& other = {});

/// The same for all criteria; those that do not apply to the shown image are dropped.
[[nodiscard]] FilterSpec onWholePage(FilterSpec filter, const ShownPart& shown);

/// "Area >= 6,400 px (100 px on the shown level)". @param request of the shown image
[[nodiscard]] QString wholePageText(const Criterion& criterion, const ShownPart& shown, const OpenRequest& request);

} // namespace pollard::vm
