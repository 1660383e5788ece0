// Jobs of a document without its worker.
#include "vm/document/jobs/document_jobs.hpp"

#include "viewmodels/support/fake_engine.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

TEST(DocumentJobs, MakeWhatACanvasNeedsOfPagesThatAreShown) {
    testing::FakeWorld world;
    world.files["a.tif"] = {.width = 600, .height = 300};
    DocumentJobs jobs(testing::fakeServices(world));
    OpenRequest page;
    page.path = QStringLiteral("a.tif");
    TreeRequest request;
    request.filter.criteria = {{AttributeId::area, 5, 100}};
    request.filter.output = Output::residue;

    const OpenedPage filtered = jobs.filterPage(page, {}, request, {});
    ASSERT_NE(filtered.tree.frame.image, nullptr);
    EXPECT_EQ(filtered.image.pyramid, nullptr);
    EXPECT_EQ(filtered.image.histogram, nullptr);
    EXPECT_EQ(filtered.tree.frame.pyramid, nullptr);
    EXPECT_EQ(filtered.tree.frame.brightLevel, 0);

    const LoadResult shown = jobs.load(page, {}, request, {});
    EXPECT_NE(shown.tree.shown.pyramid, nullptr);
    EXPECT_NE(shown.tree.shown.histogram, nullptr);
    EXPECT_NE(shown.tree.frame.pyramid, nullptr);
    EXPECT_NE(shown.tree.frame.brightLevel, 0);
    EXPECT_NE(jobs.filter(request.filter, {}).pyramid, nullptr);
}

} // namespace
} // namespace pollard::vm
