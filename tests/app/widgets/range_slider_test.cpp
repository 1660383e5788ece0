#include "widgets/range_slider.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace pollard::app {
namespace {

TEST(RangeSliders, HomeAndEndMoveAHandleAsFarAsTheOtherOne) {
    RangeSlider slider;
    slider.setPositions(0.25, 0.75);
    const auto moved = [&](RangeHandle* handle, Qt::Key key, auto signal) {
        QSignalSpy spy(&slider, signal);
        QTest::keyClick(handle, key);
        return spy.count() == 1 ? spy.front().front().toDouble() : -1;
    };
    EXPECT_EQ(moved(slider.lowerHandle(), Qt::Key_Home, &RangeSlider::lowerMoved), 0);
    EXPECT_EQ(moved(slider.lowerHandle(), Qt::Key_End, &RangeSlider::lowerMoved), 0.75);
    EXPECT_EQ(moved(slider.upperHandle(), Qt::Key_Home, &RangeSlider::upperMoved), 0.25);
    EXPECT_EQ(moved(slider.upperHandle(), Qt::Key_End, &RangeSlider::upperMoved), 1);
}

} // namespace
} // namespace pollard::app
