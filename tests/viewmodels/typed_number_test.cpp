// Numbers as people of several countries type them.

#include <QLocale>

#include "vm/base/value_text.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

struct Typed {
    const char* locale;
    const char* text;
    double number;
};

class TypedNumber : public ::testing::Test {
protected:
    void TearDown() override { QLocale::setDefault(before_); }

private:
    QLocale before_;
};

class TypedNumberOf : public TypedNumber, public ::testing::WithParamInterface<Typed> {};

TEST_P(TypedNumberOf, IsReadAsThePersonMeansIt) {
    const auto& [locale, text, number] = GetParam();
    QLocale::setDefault(QLocale(QLatin1String(locale)));
    const auto read = typedNumber(QString::fromUtf8(text));
    ASSERT_TRUE(read) << locale << ' ' << text;
    EXPECT_DOUBLE_EQ(*read, number) << locale << ' ' << text;
}

INSTANTIATE_TEST_SUITE_P(
    Locales, TypedNumberOf,
    ::testing::Values(Typed{"de_DE", "1e3", 1000}, Typed{"de_DE", "1,5", 1.5}, Typed{"de_DE", "1.5", 1.5},
                      Typed{"de_DE", "1.000", 1000}, Typed{"de_DE", "1.000,5", 1000.5}, Typed{"de_DE", "0.125", 0.125},
                      Typed{"de_DE", "-0.125", -0.125}, Typed{"de_DE", "1,5e3", 1500}, Typed{"de_DE", "1.5e3", 1500},
                      Typed{"de_DE", " 12 ", 12}, Typed{"fr_FR", "1e3", 1000}, Typed{"fr_FR", "1,5", 1.5},
                      Typed{"fr_FR", "1.5", 1.5}, Typed{"fr_FR", "1.000", 1}, Typed{"fr_FR", "1 000,5", 1000.5},
                      Typed{"fr_FR", "1\u202f000", 1000}, Typed{"C", "1e3", 1000}, Typed{"C", "1,5", 1.5},
                      Typed{"C", "1.5", 1.5}, Typed{"C", "1.000", 1}, Typed{"C", "1,000", 1000},
                      Typed{"de_CH", "1.000", 1}, Typed{"de_CH", "1’000", 1000}, Typed{"en_US", "1,000.5", 1000.5},
                      Typed{"en_US", "-1E-3", -0.001}, Typed{"ar_EG", "1.5", 1.5}));

TEST_F(TypedNumber, IsTheMeaningWithinTheLimitsIfThereAreTwo) {
    QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
    EXPECT_EQ(typedNumber(QStringLiteral("1.234"), 0, 10), 1.234);
    EXPECT_EQ(typedNumber(QStringLiteral("1.234"), 0, 5000), 1234);
    EXPECT_EQ(typedNumber(QStringLiteral("1.234"), 2000, 5000), 1234) << "none is within";
}

TEST_F(TypedNumber, IsNothingForOtherTexts) {
    for (const char* locale : {"de_DE", "fr_FR", "C"}) {
        QLocale::setDefault(QLocale(QLatin1String(locale)));
        for (const char* text : {"", "-", "1e", "e3", "nan", "inf", "1e999", "1,2,3", "1.2.3", "0x10", "12 px"}) {
            EXPECT_FALSE(typedNumber(QLatin1String(text))) << locale << ' ' << text;
        }
    }
}

} // namespace
} // namespace pollard::vm
