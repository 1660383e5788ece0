// Numbers typed into fields under several locales.
#include "app/test_window.hpp"

#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"

#include <QAbstractSpinBox>
#include <QLocale>

namespace pollard::app {
namespace {

class NumberBoxes : public ::testing::Test {
protected:
    void TearDown() override { QLocale::setDefault(before_); }
    static void installLanguage(const char* locale) { QLocale::setDefault(QLocale(QLatin1String(locale))); }
    template <class Box> static void type(Box& box, const char* text) {
        box.selectAll();
        QTest::keyClicks(&box, QString::fromUtf8(text));
        QTest::keyClick(&box, Qt::Key_Return);
    }

private:
    QLocale before_;
};

class NumberBoxesOf : public NumberBoxes, public ::testing::WithParamInterface<const char*> {
protected:
    void SetUp() override { installLanguage(GetParam()); }
};

TEST_P(NumberBoxesOf, ReadExponentsAndBothDecimalMarks) {
    NumberBox real;
    real.setRange(-1e6, 1e6);
    real.setDecimals(3);
    real.setSuffix(QStringLiteral(" px"));
    type(real, "1e3");
    EXPECT_EQ(real.value(), 1000);
    EXPECT_EQ(real.text(), real.locale().toString(1000.0, 'f', 3).remove(real.locale().groupSeparator()) + " px");
    type(real, "1,5");
    EXPECT_EQ(real.value(), 1.5);
    type(real, "-2.5");
    EXPECT_EQ(real.value(), -2.5);
    type(real, "1,5e3");
    EXPECT_EQ(real.value(), 1500);

    WholeBox whole;
    whole.setRange(0, 100000);
    whole.setGroupSeparatorShown(true);
    type(whole, "1e3");
    EXPECT_EQ(whole.value(), 1000);
    EXPECT_EQ(whole.text().remove(whole.locale().groupSeparator()), QStringLiteral("1000"));
    type(whole, "2.5e3");
    EXPECT_EQ(whole.value(), 2500);
    for (const int value : {0, 1000, 99999}) { // its own texts
        whole.setValue(value);
        EXPECT_EQ(whole.valueFromText(whole.text()), value);
    }

    LengthBox length(100, QStringLiteral("unknown"));
    type(length, "5e-1");
    EXPECT_EQ(length.value(), 0.5);
    length.setValue(0);
    EXPECT_EQ(length.text(), QStringLiteral("unknown"));
    EXPECT_EQ(length.valueFromText(length.text()), 0);
}

TEST_P(NumberBoxesOf, ShowTheNearestPossibleNumber) {
    WholeBox whole;
    whole.setRange(0, 255);
    whole.setSuffix(QStringLiteral(" px"));
    type(whole, "300");
    EXPECT_EQ(whole.text(), QStringLiteral("255 px"));
    type(whole, "2.7");
    EXPECT_EQ(whole.text(), QStringLiteral("3 px"));
    type(whole, "1e99");
    EXPECT_EQ(whole.value(), 255);
    type(whole, "-4");
    EXPECT_EQ(whole.value(), 0);
    NumberBox real;
    real.setKeyboardTracking(false);
    real.setRange(0, 10);
    type(real, "0.126");
    EXPECT_EQ(real.value(), 0.13);
    EXPECT_EQ(real.text(), real.locale().toString(0.13, 'f', 2));
    type(real, "1e");
    EXPECT_EQ(real.value(), 0.13) << "no number";
    EXPECT_EQ(real.text(), real.locale().toString(0.13, 'f', 2));
}

INSTANTIATE_TEST_SUITE_P(Locales, NumberBoxesOf, ::testing::Values("de_DE", "fr_FR", "C"));

TEST_F(NumberBoxes, ShowRealValuesWithoutZerosAtTheirEnd) {
    installLanguage("C");
    ValueBox box;
    box.setScale(0, 1000, 0.25);
    for (const char* text : {"2.5", "0.75", "3"}) {
        box.setValue(QString::fromLatin1(text).toDouble());
        EXPECT_EQ(box.text(), QLatin1String(text));
    }
}

TEST_F(NumberBoxes, ShowHowAnAmbiguousNumberIsRead) {
    installLanguage("de_DE");
    NumberBox gamma;
    gamma.setRange(0.1, 10);
    type(gamma, "1.250");
    EXPECT_EQ(gamma.text(), QStringLiteral("1,25"));
    NumberBox area;
    area.setRange(0, 1e6);
    type(area, "1.250");
    EXPECT_EQ(area.text(), QStringLiteral("1250,00"));
}

TEST_F(NumberBoxes, KeepATextThatIsTypedWhileAModelConfirmsIt) {
    WholeBox box;
    box.setRange(0, 9999);
    QObject::connect(&box, &QSpinBox::valueChanged, &box, [&box](int value) { coupling::showValue(box, value); });
    box.selectAll();
    for (const char letter : {'1', 'e', '3'}) {
        QTest::keyClick(&box, letter);
        coupling::showValue(box, box.value());
    }
    EXPECT_EQ(box.value(), 1000);
}

TEST_F(NumberBoxes, AreAllNumberFieldsOfTheWindow) {
    const TestWindow test;
    int count = 0;
    for (const QAbstractSpinBox* box : test.window.findChildren<QAbstractSpinBox*>()) {
        QString text = QStringLiteral("1e");
        int position = 2;
        EXPECT_EQ(box->validate(text, position), QValidator::Intermediate) << box->objectName().toStdString();
        ++count;
    }
    EXPECT_GT(count, 15);
}

} // namespace
} // namespace pollard::app
