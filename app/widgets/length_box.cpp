#include "widgets/length_box.hpp"

#include "io/metadata/stated_size.hpp"

#include <QFontMetrics>

namespace pollard::app {
namespace {

constexpr int kDigits = 6;
constexpr int kLetters = 9; ///< visible, without the arrows
constexpr int kFrame = 34;  ///< px of frame and arrows

} // namespace

LengthBox::LengthBox(double largest, const QString& nothing, QWidget* parent) : ValueBox(parent) {
    setScale(0, largest, kSmallestSide);
    setSpecialValueText(nothing);
    setStepType(AdaptiveDecimalStepType);
}

QString LengthBox::textFromValue(double value) const { return locale().toString(value, 'g', kDigits); }

QSize LengthBox::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(u'0') * kLetters + kFrame, ValueBox::minimumSizeHint().height()};
}

} // namespace pollard::app
