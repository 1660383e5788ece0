#include "vm/objects/condition_text.hpp"

#include "components/objects/object_condition.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>
#include <QTranslator>

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

/// Speaks the French of a few words.
class SomeFrench : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override {
        const QMap<QString, QString> words{{"Area", "Aire"},
                                           {"Circularity", "Circularité"},
                                           {"Major axis", "Grand axe"},
                                           {"Minor axis", "Petit axe"},
                                           {"Perimeter", "Périmètre"},
                                           {"Perimeter (ImageJ)", "Périmètre (ImageJ)"},
                                           {"Mean", "Moyenne"},
                                           {"and", "et"},
                                           {"or", "ou"},
                                           {"not", "non"}};
        return words.value(QString::fromUtf8(source));
    }
};

class ConditionText : public ::testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }
    void TearDown() override {
        QCoreApplication::removeTranslator(&french_);
        QLocale::setDefault(before_);
    }
    void speakFrench() {
        QLocale::setDefault(QLocale(QStringLiteral("fr_FR")));
        QCoreApplication::installTranslator(&french_);
    }
    static QString stored(const char* typed) { return TypedCondition(QString::fromUtf8(typed)).stored(); }
    /// The marked part of a wrong condition.
    static QString marked(const char* text) {
        const QString typed = QString::fromUtf8(text);
        const TypedCondition condition(typed);
        try {
            (void)ObjectCondition::parse(condition.stored().toStdString());
        } catch (const ConditionError& error) {
            const TextSpan span = condition.spanOf(error);
            return typed.mid(span.start, span.length);
        }
        return QStringLiteral("none");
    }
    static QString reason(const char* text) {
        const TypedCondition condition(QString::fromUtf8(text));
        try {
            (void)ObjectCondition::parse(condition.stored().toStdString());
        } catch (const ConditionError& error) {
            return condition.reasonOf(error, {});
        }
        return {};
    }
    static QStringList words(const ConditionCompletion& found) {
        QStringList all;
        for (const FeatureWord& each : found.features) {
            all << each.word;
        }
        return all;
    }

private:
    QLocale before_;
    SomeFrench french_;
};

TEST_F(ConditionText, TakesNamesOfTheTableAndStoresIds) {
    EXPECT_EQ(stored("area > 100 && circularity > 0.8"), QStringLiteral("area > 100 && circularity > 0.8"));
    EXPECT_EQ(stored("Area > 100 && MAJOR AXIS<5"), QStringLiteral("area > 100 && major<5"));
    EXPECT_EQ(stored("minor axis > 15um2 and Perimeter (ImageJ) > 3"),
              QStringLiteral("minor > 15um2 and perimeter_imagej > 3"));
    EXPECT_EQ(stored("areas > 1,5"), QStringLiteral("areas > 1,5")) << "no name, and no decimal mark of this locale";
    EXPECT_EQ(shownCondition(QStringLiteral("area > 1.5e3 && grey_mean < 3")),
              QStringLiteral("area > 1.5e3 && grey_mean < 3"));
}

TEST_F(ConditionText, TakesFrenchNamesAndDecimalCommasAndShowsThemAgain) {
    speakFrench();
    const char* const typed = "aire > 100 && circularite > 0,8 || Grand axe <= 2.5";
    const QString id = QStringLiteral("area > 100 && circularity > 0.8 || major <= 2.5");
    EXPECT_EQ(stored(typed), id);
    EXPECT_NO_THROW((void)ObjectCondition::parse(id.toStdString()));
    EXPECT_EQ(shownCondition(id), QStringLiteral("aire > 100 && circularité > 0,8 || grand axe <= 2,5"));
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        const QString one = QString::fromUtf8(info.id.data(), static_cast<qsizetype>(info.id.size())) +
                            QStringLiteral(" >= 1.25 && area < 4 µm²");
        EXPECT_EQ(TypedCondition(shownCondition(one)).stored(), one);
        EXPECT_EQ(TypedCondition(one).stored(), one) << "ids are understood in every language";
    }
    EXPECT_EQ(stored("aire > 1 et non (moyenne < 3 ou area < 2)"),
              QStringLiteral("area > 1 and not (grey_mean < 3 or area < 2)"));
}

TEST_F(ConditionText, TakesGroupsOfDigitsAndExponentsOfTheLocale) {
    QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
    EXPECT_EQ(stored("area > 1.000 && major < 1.234.567,5"), QStringLiteral("area > 1000 && major < 1234567.5"));
    EXPECT_EQ(stored("area > 1e3 && area < 1,5e3um2"), QStringLiteral("area > 1e3 && area < 1.5e3um2"));
    EXPECT_EQ(stored("circularity > 0.125 && major > 1.5"), QStringLiteral("circularity > 0.125 && major > 1.5"));
    EXPECT_TRUE(TypedCondition(QStringLiteral("area > 1.000")).hasGroups());
    EXPECT_FALSE(TypedCondition(QStringLiteral("area > 1000 && major > 1.5")).hasGroups());
    QLocale::setDefault(QLocale(QStringLiteral("en_US")));
    EXPECT_EQ(stored("area > 1.000"), QStringLiteral("area > 1.000"));
}

TEST_F(ConditionText, MarksTheWrongWordWhereItWasTyped) {
    EXPECT_EQ(marked("area > 5 && areaa > 5"), QStringLiteral("areaa"));
    EXPECT_EQ(marked("area >= >= 5"), QStringLiteral(">="));
    EXPECT_EQ(marked("area >  "), QStringLiteral(">")) << "the end";
    EXPECT_EQ(marked("area > 15 µm"), QStringLiteral("15 µm"));
    EXPECT_EQ(marked("Major axis > 15 µm²"), QStringLiteral("15 µm²"));
    speakFrench();
    EXPECT_EQ(marked("circularité > 0,8 && rondeur > 5"), QStringLiteral("rondeur"));
    EXPECT_EQ(marked("circularité > 0,8 && grand axe"), QStringLiteral("grand axe"));
    EXPECT_EQ(marked("grand axe > 0,8 petit axe > 2"), QStringLiteral("petit axe"));
}

TEST_F(ConditionText, SaysWhatIsWrong) {
    EXPECT_EQ(reason("areaa > 5"), QStringLiteral("There is no feature “areaa”. Is “area” meant?"));
    EXPECT_EQ(reason("qqq > 5"), QStringLiteral("There is no feature “qqq”. The arrow down lists all features."));
    EXPECT_EQ(reason("area >"), QStringLiteral("A feature, a number or ( is missing at the end."));
    EXPECT_EQ(reason("area"), QStringLiteral("“area” is a value: compare it, as in area >= 50."));
    EXPECT_EQ(reason("(area > 5"), QStringLiteral("A ) is missing at the end."));
    for (const char* text : {"area > 1e999", "area > 5)", "area & 5", "1 < area < 3", "area > 15 um", "(1 > 5] > 3"}) {
        EXPECT_FALSE(reason(text).isEmpty()) << text;
    }
    EXPECT_FALSE(reason(QByteArray(200, '(')).isEmpty());
    speakFrench();
    EXPECT_TRUE(reason("cir > 0,5").contains(QStringLiteral("circularité")));
}

TEST_F(ConditionText, CompletesTheWordAtTheCursor) {
    EXPECT_EQ(words(completionAt(QStringLiteral("ar"), 2)),
              (QStringList{QStringLiteral("area"), QStringLiteral("area_convex")}));
    const QString joined = QStringLiteral("area > 5 && circ");
    const ConditionCompletion found = completionAt(joined, joined.size());
    EXPECT_EQ(found.word, (TextSpan{12, 4}));
    EXPECT_EQ(words(found), (QStringList{QStringLiteral("circularity"), QStringLiteral("circularity_imagej")}));
    EXPECT_EQ(found.features.front().example, QStringLiteral("circularity > 0.8"));
    const ConditionCompletion inside = completionAt(QStringLiteral("circxx > 5"), 4);
    EXPECT_EQ(inside.word, (TextSpan{0, 6})) << "the whole word is replaced";
    EXPECT_TRUE(completionAt(QStringLiteral("area"), 4).isComplete);
    EXPECT_EQ(words(completionAt(QStringLiteral("major a"), 7)), QStringList{QStringLiteral("major")});
    EXPECT_EQ(words(completionAt(QStringLiteral("grey"), 4)).size(), 4) << "all ids of grey levels";
    EXPECT_TRUE(completionAt(QStringLiteral("area > 5 m"), 10).features.isEmpty()) << "a unit";
    EXPECT_TRUE(completionAt(QStringLiteral("area > "), 7).features.isEmpty());
    EXPECT_EQ(completionAt(QStringLiteral("area > "), 7, true).features.size(),
              static_cast<qsizetype>(kObjectFeatureCount));
    speakFrench();
    EXPECT_EQ(words(completionAt(QStringLiteral("ai"), 2)), QStringList{QStringLiteral("aire")});
    EXPECT_EQ(words(completionAt(QStringLiteral("are"), 3)),
              (QStringList{QStringLiteral("aire"), QStringLiteral("area_convex")}))
        << "by its id, too";
    EXPECT_EQ(words(completionAt(QStringLiteral("grand a"), 7)), QStringList{QStringLiteral("grand axe")});
    EXPECT_EQ(completionAt(QStringLiteral("circ"), 4).features.front().example, QStringLiteral("circularité > 0,8"));
}

} // namespace
} // namespace pollard::vm
