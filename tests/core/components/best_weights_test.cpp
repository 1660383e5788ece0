#include "components/best/best_weights.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "components/best/best_components.hpp"
#include "components/best/best_rule.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/best_objects.hpp"
#include "engine/engine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

/// Objects on a dark ground: discs, and plus signs of the same area.
struct Scene {
    static constexpr std::uint32_t kWidth = 200;
    static constexpr std::uint32_t kHeight = 120;
    std::shared_ptr<Image> image;
    std::vector<std::uint32_t> plusSigns; ///< their labels

    explicit Scene(std::uint32_t seed) : plusSigns(kWidth * kHeight) {
        Random random(seed);
        image = makeImage(PixelType::u8, kWidth, kHeight, [&](auto, auto) { return 20 + random() % 6; });
        std::uint32_t number = 0;
        for (std::uint32_t top = 0; top + 40 <= kHeight; top += 40) {
            for (std::uint32_t left = 0; left + 40 <= kWidth; left += 40) {
                const bool isPlus = random() % 2 == 0;
                const std::uint32_t level = 120 + random() % 60;
                number += isPlus ? 1 : 0;
                const int cx = static_cast<int>(left + 17 + random() % 6);
                const int cy = static_cast<int>(top + 17 + random() % 6);
                for (int y = cy - 15; y <= cy + 15; ++y) {
                    for (int x = cx - 15; x <= cx + 15; ++x) {
                        const int u = std::abs(x - cx);
                        const int v = std::abs(y - cy);
                        if (isPlus ? (u <= 2 && v <= 14) || (v <= 2 && u <= 14) : u * u + v * v <= 80) {
                            const auto at = static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x);
                            image->pixels<std::uint8_t>()[at] = static_cast<std::uint8_t>(level);
                            plusSigns[at] = isPlus ? number : 0;
                        }
                    }
                }
            }
        }
    }
    [[nodiscard]] std::shared_ptr<const BestCandidates> candidates() const {
        const auto engine = makeCpuEngine();
        return findBestCandidates(*engine, *image, nullptr, {}, Polarity::bright);
    }
    /// F1 of the chosen regions that overlap a plus sign by half.
    [[nodiscard]] double f1(const BestWeights& weights) const {
        const auto found = candidates();
        const std::vector<double> overlaps = found->overlaps(plusSigns);
        BestChoice choice;
        choice.weights = weights;
        const std::vector<std::uint32_t> chosen = found->choose(choice);
        const auto right = std::ranges::count_if(chosen, [&](auto region) { return overlaps[region] >= .5; });
        const std::uint32_t truth = *std::ranges::max_element(plusSigns);
        return 2 * static_cast<double>(right) / static_cast<double>(truth + chosen.size());
    }
};

BestLesson lessonOf(const Scene& scene) { return {*scene.candidates(), std::nullopt, scene.plusSigns}; }

TEST(BestWeights, LearnAnotherKindOfObjects) {
    std::vector<BestLesson> lessons;
    std::vector<const BestLesson*> all;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        lessons.push_back(lessonOf(Scene(seed)));
    }
    for (const BestLesson& lesson : lessons) {
        all.push_back(&lesson);
    }
    const BestWeights weights = learnBestWeights(all);
    EXPECT_EQ(learnBestWeights(all), weights) << "deterministic";
    for (const std::uint32_t seed : {11U, 12U, 13U}) {
        const Scene other(seed);
        EXPECT_LT(other.f1({}), .8);
        EXPECT_GT(other.f1(weights), .95);
    }
}

/// The loss by its definition.
double naiveLoss(const std::vector<const BestLesson*>& lessons, const BestWeights& weights) {
    double loss = 0;
    BestTerms mean{};
    BestTerms square{};
    for (const BestLesson* lesson : lessons) {
        const auto count = static_cast<double>(lesson->terms.size());
        for (std::size_t row = 0; row < lesson->terms.size(); ++row) {
            double logit = 0;
            for (std::size_t i = 0; i < kBestWeights.size(); ++i) {
                logit += weights.*kBestWeights[i].weight * lesson->terms[row][i];
                mean[i] += lesson->terms[row][i] / count / static_cast<double>(lessons.size());
                square[i] +=
                    lesson->terms[row][i] * lesson->terms[row][i] / count / static_cast<double>(lessons.size());
            }
            const double fit = 1 / (1 + std::exp(-logit));
            loss -= (lesson->overlaps[row] * std::log(fit) + (1 - lesson->overlaps[row]) * std::log(1 - fit)) / count;
        }
    }
    for (std::size_t i = 0; i < kBestWeights.size(); ++i) {
        const double spread = i + 1 == kBestWeights.size() ? .1 : .1 * std::max(square[i] - mean[i] * mean[i], 1e-3);
        const double apart = weights.*kBestWeights[i].weight - BestWeights{}.*kBestWeights[i].weight;
        loss += spread * apart * apart / 2;
    }
    return loss;
}

/// Rows of random terms with random overlaps.
BestLesson randomLesson(Random& random, const BestLesson& like, std::size_t rows) {
    BestLesson lesson = like;
    lesson.terms.assign(rows, {});
    lesson.overlaps.assign(rows, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        for (double& term : lesson.terms[row]) {
            term = static_cast<double>(random() % 2000) / 1000 - 1;
        }
        lesson.terms[row].back() = 1;
        lesson.overlaps[row] = static_cast<double>(random() % 101) / 100;
    }
    return lesson;
}

TEST(BestWeights, HaveTheLeastLoss) {
    Random random(5);
    const BestLesson like = lessonOf(Scene(1));
    for (int round = 0; round < 10; ++round) {
        std::vector<BestLesson> lessons;
        for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
            lessons.push_back(randomLesson(random, like, 50 + random() % 100));
        }
        std::vector<const BestLesson*> all;
        for (const BestLesson& lesson : lessons) {
            all.push_back(&lesson);
        }
        const BestWeights weights = learnBestWeights(all);
        const double least = naiveLoss(all, weights);
        for (const auto& [name, weight] : kBestWeights) {
            for (const double step : {-.01, .01}) {
                BestWeights other = weights;
                other.*weight += step;
                EXPECT_LT(least, naiveLoss(all, other)) << name;
            }
        }
    }
}

TEST(BestWeights, AreThoseOfTheOverlapsIfThereAreManyImages) {
    Random random(8);
    const BestWeights truth{1.5, -.5, .25, -2, 1, -.75, .5, -.3};
    BestLesson lesson = randomLesson(random, lessonOf(Scene(1)), 400);
    for (std::size_t row = 0; row < lesson.terms.size(); ++row) {
        double logit = 0;
        for (std::size_t i = 0; i < kBestWeights.size(); ++i) {
            logit += truth.*kBestWeights[i].weight * lesson.terms[row][i];
        }
        lesson.overlaps[row] = 1 / (1 + std::exp(-logit));
    }
    const BestWeights few = learnBestWeights(std::vector{&lesson});
    const BestWeights many = learnBestWeights(std::vector(1000, static_cast<const BestLesson*>(&lesson)));
    for (const auto& [name, weight] : kBestWeights) {
        EXPECT_NEAR(many.*weight, truth.*weight, .05) << name;
        EXPECT_LE(std::abs(few.*weight - BestWeights{}.*weight), std::abs(many.*weight - BestWeights{}.*weight) + .2);
    }
    EXPECT_EQ(learnBestWeights({}), BestWeights{});
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(
        (void)learnBestWeights(std::vector{static_cast<const BestLesson*>(&lesson)}, JobControl(source.get_token())),
        Cancelled);
}

TEST(BestWeights, AreTexts) {
    EXPECT_EQ(parseBestWeights("misfit=-2.5, constant = 0.1"), (BestWeights{.misfit = -2.5, .constant = .1}));
    EXPECT_EQ(bestWeightsText({}), "");
    Random random(2);
    for (int round = 0; round < 100; ++round) {
        BestWeights weights;
        for (const auto& [name, weight] : kBestWeights) {
            if (random() % 2 == 0) {
                weights.*weight = static_cast<double>(random()) / 4e6 - 500;
            }
        }
        if (const std::string text = bestWeightsText(weights); !text.empty()) {
            EXPECT_EQ(parseBestWeights(text), weights) << text;
        }
    }
    for (const char* wrong :
         {"", "misfit", "misfit=", "misfit=x", "misfit=1x", "misfit=nan", "misfit=inf", "misfit=1001", "size=1",
          "misfit=1,", ",misfit=1", "misfit=1,misfit=2", "misfit=1 area=2"}) {
        EXPECT_EQ(parseBestWeights(wrong), std::nullopt) << wrong;
    }
}

} // namespace
} // namespace pollard::testing
