// Export of the tree as a table: the dialog's choice, the file, against pollard-cli.
#include "app/test_window.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/tree/tree_export.hpp"
#include "window/dialogs/tree_table_dialog.hpp"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QProgressDialog>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeWidget>

#include <utility>

namespace pollard::app {
namespace {

using ::testing::ElementsAre;
using Rows = vm::TreeTableChoice::Rows;

class TreeTable : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;
    QString image = folder.filePath(QStringLiteral("noise.tif"));
    vm::TreeTableExport* exporter = nullptr;

    void SetUp() override {
        writeTiff(image.toStdString(), *makeNoise(40), {.compression = TiffCompression::none});
        test.window.openFile(image);
        ASSERT_TRUE(QTest::qWaitFor([this] { return test.models.document.hasImage(); }, kPatience));
        ASSERT_TRUE(test.settle());
        exporter = test.window.findChild<vm::TreeTableExport*>();
        ASSERT_NE(exporter, nullptr);
    }
    [[nodiscard]] QByteArray save(const vm::TreeTableChoice& choice, const char* name = "table.csv") {
        const QString path = folder.filePath(QLatin1String(name));
        exporter->save(path, choice);
        EXPECT_TRUE(QTest::qWaitFor([this] { return exporter->isAvailable(); }, kPatience));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
    static void tick(QDialog& dialog, const QString& title, bool on) {
        const auto found = dialog.findChild<QTreeWidget*>()->findItems(title, Qt::MatchExactly | Qt::MatchRecursive);
        ASSERT_EQ(found.size(), 1) << title.toStdString();
        found.constFirst()->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
    }
    [[nodiscard]] TreeTableDialog dialog() {
        return {test.models.document, test.models.selection, test.models.store, &test.window};
    }
    [[nodiscard]] static std::vector<std::string> rowsOf(const QByteArray& csv) {
        std::vector<std::string> rows;
        for (const QByteArray& line : csv.trimmed().split('\n')) {
            rows.push_back(line.toStdString());
        }
        return rows;
    }
};

#ifdef POLLARD_CLI_BINARY
TEST_F(TreeTable, IsThatOfTheCommandLineForTheSameAttributes) {
    const std::pair<const char*, const char*> cases[] = {
        {"all", "nodes.csv"}, {"area,dynamics,entropy", "nodes.csv"}, {"all", "nodes.npy"}};
    for (const auto& [names, table] : cases) {
        vm::TreeTableChoice choice;
        for (const AttributeInfo& info : allAttributes()) {
            if (info.id != AttributeId::level &&
                (std::string(names) == "all" || std::string(names).find(info.name) != std::string::npos)) {
                choice.attributes.push_back(info.id);
            }
        }
        const QString expected = folder.filePath(QStringLiteral("expected") + QLatin1String(table));
        QProcess cli;
        cli.start(QStringLiteral(POLLARD_CLI_BINARY),
                  {QStringLiteral("tree"), image, QStringLiteral("--attributes"), QString::fromLatin1(names),
                   QStringLiteral("--nodes"), expected, QStringLiteral("--quiet")});
        ASSERT_TRUE(cli.waitForFinished(kPatience));
        ASSERT_EQ(cli.exitCode(), 0) << cli.readAllStandardError().toStdString();
        QFile file(expected);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_EQ(rowsOf(save(choice, table)), rowsOf(file.readAll())) << names << ' ' << table;
    }
}
#endif

TEST_F(TreeTable, HasTheChosenRows) {
    vm::TreeTableChoice choice{{AttributeId::area}, Rows::selected};
    test.models.selection.select(NodeSet{1, 3});
    const auto selected = rowsOf(save(choice));
    ASSERT_EQ(selected.size(), 3U);
    EXPECT_EQ(selected[0], "id,parent,level,canonical_x,canonical_y,area");
    EXPECT_EQ(selected[1].rfind("1,", 0), 0U);
    EXPECT_EQ(selected[2].rfind("3,", 0), 0U);
    test.models.filter.setCriterion({AttributeId::height, 40, 1e9});
    ASSERT_TRUE(test.settle());
    choice.rows = Rows::kept;
    EXPECT_EQ(rowsOf(save(choice)).size() - 1, test.models.filter.keptNodes()) << "the root meets the criterion";
}

TEST_F(TreeTable, AsNumPyArrayIsAskedForAndHasTheChosenRowsAndAttributes) {
    auto* timer = new QTimer(&test.window); // the dialogs run event loops
    bool asked = false;
    QObject::connect(timer, &QTimer::timeout, &test.window, [&] {
        auto* open = test.window.findChild<TreeTableDialog*>();
        if (open != nullptr && open->isVisible()) {
            timer->stop();
            asked = true;
            open->reject();
        }
    });
    timer->start(10);
    test.part<QAction>("exportTreeArray")->trigger();
    EXPECT_TRUE(asked) << "as for the table";

    ASSERT_EQ(test.models.document.attribute(AttributeId::entropy), nullptr) << "not measured yet";
    test.models.selection.select(NodeSet{1, 3});
    const QByteArray array = save({{AttributeId::area, AttributeId::entropy}, Rows::selected}, "nodes.npy");
    EXPECT_TRUE(array.startsWith("\x93NUMPY"));
    EXPECT_TRUE(array.contains("'entropy'"));
    EXPECT_TRUE(array.contains("(2, )"));
}

TEST_F(TreeTable, AsksForColumnsAndRemembersThem) {
    {
        TreeTableDialog first = dialog();
        for (const AttributeId id : first.choice().attributes) {
            EXPECT_NE(test.models.document.attribute(id), nullptr) << "measured ones at first";
        }
        first.findChild<QPushButton*>(QStringLiteral("treeTableAll"))->click();
        EXPECT_EQ(first.choice().attributes.size(), allAttributes().size() - 1) << "the level is in every table";
        EXPECT_TRUE(first.findChild<QLabel*>(QStringLiteral("treeTableSummary"))
                        ->text()
                        .contains(QStringLiteral("to be measured")));
        first.findChild<QPushButton*>(QStringLiteral("treeTableNone"))->click();
        EXPECT_TRUE(first.choice().attributes.empty());
        EXPECT_FALSE(first.findChild<QRadioButton*>(QStringLiteral("treeTableRowsSelected"))->isEnabled());
        tick(first, vm::attributeTitle(AttributeId::entropy), true);
        first.findChild<QRadioButton*>(QStringLiteral("treeTableRowsKept"))->click();
        first.accept();
    }
    TreeTableDialog second = dialog();
    EXPECT_THAT(second.choice().attributes, ElementsAre(AttributeId::entropy));
    EXPECT_EQ(second.choice().rows, Rows::kept);
    tick(second, vm::attributeGroup(AttributeId::entropy), true);
    EXPECT_GT(second.choice().attributes.size(), 1U) << "a group ticks its attributes";
}

TEST_F(TreeTable, IsNotWrittenAfterCancel) {
    QSignalSpy saved(exporter, &vm::TreeTableExport::saved);
    const auto whenMeasuring =
        QObject::connect(exporter, &vm::TreeTableExport::measuring, exporter, [this](int, int total) {
            if (total != 0) {
                exporter->cancel();
            }
        });
    exporter->save(folder.filePath(QStringLiteral("no.csv")), {{AttributeId::entropy}, Rows::all});
    QObject::disconnect(whenMeasuring);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(exporter->isAvailable());
    EXPECT_TRUE(saved.isEmpty());
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("no.csv"))));
    EXPECT_FALSE(test.part<QProgressDialog>("treeTableProgress")->isVisible());
}

} // namespace
} // namespace pollard::app
