#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/region/region_file.hpp"

#include "geo/earth_polygons.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The pixels of an image in a union of shapes or its complement, as a mask that is made on a separate thread.
class RegionMask : public QObject {
    Q_OBJECT

public:
    /// The mask; null for the whole image, for a region without pixels, and while it is made.
    [[nodiscard]] std::shared_ptr<const Mask> mask() const noexcept { return mask_; }
    /// Pixels of the region: all without shapes, 0 without an image, -1 while they are counted.
    [[nodiscard]] qint64 count() const noexcept { return count_; }
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::build); }
    /// Replaces the mask, at once without shapes or image; ends with made().
    void make(const Image* image, const std::vector<RegionShape>& shapes, bool inverted);

signals:
    void made();
    void countChanged(); ///< follows made() if it is not -1

private:
    void end(std::shared_ptr<const Mask> mask, qint64 count);

    std::shared_ptr<const Mask> mask_;
    qint64 count_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// The tool and the shape being drawn with it. Functions that return bool return whether anything changed.
class RegionDrawing {
public:
    /// Effect of the pointer on the image.
    enum class Tool { hand, rectangle, ellipse, polygon };

    [[nodiscard]] Tool tool() const noexcept { return tool_; }
    /// The next shape is not for the region, and the hand tool follows it.
    [[nodiscard]] bool isOnce() const noexcept { return once_; }
    /// A polygon's last corner follows the pointer.
    [[nodiscard]] const std::optional<RegionShape>& draft() const noexcept { return draft_; }

    void setTool(Tool tool, bool once) noexcept {
        tool_ = tool;
        once_ = once;
    }
    bool begin(const QPointF& place, QSize image);
    /// @param square equal sides (not for polygons)
    bool move(const QPointF& place, bool square, QSize image);
    bool addPoint(const QPointF& place, QSize image);
    /// Removes the last corner; without fixed corners the drawing ends.
    bool removePoint();
    /// Ends the drawing. @returns the shape; nothing if it is invalid
    std::optional<RegionShape> finish();
    bool cancel();

private:
    Tool tool_ = Tool::hand;
    bool once_ = false;
    std::optional<RegionShape> draft_;
    QPointF anchor_; ///< fixed corner of a rectangle or an ellipse
};

/// The shapes that restrict the analysis: drawing, moving and resizing them, one selected, with undo. Their union, or
/// its complement, becomes the document's domain at the end of a movement; the mask is made on a separate thread.
///
/// Shapes are in px of the image. They stay when the page changes, are moved when the image is cropped, and are
/// dropped with the document.
class RegionViewModel : public QObject {
    Q_OBJECT

public:
    using Tool = RegionDrawing::Tool;
    using Kind = RegionShape::Kind;
    struct State {
        std::vector<RegionShape> shapes;
        int selected = -1;
        bool inverted = false;
        bool operator==(const State&) const = default;
    };

    /// @param document must outlive this
    explicit RegionViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] Tool tool() const noexcept { return drawing_.tool(); }
    [[nodiscard]] const std::vector<RegionShape>& shapes() const noexcept { return state_.shapes; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(state_.shapes.size()); }
    [[nodiscard]] int selected() const noexcept { return state_.selected; } ///< -1: none
    [[nodiscard]] const RegionShape* selectedShape() const noexcept;
    /// The complement of the shapes is analysed.
    [[nodiscard]] bool isInverted() const noexcept { return state_.inverted; }
    [[nodiscard]] const State& state() const noexcept { return state_; }
    /// Whether beginEdit() was called and endEdit() not yet.
    [[nodiscard]] bool isEditing() const noexcept { return editing_.has_value(); }
    /// Size of the image in px; empty if no document is open.
    [[nodiscard]] QSize imageSize() const;

    /// The shape being drawn does not become part of the region, see drawOnce().
    [[nodiscard]] bool isDrawingOnce() const noexcept { return drawing_.isOnce(); }
    /// The shape being drawn; a polygon's last corner follows the pointer.
    [[nodiscard]] const std::optional<RegionShape>& draft() const noexcept { return drawing_.draft(); }
    [[nodiscard]] bool isDrawing() const noexcept { return draft().has_value(); }

    /// The topmost shape at a place; -1 if there is none.
    [[nodiscard]] int shapeAt(const QPointF& image) const;

    /// Number of analysed pixels; all pixels without shapes. -1 while they are counted.
    [[nodiscard]] qint64 pixelCount() const noexcept { return mask_.count(); }
    /// "12,345 px (3.4 %), 0.52 mm²"; "No pixel" if shapes contain no pixel centre.
    [[nodiscard]] QString areaText() const;
    /// The area of the selected shape, from its geometry; empty if none is selected.
    [[nodiscard]] QString selectedAreaText() const;
    /// A name for the user: "Rectangle 2".
    [[nodiscard]] QString nameOf(int index) const;
    /// The bounding rectangle in px of the selected shape, or of all if none is selected.
    [[nodiscard]] std::optional<PixelRegion> bounds() const;
    /// Whether the mask is being made.
    [[nodiscard]] bool isBusy() const { return mask_.isBusy(); }
    [[nodiscard]] bool isLoading() const { return reader_.isBusy(Lane::load); }

public slots:
    void setTool(pollard::vm::RegionViewModel::Tool tool) { takeTool(tool, false); }
    /// Activates a tool for one shape that does not become part of the region: drawnOnce() reports it, and the hand
    /// tool returns. Another tool cancels that.
    void drawOnce(pollard::vm::RegionViewModel::Tool tool) { takeTool(tool, tool != Tool::hand); }

    /// Starts a shape of the tool's kind at a place: a corner of a rectangle or of the box of an ellipse, or the first
    /// corner of a polygon. Does nothing with the hand tool.
    void beginDraft(const QPointF& image);
    /// Moves the corner at the pointer. @param square equal sides (not for polygons)
    void moveDraft(const QPointF& image, bool square = false);
    /// Fixes the corner of a polygon at the pointer and starts the next one.
    void addDraftPoint(const QPointF& image);
    /// Removes the last fixed corner of a polygon; without corners the drawing ends.
    void removeDraftPoint();
    /// Adds the drawn shape; false if it is invalid and dropped.
    bool finishDraft();
    void cancelDraft();

    void select(int index);
    /// Selects the next shape; after the last one the first.
    void selectNext();
    /// Adds a shape and selects it. Parts beyond the image are cut or moved.
    void add(const pollard::RegionShape& shape);
    void removeSelected();
    void clear();
    /// Replaces all shapes by one rectangle around the image.
    void selectAll();
    void setInverted(bool inverted);

    /// Changes until endEdit() are one change, applied to the document at its end.
    void beginEdit();
    void endEdit();
    /// Restores the state at beginEdit().
    void cancelEdit();
    /// Changes the selected shape; does nothing without one.
    void moveSelected(const QPointF& by);
    void setSelectedBox(const QRectF& box);
    void setSelectedShape(const pollard::RegionShape& shape);

    /// Restores a state; ends drafts and edits.
    void setState(const State& state);

    /// Reads a GeoJSON or vector file (readVectorPolygons()) on another thread. Its shapes then replace all others, as
    /// one change; loadFailed() and layerNeeded() tell the other ends. Another call and another image cancel it.
    /// @param map of the image, for GeoJSON in degrees
    /// @param unmarked unit of the positions of GeoJSON without a mark
    /// @param layer of a vector file; empty for the only layer
    void load(const QString& path, std::shared_ptr<const pollard::MapCoordinates> map = {},
              pollard::GeoJsonIn unmarked = pollard::GeoJsonIn::pixels, const QString& layer = {});
    /// Writes all shapes as GeoJSON, with a map in degrees.
    /// @return the reason of a failure, one line for the user; empty after success
    [[nodiscard]] QString save(const QString& path, const pollard::MapCoordinates* map = nullptr) const;

    /// Reads the part of the file in bounds(); ends like an open.
    void cropToBounds();

signals:
    void noticeRaised(const QString& text);  ///< about a loaded file
    void loadFailed(const QString& problem); ///< one line for the user
    /// The file has several layers, one of which load() needs.
    void layerNeeded(const QString& path, const QStringList& layers);
    void toolChanged(); ///< the tool, or isDrawingOnce()
    void drawnOnce(const pollard::RegionShape& shape);
    void changed(); ///< shapes, selection, draft, inverted
    void areaChanged();

private:
    /// Position of the image on its page: place on the page = offset + place in the image / scale.
    struct Frame {
        QString path;
        ImagePlace place;
        QSize size;
        bool operator==(const Frame&) const = default;
    };

    void takeTool(Tool tool, bool once);
    void takeRead(const QString& path, ReadRegion read);
    /// Replaces the state, or changes it within an edit.
    void change(State next);
    void onImageChanged();
    [[nodiscard]] Frame presentFrame() const;
    void updateDomain();
    void applyMask();
    void emitIf(bool differs);
    [[nodiscard]] QString physicalText(double pixels) const;

    DocumentViewModel& document_;
    RegionDrawing drawing_;
    State state_;
    std::optional<State> editing_; ///< state at beginEdit()
    Frame frame_;
    RegionMask mask_; ///< of the present state
    LatestWinsWorker reader_;
};

} // namespace pollard::vm
