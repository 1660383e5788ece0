
#include <gtest/gtest.h>

#include "vm/base/value_text.hpp"

namespace pollard::vm {
namespace {

TEST(LineText, IsOneLineOfSoManyBytes) {
    EXPECT_EQ(lineText(QStringLiteral(" a\tb\nc\x7f d "), 100), QStringLiteral("a b c  d"));
    EXPECT_EQ(lineText(QStringLiteral("abcdef"), 4), QStringLiteral("abcd"));
    EXPECT_EQ(lineText(QStringLiteral("äöü"), 5), QStringLiteral("äö"));
    const QString faces = QString::fromUtf8("\xF0\x9F\x99\x82\xF0\x9F\x99\x82");
    for (qsizetype most = 0; most <= 8; ++most) {
        const QString cut = lineText(faces, most);
        EXPECT_LE(cut.toUtf8().size(), most);
        EXPECT_EQ(cut, faces.left(2 * (most / 4)));
    }
    EXPECT_EQ(lineText(QStringLiteral("\n\t"), 10), QString());
}

} // namespace
} // namespace pollard::vm
