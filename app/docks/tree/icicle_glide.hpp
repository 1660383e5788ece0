#pragma once

#include "vm/tree/icicle_frame.hpp"

#include <QVariantAnimation>

#include <memory>

namespace pollard::app {

/// Interpolates between two parts of an icicle at @p t (0..1): zooms by equal factors in equal times around a fixed
/// point.
[[nodiscard]] IcicleRect icicleBetween(const IcicleRect& from, const IcicleRect& to, double t);

/// Animates between two parts of an icicle, so that the position of a subtree is visible. Paint on valueChanged().
class IcicleGlide : public QVariantAnimation {
    Q_OBJECT

public:
    static constexpr int kDuration = 150; ///< ms

    explicit IcicleGlide(QObject* parent = nullptr);

    /// Off: parts change immediately.
    void setAllowed(bool allowed);
    /// Moves to another part; a running animation continues from its current part.
    /// @param frame the last image, painted below the following ones
    void begin(const IcicleRect& from, const IcicleRect& to, std::shared_ptr<const vm::IcicleFrame> frame);
    /// Jumps to the end.
    void end();
    [[nodiscard]] bool isUnderWay() const { return state() != Stopped; }
    /// The part to show; only if isUnderWay().
    [[nodiscard]] IcicleRect part() const { return icicleBetween(from_, to_, currentValue().toDouble()); }
    [[nodiscard]] const IcicleRect& target() const noexcept { return to_; }
    [[nodiscard]] const std::shared_ptr<const vm::IcicleFrame>& frame() const noexcept { return frame_; }

private:
    bool allowed_ = true;
    IcicleRect from_;
    IcicleRect to_;
    std::shared_ptr<const vm::IcicleFrame> frame_;
};

} // namespace pollard::app
