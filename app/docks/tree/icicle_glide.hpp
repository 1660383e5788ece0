#pragma once

#include "vm/tree/icicle_frame.hpp"

#include <QVariantAnimation>

#include <memory>

namespace pollard::app {

/// The way from one part of an icicle to another at a share @p t (0..1) of it: both magnify by equal factors in equal
/// times, about the place that stays where it is.
[[nodiscard]] IcicleRect icicleBetween(const IcicleRect& from, const IcicleRect& to, double t);

/// Takes an icicle from what was shown to what is to be shown, so that one sees where a subtree lies. Its
/// valueChanged() says when to paint.
class IcicleGlide : public QVariantAnimation {
    Q_OBJECT

public:
    static constexpr int kDuration = 150; ///< ms

    explicit IcicleGlide(QObject* parent = nullptr);

    /// Off: parts change at once.
    void setAllowed(bool allowed);
    /// Goes to another part; in the middle of a way from where that is.
    /// @param frame the last picture, shown below the one that follows
    void begin(const IcicleRect& from, const IcicleRect& to, std::shared_ptr<const vm::IcicleFrame> frame);
    /// Ends where it was to go.
    void end();
    [[nodiscard]] bool isUnderWay() const { return state() != Stopped; }
    /// What to show now; only if isUnderWay().
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
