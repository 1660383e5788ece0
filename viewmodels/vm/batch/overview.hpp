#pragma once

#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <optional>

namespace pollard::vm {

class DisplayViewModel;
class DocumentViewModel;
class FilterViewModel;

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

/// Converts a criterion of the shown image to the whole page, or to another part or resolution level. Bounds in pixels
/// are converted: lengths grow by the ratio of the factors, areas and sums over areas by its square, positions move.
/// Bounds in units stay, except positions in a part, which become pixels. Values without a size, such as levels, ratios
/// and numbers of nodes, stay.
/// @pre criterionProblem() of the shown image is empty
[[nodiscard]] Criterion onWholePage(const Criterion& criterion, const ShownPart& shown, const ShownPart& other = {});

/// Converts all criteria of a filter; drops criteria that do not apply to the shown image.
[[nodiscard]] FilterSpec onWholePage(FilterSpec filter, const ShownPart& shown);

/// "Area >= 6,400 px (100 px on the shown level)". @param request of the shown image
[[nodiscard]] QString wholePageText(const Criterion& criterion, const ShownPart& shown, const OpenRequest& request);

/// The way between a reduced version of a page, the overview, and its parts at full resolution. Criteria in pixels are
/// converted on the way, see onWholePage(). A part is one step of undo away from its overview.
///
/// Created before EditHistory, so that a converted filter belongs to the step.
class Overview : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    Overview(DocumentViewModel& document, DisplayViewModel& display, FilterViewModel& filter,
             QObject* parent = nullptr);

    /// Why the visible region cannot be opened at full resolution, one line; empty if it can.
    [[nodiscard]] QString problem() const;
    /// The visible region of the image in px of the page at full resolution. @pre problem() is empty
    [[nodiscard]] PixelRegion visibleRegion() const;
    /// Whether the image is a part that was opened from an overview.
    [[nodiscard]] bool canReturn() const;

public slots:
    /// Opens the visible region at full resolution, after a question if it does not fit.
    void openVisible();
    /// Opens the overview again, where it was seen last.
    void goBack();
    /// Offers all levels and parts of the page, see DocumentViewModel::decisionNeeded().
    void choose();

signals:
    void changed(); ///< problem() or canReturn()

private:
    /// The image shown before another image of its page is opened.
    struct PreviousImage {
        OpenRequest request;
        ShownPart part;
    };
    /// The overview that openVisible() left.
    struct Origin {
        OpenRequest request;
        double zoom = 1;
        QPointF centre;
    };
    void leaveFor(const OpenRequest& request);
    void onImage();
    void convertFilter(const ShownPart& from);

    DocumentViewModel& document_;
    DisplayViewModel& display_;
    FilterViewModel& filter_;
    std::optional<PreviousImage> previous_;
    std::optional<Origin> origin_;
};

} // namespace pollard::vm
