#include "vm/display/overlays_view_model.hpp"

#include <QMetaEnum>
#include <QSettings>

namespace pollard::vm {

namespace {

constexpr auto kRulersInPixels = "overlays/rulersInPixels";

QString keyOf(OverlaysViewModel::Overlay overlay) {
    return QStringLiteral("overlays/") +
           QString::fromLatin1(QMetaEnum::fromType<OverlaysViewModel::Overlay>().valueToKey(static_cast<int>(overlay)));
}

/// Defaults: overlays that are generally useful and cover little of the image.
bool shownAtFirst(OverlaysViewModel::Overlay overlay) {
    using Overlay = OverlaysViewModel::Overlay;
    return overlay == Overlay::scaleBar || overlay == Overlay::minimap || overlay == Overlay::patient;
}

} // namespace

OverlaysViewModel::OverlaysViewModel(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {
    for (const Overlay overlay : kOverlays) {
        shown_[static_cast<std::size_t>(overlay)] = settings_.value(keyOf(overlay), shownAtFirst(overlay)).toBool();
    }
    rulersInPixels_ = settings_.value(kRulersInPixels, false).toBool();
}

void OverlaysViewModel::setShown(Overlay overlay, bool shown) {
    if (shown == isShown(overlay)) {
        return;
    }
    shown_[static_cast<std::size_t>(overlay)] = shown;
    settings_.setValue(keyOf(overlay), shown);
    emit changed();
}

void OverlaysViewModel::setRulersInPixels(bool pixels) {
    if (pixels == rulersInPixels_) {
        return;
    }
    rulersInPixels_ = pixels;
    settings_.setValue(kRulersInPixels, pixels);
    emit changed();
}

} // namespace pollard::vm
