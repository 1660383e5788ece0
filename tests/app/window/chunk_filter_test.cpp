// Filter the whole image: the action, its dialog, and the result in the status bar.
#include "app/support/ui_audit.hpp"
#include "app/test_window.hpp"

#include "chunks/chunk_job.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "viewmodels/support/held_engine.hpp"
#include "window/dialogs/chunk_filter_dialog.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

class ChunkFilterWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    std::shared_ptr<testing::Gate> gate = std::make_shared<testing::Gate>();
    TestWindow test{std::make_unique<testing::HeldEngine>(gate)};
    QAction& action = *test.part<QAction>("filterWhole");

    void SetUp() override {
        writeTiff(pathOf("flat.tif").toStdString(), *makeNoise(600));
        const auto engine = makeCpuEngine();
        ChunkRequest copy; // with reduced versions
        copy.source = pathOf("flat.tif").toStdString();
        copy.target = pathOf("slide.tif").toStdString();
        copy.engines = {engine.get()};
        (void)filterImage(copy);
        test.models.settings.setLastDirectory(folder.path());
    }
    void TearDown() override { gate->release(); }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void open(int level) {
        vm::OpenRequest request;
        request.path = pathOf("slide.tif");
        request.level = level;
        test.models.document.openAs(request);
        ASSERT_TRUE(test.settle());
        ASSERT_EQ(test.models.document.request().level, level);
    }
    [[nodiscard]] ChunkFilterDialog* dialog() {
        action.trigger();
        ChunkFilterDialog* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] { return (found = test.window.findChild<ChunkFilterDialog*>()) != nullptr; },
                                    kPatience));
        EXPECT_TRUE(found == nullptr || appears(*found)) << "a click before that can be lost";
        return found;
    }
    /// Starts the work of a dialog, which stops where it opens a session of the engine.
    void startHeld(ChunkFilterDialog& asked) {
        ASSERT_TRUE(test.settle()); // the image uses the same engine
        gate->hold();
        const int before = gate->arrivals();
        auto& start = part<QPushButton>(asked, "wholeStart");
        ASSERT_TRUE(start.isEnabled()) << part<QLabel>(asked, "wholeNote").text().toStdString();
        QTest::mouseClick(&start, Qt::LeftButton);
        const vm::ChunkFilterViewModel& whole = test.models.chunkFilter;
        ASSERT_TRUE(whole.isRunning());
        ASSERT_TRUE(QTest::qWaitFor([&] { return gate->arrivals() > before && !whole.stage().isEmpty(); }, kPatience));
    }
    /// Answers the question, which runs an event loop, as soon as it is on the screen.
    void answer(const QString& button, const char* question = "leaveChunkFilter") {
        auto* timer = new QTimer(&test.window);
        QObject::connect(timer, &QTimer::timeout, &test.window, [this, timer, button, question] {
            const auto* box = test.window.findChild<QMessageBox*>(QLatin1String(question));
            if (box == nullptr || !box->isVisible()) {
                return;
            }
            timer->deleteLater();
            EXPECT_EQ(testing::unexplainedControls(*box), QStringList());
            for (QAbstractButton* each : box->buttons()) {
                if (each->text() == button) {
                    QTest::mouseClick(each, Qt::LeftButton);
                }
            }
        });
        timer->start(10);
    }
    template <class T> [[nodiscard]] static T& part(QWidget& dialog, const char* name) {
        return *dialog.findChild<T*>(QLatin1String(name));
    }
};

TEST_F(ChunkFilterWindow, ActionIsDisabledWithTheReason) {
    EXPECT_FALSE(action.isEnabled());
    EXPECT_THAT(action.toolTip().toStdString(), HasSubstr("No image"));
    open(0);
    EXPECT_THAT(action.toolTip().toStdString(), HasSubstr("whole image is open"));
    open(1);
    EXPECT_THAT(action.toolTip().toStdString(), HasSubstr("every component"));
    test.models.filter.setCriterion({AttributeId::area, 10});
    EXPECT_TRUE(action.isEnabled());
    EXPECT_THAT(action.toolTip().toStdString(), HasSubstr("full resolution"));
    EXPECT_TRUE(test.part<QFrame>("preview")->isVisible());
    EXPECT_TRUE(testing::cutTexts(*test.part<QFrame>("preview")).isEmpty());
    auto* button = test.part<QPushButton>("previewFilterWhole");
    EXPECT_TRUE(button->isEnabled());
    test.models.filter.setCriterion({AttributeId::entropy, 1});
    EXPECT_FALSE(button->isEnabled());
    EXPECT_THAT(button->toolTip().toStdString(), HasSubstr("Entropy"));
}

TEST_F(ChunkFilterWindow, LineOverALevelLeadsToTheVisibleRegionAndBack) {
    auto* line = test.part<QFrame>("preview");
    EXPECT_TRUE(line->isHidden());
    open(1);
    EXPECT_TRUE(line->isVisible()) << "before there is a filter";
    auto* visible = test.part<QPushButton>("previewFilterVisible");
    auto* back = test.part<QPushButton>("previewBack");
    EXPECT_TRUE(visible->isVisible());
    EXPECT_TRUE(back->isHidden());
    EXPECT_FALSE(test.part<QAction>("backToOverview")->isEnabled());
    test.models.filter.setCriterion({AttributeId::area, 3});
    ASSERT_TRUE(test.settle());
    test.models.display.setZoom(8);
    QTest::mouseClick(visible, Qt::LeftButton);
    ASSERT_TRUE(test.settle());
    const vm::OpenRequest& shown = test.models.document.request();
    ASSERT_TRUE(shown.region);
    EXPECT_EQ(shown.level, 0);
    EXPECT_EQ(test.models.filter.spec().criteria.front().minimum, 12);
    EXPECT_TRUE(line->isVisible());
    EXPECT_TRUE(visible->isHidden()) << "it is exact";
    EXPECT_TRUE(back->isVisible());
    EXPECT_FALSE(test.part<QAction>("filterVisible")->isEnabled());
    EXPECT_EQ(testing::cutTexts(*line), QStringList());
    EXPECT_EQ(testing::unexplainedControls(*line), QStringList());
    QTest::mouseClick(back, Qt::LeftButton);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.request().level, 1);
    EXPECT_EQ(test.models.filter.spec().criteria.front().minimum, 3);
    EXPECT_EQ(test.models.display.zoom(), 8);
    QTest::mouseClick(test.part<QToolButton>("previewClose"), Qt::LeftButton);
    EXPECT_TRUE(line->isHidden());
}

TEST_F(ChunkFilterWindow, DialogStatesTheMostProminentExtrema) {
    open(1);
    FilterSpec spec;
    spec.prominent = Prominent{Prominence::dynamics, 50};
    test.models.filter.setSpec(spec);
    test.models.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(test.settle());
    auto* asked = dialog();
    ASSERT_NE(asked, nullptr);
    const auto& fact = part<QLabel>(*asked, "wholeProminent");
    EXPECT_EQ(fact.accessibleName(), QStringLiteral("Minima"));
    EXPECT_EQ(fact.text(), QStringLiteral("only the 50 most prominent, by dynamics"));
    asked->reject();
}

TEST_F(ChunkFilterWindow, DialogStartsTheJobAndTheResultOpens) {
    open(1);
    test.models.filter.setCriterion({AttributeId::area, 10});
    auto* asked = dialog();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(part<QLabel>(*asked, "wholeCriteria").text(), QStringLiteral("Area >= 40 px (10 px on the shown level)"));
    EXPECT_EQ(asked->findChild<QLabel*>(QStringLiteral("wholeProminent")), nullptr);
    EXPECT_TRUE(part<QCheckBox>(*asked, "wholeResume").isHidden());
    EXPECT_EQ(testing::cutTexts(*asked), QStringList());
    EXPECT_EQ(testing::unexplainedControls(*asked), QStringList());
    EXPECT_EQ(testing::namelessControls(*asked), QStringList());
    auto& start = part<QPushButton>(*asked, "wholeStart");
    auto& target = part<QLineEdit>(*asked, "wholeTarget");
    EXPECT_EQ(target.text(), pathOf("slide_whole_filtered.tif"));
    target.setText(pathOf("none/out.tif"));
    EXPECT_FALSE(start.isEnabled());
    EXPECT_THAT(part<QLabel>(*asked, "wholeNote").text().toStdString(), HasSubstr("no folder"));
    target.setText(pathOf("out"));
    EXPECT_TRUE(start.isEnabled());
    QTest::mouseClick(&start, Qt::LeftButton);
    auto* result = test.part<QToolButton>("wholeOpen");
    ASSERT_TRUE(QTest::qWaitFor([&] { return result->isVisible(); }, kPatience));
    EXPECT_EQ(test.part<QLabel>("wholeText")->text(), QStringLiteral("out.tif is written"));
    EXPECT_EQ(test.errors.texts, QStringList());
    QTest::mouseClick(result, Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == pathOf("out.tif"); }, kPatience));
    EXPECT_TRUE(test.part<QWidget>("wholeSign")->isHidden());
    ASSERT_TRUE(test.settle());
}

TEST_F(ChunkFilterWindow, MemoryOfTheWorkCanBeChosen) {
    open(1);
    test.models.filter.setCriterion({AttributeId::area, 10});
    auto* asked = dialog();
    ASSERT_NE(asked, nullptr);
    auto& memory = part<QSpinBox>(*asked, "wholeMemory");
    EXPECT_EQ(static_cast<std::uint64_t>(memory.value()), asked->plan().job.memory >> 20U);
    EXPECT_EQ(static_cast<std::uint64_t>(memory.maximum()), asked->plan().available >> 20U);
    memory.setValue(128);
    EXPECT_EQ(asked->plan().job.memory, std::uint64_t{128} << 20U);
    asked->reject();
}

TEST_F(ChunkFilterWindow, CancelAsksWhetherTheWorkIsKept) {
    open(1);
    test.models.filter.setCriterion({AttributeId::area, 10});
    const vm::ChunkFilterViewModel& whole = test.models.chunkFilter;
    auto* cancel = test.part<QToolButton>("wholeCancel");
    const auto start = [&] {
        auto* asked = dialog();
        ASSERT_NE(asked, nullptr);
        part<QCheckBox>(*asked, "wholeResume").setChecked(false);
        startHeld(*asked);
    };
    const auto ends = [&] {
        gate->release();
        return QTest::qWaitFor([&] { return !whole.isRunning(); }, kPatience);
    };
    ASSERT_NO_FATAL_FAILURE(start());
    answer(QStringLiteral("&Go on"), "stopChunkFilter");
    QTest::mouseClick(cancel, Qt::LeftButton);
    EXPECT_FALSE(whole.isStopping());
    answer(QStringLiteral("&Keep for later"), "stopChunkFilter");
    QTest::mouseClick(cancel, Qt::LeftButton);
    EXPECT_TRUE(whole.isStopping());
    ASSERT_TRUE(ends());
    EXPECT_TRUE(vm::ChunkFilterViewModel::canResume(whole.target()));
    ASSERT_NO_FATAL_FAILURE(start());
    answer(QStringLiteral("&Discard"), "stopChunkFilter");
    QTest::mouseClick(cancel, Qt::LeftButton);
    ASSERT_TRUE(ends());
    EXPECT_FALSE(vm::ChunkFilterViewModel::canResume(whole.target()));
}

TEST_F(ChunkFilterWindow, EndOfTheProgramKeepsTheWorkIfTheUserAgrees) {
    open(1);
    test.models.filter.setCriterion({AttributeId::area, 10});
    auto* asked = dialog();
    ASSERT_NE(asked, nullptr);
    ASSERT_NO_FATAL_FAILURE(startHeld(*asked));
    const vm::ChunkFilterViewModel& whole = test.models.chunkFilter;
    EXPECT_TRUE(test.part<QToolButton>("wholeCancel")->isVisible());
    EXPECT_THAT(action.toolTip().toStdString(), HasSubstr("Another"));
    answer(QStringLiteral("&Cancel"));
    EXPECT_FALSE(test.window.close());
    EXPECT_FALSE(whole.isStopping());
    answer(QStringLiteral("&Stop and leave"));
    EXPECT_TRUE(test.window.close());
    gate->release();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !whole.isRunning(); }, kPatience));
    EXPECT_TRUE(vm::ChunkFilterViewModel::canResume(whole.target()));
}

} // namespace
} // namespace pollard::app
