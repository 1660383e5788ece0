#include "components/best/best_weights.hpp"

#include "base/system.hpp"

#include <algorithm>
#include <cmath>

namespace pollard {

namespace {

constexpr std::size_t kTerms = std::tuple_size_v<BestTerms>;
using TermMatrix = std::array<BestTerms, kTerms>;

double weightedSum(const BestTerms& weights, const BestTerms& terms) {
    double sum = 0;
    for (std::size_t i = 0; i < kTerms; ++i) {
        sum += weights[i] * terms[i];
    }
    return sum;
}

/// The sum of the cross entropies of the images and of the distance to the usual weights, with its derivatives.
struct FitLoss {
    double value = 0;
    BestTerms gradient{};
    TermMatrix curvature{};
};

/// @param pull of pullOf()
FitLoss fitLossOf(std::span<const BestLesson* const> lessons, const BestTerms& weights, const BestTerms& usual,
                  const BestTerms& pull, const JobControl& control) {
    FitLoss loss;
    for (const BestLesson* const lesson : lessons) {
        control.throwIfStopped();
        const double share = 1 / static_cast<double>(std::max<std::size_t>(lesson->terms.size(), 1));
        for (std::size_t row = 0; row < lesson->terms.size(); ++row) {
            const BestTerms& x = lesson->terms[row];
            const double logit = weightedSum(weights, x);
            const double fit = 1 / (1 + std::exp(-logit));
            loss.value +=
                share * (std::max(logit, 0.) + std::log1p(std::exp(-std::abs(logit))) - lesson->overlaps[row] * logit);
            for (std::size_t i = 0; i < kTerms; ++i) {
                loss.gradient[i] += share * (fit - lesson->overlaps[row]) * x[i];
                for (std::size_t j = 0; j <= i; ++j) {
                    loss.curvature[i][j] += share * fit * (1 - fit) * x[i] * x[j];
                }
            }
        }
    }
    for (std::size_t i = 0; i < kTerms; ++i) {
        const double apart = weights[i] - usual[i];
        loss.value += pull[i] * apart * apart / 2;
        loss.gradient[i] += pull[i] * apart;
        loss.curvature[i][i] += pull[i];
    }
    return loss;
}

/// The solution of a symmetric positive definite system. @param matrix its lower half
BestTerms solved(TermMatrix matrix, BestTerms right) {
    for (std::size_t i = 0; i < kTerms; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
        }
        for (std::size_t k = 0; k < i; ++k) {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    for (std::size_t i = kTerms; i-- > 0;) {
        for (std::size_t k = i + 1; k < kTerms; ++k) {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    return right;
}

/// How much the distance to the usual weights counts, by the variance of each term over the candidates of all images,
/// which count the same; of the constant by 1.
BestTerms pullOf(std::span<const BestLesson* const> lessons) {
    BestTerms sums{};
    BestTerms squares{};
    double images = 0;
    for (const BestLesson* const lesson : lessons) {
        const double share = 1 / static_cast<double>(std::max<std::size_t>(lesson->terms.size(), 1));
        images += lesson->terms.empty() ? 0 : 1;
        for (const BestTerms& x : lesson->terms) {
            for (std::size_t i = 0; i < kTerms; ++i) {
                sums[i] += share * x[i];
                squares[i] += share * x[i] * x[i];
            }
        }
    }
    constexpr double kOfAnImage = .1;
    constexpr double kLeast = 1e-3; // so that a term that is equal everywhere keeps its weight
    BestTerms pull{};
    for (std::size_t i = 0; i < kTerms; ++i) {
        const double mean = sums[i] / std::max(images, 1.);
        pull[i] = kOfAnImage * std::max(squares[i] / std::max(images, 1.) - mean * mean, kLeast);
    }
    pull.back() = kOfAnImage;
    return pull;
}

} // namespace

BestLesson::BestLesson(const BestCandidates& candidates, const std::optional<double>& size,
                       std::span<const std::uint32_t> truth, const JobControl& control) {
    requireAvailable("learn weights", candidates.size() * (sizeof(BestTerms) + 2 * sizeof(double)));
    overlaps = candidates.overlaps(truth, control);
    terms.resize(candidates.size());
    for (std::size_t region = 0; region < terms.size(); ++region) {
        terms[region] = candidates.terms(region, candidates.sizeFor(size));
    }
}

BestWeights learnBestWeights(std::span<const BestLesson* const> lessons, const JobControl& control) {
    constexpr int kMostSteps = 100;
    constexpr double kDigits = 1e4;
    constexpr double kEnough = 1e-9;
    BestTerms usual{};
    for (std::size_t i = 0; i < kTerms; ++i) {
        usual[i] = BestWeights{}.*kBestWeights[i].weight;
    }
    const BestTerms pull = pullOf(lessons);
    BestTerms weights = usual;
    FitLoss loss = fitLossOf(lessons, weights, usual, pull, control);
    for (int step = 0; step < kMostSteps; ++step) {
        BestTerms change = solved(loss.curvature, loss.gradient);
        const double decrease = weightedSum(change, loss.gradient);
        if (!(decrease > kEnough)) {
            break;
        }
        double part = 1;
        FitLoss next;
        BestTerms moved{};
        do { // convex: a short enough step lowers the loss
            for (std::size_t i = 0; i < kTerms; ++i) {
                moved[i] = weights[i] - part * change[i];
            }
            next = fitLossOf(lessons, moved, usual, pull, control);
            part /= 2;
        } while (next.value > loss.value && part > kEnough);
        if (next.value > loss.value) {
            break;
        }
        weights = moved;
        loss = next;
    }
    BestWeights learned;
    for (std::size_t i = 0; i < kTerms; ++i) {
        learned.*kBestWeights[i].weight =
            std::clamp(std::round(weights[i] * kDigits) / kDigits, -BestWeights::kMost, BestWeights::kMost);
    }
    return learned;
}

} // namespace pollard
