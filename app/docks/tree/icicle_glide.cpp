#include "docks/tree/icicle_glide.hpp"

#include <cmath>
#include <tuple>
#include <utility>

namespace pollard::app {
namespace {

std::pair<double, double> between(double low, double high, double lowTo, double highTo, double t) {
    const double ratio = (highTo - lowTo) / (high - low);
    if (std::abs(ratio - 1) < 1e-6) {
        return {low + (lowTo - low) * t, high + (highTo - high) * t};
    }
    const double fixed = (low * ratio - lowTo) / (ratio - 1); // fixed point of the zoom
    const double factor = std::pow(ratio, t);
    return {fixed + (low - fixed) * factor, fixed + (high - fixed) * factor};
}

} // namespace

IcicleRect icicleBetween(const IcicleRect& from, const IcicleRect& to, double t) {
    IcicleRect part;
    std::tie(part.left, part.right) = between(from.left, from.right, to.left, to.right, t);
    std::tie(part.top, part.bottom) = between(from.top, from.bottom, to.top, to.bottom, t);
    return part;
}

IcicleGlide::IcicleGlide(QObject* parent) : QVariantAnimation(parent) {
    setDuration(kDuration);
    setStartValue(0.0);
    setEndValue(1.0);
    setEasingCurve(QEasingCurve::InOutSine);
    connect(this, &QAbstractAnimation::finished, this, [this] { frame_.reset(); });
}

void IcicleGlide::setAllowed(bool allowed) {
    allowed_ = allowed;
    if (!allowed_) {
        end();
    }
}

void IcicleGlide::begin(const IcicleRect& from, const IcicleRect& to, std::shared_ptr<const vm::IcicleFrame> frame) {
    if (!allowed_) {
        return;
    }
    from_ = isUnderWay() ? part() : from;
    stop();
    to_ = to;
    frame_ = std::move(frame);
    start();
}

void IcicleGlide::end() {
    stop();
    frame_.reset();
}

} // namespace pollard::app
