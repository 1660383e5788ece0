// The condition of the Objects panel, typed as a user does.
#include "app/test_window.hpp"

#include "docks/objects/classes_panel.hpp"
#include "shell/translation.hpp"
#include "window/panel_dock.hpp"

#include <QAbstractItemView>
#include <QLabel>
#include <QLocale>

namespace pollard::app {
namespace {

/// Three bright bars, 1, 2 and 3 rows high and 20 columns wide.
SharedImage bars() {
    return makeImage(PixelType::u8, 40, 30, [](std::uint32_t x, std::uint32_t y) {
        const std::uint32_t row = y % 10;
        return x >= 5 && x < 25 && row >= 3 && row < 4 + y / 10 ? 200 : 10;
    });
}

class ConditionFieldTest : public ::testing::Test {
protected:
    void TearDown() override {
        test_.reset();
        installLanguage(QStringLiteral("en"));
        QLocale::setDefault(before_);
    }
    void open(const QString& language = QStringLiteral("en")) {
        installLanguage(language);
        test_ = std::make_unique<TestWindow>();
        test_->window.resize(1400, 900);
        test_->open("bars", bars());
        showPanel(test_->window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
        ASSERT_EQ(table().rowCount(), 3);
        ASSERT_TRUE(focus(field()));
    }
    [[nodiscard]] vm::ObjectTableModel& table() { return test_->models.objectTable; }
    [[nodiscard]] ConditionField& field() { return *test_->part<ConditionField>("objectsCondition"); }
    [[nodiscard]] const QLabel& problem() { return *test_->part<QLabel>("objectsConditionProblem"); }
    [[nodiscard]] static QAbstractItemView* popup() {
        return qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
    }
    [[nodiscard]] bool rests() {
        return test_->settle() &&
               QTest::qWaitFor(
                   [this] {
                       return test_->models.objects.state() != vm::ObjectsViewModel::State::computing &&
                              !table().isListing();
                   },
                   kPatience);
    }
    /// Types into the list of completions if there is one, which passes the letters on.
    void type(const QString& letters) {
        for (const QChar letter : letters) {
            QWidget* to = QApplication::activePopupWidget();
            QTest::keyClicks(to != nullptr ? to : &field(), QString(letter));
        }
    }
    void press(Qt::Key key) {
        QWidget* to = QApplication::activePopupWidget();
        QTest::keyClick(to != nullptr ? to : &field(), key);
    }

private:
    QLocale before_;
    std::unique_ptr<TestWindow> test_;
};

TEST_F(ConditionFieldTest, CompletesNamesWhileTheyAreTyped) {
    open();
    type(QStringLiteral("ar"));
    ASSERT_NE(popup(), nullptr);
    EXPECT_EQ(popup()->currentIndex().data().toString(), QStringLiteral("area – Area (px²), e.g. area >= 50"));
    press(Qt::Key_Return);
    EXPECT_EQ(popup(), nullptr);
    EXPECT_EQ(field().text(), QStringLiteral("area"));
    EXPECT_TRUE(field().hasFocus());
    type(QStringLiteral(" > 20 && hei"));
    ASSERT_NE(popup(), nullptr);
    press(Qt::Key_Return);
    type(QStringLiteral("<3"));
    EXPECT_EQ(field().text(), QStringLiteral("area > 20 && height<3"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table().rowCount(), 1);
    EXPECT_FALSE(problem().isVisible());
}

TEST_F(ConditionFieldTest, ListsAllFeaturesWithTheArrowAndEscapeLeavesThem) {
    open();
    press(Qt::Key_Down);
    ASSERT_NE(popup(), nullptr);
    EXPECT_EQ(popup()->model()->rowCount(), static_cast<int>(kObjectFeatureCount));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    EXPECT_EQ(field().text(), QStringLiteral("area"));
    field().clear();
    type(QStringLiteral("wid"));
    ASSERT_NE(popup(), nullptr);
    press(Qt::Key_Escape);
    EXPECT_EQ(popup(), nullptr);
    EXPECT_EQ(field().text(), QStringLiteral("wid"));
    EXPECT_TRUE(field().hasFocus());
}

TEST_F(ConditionFieldTest, UnderlinesTheWrongWordAndWrapsTheReason) {
    open();
    field().setText(QStringLiteral("area > 20 && heigth < 3"));
    EXPECT_EQ(field().marked(), (vm::TextSpan{13, 6}));
    EXPECT_TRUE(problem().isVisible());
    EXPECT_TRUE(problem().wordWrap());
    EXPECT_EQ(problem().text(), QStringLiteral("There is no feature “heigth”. Is “height” meant?"));
    const QImage wrong = field().grab().toImage();
    field().mark({});
    EXPECT_NE(field().grab().toImage(), wrong) << "an underline";
    field().setText(QStringLiteral("area > 20 && height < 3"));
    EXPECT_EQ(field().marked(), vm::TextSpan{});
    EXPECT_FALSE(problem().isVisible());
}

TEST_F(ConditionFieldTest, SpeaksFrench) {
    if (!translatedLanguages().contains(QStringLiteral("fr"))) {
        GTEST_SKIP() << "built without Qt Linguist tools";
    }
    open(QStringLiteral("fr"));
    EXPECT_TRUE(field().placeholderText().contains(QStringLiteral("circularité > 0,8")))
        << field().placeholderText().toStdString();
    type(QStringLiteral("ai"));
    ASSERT_NE(popup(), nullptr);
    press(Qt::Key_Return);
    type(QStringLiteral(" > 20,5"));
    EXPECT_EQ(field().text(), QStringLiteral("aire > 20,5"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(table().rowCount(), 2);
    EXPECT_FALSE(problem().isVisible());
    EXPECT_EQ(table().statedCondition().text, QStringLiteral("area > 20.5")) << "as stored";
    field().setText(QStringLiteral("rondeur > 3"));
    EXPECT_EQ(field().marked(), (vm::TextSpan{0, 7}));
}

} // namespace
} // namespace pollard::app
