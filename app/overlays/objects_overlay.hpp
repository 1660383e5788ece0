#pragma once

#include "overlays/overlay.hpp"

#include <QImage>
#include <QRgb>

#include <cstdint>
#include <memory>

namespace pollard::vm {
class ObjectsViewModel;
class ObjectTableModel;
struct ObjectListing;
} // namespace pollard::vm

namespace pollard::app {

/// Colour of an object by its label alone: hues a golden section apart, so that labels near each other look different
/// whichever objects lie side by side, with two brightnesses in turn.
[[nodiscard]] QRgb objectColour(std::uint32_t label);

/// The listed objects in their colours, the selected ones with a white outline.
class ObjectsOverlay : public Overlay {
public:
    /// Both must outlive this.
    ObjectsOverlay(const vm::ObjectsViewModel& objects, const vm::ObjectTableModel& table)
        : objects_(objects), table_(table) {}

    /// Objects, selection or opacity changed.
    void forgetPicture() { picture_ = {}; }

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;

private:
    /// Where the picture that was made lies.
    struct Place {
        QRect device; ///< part of the surface, device px
        QPointF origin;
        double scale = 0;
        double ratio = 0;

        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place placeIn(const OverlayScene& scene) const;
    [[nodiscard]] QImage makePicture(const vm::ObjectListing& listing, const Place& place) const;

    const vm::ObjectsViewModel& objects_;
    const vm::ObjectTableModel& table_;
    QImage picture_; ///< null: to be made anew
    Place made_;
};

} // namespace pollard::app
