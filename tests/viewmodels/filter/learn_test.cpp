// Criteria learned from the components kept and removed by hand.

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/filter/learn_view_model.hpp"
#include "vm/filter/picks_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using PickEffect = PicksModel::PickEffect;

/// The real engine with bars of 2, 3, 5, 6 and 12 px on 10, one after another.
class Learn : public ::testing::Test {
protected:
    void SetUp() override {
        image_ = std::make_shared<Image>(PixelType::u8, 60, 1);
        const auto pixels = image_->pixels<std::uint8_t>();
        std::ranges::fill(pixels, std::uint8_t{10});
        std::size_t first = 1;
        for (const std::size_t length : {2U, 3U, 5U, 6U, 12U}) {
            std::ranges::fill(pixels.subspan(first, length), static_cast<std::uint8_t>(50 + first));
            last_.push_back(static_cast<std::uint32_t>(first + length - 1));
            first += length + 2;
        }
        document_.open(QStringLiteral("bars.tif"));
        ASSERT_TRUE(eventually([this] { return document_.hasResult() && !document_.activity().isBusy(); }));
    }
    [[nodiscard]] DocumentServices services() {
        DocumentServices services = DocumentServices::standard(registry_);
        services.read = [this](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{image_, nullptr, {}};
            loaded.info.width = image_->width();
            loaded.info.height = image_->height();
            loaded.info.bits = bitsOf(image_->type());
            loaded.info.samples = 1;
            return loaded;
        };
        return services;
    }
    void pick(std::size_t bar, PickEffect effect) { filter_.picks().pick(last_[bar], effect); }
    [[nodiscard]] bool learned() {
        return eventually([this] { return learn_.isIdle() && learn_.proposal() != nullptr; });
    }

    EngineRegistry registry_{makeCpuEngine()};
    std::shared_ptr<Image> image_;
    DocumentViewModel document_{services()};
    FilterViewModel filter_{document_};
    LearnViewModel learn_{document_, filter_};
    std::vector<std::uint32_t> last_; ///< canonical pixel of each bar
};

TEST_F(Learn, FollowsThePicksWhileActive) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    EXPECT_TRUE(learn_.text().isEmpty());
    EXPECT_EQ(learn_.proposal(), nullptr);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    EXPECT_EQ(learn_.proposal()->examples, 2U);
    EXPECT_EQ(learn_.proposal()->learned.criteria.size(), 1U);
    EXPECT_TRUE(learn_.canUse());
    EXPECT_TRUE(learn_.text().contains(QStringLiteral("%"))) << learn_.text().toStdString();
    filter_.picks().remove(0);
    EXPECT_EQ(learn_.proposal(), nullptr);
    EXPECT_FALSE(learn_.canUse());
    EXPECT_TRUE(learn_.text().startsWith(QStringLiteral("Keep one component"))) << learn_.text().toStdString();
    learn_.setActive(false);
    EXPECT_TRUE(learn_.text().isEmpty());
}

TEST_F(Learn, AForestBecomesAPartOfTheFilter) {
    pick(0, PickEffect::removed);
    pick(3, PickEffect::kept);
    pick(2, PickEffect::removed);
    learn_.setForest(true);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    EXPECT_FALSE(learn_.canAsk());
    EXPECT_TRUE(learn_.text().contains(QStringLiteral("a forest of 64 decision trees"))) << learn_.text().toStdString();
    learn_.use();
    EXPECT_EQ(filter_.forest().trees.size(), 64U);
    EXPECT_EQ(filter_.spec().forest, filter_.forest());
    EXPECT_EQ(stateOf(filter_.spec()).forest, filter_.forest());
    EXPECT_TRUE(filter_.criterionText().contains(QStringLiteral("a forest of 64 decision trees")));
    ASSERT_TRUE(
        eventually([this] { return document_.resultSpec() == filter_.spec() && !document_.activity().isBusy(); }));
    const FilterViewModel::State before = filter_.state();
    filter_.setForest({});
    EXPECT_TRUE(filter_.spec().forest.trees.empty());
    filter_.setState(before);
    EXPECT_EQ(filter_.forest().trees.size(), 64U);
    learn_.setForest(false);
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    ASSERT_TRUE(learned());
    learn_.use();
    EXPECT_TRUE(filter_.forest().trees.empty());
}

TEST_F(Learn, APickThatAgreesChangesNothing) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    const LearnProposal before = *learn_.proposal();
    const std::uint32_t node = document_.tree()->pixelNode[last_[2]];
    CriteriaLearner learner = *before.untaught;
    learner.add(std::vector<Example>{{document_.tree()->pixelNode[last_[0]], false}});
    learner.add(std::vector<Example>{{document_.tree()->pixelNode[last_[4]], true}});
    pick(2, learner.keeps(node) ? PickEffect::kept : PickEffect::removed);
    ASSERT_TRUE(learned());
    EXPECT_EQ(learn_.proposal()->examples, 3U);
    EXPECT_EQ(learn_.proposal()->learned, before.learned);
    filter_.picks().clear();
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    pick(2, learner.keeps(node) ? PickEffect::removed : PickEffect::kept);
    ASSERT_TRUE(learned());
    EXPECT_NE(learn_.proposal()->learned, before.learned);
    EXPECT_TRUE(learn_.proposal()->learned.wrong.empty());
}

TEST_F(Learn, UseReplacesCriteriaAndPicksInOneStep) {
    filter_.setCriterion({AttributeId::height, 5, 200});
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    const auto criteria = learn_.proposal()->learned.criteria;
    const QSignalSpy changes(&filter_, &FilterViewModel::specChanged);
    learn_.use();
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(specOf(filter_.state()).criteria, criteria);
    EXPECT_EQ(filter_.picks().count(), 0);
    EXPECT_FALSE(learn_.canUse());
    learn_.use(); // without a proposal
    EXPECT_EQ(changes.count(), 1);
}

TEST_F(Learn, AsksAboutWhatItIsLeastSureOf) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    ASSERT_TRUE(learn_.canAsk());
    const QSignalSpy questions(&learn_, &LearnViewModel::askedAbout);
    learn_.answer(true); // to no question
    EXPECT_EQ(filter_.picks().count(), 2);
    learn_.askNext();
    ASSERT_EQ(questions.count(), 1);
    const std::uint32_t node = questions.at(0).at(0).toUInt();
    EXPECT_EQ(node, learn_.unsure()->at(0).node);
    EXPECT_EQ(learn_.asked(), node);
    const UnsureNode& unsure = learn_.unsure()->at(0);
    const AttributeId deciding = learn_.criteria().at(unsure.criterion).attribute;
    const QString verb = unsure.isKept ? QStringLiteral("keep") : QStringLiteral("remove");
    EXPECT_TRUE(learn_.text().endsWith(
        QStringLiteral("The criteria %1 the component in question: %2 %3 px.")
            .arg(verb, attributeTitle(deciding), columnText(deciding, document_.attribute(deciding)->at(node), {}))))
        << learn_.text().toStdString();
    learn_.answer(true);
    ASSERT_TRUE(learned());
    EXPECT_EQ(learn_.proposal()->examples, 3U);
    EXPECT_EQ(filter_.picks().kept().size(), 2U);
    ASSERT_EQ(questions.count(), 2);
    EXPECT_NE(questions.at(1).at(0).toUInt(), node);
    EXPECT_TRUE(learn_.proposal()->learned.wrong.empty());
}

TEST_F(Learn, TheCriteriaDoNotWaitForTheUnsure) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    bool isEarlier = false;
    QObject::connect(&learn_, &LearnViewModel::changed, &learn_, [&] {
        isEarlier = isEarlier || (learn_.canUse() && !learn_.canAsk() && !learn_.text().isEmpty() && !learn_.isIdle());
    });
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    EXPECT_TRUE(isEarlier);
    EXPECT_TRUE(learn_.canAsk());
}

TEST_F(Learn, AQuestionWaitsForTheNewCriteria) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    const auto before = learn_.unsure();
    const QSignalSpy questions(&learn_, &LearnViewModel::askedAbout);
    pick(3, PickEffect::kept);
    learn_.askNext();
    EXPECT_EQ(questions.count(), 0);
    ASSERT_TRUE(learned());
    EXPECT_NE(learn_.unsure(), before);
    ASSERT_EQ(questions.count(), 1);
    EXPECT_EQ(questions.at(0).at(0).toUInt(), learn_.unsure()->at(0).node);
}

TEST_F(Learn, LengthsAreInTheUnitOfTheList) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    EXPECT_TRUE(learn_.text().contains(QStringLiteral(" px."))) << learn_.text().toStdString();
    document_.pixelSizes().set(PixelSize{0.5, 0.5, "µm", {}});
    filter_.setCriterion({AttributeId::area, 1, 100, LengthUnit::micrometre});
    ASSERT_TRUE(learned());
    const std::vector<Criterion> inPx = learn_.proposal()->learned.criteria;
    const std::vector<Criterion> criteria = learn_.criteria();
    EXPECT_TRUE(learn_.text().contains(QStringLiteral(" µm²"))) << learn_.text().toStdString();
    EXPECT_FALSE(learn_.text().contains(QStringLiteral("px"))) << learn_.text().toStdString();
    ASSERT_EQ(criteria.size(), inPx.size());
    for (std::size_t i = 0; i < criteria.size(); ++i) {
        EXPECT_EQ(criteria[i].unit, LengthUnit::micrometre);
        const Criterion back = inPixels(criteria[i], unitsOf(document_));
        EXPECT_DOUBLE_EQ(back.minimum, inPx[i].minimum);
        EXPECT_DOUBLE_EQ(back.maximum, inPx[i].maximum);
    }
    learn_.askNext();
    const std::uint32_t node = learn_.asked().value();
    EXPECT_TRUE(learn_.text().endsWith(
        QStringLiteral(": Area %1 µm².").arg(document_.attribute(AttributeId::area)->at(node) / 4)))
        << learn_.text().toStdString();
    learn_.use();
    EXPECT_EQ(specOf(filter_.state()).criteria, criteria);
}

TEST_F(Learn, AnotherTreeIsLearnedAnew) {
    pick(0, PickEffect::removed);
    pick(4, PickEffect::kept);
    learn_.setActive(true);
    ASSERT_TRUE(learned());
    const auto before = learn_.proposal();
    document_.choices().setConnectivity(Connectivity::eight);
    ASSERT_TRUE(eventually([&] { return learn_.isIdle() && learn_.proposal() && learn_.proposal() != before; }));
    EXPECT_EQ(learn_.proposal()->tree, document_.tree());
    EXPECT_EQ(learn_.proposal()->learned, before->learned); // in one row both trees are equal
}

} // namespace
} // namespace pollard::vm
