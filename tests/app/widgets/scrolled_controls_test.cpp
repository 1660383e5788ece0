// Controls that scroll down stay in place sideways.
#include "widgets/panel_parts.hpp"

#include "app/support/windows.hpp"

#include <QScrollBar>
#include <QTest>
#include <gtest/gtest.h>

namespace pollard::app {
namespace {

TEST(ScrolledControls, KeepTheirWidthWhenTheScrollBarComesAndGoes) {
    auto* content = new QWidget;
    ScrolledControls scrolled(content);
    scrolled.resize(300, 200);
    scrolled.show();
    ASSERT_TRUE(appears(scrolled));
    const QScrollBar& bar = *scrolled.verticalScrollBar();
    const int width = content->width();
    for (const int height : {400, 100, 400}) {
        content->setMinimumHeight(height);
        EXPECT_TRUE(QTest::qWaitFor([&] { return bar.isVisible() == (height > 200); }, kPatience)) << height;
        EXPECT_EQ(content->width(), width) << height;
    }
}

} // namespace
} // namespace pollard::app
