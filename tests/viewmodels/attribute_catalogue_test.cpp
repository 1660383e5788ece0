#include "vm/base/attribute_catalogue.hpp"

#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <set>

namespace pollard::vm {
namespace {

using ::testing::HasSubstr;

std::set<AttributeId> attributesOf(const AttributeCatalogue& catalogue) {
    std::set<AttributeId> found;
    for (int row = 0; row < catalogue.rowCount(); ++row) {
        if (!catalogue.isHeading(row)) {
            found.insert(catalogue.attribute(row));
        }
    }
    return found;
}

TEST(AttributeCatalogue, HoldsEveryAttributeOnceUnderTheHeadingOfItsGroup) {
    AttributeCatalogue catalogue;
    QAbstractItemModelTester tester(&catalogue, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(attributesOf(catalogue).size(), allAttributes().size());
    std::set<QString> headings;
    QString heading;
    for (int row = 0; row < catalogue.rowCount(); ++row) {
        const QModelIndex index = catalogue.index(row);
        if (catalogue.isHeading(row)) {
            heading = index.data().toString();
            EXPECT_TRUE(headings.insert(heading).second) << "a group comes twice: " << heading.toStdString();
            EXPECT_EQ(catalogue.flags(index), Qt::NoItemFlags);
            EXPECT_FALSE(index.data(AttributeCatalogue::attributeRole).isValid());
            continue;
        }
        EXPECT_EQ(heading, attributeGroup(catalogue.attribute(row)));
        EXPECT_TRUE(catalogue.flags(index).testFlag(Qt::ItemIsSelectable));
    }
}

TEST(AttributeCatalogue, ExplainsEveryAttribute) {
    for (const AttributeInfo& info : allAttributes()) {
        const std::string details = attributeDetails(info.id).toStdString();
        EXPECT_THAT(details, HasSubstr(std::string(info.title)));
        EXPECT_THAT(details, HasSubstr(std::string(info.name)));
        EXPECT_THAT(details, HasSubstr(std::string(info.formula)));
        EXPECT_THAT(details, HasSubstr(std::string(info.source)));
        EXPECT_THAT(details, HasSubstr(info.increasing ? "Increasing" : "Not increasing"));
    }
}

TEST(AttributeCatalogue, NarrowsDownToWhatIsTyped) {
    AttributeCatalogue catalogue;
    QSignalSpy queries(&catalogue, &AttributeCatalogue::queryChanged);
    catalogue.setQuery("elong");
    EXPECT_EQ(catalogue.attribute(catalogue.bestRow()), AttributeId::elongation);
    catalogue.setQuery("elong");
    EXPECT_EQ(queries.size(), 1);
    catalogue.setQuery("  BOX  area "); // words in any order and case
    EXPECT_EQ(attributesOf(catalogue), (std::set{AttributeId::bboxArea}));
    catalogue.setQuery("nothing has this name");
    EXPECT_EQ(catalogue.rowCount(), 0);
    EXPECT_EQ(catalogue.bestRow(), -1);
    EXPECT_EQ(catalogue.rowOf(AttributeId::area), -1);
    catalogue.setQuery({});
    EXPECT_EQ(attributesOf(catalogue).size(), allAttributes().size());
}

TEST(AttributeCatalogue, MeansTheNameBeforeThePartAndThePartBeforeTheFormula) {
    AttributeCatalogue catalogue;
    catalogue.setQuery("area"); // also in bbox_area and in many formulas
    EXPECT_EQ(catalogue.attribute(catalogue.bestRow()), AttributeId::area);
    EXPECT_THAT(attributesOf(catalogue), ::testing::Contains(AttributeId::bboxArea));
    catalogue.setQuery("vol");
    EXPECT_EQ(catalogue.attribute(catalogue.bestRow()), AttributeId::volume);
    catalogue.setQuery("topology");
    EXPECT_EQ(attributesOf(catalogue), (std::set{AttributeId::euler, AttributeId::holes}));
}

TEST(AttributeCatalogue, StepsFromAttributeToAttributePastHeadings) {
    AttributeCatalogue catalogue;
    std::size_t seen = 1;
    int row = catalogue.rowOf(catalogue.attribute(0));
    EXPECT_EQ(catalogue.nextRow(row, -1), row) << "there is nothing above the first";
    for (int next = catalogue.nextRow(row, 1); next != row; next = catalogue.nextRow(row, 1)) {
        EXPECT_FALSE(catalogue.isHeading(next));
        row = next;
        ++seen;
    }
    EXPECT_EQ(seen, allAttributes().size());
}

} // namespace
} // namespace pollard::vm
