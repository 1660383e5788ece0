// Objects measured in all channels, in the real window.
#include "app/test_window.hpp"

#include "docks/objects/objects_table.hpp"
#include "window/panel_dock.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace pollard::app {
namespace {

class ObjectsChannelsDock : public ::testing::Test {
protected:
    QTemporaryDir directory;
    TestWindow test;

    /// Two squares, in the second channel with levels of 40 and 90.
    void open(const std::vector<std::string>& channels) {
        const QString path = directory.filePath(QStringLiteral("c.tif"));
        PlaneFacts facts;
        facts.scene.axes = {{'c', static_cast<int>(channels.size()), channels}};
        writeTiff(path.toStdString(),
                  {static_cast<int>(channels.size()),
                   [&](int page, const JobControl&) {
                       return Plane{ownedRows(makeImage(PixelType::u8, 60, 30,
                                                        [page](std::uint32_t x, std::uint32_t y) {
                                                            const bool in =
                                                                x % 30 >= 5 && x % 30 < 20 && y >= 5 && y < 20;
                                                            return !in ? 0 : page == 0 ? 200 : x < 30 ? 40 : 90;
                                                        })),
                                    facts};
                   }},
                  {.arePages = true});
        test.window.openFile(path);
        ASSERT_TRUE(test.settle());
        showPanel(test.window, QStringLiteral("objects"));
        ASSERT_TRUE(rests());
    }
    [[nodiscard]] bool rests() {
        return test.settle() && QTest::qWaitFor(
                                    [this] {
                                        const vm::ObjectsViewModel& objects = test.models.objects;
                                        return objects.state() != vm::ObjectsViewModel::State::computing &&
                                               !test.models.objectTable.isListing() && !objects.channels().isReading();
                                    },
                                    kPatience);
    }
    /// The control with this accessible name.
    template <class Control> [[nodiscard]] Control* named(const QString& name) {
        for (auto* control : test.window.findChildren<Control*>()) {
            if (control->accessibleName() == name) {
                return control;
            }
        }
        return nullptr;
    }
    [[nodiscard]] QStringList titles() {
        const auto* view = test.window.findChild<ObjectsTable*>();
        QStringList titles;
        for (int column = 0; column < view->model()->columnCount(); ++column) {
            titles << view->model()->headerData(column, Qt::Horizontal).toString();
        }
        return titles;
    }
};

TEST_F(ObjectsChannelsDock, MeasureInAllChannelsAtTheUsersChoice) {
    open({"DAPI", "GFP"});
    auto* choice = named<QPushButton>(QStringLiteral("Channels in which objects are measured"));
    ASSERT_NE(choice, nullptr);
    ASSERT_TRUE(choice->isVisible());
    EXPECT_EQ(choice->accessibleDescription(), QStringLiteral("This channel"));
    auto* all = test.part<QCheckBox>("measureAll");
    EXPECT_FALSE(titles().contains(QStringLiteral("mean[GFP]")));
    all->click();
    ASSERT_TRUE(rests());
    ASSERT_TRUE(titles().contains(QStringLiteral("mean[GFP]")));
    const auto* view = test.window.findChild<ObjectsTable*>();
    const auto column = static_cast<int>(titles().indexOf(QStringLiteral("mean[GFP]")));
    EXPECT_EQ(view->model()->index(0, column).data().toString(), QStringLiteral("40.00"));
    EXPECT_GT(view->columnWidth(column), 60);

    auto* condition = named<QLineEdit>(QStringLiteral("Condition for the rows"));
    ASSERT_NE(condition, nullptr);
    condition->setText(QStringLiteral("mean[GFP] > 50"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(view->model()->rowCount(), 1);
    condition->setText(QStringLiteral("mean[YFP] > 50"));
    const auto* problem = test.part<QLabel>("objectsConditionProblem");
    EXPECT_TRUE(problem->text().contains(QStringLiteral("DAPI, GFP"))) << problem->text().toStdString();
    condition->clear();

    auto* x = named<QComboBox>(QStringLiteral("Feature of the x axis"));
    ASSERT_NE(x, nullptr);
    ASSERT_GE(x->findText(QStringLiteral("mean[GFP]")), 0);
    x->setCurrentIndex(x->findText(QStringLiteral("mean[GFP]")));
    all->click();
    ASSERT_TRUE(rests());
    EXPECT_LT(x->findText(QStringLiteral("mean[GFP]")), 0);
    EXPECT_EQ(x->currentText(), QStringLiteral("Area"));
}

TEST_F(ObjectsChannelsDock, OfferNoChoiceForOneChannel) {
    test.open("grey",
              makeImage(PixelType::u8, 40, 40, [](std::uint32_t x, std::uint32_t) { return x > 20 ? 200 : 0; }));
    showPanel(test.window, QStringLiteral("objects"));
    ASSERT_TRUE(rests());
    EXPECT_FALSE(named<QPushButton>(QStringLiteral("Channels in which objects are measured"))->isVisible());
    for (const QLabel* label : test.window.findChildren<QLabel*>()) {
        EXPECT_FALSE(label->isVisible() && label->text().contains(QStringLiteral("easure in"))) << "no caption either";
    }
}

} // namespace
} // namespace pollard::app
