#pragma once

#include <QObject>
#include <QString>

#include <array>

class QSettings;

namespace pollard::vm {

/// Visible overlays of the image. Stored in the settings; every setter writes at once.
class OverlaysViewModel : public QObject {
    Q_OBJECT

public:
    enum class Overlay {
        scaleBar,
        rulers,
        minimap,
        magnifier,
        pixelGrid,
        objects, ///< while the Objects panel is not in front; they are always shown while it is
        patient, ///< letters of the patient's axes
    };
    Q_ENUM(Overlay)
    static constexpr std::array kOverlays{Overlay::scaleBar,  Overlay::rulers,  Overlay::minimap, Overlay::magnifier,
                                          Overlay::pixelGrid, Overlay::objects, Overlay::patient};

    /// @param settings must outlive this
    explicit OverlaysViewModel(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] bool isShown(Overlay overlay) const noexcept { return shown_[static_cast<std::size_t>(overlay)]; }
    [[nodiscard]] bool hasScaleBar() const noexcept { return isShown(Overlay::scaleBar); }
    [[nodiscard]] bool hasRulers() const noexcept { return isShown(Overlay::rulers); }
    [[nodiscard]] bool hasMinimap() const noexcept { return isShown(Overlay::minimap); }
    [[nodiscard]] bool hasMagnifier() const noexcept { return isShown(Overlay::magnifier); }
    [[nodiscard]] bool hasPixelGrid() const noexcept { return isShown(Overlay::pixelGrid); }
    [[nodiscard]] bool hasObjects() const noexcept { return isShown(Overlay::objects); }
    /// Rulers are in px even if the pixel size is known.
    [[nodiscard]] bool areRulersInPixels() const noexcept { return rulersInPixels_; }

public slots:
    void setShown(pollard::vm::OverlaysViewModel::Overlay overlay, bool shown);
    void setScaleBar(bool shown) { setShown(Overlay::scaleBar, shown); }
    void setRulers(bool shown) { setShown(Overlay::rulers, shown); }
    void setMinimap(bool shown) { setShown(Overlay::minimap, shown); }
    void setMagnifier(bool shown) { setShown(Overlay::magnifier, shown); }
    void setPixelGrid(bool shown) { setShown(Overlay::pixelGrid, shown); }
    void setObjects(bool shown) { setShown(Overlay::objects, shown); }
    void setRulersInPixels(bool pixels);

signals:
    void changed();

private:
    QSettings& settings_;
    std::array<bool, kOverlays.size()> shown_{};
    bool rulersInPixels_ = false;
};

} // namespace pollard::vm
