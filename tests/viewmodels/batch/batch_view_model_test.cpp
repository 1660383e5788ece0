// A recipe on many files from the window: the list of files, the results, failures, cancelling.
#include "vm/batch/batch_view_model.hpp"

#include "core/io/volumes/dicom_files.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "viewmodels/support/recipe_window.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include <future>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using State = BatchViewModel::State;

class Batches : public ::testing::Test {
protected:
    QTemporaryDir folder;
    EngineRegistry registry{makeCpuEngine()};
    std::promise<void> gate;
    std::shared_future<void> open = gate.get_future().share();
    bool waits = false; ///< for the gate, before the first image
    BatchViewModel batch{[this] {
        if (waits) {
            open.wait();
        }
        return usableEngines(registry);
    }};

    void SetUp() override {
        QDir(folder.path()).mkdir(QStringLiteral("in"));
        testing::writeDiscPages(pathOf("in/a.tif"), 9);
        testing::writeDiscPages(pathOf("in/b.tif"), 5, 7);
        batch.setRecipe(recipe());
    }
    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    static Recipe recipe() {
        ObjectsStep objects;
        objects.rule = {{}, ThresholdMethod::otsu, false, {}, Connectivity::eight};
        FilterStep filter;
        filter.filter.criteria.push_back({AttributeId::area, 5});
        return {"Test", "", "", {filter, objects}};
    }
    [[nodiscard]] QByteArray bytesOf(const char* name) const {
        QFile file(pathOf(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return file.readAll();
    }
    [[nodiscard]] bool lists(const QStringList& paths) {
        batch.setInputs(paths);
        return eventually([this] { return batch.canStart() || !batch.problem().isEmpty(); });
    }
    [[nodiscard]] bool runs() {
        batch.start();
        return batch.isRunning() && eventually([this] { return batch.isFinished(); });
    }
    [[nodiscard]] QString cell(int row, BatchViewModel::Column column) const {
        return batch.index(row, column).data().toString();
    }
};

TEST_F(Batches, ApplyTheRecipeToAllImagesOfAFolder) {
    QFile(pathOf("in/notes.txt")).open(QIODevice::WriteOnly);
    EXPECT_FALSE(batch.canStart()) << "no files";
    ASSERT_TRUE(lists({pathOf("in")}));
    ASSERT_EQ(batch.rowCount(), 2);
    EXPECT_EQ(batch.summary(), QStringLiteral("2 files"));
    EXPECT_EQ(cell(1, BatchViewModel::fileColumn), QStringLiteral("b.tif"));
    EXPECT_EQ(batch.folder(), pathOf("in/pollard"));
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.problem(), QString());
    EXPECT_EQ(batch.summary(), QStringLiteral("2 done"));
    EXPECT_EQ(QDir(pathOf("in/pollard")).entryList(QDir::Files, QDir::Name),
              (QStringList{"a-objects.csv", "a.tif", "b-objects.csv", "b.tif", "objects.csv"}));
    EXPECT_EQ(batch.resultFile(0), pathOf("in/pollard/a.tif"));
    EXPECT_EQ(batch.tableFile(), pathOf("in/pollard/objects.csv"));
    const QByteArray table = bytesOf("in/pollard/objects.csv");
    EXPECT_EQ(table.count('\n'),
              1 + cell(0, BatchViewModel::objectsColumn).toInt() + cell(1, BatchViewModel::objectsColumn).toInt());
    EXPECT_TRUE(table.startsWith("file,label,"));
    EXPECT_GT(cell(0, BatchViewModel::keptColumn).toInt(), 1);
    // The next results go to another new folder.
    ASSERT_TRUE(lists({pathOf("in/a.tif"), pathOf("in/a.tif")}));
    EXPECT_EQ(batch.rowCount(), 1) << "listed once";
    EXPECT_EQ(batch.tableFile(), QString()) << "it belongs to other files";
    EXPECT_EQ(batch.folder(), pathOf("in/pollard-2"));
}

TEST_F(Batches, GoOnAfterAFileThatFails) {
    QFile broken(pathOf("in/aa.tif"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("no image at all");
    broken.close();
    ASSERT_TRUE(lists({pathOf("in")}));
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.summary(), QStringLiteral("2 done, 1 failed"));
    EXPECT_EQ(batch.state(1), State::failed);
    EXPECT_FALSE(cell(1, BatchViewModel::resultColumn).isEmpty());
    EXPECT_FALSE(cell(1, BatchViewModel::resultColumn).contains(QStringLiteral("aa.tif"))) << "the reason alone";
    const QModelIndex result = batch.index(1, BatchViewModel::resultColumn);
    EXPECT_THAT(batch.data(result, Qt::ToolTipRole).toString().toStdString(), HasSubstr("aa.tif"));
    EXPECT_EQ(batch.resultFile(1), QString());
    EXPECT_EQ(batch.state(2), State::done);
    EXPECT_TRUE(QFile::exists(batch.tableFile()));
}

TEST_F(Batches, WithoutObjectsHaveNoTable) {
    QDir(folder.path()).mkdir(QStringLiteral("bad"));
    QFile broken(pathOf("bad/a.tif"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("no image at all");
    broken.close();
    ASSERT_TRUE(lists({pathOf("bad")}));
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.summary(), QStringLiteral("0 done, 1 failed"));
    EXPECT_EQ(batch.tableFile(), QString());
    EXPECT_FALSE(QFile::exists(pathOf("bad/pollard/objects.csv")));
}

TEST_F(Batches, TakeTheFilesOfASeriesAsOneVolume) {
    QDir(folder.path()).mkdir(QStringLiteral("ct"));
    for (int i = 0; i < 3; ++i) {
        QFile file(folder.filePath(QStringLiteral("ct/%1.dcm").arg(i)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(pollard::test::dicomSlice(i, 100 + i).bytes()));
    }
    ReadStep read;
    read.volume = true;
    batch.setRecipe(Recipe{"Volumes", "", "", {read, FilterStep{}}});
    ASSERT_TRUE(lists({pathOf("ct"), pathOf("in/a.tif")}));
    ASSERT_EQ(batch.rowCount(), 4);
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.problem(), QString());
    EXPECT_EQ(batch.state(0), State::done);
    EXPECT_EQ(batch.state(1), State::slice);
    EXPECT_EQ(batch.state(2), State::slice);
    EXPECT_EQ(batch.state(3), State::done);
    EXPECT_EQ(QDir(pathOf("ct/pollard")).entryList(QDir::Files, QDir::Name), (QStringList{"0.tif", "a.tif"}));
}

TEST_F(Batches, NeverReplaceTheirInputs) {
    const QByteArray before = bytesOf("in/a.tif");
    ASSERT_TRUE(lists({pathOf("in")}));
    batch.setFolder(pathOf("in"));
    ASSERT_TRUE(runs());
    EXPECT_THAT(batch.problem().toStdString(), HasSubstr("is also an input"));
    EXPECT_EQ(batch.state(0), State::stopped);
    EXPECT_EQ(bytesOf("in/a.tif"), before);
}

TEST_F(Batches, LeaveNoPartOfAFileWhenCancelled) {
    waits = true;
    ASSERT_TRUE(lists({pathOf("in")}));
    batch.start();
    EXPECT_FALSE(batch.canStart());
    EXPECT_EQ(batch.summary(), QStringLiteral("0 of 2 files ended"));
    batch.cancel();
    gate.set_value();
    ASSERT_TRUE(eventually([this] { return batch.isFinished(); }));
    EXPECT_EQ(batch.summary(), QStringLiteral("0 done, 2 cancelled"));
    EXPECT_EQ(batch.tableFile(), QString());
    EXPECT_TRUE(QDir(pathOf("in/pollard")).isEmpty(QDir::Files | QDir::Hidden));
    // It can start again.
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.summary(), QStringLiteral("2 done"));
}

TEST_F(Batches, ReadRecipesAndSkipWhatIsUpToDate) {
    saveRecipe(recipe(), pathOf("r.json").toStdString());
    QFile(pathOf("bad.json")).open(QIODevice::WriteOnly);
    batch.loadRecipe(pathOf("bad.json"));
    ASSERT_TRUE(eventually([this] { return !batch.problem().isEmpty(); }));
    batch.loadRecipe(pathOf("r.json"));
    EXPECT_FALSE(batch.canStart());
    ASSERT_TRUE(eventually([this] { return batch.joinsTables(); }));
    batch.setResuming(true);
    ASSERT_TRUE(lists({pathOf("in")}));
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.summary(), QStringLiteral("2 done"));
    QFile::remove(pathOf("in/pollard/b.tif"));
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.summary(), QStringLiteral("1 done, 1 up to date"));
    EXPECT_EQ(batch.resultFile(0), pathOf("in/pollard/a.tif"));
}

TEST_F(Batches, MeasureInTheUnitAndSizeThatWereChosen) {
    ASSERT_TRUE(lists({pathOf("in/a.tif")}));
    batch.setUnit(LengthUnit::micrometre);
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.state(0), State::failed) << "the file does not state the size of a pixel";
    batch.setPixelSize(PixelSize{0.5, 0.5, "µm", "test"});
    ASSERT_TRUE(runs());
    EXPECT_EQ(batch.state(0), State::done) << cell(0, BatchViewModel::resultColumn).toStdString();
    const QByteArray table = bytesOf("in/pollard/a-objects.csv");
    EXPECT_TRUE(table.left(table.indexOf('\n')).contains("area_um2")) << table.left(200).toStdString();
}

TEST_F(Batches, NameAFolderWithoutImages) {
    ASSERT_TRUE(lists({folder.path()}));
    EXPECT_EQ(batch.rowCount(), 0);
    EXPECT_EQ(batch.problem(), QStringLiteral("There is no image in this folder."));
    EXPECT_FALSE(batch.canStart());
}

} // namespace
} // namespace pollard::vm
