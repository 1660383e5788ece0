// The results of all rules side by side, with a real document.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/rules_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/naive_filter.hpp"
#include "support/naive_tree.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>
#include <set>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::makeImage;
using testing::Random;
using ::testing::SizeIs;

/// Colours from which the levels can be read.
QRgb codeOf(std::uint16_t level) { return qRgb(1, level >> 8, level & 255); }

const PartLook kWhole{{0, 0, 24, 17}, {24, 17}, &codeOf};

class RulesModel : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    RulesViewModel rules{document, filter};

    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void open(const std::shared_ptr<const Image>& image) {
        const QString path = directory.filePath(QStringLiteral("a.tif"));
        writeTiff(path.toStdString(), *image);
        document.open(path);
        ASSERT_TRUE(eventually([&] { return idle() && document.hasImage(); }));
    }
    [[nodiscard]] bool ready() {
        return eventually([&] { return idle() && rules.isIdle() && rules.state() == RulesViewModel::State::ready; });
    }
    static std::shared_ptr<const Image> noise(PixelType type) {
        Random random(5);
        return makeImage(type, 24, 17, [&](auto, auto) { return 100 + random() % 12 * 9; });
    }
    /// Smooth hills with noise: components of many sizes and shapes.
    static std::shared_ptr<const Image> hills(std::uint32_t side) {
        Random random(5);
        return makeImage(PixelType::u8, side, side, [&](auto x, auto y) {
            return static_cast<std::uint32_t>(100 + 60 * std::sin(x / 9.0) * std::sin(y / 7.0)) + random() % 40;
        });
    }
    /// The full result by definition.
    [[nodiscard]] testing::NaiveFilterResult naive(Rule rule) const {
        const std::shared_ptr<const Image> image = document.image();
        const Mask* domain = document.shown().domain.get();
        const TreeKind kind = document.tree()->kind;
        const auto analysed = analysisImage(image, domain, kind);
        FilterSpec spec = filter.spec();
        spec.rule = rule;
        auto result = testing::naiveFilter(testing::naiveTree(*analysed, kind, document.tree()->connectivity),
                                           *analysed, kind, spec);
        for (std::uint32_t p = 0; domain != nullptr && p < image->pixelCount(); ++p) {
            if (!domain->test(p % image->width(), p / image->width())) {
                result.pixels[p] = spec.output == Output::filtered ? image->level(p) : std::uint16_t{0};
            }
        }
        return result;
    }
    /// Compares the numbers of all rules, their images and the marks of equal ones with the results by definition.
    void check(const PartLook& look, const std::string& what) {
        SCOPED_TRACE(what);
        rules.setLook(look);
        ASSERT_TRUE(ready());
        ASSERT_THAT(rules.results(), SizeIs(kAllRules.size()));
        std::vector<testing::NaiveFilterResult> full;
        const std::uint32_t width = document.image()->width();
        for (int number = 0; number < static_cast<int>(kAllRules.size()); ++number) {
            const RuleResult& result = rules.results()[static_cast<std::size_t>(number)];
            EXPECT_EQ(result.rule, kAllRules[static_cast<std::size_t>(number)]);
            full.push_back(naive(result.rule));
            EXPECT_EQ(result.keptNodes, full.back().kept);
            EXPECT_EQ(result.changedPixels, full.back().changed);
            std::optional<Rule> same;
            for (std::size_t before = full.size() - 1; before-- > 0;) {
                same = full[before].pixels == full.back().pixels ? std::optional(kAllRules[before]) : same;
            }
            EXPECT_EQ(result.sameAs, same);
            const QImage& image = rules.image(number);
            EXPECT_TRUE(image.width() == look.box.width() || image.height() == look.box.height());
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const double left = look.part.x() + (x + 0.5) * look.part.width() / image.width();
                    const double top = look.part.y() + (y + 0.5) * look.part.height() / image.height();
                    const auto place = static_cast<std::uint32_t>(top) * width + static_cast<std::uint32_t>(left);
                    ASSERT_EQ(image.pixel(x, y), codeOf(full.back().pixels[place])) << number << ": " << x << ", " << y;
                }
            }
        }
    }
};

TEST_F(RulesModel, ImagesAreTheFullResultsAtTheirPixels) {
    rules.setActive(true);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        ASSERT_NO_FATAL_FAILURE(open(noise(type)));
        FilterSpec spec;
        spec.criteria = {{AttributeId::elongation, 1.3, 2.6}};
        for (const Output output : kAllOutputs) {
            spec.output = output;
            filter.setSpec(spec);
            const std::string what = std::to_string(bitsOf(type)) + " bits, " + std::string(nameOf(output));
            ASSERT_NO_FATAL_FAILURE(check(kWhole, what + ", whole"));
            ASSERT_NO_FATAL_FAILURE(check({{0, 0, 24, 17}, {10, 9}, &codeOf}, what + ", reduced"));
            ASSERT_NO_FATAL_FAILURE(check({{3.5, 2.25, 7, 5}, {50, 40}, &codeOf}, what + ", magnified"));
        }
    }
}

TEST_F(RulesModel, ImagesFollowRegionTreeAndCriteria) {
    rules.setActive(true);
    ASSERT_NO_FATAL_FAILURE(open(noise(PixelType::u8)));
    filter.setCriterion({AttributeId::width, 2, 5});
    ASSERT_NO_FATAL_FAILURE(check(kWhole, "criterion"));
    auto domain = std::make_shared<Mask>(24U, 17U, false);
    for (std::uint32_t y = 3; y < 14; ++y) {
        domain->setRun(4, 20, y, true);
    }
    document.choices().setDomain(domain);
    ASSERT_TRUE(eventually([&] { return document.shown().domain == domain; }));
    ASSERT_NO_FATAL_FAILURE(check(kWhole, "region"));
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return document.tree()->kind == TreeKind::min; }));
    ASSERT_NO_FATAL_FAILURE(check(kWhole, "min-tree"));
    filter.setOutput(Output::mask);
    ASSERT_NO_FATAL_FAILURE(check(kWhole, "mask"));
}

TEST_F(RulesModel, TheSameImageIsMarkedWithTheFirstRuleThatHasIt) {
    rules.setActive(true);
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(noise(PixelType::u8)));
    filter.setCriterion({AttributeId::area, 6}); // increasing: the rules differ in nothing
    ASSERT_TRUE(ready());
    for (const RuleResult& result : rules.results()) {
        EXPECT_EQ(result.sameAs, result.rule == Rule::direct ? std::nullopt : std::optional(Rule::direct));
        EXPECT_EQ(result.values, rules.results()[0].values) << "in memory once";
    }
    EXPECT_TRUE(rules.numbersOf(1).contains(QStringLiteral("Direct")));
    EXPECT_FALSE(rules.numbersOf(0).contains(QStringLiteral("Direct")));
    ASSERT_NO_FATAL_FAILURE(open(hills(60)));
    filter.setCriterion({AttributeId::elongation, 1, 1.8});
    ASSERT_TRUE(ready());
    std::set<const void*> different;
    for (const RuleResult& result : rules.results()) {
        different.insert(result.values.get());
    }
    EXPECT_THAT(different, SizeIs(5)) << "by an attribute that is not increasing";
}

TEST_F(RulesModel, SelectingOneMakesItTheRuleOfTheFilterWithoutComputingAgain) {
    rules.setActive(true);
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(noise(PixelType::u8)));
    filter.setCriterion({AttributeId::elongation, 1.3, 2.6});
    ASSERT_TRUE(ready());
    for (int number = 0; number < 5; ++number) {
        QSignalSpy current(&rules, &RulesViewModel::currentChanged);
        rules.select(number);
        EXPECT_EQ(rules.current(), number);
        EXPECT_EQ(current.count(), number == 0 ? 0 : 1);
        EXPECT_EQ(rules.state(), RulesViewModel::State::ready);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        EXPECT_EQ(document.shown().frame.report.keptNodes, rules.results()[static_cast<std::size_t>(number)].keptNodes);
        EXPECT_EQ(document.shown().frame.report.changedPixels,
                  rules.results()[static_cast<std::size_t>(number)].changedPixels);
    }
}

TEST_F(RulesModel, MessagesNameTheReasonsForResultsWithoutAChoice) {
    rules.setActive(true);
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(noise(PixelType::u8)));
    ASSERT_TRUE(ready());
    EXPECT_TRUE(rules.message().contains(QStringLiteral("no criterion"))) << rules.message().toStdString();
    filter.setCriterion({AttributeId::area, 1, 100}); // the root has 408 px
    ASSERT_TRUE(ready());
    EXPECT_EQ(rules.results()[1].keptNodes, 1U);
    EXPECT_TRUE(rules.message().contains(QStringLiteral("Min"))) << rules.message().toStdString();
    EXPECT_TRUE(rules.message().contains(QStringLiteral("root"))) << rules.message().toStdString();
    filter.setCriterion({AttributeId::area, 5});
    ASSERT_TRUE(ready());
    EXPECT_TRUE(rules.message().startsWith(QStringLiteral("Nodes kept"))) << rules.message().toStdString();
    filter.setEnabled(false);
    ASSERT_TRUE(ready());
    EXPECT_TRUE(rules.message().contains(QStringLiteral("off"))) << rules.message().toStdString();
    rules.select(2);
    EXPECT_EQ(filter.rule(), Rule::direct) << "as the choice in the Filter panel, which is disabled";
}

TEST_F(RulesModel, OfManyChangesOnlyTheLastIsDisplayed) {
    rules.setActive(true);
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(hills(200)));
    ASSERT_TRUE(ready());
    const std::uint64_t before = rules.results()[0].keptNodes;
    std::vector<std::uint64_t> displayed;
    QObject::connect(&rules, &RulesViewModel::changed, [&] {
        if (rules.results()[0].keptNodes != before) {
            displayed.push_back(rules.results()[0].keptNodes);
        }
    });
    for (int area = 2; area <= 40; ++area) {
        filter.setCriterion({AttributeId::area, static_cast<double>(area)});
        EXPECT_EQ(rules.state(), RulesViewModel::State::computing);
        EXPECT_EQ(rules.results()[0].keptNodes, before) << "the previous ones stay until then";
    }
    ASSERT_TRUE(ready());
    ASSERT_FALSE(displayed.empty());
    EXPECT_THAT(displayed, ::testing::Each(document.shown().frame.report.keptNodes));
    EXPECT_EQ(document.resultSpec().criteria[0].minimum, 40);
    // The same with a computation that runs.
    filter.setCriterion({AttributeId::area, 50});
    ASSERT_TRUE(eventually([&] { return !rules.isIdle(); }));
    QTest::qWait(RulesViewModel::kDelay);
    filter.setCriterion({AttributeId::area, 60});
    ASSERT_TRUE(ready());
    EXPECT_EQ(rules.results()[0].keptNodes, document.shown().frame.report.keptNodes);
}

TEST_F(RulesModel, NothingIsComputedOrHeldWhileThePanelIsNotSeen) {
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(noise(PixelType::u8)));
    EXPECT_EQ(rules.state(), RulesViewModel::State::empty);
    rules.setActive(true);
    ASSERT_TRUE(ready());
    const std::weak_ptr<const Buffer<std::uint16_t>> values = rules.results()[0].values;
    rules.setActive(false);
    EXPECT_TRUE(rules.results().empty());
    EXPECT_EQ(rules.state(), RulesViewModel::State::empty);
    EXPECT_TRUE(eventually([&] { return values.expired(); }));
}

TEST_F(RulesModel, ClosingTheImageEndsTheComputation) {
    rules.setActive(true);
    rules.setLook(kWhole);
    ASSERT_NO_FATAL_FAILURE(open(hills(900)));
    filter.setCriterion({AttributeId::elongation, 1.3, 2.6});
    ASSERT_TRUE(eventually([&] { return rules.state() == RulesViewModel::State::computing; }));
    QTest::qWait(RulesViewModel::kDelay + 20); // on the worker
    const std::weak_ptr<const ComponentTree> tree = document.tree();
    QSignalSpy changes(&rules, &RulesViewModel::changed);
    document.close();
    EXPECT_EQ(rules.state(), RulesViewModel::State::empty);
    EXPECT_TRUE(rules.isIdle());
    EXPECT_TRUE(rules.results().empty());
    changes.clear();
    EXPECT_TRUE(eventually([&] { return tree.expired(); })) << "the job has ended";
    testing::settle();
    EXPECT_EQ(changes.count(), 0);
}

} // namespace
} // namespace pollard::vm
