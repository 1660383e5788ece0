#pragma once

#include "vm/batch/whole_page.hpp"
#include "vm/image/open_request.hpp"

#include "image/pixel_region.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <optional>

namespace pollard::vm {

class DisplayViewModel;
class DocumentViewModel;
class FilterViewModel;

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
    /// An image that is left for another one of its page.
    struct Left {
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
    std::optional<Left> left_;
    std::optional<Origin> origin_;
};

} // namespace pollard::vm
