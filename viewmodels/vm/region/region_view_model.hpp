#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/picture/picture_place.hpp"

#include "geo/geojson_positions.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"
#include "image/region_shape.hpp"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The shapes that restrict the analysis: drawing, moving and resizing them, one selected, with undo. Their union, or
/// what lies outside of it, becomes the document's domain once a movement is finished; the mask is made on a thread of
/// its own.
///
/// Shapes lie in px of the picture. They stay when a page is turned, follow when the picture is cut out, and go
/// with the document.
class RegionViewModel : public QObject {
    Q_OBJECT

public:
    /// What the pointer does with the picture.
    enum class Tool { hand, rectangle, ellipse, polygon };
    using Kind = RegionShape::Kind;
    struct State {
        std::vector<RegionShape> shapes;
        int selected = -1;
        bool inverted = false;
        bool operator==(const State&) const = default;
    };

    /// @param document must outlive this
    explicit RegionViewModel(DocumentViewModel& document, QObject* parent = nullptr);
    ~RegionViewModel() override;

    [[nodiscard]] Tool tool() const noexcept { return tool_; }
    [[nodiscard]] const std::vector<RegionShape>& shapes() const noexcept { return state_.shapes; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(state_.shapes.size()); }
    [[nodiscard]] int selected() const noexcept { return state_.selected; } ///< -1: none
    [[nodiscard]] const RegionShape* selectedShape() const noexcept;
    /// What lies outside of the shapes is analysed.
    [[nodiscard]] bool isInverted() const noexcept { return state_.inverted; }
    [[nodiscard]] const State& state() const noexcept { return state_; }
    /// Between beginEdit() and endEdit().
    [[nodiscard]] bool isEditing() const noexcept { return editing_.has_value(); }
    /// Size of the picture in px; empty if nothing is open.
    [[nodiscard]] QSize pictureSize() const;

    /// The shape that is drawn becomes no part of the region, see drawOnce().
    [[nodiscard]] bool isDrawingOnce() const noexcept { return once_; }
    /// The shape that is being drawn; a polygon's last corner follows the pointer.
    [[nodiscard]] const std::optional<RegionShape>& draft() const noexcept { return draft_; }
    [[nodiscard]] bool isDrawing() const noexcept { return draft_.has_value(); }

    /// The topmost shape that holds a place; -1 if none does.
    [[nodiscard]] int shapeAt(const QPointF& image) const;

    /// Pixels that are analysed; all of them without shapes. -1 while they are counted.
    [[nodiscard]] qint64 pixelCount() const noexcept { return pixelCount_; }
    /// "12,345 px (3.4 %), 0.52 mm²"; "No pixel" where shapes are too small to hold a pixel's centre.
    [[nodiscard]] QString areaText() const;
    /// The same for the selected shape by its borders; empty if none is selected.
    [[nodiscard]] QString selectedAreaText() const;
    /// A name for a person: "Rectangle 2".
    [[nodiscard]] QString nameOf(int index) const;
    /// The smallest rectangle of px around the selected shape, or around all if none is selected.
    [[nodiscard]] std::optional<PixelRegion> bounds() const;
    /// Whether the mask is being made.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::build); }

public slots:
    void setTool(pollard::vm::RegionViewModel::Tool tool);
    /// Takes a tool for one shape that becomes no part of the region: drawnOnce() gives it, and the hand is back.
    /// Another tool ends that.
    void drawOnce(pollard::vm::RegionViewModel::Tool tool);

    /// Begins a shape of the tool's kind at a place: a corner of a rectangle or of the box of an ellipse, or the first
    /// corner of a polygon. Does nothing with the hand.
    void beginDraft(const QPointF& image);
    /// Moves the corner that follows the pointer. @param square sides of equal length (not for polygons)
    void moveDraft(const QPointF& image, bool square = false);
    /// Fixes the corner of a polygon that follows the pointer and begins the next.
    void addDraftPoint(const QPointF& image);
    /// Takes back the corner of a polygon that was fixed last; with the first one the drawing ends.
    void removeDraftPoint();
    /// Adds what was drawn; false if it is no shape, which is dropped.
    bool finishDraft();
    void cancelDraft();

    void select(int index);
    /// Selects the next shape; after the last one the first.
    void selectNext();
    /// Adds a shape and selects it. What reaches beyond the picture is cut or moved.
    void add(const pollard::RegionShape& shape);
    void removeSelected();
    void clear();
    /// One rectangle around the whole picture in place of all shapes.
    void selectAll();
    void setInverted(bool inverted);

    /// Everything until endEdit() is one change, and reaches the document only then.
    void beginEdit();
    void endEdit();
    /// Back to what was there at beginEdit().
    void cancelEdit();
    /// Changes of the selected shape; without one nothing happens.
    void moveSelected(const QPointF& by);
    void setSelectedBox(const QRectF& box);
    void setSelectedShape(const pollard::RegionShape& shape);

    /// To come back to it; ends drafts and edits.
    void setState(const State& state);

    /// Replaces all shapes by those of a GeoJSON file, as one change.
    /// @param map of the picture, for files in degrees
    /// @param unmarked unit of the positions of a file without a mark
    /// @return why not, one line for a person; empty if it was done
    QString load(const QString& path, const pollard::MapCoordinates* map = nullptr,
                 pollard::GeoJsonIn unmarked = pollard::GeoJsonIn::pixels);
    /// Writes all shapes as GeoJSON, with a map in degrees.
    /// @return why not, one line for a person; empty if it was done
    [[nodiscard]] QString save(const QString& path, const pollard::MapCoordinates* map = nullptr) const;

    /// Reads the part of the file again that bounds() says; ends as an open does.
    void cropToBounds();

signals:
    void noticeRaised(const QString& text); ///< about a file that was read
    void toolChanged();                     ///< or whether it is for one shape
    void drawnOnce(const pollard::RegionShape& shape);
    void changed(); ///< shapes, selection, draft, inverted
    void areaChanged();

private:
    /// Where the picture lies in its page: place in the page = offset + place in the picture / scale.
    struct Frame {
        QString path;
        PicturePlace place;
        QSize size;
        bool operator==(const Frame&) const = default;
    };

    void takeTool(Tool tool, bool once);
    /// Replaces the state, or changes it as a part of an edit.
    void change(State next);
    void onDocumentChanged();
    [[nodiscard]] Frame presentFrame() const;
    void updateDomain();
    void applyMask();
    void setPixelCount(qint64 count);
    [[nodiscard]] QString physicalText(double pixels) const;

    DocumentViewModel& document_;
    Tool tool_ = Tool::hand;
    bool once_ = false;
    State state_;
    std::optional<RegionShape> draft_;
    QPointF draftAnchor_;          ///< corner that stays, of a rectangle or an ellipse
    std::optional<State> editing_; ///< state at beginEdit()
    Frame frame_;

    std::shared_ptr<const Mask> mask_; ///< of the state that is there; null: everything
    qint64 pixelCount_ = 0;
    LatestWinsWorker::Generation maskGeneration_ = 0;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
