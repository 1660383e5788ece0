// Classes of objects in the window: their list, the table, files, undo and sessions.

#include "vm/objects/class_list.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_listing.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QColor>
#include <QFile>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::makeImage;
using testing::Workspace;

class ObjectClassList : public ::testing::Test {
protected:
    QTemporaryDir directory;
    Workspace space;
    ClassList& classes = space.objects.classes();
    ObjectTableModel& table = space.table;

    /// Squares of 2, 3, 4 and 5 px a side.
    void open() {
        const QString path = directory.filePath(QStringLiteral("a.tif"));
        writeTiff(path.toStdString(), *makeImage(PixelType::u8, 40, 10, [](auto x, auto y) {
                      return x % 10 < x / 10 + 2 && y < x / 10 + 2 ? 200 : 0;
                  }));
        space.objects.setActive(true);
        ASSERT_TRUE(space.open(path));
        ASSERT_EQ(table.rowCount(), 4);
    }
    int add(const char* condition) {
        table.setCondition(QString::fromUtf8(condition));
        EXPECT_TRUE(table.canAddClass());
        const int row = table.addClass();
        EXPECT_TRUE(space.rests());
        return row;
    }
    [[nodiscard]] std::vector<std::string> cells() const {
        std::vector<std::string> names;
        int column = table.columnCount();
        while (--column >= 0 && table.headerData(column, Qt::Horizontal, Qt::DisplayRole) != QStringLiteral("Class")) {
        }
        for (int row = 0; column >= 0 && row < table.rowCount(); ++row) {
            names.push_back(table.index(row, column).data().toString().toStdString());
        }
        return names;
    }
    [[nodiscard]] QByteArray written(ObjectFile kind) {
        ObjectExport exporter(table);
        const QString path = directory.filePath(QStringLiteral("o.") + suffixOf(kind));
        exporter.save(kind, path);
        EXPECT_TRUE(eventually([&] { return !exporter.isBusy(); }));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
};

TEST_F(ObjectClassList, IsMadeOfTheCondition) {
    open();
    EXPECT_FALSE(table.canAddClass()) << "there is no condition";
    EXPECT_THAT(cells(), ElementsAre());
    EXPECT_EQ(add("area >= 16"), 0);
    EXPECT_EQ(table.condition(), QString());
    EXPECT_EQ(table.rowCount(), 4) << "all objects are listed again";
    EXPECT_EQ(add("area >= 9"), 1);
    EXPECT_THAT(cells(), ElementsAre("", "Class 2", "Class 1", "Class 1"));
    EXPECT_THAT(classes.counts(), ElementsAre(2, 1, 1));
    EXPECT_NE(classes.colour(0), classes.colour(1));
    const QModelIndex cell = table.index(1, table.columnCount() - 1);
    EXPECT_EQ(cell.data(Qt::DecorationRole).value<QColor>(), classes.colour(1));

    table.setCondition(QStringLiteral("area >"));
    EXPECT_FALSE(table.canAddClass()) << "it is no condition";
    table.setCondition(QStringLiteral("area < 20"));
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(classes.counts(), ElementsAre(1, 1, 1)) << "of the listed objects";
}

TEST_F(ObjectClassList, IsEdited) {
    open();
    add("area >= 16");
    add("area >= 9");
    EXPECT_TRUE(classes.setData(classes.index(1, ClassList::nameColumn), QStringLiteral(" small ")));
    EXPECT_FALSE(classes.setData(classes.index(1, ClassList::nameColumn), QStringLiteral(" ")));
    EXPECT_TRUE(classes.setData(classes.index(1, ClassList::conditionColumn), QStringLiteral("area >= 4")));
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(cells(), ElementsAre("small", "small", "Class 1", "Class 1"));
    classes.move(1, 0);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(cells(), ElementsAre("small", "small", "small", "small")) << "the first condition that holds decides";
    EXPECT_THAT(classes.counts(), ElementsAre(4, 0, 0));
    EXPECT_TRUE(classes.setData(classes.index(0, ClassList::conditionColumn), QStringLiteral("area >= 9 um2")));
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(classes.problemOf(0).isEmpty()) << "the image has no pixel size";
    EXPECT_THAT(classes.counts(), ElementsAre(0, 2, 2));
    classes.setColour(1, QColor(1, 2, 3));
    classes.remove(0);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(cells(), ElementsAre("", "", "Class 1", "Class 1"));
    EXPECT_EQ(table.index(3, table.columnCount() - 1).data(Qt::DecorationRole).value<QColor>(), QColor(1, 2, 3));
    const int columns = table.columnCount();
    classes.remove(0);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(table.columnCount(), columns - 1);
}

TEST_F(ObjectClassList, ConditionsKeepTheirUnit) {
    open();
    add("area >= 16");
    space.document.pixelSizes().set(PixelSize{0.5, 0.5, "µm", "test"});
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(table.isPhysical());
    EXPECT_THAT(classes.counts(), ElementsAre(2, 2)) << "16 px";
    add("area >= 2"); // µm²
    EXPECT_THAT(classes.counts(), ElementsAre(2, 1, 1)) << "9 px are 2.25 µm²";
    table.setUnit(LengthUnit::pixel);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(classes.counts(), ElementsAre(2, 1, 1));
}

TEST_F(ObjectClassList, SortsRowsAndIsInFiles) {
    open();
    add("area < 6 || area > 20");
    classes.setData(classes.index(0, ClassList::nameColumn), QStringLiteral("a, b"));
    add("area < 12");
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(cells(), ElementsAre("a, b", "Class 2", "", "a, b"));
    table.sort(table.columnCount() - 1, Qt::AscendingOrder);
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(cells(), ElementsAre("a, b", "a, b", "Class 2", "")) << "in the order of the list";
    const QList<QByteArray> lines = written(ObjectFile::table).split('\n');
    EXPECT_TRUE(lines.at(0).endsWith(",Class")) << lines.at(0).toStdString();
    EXPECT_TRUE(lines.at(1).endsWith(",\"a, b\"")) << lines.at(1).toStdString();
    EXPECT_TRUE(lines.at(4).endsWith(",")) << lines.at(4).toStdString();
    const QByteArray outlines = written(ObjectFile::outlines);
    EXPECT_EQ(outlines.count(R"("classification":{"name":"a, b","color":[230,159,0]})"), 2);
    EXPECT_EQ(outlines.count("classification"), 3);
    classes.setClasses({});
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(table.sortKey(), ObjectFeature::label) << "a column that is gone";
}

TEST_F(ObjectClassList, IsUndoneAndKeptBySessions) {
    open();
    add("area >= 16");
    add("area >= 9");
    const std::vector<ObjectClass> before = classes.classes();
    classes.remove(0);
    ASSERT_TRUE(space.rests());
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(classes.classes(), before);
    EXPECT_THAT(cells(), ElementsAre("", "Class 2", "Class 1", "Class 1"));

    const QString session = directory.filePath(QStringLiteral("a.pollard"));
    ASSERT_TRUE(space.save(session));
    Workspace second;
    second.objects.setActive(true);
    ASSERT_TRUE(second.openSession(session));
    EXPECT_EQ(second.objects.classes().classes(), before);
    ASSERT_TRUE(eventually([&] { return second.objects.classes().counts().size() == 3; }));
    EXPECT_THAT(second.objects.classes().counts(), ElementsAre(2, 1, 1));
}

TEST_F(ObjectClassList, CellsAreComputedWhenTheyAreShown) {
    open();
    const auto computed = std::make_shared<int>(0);
    ListingRequest request;
    request.found = space.objects.objects();
    auto known = std::make_shared<ObjectListing>();
    known->found = request.found;
    known->inChannels = {{"mean[a]", [computed](std::uint32_t label) {
                              ++*computed;
                              return static_cast<double>(label);
                          }}};
    request.known = known;
    const auto plain = listingOf(request, {});
    EXPECT_EQ(*computed, 0) << "a list by numbers needs no cell of a channel";
    EXPECT_EQ(plain->value(3, ObjectQuantity(std::string("mean[a]"))), 3);
    EXPECT_EQ(*computed, 1) << "a cell is computed alone";
    request.spec.key = ObjectQuantity(std::string("mean[a]"));
    request.spec.descending = true;
    EXPECT_THAT(listingOf(request, {})->labels, ElementsAre(4, 3, 2, 1));
    EXPECT_EQ(*computed, 5) << "the order needs one value an object";
}

} // namespace
} // namespace pollard::vm
