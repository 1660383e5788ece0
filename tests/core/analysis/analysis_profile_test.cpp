// Attribute profiles: series of filters, and their differences.

#include "base/error.hpp"
#include "engine/profile.hpp"
#include "support/engines.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;

class Profile : public EveryTree {};

std::vector<int> levelsOf(const Image& image) {
    std::vector<int> levels(image.pixelCount());
    for (std::size_t p = 0; p < levels.size(); ++p) {
        levels[p] = image.level(p);
    }
    return levels;
}

std::uint64_t distance(const std::vector<int>& a, const std::vector<int>& b) {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p) {
        sum += static_cast<std::uint64_t>(std::abs(a[p] - b[p]));
    }
    return sum;
}

constexpr auto kRules = kAllRules;

TEST_P(Profile, HasAFilterAPage) {
    Random random(31);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 20, 1 + random() % 20);
        const auto session = build(image);
        constexpr std::array kIds{AttributeId::area, AttributeId::mean, AttributeId::height};
        ProfileSpec spec;
        spec.attribute = kIds[random() % kIds.size()];
        spec.rule = kRules[random() % kRules.size()];
        spec.thresholds = {0, 2, 7, 7.5, 40};
        AttributeProfile profile(*session, image, spec);
        ASSERT_EQ(profile.pageCount(), 5);
        Image page(image->type(), image->width(), image->height());
        Image expected(image->type(), image->width(), image->height());
        for (const int number : {0, 1, 2, 3, 4, 2, 0}) {
            const ProfilePage facts = profile.page(number, page);
            FilterSpec filter;
            filter.criteria = {
                {.attribute = spec.attribute, .minimum = spec.thresholds[static_cast<std::size_t>(number)]}};
            filter.rule = spec.rule;
            const FilterReport report = session->filter(filter, expected);
            ASSERT_EQ(levelsOf(page), levelsOf(expected));
            ASSERT_EQ(facts.keptNodes, report.keptNodes);
            ASSERT_EQ(facts.changedPixels, report.changedPixels);
            ASSERT_EQ(facts.changedMass, distance(levelsOf(*image), levelsOf(expected)));
            ASSERT_EQ(facts.threshold, spec.thresholds[static_cast<std::size_t>(number)]);
            const std::vector<int> zero(image->pixelCount(), 0);
            ASSERT_EQ(facts.pageMass, distance(levelsOf(expected), zero));
        }
    }
}

TEST_P(Profile, DifferencesAndTheLastFilterAddUpToTheImage) {
    Random random(32);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 20, 1 + random() % 20);
        const auto session = build(image);
        ProfileSpec spec;
        constexpr std::array kIds{AttributeId::area, AttributeId::mean, AttributeId::volume};
        spec.attribute = kIds[random() % kIds.size()];
        spec.rule = kRules[random() % kRules.size()];
        spec.thresholds = {1, 3, 5, 20, 300};
        AttributeProfile plain(*session, image, spec);
        spec.differential = true;
        AttributeProfile differential(*session, image, spec);
        Image page(image->type(), image->width(), image->height());
        Image difference(image->type(), image->width(), image->height());
        std::vector<int> before = levelsOf(*image);
        std::vector<int> sum(image->pixelCount(), 0);
        for (int number = 0; number < plain.pageCount(); ++number) {
            const ProfilePage plainFacts = plain.page(number, page);
            const ProfilePage facts = differential.page(number, difference);
            const std::vector<int> now = levelsOf(page);
            std::vector<int> expected(now.size());
            for (std::size_t p = 0; p < now.size(); ++p) {
                expected[p] = std::abs(before[p] - now[p]);
                sum[p] += expected[p];
            }
            ASSERT_EQ(levelsOf(difference), expected);
            ASSERT_EQ(facts.pageMass, distance(before, now));
            ASSERT_EQ(facts.changedMass, plainFacts.changedMass);
            ASSERT_EQ(facts.keptNodes, plainFacts.keptNodes);
            before = now;
        }
        for (std::size_t p = 0; p < sum.size(); ++p) {
            const int up = Profile::spec().kind == TreeKind::max ? sum[p] : -sum[p];
            ASSERT_EQ(before[p] + up, image->level(p));
        }
    }
}

TEST_P(Profile, GivesDifferencesInAnyOrder) {
    Random random(33);
    const auto image = randomImage(random, 30, 30);
    const auto session = build(image);
    ProfileSpec spec;
    spec.thresholds = {2, 4, 8, 16};
    spec.differential = true;
    AttributeProfile ascending(*session, image, spec);
    AttributeProfile jumping(*session, image, spec);
    std::vector<std::vector<int>> pages;
    Image page(image->type(), image->width(), image->height());
    for (int number = 0; number < 4; ++number) {
        ascending.page(number, page);
        pages.push_back(levelsOf(page));
    }
    for (const int number : {3, 1, 2, 2, 0, 3, 0, 1}) {
        jumping.page(number, page);
        EXPECT_EQ(levelsOf(page), pages[static_cast<std::size_t>(number)]) << number;
    }
}

TEST_P(Profile, StopsWhenAsked) {
    const auto image = makeImage(PixelType::u8, 40, 40, [](auto x, auto y) { return (x * y) % 97; });
    const auto session = build(image);
    ProfileSpec spec;
    spec.thresholds = {2, 4};
    spec.differential = true;
    AttributeProfile profile(*session, image, spec);
    Image page(image->type(), 40, 40);
    profile.page(1, page);
    const std::vector<int> expected = levelsOf(page);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(profile.page(1, page, JobControl(stop.get_token())), Cancelled);
    profile.page(1, page);
    EXPECT_EQ(levelsOf(page), expected) << "a cancelled page spoils nothing";
}

/// Cancels a filter after half of the image.
class BreakingSession final : public Session {
public:
    explicit BreakingSession(Session& session) : session_(session) {}

    void breakNext() { breaksNext_ = true; }

    void setImage(std::shared_ptr<const Image> image) override { session_.open(std::move(image)); }
    TreeReport build(const TreeSpec& spec, const JobControl& control) override {
        return session_.buildTree(spec, control);
    }
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const override { return session_.tree(); }
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id, const JobControl& control) override {
        return session_.attribute(id, control);
    }
    FilterReport runFilter(const FilterSpec& spec, Image& out, const JobControl& control) override {
        if (!std::exchange(breaksNext_, false)) {
            return session_.filter(spec, out, control);
        }
        Image whole(out.type(), out.width(), out.height());
        (void)session_.filter(spec, whole, control);
        dispatch(out.type(), [&]<class Pixel>(Pixel) {
            std::copy_n(whole.pixels<Pixel>().data(), out.pixelCount() / 2, out.pixels<Pixel>().data());
        });
        throw Cancelled{};
    }
    [[nodiscard]] std::uint64_t estimateTreeBytes(const Image& image) const override {
        return session_.estimateTreeBytes(image);
    }

private:
    Session& session_;
    bool breaksNext_ = false;
};

TEST_P(Profile, GivesWholePagesAfterACancelledOne) {
    const auto image = makeImage(PixelType::u8, 40, 40, [](auto x, auto y) { return (x * y) % 97; });
    const auto inner = build(image);
    ProfileSpec spec;
    spec.thresholds = {2, 6, 30};
    spec.differential = true;
    std::vector<std::vector<int>> expected;
    Image page(image->type(), 40, 40);
    AttributeProfile fresh(*inner, image, spec);
    for (int number = 0; number < 3; ++number) {
        fresh.page(number, page);
        expected.push_back(levelsOf(page));
    }
    BreakingSession session(*inner);
    for (const int next : {0, 1, 2}) {
        AttributeProfile profile(session, image, spec);
        profile.page(0, page);
        session.breakNext(); // the filter of page 1, on which page 2 depends
        EXPECT_THROW(profile.page(2, page), Cancelled);
        profile.page(next, page);
        EXPECT_EQ(levelsOf(page), expected[static_cast<std::size_t>(next)]) << next;
    }
}

TEST_P(Profile, SaysWhatIsWrongWithThresholds) {
    const auto image = makeImage(PixelType::u8, 4, 4, [](auto x, auto y) { return x + y; });
    const auto session = build(image);
    const auto message = [&](std::vector<double> thresholds) -> std::string {
        try {
            ProfileSpec spec;
            spec.thresholds = std::move(thresholds);
            AttributeProfile profile(*session, image, spec);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(message({}), HasSubstr("0 thresholds"));
    EXPECT_THAT(message({10, 10}), HasSubstr("ascend"));
    EXPECT_THAT(message({100, 10}), HasSubstr("area>=10 comes after area>=100"));
    EXPECT_THAT(message({std::numeric_limits<double>::quiet_NaN()}), HasSubstr("finite"));
    EXPECT_THAT(message(std::vector<double>(ProfileSpec::kMaxThresholds + 1)), HasSubstr("4097"));
    EXPECT_EQ(message({-1, 0, 1}), "");
}

POLLARD_FOR_EVERY_TREE(Profile);

} // namespace
} // namespace pollard::testing
