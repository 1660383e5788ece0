#include "vm/image/view_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pollard::vm {
namespace {

ViewTransform view(double zoom, QPointF centre) { return {QSizeF(800, 600), QSize(1000, 500), zoom, centre}; }

TEST(ExportPlan, OfTheViewAtItsOwnScaleIsTheView) {
    const ExportPlan plan = planExport({false, 2, true}, view(2, {500, 250}));
    EXPECT_EQ(plan.size, QSize(800, 600));
    EXPECT_EQ(plan.origin, QPointF(-600, -200));
    EXPECT_EQ(plan.bytes(), 800U * 600 * 3);
}

TEST(ExportPlan, LeavesTheGroundBesideTheImageOut) {
    const ExportPlan plan = planExport({false, 0.5, true}, view(0.5, {500, 250}));
    EXPECT_EQ(plan.size, QSize(500, 250));
    EXPECT_EQ(plan.origin, QPointF(0, 0));
}

TEST(ExportPlan, OfTheWholeImageKnowsNoView) {
    for (const double scale : {0.1, 0.333, 1.0, 8.0}) {
        const ExportPlan plan = planExport({true, scale, true}, view(16, {3, 4}));
        EXPECT_EQ(plan.size,
                  QSize(static_cast<int>(std::ceil(1000 * scale)), static_cast<int>(std::ceil(500 * scale))));
        EXPECT_EQ(plan.origin, QPointF(0, 0));
    }
}

TEST(ExportPlan, RefusesWhatNoProgramReads) {
    ViewTransform huge = view(1, {0, 0});
    huge.imageSize = QSize(65000, 10000);
    EXPECT_TRUE(planExport({true, 1, true}, huge).problem.isEmpty());
    const ExportPlan plan = planExport({true, 8, true}, huge);
    EXPECT_TRUE(plan.problem.contains(QStringLiteral("100,000")) || plan.problem.contains(QStringLiteral("100000")))
        << plan.problem.toStdString();
    EXPECT_TRUE(plan.size.isEmpty());
    EXPECT_TRUE(planExport({true, 1, true}, {}).size.isEmpty());
}

} // namespace
} // namespace pollard::vm
