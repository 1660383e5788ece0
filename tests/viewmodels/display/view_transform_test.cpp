#include "vm/image/view_transform.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

ViewTransform view(double width, double height, int imageWidth, int imageHeight) {
    ViewTransform v;
    v.viewSize = QSizeF(width, height);
    v.imageSize = QSize(imageWidth, imageHeight);
    return v.fitted();
}

struct FitCase {
    double viewWidth, viewHeight;
    int imageWidth, imageHeight;
    double zoom;
};

class ViewTransformFit : public ::testing::TestWithParam<FitCase> {};

TEST_P(ViewTransformFit, ShowsTheWholeImageInTheMiddle) {
    const FitCase& c = GetParam();
    const ViewTransform v = view(c.viewWidth, c.viewHeight, c.imageWidth, c.imageHeight);
    EXPECT_DOUBLE_EQ(v.zoom, c.zoom);
    EXPECT_EQ(v.centre, QPointF(c.imageWidth / 2.0, c.imageHeight / 2.0));
    const QPointF topLeft = v.toView({0, 0});
    const QPointF bottomRight = v.toView(QPointF(c.imageWidth, c.imageHeight));
    EXPECT_GE(topLeft.x(), -1e-9);
    EXPECT_GE(topLeft.y(), -1e-9);
    EXPECT_LE(bottomRight.x(), c.viewWidth + 1e-9);
    EXPECT_LE(bottomRight.y(), c.viewHeight + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ViewTransformFit,
                         ::testing::Values(FitCase{800, 600, 400, 300, 2}, FitCase{800, 600, 1600, 300, 0.5},
                                           FitCase{800, 600, 300, 1200, 0.5}, FitCase{800, 600, 1, 1, 600},
                                           FitCase{100, 100, 100000, 1, 0.001}));

TEST(ViewTransform, ViewAndImageCoordinatesAreInverse) {
    ViewTransform v = view(800, 600, 1000, 1000);
    v.zoom = 3.7;
    v.centre = QPointF(123.4, 567.8);
    for (const QPointF p : {QPointF(0, 0), QPointF(800, 600), QPointF(17.5, 599)}) {
        const QPointF back = v.toView(v.toImage(p));
        EXPECT_NEAR(back.x(), p.x(), 1e-9);
        EXPECT_NEAR(back.y(), p.y(), 1e-9);
    }
}

TEST(ViewTransform, ZoomKeepsThePointUnderTheCursor) {
    const ViewTransform v = view(800, 600, 1000, 800);
    const QPointF cursor(430, 250);
    const QPointF before = v.toImage(cursor);
    for (const double zoom : {1.0, 4.0, 64.0}) {
        const QPointF after = v.zoomedAbout(cursor, zoom).toImage(cursor);
        EXPECT_NEAR(after.x(), before.x(), 1e-9);
        EXPECT_NEAR(after.y(), before.y(), 1e-9);
    }
}

TEST(ViewTransform, ZoomStaysWithinItsLimits) {
    const ViewTransform v = view(800, 600, 1000, 800);
    EXPECT_DOUBLE_EQ(v.zoomedAbout({0, 0}, 1e9).zoom, ViewTransform::kMaxZoom);
    EXPECT_DOUBLE_EQ(v.zoomedAbout({0, 0}, 1e-9).zoom, v.fitZoom() / 4);
    EXPECT_DOUBLE_EQ(view(800, 600, 4, 4).minimumZoom(), 1);
}

TEST(ViewTransform, PanFollowsTheHandAndNeverLosesTheImage) {
    ViewTransform v = view(800, 600, 1000, 800);
    v.zoom = 2;
    const ViewTransform moved = v.panned({100, -50});
    EXPECT_EQ(moved.centre, v.centre + QPointF(-50, 25));
    EXPECT_EQ(v.panned({1e9, 1e9}).centre, QPointF(0, 0));
    EXPECT_EQ(v.panned({-1e9, -1e9}).centre, QPointF(1000, 800));
}

TEST(ViewTransform, WithoutImageOrViewStaysFinite) {
    const ViewTransform nothing;
    EXPECT_FALSE(nothing.isValid());
    EXPECT_EQ(nothing.fitZoom(), 1);
    EXPECT_EQ(nothing.zoomedAbout({10, 10}, 2).centre, QPointF(0, 0));
}

} // namespace
} // namespace pollard::vm
